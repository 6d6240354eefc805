"""Columns of text: what separates them, several from one file, and columns of keys."""

import gzip
import os
import subprocess

import numpy as np

from cli import TOOL, Case, Run
from test_text import PRICES, written


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
        path = self.write("colons.txt", written(rows, delimiter=":"))
        self.assertEqual(self.elements(path, "--delimiter", ":", "--column", "price"), [2.5, 0.25, -100])
        path = self.write("blanks.txt", "  a   b\t c\n 1   2\t 3 \n4 5 6\n")
        self.assertEqual(self.elements(path, "--column", "b", "--delimiter", " "), [2, 5])
        path = self.write("commas.csv", "a;b, in m;c\n1;2;3\n")
        self.assertEqual(self.elements(path, "--column", "b, in m"), [2])
        path = self.write("tabs.csv", "a b\tc\n1 \t2\n")
        self.assertEqual(self.elements(path, "--delimiter", "tab", "--column", "a b"), [1])
        # Only the ending of a name counts.
        os.makedirs(self.path("x.tsv.d"), exist_ok=True)
        path = self.write("x.tsv.d/tabs.csv", "a\tb,c\n1,2\n")
        self.assertEqual(self.elements(path, "--column", "c"), [2])
        os.makedirs(self.path("x.tsvs"), exist_ok=True)
        path = self.write("x.tsvs/commas.tsv", "a,b,c\td\n1\t2\n")
        self.assertEqual(self.elements(path, "--column", "d"), [2])

    def test_the_last_column_takes_the_rest(self):
        """As in the output of ps aux. With other delimiters every row has the fields of the first."""
        path = self.write("ps.txt", "USER RSS  COMMAND\nroot 10 sh -c \"a b\nme 20 x\nroot  30 \"sh\" -c  x \n")
        self.assertEqual(self.elements(path, "--column", "RSS"), [10, 20, 30])
        self.assertEqual(self.run_well("reduce", "sum", path, "--column", "RSS", "--group", "COMMAND").out,
                         '"""sh"" -c  x" 30\n"sh -c ""a b" 10\nx 20\n')
        self.assert_refused("reduce", "sum", path, "--column", "COMMAND", naming=("line 2", 'sh -c "a b'))
        listing = self.write("ls.txt", "total 8\n-rw-r--r-- 1 me 4096 a file\n")
        self.assert_refused("reduce", "sum", listing, "--column", "4", naming=("2 columns are total, 8", "tail -n +2"))
        short = self.write("df.txt", "Size Used Mounted on\n1 2 /\n")
        self.assert_refused("reduce", "sum", short, "--column", "1", naming=("line 2 has 3 fields", "tail -n +2"))


