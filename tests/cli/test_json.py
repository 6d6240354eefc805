"""reduce --json: the fields and their types; --verify, --repeat, --explain, --quiet."""

import json

from cli import FLOATING, Case, Run

STRING, WHOLE, NUMBER = (str,), (int,), (int, float)
FIELDS = {"op": STRING, "type": STRING, "result_type": STRING, "count": WHOLE, "strategy": STRING, "order": STRING,
          "device": STRING, "platform": STRING, "driver": STRING, "group_size": WHOLE, "groups": WHOLE,
          "local_bytes": WHOLE, "passes": WHOLE, "wall_seconds": NUMBER}
OFTEN_NULL = {"finish": STRING, "kernel_seconds": NUMBER, "gigabytes_per_second": NUMBER, "verified": (bool,)}


class Fields(Case):

    def check_fields(self, answer):
        for fields, nullable in ((FIELDS, ()), (OFTEN_NULL, (type(None),))):
            for name, types in fields.items():
                self.assertIn(name, answer)
                self.assertIn(type(answer[name]), types + nullable, name)
        self.assertIn(type(answer["result"]), (int, float, str))

    def test_every_kind_of_plan(self):
        for options in (("host_serial",), ("device_serial",), ("bottom_up",), ("atomic",), ("wide",), ("chunked",),
                        ("local_sequential", "--finish", "host"), ("hand_off", "--finish", "relaunch")):
            self.check_fields(self.json("reduce", "sum", "--generate", "uniform:9999", "--strategy", *options))

    def test_times(self):
        answer = self.json("reduce", "sum", "--generate", "uniform:1000000", "--repeat", "5")
        self.assertGreater(answer["kernel_seconds"], 0)
        self.assertGreater(answer["wall_seconds"], 0)
        self.assertAlmostEqual(answer["gigabytes_per_second"] * answer["kernel_seconds"] / 0.004, 1, delta=0.01)

    def test_same_result_without_json(self):
        for op, name in (("sum", "float"), ("sum", "double"), ("xor", "ulong")):
            arguments = ("reduce", op, "--generate", "wide:5000:1", "--type", name)
            self.assertEqual(self.json(*arguments)["result"], json.loads(self.result(*arguments)))

    def test_error_of_floats(self):
        """Integers, and runs without --verify, have none."""
        for op, name in (("sum", "float"), ("prod", "double"), ("max", "short"), ("xor", "ulong")):
            arguments = ("reduce", op, "--generate", "normal:5000", "--type", name)
            answer = self.expect(*arguments, "--verify", verified=True)
            self.assertIn(type(answer.get("error_ulp")), NUMBER if name in FLOATING else (type(None),))
            self.assertIsNone(self.expect(*arguments, verified=None).get("error_ulp"))


class Words(Case):
    """Output by other options, and whether it goes to standard output or to standard error."""

    def test_explain_is_on_standard_error_only(self):
        plain = Run(["reduce", "sum", "--generate", "ones:1000"])
        explained = self.run_well("reduce", "sum", "--generate", "ones:1000", "--explain")
        self.assertEqual(explained.out, plain.out)
        self.assertEqual(plain.err, "", str(plain))
        self.assertGreater(explained.err.count("\n"), 3, str(explained))
        self.assertIn(self.json("reduce", "sum", "--generate", "ones:1000")["strategy"], explained.err)

        self.assertEqual(self.json("reduce", "sum", "--generate", "ones:1000", "--explain")["result"], 1000)

    def test_device_by_index_and_name(self):
        answer = self.json("reduce", "sum", "--generate", "ones:7")
        # Digits alone are an index, and a comma separates devices.
        part = answer["device"].partition(",")[0][:8]
        for selector in (answer["device"] if part.isdigit() else part, answer["platform"][:6]):
            self.expect("reduce", "sum", "--generate", "ones:7", "--device", selector, platform=answer["platform"])
        self.json("reduce", "sum", "--generate", "ones:7", "--device", "0")
