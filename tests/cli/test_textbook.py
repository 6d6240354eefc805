"""docs/textbook.md and docs/lesson.md: every command is run, and its output has the words that the page shows.

textbook.md has blocks of commands, each followed by a table of three columns: a lecture's numbers in bold, words of the
output as `code`, and a remark, which must say so if the output does not have the lecture's number. lesson.md has
commands behind "$ ", each followed by a part of its output. Times are not compared.
"""

import os
import re
import shutil
import subprocess

from cli import KERNELS, PATIENCE, SETTLED, TOOL, Case

DOCS = KERNELS.parent / "docs"


def tokens(text):
    """The words without punctuation at their ends."""
    return [word.rstrip(",.:;") or word for word in text.split()]


def has(text, words):
    """Whether these words stand in the text, one after the other."""
    return f" {' '.join(tokens(words))} " in f" {' '.join(tokens(text))} "


def codes(cell):
    return re.findall(r"`([^`]+)`", cell)


def bold(cell):
    """The lecture's numbers."""
    return [word for part in re.findall(r"\*\*([^*]+)\*\*", cell) for word in part.split()]


def shown(cell):
    """The words of the output, and its numbers as C's %g prints them: some lectures round."""
    words = {word for code in codes(cell) for word in tokens(code)}
    return words | {f"{float(word):g}" for word in words if word.isdigit()}


def joined(lines):
    """The commands. A line that ends with a backslash or a pipe continues on the next line."""
    text = re.sub(r"\\\n\s*", "", "\n".join(lines))
    return re.sub(r"\|\n\s*", "| ", text).split("\n")


def numbers_of_lectures():
    """The page without its last part, which explains the columns of the output."""
    return (DOCS / "textbook.md").read_text(encoding="utf-8").partition("\n## The analysis of trees")[0]


def read_blocks(text):
    """Pairs of commands and the rows of the table below them."""
    blocks, code = [], []
    for line in text.split("\n"):
        if line.startswith("    "):
            code.append(line[4:])
            continue
        if code:
            blocks.append((joined(code), []))
            code = []
        cells = [cell.strip() for cell in line.strip("|").split("|")] if line.startswith("|") else []
        if len(cells) == 3 and cells[1] not in ("here", "---"):
            blocks[-1][1].append(cells)
    return blocks


class Commands(Case):
    """Each command runs once, in a directory with nothing but the tool. Pictures are not drawn."""

    ran = {}

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        os.mkdir(cls.path("bin"))
        os.symlink(os.path.abspath(TOOL), cls.path("bin/clreduce"))
        os.symlink(shutil.which("cat"), cls.path("bin/gnuplot"))

    def shell(self, command):
        return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=120 * PATIENCE,
                              cwd=self.directory, check=False, env={
                                  **os.environ, **SETTLED, "PATH": f"{self.path('bin')}:{os.environ['PATH']}"})

    def output(self, command, code=0):
        done = self.ran[command] = self.ran.get(command) or self.shell(command)
        if code == 0 and re.search(r"is above (the device's|what max_work_group_size allows)", done.stderr):
            self.skipTest(f"the lecture's device is larger than this one: {done.stderr}")
        self.assertEqual(done.returncode, code, f"{command}\n{done.stderr}")
        return done.stdout + done.stderr


class Textbook(Commands):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.blocks = read_blocks(numbers_of_lectures())
        cls.rows = [(commands, row) for commands, rows in cls.blocks for row in rows]

    def test_each_number(self):
        for commands, (lecture, here, remark) in self.rows:
            with self.subTest(lecture):
                out = "\n".join(self.output(command, 2 if "refused" in remark else 0) for command in commands)
                for words in codes(here):
                    self.assertTrue(has(out, words), f"{commands}: no {words} in\n{out}")
                missing = [number for number in bold(lecture) if number not in shown(here)]
                self.assertEqual(bool(missing), remark.startswith(("**differs:**", "**derived:**")), missing)

    def test_each_command_shows_a_number(self):
        for commands, rows in self.blocks:
            self.assertTrue(rows and all("clreduce " in command for command in commands), commands)
            for row in rows:
                self.assertTrue(codes(row[1]), row)

    def test_no_number_is_lost(self):
        text = numbers_of_lectures()
        self.assertEqual(sum(len(bold(row[0])) or 1 for _, row in self.rows),
                         int(re.search(r"It checks (\d+) numbers", text).group(1)))


class Lesson(Commands):

    def test_each_command(self):
        """The lines below a command are lines of its output. Rows of strategies have times after the third word."""
        text = (DOCS / "lesson.md").read_text(encoding="utf-8")
        blocks = [re.sub(r"\\\n\s*", "", block) for block in re.findall(r"```\n\$ (.*?)```", text, re.S)]
        self.assertEqual(len(blocks), 11)
        for block in blocks:
            command, *lines = block.strip("\n").split("\n")
            with self.subTest(command):
                out = self.output(command)
                for line in lines:
                    words = " ".join(line.split()[:3]) if re.search("ladder|--textbook", command) else line
                    self.assertTrue(line.strip() == "..." or has(out, words), f"no {words} in\n{out}")
