"""What an input is, its first bytes say: .npy under any name, gzip, zstd, .npz, fields of structured arrays. A header
is never summed, damage is found, memory is bounded, and no output replaces an input or another output."""

import bz2
import gzip
import io
import lzma
import os
import shlex
import zipfile

import numpy as np

from cli import TOOL, Case, Run, fixed_order, npy, wide_values

PIECE = 1 << 17


def zstd_frame(blocks, window=0x38):
    """A frame of blocks (type, size, bytes): 0 holds the bytes as they are, 1 repeats one. The window has 128 KiB."""
    frame = b"\x28\xb5\x2f\xfd\x00" + bytes([window])
    for number, (kind, size, data) in enumerate(blocks):
        frame += ((number + 1 == len(blocks)) | kind << 1 | size << 3).to_bytes(3, "little") + data
    return frame


def zstd(data):
    pieces = [data[i:i + PIECE] for i in range(0, max(len(data), 1), PIECE)]
    return zstd_frame([(0, len(piece), piece) for piece in pieces])


def npz(arrays, method=zipfile.ZIP_STORED):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as archive:
        for name, content in arrays.items():
            archive.writestr(name, content if isinstance(content, bytes) else npy(content))
    return file.getvalue()


THOUSAND = np.arange(1000, dtype="int32")
PACKERS = {"gz": gzip.compress, "zst": zstd}


