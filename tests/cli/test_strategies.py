"""Every strategy with each of its finishes; group sizes and other numbers set by hand; refused combinations."""

import numpy as np

from cli import COMBINATIONS, Case, fixed_order, wide_values

COUNT = 10007
VALUES = wide_values(COUNT, "float32", seed=11)
EXACT = float(VALUES.astype("float64").sum())


def options(strategy, finish):
    return ["--strategy", strategy] + (["--finish", finish] if finish else [])


class ByName(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = cls.write("values.npy", VALUES)

    def test_each_is_right(self):
        """--verify computes the same tree on the host and compares the bits. With --order any it checks the bound."""
        for strategy, finish in COMBINATIONS:
            answer = self.expect("reduce", "sum", self.file, *options(strategy, finish), "--verify", verified=True,
                                 strategy=strategy, finish=finish)
            self.assertAlmostEqual(answer["result"] / EXACT, 1, delta=1e-4)
            fixed = strategy in ("wide", "chunked")
            self.assertEqual(answer["order"], "fixed/1" if fixed else "any" if finish == "atomic" else "own")

    def test_default_order_has_one_set_of_bits(self):
        expected = fixed_order(VALUES)
        for strategy in ("auto", "wide", "chunked"):
            self.assert_same_bits(self.result("reduce", "sum", self.file, "--strategy", strategy), expected, strategy)

    def test_auto_is_one_of_the_two(self):
        self.assertIn(self.json("reduce", "sum", self.file)["strategy"], ("wide", "chunked"))

    def test_integers_agree_all(self):
        values = np.random.default_rng(2).integers(-2**31, 2**31, 4099, dtype="int32")
        path = self.write("integers.npy", values)
        for strategy in ("auto", "bottom_up_mono", "atomic"):
            self.assertEqual(self.result("reduce", "sum", path, "--strategy", strategy),
                             str(values.sum(dtype="int64")), strategy)


class Launches(Case):
    """The numbers of launches and groups of the textbook's strategies."""

    def answer(self, count, strategy, *more):
        return self.json("reduce", "sum", "--generate", f"uniform:{count}", "--strategy", strategy, *more)

    def test_many_launches(self):
        for strategy in ("bottom_up", "top_down"):
            for count, launches in ((1, 1), (2, 1), (3, 2), (1024, 10), (1025, 11), (8000, 13)):
                self.assertEqual(self.answer(count, strategy)["passes"], launches)

    def test_one_launch(self):
        for strategy in ("device_serial", "bottom_up_mono", "top_down_mono"):
            answer = self.answer(8000, strategy)
            self.assertEqual((answer["passes"], answer["groups"]), (1, 1), strategy)

    def test_no_launch(self):
        answer = self.answer(8000, "host_serial")
        self.assertEqual((answer["passes"], answer["kernel_seconds"]), (0, None))

    def test_groups_cover_the_input(self):
        for strategy in ("global_interleaved", "global_sequential", "local_interleaved", "local_sequential"):
            answer = self.answer(8000, strategy, "--group-size", "64", "--finish", "host")
            self.assertEqual((answer["groups"], answer["passes"]), (-(-8000 // 128), 1), strategy)

    def test_relaunch(self):
        answer = self.answer(8000, "local_sequential", "--group-size", "8", "--finish", "relaunch")
        self.assertEqual((answer["groups"], answer["passes"]), (500, 4))  # 500, 32, 2, 1 partials

    def test_atomic(self):
        self.assertEqual(self.answer(8000, "local_sequential", "--finish", "atomic")["passes"], 3)


class ByHand(Case):
    """--group-size, --groups, --elements, --stage, --stop-at, --order."""

    def test_group_sizes(self):
        for size in (1, 2, 128):
            for strategy in ("local_sequential", "persistent", "persistent_interleaved"):
                self.expect("reduce", "sum", "--generate", "uniform:5000", "--strategy", strategy, "--group-size",
                            size, "--verify", group_size=size, verified=True)

    def test_groups(self):
        for strategy in ("persistent", "persistent_interleaved", "wide"):
            answer = self.json("reduce", "sum", "--generate", "uniform:500000", "--strategy", strategy,
                               "--groups", "3", "--verify")
            self.assertLessEqual(answer["groups"], 3, strategy)
            self.assertIs(answer["verified"], True)

    def test_elements(self):
        for elements in (3, 8):
            answer = self.json("reduce", "sum", "--generate", "uniform:50000", "--strategy", "local_coarsened",
                               "--elements", elements, "--group-size", "32", "--finish", "host", "--verify")
            self.assertEqual((answer["groups"], answer["verified"]), (-(-50000 // (32 * elements)), True))

    def test_stage(self):
        line = ("reduce", "sum", "--generate", "uniform:50000", "--strategy", "local_coarsened", "--verify")
        local, registers = (self.json(*line, "--stage", stage) for stage in ("local", "registers"))
        self.assertEqual((local["result"], local["elements"]), (registers["result"], registers["elements"]))
        self.assertEqual(local["local_bytes"], local["elements"] * registers["local_bytes"])

    def test_local_memory(self):
        for kib, elements in ((8, 1024), (16, 2048), (32, 4096), (48, 6144), (64, 8192), (96, 12288)):
            answer = self.json("plan", "sum", "--generate", "ones:1000000", "--strategy", "local_coarsened", "--assume",
                               f"compute_units=2,local_mem_size={kib * 1024}")
            self.assertEqual(answer["elements_per_group"], elements, kib)

    def test_stop_at(self):
        for stop, launches in ((32, 3), (64, 4), (128, 6)):  # a launch leaves an eighth, a quarter, a half
            answer = self.json("reduce", "sum", "--generate", "uniform:8192", "--strategy", "hand_off", "--group-size",
                               "128", "--stop-at", stop, "--verify")
            self.assertEqual((answer["stop_at"], answer["passes"], answer["verified"]), (stop, launches, True))

    def test_fixed_order_does_not_depend_on_geometry(self):
        texts = {self.result("reduce", "sum", "--generate", "wide:100000:3", "--strategy", strategy, *more)
                 for strategy, more in (("wide", ()), ("wide", ("--group-size", "64")), ("wide", ("--groups", "5")),
                                         ("chunked", ()), ("chunked", ("--groups", "7")))}
        self.assertEqual(len(texts), 1, texts)

    def test_any_order(self):
        self.expect("reduce", "sum", "--generate", "uniform:5000", "--order", "any", "--verify", verified=True,
                    order="any")
        self.assertEqual(self.json("reduce", "sum", "--generate", "ones:10", "--order", "fixed")["order"], "fixed/1")
