"""sort and argsort: the results of NumPy's stable sorts, and for descending sorts those of Python."""

import numpy as np

from cli import Case, wide_values

COUNT = 40000  # more than one tile or chunk


def special(dtype):
    """Values with many equal ones, and with NaNs and both zeros where the type has them."""
    values = np.resize(wide_values(999, dtype, seed=5), COUNT)
    if values.dtype.kind == "f":
        values[::7], values[3::7], values[::11], values[5::11] = 0.0, -0.0, np.nan, -np.nan
    return np.random.default_rng(6).permutation(values)


def descending(values):
    """The indices of NaNs, then from the largest to the smallest value. Python's reversed sorts are stable, too."""
    numbers = np.flatnonzero(values == values).tolist()
    numbers.sort(key=values.tolist().__getitem__, reverse=True)
    return np.array(np.flatnonzero(values != values).tolist() + numbers, "uint64")


class Sort(Case):

    def test_types(self):
        for dtype in ("float32", "float16", "int64", "uint8"):
            values = special(dtype)
            path = self.write(f"{dtype}.npy", values.reshape(200, -1))
            with self.subTest(dtype):
                order = np.argsort(values, kind="stable").astype("uint64")
                self.assert_array(self.array("argsort", path), order)
                self.assert_array(self.array("sort", path), values[order])
                order = descending(values)
                self.assert_array(self.array("argsort", path, "--descending", "--nans", "first"), order)
                self.assert_array(self.array("sort", path, "--descending", "--nans", "first"), values[order])

    def test_text(self):
        """The lines of sort are those of scan: each number as short as its type needs."""
        numbers = np.random.default_rng(7).normal(size=300)
        text = "".join(f"{x!r}\n" for x in numbers.tolist()).encode()
        printed = self.run_well("sort", "-", stdin=text).out
        self.assertEqual([float(line) for line in printed.splitlines()], sorted(numbers.tolist()))
        path = self.write("sorted.npy", np.sort(numbers))
        self.assertEqual(self.run_well("scan", "max", path, "--output", "-", "--text").out, printed)

    def test_verify(self):
        """--verify finds what a wrong kernel does: here one bit of each digit does not count."""
        change = ("sort/sort.clh", "((1u << wide) - 1)", "((1u << wide) - 2)")
        path = self.write("ints.npy", special("int32"))
        for verb in ("sort", "argsort"):
            self.expect(verb, path, "--verify", "--repeat", "2", verified=True, op=verb, count=COUNT, shape=[COUNT])
            self.assertIn(f"{verb} of {COUNT} elements", self.run_changed(change, verb, path, "--verify").err)

    def test_lines(self):
        """sort --by gives whole lines as they are, also those that the reader's window holds only in parts."""
        numbers = np.random.default_rng(8).integers(-500, 500, 30000).tolist()
        ends = ("1\n", "\r\n", '"two\nlines"\n', " \n")
        lines = [f"{'x' * (i % 40)},{number},{i},{ends[i % 4]}" for i, number in enumerate(numbers)]
        path = self.write("lines.csv", "word,number,index,more\r\n" + "".join(lines).replace("\n", "\n\n", 2))
        run = self.run_well("sort", path, "--by", "number", "--descending")
        order = sorted(range(len(lines)), key=numbers.__getitem__, reverse=True)
        self.assertEqual(run.out, "word,number,index,more\r\n" + "".join(lines[i] for i in order))
        self.run_well("sort", path, "--by", "2", "--output", "by.csv", "--verify", directory=self.directory)
        with open(self.path("by.csv"), encoding="utf-8", newline="") as file:
            expected = "".join(lines[i] for i in np.argsort(numbers, kind="stable"))
            self.assertEqual(file.read(), "word,number,index,more\r\n" + expected)
