"""scan: NumPy's accumulations, the ways to scan, what is written and reported, and every strategy. The bits of scans
are compared by the programs scans and layouts."""

import numpy as np

from cli import INTEGERS, SCANS, SCANS_OF_ROWS, TYPES, Case, wide_values

COUNT = 5003
INTS = np.random.default_rng(3).integers(-1000, 1000, COUNT, "int32")
CUBE = INTS[:4 * 25 * 6].reshape(4, 25, 6)
# Every strategy can have groups of one work-item, and PoCL compiles them fastest.
ONE = ("--group-size", "1")


class Scan(Case):

    def scan(self, *arguments):
        return self.array("scan", *arguments)


class Against(Scan):
    """NumPy's accumulations."""

    def test_every_type(self):
        """Each type with another operator. Floats are whole numbers, whose sums are exact."""
        ops = {"char": "max", "uchar": "sum", "short": "min", "ushort": "xor", "int": "sum", "uint": "sum",
               "long": "prod", "ulong": "or", "float": "sum", "double": "sum"}
        accumulate = {"max": np.maximum, "min": np.minimum, "xor": np.bitwise_xor, "or": np.bitwise_or, "sum": np.add,
                      "prod": np.multiply}
        for name, op in ops.items():
            values = INTS.astype(TYPES[name])
            state = values.dtype if name not in INTEGERS else np.dtype("u8" if name.startswith("u") else "i8")
            self.assert_array(self.scan(op, self.write("values.npy", values), "--verify"),
                              accumulate[op].accumulate(values.astype(state)), name)

    def test_each_way(self):
        """Inclusive and exclusive, forwards and reversed, with and without an initial state, of all and of rows."""
        for values, axis in ((INTS, 0), (CUBE, 1)):
            path, more = self.write("ints.npy", values), (("--axis", axis) if axis else ())
            for reverse in ([], ["--reverse"]):
                turned = (np.flip(values, axis) if reverse else values).astype("int64")
                sums = turned.cumsum(axis)
                for kind, totals in (("--inclusive", sums), ("--exclusive", sums - turned)):
                    for initial in (0, -17):
                        how = [kind, *reverse, *(["--initial", initial] if initial else [])]
                        expected = np.flip(totals + initial, axis) if reverse else totals + initial
                        self.assert_array(self.scan("sum", path, *how, *more, "--verify"), expected, how)

    def test_shapes(self):
        for shape in ((6,), (1, 9), (9, 1), (3, 1, 4), (0,), (3, 0, 2), (0, 4), (), (1,), (2,) * 12):
            values = np.arange(np.prod(shape, dtype=int), dtype="int32").reshape(shape)
            path = self.write("shape.npy", values)
            self.assert_array(self.scan("sum", path, "--verify"), values.cumsum(dtype="int64").reshape(shape), shape)
            for axis in {0, len(shape) - 1} if shape else ():
                self.assert_array(self.scan("sum", path, "--axis", axis), values.cumsum(axis, "int64"), (shape, axis))

    def test_every_axis_and_order_of_memory(self):
        for values in (CUBE, np.asfortranarray(CUBE), CUBE.astype(">i4")):
            path = self.write("cube.npy", values)
            self.assert_array(self.scan("sum", path), CUBE.cumsum(dtype="int64").reshape(CUBE.shape))
            for axis in range(-3, 3):
                self.assert_array(self.scan("sum", path, "--axis", axis), CUBE.cumsum(axis, "int64"), axis)

    def test_verified_otherwise(self):
        """An operator of the caller is verified by one work-item, row by row; logsumexp by its bounds."""
        operator = ("--combine", "max(a, b)", "--identity", "INT_MIN", "--state", "int")
        result = self.scan(*operator, self.write("cube.npy", CUBE), "--axis", "1", "--verify")
        self.assert_array(result, np.maximum.accumulate(CUBE, 1))
        floats = self.write("floats.npy", np.arange(60, dtype="float32").reshape(20, 3) / 8)
        expected = np.logaddexp.accumulate(np.load(floats).astype("float64"), 0)
        np.testing.assert_allclose(self.scan("logsumexp", floats, "--axis", "0", "--verify"), expected, rtol=1e-5)

    def test_an_operator_of_the_caller(self):
        path = self.write("ints.npy", INTS)
        operator = ("--combine", "max(a, b)", "--identity", "0", "--lift", "abs(x)", "--state", "uint")
        result = self.scan(*operator, path, "--initial", "5")
        self.assert_array(result, np.maximum.accumulate(np.maximum(np.abs(INTS), 5)).astype("uint32"))
        self.assert_refused("scan", *operator, path, "--verify", "--order", "any", "--output", self.path("own.npy"),
                            naming=("--verify", "fixed/1"))


