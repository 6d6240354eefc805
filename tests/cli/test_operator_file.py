"""User-defined operators: the operator files of the documentation, and elements that are structs. answers.txt and
refusals.txt have more files, the options with the same meaning, and errors."""

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



def example(name):
    return OPERATORS / f"{name}.op"


class Own(Case):

    def by(self, operator, *arguments, stdin=None):
        """The printed result of a call with this operator file."""
        return self.result("reduce", "--operator", operator, *arguments, stdin=stdin)

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

    def test_elements_of_a_struct_of_the_preamble(self):
        readings = np.zeros(1000, [("station", "<i4"), ("temperature", "<f4"), ("humidity", "<f4")])
        readings["temperature"] = np.random.default_rng(1).standard_normal(1000)
        path = self.write("readings.raw", readings.tobytes())
        answer = self.json("reduce", "--operator", example("argmax_field"), path, "--verify")
        self.assertEqual((answer["result"]["index"], answer["count"], answer["type"], answer["verified"]),
                         (int(readings["temperature"].argmax()), 1000, "reading", True))
        short = self.write("short.raw", readings.tobytes()[:-1])
        floats = self.write("f.npy", np.ones(9, "float32"))
        for given, naming in (([short], ("short.raw", "12", "reading")), (["--generate", "ones:9"], "reading"),
                              ([floats], ("f.npy", "float", "12"))):
            self.assert_refused("reduce", "--operator", example("argmax_field"), *given, naming=naming)
