"""select: the elements that NumPy's masks keep, how many those are, and what is refused."""

import os
import shutil
import unittest

import numpy as np

from cli import Case, Run, wide_values

KERNELS = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..", "cl")

FLOATS = wide_values(3001, "float32", seed=2)
INTS = np.random.default_rng(4).integers(-1000, 1000, 3001, "int32")


class Select(Case):

    def select(self, *arguments):
        """The array that is written; nothing is printed."""
        out = self.path("out.npy")
        run = self.run_well("select", *arguments, "--output", out)
        self.assertEqual((run.out, run.err), ("", ""), str(run))
        return np.load(out)

    def assert_array(self, result, expected, message=""):
        self.assertEqual((result.shape, result.dtype), (expected.shape, expected.dtype), message)
        self.assertEqual(result.tobytes(), expected.tobytes(), message)

    def test_kept_elements(self):
        """One array, whatever the input's shape, of the input's type."""
        floats = self.write("floats.npy", FLOATS.reshape(3001, 1))
        ints = self.write("ints.npy", INTS)
        self.assert_array(self.select("x > 1", floats, "--verify"), FLOATS[FLOATS > 1])
        self.assert_array(self.select("x > 1", floats, "--indices"), np.flatnonzero(FLOATS > 1).astype("uint64"))
        self.assert_array(self.select("x < 0", ints), INTS[INTS < 0])
        self.assert_array(self.select("x < 0", self.write("none.npy", INTS[:0])), INTS[:0])

    def test_parameters_and_inputs(self):
        ints, mask = self.write("ints.npy", INTS), self.write("mask.npy", (INTS % 3 == 0).astype("uint8"))
        self.assert_array(self.select("marked && x >= least", ints, "--parameter", "int:least=17", "--param",
                                      "least=170",
                                      "--input", "uchar:marked", "--with", mask),
                          INTS[(INTS % 3 == 0) & (INTS >= 170)])

    def test_number(self):
        """Alone on standard output without --output; with --json in any case."""
        ints = self.write("ints.npy", INTS)
        expected = int((INTS < 0).sum())
        self.assertEqual(self.result("select", "x < 0", ints), str(expected))
        report = self.json("select", "x < 0", ints, "--output", self.path("out.npy"), "--repeat", "3")
        self.assertEqual((report["result"], report["count"], report["shape"], report["verified"], report["op"]),
                         (expected, len(INTS), [expected], None, "x < 0"))
        self.assertEqual((report["type"], report["result_type"], report["strategy"][:5]), ("int", "int", "scan_"))
        report = self.json("select", "x > 1", self.write("floats.npy", FLOATS), "--indices")
        self.assertEqual((report["result"], report["result_type"]), (int((FLOATS > 1).sum()), "ulong"))

    def test_wrong_selection(self):
        """--verify finds it: kernels that keep something else, by which the one work-item does not go."""
        folder = self.path("cl")
        shutil.copytree(KERNELS, folder)
        with open(os.path.join(folder, "scan", "select_run.clh"), "r+", encoding="utf-8") as file:
            text = file.read().replace("out.results[at] = results[row];", "out.results[at] = results[0];")
            file.seek(0)
            file.truncate()
            file.write(text)
        run = Run(("select", "x > 1", self.write("floats.npy", FLOATS), "--verify", "--strategy", "scan_chunked"),
                  environment={"CLREDUCE_CL_DIR": folder})
        self.assertEqual(run.code, 3, str(run))
        self.assertIn("one work-item gives", run.err)
        self.assertEqual(run.out, f"{int((FLOATS > 1).sum())}\n")

    def test_refused(self):
        ints = self.write("ints.npy", INTS)
        self.assert_refused("select", naming=("select", "predicate"))
        self.assert_refused("select", "x > 0", naming=("select", "INPUT"))
        self.assert_refused("select", "x > other", ints, naming=("keep, line 1, column", "other"))
        self.assert_refused("select", "(x > 0", ints, naming="keep, line 1")
        self.assert_refused("select", "x > 0", ints, "--strategy", "scan_blelloch",
                            naming="scan_blelloch cannot run selections")
        self.assert_refused("select", "x > 0", ints, "--strategy", "scan_host_serial", naming="host callbacks")
        self.assert_refused("select", "x > 0", ints, "--axis", "0", naming="select does not take --axis")
        self.assert_refused("select", "x > 0", ints, "--exclusive", naming="select does not take --exclusive")
        self.assert_refused("reduce", "sum", ints, "--indices", naming="reduce does not take --indices")
        self.assert_refused("select", "marked", ints, "--input", "uchar:marked", naming="needs 1 further input")


if __name__ == "__main__":
    unittest.main()
