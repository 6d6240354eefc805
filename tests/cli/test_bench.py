"""bench: rows, files, plots, comparisons and refusals. No test depends on times."""

import csv
import io
import json
import os
import shutil
import stat
import unittest
import xml.etree.ElementTree
from pathlib import Path

from cli import Case

# A peer as a shell script. The tests replace {hello}, {device}, ... by its answers.
PEER = """#!/bin/sh
echo "{hello}"
while read -r verb rest; do
  case $verb in
    device) {device} ;;
    prepare) {prepare} ;;
    run) {run} ;;
    *) exit 0 ;;
  esac
done
"""
WELL = {"hello": "peer fake wall 1.2 of the shell", "device": "echo ready", "prepare": "echo ready",
        "run": "echo seconds 1e-3 value 1"}
FAST = ("--repeat", "2", "--quiet")


class WithPeers(Case):

    def folder_of(self, **peers):
        """A folder with these programs."""
        folder = self.path("peers-" + self.id().rsplit(".", 1)[-1])
        os.makedirs(folder, exist_ok=True)
        for name, text in peers.items():
            os.chmod(self.write(os.path.join(folder, name), text), stat.S_IRWXU)
        return folder

    def bench(self, *arguments, peers="/nonexistent", code=0, **environment):
        """Runs bench once, with the peers in the folder `peers`; by default there are none."""
        return self.run_well("bench", *FAST, *arguments, code=code,
                             environment={"CLREDUCE_PEERS": peers, **environment})

    def rows(self, *arguments, **options):
        answer = json.loads(self.bench(*arguments, "--json", **options).out)
        return answer, {(row["op"], row["type"], row["count"], row["name"]): row for row in answer["rows"]}


class Rows(WithPeers):

    def test_keys(self):
        answer, rows = self.rows("--sizes", "1000,2^10", "--strategy", "auto,device_serial")
        self.assertLessEqual({"clreduce", "date", "arguments", "clock", "repeat", "assumed", "devices", "peers",
                              "rows"},
                             set(answer))
        self.assertEqual(set(rows), {("sum", "float", count, name) for count in (1000, 1024)
                                     for name in ("auto", "device_serial", "copy", "read")})
        for row in rows.values():
            self.assertEqual(set(row), {"device", "op", "type", "count", "bytes", "kind", "name", "strategy", "finish",
                                        "order", "calls", "wall_clock", "device_clock", "correct", "refused"})
            self.assertIs(row["correct"], True, row)
            self.assertEqual(row["wall_clock"]["runs"], 2, row)
            self.assertLessEqual(row["wall_clock"]["lower"], row["wall_clock"]["seconds"])
            self.assertLessEqual(row["wall_clock"]["seconds"], row["wall_clock"]["upper"])
        self.assertEqual(rows["sum", "float", 1000, "auto"]["bytes"], 4000)
        self.assertEqual(rows["sum", "float", 1000, "auto"]["order"], "fixed/1")
        devices = [device["name"] for device in answer["devices"]]
        self.assertEqual(devices, [rows["sum", "float", 1000, "auto"]["device"]])

    def test_speeds_are_bytes_by_seconds(self):
        _, rows = self.rows("--sizes", "4096")
        for name, bytes_moved in (("auto", 16384), ("copy", 32768), ("read", 16384)):
            times = rows["sum", "float", 4096, name]["wall_clock"]
            self.assertAlmostEqual(times["gigabytes_per_second"], bytes_moved / times["seconds"] / 1e9, places=6,
                                   msg=name)

    def test_operators_and_types(self):
        _, rows = self.rows("sum,argmax", "--sizes", "100,5000", "--type", "float32,uchar")
        cases = {(op, kind, n) for op in ("sum", "argmax") for kind in ("float", "uchar") for n in (100, 5000)}
        self.assertEqual({key[:3] for key in rows}, cases)
        for key, row in rows.items():
            self.assertIs(row["correct"], True, key)

    def test_ranges_of_sizes(self):
        for sizes, counts in (("16..64", [16, 64]), ("2^4..100:2", [16, 32, 64, 100]), ("64,7,64,7..7", [7, 64])):
            answer, _ = self.rows("--sizes", sizes)
            self.assertEqual([row["count"] for row in answer["rows"] if row["name"] == "auto"], counts, sizes)

    def test_fewer_elements_than_a_load(self):
        _, rows = self.rows("--sizes", "3")
        self.assertIs(rows["sum", "float", 3, "auto"]["correct"], True)
        self.assertIsNone(rows["sum", "float", 3, "read"]["correct"])
        self.assertIn("load", rows["sum", "float", 3, "read"]["refused"])

    def test_orders_and_finishes(self):
        _, rows = self.rows("--sizes", "5000", "--strategy", "chunked+relaunch,auto:any")
        self.assertEqual(rows["sum", "float", 5000, "chunked+relaunch"]["finish"], "relaunch")
        self.assertEqual(rows["sum", "float", 5000, "auto:any"]["order"], "any")

    def test_a_strategy_that_is_refused_is_a_row(self):
        _, rows = self.rows("argmax", "--sizes", "64", "--strategy", "auto,atomic")
        self.assertIn("atomic", rows["argmax", "float", 64, "atomic"]["refused"])
        self.assertIsNone(rows["argmax", "float", 64, "atomic"]["wall_clock"]["seconds"])

    def test_table(self):
        out = self.bench("--sizes", "1024").out
        for word in ("sum of float", "wall", "device", "GB/s", "of limit", "limit: read", "limit: copy", "auto"):
            self.assertIn(word, out)
        self.assertNotIn("WRONG", out)

    def test_csv(self):
        run = self.bench("--sizes", "1024,2048", "--csv", "-")
        lines = list(csv.DictReader(io.StringIO(run.out)))
        self.assertEqual([(line["count"], line["name"]) for line in lines],
                         [(count, name) for count in ("1024", "2048") for name in ("auto", "copy", "read")])
        for line in lines:
            self.assertEqual(line["correct"], "true")
            self.assertGreater(float(line["wall_seconds"]), 0)
        path = self.path("rows.csv")
        self.bench("--sizes", "1024", "--csv", path)
        self.assertEqual(Path(path).read_text().splitlines()[0], run.out.splitlines()[0])


