"""bench: rows, files, comparisons and refusals. No test depends on times."""

import csv
import io
import json
from pathlib import Path

from cli import Case
from test_terminal import shown

FAST = ("--repeat", "2", "--quiet")


class WithBench(Case):

    def bench(self, *arguments, code=0, **environment):
        return self.run_well("bench", *FAST, *arguments, code=code, environment=environment)

    def rows(self, *arguments, **options):
        answer = json.loads(self.bench(*arguments, "--json", **options).out)
        return answer, {(row["op"], row["type"], row["count"], row["name"]): row for row in answer["rows"]}


class Rows(WithBench):

    def test_keys(self):
        answer, rows = self.rows("--sizes", "1000,2^10", "--strategy", "auto,device_serial")
        self.assertLessEqual({"clreduce", "date", "arguments", "clock", "repeat", "assumed", "devices", "rows"},
                             set(answer))
        self.assertEqual(set(rows), {("sum", "float", count, name) for count in (1000, 1024)
                                     for name in ("auto", "device_serial")})
        for row in rows.values():
            self.assertEqual(set(row), {"device", "op", "type", "count", "bytes", "name", "strategy", "finish",
                                        "order", "calls", "wall_clock", "device_clock", "correct", "refused"})
            self.assertIs(row["correct"], True, row)
            self.assertEqual(row["wall_clock"]["runs"], 2, row)
            self.assertLessEqual(row["wall_clock"]["lower"], row["wall_clock"]["seconds"])
            self.assertLessEqual(row["wall_clock"]["seconds"], row["wall_clock"]["upper"])
            speed = row["bytes"] / row["wall_clock"]["seconds"] / 1e9
            self.assertAlmostEqual(row["wall_clock"]["gigabytes_per_second"], speed, places=6)
        self.assertEqual(rows["sum", "float", 1000, "auto"]["bytes"], 4000)
        self.assertEqual(rows["sum", "float", 1000, "auto"]["order"], "fixed/1")
        devices = [device["name"] for device in answer["devices"]]
        self.assertEqual(devices, [rows["sum", "float", 1000, "auto"]["device"]])

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

    def test_orders_finishes_and_refused_strategies(self):
        _, rows = self.rows("--sizes", "5000", "--strategy", "chunked+relaunch,auto:any,atomic")
        self.assertEqual(rows["sum", "float", 5000, "chunked+relaunch"]["finish"], "relaunch")
        self.assertEqual(rows["sum", "float", 5000, "auto:any"]["order"], "any")
        self.assertIs(rows["sum", "float", 5000, "atomic"]["correct"], True)  # within bounds, with bits of its own
        refused = self.rows("argmax", "--sizes", "64", "--strategy", "auto,atomic")[1]["argmax", "float", 64, "atomic"]
        self.assertIn("atomic", refused["refused"])
        self.assertIsNone(refused["wall_clock"]["seconds"])

    def test_table(self):
        out = self.bench("--sizes", "1024").out
        for word in ("sum of float", "wall", "device", "GB/s", "auto"):
            self.assertIn(word, out)
        self.assertNotIn("WRONG", out)

    def test_csv(self):
        run = self.bench("--sizes", "1024,2048", "--csv", "-")
        lines = list(csv.DictReader(io.StringIO(run.out)))
        self.assertEqual([(line["count"], line["name"]) for line in lines], [("1024", "auto"), ("2048", "auto")])
        for line in lines:
            self.assertEqual(line["correct"], "true")
            self.assertGreater(float(line["wall_seconds"]), 0)
        path = self.path("rows.csv")
        self.bench("--sizes", "1024", "--csv", path)
        self.assertEqual(Path(path).read_text().splitlines()[0], run.out.splitlines()[0])


class Wrong(WithBench):

    def test_kernels_that_read_wrongly(self):
        right = "#define READ_PLAIN(type, pointer) (*(pointer))"
        directory = self.changed_kernels("common/input.clh", right, right[:-1] + " * 2)")
        run = self.bench("argmax", "--type", "uchar", "--sizes", "64", "--strategy", "device_serial", "--json", code=3,
                         CLREDUCE_CL_DIR=directory)
        self.assertIn("device_serial", run.err)
        self.assertEqual([row["correct"] for row in json.loads(run.out)["rows"]], [False])


class Compare(WithBench):

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

    def test_missing_rows(self):
        path = self.baseline("both.json")
        rows = self.compared(path, "--sizes", "128,256")
        self.assertEqual({count: row["missing"] for count, row in rows.items()},
                         {64: "now", 128: None, 256: "baseline"})
        self.assertEqual((rows[64]["ratio"], rows[256]["ratio"]), (None, None))
        none = dict.fromkeys(("seconds", "lower", "upper"))
        odd = self.baseline("odd.json", lambda answer: [row["wall_clock"].update(none) for row in answer["rows"]])
        for row in self.compared(odd, "--sizes", "64").values():
            self.assertEqual((row["missing"], row["slower"]), ("baseline", False))
        run = self.bench("--sizes", "128,256", "--compare", path)
        self.assertIn("not measured now", run.out)
        self.assertIn("no baseline", run.out)

    def test_the_table_fits_80_columns(self):
        """A long name has a line of its own."""
        long = "persistent_interleaved+last_group"
        path = self.baseline("long.json", lambda answer: answer["rows"][0].update(
            name=long, op="count_nonzero", count=2**32))
        lines = shown({}, "bench", *FAST, "--sizes", "64", "--compare", path, columns=80).splitlines()
        self.assertTrue(70 < max(map(len, lines)) <= 80, lines)
        self.assertEqual(sum(line.endswith(f" {long}") for line in lines), 1)

    def test_damaged_files(self):
        for key, value in (("device", 5), ("op", None), ("name", []), ("count", 0), ("count", 1e300), ("count", "x"),
                           ("wall_clock", None), ("wall_clock", {"seconds": -1}), ("device_clock", {"seconds": "x"})):
            row = {"device": "x", "op": "sum", "type": "float", "name": "auto", "count": 1,
                   "wall_clock": {"seconds": 1}, "device_clock": {"seconds": None}}
            path = self.write("damaged.json", json.dumps({"rows": [row, {**row, key: value}]}))
            self.assert_refused("bench", "--compare", path, naming=["--compare", "row 2", key])
