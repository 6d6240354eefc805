"""reduce top:K and bottom:K with --rows: lines of text."""

import gzip

import numpy as np

from cli import Case


class Lines(Case):
    """--rows: the lines of the chosen elements, best first."""
    TEXT = 'name,n\n"a, b",3\r\n"two\nlines",9\nx,NA\ny,7\n\nz,7\nw,-1'

    def test_lines(self):
        path, skip = self.write("q.csv", self.TEXT), ("--missing", "skip", "--rows")
        best = 'name,n\n"two\nlines",9\ny,7\nz,7\n'
        for rest in (("--column", "n"), ("--column", "2", "--header", "yes")):
            self.assertEqual(self.run_well("reduce", "top:3", path, *rest, *skip, "--verify").out, best)
        for content in (self.TEXT.encode(), gzip.compress(self.TEXT.encode())):
            self.assertEqual(self.run_well("reduce", "top:3", "-", "--column", "n", *skip, stdin=content).out, best)
        self.assertEqual(self.run_well("reduce", "bottom:2", path, "--column", "n", *skip).out,
                         'name,n\nw,-1\n"a, b",3\r\n')
        self.assertEqual(self.run_well("reduce", "bottom:2", "-", "--rows", stdin=b" 5\n4 \n7\n").out, "4 \n 5\n")

    def test_groups(self):
        rows = [f"{city},{x}" for city, x in (("Rome", 1), ("", 9), ("Oslo", 4), ("Rome", 8), ("Oslo", 4), ("Oslo", 2))]
        path = self.write("g.csv", "\n".join(["city,x", *rows, ""]))
        rest = ("--column", "x", "--group", "city", "--missing", "skip", "--rows")
        self.assertEqual(self.run_well("reduce", "top:2", path, *rest).out.splitlines(),
                         ["city,x", "Oslo,4", "Oslo,4", "Rome,8", "Rome,1"])

    def test_long_text(self):
        """The lines stand in several windows of the reader, among rows of every sort."""
        random = np.random.default_rng(9)
        values = random.permutation(60000)
        lines = [f'{x},"line {i}, quoted"' if i % 7 == 0 else f"{x},line {i}" for i, x in enumerate(values)]
        path = self.write("long.csv", "x,text\n" + "\n".join(lines) + "\n")
        order = np.argsort(-values)[:500]
        out = self.run_well("reduce", "top:500", path, "--column", "x", "--rows").out
        self.assertEqual(out.splitlines(), ["x,text"] + [lines[i] for i in order])
