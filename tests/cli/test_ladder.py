"""ladder: every strategy on the same data, with the lecture's numbers and the analysis of each step."""

import json
import os
import unittest
from math import isclose

import numpy as np

from cli import PER_GROUP, WHOLE_ARRAY, Case, Run, wide_values

STRATEGIES = set(PER_GROUP) | set(WHOLE_ARRAY) | {"atomic", "wide", "chunked"}
# The order of the lecture.
ROWS = ["host_serial", "host_openmp", *WHOLE_ARRAY[1:],
        *(name + end for name in PER_GROUP for end in ("", "+host")), "atomic", "chunked", "wide"]
# Whether the tool was built with OpenMP.
HAS_OPENMP = os.environ.get("CLREDUCE_TEST_OPENMP", "1") == "1"


class Table(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.lines = Run(["ladder"]).out.splitlines()
        begin = next(i for i, line in enumerate(cls.lines) if line.startswith("strategy "))
        cls.heading, cls.rows = cls.lines[begin].split(), [line.split() for line in cls.lines[begin + 1:]]
        if not HAS_OPENMP:  # the row says why, in several lines
            cls.rows = [row for row in cls.rows if row[0] in (*STRATEGIES, "host_openmp", "analytic")]

    def test_rows_in_the_order_of_the_lecture(self):
        self.assertEqual([row[0] for row in self.rows], [name.partition("+")[0] for name in ROWS] + ["analytic"])
        for name, row in zip(ROWS, self.rows):
            if "+" in name:
                self.assertEqual(row[1], "host", row)

    def test_columns(self):
        self.assertEqual(self.heading, "strategy finish result time kernels launches ulps speedup effic. bound".split())
        for row in self.rows:
            if row[0] != "host_openmp" or HAS_OPENMP:
                self.assertRegex(" ".join(row), r" 8001\d\d\d(\.\d+)?( |$)")
        self.assertEqual(self.rows[-1], ["analytic", "8001840"])


class Json(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.answer = json.loads(Run(["ladder", "--json", "--assume", "compute_units=7"]).out)
        cls.rows = {row["name"]: row for row in cls.answer["rows"]}

    def test_rows(self):
        self.assertEqual([row["name"] for row in self.answer["rows"]], ROWS)
        for name, row in self.rows.items():
            self.assertEqual(row["strategy"], None if name == "host_openmp" else name.partition("+")[0])
            self.assertEqual(set(row), set(self.rows["host_serial"]), name)
            if "+" in name:
                self.assertEqual(row["finish"], "host")
            if name != "host_openmp" or HAS_OPENMP:
                self.assertEqual((row["correct"], row["refused"]), (True, None), name)

    def test_numbers(self):
        self.assertEqual(self.answer["analytic"], 8001840)
        self.assertAlmostEqual(self.rows["host_serial"]["result"], 8001035, delta=1)
        for name, launches in (("host_serial", 0), ("device_serial", 1), ("bottom_up", 13), ("top_down", 13),
                               ("bottom_up_mono", 1), ("top_down_mono", 1)):
            self.assertEqual(self.rows[name]["launches"], launches, name)

    def test_errors_in_units_in_the_last_place(self):
        """Between 2^22 and 2^23 such a unit is 0.5 for floats."""
        for name, row in self.rows.items():
            if row["result"] is not None:
                self.assertEqual((row["error"], row["error_ulp"]), (row["result"] - 8001840, 2 * row["error"]), name)

    def test_speedup_and_efficiency(self):
        first = self.rows["host_serial"]["wall_seconds"]
        self.assertEqual((self.answer["compute_units"], self.rows["host_serial"]["speedup"]), (7, 1))
        for name, row in self.rows.items():
            if row["wall_seconds"] is not None:
                self.assertTrue(isclose(row["speedup"], first / row["wall_seconds"]), name)
                self.assertTrue(isclose(row["efficiency"], row["speedup"] / 7), name)

    def test_amdahl_s_bound(self):
        with_kernels = [row for row in self.rows.values() if row["kernel_seconds"] is not None]
        self.assertEqual(len(with_kernels), len(ROWS) - 2)
        for row in with_kernels:
            outside = max(0, 1 - row["kernel_seconds"] / row["wall_seconds"])
            self.assertTrue(isclose(row["outside_share"], outside, abs_tol=1e-9), row)
            self.assertTrue(isclose(row["amdahl_bound"], 1 / (outside + (1 - outside) / 7), rel_tol=1e-6), row)
        for name in ("host_serial", "host_openmp"):
            self.assertEqual((self.rows[name]["outside_share"], self.rows[name]["amdahl_bound"]), (None, None))


class OpenMP(Case):
    """The row host_openmp: each thread sums one contiguous share, and the sums are combined in order."""

    def row(self, *arguments, threads=3):
        run = self.run_well("ladder", *arguments, "--json", "--repeat", "2",
                            environment={"OMP_NUM_THREADS": str(threads)})
        return next(row for row in json.loads(run.out)["rows"] if row["name"] == "host_openmp")

    def test_each_thread_folds_a_share(self):
        values = wide_values(10007, "float32")
        path = self.write("wide.npy", values)
        for threads in (1, 3, 8):
            ends = [len(values) * i // threads for i in range(threads + 1)]
            totals = [np.add.accumulate(values[a:b])[-1] for a, b in zip(ends, ends[1:])]
            row = self.row(path, threads=threads)
            if HAS_OPENMP:
                self.assertEqual(np.float32(row["result"]), np.add.accumulate(np.array(totals))[-1], threads)
                self.assertEqual((row["launches"], row["kernel_seconds"], row["correct"]), (0, None, True))
            else:
                self.assertIn("OpenMP", row["refused"])

    @unittest.skipUnless(HAS_OPENMP, "this build has no OpenMP")
    def test_more_threads_than_elements(self):
        self.assertEqual(self.row("--generate", "iota:3", "--type", "uchar", "--op", "xor", threads=8)["result"], 3)
        self.assertIn("state", self.row("--op", "argmin", "-n", "9")["refused"])


class Data(Case):

    def small(self, *arguments):
        return {row["name"]: row for row in self.json("ladder", *arguments, "--repeat", "1")["rows"]}

    def test_a_file(self):
        values = np.arange(1, 3001, dtype="float32")
        rows = self.small(self.write("ladder.npy", values))
        for name, row in rows.items():
            self.assertEqual(row["result"], 4501500, name)

    def test_one_finish(self):
        rows = self.small("-n", "1000", "--finish", "host")
        self.assertEqual(list(rows), [name for name in ROWS if "+" not in name])
        self.assertEqual({rows[name]["finish"] for name in (*PER_GROUP, "wide", "chunked")}, {"host"})
        self.assertIn("finish", rows["atomic"]["refused"])

    def test_one_element_and_none(self):
        self.assertEqual(self.small("-n", "1")["wide"]["result"], 1000.23)
        for row in self.small("-n", "0").values():
            self.assertEqual(row["result"], 0)

    def test_generated(self):
        """Integers have no units in the last place."""
        rows = self.small("--generate", "iota:2000", "--type", "long")
        self.assertEqual({(row["result"], row["error"], row["error_ulp"]) for row in rows.values()},
                         {(1999000, 0, None)})

    def test_other_operators(self):
        """Results of several parts, two inputs, and errors against exact values."""
        rows = self.small("--op", "argmin", "--generate", "normal:1000:2")
        self.assertEqual(set(rows["wide"]["result"]), {"index", "value"})
        for name, row in rows.items():
            if row["refused"] is None:
                self.assertEqual((row["result"], row["error"]), (rows["wide"]["result"], 0), name)
        rows = self.small("--op", "dot", "--generate", "iota:1000", "--type", "int", "--with", "generate:ones:1000")
        self.assertEqual({row["result"] for row in rows.values() if row["refused"] is None}, {499500})
        wide = self.small("--op", "var", "--generate", "normal:1000:2")["wide"]
        self.assertLess(abs(wide["error"] / wide["result"]), 1e-5)


class Explain(Case):

    def test_steps(self):
        out = self.run_well("ladder", "-n", "2000", "--repeat", "1", "--explain").out
        for word in ("divergent", "barriers", "stride", "in 11 launches\n", "in 1 launch\n"):
            self.assertIn(word, out)
        rows = {row["name"]: row for row in self.json("ladder", "-n", "2048", "--repeat", "1", "--explain")["rows"]}
        fields = {"pass", "name", "active_work_items", "sub_groups", "divergent_sub_groups", "barriers",
                  "global_accesses"}
        for name in STRATEGIES - {"host_serial"}:
            steps = rows[name]["steps"]
            self.assertGreater(len(steps), 0, name)
            for step in steps:
                self.assertLessEqual(fields, set(step), name)
        diverging = {name: sum(step["divergent_sub_groups"] for step in rows[name]["steps"])
                     for name in ("local_interleaved", "local_sequential")}
        self.assertGreater(diverging["local_interleaved"], diverging["local_sequential"])
