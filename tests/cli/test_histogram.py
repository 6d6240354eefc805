"""histogram against numpy.histogram."""

import numpy as np

from cli import Case
from test_terminal import shown


def exact_counts(data, bins, low, high):
    """Counts over integers, with the edges low + k (high - low) / bins as fractions."""
    inside = [int(x) for x in data if low <= int(x) <= high]
    places = [min((x - low) * bins // (high - low), bins - 1) for x in inside]
    return np.bincount(places, minlength=bins)


class Histogram(Case):
    def counts(self, *arguments):
        lines = self.run_well("histogram", *arguments).out.splitlines()
        return [line.split() for line in lines]

    def test_floats_as_numpy_counts_them(self):
        random = np.random.default_rng(1)
        for dtype in ("float32", "float64", "float16"):
            data = random.normal(size=5000).astype(dtype)
            expected, edges = np.histogram(data, 20, (-2, 3))
            self.expect("histogram", self.write(f"{dtype}.npy", data), "--bins", 20, "--low", -2, "--high", 3,
                        "--verify", counts=expected.tolist(), edges=edges.astype(dtype).astype("float64").tolist(),
                        verified=True)

    def test_bars_on_a_terminal(self):
        path = self.write("bars.npy", np.repeat(np.arange(4, dtype="int32"), (0, 1, 390, 200)))
        arguments = ("histogram", path, "--bins", "4", "--low", "0", "--high", "4")
        lines = shown({}, *arguments, "--quiet").splitlines()
        self.assertEqual([line.split()[:3] for line in lines], self.counts(*arguments[1:]))
        self.assertEqual([line.count("#") for line in lines], [0, 1, 71, 37])
        self.assertEqual({line.index("#") for line in lines[1:]}, {8})
        self.assertEqual(max(map(len, lines)), 79)

    def test_range_of_the_data(self):
        random = np.random.default_rng(2)
        data = random.uniform(-3, 5, 3000)
        expected, edges = np.histogram(data, 10)
        lines = self.counts(self.write("data.npy", data), "--bins", 10)
        self.assertEqual([int(line[2]) for line in lines], expected.tolist())
        self.assertEqual([float(line[0]) for line in lines], edges[:-1].tolist())
        self.assertEqual([float(line[1]) for line in lines], edges[1:].tolist())

    def test_integers(self):
        random = np.random.default_rng(3)
        bytes_ = random.integers(0, 256, 4000).astype("uint8")
        path = self.write("bytes.npy", bytes_)
        answer = self.json("histogram", path, "--bins", 256, "--low", 0, "--high", 256)
        self.assertEqual(answer["counts"], np.bincount(bytes_, minlength=256).tolist())
        shorts = random.integers(-3000, 3000, 4000).astype("int16")
        answer = self.json("histogram", self.write("shorts.npy", shorts), "--bins", 77, "--low", -1000, "--high", 2001)
        self.assertEqual(answer["counts"], exact_counts(shorts, 77, -1000, 2001).tolist())

    def test_edges(self):
        random = np.random.default_rng(4)
        data = random.normal(size=2000)
        edges = np.array([-3, -1, -0.25, 0, 0.1, 2.5])
        expected = np.histogram(data, edges)[0].tolist()
        path, file = self.write("data.npy", data), self.write("edges.npy", edges)
        self.assertEqual(self.json("histogram", path, "--edges", file)["counts"], expected)
        self.assertEqual(self.json("histogram", path, "--edges", "-3,-1,-0.25,0,0.1,2.5")["counts"], expected)
