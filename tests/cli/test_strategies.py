"""Every strategy with each of its finishes, and assumed limits that plans keep. answers.txt has launches, groups and
numbers set by hand; the program grid compares results of every operator and type."""

from cli import COMBINATIONS, FINISHES, PER_GROUP, Case, wide_values

DATA = ("reduce", "sum", "--generate", "uniform:100003:4", "--verify")
GROUPED = PER_GROUP + ("wide", "chunked", "atomic", "bottom_up_mono", "top_down_mono", "bottom_up", "top_down")


class ByName(Case):

    def test_each_is_right(self):
        """--verify computes the same tree on the host and compares the bits. With --order any it checks the bound."""
        values = wide_values(10007, "float32", seed=11)
        path, exact = self.write("values.npy", values), float(values.astype("float64").sum())
        for strategy, finish in COMBINATIONS:
            options = ["--strategy", strategy] + (["--finish", finish] if finish else [])
            answer = self.expect("reduce", "sum", path, *options, "--verify", verified=True, strategy=strategy,
                                 finish=finish)
            self.assertAlmostEqual(answer["result"] / exact, 1, delta=1e-4)
            fixed = strategy in ("wide", "chunked")
            self.assertEqual(answer["order"], "fixed/1" if fixed else "any" if finish == "atomic" else "own")

    def test_groups(self):
        for strategy in ("persistent", "persistent_interleaved", "wide"):
            answer = self.expect(*DATA, "--strategy", strategy, "--groups", "3", verified=True)
            self.assertLessEqual(answer["groups"], 3, strategy)

    def test_stage(self):
        line = (*DATA, "--strategy", "local_coarsened")
        local, registers = (self.json(*line, "--stage", stage) for stage in ("local", "registers"))
        self.assertEqual((local["result"], local["elements"]), (registers["result"], registers["elements"]))
        self.assertEqual(local["local_bytes"], local["elements"] * registers["local_bytes"])


class Assumed(Case):

    def assumed(self, facts, strategy, *more):
        return self.expect(*DATA, "--strategy", strategy, "--assume", facts, *more, verified=True)

    def test_limits(self):
        for facts, limit, strategies in (
                ("max_work_group_size=64", 64, GROUPED), ("max_work_group_size=100", 64, ("wide", "local_sequential")),
                ("kernel_work_group_size=32", 32, ("wide", "local_sequential", "bottom_up_mono"))):
            for strategy in strategies:
                self.assertIn(self.assumed(facts, strategy)["group_size"], range(1, limit + 1), (facts, strategy))
        for strategy in ("wide", "local_interleaved", "local_sequential", "local_coarsened", "hand_off", "persistent"):
            self.assertLessEqual(self.assumed("local_mem_size=1024", strategy)["local_bytes"], 1024)
        for strategy in ("persistent", "wide", "chunked", "local_coarsened"):
            few, many = (self.assumed(f"compute_units={units}", strategy)["groups"] for units in (1, 132))
            self.assertLessEqual(few, many)
        for finish in FINISHES:
            answer = self.assumed("max_work_group_size=64,local_mem_size=1024,compute_units=3,cpu=0",
                                  "local_sequential", "--finish", finish)
            self.assertTrue(answer["group_size"] <= 64 and answer["local_bytes"] <= 1024, finish)

    def test_default_order_has_one_set_of_bits(self):
        facts = ("cpu=0", "cpu=1", "cpu=0,max_work_group_size=1", "cpu=0,max_work_group_size=64",
                 "cpu=0,local_mem_size=1024", "cpu=0,compute_units=1", "cpu=0,compute_units=132",
                 "cpu=1,compute_units=256", "cpu=0,preferred_multiple=64")
        plans = ("wide", "wide --group-size 64", "wide --groups 5", "chunked", "chunked --groups 7")
        texts = {self.result(*DATA, *options) for options in (
            *(("--assume", fact) for fact in facts), *(("--strategy", *plan.split()) for plan in plans))}
        self.assertEqual(len(texts), 1, texts)
