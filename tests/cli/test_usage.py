"""The command line itself: verbs, options, help, version, and what is said of a line that makes no sense."""

import re
import unittest

from cli import Case, Run

VERBS = ("query", "list", "reduce", "scan", "plan", "ladder", "check", "tune")


class Help(Case):

    def test_of_the_tool(self):
        for word in ("--help", "-h"):
            run = self.run_well(word)
            self.assertEqual(run.err, "")
            for verb in VERBS:
                self.assertIn(verb, run.out)

    def test_of_each_verb(self):
        for verb in VERBS:
            run = self.run_well(verb, "--help")
            self.assertEqual(run.err, "")
            self.assertIn(verb, run.out)
            self.assertIn("--json", run.out)

    def test_help_before_anything_else(self):
        self.run_well("reduce", "sum", "nowhere.npy", "--help")

    def test_reduce_names_its_options(self):
        out = self.run_well("reduce", "--help").out
        for option in ("device", "strategy", "finish", "group-size", "groups", "elements", "order", "assume", "verify",
                       "repeat", "explain", "json", "quiet", "type", "skip-bytes", "generate", "nan", "overflow",
                       "state", "with", "stride", "layout", "axis", "segments", "output", "operator", "combine", "identity", "lift", "lower",
                       "element", "result", "preamble", "input", "parameter", "param", "commutative", "elementwise"):
            self.assertIn("--" + option, out)

    def test_scan_names_its_own(self):
        out = self.run_well("scan", "--help").out
        for option in ("output", "inclusive", "exclusive", "reverse", "initial", "segments"):
            self.assertIn("--" + option, out)

    def test_version(self):
        out = self.run_well("--version").out
        self.assertRegex(out, r"^clreduce \d+\.\d+\.\d+\n$")
        for verb in VERBS:
            self.assertEqual(self.run_well(verb, "--version").out, out)

    def test_needs_no_device(self):
        for arguments in (["--help"], ["--version"], ["reduce", "--help"], ["list"]):
            run = Run(arguments, environment={"OCL_ICD_VENDORS": self.folder})
            self.assertEqual(run.code, 0, str(run))


class NoDevice(Case):

    def test_is_said(self):
        made = ["--generate", "ones:9"]
        for arguments in (["reduce", "sum"] + made, ["plan", "sum"] + made, ["ladder"]):
            run = Run(arguments, environment={"OCL_ICD_VENDORS": self.folder})
            self.assertIn(run.code, (1, 2), str(run))
            self.assertEqual((run.out, run.err.count("\n")), ("", 1), str(run))
            self.assertRegex(run.err, re.compile("device|platform", re.IGNORECASE))


class Bad(Case):

    def test_verbs(self):
        self.assert_refused(naming="verb")
        self.assert_refused("frobnicate", naming="frobnicate")
        self.assert_refused("", naming="verb")
        self.assert_refused("--frobnicate", naming="--frobnicate")

    def test_unknown_options(self):
        for verb in VERBS:
            self.assert_refused(verb, "--frobnicate", naming="--frobnicate")
        self.assert_refused("reduce", "sum", "--generate", "ones:9", "-x", naming="-x")

    def test_options_of_other_verbs(self):
        self.assert_refused("reduce", "sum", "--generate", "ones:9", "-n", "5", naming="-n")
        self.assert_refused("list", "--verify", naming="--verify")
        self.assert_refused("query", "--strategy", "wide", naming="--strategy")

    def test_missing_operands(self):
        for verb in ("reduce", "scan", "plan"):
            self.assert_refused(verb)
            self.assert_refused(verb, "sum")
            self.assert_refused(verb, "--generate", "ones:9")

    def test_operands_beside_an_operator_in_full(self):
        own = ("--combine", "a + b", "--identity", "0")
        self.assert_refused("reduce", *own, naming="INPUT")
        self.assert_refused("reduce", "total", "data.npy", *own, naming=("total", "custom"))
        self.assert_refused("reduce", "data.npy", "--generate", "ones:9", *own, naming=("data.npy", "custom"))
        self.assert_refused("reduce", "custom", "a.npy", "--generate", "ones:9", *own, naming="a.npy")

    def test_options_given_too_often(self):
        many = [word for i in range(17) for word in ("--param", f"p{i}=1")]
        self.assert_refused("reduce", "sum", "--generate", "ones:9", *many, naming="--param")

    def test_too_many_operands(self):
        self.assert_refused("reduce", "sum", "a.npy", "b.npy", naming="b.npy")
        self.assert_refused("query", "everything", naming="everything")
        self.assert_refused("list", "ops", "types", naming="types")
        self.assert_refused("ladder", "a.npy", "b.npy", naming="b.npy")

    def test_missing_values(self):
        for option in ("--type", "--generate", "--strategy", "--repeat", "--device", "--assume"):
            self.assert_refused("reduce", "sum", option, naming=option)

    def test_values_of_flags(self):
        self.assert_refused("reduce", "sum", "--generate", "ones:9", "--json=yes", naming="--json")

    def test_counts(self):
        for option in ("--repeat", "--group-size", "--groups", "--elements", "--skip-bytes", "--stride"):
            for value in ("x", "-1", "1.5", "0x10", "1e3", "", " 1", "1 ", "18446744073709551616"):
                with self.subTest(f"{option} {value!r}"):
                    self.assert_refused("reduce", "sum", "--generate", "ones:9", option, value, naming=option)

    def test_unknown_table(self):
        self.assert_refused("list", "devices", naming="devices")

    def test_line_breaks_do_not_make_two_lines(self):
        self.assert_refused("reduce", "sum\nproduct", "--generate", "ones:9")
        self.assert_refused("reduce", "sum", "no\nwhere.npy", code=1)


if __name__ == "__main__":
    unittest.main()
