"""ladder: every strategy on the same data, with the lecture's numbers and the analysis of each step."""

import json

import numpy as np

from cli import PER_GROUP, WHOLE_ARRAY, Case, Run

STRATEGIES = set(PER_GROUP) | set(WHOLE_ARRAY) | {"atomic", "wide", "chunked"}


def rows_of(answer):
    """The rows of an answer that is a list, or an object with a list."""
    return answer if isinstance(answer, list) else answer["rows"]


class Table(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.run_of_default = Run(["ladder"])
        cls.lines = cls.run_of_default.out.splitlines()

    def test_first_and_last(self):
        firsts = [(line.split() or [""])[0] for line in self.lines]
        named = [first for first in firsts if first in STRATEGIES | {"analytic"}]
        self.assertEqual((named[0], named[-1]), ("host_serial", "analytic"), str(self.run_of_default))
        self.assertEqual(set(named), STRATEGIES | {"analytic"})

    def test_the_lecture_s_numbers(self):
        rows = {line.split()[0]: line.split() for line in self.lines if line.split()}
        self.assertEqual(rows["analytic"][-1], "8001840")
        self.assertIn("8001035", rows["host_serial"])

    def test_columns(self):
        heading = next(line for line in self.lines if line.startswith("strategy"))
        for word in ("result", "time", "ns/element", "GB/s", "error", "launches"):
            self.assertIn(word, heading)
        for name in STRATEGIES:
            row = next(line for line in self.lines if line.split()[:1] == [name])
            self.assertRegex(row, r" 80(010|018)\d\d(\.\d+)? ", row)

    def test_launches(self):
        for name, launches in (("host_serial", "0"), ("device_serial", "1"), ("bottom_up", "13"), ("top_down", "13"),
                               ("bottom_up_mono", "1"), ("top_down_mono", "1")):
            row = next(line for line in self.lines if line.split()[:1] == [name])
            self.assertEqual(row.split()[-1], launches, row)


class Json(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.answer = json.loads(Run(["ladder", "--json"]).out)
        cls.rows = {row["name"]: row for row in rows_of(cls.answer)}

    def test_rows(self):
        names = [row["name"] for row in rows_of(self.answer)]
        self.assertEqual((names[0], names[-1]), ("host_serial", "analytic"))
        self.assertEqual(set(names), STRATEGIES | {"analytic"})

    def test_numbers(self):
        self.assertEqual(self.rows["analytic"]["result"], 8001840)
        self.assertAlmostEqual(self.rows["host_serial"]["result"], 8001035, delta=1)
        self.assertEqual(self.rows["bottom_up"]["launches"], 13)
        self.assertEqual(self.rows["top_down"]["launches"], 13)
        self.assertEqual(self.rows["bottom_up_mono"]["launches"], 1)

    def test_all_are_right(self):
        for name, row in self.rows.items():
            if name != "analytic":
                self.assertIs(row["correct"], True, name)


class Data(Case):

    def small(self, *arguments):
        return {row["name"]: row for row in rows_of(self.json("ladder", *arguments, "--repeat", "1"))}

    def test_count(self):
        rows = self.small("-n", "1000")
        self.assertEqual(rows["bottom_up"]["launches"], 10)
        self.assertEqual(rows["analytic"]["result"], 1000230)

    def test_a_file(self):
        values = np.arange(1, 3001, dtype="float32")
        rows = self.small(self.write("ladder.npy", values))
        for name, row in rows.items():
            self.assertEqual(row["result"], 4501500, name)

    def test_one_element_and_none(self):
        self.assertEqual(self.small("-n", "1")["wide"]["result"], 1000.23)
        for row in self.small("-n", "0").values():
            self.assertEqual(row["result"], 0)

    def test_generated(self):
        rows = self.small("--generate", "iota:2000", "--type", "long")
        self.assertEqual({row["result"] for row in rows.values()}, {1999000})


class Explain(Case):

    def test_table(self):
        run = self.run_well("ladder", "-n", "2000", "--repeat", "1", "--explain")
        for word in ("divergent", "barriers", "stride"):
            self.assertIn(word, run.out + run.err)

    def test_json(self):
        rows = {row["name"]: row for row in rows_of(self.json("ladder", "-n", "2048", "--repeat", "1", "--explain"))}
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


class Refused(Case):

    def test_bad_input(self):
        self.assert_refused("ladder", "-n", "x", naming="-n")
        self.assert_refused("ladder", "-n", "5", "--generate", "ones:5")
        self.assert_refused("ladder", self.write("five.raw", b"12345"), "--type", "int", naming="five.raw")
        self.assert_refused("ladder", "--op", "xor", naming="xor")
        self.assert_refused("ladder", "--op", "median", naming="median")
