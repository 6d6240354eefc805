"""Command lines and files that the tool refuses: refusals.txt has one a line."""

import gzip
import itertools
import os
import re
import shlex
import shutil
import subprocess
import unittest
from pathlib import Path
from zipfile import ZIP_DEFLATED

import numpy as np
from numpy import arange, array, ones, zeros

from cli import OPERATORS, TOOL, Case, Run, npy
from cli import npy_header as header
# In expressions of the tables:
from test_containers import THOUSAND, flipped, npz, zstd, zstd_frame
from test_operator_file import AFFINE, CHAIN, SUM

NAN = np.nan
SIXTEEN = np.arange(16, dtype="<f4").tobytes()
GOOD = "{'descr': '<f4', 'fortran_order': False, 'shape': (16,), }"
HUGE = "{'descr': '<f4', 'fortran_order': False, 'shape': (4611686018427387904, 0, 4611686018427387904), }"

# Files that are there for every command.
FILES = {
    "twenty.raw": bytes(20), "ten.npy": ones(10, "float32"), "copies.npy": THOUSAND,
    "cube.npy": arange(385, dtype="int32").reshape(5, 7, 11), "none.npy": zeros(0, "float32"),
    "any.json": '{"rows": []}', "long.npy": ones(11000, "float32"), "data.npy": array([1.0, NAN], "float32"),
    "values.npy": arange(100, dtype="int32"), "keys2.npy": zeros(100, "float32"), "flags.npy": zeros(100, "int8"),
    "values2.npy": array([-671, 44, 151, 282, 798, 878], "int32"),
    "six.npy": array([-3.0, -3.0, -3.0, -2.0, -1.0, 0.0], "float32"), "unread.csv": "k,x\n1,oops\n",
    "bad2.csv": "k,x,w\n1,1,a\n2,2,\n2.5,3,c\nz,4,d\n", "good.csv": "k,x\n1,1\n", "r.csv": "x,y\n1,2\n",
    "offsets2.npy": array([0, 5], "uint32"), "thousand.npy": arange(1000, dtype="int32"),
    "longs.npy": arange(30000), "floats.npy": ones((7, 50, 60), "float32"),
    "values3.npy": arange(100, dtype="int64"), "good.npy": array([0, 10, 10, 20], "int64"),
    "ints.npy": arange(3001, dtype="int32"), "normal.npy": ones((50, 41), "float32"),
    "several.npy": ones((858, 7), "float32"), "ints2.npy": ones(3, "int32"),
    "short.npy": npy(ones((858, 7), "float32"))[:-1], "n0.npy": zeros((0, 7), "float32"),
    "n1.npy": zeros((0, 7), "float32"), "table.csv": "a,b\n1,2\n", "usage.npy": ones((4, 5), "float32"),
    "plain.npy": arange(3, dtype="int32"), "many.npy": ones(50003, "float32"), "two.csv": "x,y\n1,10\n",
    "two2.csv": "x,y\n1,2\n", "none2.npy": ones(3, "float64"), "v.csv": "1\n2\n", "bad3.csv": "a,b\n1,2\n",
    "several.csv": "a,b\n1,2\n", "one.csv": "1\n2\n", "one.npy": ones(3, "float64"), "t.csv": "1,2\n",
    "operand.csv": "city,price\nOslo,1\n", "sales.csv": "city,Price,k\nOslo,1,2\n",
    "pair.op": "name: pair\npreamble:\n  typedef struct { int a, b; } pair;\nelement: pair\nstate: int\n"
               "identity: 0\nlift: x.a\ncombine: a + b\n"}
# Command lines that are too long for the table.
LONG = {
    "reduce sum cube.npy --axis " + ",".join(["0"] * 65): "64",
    "reduce quantile:" + ",".join(["0.5"] * 257) + " longs.npy": "more than 256",
    "reduce " + ",".join(f"median,quantile:0.{i}" for i in range(10, 80))[7:] + " floats.npy": "given twice",
    "reduce " + "sum,prod,min,max,any,all,var,std,mean,norm1,norm2,argmin,argmax,minmax,count,argminmax,sumsq "
    "ten.npy": "more than 16 operators",
    "reduce sum," + ",".join(f"quantile:0.{i}" for i in range(100, 170)) + " floats.npy": "more than 64 operators",
    "reduce sum --generate ones:9 " + " ".join(f"--param p{i}=1" for i in range(17)): "--param"}


def described(descr="'<f4'", fortran="False", shape="(16,)"):
    """A .npy file of 16 floats, whose header says something else."""
    return header("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n" % (descr, fortran, shape)) + SIXTEEN


def offsets(at, value, dtype):
    """Offsets of ten segments of 100 elements, of which one is wrong."""
    good = np.arange(0, 1001, 100).astype(dtype)
    good[at] = value
    return good


CHOICE = re.compile(r"\{([^{}]*\|[^{}]*)\}")