class FirstBytes(Case):

    def test_npy_of_any_name(self):
        for name in ("plain.bin", "plain.raw", "plain", "plain.gz", "plain.csv"):
            path = self.write(name, npy(THOUSAND))
            self.assertEqual(self.result("reduce", "sum", path), "499500", name)
            self.assertEqual(self.result("reduce", "sum", path, "--type", "int"), "499500", name)
            self.assert_refused("reduce", "sum", path, "--type", "uint8", naming=(name, ".npy file of int", "uchar"))

    def test_npy_from_a_pipe_with_type(self):
        self.assertEqual(self.result("reduce", "sum", "-", "--type", "int", stdin=npy(THOUSAND)), "499500")
        self.assert_refused("reduce", "sum", "-", "--type", "uint8", stdin=npy(THOUSAND),
                            naming=(".npy", "int", "uchar"))

    def test_every_option_that_takes_a_file(self):
        values = self.write("values.dat", npy(THOUSAND))
        ones = self.write("ones.dat", npy(np.ones(1000, "int32")))
        keys = self.write("keys.dat", npy(THOUSAND // 500))
        flags = self.write("flags.dat", npy(THOUSAND % 500 == 0))
        offsets = self.write("offsets.dat", npy(np.array([0, 500, 1000])))
        edges = self.write("edges.dat", npy(np.array([0, 500, 1000.0])))
        self.assertEqual(self.result("reduce", "dot", values, "--with", ones), "499500")
        for option in (("--segments", offsets), ("--heads", flags)):
            self.assertEqual(self.run_well("reduce", "sum", values, *option).out, "124750\n374750\n")
        self.assertEqual(self.run_well("reduce", "sum", values, "--by-key", keys).out, "0 124750\n1 374750\n")
        self.assertEqual(self.run_well("histogram", values, "--edges", edges).out, "0 500 500\n500 1000 500\n")

    def test_raw_on_demand(self):
        data = npy(THOUSAND)
        path = self.write("raw.npy", data)
        self.assertEqual(self.result("reduce", "sum", path, "--format", "raw", "--type", "uint8"),
                         str(sum(data)))
        self.assertEqual(self.result("reduce", "sum", path, "--skip-bytes", len(data) - 4000, "--type", "int"),
                         "499500")
        packed = gzip.compress(bytes(6) + THOUSAND.tobytes())
        path = self.write("raw.gz", packed)
        self.assertEqual(self.result("reduce", "sum", path, "--format", "raw", "--type", "uint8"), str(sum(packed)))
        self.assertEqual(self.result("reduce", "sum", path, "--skip-bytes", 6, "--type", "int"), "499500")

    def test_format(self):
        array, raw = self.write("format.npy", npy(THOUSAND)), self.write("format.raw", THOUSAND.tobytes())
        self.assertEqual(self.result("reduce", "sum", array, "--format", "npy"), "499500")
        self.assert_each_refused("reduce sum", {
            f"{raw} --format npy": ("format.raw", "not a .npy file"),
            f"{array} --format text": ("format.npy", "is a .npy file", "--format text"),
            f"{raw} --format raw": ("format.raw", "--type"),
            f"{array} --format other": ("--format", "other", "raw, npy and text"),
            f"{array} --format npy --skip-bytes 4": ("--skip-bytes", "--format npy"),
            "--generate ones:9 --format raw": "--format"})

    def test_what_is_not_read(self):
        for name, (data, words) in {
                "xz": (lzma.compress(bytes(99)), "xz -dc"), "bz2": (bz2.compress(bytes(99)), "bzip2 -dc"),
                "lz4": (b"\x04\x22\x4d\x18" + bytes(96), "lz4 -dc"), "h5": (b"\x89HDF\r\n\x1a\n" + bytes(92), "HDF5"),
                "parquet": (b"PAR1" + bytes(96), "Parquet"), "png": (b"\x89PNG\r\n\x1a\n" + bytes(92), "PNG"),
                "jpg": (b"\xff\xd8\xff\xe0" + bytes(96), "JPEG"), "gif": (b"GIF89a" + bytes(94), "GIF"),
                "tif": (b"II*\0" + bytes(96), "TIFF"), "tiff": (b"MM\0*" + bytes(96), "TIFF"),
                "fits": (b"SIMPLE  = " + bytes(90), "FITS"),
                "wav": (b"RIFF\x58\0\0\0WAVEfmt " + bytes(84), "--skip-bytes")}.items():
            path = self.write(f"known.{name}", data)
            self.assert_refused("reduce", "sum", path, "--type", "uint8", naming=(path, words, "--format raw"))
            self.assertEqual(self.result("reduce", "sum", path, "--type", "uint8", "--format", "raw"), str(sum(data)))

    def test_nothing_known(self):
        self.assert_refused("reduce", "sum", self.write("unknown.dat", bytes(100)), naming=("unknown.dat", "--type"))
        self.assertEqual(self.result("reduce", "sum", self.write("short.dat", b"\x1f"), "--type", "uint8"), "31")


class Packed(Case):

    def test_arrays(self):
        for ending, pack in PACKERS.items():
            for array in (THOUSAND, THOUSAND.astype(">i8"), np.asfortranarray(THOUSAND.reshape(20, 50))):
                path = self.write(f"array.npy.{ending}", pack(npy(array)))
                self.assertEqual(self.run_well("reduce", "argmax", path).out, "index 999\nvalue 999\n")
            self.assertEqual(self.result("reduce", "sum", "-", stdin=pack(npy(THOUSAND))), "499500")
            self.assert_refused("reduce", "sum", path, "--type", "float", naming=(path, ".npy file of int"))

    def test_raw_elements(self):
        for ending, pack in PACKERS.items():
            path = self.write(f"array.raw.{ending}", pack(THOUSAND.tobytes()))
            self.assertEqual(self.result("reduce", "sum", path, "--type", "int"), "499500")
            self.assert_refused("reduce", "sum", path, naming=(path, "--type"))
            path = self.write(f"odd.raw.{ending}", pack(bytes(41)))
            self.assert_refused("reduce", "sum", path, "--type", "int", naming=(path, "41 bytes"))

    def test_streams(self):
        """Longer than a buffer of the device, from files and pipes, with the bits of the whole."""
        values = wide_values(300003, "float32")
        for ending, pack in PACKERS.items():
            path = self.write(f"long.npy.{ending}", pack(npy(values)))
            for options in (("--chunk", 5000), ("--assume", "max_alloc=65536")):
                self.assert_same_bits(self.result("reduce", "sum", path, *options, "--verify"), fixed_order(values))
            self.assert_same_bits(self.result("reduce", "sum", "-", "--type", "float", "--assume", "max_alloc=65536",
                                              stdin=pack(values.tobytes())), fixed_order(values))

    def test_frames(self):
        half = THOUSAND.tobytes()[:2002]
        rest = THOUSAND.tobytes()[2002:]
        skipped = b"\x53\x2a\x4d\x18\x05\x00\x00\x00hello"
        for data in (gzip.compress(half) + gzip.compress(rest), gzip.compress(half) + bytes(700) + gzip.compress(rest),
                     gzip.compress(half + rest) + bytes(9), zstd(half) + skipped + zstd(rest),
                     skipped + zstd(half + rest), gzip.compress(zstd(half + rest)), zstd(gzip.compress(half + rest))):
            self.assertEqual(self.result("reduce", "sum", "-", "--type", "int", stdin=data), "499500")

    def test_truncated(self):
        for ending, pack in PACKERS.items():
            for whole in (pack(npy(THOUSAND)), pack(THOUSAND.tobytes())):
                for length in (12, 100, len(whole) // 2, len(whole) - 1):
                    path = self.write(f"truncated.{ending}", whole[:length])
                    self.assert_refused("reduce", "sum", path, "--type", "int", naming=(path, "truncated"))

    def test_damaged(self):
        whole = gzip.compress(npy(THOUSAND), mtime=0)
        for place in (len(whole) // 2, len(whole) - 8, len(whole) - 4):
            damaged = bytearray(whole)
            damaged[place] ^= 0x55
            self.assert_refused("reduce", "sum", self.write("damaged.gz", bytes(damaged)), naming="damaged.gz: damaged")
        self.assert_refused("reduce", "sum", self.write("more.gz", whole + b"hello"),
                            naming=("more.gz: damaged", f"byte {len(whole) + 2}"))
        self.assert_refused("reduce", "sum", self.write("block.zst", zstd_frame([(3, 4, b"1234")])),
                            naming=("block.zst: damaged", "zstd"))
        self.assert_refused("reduce", "sum", self.write("window.zst", zstd_frame([(1, 4, b"1")], 0xf8)),
                            naming=("window.zst: damaged", "memory"))

    def test_packed_many_times(self):
        data = npy(THOUSAND)
        for _ in range(4):
            data = gzip.compress(data)
        self.assertEqual(self.result("reduce", "sum", "-", stdin=data), "499500")
        self.assert_refused("reduce", "sum", "-", stdin=gzip.compress(data), naming="more than 4 times")

    def test_bomb(self):
        """A file of 8 KiB that unpacks to 256 MiB: reductions stream it, a reversed scan refuses it with the ratio."""
        bomb = zstd_frame([(1, PIECE, b"\0")] * 2048)
        path = self.write("bomb.zst", bomb)
        refused = self.write("bomb.npy.zst", zstd_frame([(0, 128, npy(np.zeros(1 << 26, "f4")[:0]).replace(
            b"(0,), }", b"(67108864,), }")[:128])] + [(1, PIECE, b"\0")] * 2048))
        out = self.path("bomb-out.npy")
        for name, options in ((path, ("--type", "float")), (refused, ())):
            self.assert_refused("scan", "sum", name, *options, "--reverse", "--output", out, "--assume",
                                "max_alloc=1048576", code=1,
                                naming=("times", f"{os.path.getsize(name)} bytes of its file", "1048576"))
            self.assertFalse(os.path.exists(out))
        small = self.most_memory("reduce", "sum", "--generate", "ones:70000", "--chunk", 65536)
        large = self.most_memory("reduce", "sum", path, "--type", "float", "--chunk", 65536)
        self.assertLess(large, small + (96 << 10))

    def most_memory(self, *arguments):
        """The largest resident memory of a run, in KiB."""
        process = os.posix_spawn(TOOL, [TOOL, *map(str, arguments)], os.environ, file_actions=[
            (os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)])
        _, status, usage = os.wait4(process, 0)
        self.assertEqual(status, 0)
        return usage.ru_maxrss


class Archives(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        arrays = {"prices.npy": THOUSAND, "volumes.npy": THOUSAND[:10], "notes.txt": b"no array"}
        cls.several = [cls.write(f"several-{method}.npz", npz(arrays, method))
                       for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)]

    def test_only_one(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            data = npz({"folder/": b"", "folder/values.npy": THOUSAND}, method)
            for name in ("one.npz", "one.zip", "one"):
                self.assertEqual(self.result("reduce", "sum", self.write(name, data)), "499500")
                self.assertEqual(self.result("reduce", "sum", self.path(name), "--chunk", 7), "499500")
            self.assertEqual(self.result("reduce", "sum", "-", stdin=data), "499500")
            self.assertEqual(self.result("reduce", "sum", "-", "--array", "folder/values", stdin=gzip.compress(data)),
                             "499500")
        path = self.path("numpy.npz")
        np.savez_compressed(path, values=THOUSAND)
        self.assertEqual(self.result("reduce", "sum", path), "499500")
        raw = self.write("raw.zip", npz({"values.raw": THOUSAND.tobytes()}))
        self.assertEqual(self.result("reduce", "sum", raw, "--type", "int"), "499500")

    def test_by_name(self):
        for path in self.several:
            self.assertEqual(self.result("reduce", "sum", path, "--array", "volumes"), "45")
            self.assertEqual(self.result("reduce", "sum", path, "--array", "prices.npy"), "499500")
            self.assert_refused("reduce", "sum", path, naming=(path, "--array", "prices, volumes, notes.txt"))
            self.assert_refused("reduce", "sum", path, "--array", "price", naming=(path, "'price'", "prices, volumes"))
            self.assert_refused("reduce", "sum", path, "--array", "prices", "--type", "float",
                                naming=("several", ":prices.npy", ".npy file of int"))

    def test_many_names(self):
        path = self.write("many.npz", npz({f"array{i}.npy": THOUSAND for i in range(300)}))
        self.assert_refused("reduce", "sum", path, naming=("array0, array1, ", ", ..."))

    def test_of_further_files(self):
        stations = npz({"keys.npy": THOUSAND // 500, "values.npy": THOUSAND, "ones.npy": np.ones(1000, "int32")})
        path = self.write("stations.npz", stations)
        self.assertEqual(self.result("reduce", "dot", path, "--array", "values", "--with", path, "--array", "ones"),
                         "499500")
        self.assertEqual(self.run_well("reduce", "sum", path, "--array", "values", "--by-key", path, "--array",
                                       "keys").out, "0 124750\n1 374750\n")
        plain = self.write("plain.npy", THOUSAND)
        self.assertEqual(self.result("reduce", "dot", plain, "--array", "", "--with", path, "--array", "ones"),
                         "499500")
        self.assert_refused("reduce", "sum", path, "--array", "values", "--array", "ones", naming=("--array", "ones"))
        self.assert_refused("reduce", "sum", plain, "--array", "values", naming=("--array values", plain))
        self.assert_refused("reduce", "sum", "--generate", "ones:9", "--array", "x", naming="--array")

    def test_names_that_climb(self):
        """They are only compared: nothing is written, and they may be given."""
        below = os.path.join(self.folder, "below")
        os.mkdir(below)
        for name in ("../climbed.npy", "/tmp/../climbed.npy", "..\\climbed.npy"):
            path = self.write("below/climb.npz", npz({name: THOUSAND}))
            self.assertEqual(self.result("reduce", "sum", path), "499500")
            self.assertEqual(self.result("reduce", "sum", path, "--array", name[:-4]), "499500")
        self.assertEqual(os.listdir(below), ["climb.npz"])
        self.assertFalse(os.path.exists(self.path("climbed.npy")))

    def test_damaged(self):
        stored = npz({"values.npy": THOUSAND})
        data = bytearray(stored)
        data[len(data) // 2] ^= 0x55
        path = self.write("checksum.npz", bytes(data))
        self.assert_refused("reduce", "sum", path, naming=("checksum.npz: damaged", "values.npy"))
        self.assert_refused("reduce", "sum", path, "--chunk", 50, naming=("checksum.npz: damaged", "values.npy"))
        for length in (4, 30, len(stored) // 2, len(stored) - 1):
            for arguments, stdin in ((self.write("cut.npz", stored[:length]), None), ("-", stored[:length])):
                self.assert_refused("reduce", "sum", arguments, stdin=stdin, naming="truncated")

    def test_without_a_choice(self):
        self.assert_refused("reduce", "sum", self.write("none.npz", npz({})), naming=("none.npz", "without files"))
        inner = npz({"values.npy": THOUSAND})
        self.assert_refused("reduce", "sum", self.write("outer.zip", npz({"inner.npz": inner})),
                            naming=("outer.zip:inner.npz", "archive in an archive"))


class Fields(Case):

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
            self.assertEqual(self.result("reduce", "sum", self.write(name, data), "--field", "price"), "1770")
            self.assertEqual(self.result("reduce", "sum", "-", "--field", "price", stdin=data), "1770")

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
        self.assertEqual(self.result("reduce", "sum", self.write("large.npy", large), "--field", "y"), "7")

    def test_of_further_files(self):
        array = np.zeros(1000, [("key", "i2"), ("x", "i4")])
        array["key"], array["x"] = THOUSAND // 500, THOUSAND
        path = self.write("keyed.npy", array)
        self.assertEqual(self.run_well("reduce", "sum", path, "--field", "x", "--by-key", path, "--field", "key").out,
                         "0 124750\n1 374750\n")

    def test_titles(self):
        array = np.zeros(3, [(("the title", "x"), "f4"), ("y", "f4")])
        array["x"] = 2
        self.assertEqual(self.result("reduce", "sum", self.write("titled.npy", array), "--field", "x"), "6")

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
        self.assert_refused("reduce", "sum", self.write("inner.npy", inner), "--field", "x", naming="'in'")
        objects = npy(np.zeros(3, [("o", "V8"), ("x", "f4")])).replace(b"'|V8'", b"'|O' ")
        self.assert_refused("reduce", "sum", self.write("objects.npy", objects), "--field", "x",
                            naming=("'o'", "pickled"))
        many = np.zeros(3, [(f"field{i}", "f4") for i in range(300)])
        self.assert_refused("reduce", "sum", self.write("many.npy", many), naming=("field0, field1, ", "..."))

    def test_malformed(self):
        good = npy(np.ones(16, [("x", "<f4"), ("y", "<f4")]))
        self.assertEqual(self.result("reduce", "sum", self.write("good.npy", good), "--field", "y"), "16")
        for before, after in ((b"('x', '<f4')", b"('x', '<f4' "), (b"('x', '<f4')", b"('x'  '<f4')"),
                              (b"[('x'", b" ('x'"), (b"('y', '<f4')]", b"('y', '<f4') "),
                              (b"('x', '<f4')", b"('x', 12345)"),
                              (b"'<f4'), ('y'", b"'<V4000000000'), ('y'"), (b"('x', '<f4')", b"('x', '<f4', (x,))"),
                              (b"('x', '<f4')", b"('x', '<f4', (99999999999,))")):
            self.assertIn(before, good)
            path = self.write("malformed.npy", good.replace(before, after))
            self.assert_refused("reduce", "sum", path, "--field", "y", naming=path)
        self.assert_refused("reduce", "sum", self.write("short.npy", good[:-1]), "--field", "x",
                            naming=("short.npy", "truncated", "16 elements of 8 bytes, it holds 127 bytes"))
        self.assert_refused("reduce", "sum", "-", "--field", "x", stdin=good[:-1], naming="truncated")


class Outputs(Case):

    def unchanged(self, path, *arguments, naming=()):
        """The command is refused and the file keeps its bytes; nothing else appears in the folder."""
        with open(path, "rb") as file:
            before, names = file.read(), os.listdir(self.folder)
        self.assert_refused(*arguments, naming=naming)
        with open(path, "rb") as file:
            self.assertEqual(file.read(), before)
        self.assertEqual(os.listdir(self.folder), names)

    def test_two_of_one_name(self):
        values, other = self.write("v.npy", THOUSAND), self.write("there.npy", b"old")
        folder = os.path.join(self.folder, "folder")
        os.mkdir(folder)
        os.symlink(self.folder, os.path.join(folder, "up"))
        os.symlink(other, self.path("link.npy"))
        os.link(other, self.path("hard.npy"))
        runs = ("reduce", "sum", values, "--by-key", values, "--output")
        new = self.path("new.npy")
        for first, second in ((new, new), (new, f"{self.folder}/./new.npy"), (new, f"{folder}/up/new.npy"),
                              (other, other), (other, self.path("link.npy")), (other, self.path("hard.npy"))):
            self.unchanged(other, *runs, first, "--keys-output", second, naming=("--keys-output", "--output", second))
        self.assertFalse(os.path.exists(new))
        self.run_well(*runs, "/dev/null", "--keys-output", "/dev/null")
        self.run_well(*runs, new, "--keys-output", os.path.join(folder, "new.npy"))
        self.assertEqual(len(np.load(os.path.join(folder, "new.npy"))), 1000)
        self.assert_refused("bench", "--sizes", "64", "--csv", new, "--plot", new, naming=("--plot", "--csv"))

    def test_of_an_input(self):
        values, other = self.write("values.npy", THOUSAND), self.write("other.npy", THOUSAND)
        os.symlink(values, self.path("values-link.npy"))
        link, out = self.path("values-link.npy"), f"--output {self.folder}/./values.npy"
        for line in (f"reduce sum {values} {out}", f"reduce sum {link} {out}", f"select 'x > 4' {values} {out}",
                     f"histogram {values} --bins 4 {out}", f"reduce dot {other} --with {values} {out}",
                     f"reduce sum {other} --by-key {values} {out}", f"scan sum {other} --heads {values} {out}",
                     f"scan sum {other} --segments {link} {out}", f"reduce sum {values} --output {link}",
                     f"histogram {other} --edges {values} {out}",
                     f"reduce sum {other} --by-key {values} --keys-output {link}"):
            self.unchanged(values, *shlex.split(line), naming=("output", "values"))
        with open(values, "rb") as file:
            data = file.read()
            file.seek(0)
            self.assertEqual(os.system(f"{TOOL} reduce sum - --output {values} < {values} 2> {os.devnull}"), 2 << 8)
        with open(values, "rb") as file:
            self.assertEqual(file.read(), data)

    def test_scan_in_place(self):
        values = self.write("scanned.npy", THOUSAND.astype("int64"))
        self.run_well("scan", "sum", values, "--output", f"{self.folder}/./scanned.npy")
        np.testing.assert_array_equal(np.load(values), THOUSAND.cumsum())
        fields = np.zeros(10, [("x", "f4"), ("y", "f4")])
        for name, data, options in (("in.npz", npz({"a.npy": THOUSAND}), ()),
                                    ("in.gz", gzip.compress(npy(THOUSAND)), ()),
                                    ("in.npy", npy(fields), ("--field", "x"))):
            path = self.write(name, data)
            self.unchanged(path, "scan", "sum", path, *options, "--output", path, naming=("--output", name))


class Device(Case):
    """Digits alone are an index: they never match a part of a device's name."""

    def test_digits(self):
        devices = self.json("query")
        digits = {digit for device in devices for digit in device["name"] if digit.isdigit()}
        beyond = [digit for digit in sorted(digits) if int(digit) >= len(devices)]
        for selector in beyond + ["99", "00000000000000000099", "99999999999999999999999"]:
            self.assert_refused("reduce", "sum", "--generate", "ones:7", "--device", selector,
                                naming=("--device", f"'{selector}'", devices[0]["name"]))
        run = Run(("reduce", "sum", "--generate", "ones:7", "--device", devices[0]["name"]))
        self.assertEqual((run.code, run.out), (0, "7\n"))
