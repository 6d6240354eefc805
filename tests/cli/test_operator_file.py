"""User-defined operators: operator files, the options with the same meaning, and errors, which name a line and column
of the file."""

import numpy as np

from cli import OPERATORS, Case

SUM = """# the sum of squares
name: squares
element: float
state: float
identity: 0
lift: x * x
combine: a + b
commutative: yes
elementwise: yes
"""

# Maps x -> scale x + shift, composed in order. The state has two numbers, and the operator does not commute.
AFFINE = """name: affine
element: float
parameter: float scale = 0.5
state: { float scale; float shift; }
identity: { 1, 0 }

# One map for each element.
lift: MAKE(scale,
  x)
combine:
  MAKE(a.scale * b.scale,
       a.shift * b.scale + b.shift)
lower:
  GIVE(s.scale, s.shift)
"""

def example(name):
    return OPERATORS / f"{name}.op"


# An input of structs.
PAIRS = """name: pairs
preamble:
  typedef struct { float p; int q; } pair;
element: float
input: pair w
state: float
identity: 0
lift: x * w.p + w.q
combine: a + b
commutative: yes
"""

# A state whose type the preamble declares.
OPAQUE = """name: opaque
preamble:
  typedef struct { float v[2]; } two;
  two add(two a, two b)
  {
    a.v[0] += b.v[0];
    a.v[1] += b.v[1];
    return a;
  }
  two make(float x)
  {
    two t = {{x, x}};
    return t;
  }
element: float
state: two
identity: { { 0, 0 } }
lift: make(x)
combine: add(a, b)
"""

# The mistake is on line 8, after a comment within the value.
CHAIN = """name: chain
element: float
identity: 0
combine:
  {
    float t = a;
# not C
    t = t + c;
    return t;
  }
"""

class Own(Case):

    def file(self, text, name="own.op"):
        return self.write(name, text)

    def by(self, operator, *arguments, stdin=None):
        """The printed result of a call with this operator file."""
        return self.result("reduce", "--operator", operator, *arguments, stdin=stdin)

    def refuse_by(self, operator, *arguments, **more):
        self.assert_refused("reduce", "--operator", operator, *arguments, **more)


