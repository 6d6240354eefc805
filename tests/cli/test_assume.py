"""--assume: plans keep assumed limits, results stay right, and values above the device's are refused."""

from cli import FINISHES, PER_GROUP, Case

DATA = ("--generate", "uniform:100003:4")
GROUPED = PER_GROUP + ("wide", "chunked", "atomic", "bottom_up_mono", "top_down_mono", "bottom_up", "top_down")


class Binds(Case):

    def assumed(self, facts, strategy, *more):
        answer = self.json("reduce", "sum", *DATA, "--strategy", strategy, "--assume", facts, "--verify", *more)
        self.assertIs(answer["verified"], True, f"{facts} {strategy}")
        return answer

    def check_group_size(self, facts, limit, strategies):
        for strategy in strategies:
            answer = self.assumed(facts, strategy)
            self.assertGreaterEqual(answer["group_size"], 1)
            self.assertLessEqual(answer["group_size"], limit)

    def test_group_size(self):
        self.check_group_size("max_work_group_size=64", 64, GROUPED)
        self.check_group_size("kernel_work_group_size=32", 32, ("wide", "local_sequential", "bottom_up_mono"))
        self.check_group_size("max_work_group_size=1", 1, ("wide", "chunked", "global_interleaved", "local_sequential",
                                                           "hand_off", "persistent", "top_down_mono"))

    def test_odd_limit(self):
        for strategy in ("wide", "local_sequential"):
            self.assertLessEqual(self.assumed("max_work_group_size=100", strategy)["group_size"], 64, strategy)

    def test_local_memory(self):
        for strategy in ("wide", "local_interleaved", "local_sequential", "local_coarsened", "hand_off", "persistent"):
            self.assertLessEqual(self.assumed("local_mem_size=1024", strategy)["local_bytes"], 1024)

    def test_compute_units(self):
        for strategy in ("persistent", "wide", "chunked", "local_coarsened"):
            few = self.assumed("compute_units=1", strategy)
            many = self.assumed("compute_units=132", strategy)
            self.assertLessEqual(few["groups"], many["groups"])

    def test_many_units_and_small_buffers(self):
        """Fewer groups are taken than the units would have, so that their states fit a buffer."""
        for units in (1, 256, 65536):
            for options in ((), ("--strategy", "chunked"), ("--strategy", "wide"), ("--strategy", "persistent")):
                self.expect("reduce", "mean", "--generate", "iota:1000", "--type", "float", "--assume",
                            f"compute_units={units},max_alloc=9000", *options, result=499.5)

    def test_shape(self):
        self.assertEqual(self.assumed("cpu=1", "auto")["strategy"], "chunked")
        self.assertEqual(self.assumed("cpu=0", "auto")["strategy"], "wide")

    def test_all_finishes_of_a_small_device(self):
        facts = "max_work_group_size=64,local_mem_size=1024,compute_units=3,cpu=0"
        for finish in FINISHES:
            answer = self.assumed(facts, "local_sequential", "--finish", finish)
            self.assertLessEqual(answer["group_size"], 64, finish)
            self.assertLessEqual(answer["local_bytes"], 1024, finish)

    def test_default_order_has_one_set_of_bits(self):
        texts = {self.result("reduce", "sum", *DATA, "--assume", facts)
                 for facts in ("cpu=0", "cpu=1", "cpu=0,max_work_group_size=1", "cpu=0,max_work_group_size=64",
                               "cpu=0,local_mem_size=1024", "cpu=0,compute_units=1", "cpu=0,compute_units=132",
                               "cpu=1,compute_units=256", "cpu=0,preferred_multiple=64")}
        self.assertEqual(len(texts), 1, texts)
