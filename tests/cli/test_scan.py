"""scan: NumPy's arrays, the bits of docs/order.md, and every strategy."""

import os
import subprocess
from pathlib import Path

import numpy as np

from cli import INTEGERS, SCANS, SCANS_OF_ROWS, TOOL, TYPES, Case, adjacent_pairs, wide_values

COUNT = 5003
INTS = np.random.default_rng(3).integers(-1000, 1000, COUNT, "int32")
FLOATS = wide_values(1100, "float32", seed=5)
ROWS = 16
# Every strategy can have groups of one work-item, and PoCL compiles them fastest.
ONE = ("--group-size", "1")


def state_of(dtype):
    """The type that sums of these elements have."""
    return {"i": "int64", "u": "uint64"}.get(np.dtype(dtype).kind, dtype)


def folded(values, combine):
    """Left to right."""
    total = values[0]
    for value in values[1:]:
        total = combine(total, value)
    return total


def prefix(values, combine=np.add, initial=None):
    """P(n) of docs/order.md over n > 0 values, after an initial value if there is one."""
    lanes, rest = divmod(len(values), ROWS)
    parts = [] if initial is None else [initial]
    begin = 0
    for level in reversed(range(lanes.bit_length())):
        if lanes >> level & 1:
            end = begin + (ROWS << level)
            parts.append(adjacent_pairs(np.array([folded(values[i:i + ROWS], combine)
                                                  for i in range(begin, end, ROWS)]),
                                        combine))
            begin = end
    if rest:
        parts.append(folded(values[begin:], combine))
    return folded(parts, combine)


class Scan(Case):

    def scan(self, *arguments):
        return self.array("scan", *arguments)


class Against(Scan):
    """NumPy's accumulations."""

    def test_every_type(self):
        """Each type with another operator."""
        ops = {"char": "max", "uchar": "sum", "short": "min", "ushort": "xor", "int": "sum", "uint": "sum",
               "long": "prod", "ulong": "or", "float": "sum", "double": "sum"}
        accumulate = {"max": np.maximum, "min": np.minimum, "xor": np.bitwise_xor, "or": np.bitwise_or, "sum": np.add,
                      "prod": np.multiply}
        for name, op in ops.items():
            values = INTS.astype(TYPES[name]) if name in INTEGERS else wide_values(400, TYPES[name])
            result = self.scan(op, self.write("values.npy", values), "--verify")
            if name in INTEGERS:
                self.assert_array(result, accumulate[op].accumulate(values.astype(state_of(values.dtype))), name)
            else:
                expected = [prefix(values[:i + 1]) for i in range(len(values))]
                self.assert_array(result, np.array(expected, values.dtype), name)

    def test_several_parts(self):
        result = self.scan("argmin", self.write("ints.npy", INTS), "--verify")
        least = np.minimum.accumulate(INTS)
        self.assertEqual(result.dtype, np.dtype([("index", "u8"), ("value", "i8")]))
        np.testing.assert_array_equal(result["value"], least)
        np.testing.assert_array_equal(result["index"], [np.argmax(INTS == value) for value in least])

    def test_each_way(self):
        """Inclusive and exclusive, forwards and reversed, with and without an initial state."""
        path = self.write("ints.npy", INTS)
        for reverse in ([], ["--reverse"]):
            values = (INTS[::-1] if reverse else INTS).astype("int64")
            for kind, totals in (("--inclusive", values.cumsum()), ("--exclusive", values.cumsum() - values)):
                for initial in (0, -17):
                    how = [kind] + reverse + (["--initial", initial] if initial else [])
                    expected = totals + initial
                    self.assert_array(self.scan("sum", path, *how, "--verify"), expected[::-1] if reverse else expected)

    def test_nan(self):
        values = np.array([1, 2, np.nan, 4], "float32")
        path = self.write("nan.npy", values)
        self.assert_array(self.scan("sum", path), values.cumsum(dtype="float32"))
        self.assert_array(self.scan("sum", path, "--nan", "ignore", "--verify"), np.nancumsum(values, dtype="float32"))


