"""check: the laws of the library's operators, of user-defined operators, and of - and /, which are not reductions."""

from cli import Case

LAWS = ("identity", "associativity", "commutativity")
SUM = b"name: total\nelement: int\nstate: long\nidentity: 0\nlift: x\ncombine: a + b\ncommutative: yes\n"


class Builtin(Case):

    def test_text(self):
        lines = self.run_well("check", "sum").out.splitlines()
        self.assertEqual([line.split(":")[0] for line in lines], list(LAWS))
        for line in lines:
            self.assertRegex(line, r"^\w+: holds (up to rounding )?in \d+ trials")
        self.assertRegex(lines[1], r"largest error \d")


class Own(Case):

    def check(self, text, *options, code=0):
        return self.json("check", "--operator", self.write("own.op", text), *options, code=code)

    def test_parameters_need_no_value(self):
        self.assertIs(self.check(SUM + b"parameter: float w\n")["holds"], True)
        self.assert_refused("check", "--operator", self.write("own.op", SUM), "--param", "w=1", naming="--param")

    def broken(self, text):
        answer = self.check(text, code=3)
        self.assertIs(answer["holds"], False)
        for law in answer["laws"]:
            self.assertEqual(law["counterexample"] is None, law["holds"])
        return {law["name"] for law in answer["laws"] if law["claimed"] and not law["holds"]}

    def test_each_law(self):
        self.assertEqual(self.broken(SUM.replace(b"identity: 0", b"identity: 1")), {"identity"})
        self.assertEqual(self.broken(SUM.replace(b"a + b", b"a")), {"identity", "commutativity"})
        self.assertIn("associativity", self.broken(SUM.replace(b"a + b", b"a + 2 * b")))

    def test_a_law_that_is_not_claimed_may_fail(self):
        run = self.run_well("check", "--combine", "(float2)(a.x * b.x, a.y * b.x + b.y)", "--identity",
                            "(float2)(1, 0)", "--element", "float2")
        self.assertIn("commutativity: not claimed; does not hold: ", run.out)


class NoReductions(Case):

    def test_are_caught(self):
        for combine, identity, kind in (("a - b", "0", "float"), ("a - b", "0", "uchar"), ("a / b", "1", "half"),
                                        ("b == 0 ? a : a / b", "1", "uint")):
            answer = self.json("check", "--combine", combine, "--identity", identity, "--type", kind, code=3)
            laws = {law["name"]: law for law in answer["laws"]}
            self.assertEqual(answer["type"], kind)
            self.assertIs(laws["associativity"]["holds"], False)
            self.assertIn("combine(combine(", laws["associativity"]["counterexample"])

    def test_in_words(self):
        run = self.run_well("check", "--combine", "a - b", "--identity", "0", code=3)
        self.assertIn("associativity: FAILS: combine(combine(", run.out)
        self.assertEqual(run.err.count("\n"), 1)
        self.assertIn("associativity", run.err)
