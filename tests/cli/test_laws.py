"""User-defined operators that break a law are refused; refusals.txt has which, and by which verbs."""

import numpy as np

from cli import Case

MINUS = ("--combine", "a - b", "--identity", "0")


class Laws(Case):

    def setUp(self):
        super().setUp()
        self.cache, self.data = self.path("cache"), self.write("x.npy", np.arange(-50, 50, dtype="float32"))

    def reduced(self, *arguments):
        return self.json("reduce", *arguments, self.data, "--cache", self.cache)

    def refuse(self, *arguments, naming, cache=None):
        self.assert_refused("reduce", *arguments, self.data, "--cache", cache or self.cache, naming=naming)

    def test_unchecked(self):
        for verb, *more in (("reduce", self.data, "--chunk", "16"), ("scan", self.data, "--output", self.path("o.npy")),
                            ("plan", self.data), ("tune", "--seconds", "1", "--tuning", "off", "-n", "100")):
            self.run_well(verb, *MINUS, *more, "--unchecked")

    def test_parameters_of_every_type(self):
        """The operator is a reduction if all parameters have the values of the call."""
        declared = ("char:c=-3", "ulong:u=18446744073709551615", "float4:v=1,2,3,-inf", "double:d=0.1", "float:n=nan",
                    "int3:i=1,-2,3")
        right = "c == -3 && u == 0 - 1ul && v.z == 3 && v.w == -INFINITY && d == 0.1 && n != n && i.y == -2"
        most = ["--combine", "max(a, b)", "--identity", "0", *(w for d in declared for w in ("--parameter", d))]
        self.reduced(*most, "--lift", f"// a\n/* body */ {{ return {right} ? fabs(x) : x; }}")
        self.refuse(*most, "--lift", f"{right} ? x : fabs(x) // its sign", naming="no identity")

    def test_the_program_of_the_trials(self):
        counts = [(answer["builds"], answer["loads"])
                  for answer in (self.reduced("--combine", "a + b", "--identity", "0") for _ in range(2))]
        self.assertEqual(counts, [(3, 0), (0, 3)])

    def test_directories_that_cannot_be_written(self):
        for directory in ("off", self.write("file", b""), self.path("missing/below"), "/proc/clreduce", "/dev/full"):
            self.refuse(*MINUS, naming="not associative: ", cache=directory)
