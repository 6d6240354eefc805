"""What only a terminal gets: colour, but not with NO_COLOR or TERM=dumb; tables as wide as the terminal."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import numpy as np

from cli import TOOL, Case, Run

TERMINAL = {"NO_COLOR": "", "TERM": "xterm"}


def shown(environment, *arguments, columns=0):
    """What a terminal gets from both outputs."""
    terminal, end = pty.openpty()
    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    process = subprocess.Popen([TOOL, *arguments], stdout=end, stderr=end, env={**os.environ, **environment})
    os.close(end)
    text = b""
    try:
        while piece := os.read(terminal, 65536):
            text += piece
    except OSError:  # the other end is closed
        pass
    process.wait()
    os.close(terminal)
    return text.decode()


def plain_lines(text):
    """Without colours and what erases the line of progress."""
    return [re.sub(r"\033\[[0-9;]*[mK]", "", line.rpartition("\r")[2])
            for line in text.replace("\r\n", "\n").split("\n")]


def widest(environment, *arguments, columns):
    return max(map(len, plain_lines(shown(environment, *arguments, columns=columns))))


# Short, with digits, brackets, characters of several bytes; 80 characters and 200, also without a space.
NAMES = ("gfx", "AMD EPYC(R) 7763 [512-bit] @ 2.45GHz", "Prozessor-äöü 中文 <é>", "Xeon " * 16, "x" * 80, "é" * 110)


class Colour(Case):

    def test_errors(self):
        wrong = ("reduce", "summ", "--generate", "ones:9")
        self.assertIn("\033[1;31mclreduce:\033[0m unknown operator", shown(TERMINAL, *wrong))
        for plain in ({**TERMINAL, "NO_COLOR": "1"}, {**TERMINAL, "TERM": "dumb"}):
            self.assertTrue(shown(plain, *wrong).startswith("\r\033[Kclreduce: unknown operator"), plain)
        self.assertTrue(Run(wrong, environment=TERMINAL).err.startswith("clreduce: unknown operator"))

    def test_bars(self):
        bars = ("histogram", self.write("two.npy", np.array([1, 2, 2], "int32")), "--bins", "2")
        # A busy machine may take long enough for the line of progress, which the tool then erases.
        coloured, plain = (re.sub(r"(\r\033\[Kreading[^\r]*)+\r\033\[K", "", shown({**TERMINAL, **more}, *bars))
                           for more in ({}, {"NO_COLOR": "1"}))
        self.assertIn(" 2 \033[36m##", coloured)
        self.assertEqual(coloured.replace("\033[36m", "").replace("\033[0m", ""), plain)
        self.assertNotIn("\033", plain)
        self.assertNotIn("\033", self.run_well(*bars, environment=TERMINAL).out)

    def test_ladder(self):
        """One row is bold. The table fits in 80 columns, with fewer numbers."""
        ladder = ("ladder", "-n", "100", "--repeat", "1")
        lines = shown(TERMINAL, *ladder, columns=80).splitlines()
        self.assertEqual(sum("\033[1m" in line for line in lines), 1)
        lines = [re.sub(r"\033\[(1m|0m|K)", "", line) for line in lines]
        self.assertTrue(70 < max(map(len, lines)) <= 80)
        self.assertIn("strategy               finish        result    time kernels launches speedup", lines)
        piped = self.run_well(*ladder, environment=TERMINAL).out
        self.assertIn(" launches      ulps speedup  effic. bound\n", piped)
        self.assertNotIn("\033", piped)


class Width(Case):

    def test_tables_fit(self):
        """80 columns are enough; more than 100 are not used."""
        for arguments in (("query",), ("list",), ("plan", "sum", "--generate", "ones:5000", "--explain"),
                          ("check", "--combine", "a - b", "--identity", "0")):
            widths = {columns: widest({}, *arguments, columns=columns) for columns in (80, 300)}
            self.assertTrue(70 < widths[80] <= 80 < widths[300] <= 100, f"{arguments} {widths}")

    def test_names_of_any_length(self):
        """Names of devices, which the layer below the tool reports."""
        if "build_layer" not in os.environ.get("OPENCL_LAYERS", ""):
            self.skipTest("needs the layer build_layer")
        bench = "bench", "--type", "float", "--sizes", "64", "--repeat", "1"
        quick = (("query",), ("plan", "sum", "--generate", "ones:5000", "--explain"), bench,
                 ("selftest", "--only", "memory"))
        slow = (("ladder", "-n", "100", "--repeat", "1"),
                ("tune", "sum", "--type", "float", "--seconds", "1", "-n", "1000", "--tuning", "off"))
        for name in NAMES:
            for arguments in quick + (slow if name == NAMES[-1] else ()):
                with self.subTest(name, verb=arguments[0]):
                    lines = shown({"CLREDUCE_TEST_NAME": name}, *arguments, columns=80)
                    self.assertLessEqual(max(len(line) for line in plain_lines(lines)), 80, lines)
                    self.assertIn(name[:3], lines)
                    self.assertNotIn("clreduce:", lines)


class Lines(Case):

    def shown(self, *arguments):
        return shown({}, *arguments, "--quiet").splitlines()

    def test_names_of_parts(self):
        """A terminal shows what the columns are, and aligns them. A pipe gets results alone."""
        rows = self.write("rows.npy", np.array([[3, -700], [5, 6]], "int32"))
        keys = self.write("keys.npy", np.array([3, 3, 5], "int32"))
        values = self.write("values.npy", np.array([7, 4, 9], "int32"))
        few = self.write("few.npy", np.array([0] * 10 + [5, -30], "int32"))
        for call, lines in ((("argmin", rows, "--axis", "0"), ["index value", "    0     3", "    0  -700"]),
                            (("argmin", rows, "--axis", "0", "--output", "-"),
                             ["index value", "    0     3", "    0  -700"]),
                            (("argmin", values, "--by-key", keys),
                             ["key index value", "  3     1     4", "  5     0     9"]),
                            (("sum", values, "--by-key", keys), ["3 11", "5  9"]),
                            (("top:2", few), ["index value", "   10     5", "    0     0"]),
                            (("minmax", few), ["min -30", "max 5"])):
            self.assertEqual(self.shown("reduce", *call), lines)
        self.assertEqual(len({line.rindex(" ") for line in self.shown("reduce", "stats", values)}), 1)

    def test_lines_of_files_align(self):
        data = [self.write(name, text) for name, text in (("short.csv", "k,x\nà b,1\nc,2.25\n"),
                                                          ("much longer.csv", "k,x\nc,100\nd,7\n"))]
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.directory)
        names = [os.path.relpath(path, self.directory) for path in data]
        group = ("reduce", "sum,count", *names, "--column", "x", "--group", "k", "--each")
        self.assertEqual(shown({}, *group).splitlines()[-5:], ["file              key    sum count",
                                                               'short.csv         c     2.25     1',
                                                               'short.csv         "à b"    1     1',
                                                               '"much longer.csv" c      100     1',
                                                               '"much longer.csv" d        7     1'])
        self.assertEqual(shown({}, "reduce", "sum", *names, "--column", "x", "--each").splitlines()[-2:],
                         ["short.csv         3.25", '"much longer.csv"  107'])
        self.assertEqual(self.run_well(*group).out.splitlines()[0], "short.csv c 2.25 1")
        columns = shown({}, "reduce", "sum,count", names[0], "--column", "x", "--column", "2")
        self.assertEqual(columns.splitlines()[-3:], ["column  sum count", "x      3.25     2", "2      3.25     2"])


class Text(Case):
    """--output - on a terminal, and --text elsewhere."""

    def test_lines_instead_of_an_array(self):
        path = self.write("few.npy", np.array([3, -7, 5], "int32"))
        for arguments, lines in ((("scan", "sum", path), ["3", "-4", "1"]),
                                 (("scan", "sum", path, "--chunk", "2"), ["3", "-4", "1"]),
                                 (("select", "x > 0", path), ["3", "5"]),
                                 (("select", "x > 0", path, "--chunk", "2"), ["3", "5"]),
                                 (("histogram", path, "--bins", "2"), ["1", "2"])):
            with self.subTest(arguments):
                self.assertEqual(shown({}, *arguments, "--output", "-", "--quiet").splitlines(), lines)
                text = self.run_well(*arguments, "--output", "-", "--text").out
                self.assertEqual(text.splitlines(), lines)
                self.run_well(*arguments, "--output", self.path("out.txt"), "--text")
                self.assertEqual(Path(self.path("out.txt")).read_text(encoding="utf-8"), text)
