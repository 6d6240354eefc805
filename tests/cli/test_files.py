"""reduce over files: .npy of every type and layout, raw files, standard input; each gives the same number."""

import numpy as np

from cli import FLOATING, INTEGERS, TYPES, Case, fixed_order, npy, npy_header, wide_values, whole_sum


def integers(name, count=1000):
    limits = np.iinfo(TYPES[name])
    return np.random.default_rng(7).integers(limits.min, limits.max, count, dtype=TYPES[name], endpoint=True)


class ShortNames(Case):
    """NumPy's names of one letter and a size."""

    def test_each(self):
        data = np.arange(1, 33, dtype="uint8").tobytes()
        for code in ("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "f2", "f4", "f8", "c8", "c16"):
            answer = self.json("reduce", "sum", "-", "--type", code, stdin=data)
            long_name = self.json("reduce", "sum", "-", "--type", np.dtype(code).name, stdin=data)
            self.assertEqual(answer["result"], long_name["result"], code)
            self.assertEqual(answer["count"], len(data) // np.dtype(code).itemsize)
        for code in ("b2", "f1", "i3", "u16", "f"):
            self.assert_refused("reduce", "sum", "-", "--type", code, stdin=data, naming=f"'{code}'")


class Types(Case):
    """The ten element types and bool: from .npy, from raw bytes, from standard input."""

    def everywhere(self, name, array):
        npy = self.write(f"{name}.npy", array)
        raw = self.write(f"{name}.raw", b"\x01\x02\x03" + array.tobytes())
        results = {self.result("reduce", "sum", npy),
                   self.result("reduce", "sum", raw, "--type", name, "--skip-bytes", "3"),
                   self.result("reduce", "sum", "-", "--type", TYPES[name], stdin=array.tobytes())}
        self.assertEqual(len(results), 1, f"{name}: {results}")
        return results.pop()

    def test_integers(self):
        for name in INTEGERS:
            self.assertEqual(self.everywhere(name, integers(name)), str(whole_sum(integers(name))))

    def test_floating(self):
        for name, dtype in FLOATING.items():
            values = wide_values(5000, dtype)
            self.assert_same_bits(self.everywhere(name, values), fixed_order(values), name)

    def test_bool(self):
        path = self.write("bool.npy", np.arange(1000) % 3 == 0)
        self.assertEqual(self.result("reduce", "sum", path), "334")
        self.assertEqual(self.result("reduce", "any", path), "1")
        self.assertEqual(self.result("reduce", "all", path), "0")
        self.assertEqual(self.json("reduce", "sum", path)["type"], "uchar")


class Layouts(Case):
    """Byte orders, axes, formats, shapes of .npy files."""

    def test_big_endian(self):
        for dtype in (">i2", ">u4", ">i8", ">f4", ">f8"):
            array = np.arange(1, 1001).astype(dtype)
            self.assertEqual(self.result("reduce", "sum", self.write(f"big-{dtype[1:]}.npy", array)), "500500")

    def test_both_orders_of_axes(self):
        values = wide_values(24000, "float32").reshape(20, 30, 40)
        expected = fixed_order(values.ravel())
        for order in "CF":
            path = self.write(f"axes-{order}.npy", np.asarray(values, order=order))
            self.assert_same_bits(self.result("reduce", "sum", path), expected, order)

    def test_axes_and_byte_order_together(self):
        values = wide_values(3000, "float64").reshape(50, 60)
        path = self.write("both.npy", np.asarray(values.astype(">f8"), order="F"))
        self.assert_same_bits(self.result("reduce", "sum", path), fixed_order(values.ravel()))

    def test_formats(self):
        array = np.arange(100, dtype="int32")
        for version in ((1, 0), (2, 0), (3, 0)):
            path = self.write(f"format{version[0]}.npy", npy(array, version))
            self.assertEqual(self.result("reduce", "sum", path), "4950")

    def test_shapes(self):
        for shape, count in (((), 1), ((1,), 1), ((7,), 7), ((1, 1, 1, 9), 9), ((3, 1, 4), 12)):
            path = self.write("shape.npy", np.ones(shape, "int16"))
            self.expect("reduce", "sum", path, result=count, count=count)

    def test_a_header_of_another_writer(self):
        """Other spaces, quotes and orders of keys than NumPy writes; all are valid Python."""
        header = npy_header('{ "shape" : (4 , ),"fortran_order":False , \'descr\':\'<i4\'}')
        path = self.write("other.npy", header + np.arange(4, dtype="<i4").tobytes())
        self.assertEqual(self.result("reduce", "sum", path), "6")


class Nothing(Case):
    """Zero elements give the identity. A file of zero bytes is valid only if it is raw."""

    IDENTITIES = {
        "short": {"sum": "0", "prod": "1", "min": str(2**63 - 1), "max": str(-2**63), "and": "-1", "or": "0",
                  "xor": "0", "all": "1", "any": "0"},
        "uchar": {"sum": "0"},
        "float": {"sum": "0", "min": "inf", "max": "-inf", "all": "1"},
        "double": {"prod": "1"}}
    ON_THE_HOST = {
        "uchar": {"prod": "1", "min": str(2**64 - 1), "max": "0", "and": str(2**64 - 1), "or": "0", "xor": "0"},
        "long": {"min": str(2**63 - 1), "max": str(-2**63), "and": "-1"}, "float": {"prod": "1", "any": "0"},
        "double": {"sum": "0", "min": "inf", "max": "-inf", "all": "1", "any": "0"}}

    def check_identities(self, table, *options):
        for name, rows in table.items():
            path = self.write(f"none-{name}.npy", np.empty(0, TYPES[name]))
            for op, identity in rows.items():
                self.assertEqual(self.result("reduce", op, path, *options), identity)

    def test_identities(self):
        self.check_identities(self.IDENTITIES)
        self.check_identities(self.ON_THE_HOST, "--strategy", "host_serial")

    def test_shape_with_a_zero(self):
        path = self.write("zero.npy", np.empty((3, 0, 5), "float32"))
        self.assertEqual(self.json("reduce", "sum", path)["count"], 0)

    def test_by_every_kind_of_strategy(self):
        path = self.write("none.npy", np.empty(0, "float32"))
        for strategy in ("host_serial", "device_serial", "bottom_up", "top_down_mono", "local_sequential", "hand_off",
                         "persistent", "atomic", "wide", "chunked"):
            self.expect("reduce", "sum", path, "--strategy", strategy, "--verify", result=0, verified=True, count=0)


class Operators(Case):
    """Every operator against NumPy."""

    def test_integers(self):
        values = np.random.default_rng(3).integers(-100, 100, 3000, dtype="int16")
        path = self.write("operators.npy", values)
        wide = values.astype("int64")
        expected = {"sum": wide.sum(), "min": wide.min(), "max": wide.max(),
                    "and": np.bitwise_and.reduce(wide), "or": np.bitwise_or.reduce(wide),
                    "xor": np.bitwise_xor.reduce(wide), "all": int(wide.all()), "any": int(wide.any())}
        for op, value in expected.items():
            self.assertEqual(self.result("reduce", op, path), str(value))

    def test_floating(self):
        values = wide_values(3000, "float32", seed=5)
        path = self.write("floating.npy", values)
        for op, value in {"min": values.min(), "max": values.max()}.items():
            self.assert_same_bits(self.result("reduce", op, path), value, op)
        self.assertEqual(self.result("reduce", "all", path), "1")
        factors = np.random.default_rng(1).uniform(0.9, 1.1, 3000).astype("float64")
        self.assert_same_bits(self.result("reduce", "prod", self.write("factors.npy", factors)),
                              fixed_order(factors, np.multiply))