def choices(command, *texts):
    """What {a|b} in a command stands for: the command with each choice, the first choice, and the texts, in which {a|b}
    goes in step with the first choice."""
    parts = CHOICE.split(command)
    groups = [part.split("|") for part in parts[1::2]]
    steps = groups[:1] + [text.split("|") for text in CHOICE.findall(" ".join(texts))] or [[""]]
    assert len(set(map(len, steps))) == 1, f"{command}: {steps}"
    for step in range(len(steps[0])):
        chosen = [CHOICE.sub(lambda found: found[1].split("|")[step], text)  # pylint: disable=cell-var-from-loop
                  for text in texts]
        for words in itertools.product(groups[0][step:step + 1], *groups[1:]) if groups else ((),):
            parts[1::2] = words
            yield "".join(parts), words[0] if words else "", *chosen


def rows_of(text):
    """Numbers and texts of lines. Those that begin with two spaces continue a line: behind a blank, unless it ends with
    a choice or with a line break of a file."""
    number = 1
    for lines in re.split(r"\n(?!  )", text):
        yield number, re.sub(r"\n +", "", re.sub(r"(?<!\|)(?<!\\n)\n +", " ", lines))
        number += lines.count("\n") + 1


def unescaped(text):
    return text.encode("latin1").decode("unicode_escape").encode("latin1")


def contents_of(kind, text):
    """What a file or standard input has: one content, or several of which each makes a row."""
    value = eval(text) if kind == "<<=" else unescaped(text or "")  # pylint: disable=eval-used
    for one in value if isinstance(value, list) else [value]:
        yield one.encode() if isinstance(one, str) else one if isinstance(one, bytes) else npy(one)


class Table(Case):
    """Rows of a table. A row without "=>" is the name of a file and its content, for the rows that follow."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.known = {file.name for file in OPERATORS.glob("*.op")}
        for name in cls.known:
            shutil.copy(OPERATORS / name, cls.directory)

    def put(self, words, content):
        """Standard input, or the file that the words name and nothing makes, has this content."""
        if "-" in words and words[words.index("-") - 1] != "--output":
            return content
        self.write(next(word for word in words if "." in word and word not in self.known and word[0] != "-"), content)
        return None

    def rows(self, table):
        """The place and words of each row, what follows "=>", the first choice, and standard input."""
        for number, line in rows_of(Path(table).read_text(encoding="utf-8")):
            if not line or line[0] == "#":
                continue
            row, kind, text = (re.split("(?: (<<=?) ?)", line, maxsplit=1) + [None, None])[:3]
            command, arrow, rest = re.fullmatch("(.*?)(?:(?:^| )(=>) ?(.*))?", row).groups()
            if arrow:
                in_step = (rest, text or "") if kind != "<<=" else (rest,)
                for arguments, choice, expected, *content in choices(command, *in_step):
                    for one in contents_of(kind, content[0] if content else text) if kind else [None]:
                        words = shlex.split(arguments)
                        stdin = self.put(words, one) if kind else None
                        yield f"{table}:{number}: {arguments}", words, expected, choice, stdin
            else:
                self.known.add(command)
                self.write(command, *contents_of(kind, text))


class Refusals(Table):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        for name, content in FILES.items():
            cls.write(name, content)
        cls.known.update(FILES)
        os.mkfifo(cls.path("pipe"))
        os.symlink("copies.npy", cls.path("link.npy"))

    def files(self):
        return {entry.name: (entry.inode(), entry.stat().st_mtime_ns) for entry in os.scandir(self.directory)}

    def refuse(self, words, naming, code=2, content=None):
        """One message, nothing on standard output, and no file that is new or changed."""
        before = self.files()
        run = Run(words, content, directory=self.directory)
        self.assertEqual((run.code, run.out), (code, ""))
        self.assertRegex(run.err, r"\Aclreduce: [^\n]{3,}\n\Z")
        self.assertEqual(self.files(), before)
        self.assertNotIn("? give one of", run.err)
        for word in naming:
            (self.assertNotIn if word[0] == "!" else self.assertIn)(word.lstrip("!"), run.err.replace("\n", "$"))

    def test_the_table(self):
        for place, words, expected, choice, content in self.rows("refusals.txt"):
            with self.subTest(place):
                naming = expected.replace("{}", choice).replace("{1}", choice.partition(" ")[0])
                code, naming = re.fullmatch("(?:(1): )?(.*)", naming).groups()
                self.refuse(words, naming.split(" & "), int(code or 2), content)

    def test_long_lines(self):
        for line, word in LONG.items():
            self.refuse(line.split(), [word])

    def test_line_breaks_do_not_make_two_lines(self):
        self.refuse(["reduce", "sum\nproduct", "--generate", "ones:9"], ["sum product"])
        self.refuse(["reduce", "sum", "no\nwhere.npy"], ["no where.npy"], 1)

    def test_a_good_file_is_taken(self):
        self.assertEqual(self.result("reduce", "sum", self.write("good16.npy", described())), "120")

    def test_object_array_of_numpy(self):
        objects = self.path("objects.npy")
        np.save(objects, np.array([1, "two", None], dtype=object), allow_pickle=True)
        self.assert_refused("reduce", "sum", objects, naming="objects.npy")

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_not_allowed(self):
        path = self.write("secret.npy", described())
        os.chmod(path, 0)
        self.assert_refused("reduce", "sum", path, code=1, naming="secret.npy")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.run([TOOL, "reduce", "sum", "--generate", "ones:4"], stdout=full,
                                     stderr=subprocess.PIPE, timeout=120, check=False)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stderr.count(b"\n"), 1)