class Files(Own):

    def test_a_sum_of_squares(self):
        path = self.file(SUM)
        self.assertEqual(self.by(path, "--generate", "iota:100"), "328350")
        self.assertEqual(self.result("reduce", "squares", "--operator", path, "--generate", "iota:100"), "328350")
        values = self.write("values.npy", np.arange(100, dtype="float32"))
        self.expect("reduce", "--operator", path, values, "--verify", result=328350, op="squares", type="float",
                    result_type="float", verified=True)
        self.assertEqual(self.result("reduce", "squares", values, "--operator", path), "328350")

    def test_parts_and_parameters(self):
        path = self.file(AFFINE)
        values = np.array([1, 2, 3], "float32")
        data = self.write("maps.npy", values)
        scale, shift = 1.0, 0.0
        for value in values:
            scale, shift = scale * 0.5, shift * 0.5 + value
        self.assertEqual(self.run_well("reduce", "--operator", path, data, "--verify").out,
                         f"scale {scale}\nshift {shift}\n")
        answer = self.json("reduce", "--operator", path, data, "--param", "scale=2")
        self.assertEqual((answer["result"], answer["result_type"]), ({"scale": 8, "shift": 11}, "struct"))

    def test_the_examples_of_the_documentation(self):
        x, y = np.full(1000, 3, "float32"), np.full(1000, 4, "float32")
        files = self.write("x.npy", x), self.write("y.npy", y)
        self.assertEqual(self.by(example("hypot_sum"), files[0], "--with", files[1], "--verify"), "5000")
        self.assertEqual(self.by(example("weighted_mean"), files[0], "--with", files[1]), "3")
        values, mask = np.arange(-500, 1000, dtype="int32"), np.arange(1500) % 3 == 0
        self.assertEqual(self.by(example("masked_sum"), self.write("v.npy", values), "--with",
                                     self.write("m.npy", mask)), str(values[mask].sum()))
        value, text = 0, bytes(range(256)) * 3
        for byte in text:
            value = (value * 1099511628211 + byte) % 2**64
        self.assertEqual(self.by(example("polynomial_hash"), "-", "--verify", stdin=text), str(value))

    def test_exact_sums_in_a_state(self):
        values = np.array([1e30, 7, 1, -1e30, 5, 3], "float32")
        files = self.write("x.npy", values), self.write("mask.npy", np.array([1, 0, 1, 1, 0, 1], "uint8"))
        self.assertEqual(self.by(example("exact_masked_mean"), files[0], "--with", files[1], "--verify"), "1")
        own = ("--state", "exact_float", "--result", "float", "--identity", "exact_float_empty()", "--lift",
               "exact_float_of(x)", "--combine", "exact_float_add(a, b)", "--lower", "exact_float_value(s)",
               "--commutative", files[0])
        self.assertEqual(self.result("reduce", "--preamble", '#include "exact/float_sum.clh"', *own), "16")
        self.assert_refused("reduce", "--preamble", '\n#include "exact/sum.clh"', *own,
                            naming=("--preamble: line 2, column 11", "'exact/sum.clh' is no file for operators"))

    def test_elements_of_a_struct_of_the_preamble(self):
        readings = np.zeros(1000, [("station", "<i4"), ("temperature", "<f4"), ("humidity", "<f4")])
        readings["temperature"] = np.random.default_rng(1).standard_normal(1000)
        path = self.write("readings.raw", readings.tobytes())
        answer = self.json("reduce", "--operator", example("argmax_field"), path, "--verify")
        self.assertEqual((answer["result"]["index"], answer["count"], answer["type"], answer["verified"]),
                         (int(readings["temperature"].argmax()), 1000, "reading", True))
        short = self.write("short.raw", readings.tobytes()[:-1])
        self.refuse_by(example("argmax_field"), short, naming=("short.raw", "12", "reading"))
        self.refuse_by(example("argmax_field"), "--generate", "ones:9", naming="reading")
        self.refuse_by(example("argmax_field"), self.write("f.npy", np.ones(9, "float32")),
                            naming=("f.npy", "float", "12"))

    def test_inputs_of_a_struct_of_the_preamble(self):
        path = self.file(PAIRS)
        pairs = np.zeros(10, [("p", "<f4"), ("q", "<i4")])
        pairs["p"], pairs["q"] = 2, 1
        x = self.write("x.npy", np.arange(10, dtype="float32"))
        self.assertEqual(self.by(path, x, "--with", self.write("pairs.raw", pairs.tobytes())), "100")
        self.refuse_by(path, x, "--with", self.write("odd.raw", bytes(85)), naming="odd.raw")
        self.refuse_by(path, x, "--with", self.write("twelve.raw", bytes(120)), naming="12")

    def test_a_result_of_a_struct_that_cannot_be_printed(self):
        path = self.file(OPAQUE)
        self.refuse_by(path, "--generate", "ones:9", naming=("struct", "result"))
        self.assertEqual(self.by(path, "--generate", "ones:9", "--lower", "s.v[0]", "--result", "float"), "9")


class Options(Own):

    def test_all_of_it(self):
        self.assertEqual(self.run_well(
            "reduce", "--combine", "MAKE(a.p + b.p, max(a.q, b.q))", "--identity", "{ 0, 0 }", "--state",
            "{ float p; uint q; }", "--result", "{ uint q; float p; }", "--lower", "GIVE(s.q, s.p)", "--lift",
            "MAKE(weigh(x) * w, (uint)y + (uint)index)", "--preamble", "float weigh(float v) { return 2 * v; }",
            "--input", "uchar:y", "--parameter", "float:w=1.5", "--generate", "iota:10", "--with",
            "generate:constant:10:7", "--verify").out, "q 16\np 135\n")

    def test_they_come_after_the_file(self):
        path = self.file(SUM)
        self.assertEqual(self.by(path, "--generate", "iota:100", "--lift", "x * w", "--parameter", "float:w=3"),
                         "14850")
        self.assertIn("squares of float", self.run_well("plan", "--operator", path, "--generate", "iota:100").out)

    def test_order_must_be_fixed_to_verify(self):
        arguments = ("reduce", "--operator", self.file(SUM), "--generate", "iota:1000", "--verify", "--strategy")
        self.assert_refused(*arguments, "bottom_up", naming=("--verify", "own"))
        self.assertEqual(self.result(*arguments, "wide"), "332833504")
