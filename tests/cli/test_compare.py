"""tools/peers/compare.py: our side and peers, right or wrong. No test depends on times."""

import csv
import os
import shutil
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PEERS = Path(os.environ.get("CLREDUCE_TEST_PEERS", ""))
# A peer as a shell script. The tests replace {prepare}, {run} and {check} by its answers.
PEER = """#!/bin/sh
echo "{hello}"
while read -r verb rest; do
  case $verb in
    device) echo ready ;;
    prepare) {prepare} ;;
    run) {run} ;;
    check) {check} ;;
  esac
done
"""
WELL = {"hello": "peer fake wall 1.2 of the shell", "prepare": "echo ready", "run": "echo seconds 1e-3",
        "check": "echo value 1"}


@unittest.skipUnless((PEERS / "clreduce").exists(), "CLREDUCE_TEST_PEERS names no directory of peers")
class Compare(unittest.TestCase):

    def setUp(self):
        directory = tempfile.TemporaryDirectory(prefix="clreduce-peers-")
        self.addCleanup(directory.cleanup)
        self.build = Path(directory.name)
        shutil.copytree(PEERS, self.build / "peers")

    def fake(self, **changes):
        path = self.build / "peers" / "fake"
        path.write_text(PEER.format(**{**WELL, **changes}), encoding="utf-8")
        path.chmod(stat.S_IRWXU)

    def rows(self, task, *options, code=0):
        """The rows by what was measured, type and side."""
        table = self.build / "rows.csv"
        run = subprocess.run([sys.executable, "-B", ROOT / "tools/peers/compare.py", task, "--build", self.build,
                              "--runs", "2", "--csv", table, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                             check=False, encoding="utf-8")
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        with open(table, newline="", encoding="utf-8") as file:
            rows = [row for row in csv.DictReader(file) if row["clock"] == "wall"]
        return {(row["what"], row["type"], row["side"].split(",")[0]): row for row in rows}

    def test_values_agree(self):
        loops = 1 + (PEERS / "loops").exists()
        for task, options, what in (("reduce", ("--ops", "sum,max", "--types", "float", "--peers", "numpy"), 4),
                                    ("scan", ("--types", "uchar"), 2 * loops), ("keys", (), 3 * loops),
                                    ("scan", ("--bits", "own", "--types", "int", "--peers", "none"), 2),
                                    ("segments", ("--only", "of 16"), 4), ("histogram", (), 2 * loops),
                                    ("sort", ("--types", "float", "--data", "random,few", "--peers", "numpy:stable"),
                                     12)):
            rows = self.rows(task, "--sizes", "1000", *options)
            self.assertEqual(len(rows), what, rows)
            for row in rows.values():
                self.assertEqual((row["refused"], row["wrong"]), ("", ""), row)
                self.assertGreater(float(row["seconds"]), 0)

    def test_a_wrong_value_is_marked(self):
        for value in ("1", "nan", "words"):
            self.fake(check=f"echo value {value}")
            rows = self.rows("reduce", "--types", "float", "--sizes", "64", "--peers", "fake", code=3)
            self.assertEqual({key[2]: row["wrong"] for key, row in rows.items()}, {"ours": "", "fake": "wrong"})

    def test_a_peer_that_fails_costs_only_its_rows(self):
        for changes, word in (({"prepare": "exit 7"}, "ended"), ({"run": "exit 7"}, "ended"),
                              ({"run": "sleep 1000"}, "within"), ({"run": "echo seconds x"}, "no time"),
                              ({"run": "echo seconds -1"}, "no time"), ({"check": "echo maybe"}, "maybe"),
                              ({"hello": "hello"}, "first line"), ({"prepare": "echo refused no"}, "no")):
            with self.subTest(changes):
                self.fake(**changes)
                rows = self.rows("reduce", "--types", "float,int", "--sizes", "64", "--peers", "fake", "--patience",
                                 "2" if "sleep" in str(changes) else "60")
                for kind in ("float", "int"):
                    self.assertEqual(rows["sum", kind, "ours"]["wrong"], "")
                self.assertIn(word, rows["sum", "float", "fake"]["refused"])
                self.assertNotEqual(rows["sum", "int", "fake"]["refused"], "")