class Shapes(Scan):
    """One operator over ints, so that one program serves all shapes."""

    def sums(self, values, *more):
        return self.scan("sum", self.write("shape.npy", values), *more)

    def test_shapes(self):
        for shape in ((6,), (1, 9), (9, 1), (3, 1, 4), (0,), (3, 0, 2), (), (1,), (2,) * 12):
            values = np.arange(np.prod(shape, dtype=int), dtype="int32").reshape(shape)
            self.assert_array(self.sums(values, "--verify"), values.cumsum(dtype="int64").reshape(shape), str(shape))

    def test_orders_of_memory(self):
        values = INTS[:120].reshape(4, 5, 6)
        expected = values.cumsum(dtype="int64").reshape(values.shape)
        self.assert_array(self.sums(np.asfortranarray(values)), expected)
        self.assert_array(self.sums(values.astype(">i4")), expected)

    def test_other_inputs(self):
        raw = self.write("ints.raw", b"\0" * 3 + INTS.tobytes())
        expected = INTS.cumsum(dtype="int64")
        self.assert_array(self.scan("sum", raw, "--type", "int", "--skip-bytes", "3"), expected)
        self.assert_array(self.scan("sum", "--generate", "iota:1000", "--type", "int"), np.arange(1000).cumsum())

    def test_stride(self):
        self.assert_array(self.sums(INTS, "--stride", "7", "--verify"), INTS[::7].cumsum(dtype="int64"))

    def test_vectors(self):
        values = np.arange(20, dtype="int32")
        raw = self.write("vectors.raw", values.tobytes())
        self.assert_array(self.scan("sum", raw, "--type", "int4", "--initial", "1,2,3,4", "--verify"),
                          values.reshape(5, 4).cumsum(axis=0, dtype="int64") + [1, 2, 3, 4])

    def test_standard_output(self):
        path, out = self.write("ints.npy", INTS), self.path("file.npy")
        self.run_well("scan", "sum", path, "--output", out)
        process = subprocess.run([TOOL, "scan", "sum", path, "--output", "-"], capture_output=True, cwd=self.directory,
                                 check=True)
        self.assertEqual((process.stdout, process.stderr), (Path(out).read_bytes(), b""))
        self.assertFalse(os.path.exists(self.path("-")))

    def test_one_file_for_both(self):
        path = self.write("both.npy", INTS)
        self.run_well("scan", "sum", path, "--output", path)
        self.assert_array(np.load(path), INTS.cumsum(dtype="int64"))


class Axes(Scan):
    """Each row along an axis is scanned by itself."""

    CUBE = INTS[:4 * 25 * 6].reshape(4, 25, 6)

    def test_every_axis(self):
        path = self.write("cube.npy", self.CUBE)
        for axis in range(-3, 3):
            self.assert_array(self.scan("sum", path, "--axis", axis, "--verify"), self.CUBE.cumsum(axis, "int64"),
                              str(axis))

    def test_other_accumulations(self):
        path = self.write("cube.npy", self.CUBE)
        values = self.CUBE.astype("int64")
        self.assert_array(self.scan("max", path, "--axis", "1", "--verify"), np.maximum.accumulate(values, 1))
        self.assert_array(self.scan("prod", path, "--axis", "2", "--verify"), values.cumprod(2))

    def test_each_way(self):
        """Exclusive, reversed, with an initial state."""
        path = self.write("cube.npy", self.CUBE)
        values = np.flip(self.CUBE, 1).astype("int64")
        expected = np.flip(values.cumsum(1) - values + 7, 1)
        self.assert_array(self.scan("sum", path, "--axis", "1", "--exclusive", "--reverse", "--initial", "7",
                                    "--verify"), expected)

    def test_bits(self):
        """Each row of floats in the order of docs/order.md."""
        values = wide_values(900, "float32", seed=6).reshape(300, 3)
        expected = np.array([[prefix(column[:i + 1]) for i in range(300)] for column in values.T], "float32")
        self.assert_array(self.scan("sum", self.write("down.npy", values), "--axis", "0", "--verify"), expected.T)
        self.assert_array(self.scan("sum", self.write("along.npy", values.T), "--axis", "1", "--verify"), expected)

    def test_shapes(self):
        for shape in ((1, 9), (9, 1), (3, 0, 2), (0, 4), (5,), (2, 1, 3, 1)):
            values = np.arange(np.prod(shape, dtype=int), dtype="int32").reshape(shape)
            for axis in {0, len(shape) - 1}:
                self.assert_array(self.scan("sum", self.write("shape.npy", values), "--axis", axis, "--verify"),
                                  values.cumsum(axis, "int64"), f"{shape} along {axis}")

    def test_json(self):
        self.expect("scan", "sum", self.write("cube.npy", self.CUBE), "--axis", "1", "--verify", "--output",
                    self.path("json.npy"), shape=[4, 25, 6], count=600, scan="inclusive", verified=True, result=None)

    def test_verified_otherwise(self):
        """An operator of the caller is verified by one work-item, row by row; logsumexp by its bounds."""
        path = self.write("cube.npy", self.CUBE)
        operator = ("--combine", "max(a, b)", "--identity", "INT_MIN", "--state", "int")
        self.assert_array(self.scan(*operator, path, "--axis", "1", "--verify"), np.maximum.accumulate(self.CUBE, 1))
        floats = self.write("floats.npy", np.arange(60, dtype="float32").reshape(20, 3) / 8)
        expected = np.logaddexp.accumulate(np.load(floats).astype("float64"), 0)
        np.testing.assert_allclose(self.scan("logsumexp", floats, "--axis", "0", "--verify"), expected, rtol=1e-5)


