"""The examples of docs/tool.md: each command is run, line by line, and its output compared. The man page has them, too.

A line "..." stands for any lines, "..." at the end of a line for any text."""

import os
import re
import sys

from cli import KERNELS
from test_textbook import Commands

PAGE = KERNELS.parent / "docs" / "tool.md"


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


class Examples(Commands):

    def test_every_example(self):
        os.symlink(sys.executable, self.path("bin/python3"))
        found = examples()
        self.assertGreaterEqual(sum("clreduce" in command for command, _ in found), 25)
        for command, lines in found:
            with self.subTest(command):
                done = self.shell(command)
                shown = done.stdout + done.stderr
                self.assertIsNotNone(re.fullmatch(pattern(lines), shown), f"{shown}\nexpected:\n" + "\n".join(lines))

    def test_the_manual_has_them(self):
        manual = self.run_well("--man-page").out.replace("\\-", "-").replace("\\e", "\\").splitlines()
        for command, _ in examples()[3:]:
            self.assertIn(command, manual)
