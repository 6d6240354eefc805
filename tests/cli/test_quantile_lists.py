"""Lists of operators with median or quantiles among them: every part is what its operator alone gives."""

import numpy as np

from cli import Case

LIST = "sum,median,argmax,quantile:0.05,0.95,mean"


class Lists(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = np.random.default_rng(3).normal(0, 40, (7, 50, 60)).astype("float32")
        cls.file = cls.write("data.npy", cls.data)

    def alone(self, *rest):
        """The answers of the operators of LIST, each in a run of its own."""
        found = {op: self.json("reduce", op, *rest)["result"] for op in ("sum", "median", "argmax", "mean")}
        found.update({f"quantile:{at}": self.json("reduce", f"quantile:{at}", *rest)["result"] for at in (0.05, 0.95)})
        return found

    def check_rows(self, *rest):
        """Each row of the list has what the operators alone have in this row."""
        alone = self.alone(*rest)
        answer = self.json("reduce", LIST, *rest, "--verify")
        self.assertEqual(answer["result"], [{op: alone[op][row] for op in answer["result"][0]}
                                            for row in range(len(answer["result"]))])
        self.assertEqual((len(answer["result"]), answer["verified"]), (len(alone["sum"]), True))

    def test_one_result(self):
        alone = self.alone(self.file)
        answer = self.expect("reduce", LIST, self.file, "--verify", result=alone, verified=True, op=LIST)
        self.assertEqual(list(answer["result"]), ["sum", "median", "argmax", "quantile:0.05", "quantile:0.95", "mean"])
        run = self.run_well("reduce", "max,median", self.write("few.npy", np.array([3, 1, 8])))
        self.assertEqual(run.out, "max    8\nmedian 3\n")

    def test_only_quantiles(self):
        low, high = (self.json("reduce", op, self.file)["result"] for op in ("median", "quantile:0.9"))
        self.expect("reduce", "quantile:0.9,median", self.file, "--verify",
                    result={"quantile:0.9": high, "median": low}, verified=True)
        found = self.array("reduce", "median,quantile:0.9", self.file)
        self.assert_array(found, np.array((low, high), [("median", "<f8"), ("quantile:0.9", "<f8")]))
        rows = self.write("rows.npy", np.arange(6).reshape(2, 3))
        self.assertEqual(self.run_well("reduce", "median,quantile:.25", rows, "--axis", 1).out, "1 0.5\n4 3.5\n")

    def test_rows(self):
        for axis in ("0", "2", "0,2"):
            self.check_rows(self.file, "--axis", axis)
        keys = self.write("keys.npy", np.random.default_rng(4).integers(0, 5, self.data.size))
        self.check_rows(self.file, "--group", keys)
        found = self.array("reduce", "median,std", self.file, "--axis", "1")
        self.assertEqual((found.dtype, found.shape), (np.dtype([("median", "<f8"), ("std", "<f4")]), (7, 60)))
        np.testing.assert_array_equal(found["median"], np.median(self.data.astype(float), 1))

    def test_text(self):
        text = self.write("t.csv", "city,x\nOslo,2\nRome,8\nOslo,NA\nRome,9\nOslo,4\n")
        rest = (text, "--column", "x", "--missing", "skip")
        self.assertEqual(self.run_well("reduce", "count,median", *rest).out, "count  4\nmedian 6\n")
        self.assertEqual(self.run_well("reduce", "count,median,max", *rest, "--group", "city").out,
                         "Oslo 2 3 4\nRome 2 8.5 9\n")
        self.assertEqual(self.run_well("reduce", "median,sum", text, text, "--each", *rest[1:]).out,
                         2 * f"{text} 6 23\n")
        self.assertEqual(self.run_well("reduce", "count,median", "-", stdin=b"1\n2\n7\n").out, "count  3\nmedian 2\n")

    def test_larger_than_a_buffer(self):
        """What no buffer holds is mapped, or held in the memory of the host."""
        expected = self.alone(self.file)
        small = ("--assume", "max_alloc=9000")
        for rest in ((self.file,), (self.file, "--verify"), (self.file, self.write("none.npy", self.data[:0]))):
            self.expect("reduce", LIST, *rest, *small, result=expected)
        self.assert_refused("reduce", LIST, "-", "--type", "float", *small, stdin=self.data.tobytes(),
                            naming="median reads the elements several times")
