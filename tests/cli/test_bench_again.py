"""bench --from: the rows of an earlier run, shown again without a device."""

import json
import shutil
import unittest
from pathlib import Path

from cli import Run
from test_bench import WithBench, words_of
from test_terminal import shown


class Again(WithBench):
    """The earlier run is made once."""
    measured = None

    def measure(self):
        path = self.path("measured.csv")
        answer, _ = self.rows("sum,minmax", "--sizes", "3,256", "--strategy", "auto,atomic", "--csv", path)
        return json.dumps(answer), Path(path).read_text()

    def saved(self, name, change=lambda answer: None):
        """A file with the output of --json, and the text of --csv, for the same rows."""
        Again.measured = Again.measured or self.measure()
        answer = json.loads(Again.measured[0])
        change(answer)
        return self.write(name + ".json", json.dumps(answer)), Again.measured[1]

    def test_the_same_rows(self):
        path, text = self.saved("same")
        self.assertIn("refused", text)
        run = Run(["bench", "--from", path, "--csv", "-"])
        self.assertEqual((run.code, run.out), (0, text))

    def test_the_same_table(self):
        path, _ = self.saved("table")
        answer = json.loads(Path(path).read_text())
        run = Run(["bench", "--from", path])
        for row in answer["rows"]:
            self.assertIn(row["name"], run.out)
        self.assertIn(answer["date"][:10], run.out)
        self.assertIn("up to 2 alternate runs", run.out)

    def test_the_table_fits_80_columns(self):
        """A long name has a line of its own, also next to a baseline."""
        long = "persistent_interleaved+last_group"

        def change(answer):
            answer["rows"][0].update(name=long, op="count_nonzero", count=2**32)
        path, _ = self.saved("narrow", change)
        faster, _ = self.saved("faster", lambda answer: (change(answer), answer["rows"][0]["wall_clock"].update(
            dict.fromkeys(("seconds", "lower", "upper"), 1e-9))))
        lines = shown({}, "bench", "--from", path, "--compare", faster, columns=80).splitlines()
        self.assertTrue(70 < max(map(len, lines)) <= 80, lines)
        self.assertEqual(sum(line.endswith(f" {long}") for line in lines), 2)

    def test_nothing_is_opened(self):
        path, text = self.saved("alone")
        run = Run(["bench", "--from", path, "--csv", "-"], environment={"OCL_ICD_VENDORS": "/nonexistent"})
        self.assertEqual((run.code, run.out), (0, text))

    def test_compared(self):
        path, _ = self.saved("now")
        run = Run(["bench", "--from", path, "--compare", path])
        self.assertIn("1.000", run.out)

    def test_wrong_results_stay_wrong(self):
        path, _ = self.saved("wrong", lambda answer: answer["rows"][0].update(correct=False))
        self.assertEqual(Run(["bench", "--from", path]).code, 3)

    def test_options_of_a_measurement_are_refused(self):
        path, _ = self.saved("refused")
        lines = ("max", "--type int", "--strategy auto", "--sizes 64", "--device 0", "--repeat 3",
                 "--assume cpu=0", "--json")
        self.assert_each_refused(f"bench --from {path}", {
            line: (line.split()[0] if "-" in line else "OP", "--from") for line in lines})

    def test_damaged_members(self):
        def wrong(key, value):
            return lambda answer: answer["rows"][1].update({key: value})
        for key, value in (("device", "another"), ("count", 0), ("count", -1), ("count", 1e300), ("bytes", 0),
                           ("bytes", "x"), ("name", "x" * 64), ("strategy", 5), ("finish", []), ("order", {}),
                           ("calls", None),
                           ("wall_clock", None),
                           ("wall_clock", {"seconds": -1, "lower": 1, "upper": 1, "runs": 1}),
                           ("device_clock", {"seconds": None}),
                           ("correct", None), ("correct", 1), ("refused", 1)):
            path, _ = self.saved("member", wrong(key, value))
            self.assert_refused("bench", "--from", path, naming=["--from", "row 2", key])

    def test_damaged_files(self):
        for key, value in (("date", 5), ("date", "x" * 40), ("repeat", "3"), ("devices", None), ("devices", [{}]),
                           ("devices", [{"name": "x"}] * 33),
                           ("rows", []), ("rows", None)):
            path, _ = self.saved("file", lambda answer, key=key, value=value: answer.update({key: value}))
            self.assert_refused("bench", "--from", path, naming=["--from", key.rstrip("s")])
        self.assert_refused("bench", "--from", self.write("text.json", "rows"), naming=["--from", "JSON"])
        self.assert_refused("bench", "--from", self.path("absent.json"), code=1, naming="absent.json")

    @unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
    def test_plotted(self):
        path, _ = self.saved("plotted")
        picture = self.path("again.svg")
        self.assertEqual(Run(["bench", "--from", path, "--plot", picture, "--quiet"]).code, 0)
        words = words_of(picture)
        for word in ("sum of float", "minmax of float", "auto", "atomic"):
            self.assertIn(word, words)
