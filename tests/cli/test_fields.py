"""Fields of structured arrays, and outputs that would replace an input or another output."""

import gzip
import os
import shlex
from pathlib import Path

import numpy as np

from cli import TOOL, fixed_order, npy, wide_values
from test_containers import THOUSAND, Sums, npz


class Fields(Sums):

    @staticmethod
    def filled(align, order="<", shape=60):
        dtype = np.dtype([("flag", "?"), ("price", order + "f4"), ("name", "U3"), ("volume", order + "i8"),
                          ("point", "f8", (3,)), ("wave", order + "c8"), ("half", order + "f2")], align=align)
        array = np.zeros(shape, dtype)
        array.reshape(-1)["price"] = np.arange(60)
        array.reshape(-1)["volume"] = -np.arange(60) * 2**33
        array.reshape(-1)["flag"] = np.arange(60) % 3 == 0
        array.reshape(-1)["wave"] = np.arange(60) * (1 - 2j)
        array.reshape(-1)["half"] = 0.5
        return array

    SUMS = {"price": "1770", "volume": str(-1770 * 2**33), "flag": "20", "wave": "re 1770 im -3540", "half": "30"}

    def test_each(self):
        for align in (False, True):
            for order in "<>":
                path = self.write("fields.npy", self.filled(align, order))
                for name, expected in self.SUMS.items():
                    for options in ((), ("--chunk", 7), ("--verify",)):
                        run = self.run_well("reduce", "sum", path, "--field", name, *options)
                        self.assertEqual(run.out.split(), expected.split(), f"{align} {order} {name} {options}")

    def test_ways_in(self):
        array = self.filled(True)
        for name, data in (("f.npy.gz", gzip.compress(npy(array))), ("f.npz", npz({"a.npy": array})),
                           ("f", npy(array))):
            self.assert_sum(self.write(name, data), "--field", "price", expected="1770")
            self.assert_sum("-", "--field", "price", stdin=data, expected="1770")

    def test_shapes(self):
        path = self.write("shaped.npy", self.filled(False, shape=(6, 10)))
        expected = np.arange(60, dtype="f4").reshape(6, 10)
        np.testing.assert_array_equal(self.array("reduce", "sum", path, "--field", "price", "--axis", 0),
                                      expected.sum(0))
        path = self.write("fortran.npy", np.asfortranarray(self.filled(False, shape=(6, 10))))
        np.testing.assert_array_equal(self.array("scan", "sum", path, "--field", "price"),
                                      expected.cumsum().reshape(6, 10))

    def test_long_ones(self):
        values = wide_values(100003, "float32")
        array = np.zeros(100003, [("pad", "S13"), ("x", "f4")])
        array["x"] = values
        path = self.write("long.npy", array)
        for options in ((), ("--assume", "max_alloc=65536"), ("--chunk", 1000)):
            self.assert_same_bits(self.result("reduce", "sum", path, "--field", "x", *options), fixed_order(values))
        self.assert_same_bits(self.result("reduce", "sum", "-", "--field", "x", stdin=npy(array)), fixed_order(values))
        large = np.zeros(3, [("x", "f4"), ("pad", "S200000"), ("y", "f4")])
        large["y"] = [1, 2, 4]
        self.assert_sum(self.write("large.npy", large), "--field", "y", expected="7")

    def test_of_further_files(self):
        array = np.zeros(1000, [("key", "i2"), ("x", "i4")])
        array["key"], array["x"] = THOUSAND // 500, THOUSAND
        path = self.write("keyed.npy", array)
        self.assertEqual(self.run_well("reduce", "sum", path, "--field", "x", "--by-key", path, "--field", "key").out,
                         "0 124750\n1 374750\n")

    def test_titles(self):
        array = np.zeros(3, [(("the title", "x"), "f4"), ("y", "f4")])
        array["x"] = 2
        self.assert_sum(self.write("titled.npy", array), "--field", "x", expected="6")

    def test_refused(self):
        path, plain = self.write("refused.npy", self.filled(False)), self.write("plain.npy", THOUSAND)
        names = "flag, price, name, volume, point, wave, half"
        self.assert_each_refused("reduce sum", {
            path: ("refused.npy", "--field", names),
            f"{path} --field prices": ("refused.npy", "'prices'", names),
            f"{path} --field point": ("refused.npy", "'point'", "several values"),
            f"{path} --field name": ("refused.npy", "<U3"),
            f"{path} --field ''": ("refused.npy", names),
            f"{path} --field price --type double": ("refused.npy", "float", "double"),
            f"{path} --field price --group volume": ("--group volume: there is no such file",
                                                     f"--group {path} --field volume"),
            f"{plain} --field x": ("plain.npy", "'x'", "--field"),
            f"{plain} --field x --field y": ("--field", "y"),
            f"{self.write('p.raw', bytes(8))} --type int --field x": ("p.raw", "--field"),
            "--generate ones:9 --field x": "--field"})
        inner = np.zeros(3, [("in", [("a", "f4"), ("b", "f4")]), ("x", "f4")])
        self.refuse(self.write("inner.npy", inner), "--field", "x", naming="'in'")
        objects = npy(np.zeros(3, [("o", "V8"), ("x", "f4")])).replace(b"'|V8'", b"'|O' ")
        self.refuse(self.write("objects.npy", objects), "--field", "x", naming=("'o'", "pickled"))
        many = np.zeros(3, [(f"field{i}", "f4") for i in range(300)])
        self.refuse(self.write("many.npy", many), naming=("field0, field1, ", "..."))

    def test_malformed(self):
        good = npy(np.ones(16, [("x", "<f4"), ("y", "<f4")]))
        self.assert_sum(self.write("good.npy", good), "--field", "y", expected="16")
        for before, after in ((b"('x', '<f4')", b"('x', '<f4' "), (b"('x', '<f4')", b"('x'  '<f4')"),
                              (b"[('x'", b" ('x'"), (b"('y', '<f4')]", b"('y', '<f4') "),
                              (b"('x', '<f4')", b"('x', 12345)"),
                              (b"'<f4'), ('y'", b"'<V4000000000'), ('y'"), (b"('x', '<f4')", b"('x', '<f4', (x,))"),
                              (b"('x', '<f4')", b"('x', '<f4', (99999999999,))")):
            self.assertIn(before, good)
            path = self.write("malformed.npy", good.replace(before, after))
            self.refuse(path, "--field", "y", naming=path)
        self.refuse(self.write("short.npy", good[:-1]), "--field", "x",
                    naming=("short.npy", "truncated", "16 elements of 8 bytes, it holds 127 bytes"))
        self.refuse("-", "--field", "x", stdin=good[:-1], naming="truncated")


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

    def test_of_an_input(self):
        values, other = self.write("values.npy", THOUSAND), self.write("other.npy", THOUSAND)
        os.symlink(values, self.path("values-link.npy"))
        link, out = self.path("values-link.npy"), f"--output {self.directory}/./values.npy"
        for line in (f"reduce sum {values} {out}", f"reduce sum {link} {out}", f"select 'x > 4' {values} {out}",
                     f"histogram {values} --bins 4 {out}", f"reduce dot {other} --with {values} {out}",
                     f"reduce sum {other} --by-key {values} {out}", f"scan sum {other} --heads {values} {out}",
                     f"scan sum {other} --segments {link} {out}", f"reduce sum {values} --output {link}",
                     f"histogram {other} --edges {values} {out}",
                     f"reduce sum {other} --by-key {values} --keys-output {link}"):
            self.unchanged(values, *shlex.split(line), naming=("output", "values"))
        data = Path(values).read_bytes()
        self.assertEqual(os.system(f"{TOOL} reduce sum - --output {values} < {values} 2> {os.devnull}"), 2 << 8)
        self.assertEqual(Path(values).read_bytes(), data)

    def test_scan_in_place(self):
        values = self.write("scanned.npy", THOUSAND.astype("int64"))
        self.run_well("scan", "sum", values, "--output", f"{self.directory}/./scanned.npy")
        np.testing.assert_array_equal(np.load(values), THOUSAND.cumsum())
        fields = np.zeros(10, [("x", "f4"), ("y", "f4")])
        for name, data, options in (("in.npz", npz({"a.npy": THOUSAND}), ()),
                                    ("in.gz", gzip.compress(npy(THOUSAND)), ()),
                                    ("in.npy", npy(fields), ("--field", "x"))):
            path = self.write(name, data)
            self.unchanged(path, "scan", "sum", path, *options, "--output", path, naming=("--output", name))
