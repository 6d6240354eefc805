"""Text input: fields, rows and types of .csv, .tsv and .txt files and of standard input. Elements must be those that
Python's csv module and float() find; sums are compared with whole numbers or with math.fsum where no addition rounds.
"""

import csv
import gzip
import io
import math
import os
import random
import subprocess

import numpy as np

from cli import TOOL, Case, Run, whole_sum

PRICES = "day,shop,price,count\n2024-01-01,7,2.5,3\n2024-01-02,8,0.25,9007199254740993\n2024-01-03,7,-1e2,4\n"


def written(rows, **dialect):
    """The rows as Python's csv module writes them."""
    file = io.StringIO(newline="")
    csv.writer(file, **dialect).writerows(rows)
    return file.getvalue()


class Columns(Case):

    def elements(self, *arguments):
        return list(self.array("select", "1", *arguments, "--quiet"))

    def test_quotes(self):
        rows = [["say \"x\"", "a, b", "two\nlines"], ["1", "x, y", "\""], ["2.5", "\n\n", ""], ["-3", "\"\"", "\r\n"]]
        for dialect in ({}, {"quoting": csv.QUOTE_ALL}, {"lineterminator": "\n"}, {"delimiter": ";"}):
            path = self.write("quotes.csv", written(rows, **dialect))
            self.assertEqual(self.elements(path, "--column", "say \"x\""), [1, 2.5, -3], dialect)
        turned = self.write("turned.csv", written([row[::-1] for row in rows], quoting=csv.QUOTE_ALL))
        self.assertEqual(self.elements(turned, "--column", "3"), [1, 2.5, -3])

    def test_random_tables(self):
        """Against Python's csv module: quotes, empty fields and line ends in any place."""
        chance = random.Random(5)
        for size in (1, 50, 4000):
            rows = [["x", "number", "y"]]
            for _ in range(size):
                words = ["".join(chance.choices("ab,\n\"' ", k=chance.randrange(12))) for _ in range(2)]
                value = chance.choice([repr(chance.uniform(-1e3, 1e3)), f"{chance.random():.25f}", "inf", "-0.0",
                                       repr(chance.gauss(0, 1) * 10.0**chance.randrange(-300, 300)),
                                       str(chance.randrange(10**18))])
                rows.append([words[0], value, words[1]])
            text = written(rows, quoting=chance.choice([csv.QUOTE_MINIMAL, csv.QUOTE_ALL]))
            read = [float(row[1]) for row in list(csv.reader(io.StringIO(text, newline="")))[1:]]
            path = self.write("random.csv", text)
            elements = self.array("select", "1", path, "--column", "number", "--type", "double")
            self.assert_array(elements, np.array(read))


class Types(Case):

    def test_every_type(self):
        for name, dtype in (("char", "int8"), ("uchar", "uint8"), ("short", "int16"), ("uint", "uint32"),
                            ("long", "int64"), ("ulong", "uint64")):
            limits = np.iinfo(dtype)
            values = np.array([limits.min, limits.max, 1, limits.max - 1], dtype)
            path = self.write("whole.csv", "\n".join(map(str, values)))
            answer = self.expect("reduce", "sum", path, "--type", name, type=name, count=4)
            self.assertEqual(answer["result"], whole_sum(values))
            for beyond in (int(limits.min) - 1, int(limits.max) + 1):
                path = self.write("beyond.csv", f"x\n1\n{beyond}\n")
                self.assert_refused("reduce", "sum", path, "--type", name, naming=("beyond.csv", "line 3", name))
        texts = ["1.00000017881393432617187499", "3.4028235e38", "1e-45", "-0.1"]
        path = self.write("float.txt", "\n".join(texts))
        self.assert_array(self.array("select", "1", path, "--type", "float32"),
                          np.array([1.0000001, 3.4028235e38, 1e-45, -0.1], "float32"))

    def test_exact_whole_numbers(self):
        """Those that double lacks are refused without --type."""
        values = [2**53, -2**53, 10**22, 2**100, -2**1000, 999999999999999]
        path = self.write("exact.csv", "\n".join(map(str, values)) + "\n9007199254740993.0\n1e23\ninf\n")
        self.assert_array(self.array("select", "1", path), np.array([*map(float, values), 2**53, 1e23, math.inf]))


