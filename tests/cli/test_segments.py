"""--segments, --by-key and --heads: NumPy's result of each slice or run, in a file, as lines, or as lists."""

import numpy as np

from cli import Case, fixed_order, wide_values

RANDOM = np.random.default_rng(4)
VALUES = RANDOM.integers(-1000, 1000, 3000, "int32")
# Some segments are empty, some have one element, one is long. Elements 0 to 4 and the last ones are in no segment.
OFFSETS = np.concatenate([[5, 5, 6, 6], 6 + np.cumsum(RANDOM.integers(0, 40, 60)), [2800, 2990]]).astype("uint32")
# Some runs have one element, one is long, and the last run has the same key as the first.
LENGTHS = np.concatenate([[3, 1, 1], RANDOM.integers(1, 40, 60), [900, 2]])
KEYS = np.repeat(np.append(np.arange(len(LENGTHS) - 1) % 7 - 3, -3), LENGTHS).astype("float32")
BEGINS = np.concatenate([[0], np.flatnonzero(np.diff(KEYS)) + 1])
KEYED = RANDOM.integers(-1000, 1000, len(KEYS), "int32")


def slices(values, offsets):
    return [values[begin:end] for begin, end in zip(offsets[:-1], offsets[1:])]


class Segments(Case):

    def test_floating_bits(self):
        """Segments of an array of any shape consist of its elements in C order."""
        floats = wide_values(9000, "float32")
        path, offsets = self.write("floats.npy", floats.reshape(90, 100)), np.concatenate([OFFSETS, [9000]])
        expected = [fixed_order(part) if len(part) else 0 for part in slices(floats, offsets)]
        for dtype in ("<u4", ">u4"):
            where = self.write("offsets.npy", offsets.astype(dtype))
            self.assert_array(self.array("reduce", "sum", path, "--segments", where, "--verify"),
                              np.array(expected, "float32"))

    def test_scans(self):
        """Elements outside segments stay 0."""
        path, where = self.write("values.npy", VALUES.reshape(50, 60)), self.write("offsets.npy", OFFSETS)
        for words, function in ((("sum", "--exclusive", "--reverse", "--initial", "7"),
                                 lambda x: np.cumsum(x[::-1])[::-1] - x + 7),
                                (("--combine", "max(a, b)", "--identity", "INT_MIN"), np.maximum.accumulate)):
            expected = np.zeros(VALUES.shape, "int64")
            for begin, end in zip(OFFSETS[:-1], OFFSETS[1:]):
                expected[begin:end] = function(VALUES[begin:end].astype("int64"))
            result = self.array("scan", *words, path, "--segments", where, "--verify")
            np.testing.assert_array_equal(result, expected.reshape(50, 60), words[0])

    def test_scans_without_fixed_bits(self):
        path, where = self.write("few.npy", np.arange(40.0)), self.write("three.npy", np.array([3, 3, 20, 39]))
        self.expect("scan", "logsumexp", path, "--segments", where, "--output", self.path("out.npy"), "--verify",
                    verified=True, shape=[40])


class Keys(Case):

    def setUp(self):
        super().setUp()
        self.values, self.keys = self.write("values.npy", KEYED), self.write("keys.npy", KEYS)
        self.sums = np.add.reduceat(KEYED.astype("int64"), BEGINS)

    def arrays(self, *arguments):
        """Results and keys of runs, as files. --quiet keeps back the note on equal keys apart."""
        keys = self.path("found.npy")
        return self.array("reduce", *arguments, "--keys-output", keys, "--verify", "--quiet"), np.load(keys)

    def test_sums(self):
        """Runs of an array of any shape consist of its elements in C order; keys may have any byte order."""
        for values, keys in ((self.values, self.keys), (self.write("shaped.npy", KEYED.reshape(-1, 1)),
                                                        self.write("swapped.npy", KEYS.astype(">f4")))):
            sums, found = self.arrays("sum", values, "--by-key", keys)
            self.assert_array(sums, self.sums)
            self.assert_array(found, KEYS[BEGINS])
        flags = np.zeros(len(KEYED), bool)
        flags[BEGINS[1:]] = True
        heads = self.write("flags.npy", flags)
        self.assert_array(self.array("reduce", "sum", self.values, "--heads", heads), self.sums)

    def test_scans(self):
        values = KEYED.astype("int64")
        flags = np.zeros(len(KEYED), "uint8")
        flags[BEGINS] = 200
        for words, function in ((("--by-key", self.write("longs.npy", KEYS.astype("int64"))), np.cumsum),
                                (("--heads", self.write("flags.npy", flags), "--exclusive", "--reverse", "--initial",
                                  "7"), lambda x: np.cumsum(x[::-1])[::-1] - x + 7)):
            self.assert_array(self.array("scan", "sum", self.values, *words, "--verify", "--quiet"),
                              np.concatenate([function(part) for part in np.split(values, BEGINS[1:])]))

    def test_a_note_on_equal_keys_apart(self):
        for keys, apart in (([3, 3, 1, 1, 3], True), ([1, 3, 3, 5, 5], False), ([np.nan, np.nan, 2, 1, 0], False)):
            five = self.write("five.npy", np.array(keys))
            run = self.run_well("scan", "sum", "--generate", "ones:5", "--by-key", five, "--output", self.path("o.npy"))
            self.assertEqual("equal keys stand apart, so the scan begins anew" in run.err, apart, run.err)
