"""Wrong kernels: CLREDUCE_CL_DIR names a folder of sources with a planted mistake."""

import json
import os
import shutil

import numpy as np

from cli import KERNELS, Case, Run

REDUCE = ["reduce", "sum", "--generate", "iota:1000", "--strategy", "device_serial"]


class Planted(Case):

    def folder_with(self, before, after):
        return self.changed_kernels("strategies/device_serial.cl", before, after)

    def run_with(self, folder, *options):
        return Run([*REDUCE, *options], environment={"CLREDUCE_CL_DIR": folder})

    def test_sources_are_read_from_the_folder(self):
        run = self.run_with(shutil.copytree(KERNELS, self.path("right")), "--verify")
        self.assertEqual((run.code, run.out), (0, "499500\n"))

    def test_wrong_result(self):
        """The second element, 1, is skipped."""
        folder = self.folder_with("i = 1;", "i = 2;")
        self.assertEqual(self.run_with(folder).code, 0)
        run = self.run_with(folder, "--verify")
        self.assertEqual((run.code, run.out, run.err.count("\n")), (3, "499499\n", 1))
        self.assertIn("499500", run.err)
        run = self.run_with(folder, "--verify", "--json")
        self.assertEqual(run.code, 3)
        self.assertIs(json.loads(run.out)["verified"], False)

    def check_wrong(self, folder, result, reference, *arguments):
        run = Run(["reduce", *arguments, "--strategy", "device_serial", "--verify"],
                  environment={"CLREDUCE_CL_DIR": folder})
        self.assertEqual((run.code, run.out, run.err.count("\n")), (3, result, 1))
        self.assertIn(reference, run.err)

    def test_wrong_parts(self):
        folder = self.folder_with("i = 1;", "i = 2;")
        path = self.write("parts.npy", np.array([3, -7, 5], "int32"))
        self.check_wrong(folder, "index 0\nvalue 3\n", "1, -7", "argmin", path)
        raw = self.write("x.raw", bytes([3, 0, 1, 1, 5, 0]))
        self.check_wrong(folder, "8 0\n", "9 1", "sum", raw, "--type", "uchar2")

    def test_out_of_bounds(self):
        """With --order any a result is verified by its distance from the exact value."""
        folder = self.folder_with("i = 1;", "i = 2;")
        self.check_wrong(folder, "2\n", "3", "sum", "--generate", "iota:3", "--order", "any")
        self.check_wrong(folder, "1.6666667\n", "1.5", "mean", "--generate", "iota:4", "--order", "any")
        self.check_wrong(folder, "4\n", "5", "dot", "--generate", "iota:3", "--with", "generate:iota:3", "--order",
                         "any")
        self.check_wrong(folder, "2.126928\n", "2.407606", "logsumexp", "--generate", "iota:3")

    def test_ladder_says_which_row_is_wrong(self):
        folder = self.folder_with("i = 1;", "i = 2;")
        run = self.run_well("ladder", "-n", "1000", "--repeat", "1", code=3, environment={"CLREDUCE_CL_DIR": folder})
        self.assertIn("device_serial", run.err)
        self.assertIn("analytic", run.out)

    def check_failure(self, folder, *names):
        run = self.run_with(folder)
        self.assertEqual((run.code, run.out, run.err.count("\n")), (1, "", 1))
        for name in names:
            self.assertIn(name, run.err)

    def test_kernel_that_does_not_build(self):
        self.check_failure(self.folder_with("STATE state", "STATE STATE state"), "CL_BUILD_PROGRAM_FAILURE")

    def test_missing_source(self):
        folder = shutil.copytree(KERNELS, self.path("missing"))
        os.remove(os.path.join(folder, "strategies", "device_serial.cl"))
        self.check_failure(folder, "device_serial.cl")

    def test_missing_folder(self):
        self.check_failure(self.path("nowhere"), "nowhere")
