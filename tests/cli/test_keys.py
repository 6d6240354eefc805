"""--by-key and --heads: NumPy's result of each run, in files, lines and lists; and refusals of wrong keys."""

import numpy as np

from cli import Case

RANDOM = np.random.default_rng(4)
# Some runs have one element, one is long, and the last run has the same key as the first.
LENGTHS = np.concatenate([[3, 1, 1], RANDOM.integers(1, 40, 60), [900, 2]])
KEYS = np.repeat(np.append(np.arange(len(LENGTHS) - 1) % 7 - 3, -3), LENGTHS).astype("float32")
BEGINS = np.concatenate([[0], np.flatnonzero(np.diff(KEYS)) + 1])
VALUES = RANDOM.integers(-1000, 1000, len(KEYS), "int32")


class Reduced(Case):

    def setUp(self):
        super().setUp()
        self.values, self.keys = self.write("values.npy", VALUES), self.write("keys.npy", KEYS)

    def arrays(self, *arguments):
        """Results and keys of runs, as files. --quiet keeps back the note on equal keys apart."""
        keys = self.path("found.npy")
        return self.array("reduce", *arguments, "--keys-output", keys, "--verify", "--quiet"), np.load(keys)

    def test_sums(self):
        """Runs of an array of any shape consist of its elements in C order; keys may have any byte order."""
        shaped = self.write("shaped.npy", VALUES[:len(VALUES) // 10 * 10].reshape(-1, 10))
        swapped = self.write("swapped.npy", KEYS[:len(VALUES) // 10 * 10].astype(">f4"))
        for values, keys in ((self.values, self.keys), (shaped, swapped)):
            sums, found = self.arrays("sum", values, "--by-key", keys)
            begins = BEGINS[BEGINS < np.load(values).size]
            np.testing.assert_array_equal(sums, np.add.reduceat(np.load(values).ravel().astype("int64"), begins))
            np.testing.assert_array_equal(found, KEYS[begins])
            self.assertEqual((sums.dtype, found.dtype), (np.dtype("int64"), np.dtype("float32")))

    def test_nans_and_zeros(self):
        keys = np.array([0.0, -0.0, np.nan, np.nan, 1.5, 1.5, -0.0], "float32")
        sums, found = self.arrays("sum", self.write("few.npy", np.arange(7, dtype="int32")), "--by-key",
                                  self.write("nans.npy", keys))
        np.testing.assert_array_equal(sums, [1, 2, 3, 9, 6])
        np.testing.assert_array_equal(found, [0, np.nan, np.nan, 1.5, 0])

    def test_one_and_none(self):
        for number in (0, 1):
            values, keys = self.write("few.npy", VALUES[:number]), self.write("few_keys.npy", KEYS[:number])
            sums, found = self.arrays("sum", values, "--by-key", keys)
            np.testing.assert_array_equal(sums, VALUES[:number])
            np.testing.assert_array_equal(found, KEYS[:number])

    def test_lines_and_lists(self):
        keys = self.write("six.npy", np.array([5, 5, -7.5, 5, 5, 5], "float32"))
        values = self.write("lines.npy", np.arange(6, dtype="int32"))
        call = ("reduce", "sum", values, "--by-key", keys)
        self.assertEqual(self.run_well(*call).out, "5 1\n-7.5 2\n5 12\n")
        answer = self.json(*call, "--verify", "--repeat", "3")
        self.assertEqual([answer[name] for name in ("keys", "result", "shape", "count", "verified")],
                         [[5, -7.5, 5], [1, 2, 12], [3], 6, True])
        self.assertIn(answer["strategy"], ("runs_chunked", "segments_wide"))
        self.assertIn(answer["strategy"], self.run_well("plan", "sum", values, "--by-key", keys).out)

    def test_by_heads(self):
        flags = np.zeros(len(VALUES), bool)
        flags[BEGINS[1:]] = True
        expected = np.add.reduceat(VALUES.astype("int64"), BEGINS)
        lines = self.run_well("reduce", "sum", self.values, "--heads", self.write("flags.npy", flags),
                              "--verify").out.split()
        self.assertEqual(lines, [str(value) for value in expected])


class Scanned(Case):

    def scanned(self, *arguments):
        values = self.write("values.npy", VALUES.reshape(-1, 1))
        return self.array("scan", "sum", values, *arguments, "--verify").ravel()

    def expected(self, function):
        return np.concatenate([function(part.astype("int64")) for part in np.split(VALUES, BEGINS[1:])])

    def test_by_key(self):
        keys = self.write("keys.npy", KEYS.astype("int64"))
        np.testing.assert_array_equal(self.scanned("--by-key", keys, "--quiet"), self.expected(np.cumsum))
        for keys, apart in (([3, 3, 1, 1, 3], True), ([1, 3, 3, 5, 5], False), ([np.nan, np.nan, 2, 1, 0], False)):
            five = self.write("five.npy", np.array(keys))
            run = self.run_well("scan", "sum", "--generate", "ones:5", "--by-key", five, "--output", self.path("o.npy"))
            self.assertEqual("equal keys stand apart, so the scan begins anew" in run.err, apart, run.err)

    def test_by_heads(self):
        flags = np.zeros(len(VALUES), "uint8")
        flags[BEGINS] = 200
        results = self.scanned("--heads", self.write("flags.npy", flags), "--exclusive", "--reverse", "--initial", "7")
        np.testing.assert_array_equal(results, self.expected(lambda x: np.cumsum(x[::-1])[::-1] - x + 7))