def wrong_kernels(case):
    """A folder of kernels that double each element."""
    right = "#define READ_PLAIN(type, pointer) (*(pointer))"
    return case.changed_kernels("words/input.clh", right, right[:-1] + " * 2)")


class Wrong(WithPeers):

    def test_kernels_that_read_wrongly(self):
        folder = wrong_kernels(self)
        for kind, op in (("float", "sum"), ("uchar", "argmax")):
            run = self.bench(op, "--type", kind, "--sizes", "64", "--strategy", "device_serial", "--json", code=3,
                             CLREDUCE_CL_DIR=folder)
            self.assertIn("device_serial", run.err)
            rows = {row["name"]: row["correct"] for row in json.loads(run.out)["rows"]}
            self.assertEqual(rows, {"device_serial": False, "copy": True, "read": True})


class Compare(WithPeers):

    def baseline(self, name, change=lambda answer: None):
        answer, _ = self.rows("--sizes", "64,128")
        change(answer)
        return self.write(name, json.dumps(answer))

    def times(self, factor, answer):
        for row in answer["rows"]:
            row["wall_clock"]["seconds"] *= factor

    def compared(self, path, *arguments, code=0):
        answer, _ = self.rows("--compare", path, *arguments, code=code)
        return {row["count"]: row for row in answer["comparison"]}

    def test_better_and_worse(self):
        slow = self.baseline("slow.json", lambda answer: self.times(1e4, answer))
        for row in self.compared(slow, "--sizes", "64,128", "--fail-below", "0.95").values():
            self.assertGreater(row["ratio"], 1)
            self.assertEqual((row["slower"], row["missing"]), (False, None))
        fast = self.baseline("fast.json", lambda answer: self.times(1e-4, answer))
        rows = self.compared(fast, "--sizes", "64,128")
        self.assertEqual([row["slower"] for row in rows.values()], [True, True])
        self.compared(fast, "--sizes", "64,128", "--fail-below", "0.5", code=3)
        run = self.bench("--sizes", "64", "--compare", fast)
        self.assertIn("SLOWER", run.out)

    def test_the_limit_and_peers_are_not_compared(self):
        rows = self.compared(self.baseline("same.json"), "--sizes", "64,128")
        self.assertEqual({row["name"] for row in rows.values()}, {"auto"})

    def test_missing_rows(self):
        path = self.baseline("both.json")
        rows = self.compared(path, "--sizes", "128,256")
        self.assertEqual({count: row["missing"] for count, row in rows.items()},
                         {64: "now", 128: None, 256: "baseline"})
        self.assertEqual((rows[64]["ratio"], rows[256]["ratio"]), (None, None))
        run = self.bench("--sizes", "128,256", "--compare", path)
        self.assertIn("not measured now", run.out)
        self.assertIn("not in the baseline", run.out)

    def test_rows_without_times(self):
        path = self.baseline("odd.json", lambda answer: [row.update(wall_clock=None) for row in answer["rows"]])
        for row in self.compared(path, "--sizes", "64").values():
            self.assertEqual((row["missing"], row["slower"]), ("baseline", False))


def words_of(picture):
    """All text of an SVG file."""
    root = xml.etree.ElementTree.parse(picture).getroot()
    return " ".join("".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text"))


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class Plot(WithPeers):

    def test_svg(self):
        path = self.path("speed.svg")
        self.bench("--sizes", "64,256", "--strategy", "auto,device_serial", "--plot", path,
                   peers=self.folder_of(fake=PEER.format(**{**WELL, "hello": "peer fake wall 1"})), code=3)
        words = words_of(path)
        for word in ("elements n", "GB/s read and written", "microseconds", "sum of float", "clreduce, auto",
                     "clreduce, device_serial", "limit: fastest reading", "copy (in + out)", "peer: fake",
                     "wall clock"):
            self.assertIn(word, words)

    def test_png_of_several(self):
        path = self.path("speed.png")
        self.bench("sum,argmax", "--sizes", "64,256", "--clock", "device", "--plot", path)
        self.assertEqual(Path(path).read_bytes()[:8], b"\x89PNG\r\n\x1a\n")


class WithoutGnuplot(WithPeers):

    def test_is_refused_before_anything_is_measured(self):
        path = self.path("never.svg")
        run = self.run_well("bench", "--plot", path, code=1,
                            environment={"PATH": self.folder, "CLREDUCE_PEERS": "/nonexistent"})
        self.assertEqual((run.out, run.err.count("\n")), ("", 1))
        self.assertIn("gnuplot", run.err)
        self.assertFalse(os.path.exists(path))
