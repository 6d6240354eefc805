"""Wrong kernels, as a defective compiler may make them: CLREDUCE_CL_DIR names a directory of sources with a planted
mistake. --verify names what is wrong and what the reference gives; results are written nevertheless."""

import os
import shutil

import numpy as np

from cli import KERNELS, Case, Run

# One mistake in each file. The references do not use these files.
MISTAKES = {
    "strategies/device_serial.cl": ("i = 1;", "i = 2;"),  # the second element is skipped
    "scan/scan.clh": ("clred_after(before, state);",
                      "clred_after(before, row == 5 ? clred_scan_lift(in, out.count, first) : state);"),
    "scan/select_run.clh": ("clred_kept_result(in, first + i)", "clred_kept_result(in, first)"),
    "common/several.clh": ("(TAKE_PART(part, a), TAKE_PART(part, b))", "(TAKE_PART(part, a), TAKE_PART(part, a))"),
    "quantile/quantile.cl": ("= index + i;", "= index + (i ^ 1);")}
SERIAL = ("reduce", "--strategy", "device_serial")


class Planted(Case):

    def wrong(self, file):
        """The environment of a run with the mistake in this file."""
        return {"CLREDUCE_CL_DIR": self.changed_kernels(file, *MISTAKES[file])}

    def check_found(self, environment, out, words, *arguments):
        run = self.run_well(*arguments, "--verify", code=3, environment=environment)
        self.assertEqual(run.err.count("\n"), 1)
        for word in words:
            self.assertIn(word, run.err)
        self.assertIn(out, run.out)

    def test_reductions(self):
        """With --order any a result is verified by its distance from the exact value."""
        wrong = self.wrong("strategies/device_serial.cl")
        path = self.write("parts.npy", np.array([3, -7, 5], "int32"))
        raw = self.write("x.raw", bytes([3, 0, 1, 1, 5, 0]))
        self.assertEqual(self.run_well(*SERIAL, "sum", "--generate", "iota:1000", environment=wrong).out, "499499\n")
        for out, reference, *words in (
                ("499499\n", "499500", "sum", "--generate", "iota:1000"),
                ('"verified":false', "499500", "sum", "--generate", "iota:1000", "--json"),
                ("index 0\nvalue 3\n", "1, -7", "argmin", path), ("8 0\n", "9 1", "sum", raw, "--type", "uchar2"),
                ("2\n", "3", "sum", "--generate", "iota:3", "--order", "any"),
                ("1.6666667\n", "1.5", "mean", "--generate", "iota:4", "--order", "any"),
                ("2.126928\n", "2.407606", "logsumexp", "--generate", "iota:3")):
            with self.subTest(words):
                self.check_found(wrong, out, [reference], *SERIAL, *words)
        run = self.run_well("ladder", "-n", "1000", "--repeat", "1", code=3, environment=wrong)
        self.assertIn("device_serial", run.err)
        self.assertIn("analytic", run.out)

    def test_scans(self):
        wrong, out = self.wrong("scan/scan.clh"), self.path("wrong.npy")
        scan = ("scan", "--strategy", "scan_chunked", "--generate", "iota:10", "--output", out)
        self.check_found(wrong, "", ("result 5", "the host's reference gives 5.456"), *scan, "logsumexp")
        self.check_found(wrong, "", ("result 5", "the host's reference gives 15"), *scan, "sum", "--type", "int")
        np.testing.assert_array_equal(np.load(out), [0, 1, 3, 6, 10, 0, 21, 28, 36, 45])

    def test_others(self):
        self.check_found(self.wrong("scan/select_run.clh"), "50\n", ["one work-item gives"], "select", "x > 49",
                         "--generate", "iota:100", "--strategy", "scan_chunked")
        self.check_found(self.wrong("common/several.clh"), "", ["sum,min,mean"], "reduce", "sum,min,mean", "--generate",
                         "normal:2050")
        self.check_found(self.wrong("quantile/quantile.cl"), "", ["top:20 of 30000 elements is wrong"], "reduce",
                         "top:20", "--generate", "iota:30000", "--type", "ushort")

    def test_several_files(self):
        """All files are done, and each wrong one is named."""
        few, one, more = (self.write(name, np.arange(n, dtype="int32") - 1)
                          for name, n in (('a "quote".npy', 5), ("one.npy", 1), ("two\nlines.npy", 6)))
        run = self.run_well("reduce", "sum,argmin", few, one, more, "--each", "--verify", code=3,
                            environment=self.wrong("common/several.clh"))
        self.assertEqual((run.out.count("\n"), run.err.count("\n")), (4, 2))
        self.assertIn('a "quote".npy: ', run.err)
        self.assertIn("two lines.npy: ", run.err)

    def test_what_cannot_be_built(self):
        missing = shutil.copytree(KERNELS, self.path("missing"))
        os.remove(os.path.join(missing, "strategies", "device_serial.cl"))
        for directory, word in ((self.changed_kernels("strategies/device_serial.cl", "STATE state",
                                                      "STATE STATE state"), "CL_BUILD_PROGRAM_FAILURE"),
                                (missing, "device_serial.cl"), (self.path("nowhere"), "nowhere")):
            run = Run([*SERIAL, "sum", "--generate", "iota:1000"], environment={"CLREDUCE_CL_DIR": directory})
            self.assertEqual((run.code, run.out, run.err.count("\n")), (1, "", 1))
            self.assertIn(word, run.err)
        run = Run([*SERIAL, "sum", "--generate", "iota:1000", "--verify"], environment={
            "CLREDUCE_CL_DIR": shutil.copytree(KERNELS, self.path("right"))})
        self.assertEqual((run.code, run.out), (0, "499500\n"))
