"""Colour: on a terminal, and not with NO_COLOR, with TERM=dumb, or in a pipe."""

import os
import pty
import subprocess

import numpy as np

from cli import TOOL, Case, Run

TERMINAL = {"NO_COLOR": "", "TERM": "xterm"}


class Colour(Case):

    def shown(self, environment, *arguments):
        """What a terminal gets from both outputs."""
        terminal, end = pty.openpty()
        subprocess.run([TOOL, *arguments], stdout=end, stderr=end, check=False, env={**os.environ, **environment})
        os.close(end)
        text = os.read(terminal, 65536).decode()
        os.close(terminal)
        return text

    def test_errors(self):
        wrong = ("reduce", "summ", "--generate", "ones:9")
        self.assertIn("\033[1;31mclreduce:\033[0m unknown operator", self.shown(TERMINAL, *wrong))
        for plain in ({**TERMINAL, "NO_COLOR": "1"}, {**TERMINAL, "TERM": "dumb"}):
            self.assertTrue(self.shown(plain, *wrong).startswith("\r\033[Kclreduce: unknown operator"), plain)
        self.assertTrue(Run(wrong, environment=TERMINAL).err.startswith("clreduce: unknown operator"))

    def test_bars(self):
        bars = ("histogram", self.write("two.npy", np.array([1, 2, 2], "int32")), "--bins", "2")
        coloured, plain = self.shown(TERMINAL, *bars), self.shown({**TERMINAL, "NO_COLOR": "1"}, *bars)
        self.assertIn(" 2 \033[36m##", coloured)
        self.assertEqual(coloured.replace("\033[36m", "").replace("\033[0m", ""), plain)
        self.assertNotIn("\033", plain)
        self.assertNotIn("\033", self.run_well(*bars, environment=TERMINAL).out)

    def test_best_row(self):
        """One row of the ladder is bold."""
        ladder = ("ladder", "-n", "100", "--repeat", "1")
        lines = [line for line in self.shown(TERMINAL, *ladder).splitlines() if "\033[1m" in line]
        self.assertEqual(len(lines), 1)
        self.assertNotIn("\033", self.run_well(*ladder, environment=TERMINAL).out)
