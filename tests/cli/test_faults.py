"""Wrong kernels: CLREDUCE_CL_DIR names a directory of sources with a planted mistake."""

import json
import os
import shutil

import numpy as np

from cli import KERNELS, Case, Run

REDUCE = ["reduce", "sum", "--generate", "iota:1000", "--strategy", "device_serial"]


class Planted(Case):

    def directory_with(self, before, after):
        return self.changed_kernels("strategies/device_serial.cl", before, after)

    def run_with(self, directory, *options):
        return Run([*REDUCE, *options], environment={"CLREDUCE_CL_DIR": directory})

    def test_sources_are_read_from_the_directory(self):
        run = self.run_with(shutil.copytree(KERNELS, self.path("right")), "--verify")
        self.assertEqual((run.code, run.out), (0, "499500\n"))

    def test_wrong_result(self):
        """The second element, 1, is skipped."""
        directory = self.directory_with("i = 1;", "i = 2;")
        self.assertEqual(self.run_with(directory).code, 0)
        run = self.run_with(directory, "--verify")
        self.assertEqual((run.code, run.out, run.err.count("\n")), (3, "499499\n", 1))
        self.assertIn("499500", run.err)
        run = self.run_with(directory, "--verify", "--json")
        self.assertEqual(run.code, 3)
        self.assertIs(json.loads(run.out)["verified"], False)

    def check_wrong(self, directory, result, reference, *arguments):
        run = Run(["reduce", *arguments, "--strategy", "device_serial", "--verify"],
                  environment={"CLREDUCE_CL_DIR": directory})
        self.assertEqual((run.code, run.out, run.err.count("\n")), (3, result, 1))
        self.assertIn(reference, run.err)

    def test_wrong_parts(self):
        directory = self.directory_with("i = 1;", "i = 2;")
        path = self.write("parts.npy", np.array([3, -7, 5], "int32"))
        self.check_wrong(directory, "index 0\nvalue 3\n", "1, -7", "argmin", path)
        raw = self.write("x.raw", bytes([3, 0, 1, 1, 5, 0]))
        self.check_wrong(directory, "8 0\n", "9 1", "sum", raw, "--type", "uchar2")

    def test_out_of_bounds(self):
        """With --order any a result is verified by its distance from the exact value."""
        directory = self.directory_with("i = 1;", "i = 2;")
        self.check_wrong(directory, "2\n", "3", "sum", "--generate", "iota:3", "--order", "any")
        self.check_wrong(directory, "1.6666667\n", "1.5", "mean", "--generate", "iota:4", "--order", "any")
        self.check_wrong(directory, "4\n", "5", "dot", "--generate", "iota:3", "--with", "generate:iota:3", "--order",
                         "any")
        self.check_wrong(directory, "2.126928\n", "2.407606", "logsumexp", "--generate", "iota:3")

    def test_ladder_says_which_row_is_wrong(self):
        directory = self.directory_with("i = 1;", "i = 2;")
        run = self.run_well("ladder", "-n", "1000", "--repeat", "1", code=3, environment={"CLREDUCE_CL_DIR": directory})
        self.assertIn("device_serial", run.err)
        self.assertIn("analytic", run.out)

    def check_failure(self, directory, *names):
        run = self.run_with(directory)
        self.assertEqual((run.code, run.out, run.err.count("\n")), (1, "", 1))
        for name in names:
            self.assertIn(name, run.err)

    def test_kernel_that_does_not_build(self):
        self.check_failure(self.directory_with("STATE state", "STATE STATE state"), "CL_BUILD_PROGRAM_FAILURE")

    def test_missing_source(self):
        directory = shutil.copytree(KERNELS, self.path("missing"))
        os.remove(os.path.join(directory, "strategies", "device_serial.cl"))
        self.check_failure(directory, "device_serial.cl")

    def test_missing_directory(self):
        self.check_failure(self.path("nowhere"), "nowhere")
