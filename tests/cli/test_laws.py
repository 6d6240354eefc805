"""User-defined operators that break a law are refused."""

import shutil

import numpy as np

from cli import Case

MINUS = ("--combine", "a - b", "--identity", "0")
SAYS = ("--combine 'a - b': not associative: ", "gives -1, ", "gives 1; ", "--unchecked")
AFFINE = """name: affine
element: float
state: { float scale; float shift; }
identity: { 1, 0 }
lift: MAKE(0.5f, x)
combine: MAKE(a.scale * b.scale, a.shift * b.scale + b.shift)
"""


class Laws(Case):

    def setUp(self):
        self.cache = self.path("cache")
        shutil.rmtree(self.cache, ignore_errors=True)
        self.data = self.write("x.npy", np.arange(-50, 50, dtype="float32"))

    def reduced(self, *arguments, cache=None):
        return self.json("reduce", *arguments, self.data, "--cache", cache or self.cache)

    def refuse(self, *arguments, naming=SAYS, cache=None):
        self.assert_refused("reduce", *arguments, self.data, "--cache", cache or self.cache, naming=naming)


class Operators(Laws):

    def test_no_reductions(self):
        self.refuse(*MINUS)
        self.refuse("--combine", "max(a, b)", "--identity", "0",
                    naming=("--identity '0': no identity: combine(identity, -1) gives 0, -1 alone gives -1",
                            "--unchecked"))
        self.refuse("--combine", "a", "--identity", "0", "--commutative", "--lift", "1",
                    naming="--identity '0': no identity: ")
        self.refuse("--combine", "(float2)(a.x * b.x, a.y * b.x + b.y)", "--identity", "(float2)(1, 0)", "--state",
                    "float2", "--lift", "(float2)(0.5f, x)", "--commutative",
                    naming="--commutative: does not commute: ")

    def test_of_a_file(self):
        path = self.write("own.op", AFFINE.replace("+ b.shift", "- b.shift"))
        self.refuse("--operator", path, naming=("own.op: combine: not associative: ", "--unchecked"))
        self.refuse("--operator", self.write("own.op", AFFINE), "--combine", "MAKE(b.scale, a.scale - b.shift)",
                    naming="--combine 'MAKE(b.scale, a.scale - b.shift)': not associative: ")

    def test_unchecked(self):
        self.assertEqual(self.reduced(*MINUS, "--unchecked", "--strategy", "device_serial")["result"], -50)
        self.assertEqual(self.reduced("--combine", "max(a, b)", "--identity", "0", "--unchecked")["result"], 49)
        self.assert_refused("reduce", "sum", self.data, "--unchecked", naming=("--unchecked", "--combine"))

    def test_every_verb(self):
        out, small = self.path("out.npy"), ("--seconds", "1", "--tuning", "off", "-n", "100")
        for verb, more in (("reduce", (self.data, "--chunk", "16")), ("scan", (self.data, "--output", out)),
                           ("plan", (self.data,)), ("tune", small)):
            with self.subTest(verb):
                self.assert_refused(verb, *MINUS, *more, "--cache", self.cache, naming=SAYS)
                self.run_well(verb, *MINUS, *more, "--cache", self.cache, "--unchecked")

    def test_a_pipe_is_not_read_before(self):
        self.assert_refused("reduce", *MINUS, "-", "--type", "float", "--cache", self.cache, stdin=b"abc", naming=SAYS)


class Parameters(Laws):

    SHIFTED = ("--combine", "max(a, b)", "--identity", "0", "--lift", "x * x + k")

    def test_the_values_of_the_call(self):
        self.assertEqual(self.reduced(*self.SHIFTED, "--parameter", "float:k=3")["result"], 2503)
        self.refuse(*self.SHIFTED, "--parameter", "float:k=-3", naming="no identity")

    def test_of_every_type(self):
        """The operator is a reduction if all parameters have the values of the call."""
        declared = ("char:c=-3", "ulong:u=18446744073709551615", "float4:v=1,2,3,-inf", "double:d=0.1", "float:n=nan",
                    "int3:i=1,-2,3")
        right = "c == -3 && u == 0 - 1ul && v.z == 3 && v.w == -INFINITY && d == 0.1 && n != n && i.y == -2"
        most = ["--combine", "max(a, b)", "--identity", "0", *(w for d in declared for w in ("--parameter", d))]
        self.reduced(*most, "--lift", f"// a\n/* body */ {{ return {right} ? fabs(x) : x; }}")
        self.refuse(*most, "--lift", f"{right} ? x : fabs(x) // its sign", naming="no identity")


class Cached(Laws):

    def test_the_program_of_the_trials(self):
        counts = [(answer["builds"], answer["loads"])
                  for answer in (self.reduced("--combine", "a + b", "--identity", "0") for _ in range(2))]
        self.assertEqual(counts, [(3, 0), (0, 3)])

    def test_directories_that_cannot_be_written(self):
        for directory in ("off", self.write("file", b""), self.path("missing/below"), "/proc/clreduce", "/dev/full"):
            self.refuse(*MINUS, cache=directory)