class Strategies(Scan):

    def test_each_is_right(self):
        """Each strategy gives the bits of its tree; the three of fixed/1 give the same bits."""
        path, fixed = self.write("floats.npy", FLOATS), []
        for strategy in SCANS:
            out = self.path(f"{strategy}.npy")
            size = () if strategy == "scan_host_serial" else ONE
            answer = self.expect("scan", "sum", path, "--output", out, "--strategy", strategy, *size, "--verify",
                                 "--initial", "0.1", strategy=strategy, verified=True, finish=None)
            np.testing.assert_allclose(np.load(out), FLOATS.astype("float64").cumsum() + 0.1, rtol=1e-3, atol=10)
            if answer["order"] == "fixed/1":
                fixed.append(np.load(out))
        expected = [prefix(FLOATS[:i + 1], initial=np.float32(0.1)) for i in range(len(FLOATS))]
        self.assertEqual(len(fixed), 3)
        for result in fixed:
            self.assert_array(result, np.array(expected, "float32"))


class Own(Scan):

    def test_a_file(self):
        """Affine maps such as x -> 0.5 x + 1. Their composition does not commute."""
        operator = self.write("affine.op", b"name: affine\nelement: float2\nstate: float2\nidentity: (float2)(1, 0)\n"
                                           b"combine: (float2)(a.x * b.x, a.y * b.x + b.y)\n")
        maps = np.random.default_rng(8).integers(1, 3, (300, 2)).astype("float32") / 2
        result = self.scan("--operator", operator, self.write("maps.raw", maps.tobytes()), "--verify")
        expected, state = [], np.array([1, 0], "float64")
        for scale, shift in maps.astype("float64"):
            state = np.array([state[0] * scale, state[1] * scale + shift])
            expected.append(state)
        np.testing.assert_allclose(result, expected, rtol=1e-5)

    def test_one_line(self):
        path = self.write("ints.npy", INTS)
        operator = ("--combine", "max(a, b)", "--identity", "0", "--lift", "abs(x)", "--state", "uint")
        result = self.scan(*operator, path, "--initial", "5")
        self.assert_array(result, np.maximum.accumulate(np.maximum(np.abs(INTS), 5)).astype("uint32"))
        self.assert_refused("scan", *operator, path, "--verify", "--order", "any", "--output", self.path("own.npy"),
                            naming=("--verify", "fixed/1"))


class Json(Scan):

    def test_fields(self):
        out = self.path("json.npy")
        answer = self.expect("scan", "sum", self.write("ints.npy", INTS), "--output", out, "--repeat", "3", result=None,
                             output=out, shape=[COUNT], count=COUNT, scan="inclusive", reversed=False, verified=None,
                             op="sum", type="int", result_type="long")
        moved = COUNT * (4 + 8)
        self.assertAlmostEqual(answer["gigabytes_per_second"] * answer["kernel_seconds"] * 1e9 / moved, 1, delta=1e-6)
        self.assertEqual(np.load(out)[-1], INTS.sum())

    def test_the_other_kind_and_none(self):
        made = ("scan", "sum", "--type", "int", "--output", self.path("json.npy"), "--generate")
        self.expect(*made, "ones:9", "--exclusive", "--reverse", scan="exclusive", reversed=True)
        self.expect(*made, "ones:0", "--verify", shape=[0], kernel_seconds=None, verified=True)

    def test_explain(self):
        run = self.run_well("scan", "sum", "--generate", "ones:9", "--type", "int", "--explain", "--output",
                            self.path("json.npy"))
        self.assertIn("strategy scan_", run.err)
        self.assertEqual(run.out, "")


