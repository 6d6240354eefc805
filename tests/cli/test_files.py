"""reduce over files: .npy of every type and layout, raw files, standard input; each gives the same number. answers.txt
has headers, byte orders and identities."""

import numpy as np

from cli import FLOATING, INTEGERS, TYPES, Case, fixed_order, wide_values, whole_sum


class Types(Case):
    """The ten element types: from .npy, from raw bytes, from standard input."""

    def everywhere(self, name, array):
        npy = self.write(f"{name}.npy", array)
        raw = self.write(f"{name}.raw", b"\x01\x02\x03" + array.tobytes())
        results = {self.result("reduce", "sum", npy),
                   self.result("reduce", "sum", raw, "--type", name, "--skip-bytes", "3"),
                   self.result("reduce", "sum", "-", "--type", TYPES[name], stdin=array.tobytes())}
        self.assertEqual(len(results), 1, f"{name}: {results}")
        return results.pop()

    def test_integers(self):
        for name, dtype in INTEGERS.items():
            ends = np.iinfo(dtype)
            values = np.random.default_rng(7).integers(ends.min, ends.max, 1000, dtype=dtype, endpoint=True)
            self.assertEqual(self.everywhere(name, values), str(whole_sum(values)))

    def test_floating(self):
        for name, dtype in FLOATING.items():
            values = wide_values(5000, dtype)
            self.assert_same_bits(self.everywhere(name, values), fixed_order(values), name)

    def test_orders_of_axes_and_bytes(self):
        values = wide_values(24000, "float64").reshape(20, 30, 40)
        for dtype in ("<f8", ">f8"):
            for order in "CF":
                path = self.write("axes.npy", np.asarray(values.astype(dtype), order=order))
                self.assert_same_bits(self.result("reduce", "sum", path), fixed_order(values.ravel()), order)
