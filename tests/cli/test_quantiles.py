"""reduce median, quantile:Q, top:K and bottom:K against NumPy, also by group; and lists of operators with quantiles
among them, where every part is what its operator alone gives."""

from fractions import Fraction

import numpy as np

from cli import Case

DTYPES = ("uint16", "int64", "float16", "float64")


def places_of(data, count, descending):
    """The first places of the largest or smallest numbers, equal ones in order."""
    wide = data.astype("float64")
    return np.argsort(-wide if descending else wide, kind="stable")[:count].tolist()


def linear(data, q):
    """The double nearest to the exact quantile. NumPy rounds more than once."""
    data, position = np.sort(data), q * (len(data) - 1)
    low, high = (Fraction(data[min(int(position) + i, len(data) - 1)].item()) for i in (0, 1))
    return float(low + (high - low) * Fraction(position % 1))


class Quantiles(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        random = np.random.default_rng(1)
        cls.data = {dtype: random.normal(0, 40, 30000).astype(dtype) for dtype in DTYPES}
        cls.paths = {dtype: cls.write(f"{dtype}.npy", data) for dtype, data in cls.data.items()}

    def test_quantiles_as_numpy_has_them(self):
        for dtype, data in self.data.items():
            expected = [linear(data, q) for q in (0.75, 0.001, 1)]
            np.testing.assert_allclose(expected, np.quantile(data.astype("float64"), [0.75, 0.001, 1]), 1e-15)
            answer = self.json("reduce", "quantile:0.75,0.001,1", self.paths[dtype], "--verify")
            self.assertEqual(answer["result"], expected)
            self.assertEqual(answer["quantiles"], [0.75, 0.001, 1])
            self.assertEqual((answer["verified"], answer["result_type"]), (True, "double"))

    def test_neighbours_of_any_bits(self):
        """--verify computes the exact value in another way than the library."""
        bits = np.random.default_rng(3).integers(0, 2**64, (300, 2), dtype="uint64")
        bits[::2, 1] = bits[::2, 0] + np.random.default_rng(4).integers(1, 9, 150, dtype="uint64")
        for dtype in ("int64", "uint64", "float64", "float32"):
            data = bits.view(dtype).reshape(300, -1)
            at = (0.25, 1 / 3, 0.5, 1 - 2**-53, 5e-324)
            name = "quantile:" + ",".join(map(repr, at))
            answer = self.json("reduce", name, self.write("any.npy", data), "--axis", 1, "--verify")
            self.assertTrue(answer["verified"])
            expected = [[linear(row, q) for q in at] for row in data[:20] if np.isfinite(row).all()]
            got = [list(found.values()) for found, row in zip(answer["result"], data[:20]) if np.isfinite(row).all()]
            self.assertEqual(got, expected)

    def test_rules(self):
        data = self.data["float64"][:1001]
        path = self.write("rules.npy", data)
        for rule in ("lower", "higher", "nearest"):
            expected = np.quantile(data, 0.3337, method=rule)
            answer = self.json("reduce", "quantile:0.3337", path, "--interpolation", rule, "--verify")
            self.assertEqual((answer["result"], answer["result_type"]), (expected, "double"))

    def test_top_and_bottom(self):
        for dtype, name in (("uint16", "top"), ("int64", "top"), ("int64", "bottom"), ("float16", "bottom")):
            data = self.data[dtype]
            places = places_of(data, 20, name == "top")
            answer = self.json("reduce", f"{name}:20", self.paths[dtype], "--verify")
            self.assertEqual([item["index"] for item in answer["result"]], places)
            self.assertEqual(np.array([item["value"] for item in answer["result"]], dtype).tolist(),
                             data[places].tolist())
            self.assertTrue(answer["verified"])
        path = self.path("top.npy")
        self.run_well("reduce", "top:3", self.paths["int64"], "--output", path)
        found, places = np.load(path), places_of(self.data["int64"], 3, True)
        self.assertEqual(found.dtype, np.dtype([("index", "<u8"), ("value", "<i8")]))
        self.assertEqual((found["index"].tolist(), found["value"].tolist()),
                         (places, self.data["int64"][places].tolist()))

    def test_larger_than_a_buffer(self):
        small = ("--assume", "max_alloc=100000")
        answer = self.json("reduce", "median", self.paths["float64"], "--verify", *small)
        self.assertGreater(answer["kernel_seconds"], 0)
        self.assertEqual((answer["result"], answer["verified"]), (np.median(self.data["float64"]), True))
        piped = self.data["float64"].tobytes()
        self.assert_refused("reduce", "median", "-", "--type", "double", *small, stdin=piped,
                    naming=("median reads the elements several times", ".npy"))
        self.assertEqual(float(self.result("reduce", "median", "-", "--type", "double", stdin=piped)),
                         np.median(self.data["float64"]))


class Axes(Case):
    """Rows along axes: an array of three dimensions, in both orders."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.data = np.random.default_rng(2).integers(-50, 50, (6, 41, 3)).astype("int16")
        cls.paths = [cls.write("c.npy", cls.data), cls.write("f.npy", np.asfortranarray(cls.data))]

    def written(self, *arguments):
        self.run_well("reduce", *arguments, "--output", self.path("out.npy"), "--verify")
        return np.load(self.path("out.npy"))

    def test_quantiles(self):
        c, f = self.paths
        for path, axis, axes in ((c, "1", (1,)), (f, "0", (0,)), (c, "0,2", (0, 2))):
            expected = np.median(self.data, axes, keepdims=True)
            for more in ((), ("--assume", "max_alloc=1000")):  # fewer bytes than the array has
                found = self.written("median", path, "--axis", axis, "--keepdims", *more)
                np.testing.assert_array_equal(found, expected)
            lower = self.written("quantile:0.3", path, "--axis", axis, "--interpolation", "lower")
            np.testing.assert_array_equal(lower, np.quantile(self.data, 0.3, axes, method="lower"))
            self.assertEqual(lower.dtype, np.int16)

    def test_top(self):
        for axis, rows in ((1, self.data.transpose(0, 2, 1)), (2, self.data)):
            found = self.written("top:2", self.paths[0], "--axis", axis)
            places = np.argsort(-rows.astype(int), kind="stable", axis=-1)[..., :2]
            np.testing.assert_array_equal(found["index"], places)
            np.testing.assert_array_equal(found["value"], np.take_along_axis(rows, places, -1))


class Groups(Case):
    """Groups of a column in two texts; some rows are missing, but count."""

    def test_of_two_texts(self):
        random = np.random.default_rng(7)
        cities, values = random.choice(["Zürich", "New York", "Oslo"], 600), random.integers(0, 99, 600)
        lines = [f'"{city}",{"NA" if i % 50 == 0 else x}\n' for i, (city, x) in enumerate(zip(cities, values))]
        rest = (*(self.write(name, "city,x\n" + "".join(part))
                  for name, part in (("0.csv", lines[:250]), ("1.csv", lines[250:]))),
                "--column", "x", "--missing", "skip", "--group", "city", "--verify")
        places = [np.flatnonzero((cities == city) & (np.arange(600) % 50 > 0)) for city in sorted(set(cities))]
        answer = self.expect("reduce", "quantile:0.5,0.9", *rest, keys=sorted(set(cities)), verified=True)
        self.assertEqual([[row["0.5"], row["0.9"]] for row in answer["result"]],
                         [np.quantile(values[group], [0.5, 0.9]).tolist() for group in places])
        found = self.path("keys.npy")
        for name, count, sign in (("top", 20, -1), ("bottom", 3, 1)):
            rows = self.array("reduce", f"{name}:{count}", *rest, "--type", "int16", "--keys-output", found)
            best = [group[np.argsort(sign * values[group], kind="stable")[:count]] for group in places]
            np.testing.assert_array_equal(rows["index"], best)
            np.testing.assert_array_equal(rows["value"], values[best])
        self.assert_array(np.load(found), np.array(sorted(set(cities))))


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

    def test_only_quantiles(self):
        low, high = (self.json("reduce", op, self.file)["result"] for op in ("median", "quantile:0.9"))
        self.expect("reduce", "quantile:0.9,median", self.file, "--verify",
                    result={"quantile:0.9": high, "median": low}, verified=True)

    def test_rows(self):
        for axis in ("0", "2", "0,2"):
            self.check_rows(self.file, "--axis", axis)
        keys = self.write("keys.npy", np.random.default_rng(4).integers(0, 5, self.data.size))
        self.check_rows(self.file, "--group", keys)
        found = self.array("reduce", "median,std", self.file, "--axis", "1")
        self.assertEqual((found.dtype, found.shape), (np.dtype([("median", "<f8"), ("std", "<f4")]), (7, 60)))
        np.testing.assert_array_equal(found["median"], np.median(self.data.astype(float), 1))

    def test_larger_than_a_buffer(self):
        """What no buffer holds is mapped, or held in the memory of the host."""
        expected = self.alone(self.file)
        small = ("--assume", "max_alloc=9000")
        for rest in ((self.file,), (self.file, "--verify"), (self.file, self.write("none.npy", self.data[:0]))):
            self.expect("reduce", LIST, *rest, *small, result=expected)
        self.assert_refused("reduce", LIST, "-", "--type", "float", *small, stdin=self.data.tobytes(),
                            naming="median reads the elements several times")