class PlanAndLadder(Case):

    def test_plan(self):
        answer = self.expect("plan", "sum", "--generate", "ones:1000", "--type", "int", "--scan", "--exclusive",
                             "--reverse", scan="exclusive", reversed=True, results=1000)
        self.assertIn(answer["strategy"], SCANS)
        self.assertEqual({row["name"] for row in answer["strategies"] if row["applies"]}, set(SCANS))

    def test_ladder(self):
        answer = self.json("ladder", "--scan", "--generate", "iota:3000", "--repeat", "1", *ONE)
        names = [row["name"] for row in answer["rows"]]
        self.assertEqual((names[0], set(names)), (SCANS[0], set(SCANS)))
        self.assertEqual((answer["scan"], answer["analytic"]), ("inclusive", 4498500))
        for row in answer["rows"]:
            self.assertEqual((row["result"], row["error"], row["correct"]), (4498500, 0, True), row["name"])
        self.assert_refused("ladder", "--scan", "-n", "0", naming="ladder")

    def test_ladder_in_text(self):
        lines = self.run_well("ladder", "--scan", "-n", "3000", "--repeat", "1", *ONE).out.splitlines()
        self.assertIn("inclusive scan by sum of 3000", lines[0])
        words = [line.split()[0] for line in lines if line]
        self.assertEqual(words[words.index("strategy") + 1:], list(SCANS) + ["analytic"])

    def test_list(self):
        self.assertEqual({row["name"] for row in self.json("list", "strategies") if row["scans"]},
                         set(SCANS + SCANS_OF_ROWS))


class Planted(Case):
    """A kernel with a mistake in the sixth result: --verify names the result, and the file is written."""

    def check(self, reference, *arguments):
        out = self.path("wrong.npy")
        change = ("scan/scan.clh", "clred_after(before, state);",
                  "clred_after(before, row == 5 ? clred_scan_lift(in, out.count, first) : state);")
        run = self.run_changed(change, "scan", *arguments, "--strategy", "scan_chunked", "--verify", "--output", out)
        self.assertEqual((run.out, run.err.count("\n")), ("", 1))
        for words in ("result 5", reference):
            self.assertIn(words, run.err)
        return np.load(out)

    def test_bits(self):
        result = self.check("the host's reference gives 15", "sum", "--generate", "iota:10", "--type", "int")
        np.testing.assert_array_equal(result, [0, 1, 3, 6, 10, 0, 21, 28, 36, 45])

    def test_bounds(self):
        self.check("the host's reference gives 5.456", "logsumexp", "--generate", "iota:10")
class Refused(Scan):
    """One line, exit code 2, and no file."""

    def refuse(self, *arguments, naming, code=2):
        out = self.path("refused.npy")
        self.assert_refused("scan", *arguments, "--output", out, naming=naming, code=code)
        self.assertFalse(os.path.exists(out))

    def test_verify_of_bounds(self):
        self.scan("logsumexp", "--generate", "normal:500", "--verify")

    def test_overflow(self):
        path = self.write("large.npy", np.array([2**63 - 1, 1, -1]))
        self.refuse("sum", path, "--overflow", "detect", naming="--overflow", code=1)
        self.assert_array(self.scan("sum", self.write("small.npy", INTS.astype("int64")), "--overflow", "detect",
                                    "--verify"),
                          INTS.cumsum(dtype="int64"))

    def test_narrow_results(self):
        path = self.write("offsets.npy", INTS * 100003)
        sums = (INTS * np.int64(100003)).cumsum()
        self.assert_array(self.scan("sum", path, "--result-type", "own", "--verify"), sums.astype("int32"))
        small = self.write("small.npy", INTS.astype("uint8"))
        for more in ((), ("--chunk", 512)):
            self.assert_array(self.scan("sum", small, "--result-type", "32", "--exclusive", *more),
                              np.append(0, INTS.astype("uint8").cumsum(dtype="uint32")[:-1]).astype("uint32"))
        self.refuse("sum", path, "--result-type", "16", naming=("--result-type", "own, 32 or 64"))
        self.refuse("argmin", path, "--result-type", "own", naming=("width", "argmin"))
        self.refuse("--combine", "a + b", "--identity", "0", path, "--result-type", "32",
                    naming="--combine and --result-type exclude each other")
