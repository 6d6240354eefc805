"""query, list and plan."""

import unittest

from cli import PER_GROUP, TYPES, WHOLE_ARRAY, Case

FACTS = ("max_work_group_size", "kernel_work_group_size", "local_mem_size", "compute_units", "preferred_multiple",
         "max_alloc", "fp64", "int64_atomics", "cpu")


class Query(Case):

    def test_text(self):
        run = self.run_well("query")
        device = self.json("reduce", "sum", "--generate", "ones:1")["device"]
        self.assertIn(device, run.out)
        self.assertTrue("wide" in run.out or "chunked" in run.out, str(run))

    def test_json(self):
        devices = self.json("query")
        self.assertIsInstance(devices, list)
        self.assertGreater(len(devices), 0)
        for device in devices:
            self.assertIsInstance(device["name"], str)
            text = str(device)
            for fact in FACTS:
                self.assertIn(fact, text)

    def test_assumed(self):
        self.assertIn("17", self.run_well("query", "--assume", "compute_units=17").out)

    def test_one_device(self):
        self.assertEqual(len(self.json("query", "--device", "0")), 1)
        self.assert_refused("query", "--device", "99", naming="99")


class List(Case):

    def names(self, *arguments):
        rows = self.json("list", *arguments)
        self.assertIsInstance(rows, list)
        return [row["name"] for row in rows]

    def test_names(self):
        ops = ["add", "mul", "min", "max", "and", "or", "xor", "all", "any"]
        strategies = set(PER_GROUP + WHOLE_ARRAY) | {"wide", "chunked", "atomic"}
        self.assertEqual(self.names("ops"), ops)
        self.assertEqual(self.names("types"), list(TYPES))
        self.assertEqual(set(self.names("strategies")), strategies)
        self.assertLessEqual(set(ops) | set(TYPES) | strategies, set(self.names()))

    def test_text(self):
        for table, words in (("ops", ("xor", "sum")), ("types", ("uchar", "float64")),
                             ("strategies", ("bottom_up", "last_group"))):
            out = self.run_well("list", table).out
            for word in words:
                self.assertIn(word, out)


class Plan(Case):

    def test_says_what_would_run(self):
        strategy = self.json("reduce", "sum", "--generate", "uniform:100000")["strategy"]
        out = self.run_well("plan", "sum", "--generate", "uniform:100000").out
        for word in (strategy, "float", "fixed/1"):
            self.assertIn(word, out)

    def test_by_name(self):
        out = self.run_well("plan", "min", "--generate", "uniform:100000", "--type", "double", "--strategy",
                            "local_coarsened", "--finish", "relaunch").out
        for word in ("local_coarsened", "relaunch", "double"):
            self.assertIn(word, out)

    def test_of_a_file(self):
        path = self.write("plan.raw", bytes(400))
        self.assertIn("100", self.run_well("plan", "sum", path, "--type", "float").out)

    def test_json_is_json(self):
        self.assertEqual(self.json("plan", "sum", "--generate", "uniform:100000")["strategy"],
                         self.json("reduce", "sum", "--generate", "uniform:100000")["strategy"])

    def test_explain_adds_the_steps(self):
        run = self.run_well("plan", "sum", "--generate", "uniform:1000", "--strategy", "local_interleaved",
                            "--explain")
        self.assertIn("stride", run.out + run.err)


if __name__ == "__main__":
    unittest.main()
