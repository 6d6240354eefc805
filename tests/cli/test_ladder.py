"""ladder: every strategy on the same data, with the lecture's numbers and the analysis of each step."""

import json
from math import isclose

import numpy as np

from cli import PER_GROUP, WHOLE_ARRAY, Case, Run

STRATEGIES = set(PER_GROUP) | set(WHOLE_ARRAY) | {"atomic", "wide", "chunked"}
# The order of the lecture.
ROWS = ["host_serial", *WHOLE_ARRAY[1:],
        *(name + end for name in PER_GROUP for end in ("", "+host")), "atomic", "chunked", "wide"]


class Table(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.lines = Run(["ladder"]).out.splitlines()
        begin = next(i for i, line in enumerate(cls.lines) if line.startswith("strategy "))
        cls.heading, cls.rows = cls.lines[begin].split(), [line.split() for line in cls.lines[begin + 1:]]

    def test_rows_in_the_order_of_the_lecture(self):
        self.assertEqual([row[0] for row in self.rows], [name.partition("+")[0] for name in ROWS] + ["analytic"])
        for name, row in zip(ROWS, self.rows):
            if "+" in name:
                self.assertEqual(row[1], "host", row)

    def test_columns(self):
        self.assertEqual(self.heading, "strategy finish result time kernels launches ulps speedup effic. bound".split())
        for row in self.rows:
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
            self.assertEqual(row["strategy"], name.partition("+")[0])
            self.assertEqual(set(row), set(self.rows["host_serial"]), name)
            if "+" in name:
                self.assertEqual(row["finish"], "host")
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
        self.assertEqual(len(with_kernels), len(ROWS) - 1)
        for row in with_kernels:
            outside = max(0, 1 - row["kernel_seconds"] / row["wall_seconds"])
            self.assertTrue(isclose(row["outside_share"], outside, abs_tol=1e-9), row)
            self.assertTrue(isclose(row["amdahl_bound"], 1 / (outside + (1 - outside) / 7), rel_tol=1e-6), row)
        loop = self.rows["host_serial"]
        self.assertEqual((loop["outside_share"], loop["amdahl_bound"]), (None, None))


class Data(Case):

    def small(self, *arguments):
        return {row["name"]: row for row in self.json("ladder", *arguments, "--repeat", "1")["rows"]}

    def test_count(self):
        answer = self.json("ladder", "-n", "1000", "--repeat", "1")
        self.assertEqual(answer["analytic"], 1000230)
        self.assertEqual({row["name"]: row for row in answer["rows"]}["bottom_up"]["launches"], 10)

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


class Explain(Case):

    def test_table(self):
        run = self.run_well("ladder", "-n", "2000", "--repeat", "1", "--explain")
        for word in ("divergent", "barriers", "stride", "in 11 launches\n", "in 1 launch\n"):
            self.assertIn(word, run.out + run.err)

    def test_json(self):
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
