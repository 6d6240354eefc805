"""--plot of bench, ladder and tune: scripts for gnuplot have the numbers of the answers, and pictures their words."""

import json
import os
import shutil
import unittest
import xml.etree.ElementTree
from math import isclose
from pathlib import Path

from cli import Case
from test_ladder import ROWS

LADDER = ("ladder", "-n", "1000", "--repeat", "1")
TUNE = ("tune", "--textbook", "-n", "3000", "--repeat", "1")
BENCH = ("bench", "--repeat", "2", "--quiet", "--sizes", "64,256")


def table_of(script, name):
    """A table in a script of gnuplot: a list of rows."""
    lines = script.split(f"${name} << EOD\n")[1].split("\nEOD\n")[0].split("\n")
    return [dict(zip(lines[0].split("\t"), line.split("\t"))) for line in lines[1:]]


def drawn(test, *arguments):
    """The answer of --json, and the script for gnuplot that drew the same rows."""
    gnuplot, picture = Path(test.path("gnuplot")), test.path("picture.svg")
    gnuplot.write_text('#!/bin/sh\ncat > "$(dirname "$0")/script.gp"\n', encoding="utf-8")
    gnuplot.chmod(0o755)
    path = f"{test.directory}:{os.environ['PATH']}"
    run = test.run_well(*arguments, "--json", "--plot", picture, environment={"PATH": path})
    test.assertTrue(os.path.exists(picture))
    return json.loads(run.out), Path(test.path("script.gp")).read_text(encoding="utf-8")


class Scripts(Case):

    def test_bars_are_the_rows_times(self):
        answer, script = drawn(self, "ladder", "-n", "1000", "--repeat", "1", "--finish", "host")
        bars = table_of(script, "rows")
        self.assertEqual([bar["name"] for bar in bars], [row["name"] for row in answer["rows"]])
        for bar, row in zip(bars, answer["rows"]):
            for column, seconds in (("wall", "wall_seconds"), ("kernels", "kernel_seconds")):
                value = float("nan") if row[seconds] is None else row[seconds] * 1e6
                self.assertTrue(isclose(float(bar[column]), value) or (bar[column].lower() == "nan" and value != value))
        self.assertIn("refused", next(bar["label"] for bar in bars if bar["name"] == "atomic"))

    def test_a_map_s_cells_are_the_trials(self):
        answer, script = drawn(self, *TUNE, "--strategy", "persistent,hand_off,host_serial", "--try",
                               "group_size=64,128", "--try", "groups=2,4,6", "--try", "stop_at=32,128")
        cells = table_of(script, "cells")
        self.assertEqual((len(cells), len(answer["rows"])), (1 + 2 * 3 + 2 * 2, 1 + len(cells)))
        for cell, row in zip(cells, answer["rows"][1:]):
            values = [row["group_size"], row[cell["parameter"]] if cell["parameter"] else None]
            self.assertEqual((cell["strategy"], cell["group_size"], cell["value"]),
                             (row["name"], *(str(value or 0) for value in values)))
            ran = row["refused"] is None
            self.assertEqual((cell["label"] != "-", cell["best"] == "1"), (ran, row["to_best"] == 1))
            self.assertTrue(not ran or isclose(float(cell["microseconds"]), row["wall_seconds"] * 1e6))

    def test_without_gnuplot_nothing_is_measured(self):
        path = self.path("never.svg")
        run = self.run_well("bench", "--plot", path, code=1, environment={"PATH": self.path("nothing")})
        self.assertEqual((run.out, run.err.count("\n")), ("", 1))
        self.assertIn("gnuplot", run.err)
        self.assertFalse(os.path.exists(path))


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class Pictures(Case):

    def test_words(self):
        for command, words in (
                ((*LADDER,), ("sum of 1000 elements of float", "whole call", "its kernels", "microseconds", *ROWS)),
                ((*TUNE, "--strategy", "local_coarsened", "--try", "group_size=64,2^20", "--try", "elements=2,4"),
                 ("sum of 3000 elements of float", "local_coarsened", "group_size", "elements", "64", "1048576", "2")),
                ((*BENCH, "--strategy", "auto,device_serial"),
                 ("elements n", "GB/s", "microseconds", "sum of float", "auto", "device_serial", "wall clock"))):
            picture = self.path("picture.svg")
            self.run_well(*command, "--plot", picture)
            root = xml.etree.ElementTree.parse(picture).getroot()
            found = ["".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text")]
            for word in words:
                self.assertIn(word, " ".join(found))

    def test_png_of_several(self):
        path = self.path("speed.png")
        self.run_well(*BENCH, "sum,argmax", "--clock", "device", "--plot", path)
        self.assertEqual(Path(path).read_bytes()[:8], b"\x89PNG\r\n\x1a\n")
