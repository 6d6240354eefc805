"""The examples of docs/tool.md: each command is run, line by line, and its output compared. The man page has them, too.

A line "..." stands for any lines, "..." at the end of a line for any text."""

import os
import re
import subprocess
import sys
from pathlib import Path

from cli import PATIENCE, TOOL, Case

PAGE = Path(__file__).resolve().parents[2] / "docs" / "tool.md"


def examples():
    """Pairs of a command and the lines of its output."""
    found = []
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if line.startswith("    $ "):
            found.append((line[6:], []))
        elif line.startswith("    ") and found:
            found[-1][1].append(line[4:])
    return found


def pattern(lines):
    """A regular expression for this output."""
    parts = ["(?:.*\n)*" if line == "..." else re.escape(line[:-3]) + ".*\n" if line.endswith("...")
             else re.escape(line) + "\n" for line in lines]
    return "".join(parts)


class Examples(Case):

    def run_line(self, command):
        """What a terminal would show, standard output first."""
        path = os.pathsep.join([self.path("bin"), os.environ["PATH"]])
        done = subprocess.run(["bash", "-c", command], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder,
                              env={**os.environ, "PATH": path, "CLREDUCE_TUNING": "off", "CLREDUCE_FINDINGS": "off"},
                              timeout=120 * PATIENCE, check=False)
        return (done.stdout + done.stderr).decode()

    def test_every_example(self):
        os.mkdir(self.path("bin"))
        os.symlink(os.path.abspath(TOOL), self.path("bin/clreduce"))
        os.symlink(sys.executable, self.path("bin/python3"))
        found = examples()
        self.assertGreaterEqual(sum("clreduce" in command for command, _ in found), 25)
        for command, lines in found:
            with self.subTest(command):
                shown = self.run_line(command)
                self.assertIsNotNone(re.fullmatch(pattern(lines), shown), f"{shown}\nexpected:\n" + "\n".join(lines))

    def test_the_manual_has_them(self):
        manual = self.run_well("--man-page").out.replace("\\-", "-").replace("\\e", "\\").splitlines()
        for command, _ in examples()[3:]:
            self.assertIn(command, manual)