class Strategies(Scan):

    def test_each_is_right(self):
        """Each strategy gives the bits of its tree; the three of fixed/1 give the same bits."""
        values, fixed = wide_values(1100, "float32", seed=5), []
        for strategy in SCANS:
            out = self.path(f"{strategy}.npy")
            size = () if strategy == "scan_host_serial" else ONE
            answer = self.expect("scan", "sum", self.write("floats.npy", values), "--output", out, "--strategy",
                                 strategy, *size, "--verify", "--initial", "0.1", strategy=strategy, verified=True,
                                 finish=None)
            np.testing.assert_allclose(np.load(out), values.astype("float64").cumsum() + 0.1, rtol=1e-3, atol=10)
            if answer["order"] == "fixed/1":
                fixed.append(np.load(out).tobytes())
        self.assertEqual((len(fixed), len(set(fixed))), (3, 1))


class Json(Scan):

    def test_fields(self):
        out = self.path("json.npy")
        answer = self.expect("scan", "sum", self.write("ints.npy", INTS), "--output", out, "--repeat", "3", result=None,
                             output=out, shape=[COUNT], count=COUNT, scan="inclusive", reversed=False, verified=None,
                             op="sum", type="int", result_type="long")
        moved = COUNT * (4 + 8)
        self.assertAlmostEqual(answer["gigabytes_per_second"] * answer["kernel_seconds"] * 1e9 / moved, 1, delta=1e-6)
        self.assertEqual(np.load(out)[-1], INTS.sum())
        self.expect("scan", "sum", self.write("cube.npy", CUBE), "--axis", "1", "--exclusive", "--reverse", "--verify",
                    "--output", out, shape=[4, 25, 6], count=600, scan="exclusive", reversed=True, verified=True)
        self.expect("scan", "sum", "--generate", "ones:0", "--output", out, "--verify", shape=[0], kernel_seconds=None,
                    verified=True)

    def test_explain(self):
        run = self.run_well("scan", "sum", "--generate", "ones:9", "--explain", "--output", self.path("json.npy"))
        self.assertEqual((run.out, "strategy scan_" in run.err), ("", True))


class PlanAndLadder(Case):

    def test_plan(self):
        answer = self.expect("plan", "sum", "--generate", "ones:1000", "--type", "int", "--scan", "--exclusive",
                             "--reverse", scan="exclusive", reversed=True, results=1000)
        self.assertIn(answer["strategy"], SCANS)
        self.assertEqual({row["name"] for row in answer["strategies"] if row["applies"]}, set(SCANS))
        self.assertEqual({row["name"] for row in self.json("list", "strategies") if row["scans"]},
                         set(SCANS + SCANS_OF_ROWS))

    def test_ladder(self):
        answer = self.json("ladder", "--scan", "--generate", "iota:3000", "--repeat", "1", *ONE)
        names = [row["name"] for row in answer["rows"]]
        self.assertEqual((names[0], set(names)), (SCANS[0], set(SCANS)))
        self.assertEqual((answer["scan"], answer["analytic"]), ("inclusive", 4498500))
        for row in answer["rows"]:
            self.assertEqual((row["result"], row["error"], row["correct"]), (4498500, 0, True), row["name"])

    def test_ladder_in_text(self):
        lines = self.run_well("ladder", "--scan", "-n", "3000", "--repeat", "1", *ONE).out.splitlines()
        self.assertIn("inclusive scan by sum of 3000", lines[0])
        words = [line.split()[0] for line in lines if line]
        self.assertEqual(words[words.index("strategy") + 1:], list(SCANS) + ["analytic"])
