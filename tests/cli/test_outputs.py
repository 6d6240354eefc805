"""Outputs that would replace an input or another output; refusals.txt has more of the former."""

import gzip
import os
from pathlib import Path

import numpy as np

from cli import TOOL, npy
from test_containers import THOUSAND, Sums, npz


class Outputs(Sums):

    def unchanged(self, path, *arguments, naming=()):
        """The command is refused and the file keeps its bytes; nothing else appears in the directory."""
        before, names = Path(path).read_bytes(), os.listdir(self.directory)
        self.assert_refused(*arguments, naming=naming)
        self.assertEqual(Path(path).read_bytes(), before)
        self.assertEqual(os.listdir(self.directory), names)

    def test_two_of_one_name(self):
        values, other = self.write("v.npy", THOUSAND), self.write("there.npy", b"old")
        directory = os.path.join(self.directory, "directory")
        os.mkdir(directory)
        os.symlink(self.directory, os.path.join(directory, "up"))
        os.symlink(other, self.path("link.npy"))
        os.link(other, self.path("hard.npy"))
        runs = ("reduce", "sum", values, "--by-key", values, "--output")
        new = self.path("new.npy")
        for first, second in ((new, new), (new, f"{self.directory}/./new.npy"), (new, f"{directory}/up/new.npy"),
                              (other, other), (other, self.path("link.npy")), (other, self.path("hard.npy"))):
            self.unchanged(other, *runs, first, "--keys-output", second, naming=("--keys-output", "--output", second))
        self.assertFalse(os.path.exists(new))
        self.run_well(*runs, "/dev/null", "--keys-output", "/dev/null")
        self.run_well(*runs, new, "--keys-output", os.path.join(directory, "new.npy"))
        self.assertEqual(len(np.load(os.path.join(directory, "new.npy"))), 1000)
        self.assert_refused("bench", "--sizes", "64", "--csv", new, "--plot", new, naming=("--plot", "--csv"))

    def test_of_standard_input(self):
        values = self.write("values.npy", THOUSAND)
        data = Path(values).read_bytes()
        self.assertEqual(os.system(f"{TOOL} reduce sum - --output {values} < {values} 2> {os.devnull}"), 2 << 8)
        self.assertEqual(Path(values).read_bytes(), data)

    def test_scan_in_place(self):
        values = self.write("scanned.npy", THOUSAND.astype("int64"))
        self.run_well("scan", "sum", values, "--output", f"{self.directory}/./scanned.npy")
        np.testing.assert_array_equal(np.load(values), THOUSAND.cumsum())
        for name, data in (("in.npz", npz({"a.npy": THOUSAND})),
                                    ("in.gz", gzip.compress(npy(THOUSAND)))):
            path = self.write(name, data)
            self.unchanged(path, "scan", "sum", path, "--output", path, naming=("--output", name))
