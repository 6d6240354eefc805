"""What an input is, its first bytes say: .npy under any name, gzip, zstd, .npz. A header is never summed, damage is
found, and memory is bounded. refusals.txt and answers.txt have most damage, frames and names in archives."""

import gzip
import io
import os
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


def flipped(data, place):
    """The bytes with a changed one."""
    data = bytearray(data)
    data[place] ^= 0x55
    return bytes(data)


THOUSAND = np.arange(1000, dtype="int32")
PACKERS = {"gz": gzip.compress, "zst": zstd}


class Sums(Case):

    def assert_sum(self, *arguments, expected="499500", stdin=None):
        """By default, the sum is that of THOUSAND."""
        self.assertEqual(self.result("reduce", "sum", *arguments, stdin=stdin), expected)

    def refuse(self, *arguments, naming, stdin=None):
        self.assert_refused("reduce", "sum", *arguments, naming=naming, stdin=stdin)


class FirstBytes(Sums):

    def test_raw_on_demand(self):
        data = npy(THOUSAND)
        path = self.write("raw.npy", data)
        self.assert_sum(path, "--format", "raw", "--type", "uint8", expected=str(sum(data)))
        self.assert_sum(path, "--skip-bytes", len(data) - 4000, "--type", "int")
        packed = gzip.compress(bytes(6) + THOUSAND.tobytes())
        path = self.write("raw.gz", packed)
        self.assert_sum(path, "--format", "raw", "--type", "uint8", expected=str(sum(packed)))
        self.assert_sum(path, "--skip-bytes", 6, "--type", "int")


class Packed(Sums):

    def test_arrays(self):
        for ending, pack in PACKERS.items():
            for array in (THOUSAND, THOUSAND.astype(">i8"), np.asfortranarray(THOUSAND.reshape(20, 50))):
                path = self.write(f"array.npy.{ending}", pack(npy(array)))
                self.assertEqual(self.run_well("reduce", "argmax", path).out, "index 999\nvalue 999\n")
            self.assert_sum("-", stdin=pack(npy(THOUSAND)))
            self.refuse(path, "--type", "float", naming=(path, ".npy file of int"))

    def test_raw_elements(self):
        for ending, pack in PACKERS.items():
            path = self.write(f"array.raw.{ending}", pack(THOUSAND.tobytes()))
            self.assert_sum(path, "--type", "int")
            self.refuse(path, naming=(path, "--type"))
            self.refuse("-", "--type", "int", stdin=pack(bytes(41)), naming="41 bytes")

    def test_streams(self):
        """Longer than a buffer of the device, from files and pipes, with the bits of the whole."""
        values = wide_values(300003, "float32")
        for ending, pack in PACKERS.items():
            path = self.write(f"long.npy.{ending}", pack(npy(values)))
            for options in (("--chunk", 5000), ("--assume", "max_alloc=65536")):
                self.assert_same_bits(self.result("reduce", "sum", path, *options, "--verify"), fixed_order(values))
            self.assert_same_bits(self.result("reduce", "sum", "-", "--type", "float", "--assume", "max_alloc=65536",
                                              stdin=pack(values.tobytes())), fixed_order(values))

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


class Archives(Sums):

    def test_only_one(self):
        for method in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            data = npz({"directory/": b"", "directory/values.npy": THOUSAND}, method)
            for name in ("one.npz", "one.zip", "one"):
                self.assert_sum(self.write(name, data))
                self.assert_sum(self.path(name), "--chunk", 7)
            self.assert_sum("-", stdin=data)
            self.assert_sum("-", "--array", "directory/values", stdin=gzip.compress(data))
        path = self.path("numpy.npz")
        np.savez_compressed(path, values=THOUSAND)
        self.assert_sum(path)
        raw = self.write("raw.zip", npz({"values.raw": THOUSAND.tobytes()}))
        self.assert_sum(raw, "--type", "int")

    def test_names_that_climb(self):
        """They are only compared: nothing is written, and they may be given."""
        below = os.path.join(self.directory, "below")
        os.mkdir(below)
        for name in ("../climbed.npy", "/tmp/../climbed.npy", "..\\climbed.npy"):
            path = self.write("below/climb.npz", npz({name: THOUSAND}))
            self.assert_sum(path)
            self.assert_sum(path, "--array", name[:-4])
        self.assertEqual(os.listdir(below), ["climb.npz"])
        self.assertFalse(os.path.exists(self.path("climbed.npy")))


class Device(Sums):
    """Digits alone are an index: they never match a part of a device's name."""

    def test_digits(self):
        devices = self.json("query")
        digits = {digit for device in devices for digit in device["name"] if digit.isdigit()}
        beyond = [digit for digit in sorted(digits) if int(digit) >= len(devices)]
        for selector in beyond + ["99", "00000000000000000099", "99999999999999999999999"]:
            self.refuse("--generate", "ones:7", "--device", selector,
                        naming=("--device", f"'{selector}'", f"{len(devices)} device", devices[0]["name"]))
        run = Run(("reduce", "sum", "--generate", "ones:7", "--device", devices[0]["name"]))
        self.assertEqual((run.code, run.out), (0, "7\n"))

    def test_suggestions_are_words(self):
        """Of three letters or more: neither "R" nor "2.45". The layer below the tool reports the name."""
        if "build_layer" not in os.environ.get("OPENCL_LAYERS", ""):
            self.skipTest("needs the layer build_layer")
        for selector, words in (("epyk", "did you mean EPYC?"), ("prozesor", "did you mean Prozessor?"),
                                ("r2", "give one of: 0 AMD"), ("3.45", "give one of: 0 AMD"), ("ü", "give one of:"),
                                ("[x", "give one of:"), ("8763", "there is 1 device; give one of: 0 AMD")):
            with self.subTest(selector):
                run = Run(("reduce", "sum", "--generate", "ones:7", "--device", selector),
                          environment={"CLREDUCE_TEST_NAME": "AMD EPYC(R) 7763 [a] Prozessor @ 2.45GHz"})
                self.assertEqual((run.code, run.out), (2, ""))
                self.assertIn(words, run.err)
