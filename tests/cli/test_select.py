"""select: the elements that NumPy's masks keep, and their number."""

import numpy as np

from cli import Case, wide_values

FLOATS = wide_values(3001, "float32", seed=2)
INTS = np.random.default_rng(4).integers(-1000, 1000, 3001, "int32")


class Select(Case):

    def select(self, *arguments):
        return self.array("select", *arguments)

    def test_kept_elements(self):
        """The output has one dimension and the type of the input, for inputs of any shape."""
        floats = self.write("floats.npy", FLOATS.reshape(3001, 1))
        ints = self.write("ints.npy", INTS)
        self.assert_array(self.select("x > 1", floats, "--verify"), FLOATS[FLOATS > 1])
        self.assert_array(self.select("x > 1", floats, "--indices"), np.flatnonzero(FLOATS > 1).astype("uint64"))
        self.assert_array(self.select("x < 0", ints), INTS[INTS < 0])

    def test_parameters_and_inputs(self):
        ints, mask = self.write("ints.npy", INTS), self.write("mask.npy", (INTS % 3 == 0).astype("uint8"))
        self.assert_array(self.select("marked && x >= least", ints, "--parameter", "int:least=17", "--param",
                                      "least=170", "--input", "uchar:marked", "--with", mask),
                          INTS[(INTS % 3 == 0) & (INTS >= 170)])

    def test_number(self):
        """Without --output the number of elements is the only output. With --json it is always in the answer."""
        ints = self.write("ints.npy", INTS)
        expected = int((INTS < 0).sum())
        self.assertEqual(self.result("select", "x < 0", ints), str(expected))
        report = self.expect("select", "x < 0", ints, "--output", self.path("out.npy"), "--repeat", "3",
                             result=expected, count=len(INTS), shape=[expected], verified=None, op="x < 0")
        self.assertEqual((report["type"], report["result_type"], report["strategy"][:5]), ("int", "int", "scan_"))
        report = self.json("select", "x > 1", self.write("floats.npy", FLOATS), "--indices")
        self.assertEqual((report["result"], report["result_type"]), (int((FLOATS > 1).sum()), "ulong"))
