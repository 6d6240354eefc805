"""--segments: NumPy's result of each slice, in a file, as lines, or as lists; and refusals of wrong offsets."""

import numpy as np

from cli import Case, fixed_order, wide_values

RANDOM = np.random.default_rng(4)
VALUES = RANDOM.integers(-1000, 1000, 3000, "int32")
# Some segments are empty, some have one element, one is long. Elements 0 to 4 and the last ones are in no segment.
OFFSETS = np.concatenate([[5, 5, 6, 6], 6 + np.cumsum(RANDOM.integers(0, 40, 60)), [2800, 2990]]).astype("uint32")
FLOATS = wide_values(9000, "float32")


def slices(values, offsets):
    return [values[begin:end] for begin, end in zip(offsets[:-1], offsets[1:])]


class Reduced(Case):

    def reduced(self, *arguments):
        return self.array("reduce", *arguments)

    def test_floating_bits(self):
        """Segments of an array of any shape consist of its elements in C order."""
        path = self.write("floats.npy", FLOATS.reshape(90, 100))
        offsets = np.concatenate([OFFSETS, [9000]])
        expected = [fixed_order(part) if len(part) else 0 for part in slices(FLOATS, offsets)]
        for dtype in ("<u4", ">u4"):
            where = self.write("offsets.npy", offsets.astype(dtype))
            self.assert_array(self.reduced("sum", path, "--segments", where, "--verify"), np.array(expected, "float32"))

    def test_as_reduceat(self):
        values, offsets = VALUES[:2990].astype("float32"), np.unique(OFFSETS)
        result = self.reduced("sum", self.write("whole.npy", values), "--segments", self.write("unique.npy", offsets))
        np.testing.assert_array_equal(result, np.add.reduceat(values, offsets[:-1]))

    def test_further_inputs_and_own_operators(self):
        path, other, where = (self.write("values.npy", VALUES), self.write("other.npy", VALUES[::-1].copy()),
                              self.write("offsets.npy", OFFSETS))
        expected = [np.dot(x, y) for x, y in zip(slices(VALUES.astype("int64"), OFFSETS),
                                                 slices(VALUES[::-1], OFFSETS))]
        result = self.reduced("--combine", "a + b", "--identity", "0", "--state", "long", "--lift", "(long)x * y",
                            "--input", "int:y", "--with", other, path, "--segments", where, "--verify")
        np.testing.assert_array_equal(result, expected)

    def test_one_and_none(self):
        path = self.write("floats.npy", FLOATS)
        for offsets, expected in (([3, 9], [fixed_order(FLOATS[3:9])]), ([3, 3], [0]), ([3], []), ([0, 0, 0], [0, 0])):
            result = self.reduced("sum", path, "--segments", self.write("few.npy", np.array(offsets, "uint32")))
            np.testing.assert_array_equal(result, expected)
        empty = self.write("empty.npy", FLOATS[:0])
        result = self.reduced("sum", empty, "--segments", self.write("few.npy", np.zeros(4, "uint32")))
        np.testing.assert_array_equal(result, [0] * 3)


class Printed(Case):

    def test_lines_and_lists(self):
        path = self.write("lines.npy", np.arange(10, dtype="float32"))
        where = self.write("offsets.npy", np.array([0, 4, 4, 9], "uint32"))
        self.assertEqual(self.run_well("reduce", "sum", path, "--segments", where).out, "6\n0\n30\n")
        answer = self.expect("reduce", "sum", path, "--segments", where, "--verify", result=[6, 0, 30], shape=[3],
                             count=10, verified=True)
        self.assertIn(answer["strategy"], ("segments_chunked", "segments_wide"))
        self.assertIn("segments_", self.run_well("plan", "sum", path, "--segments", where).out)


class Scanned(Case):

    def scanned(self, *arguments):
        return self.array("scan", *arguments, "--verify")

    def expected(self, function):
        result = np.zeros(VALUES.shape, "int64")
        for begin, end in zip(OFFSETS[:-1], OFFSETS[1:]):
            result[begin:end] = function(VALUES[begin:end].astype("int64"))
        return result

    def test_sums(self):
        path, where = self.write("values.npy", VALUES), self.write("offsets.npy", OFFSETS)
        result = self.scanned("sum", path, "--segments", where, "--exclusive", "--reverse", "--initial", "7")
        np.testing.assert_array_equal(result, self.expected(lambda x: np.cumsum(x[::-1])[::-1] - x + 7))

    def test_own_operator(self):
        path, where = self.write("values.npy", VALUES.reshape(50, 60)), self.write("offsets.npy", OFFSETS)
        result = self.scanned("--combine", "max(a, b)", "--identity", "INT_MIN", path, "--segments", where)
        np.testing.assert_array_equal(result, self.expected(np.maximum.accumulate).reshape(50, 60))

    def test_results_without_fixed_bits(self):
        path = self.write("floats.npy", FLOATS[:40] % 10)
        where = self.write("few.npy", np.array([3, 3, 20, 39], "uint32"))
        answer = self.json("scan", "logsumexp", path, "--segments", where, "--output", self.path("out.npy"), "--verify")
        self.assertEqual((answer["verified"], answer["shape"]), (True, [40]))
