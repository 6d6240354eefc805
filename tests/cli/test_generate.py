"""--generate: the elements and sums that the definition gives, the same on every machine."""

import numpy as np

from cli import FLOATING, INTEGERS, Case, fixed_order, whole_sum
from made import made, made_complex, made_short

COUNT = 3001


class Elements(Case):

    def test_integers(self):
        for kind in ("iota", "ones", "uniform", "normal", "wide"):
            for name in INTEGERS:
                self.assertEqual(self.result("reduce", "sum", "--generate", f"{kind}:{COUNT}:5", "--type", name),
                                 str(whole_sum(made(kind, COUNT, 5, name))))

    def test_floating(self):
        for kind in ("iota", "ones", "uniform", "normal", "wide"):
            for name in FLOATING:
                text = self.result("reduce", "sum", "--generate", f"{kind}:{COUNT}:5", "--type", name)
                self.assert_same_bits(text, fixed_order(made(kind, COUNT, 5, name)), f"{kind} {name}")

    def test_half_and_bfloat16(self):
        for kind in ("iota", "ones", "uniform", "normal", "wide"):
            for name in ("half", "bfloat16"):
                text = self.result("reduce", "sum", "--generate", f"{kind}:{COUNT}:5", "--type", name)
                self.assert_same_bits(text, fixed_order(made_short(kind, COUNT, 5, name), element_size=2))

    def test_complex_numbers(self):
        for kind in ("iota", "ones", "uniform", "normal", "wide"):
            for name in ("float", "double"):
                values = made_complex(kind, COUNT, 5, name)
                answer = self.run_well("reduce", "sum", "--generate", f"{kind}:{COUNT}:5", "--type", f"c{name}").out
                for line, part in zip(answer.splitlines(), (values.real, values.imag)):
                    expected = fixed_order(part.copy(), element_size=values.dtype.itemsize)
                    self.assert_same_bits(line.split()[1], expected, f"{kind} {name}")

    def test_vectors_are_their_components_in_line(self):
        for name, width in (("float", 4), ("uchar", 2), ("double", 3), ("short", 16)):
            values = made("uniform", width * 500, 3, name).reshape(500, width)
            text = self.result("reduce", "max", "--generate", "uniform:500:3", "--type", f"{name}{width}")
            self.assertEqual([values.dtype.type(word) for word in text.split()], list(values.max(axis=0)))

    def test_type_is_float_unless_given(self):
        self.assertEqual(self.json("reduce", "sum", "--generate", "ones:5")["type"], "float")

    def test_seed_is_zero_unless_given(self):
        text = self.result("reduce", "sum", "--generate", f"uniform:{COUNT}")
        self.assert_same_bits(text, fixed_order(made("uniform", COUNT, 0, "float")))

    def test_seeds(self):
        for seed in (1, 2**32, 2**64 - 2):
            text = self.result("reduce", "sum", "--generate", f"normal:{COUNT}:{seed}")
            self.assert_same_bits(text, fixed_order(made("normal", COUNT, seed, "float")), seed)

    def test_same_from_a_file(self):
        values = made("wide", COUNT, 9, "double")
        raw = self.write("wide.raw", values.tobytes())
        self.assertEqual(self.result("reduce", "sum", raw, "--type", "double"),
                         self.result("reduce", "sum", "--generate", f"wide:{COUNT}:9", "--type", "double"))


class Pinned(Case):
    """Stored sums: if one changes, results can no longer be compared with those of earlier versions."""

    SUMS = {
        ("uniform:100000", "float"): "0x1.85c6800000000p+15",
        ("normal:100000:1", "float"): "-0x1.25d2860000000p+8",
        ("wide:100000:2", "float"): "0x1.55d5580000000p+37",
        ("uniform:100000", "double"): "0x1.85c67f45f6fd2p+15",
        ("normal:100000:1", "double"): "-0x1.25d28622179a0p+8",
        ("wide:100000:2", "double"): "-0x1.ff88d50fdb2f8p+260",
        ("uniform:100000", "int"): "761276806988",
        ("normal:100000:1", "short"): "-1203476",
        ("wide:100000:2", "ulong"): "17547660449432037249"}

    def test_sums(self):
        for (spec, name), total in self.SUMS.items():
            text = self.result("reduce", "sum", "--generate", spec, "--type", name)
            if name in FLOATING:
                self.assert_same_bits(text, np.dtype(FLOATING[name]).type(float.fromhex(total)))
            else:
                self.assertEqual(text, total)


class Constants(Case):

    def test_values(self):
        for value, name, total in (("1000.23", "double", "4000.92"), ("-7", "char", "-28"), ("255", "uchar", "1020"),
                                   ("4611686018427387903", "long", "18446744073709551612"),
                                   ("0.1", "float", "0.4")):
            text = self.result("reduce", "sum", "--generate", f"constant:4:{value}", "--type", name)
            self.assertEqual(text, total if name != "long" else str(int(total) - 2**64))

    def test_extremes(self):
        for name, value in (("long", -2**63), ("long", 2**63 - 1), ("ulong", 2**64 - 1)):
            spec = f"constant:3:{value}"
            self.assertEqual(self.result("reduce", "max", "--generate", spec, "--type", name), str(value))
            self.assertEqual(self.json("reduce", "max", "--generate", spec, "--type", name)["result"], value)


class Bad(Case):

    def test_more_than_memory_has(self):
        self.assert_refused("reduce", "sum", "--generate", "ones:1000000000000000000", "--stride", "1",
                            code=1)
        self.assert_refused("reduce", "sum", "--generate", "ones:9000000000000000000", naming="9000000000000000000")
