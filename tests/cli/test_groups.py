"""--group: one row for each different key. The oracle is a dict of lists in Python; sums have the bits of fixed/1."""

import csv
import io
import os
from pathlib import Path

import numpy as np

from cli import Case, fixed_order, wide_values
from test_text import written

VALUES = wide_values(3000, "float64")
RANDOM = np.random.default_rng(22)
WORDS = ["Berlin", "New York", "a \"q\", b", "Zürich", "two\nlines", "semi;colon", "日本", "007", "x" * 300, "-", "a|b",
         "Berlin2", "Elizabeth", "Elizabet", "tab\there"]


def grouped(keys, values):
    """The values of each key, by the order of the keys; NaN is last."""
    groups = {}
    for key, value in zip(keys, values):
        groups.setdefault("nan" if key != key else key, []).append(value)
    return {key: np.array(groups[key]) for key in sorted(groups, key=lambda key: (key == "nan", key))}


class Numbers(Case):

    def sums(self, keys, *arguments):
        found = self.path("found.npy")
        sums = self.array("reduce", "sum", self.write("values.npy", VALUES[:len(keys)]), "--group",
                          self.write("keys.npy", keys), "--keys-output", found, *arguments)
        return sums, np.load(found)

    def test_keys_of_every_kind(self):
        many, few = RANDOM.integers(-2**62, 2**62, 40), RANDOM.integers(-5, 5, 3000)
        odd = np.array([0.0, np.nan, -1.5, -0.0, np.inf, -np.nan, -np.inf, 1e-320, -1e-320, 3.0])
        for keys in (few.astype("int8"), few.astype(">i4"), RANDOM.choice(many, 3000),
                     RANDOM.choice(many, 3000).astype("uint64") * 3, RANDOM.choice(odd, 3000),
                     RANDOM.choice(odd, 3000).astype(">f4"), RANDOM.permutation(3000).astype("uint16"),
                     np.zeros(0, "int16"), np.full(7, 2**40), np.tile([1, 2**18], 50)):
            # The last two share a slot of recent keys.
            with self.subTest(keys.dtype):
                sums, found = self.sums(keys, "--verify")
                expected = grouped(keys.tolist(), VALUES)
                self.assert_array(found, np.array(list(expected), keys.dtype.newbyteorder("=")))
                self.assert_array(sums, np.array([fixed_order(values) for values in expected.values()]))

    def test_many_groups(self):
        """More than the table of words begins with."""
        keys = np.concatenate([np.arange(60000), np.arange(60000)[::-1]]).astype("uint32") * 65537
        values = np.arange(len(keys), dtype="int32")
        out = self.array("reduce", "sum", self.write("many.npy", values), "--group", self.write("many_keys.npy", keys))
        self.assert_array(out, np.full(60000, 119999, "int64"))