class Several(Case):

    def test_columns_of_one_file(self):
        path = self.write("two.csv", "x,y,k\n1,10,3\n2,20,3\n3,30,9007199254740993\n4,40,9007199254740992\n")
        self.assertEqual(self.result("reduce", "dot", path, "--column", "x", "--column", "y"), "300")
        self.assertEqual(self.result("reduce", "dot", path, "--column", "y", "--column", "x", "--type", "int"), "300")
        self.assertEqual(self.result("reduce", "dot", path, "--column", "x", "--column", "1"), "30")
        own = ("--combine", "a + b", "--identity", "0", "--input", "double:v", "--input", "double:w")
        self.assertEqual(self.result("reduce", *own, "--lift", "x * v + w", path, "--column", "x",
                                     "--column", "y", "--column", "1", "--unchecked"), "310")
        out = self.run_well("reduce", "sum", path, "--column", "y", "--by-key", "column:k").out
        self.assertEqual(out, "3 30\n9007199254740993 30\n9007199254740992 40\n")
        out = self.run_well("reduce", "sum", path, "--column", "y", "--by-key", "column:1", "--verify").out
        self.assertEqual(out, "1 10\n2 20\n3 30\n4 40\n")
        self.run_well("plan", "sum", path, "--column", "y", "--by-key", "column:k")
        fractions = self.write("fractions.csv", "1,0.5\n2,0.5\n3,1\n")
        self.assertEqual(self.run_well("reduce", "sum", fractions, "--column", "1", "--by-key", "column:2").out,
                         "0.5 3\n1 3\n")

    def test_two_files(self):
        one, two = self.write("one.csv", "x\n1\n2\n"), self.write("two.tsv", "a\ty\n0\t10\n0\t20\n")
        self.assertEqual(self.result("reduce", "dot", one, "--with", two, "--column", "x", "--column", "y"), "50")
        array = self.write("array.npy", np.array([10.0, 20]))
        self.assertEqual(self.result("reduce", "dot", one, "--with", array), "50")
        self.assertEqual(self.result("reduce", "dot", array, "--with", two, "--column", "y"), "500")
        whole = self.write("whole.npy", np.array([10, 20], "int32"))
        self.assertEqual(self.result("reduce", "dot", whole, "--with", one), "50")
        three = self.write("three.csv", "1\n2\n3\n")
        self.assert_refused("reduce", "dot", one, "--with", three, naming="equal length")

    def test_text_is_not_raw(self):
        """Lines of numbers are taken as raw elements only if --format or --skip-bytes says so."""
        text = "-1.5e3,\t+2;7E0 \r\n" * 8
        path, packed = self.write("x8.dat", text), self.write("x8.dat.gz", gzip.compress(text.encode()))
        remedy = "looks like text; give --format text, or --format raw"
        for name, options in ((path, ("--type", "double")), (path, ()), (packed, ("--type", "double"))):
            self.assert_refused("reduce", "sum", name, *options, naming=("x8.dat", remedy))
        self.assert_refused("reduce", "sum", "-", "--type", "char", stdin=b"1\n", naming=("standard input", remedy))
        array = self.write("one.npy", np.ones(17))
        self.assert_refused("reduce", "dot", array, "--with", path, naming=("x8.dat", "let its name end in .txt"))
        for options in (("--format", "raw"), ("--skip-bytes", 0)):
            self.assertEqual(self.result("reduce", "count", path, "--type", "char", *options), str(len(text)))
        for raw in ("7" * 64 + "\n", "1\n2x", "1\n\0", ";\n", "12"):
            self.assertEqual(self.result("reduce", "count", "-", "--type", "char", stdin=raw.encode()), str(len(raw)))

    def test_columns_that_are_streamed(self):
        path = self.write("rows.csv", "\n".join(f"{i},{i % 7},text" for i in range(40000)))
        expected = str(sum(i * (i % 7) for i in range(40000)))
        for chunk in ((), ("--chunk", 1000), ("--assume", "max_alloc=65536")):
            self.assertEqual(self.result("reduce", "dot", path, "--column", 1, "--column", 2, "--type", "long", *chunk),
                             expected)

    def test_a_result_a_column(self):
        """Of an operator that reads one column, each column has what it alone gives."""
        path = self.write("three.csv", "k,x y,z\na,1,\nb,2.5,7\na,4,8\n")
        columns = ("--column", "x y", "--column", "3", "--missing", "skip")
        self.assertEqual(self.run_well("reduce", "mean,max", path, *columns, "--verify").out, '"x y" 2.5 4\n3 7.5 8\n')
        self.assertEqual(self.run_well("reduce", "median", path, *columns).out, '"x y" 2.5\n3 7.5\n')
        self.assertEqual(self.run_well("reduce", "median,count", path, *columns).out, '"x y" 2.5 3\n3 7.5 2\n')
        self.assertEqual(self.run_well("reduce", "top:1", path, *columns, "--group", "k").out,
                         '"x y" a 2 4\n"x y" b 1 2.5\n3 a 2 8\n3 b 1 7\n')
        self.assertEqual(self.run_well("reduce", "sum", path, path, *columns, "--each").out,
                         f'{path} "x y" 7.5\n{path} 3 15\n' * 2)
        self.assertEqual(self.run_well("reduce", "sum", path, path, *columns).out, '"x y" 15\n3 30\n')
        self.assertEqual(self.run_well("select", "x > 2", path, *columns).out, '"x y" 2\n3 2\n')
        first, second = self.json("reduce", "count", path, *columns)
        self.assertEqual([(first["column"], first["result"]), (second["column"], second["result"])],
                         [("x y", 3), ("3", 2)])

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
        os.mkfifo(self.path("pipe"))
        self.assert_refused("reduce", "sum", self.path("pipe"), *columns, naming="can be read once")
