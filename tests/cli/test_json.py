"""reduce --json: the fields and their types; --verify, --repeat, --explain, --quiet."""

import json

from cli import TYPES, Case, Run

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

    def test_of_each_type(self):
        for name in TYPES:
            answer = self.json("reduce", "sum", "--generate", "iota:100", "--type", name)
            self.check_fields(answer)
            state = name if name in ("float", "double") else "ulong" if name.startswith("u") else "long"
            self.assertEqual((answer["result"], answer["type"], answer["result_type"], answer["count"]),
                             (4950, name, state, 100))
            self.assertEqual(answer["op"], "sum")
            self.assertIsNone(answer["verified"])

    def test_every_kind_of_plan(self):
        for options in (("host_serial",), ("device_serial",), ("bottom_up",), ("atomic",), ("wide",), ("chunked",),
                        ("local_sequential", "--finish", "host"), ("hand_off", "--finish", "relaunch")):
            self.check_fields(self.json("reduce", "sum", "--generate", "uniform:9999", "--strategy", *options))

    def test_times(self):
        answer = self.json("reduce", "sum", "--generate", "uniform:1000000", "--repeat", "5")
        self.assertGreater(answer["kernel_seconds"], 0)
        self.assertGreater(answer["wall_seconds"], 0)
        self.assertAlmostEqual(answer["gigabytes_per_second"] * answer["kernel_seconds"] / 0.004, 1, delta=0.01)

    def test_no_kernel_no_time(self):
        answer = self.expect("reduce", "sum", "--generate", "ones:1000", "--strategy", "host_serial",
                             kernel_seconds=None, gigabytes_per_second=None)
        self.assertGreater(answer["wall_seconds"], 0)
        self.assertEqual((answer["group_size"], answer["passes"]), (0, 0))

    def test_large_integers_are_exact(self):
        spec = "constant:1:18446744073709551615"
        run = self.run_well("reduce", "sum", "--generate", spec, "--type", "ulong", "--json")
        self.assertIn("18446744073709551615", run.out)
        self.assertEqual(json.loads(run.out)["result"], 2**64 - 1)

    def test_same_result_without_json(self):
        for op, name in (("sum", "float"), ("sum", "double"), ("xor", "ulong")):
            arguments = ("reduce", op, "--generate", "wide:5000:1", "--type", name)
            self.assertEqual(self.json(*arguments)["result"], json.loads(self.result(*arguments)))


class Verify(Case):

    def test_true(self):
        for op, name in (("sum", "float"), ("prod", "double"), ("max", "short"), ("xor", "ulong")):
            answer = self.expect("reduce", op, "--generate", "normal:5000", "--type", name, "--verify", verified=True)
            if name in ("float", "double"):
                self.assertIn(type(answer["error_ulp"]), NUMBER)
                self.assertGreaterEqual(answer["error_ulp"], 0)
            else:
                self.assertIsNone(answer.get("error_ulp"))

    def test_without_verify(self):
        answer = self.expect("reduce", "sum", "--generate", "uniform:5000", verified=None)
        self.assertIsNone(answer.get("error_ulp"))


class Words(Case):
    """Output by other options, and whether it goes to standard output or to standard error."""

    def test_explain_is_on_standard_error_only(self):
        plain = Run(["reduce", "sum", "--generate", "ones:1000"])
        explained = self.run_well("reduce", "sum", "--generate", "ones:1000", "--explain")
        self.assertEqual(explained.out, plain.out)
        self.assertEqual(plain.err, "", str(plain))
        self.assertGreater(explained.err.count("\n"), 3, str(explained))
        self.assertIn(self.json("reduce", "sum", "--generate", "ones:1000")["strategy"], explained.err)

    def test_json_stays_one_object_with_explain(self):
        self.assertEqual(self.json("reduce", "sum", "--generate", "ones:1000", "--explain")["result"], 1000)

    def test_quiet(self):
        run = self.run_well("reduce", "sum", "--generate", "ones:1000", "--quiet")
        self.assertEqual((run.out, run.err), ("1000\n", ""))

    def test_device_by_index_and_name(self):
        answer = self.json("reduce", "sum", "--generate", "ones:7")
        # Digits alone are an index, and a comma separates devices.
        part = answer["device"].partition(",")[0][:8]
        for selector in (answer["device"] if part.isdigit() else part, answer["platform"][:6]):
            self.expect("reduce", "sum", "--generate", "ones:7", "--device", selector, platform=answer["platform"])
        self.json("reduce", "sum", "--generate", "ones:7", "--device", "0")