class Texts(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.cities = [WORDS[i] for i in RANDOM.integers(0, len(WORDS), 900)]
        cls.prices = RANDOM.integers(-10**6, 10**6, 900).tolist()
        rows = [["city", "price", "n"]] + [[city, price, i % 7] for i, (city, price) in
                                           enumerate(zip(cls.cities, cls.prices))]
        cls.file = cls.write("sales.csv", written(rows, lineterminator="\n"))
        groups = grouped(cls.cities, cls.prices)
        cls.sums = {key: int(groups[key].sum()) for key in sorted(groups, key=lambda key: key.encode())}

    def test_lines_can_be_read_back(self):
        out = self.run_well("reduce", "sum", self.file, "--column", "price", "--group", "column:city").out
        read = [(row[0], int(row[1])) for row in csv.reader(io.StringIO(out, newline=""), delimiter=" ")]
        self.assertEqual(read, list(self.sums.items()))
        again = self.run_well("reduce", "sum", "-", "--column", "2", "--group", "text:1", stdin=out.encode()).out
        self.assertEqual(again, out)

    def test_forms(self):
        """A name alone is a column of text; double: and text: overrule the first key."""
        call = ("reduce", "sum", self.file, "--column", "price", "--group")
        answer = self.json(*call, "city")
        self.assertEqual((answer["keys"], answer["result"]), (list(self.sums), list(self.sums.values())))
        found = self.path("cities.npy")
        self.assert_array(self.array(*call, "1", "--keys-output", found), np.array(list(self.sums.values()), "float64"))
        self.assert_array(np.load(found), np.array(list(self.sums)))

    def test_many_words(self):
        """So many of one length and beginning that some have the same hash."""
        words = [f"a-customer-number{i * 7919 % 10**8:08}" for i in range(200000)]
        path, found = self.write("many.csv", "\n".join(["k,x"] + [f"{word},1" for word in words + words[::-1]])), \
            self.path("many.npy")
        sums = self.array("reduce", "sum", path, "--column", "x", "--group", "k", "--keys-output", found)
        self.assert_array(sums, np.full(len(words), 2.0))
        self.assert_array(np.load(found), np.array(sorted(words)))

    def test_bytes_that_are_no_utf_8(self):
        path = self.write("latin.csv", b"k,x\na,1\n\xe9t\xe9,2\n")
        call = ("reduce", "sum", path, "--column", "x", "--group", "k")
        with self.assertRaises(UnicodeDecodeError):
            self.run_well(*call)
        outputs = self.path("latin.npy"), self.path("sums.npy")
        self.assert_refused(*call, "--keys-output", outputs[0], "--output", outputs[1],
                            naming=("--keys-output", "key number 1", "UTF-8"))
        self.assertEqual([os.path.exists(output) for output in outputs], [False, False])


class SeveralKeys(Case):
    """Several keys, and keys in several texts, with the same rows."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        rows = [[WORDS[RANDOM.integers(5)], int(RANDOM.integers(-3, 3)), int(RANDOM.integers(99))] for _ in range(600)]
        rows[200][0] = "late"
        cls.cities = [row[0].encode() for row in rows]
        cls.rows = [row for i, row in enumerate(rows) if i % 50]
        for row in rows[::50]:
            row[2] = "NA"
        cls.files = [cls.write(f"part{i}.csv", written([["city", "k", "x"]] + rows[begin:end]))
                     for i, (begin, end) in enumerate(((0, 250), (250, 250), (250, 600)))]
        cls.call = ("--column", "x", "--missing", "skip", "--group")

    def groups(self, *columns):
        return grouped([tuple(row[i].encode() if i == 0 else row[i] for i in columns) for row in self.rows],
                       [row[2] for row in self.rows])

    def test_keys_of_several_texts(self):
        for names, columns in (("city", (0,)), ("k,city", (1, 0)), ("text:city,double:2,k", (0, 1, 1))):
            groups = self.groups(*columns)
            answer = self.json("reduce", "sum,count", *self.files, *self.call, names, "--verify")
            keys = [list(key) if len(columns) > 1 else key[0] for key in groups]
            self.assertEqual(answer["keys"], [[part.decode() if isinstance(part, bytes) else part for part in key]
                                              if len(columns) > 1 else key.decode() for key in keys])
            self.assertEqual(answer["result"], [{"sum": group.sum(), "count": len(group)} for group in groups.values()])
            self.assertTrue(answer["verified"])

    def test_lines_and_runs(self):
        out = self.run_well("reduce", "sum", self.files[0], "-", *self.call, "k,city",
                            stdin=Path(self.files[2]).read_bytes()).out
        read = [((int(row[0]), row[1].encode()), int(row[2]))
                for row in csv.reader(io.StringIO(out, newline=""), delimiter=" ")]
        self.assertEqual(read, [(key, group.sum()) for key, group in self.groups(1, 0).items()])
        runs = self.run_well("reduce", "count", *self.files, "--by-key", "k", "--quiet").out.split("\n")
        self.assertEqual(sum(int(run.split()[1]) for run in runs[:-1]), 600)

    def test_counts_need_no_column(self):
        groups = grouped(self.cities, self.cities)
        found = self.path("counted.npy")
        answer = self.array("reduce", "count", *self.files, "--group", "city", "--keys-output", found)
        self.assertEqual(answer.tolist(), [len(group) for group in groups.values()])
        self.assertEqual(np.load(found).tolist(), [key.decode() for key in groups])
        self.assertEqual(self.result("reduce", "count", self.files[2]), "350")
        run = self.run_well("reduce", "count", self.write("odd.txt", "a b\nc d\n"))
        self.assertEqual((run.out, "line 1 is taken as data" in run.err), ("2\n", True))

    def test_written_as_text(self):
        """Each line begins with its keys, unless they go elsewhere; the tool reads the file again."""
        path = self.write("few.csv", "k,n,x\na b,1,2\n\"c,d\",1,3\na b,2,5\na b,1,7\n")
        for name, lines in (("t.csv", '"a b",1,9\n"a b",2,5\n"c,d",1,3\n'), ("t.tsv", None), ("t.txt", None)):
            out = self.path(name)
            self.run_well("reduce", "sum", path, "--column", "x", "--group", "k,n", "--output", out, "--text")
            with open(out, encoding="utf-8") as file:
                text = file.read()
            self.assertIn(text, [lines] if lines else ['"a b"\t1\t9\n"a b"\t2\t5\n"c,d"\t1\t3\n',
                                                      '"a b" 1 9\n"a b" 2 5\n"c,d" 1 3\n'])
            self.assertEqual(self.run_well("reduce", "max", out, "--column", "3", "--group", "1", "--header", "no").out,
                             '"a b" 9\n"c,d" 3\n')
        for op, line in (("top:1", '"a b" 3 7\n"c,d" 1 3\n'), ("min,max", '"a b" 2 7\n"c,d" 3 3\n')):
            self.assertEqual(self.run_well("reduce", op, path, "--column", "x", "--group", "k", "--output", "-",
                                           "--text").out, line)


class Refused(Case):

    def test_file_or_column(self):
        """A name that could be both is refused."""
        keys = self.write("keys.npy", np.zeros(2, "int32"))
        path = self.write("odd.csv", f"\"{keys}\",x\na,1\nb,2\n")
        call = ("reduce", "sum", path, "--column", "x", "--group")
        self.assert_refused(*call, keys, naming=("is a file and a column", f"column:{keys}"))
        self.assertEqual(self.run_well(*call, f"column:{keys}").out, "a 1\nb 2\n")
        self.assertEqual(self.run_well(*call, self.path("./keys.npy")).out, "0 3\n")

    def test_too_many(self):
        where = self.write("most.npy", np.arange(2**24 + 1, dtype="int32"))
        self.assert_refused("reduce", "sum", "--generate", f"ones:{2**24 + 1}", "--type", "char", "--group", where,
                            naming=(where, "16777216"))
