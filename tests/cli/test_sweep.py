"""ladder --sweep: the trials, the best one, the maps, and interrupts."""

import json
import os
import pty
import shutil
import signal
import subprocess
import unittest
from math import isclose

from cli import PATIENCE, TOOL, Case, Run
from test_bench import words_of
from test_ladder import Drawn, table_of

SMALL = ("--sweep", "--strategy", "local_coarsened,local_sequential", "--try", "group_size=3,64,2^20", "--try",
         "elements=2,4", "-n", "3000")


class Sweep(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.answer = json.loads(Run(["ladder", *SMALL, "--json"]).out)

    def test_every_combination_is_a_row(self):
        rows = [(row["name"], row["tried"]["group_size"], row["tried"]["elements"]) for row in self.answer["rows"]]
        self.assertEqual(rows, [("auto", None, None), ("local_coarsened", None, None),
                                *(("local_coarsened", size, many) for size in (3, 64, 2**20) for many in (2, 4)),
                                ("local_sequential", None, None),
                                *(("local_sequential", size, None) for size in (3, 64, 2**20))])
        self.assertEqual((self.answer["trials"], self.answer["interrupted"]), (len(rows), False))

    def test_what_does_not_fit_is_a_row(self):
        for row in self.answer["rows"]:
            fits = row["tried"]["group_size"] in (None, 64)
            self.assertEqual((row["refused"] is None, row["correct"]), (fits, True if fits else None), row)
            self.assertEqual(set(row), set(self.answer["rows"][0]))
            if fits and row["tried"]["group_size"]:
                self.assertEqual(row["group_size"], 64)
            if not fits:
                self.assertIn("group_size", row["refused"])

    def test_the_best_and_auto(self):
        rows = self.answer["rows"]
        ran = [row for row in rows[1:] if row["refused"] is None]
        best = min(ran, key=lambda row: row["wall_seconds"])
        self.assertIs(rows[self.answer["best"]], best)
        self.assertTrue(isclose(self.answer["auto_excess"], rows[0]["wall_seconds"] / best["wall_seconds"] - 1,
                                abs_tol=1e-9))
        for row in ran:
            self.assertTrue(isclose(row["to_best"], row["wall_seconds"] / best["wall_seconds"]))

    def test_text(self):
        lines = self.run_well("ladder", *SMALL, "--repeat", "1").out.splitlines()
        self.assertEqual([line for line in lines if len(line) > 100], [])
        self.assertEqual(sum(" best" in line for line in lines if line.startswith("local_")), 1)
        self.assertTrue(lines[-2].startswith("best: local_") and lines[-1].startswith("auto: "))
        self.assertRegex(lines[-1], r"^auto: \w+, [\d.]+ [um]?s, \d+ % (less|more) than the best trial$")

    def test_a_strategy_that_refuses_the_problem_says_why(self):
        rows = self.json("ladder", "--sweep", "--strategy", "persistent", "--try", "groups=2", "--stage", "registers",
                         "--repeat", "1", "-n", "3000")["rows"]
        self.assertEqual([row["name"] for row in rows], ["auto", "persistent"])
        self.assertIn("stage cannot be set", rows[1]["refused"])

    def test_an_option_fixes_a_number(self):
        rows = self.json("ladder", "--sweep", "--strategy", "hand_off", "--group-size", "128", "--try",
                         "stop_at=32,64", "--repeat", "1", "-n", "3000")["rows"]
        self.assertEqual([(row["tried"]["group_size"], row["tried"]["stop_at"]) for row in rows],
                         [(None, None), (None, None), (128, 32), (128, 64)])
        self.assertEqual([row["stop_at"] for row in rows[2:]], [32, 64])

    def test_a_sweep_without_end_is_refused(self):
        few = ("ladder", "--sweep", "--strategy", "local_sequential", "--try", "group_size=32,64", "-n", "3000",
               "--repeat", "1")
        self.assert_refused(*few, "--most-trials", "3", naming=["--sweep", "--most-trials 4"])
        self.assertEqual(len(self.json(*few, "--most-trials", "4")["rows"]), 4)
        self.assert_refused("ladder", "--sweep", "--strategy", "local_coarsened", "--try", "group_size=1..2^20:2",
                            "--try", "elements=1..2^20:2", naming="--most-trials 443")

    def test_a_failure_prints_the_trials_before_it(self):
        directory = self.changed_kernels("strategies/hand_off.cl", "{", "{ no C")
        run = Run(["ladder", "--sweep", "--strategy", "local_sequential,hand_off", "--try", "group_size=64", "-n",
                   "3000", "--repeat", "1"], environment={"CLREDUCE_CL_DIR": directory})
        self.assertEqual((run.code, run.err.count("\n")), (1, 1), str(run))
        self.assertEqual(sum(line.startswith(("auto ", "local_sequential ")) for line in run.out.splitlines()), 3)
        self.assertTrue(run.out.endswith("not complete: 3 of 7 trials\n"))

    def test_an_interrupt_prints_what_is_there(self):
        many = ",".join(str(number) for number in range(1, 101))
        keeper, terminal = pty.openpty()
        process = subprocess.Popen([TOOL, "ladder", "--json", "--sweep", "--strategy", "local_coarsened", "--try",
                                    f"elements={many}", "--most-trials", "1000", "--repeat", "3"],
                                   stdout=subprocess.PIPE, stderr=terminal)
        os.close(terminal)
        shown = b""
        while b"local_coarsened" not in shown:
            shown += os.read(keeper, 4096)
        process.send_signal(signal.SIGINT)
        out, _ = process.communicate(timeout=120 * PATIENCE)
        os.close(keeper)
        answer = json.loads(out)
        self.assertEqual((process.returncode, answer["interrupted"], answer["trials"]), (-signal.SIGINT, True, 602))
        self.assertGreater(len(answer["rows"]), 1)
        self.assertLess(len(answer["rows"]), 602)
        self.assertIsNotNone(answer["auto_excess"])


class Maps(Drawn):

    def test_a_map_s_cell_is_the_best_of_its_trials(self):
        answer, script = self.drawn("--sweep", "--strategy", "persistent,hand_off", "--try", "group_size=64,128",
                                    "--try", "groups=2,4,6", "--try", "stop_at=32,128", "--repeat", "1", "-n", "3000")
        cells = table_of(script, "cells")
        self.assertEqual(len(cells), 2 * 3 + 2 * 2)
        best = answer["rows"][answer["best"]]
        for panel, (strategy, up, values) in enumerate((("persistent", "groups", (2, 4, 6)),
                                                        ("hand_off", "stop_at", (32, 128))), 1):
            for cell in (cell for cell in cells if int(cell["panel"]) == panel):
                tried = ((64, 128)[int(cell["x"])], values[int(cell["y"])])
                rows = [row for row in answer["rows"]
                        if row["name"] == strategy and (row["tried"]["group_size"], row["tried"][up]) == tried]
                self.assertEqual(len(rows), 1)
                if rows[0]["refused"] is None:
                    self.assertTrue(isclose(float(cell["microseconds"]), rows[0]["wall_seconds"] * 1e6))
                self.assertEqual((cell["label"] == "-", cell["best"] == "1"),
                                 (rows[0]["refused"] is not None, rows[0] is best))

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_words(self):
        picture = self.path("maps.svg")
        self.run_well("ladder", "-n", "1000", "--repeat", "1", "--sweep", "--strategy", "local_coarsened", "--try",
                      "group_size=32,64", "--try", "elements=2,4", "--plot", picture)
        words = words_of(picture)
        for word in ("sum of 1000 elements of float", "local_coarsened", "group_size", "elements", "32", "64", "2",
                     "4"):
            self.assertIn(word, words)