class Sources(Case):

    def test_every_way_in(self):
        numbers = [random.Random(3).randrange(-2**40, 2**40) / 64 for _ in range(30001)]
        text = "value\n" + "\n".join(map(repr, numbers)) + "\n"
        path, expected = self.write("values.csv", text), repr(math.fsum(numbers)).removesuffix(".0")
        packed = self.write("values.csv.gz", gzip.compress(text.encode()))
        self.assertEqual(self.result("reduce", "sum", path), expected)
        self.assertEqual(self.result("reduce", "sum", packed, "--column", "value"), expected)
        self.assertEqual(self.result("reduce", "sum", "-", stdin=text.encode()), expected)
        self.assertEqual(self.result("reduce", "sum", "-", "--type", "double", "--format", "text", stdin=text.encode()),
                         expected)
        for chunk in (("--chunk", 1), ("--chunk", 5000), ("--assume", "max_alloc=65536")):
            self.assertEqual(self.result("reduce", "sum", path, *chunk, "--verify"), expected)
            self.assertEqual(self.result("reduce", "sum", "-", *chunk, stdin=text.encode()), expected)
        damaged = self.write("damaged.csv.gz", gzip.compress(text.encode())[:-8] + bytes(8))
        self.assert_refused("reduce", "sum", damaged, naming="damaged.csv.gz")
        self.assert_refused("scan", "sum", path, "--output", path, naming=("INPUT", "text"))
        for arguments in (("scan", "sum", path, "--reverse", "--output", self.path("o.npy")),
                          ("select", "x > 0 || index == 0", path)):
            self.assert_refused(*arguments, "--assume", "max_alloc=65536", code=1, naming="65536")
        self.assertEqual(self.array("scan", "sum", path)[-1], math.fsum(numbers))
        counts = self.json("histogram", path, "--bins", 4, "--low", "-1e20", "--high", "1e20")
        self.assertEqual(sum(counts["counts"]), 30001)

    def test_more_than_a_window(self):
        """Rows of every length stand at the ends of the pieces that are read."""
        rows = [f"{i},\"{'a,' * (i * i % 997)}\"" for i in range(3000)] + [f"1,{'b' * 700000}", "2,c"]
        path = self.write("rows.csv", "\n".join(rows))
        self.expect("reduce", "sum", path, "--column", 1, "--type", "long", result=3000 * 2999 // 2 + 3, count=3002)


class Lines(Case):

    def test_quotes_of_other_columns(self):
        """A quote that is not closed, or has text behind it, matters in read columns; --quote none: nowhere."""
        pipes = "pipe,mm,n\n\"5 pipe,1,2\nsay \"x\",3,4\n\"6\" pipe,5,6\n\"a, b\",7,8\n\"two\nlines\",9,10\n"
        for text in (pipes, pipes + "\"7 pipe,11,12\n" + "x,13,14\n" * 40, "\"" + pipes):
            path = self.write("pipes.csv", text)
            numbers = [int(line.split(",")[-2]) for line in text.splitlines()[1:] if line.count(",") > 1]
            for column in ("mm", "2"):
                self.assertEqual(self.result("reduce", "sum", path, "--column", column), str(sum(numbers)))
            self.assert_refused("reduce", "count", path, "--group", "1", naming="column 1")
        long = self.write("long.csv", "\"x,1\n" + "y,2\n" * (1 << 23))
        self.assertEqual(self.result("reduce", "sum", long, "--column", "2", "--header", "no"), str(1 + (1 << 24)))

    def test_comments(self):
        """--comment skips lines, before and behind the header, and within a window; they are no rows."""
        text = "# 1,2\n#\n\na,b\n# c,7\n1,2\n  # d\n\n3,#\n#5,6\n" + "# long\n" * 50000 + "5,8\n#"
        path = self.write("comments.csv", "#" * 300000 + "\n" + text)
        for more in ((), ("--chunk", 1)):
            self.assertEqual(self.result("reduce", "sum", path, "--comment", "#", "--column", "a", *more), "9")
        self.assertEqual(self.result("reduce", "count", path, "--comment", "#"), "3")
        self.assert_refused("reduce", "sum", path, "--comment", "#", "--column", "b",
                            naming=("line 10", "'#' is not a number"))

    def test_long_lines(self):
        """A line that does not end takes bounded memory and is refused."""
        for text in (b"1" * (1 << 20), b"\"," + b"x" * (1 << 20)):
            self.assert_refused("reduce", "sum", "-", "--format", "text", stdin=text * 40,
                                naming="line 1 is longer than 16777216 bytes")


class Delimiters(Case):

    def elements(self, *arguments):
        return list(self.array("select", "1", *arguments))

    def test_delimiters(self):
        rows = [line.split(",") for line in PRICES.splitlines()]
        for name, mark in (("a.csv", ";"), ("a.tsv", "\t"), ("a.txt", "\t"), ("a.txt", " "), ("a.txt", "|"),
                           ("a.data", ",")):
            path = self.write(name, written(rows, delimiter=mark))
            self.assertEqual(self.elements(path, "--column", "price", "--format", "text"), [2.5, 0.25, -100],
                             f"{name} {mark!r}")
        # Only the ending of a name counts.
        os.makedirs(self.path("x.tsv.d"), exist_ok=True)
        path = self.write("x.tsv.d/tabs.csv", "a\tb,c\n1,2\n")
        self.assertEqual(self.elements(path, "--column", "c"), [2])
        os.makedirs(self.path("x.tsvs"), exist_ok=True)
        path = self.write("x.tsvs/commas.tsv", "a,b,c\td\n1\t2\n")
        self.assertEqual(self.elements(path, "--column", "d"), [2])


class SeveralColumns(Case):

    def test_columns_that_are_streamed(self):
        path = self.write("rows.csv", "\n".join(f"{i},{i % 7},text" for i in range(40000)))
        expected = str(sum(i * (i % 7) for i in range(40000)))
        for chunk in ((), ("--chunk", 1000), ("--assume", "max_alloc=65536")):
            self.assertEqual(self.result("reduce", "dot", path, "--column", 1, "--column", 2, "--type", "long", *chunk),
                             expected)

    def test_json_of_several_columns(self):
        first, second = self.json("reduce", "count", self.write("three.csv", "x y,z\n1,\n2,3\n"), "--column", "x y",
                                  "--column", "2", "--missing", "skip")
        self.assertEqual([(first["column"], first["result"]), (second["column"], second["result"])],
                         [("x y", 2), ("2", 1)])

    def test_columns_of_standard_input(self):
        """It is kept in a temporary file, if it is none itself."""
        text = b"x,y\n" + b"".join(b"%d,%d\n" % (i, -i) for i in range(40000))
        columns = ("--column", "x", "--column", "y")
        for content in (text, gzip.compress(text)):
            self.assertEqual(self.run_well("reduce", "sum,median", "-", *columns, stdin=content).out,
                             "x 799980000 19999.5\ny -799980000 -19999.5\n")
        command = f"read line; exec {TOOL} reduce sum - --column 1 --column 2"
        with open(self.write("file.csv", b"1,2\n3,4\n5,6\n"), "rb") as file:
            done = subprocess.run(["bash", "-c", command], stdin=file, capture_output=True, check=True)
        self.assertEqual(done.stdout, b"1 8\n2 10\n")
        run = Run(("reduce", "sum", "-", *columns), text, {"TMPDIR": self.path("none")})
        self.assertEqual((run.code, run.out, run.err.count("\n")), (1, "", 1))
        self.assertIn("cannot keep it in a temporary file: No such file", run.err)
        with open("/dev/zero", "rb") as zeros:  # without an end
            done = subprocess.run([TOOL, "reduce", "sum", "-", *columns], stdin=zeros, capture_output=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, b""))
