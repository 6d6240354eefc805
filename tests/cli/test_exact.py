"""--order exact: the exact result, rounded once. Expected values are fractions, rounded here."""

from fractions import Fraction

import numpy as np

from cli import Case


def rounded_to_float(value):
    """The float that is nearest to a fraction in the range of normal floats; ties go to even."""
    step = Fraction(2) ** (value.numerator.bit_length() - value.denominator.bit_length() - 25)
    while abs(value) >= step * 2 ** 24:
        step *= 2
    return float(round(value / step) * step)


class Exact(Case):

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(7)
        values = (random.standard_normal(6000) * 2.0 ** random.integers(-40, 40, 6000)).astype("float32")
        self.values = np.concatenate([values, -values[:5000]])
        self.exact = sum(map(Fraction, self.values.tolist()))
        self.sum = rounded_to_float(self.exact)

    def test_any_permutation_has_the_exact_sum(self):
        for order in (self.values, self.values[::-1], np.sort(self.values)):
            self.expect("reduce", "sum", self.write("values.npy", order), "--order", "exact", "--verify",
                        result=self.sum, order="exact", verified=True)

    def test_mean_and_serial(self):
        path = self.write("values.npy", self.values)
        self.expect("reduce", "mean", path, "--order", "exact", "--strategy", "host_serial",
                    result=rounded_to_float(self.exact / len(self.values)))

    def test_places_of_the_extremes(self):
        """The reference folds lanes whose states contain indices."""
        answer = self.expect("reduce", "stats", self.write("values.npy", self.values), "--order", "exact", "--verify")
        self.assertEqual((answer["result"]["min_index"], answer["result"]["max_index"]),
                         (int(np.argmin(self.values)), int(np.argmax(self.values))))

    def test_streams_and_partials(self):
        path = self.write("values.npy", self.values)
        self.expect("reduce", "sum", path, "--order", "exact", "--chunk", "4096", "--verify", result=self.sum,
                    verified=True)
        parts = [self.write(f"part{i}.npy", part) for i, part in enumerate(np.split(self.values, [1234, 7000]))]
        files = [self.path(f"part{i}.clr") for i in range(3)]
        for part, file, first in zip(parts, files, (0, 1234, 7000)):
            self.run_well("reduce", "sum", part, "--order", "exact", "--first", str(first), "--partial", file)
        self.assertEqual(self.json("join", *files)["result"], self.sum)
