"""reduce over inputs that are read while they are folded. Every chunk size gives the bits of the whole input, and
errors may occur in the middle. Small files replace large ones: --chunk streams them, and --assume max_alloc limits
buffers."""

import os
import pty
import re
import select
import subprocess
import sys
import time
import unittest

import numpy as np

from cli import OPERATORS, TOOL, Case, fixed_order, npy_header, wide_values

SMALL = ("--assume", "max_alloc=65536")
CHUNKS = (("--chunk", 1), ("--chunk", 5000), ("--chunk", 10**9))
# Of a file with 2^31 floats.
HEADER = npy_header("{'descr': '<f4', 'fortran_order': False, 'shape': (2147483648,), }\n")
DEVICES = ((), ("--assume", "cpu=0"), ("--assume", "unified_memory=0"), ("--assume", "cpu=0,unified_memory=0"))


class Bits(Case):
    def test_every_chunk_on_every_device(self):
        values = wide_values(50003, "float32")
        path = self.write("values.npy", values)
        for device in DEVICES:
            for chunk in CHUNKS:
                self.assert_same_bits(self.result("reduce", "sum", path, *chunk, *device, "--verify"),
                                      fixed_order(values))

    def test_every_way_in(self):
        values = wide_values(50003, "float64")
        expected = fixed_order(values)
        raw, swapped = self.write("v.raw", b"abc" + values.tobytes()), self.write("swapped.npy", values.astype(">f8"))
        for chunk in CHUNKS:
            self.assert_same_bits(self.result("reduce", "sum", raw, "--type", "double", "--skip-bytes", 3, *chunk),
                                  expected)
            self.assert_same_bits(self.result("reduce", "sum", swapped, *chunk), expected)
            self.assert_same_bits(self.result("reduce", "sum", "-", "--type", "double", *chunk,
                                              stdin=values.tobytes()), expected)
        shaped = self.write("shaped.npy", values[:50000].reshape(50, 20, 50))
        self.assert_same_bits(self.result("reduce", "sum", shaped, "--chunk", 3000), fixed_order(values[:50000]))

    def test_types_and_operators(self):
        """Also of the caller, over letters and over structs."""
        letters = np.random.default_rng(5).integers(0, 255, 60001, dtype="uint8")
        field = np.zeros(30001, dtype=[("station", "i4"), ("temperature", "f4"), ("humidity", "f4")])
        field["temperature"] = np.random.default_rng(6).standard_normal(30001)
        floats = self.write("o.npy", wide_values(40001, "float32"))
        for call in (("sum", self.write("truths.npy", np.arange(30001) % 7 == 0)),
                     ("sum", self.write("half.npy", np.linspace(-3, 5, 30001, dtype="float16"))),
                     *((operator, floats) for operator in ("mean,var,norm2,argmin,minmax", "stats", "logsumexp")),
                     ("dot", floats, "--with", self.write("p.npy", wide_values(40001, "float32", 2))),
                     ("sum", "--generate", "uniform:30001:4"), ("sum", "--generate", "constant:30001:0.1"),
                     ("--operator", OPERATORS / "polynomial_hash.op", self.write("letters.npy", letters), "--param",
                      "base=31"),
                     ("--operator", OPERATORS / "argmax_field.op", self.write("field.raw", field.tobytes()))):
            whole = self.run_well("reduce", *call).out
            for device in DEVICES if "dot" in call or "--param" in call else ((),):
                self.assertEqual(self.run_well("reduce", *call, "--chunk", 5000, *device).out, whole)


class MoreThanABuffer(Case):
    """Inputs larger than a buffer are streamed without --chunk."""

    def test_file_and_pipe(self):
        values = wide_values(100003, "float32")
        path = self.write("large.npy", values)
        for device in ("", ",unified_memory=0", ",cpu=0"):
            assume = ("--assume", "max_alloc=65536" + device)
            self.assert_same_bits(self.result("reduce", "sum", path, *assume), fixed_order(values))
            self.assert_same_bits(self.result("reduce", "sum", "-", "--type", "float", *assume, stdin=values.tobytes()),
                                  fixed_order(values))

    def test_json(self):
        values = wide_values(100003, "float32")
        answer = self.expect("reduce", "sum", self.write("json.npy", values), *SMALL, "--verify", count=100003,
                             chunk=16384)
        self.assertGreaterEqual(answer["passes"], 7)
        self.assertIs(answer["verified"], True)
        self.assertIsNone(answer["error_ulp"])
        self.assertGreater(answer["kernel_seconds"], 0)
        self.assertGreaterEqual(answer["wall_seconds"], answer["kernel_seconds"] / 2)
        self.assertGreater(answer["gigabytes_per_second"], 0)
        self.assertEqual(np.float32(answer["result"]), fixed_order(values))
        self.assertNotIn("chunk", self.json("reduce", "sum", self.path("json.npy")))
        self.assertNotIn("chunk", self.json("reduce", "sum", "-", "--type", "float", *SMALL, stdin=bytes(65532)))


class Progress(Case):
    """On a terminal: what was read, the rate, and the time left if the size is known."""

    def feed(self, arguments, target, expected):
        """Writes elements until the terminal shows the expected text; then the input ends."""
        terminal, end = pty.openpty()
        with subprocess.Popen([TOOL, *arguments], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
                              stderr=end) as process:
            os.close(end)
            shown = ""
            with open(target, "wb") if target else process.stdin as to:
                to.write(HEADER if target else b"")
                while not re.search(expected, shown) and shown.count("\r") < 50:
                    to.write(bytes(1 << 16))
                    to.flush()
                    while select.select([terminal], [], [], 0.01)[0]:
                        shown += os.read(terminal, 4096).decode()
            process.kill() if target else self.assertEqual(process.wait(), 0)
        os.close(terminal)
        self.assertRegex(shown, expected)
        return [line for line in re.split(r"\r\x1b\[K", shown) if line]

    def check_lines(self, lines, expected):
        for line in lines:
            self.assertRegex(line, expected)
            self.assertLess(len(line), 80)

    def test_of_standard_input(self):
        for work, arguments in (("reading", ("histogram", "-", "--bins", "4", "--low", "0", "--high", "1")),
                                ("reading and folding", ("reduce", "sum", "-", "--chunk", "5000"))):
            lines = self.feed((*arguments, "--type", "float"), None, "B/s")
            self.check_lines(lines, rf"^{work} +[0-9.]+ [kMG]B(, [0-9.]+ [kMG]?B/s)?$")

    def test_of_a_known_size(self):
        """The header of a pipe says how many bytes there are."""
        path = self.path("pipe.npy")
        os.mkfifo(path)
        lines = self.feed(("reduce", "sum", path, "--chunk", "5000"), path, "left")
        self.check_lines(lines, r"^reading and folding +\[[#.]{12}\] +\d+ %  [0-9.]+ [kMG]B"
                                r"(, [0-9.]+ [kMG]?B/s(, \d+ (s|min|h) left)?)?$")


class Errors(Case):

    @unittest.skipUnless(sys.platform == "linux", "looks into /proc")
    def test_file_that_becomes_shorter(self):
        """A mapped file is truncated: one message and exit code 1, wherever the tool notices it."""
        path = self.path("shrinks.raw")
        with open(path, "wb") as file:
            os.truncate(path, 4 << 30)
            process = subprocess.Popen([TOOL, "reduce", "sum", path, "--type", "float"], stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            for _ in range(6000):
                try:
                    with open(f"/proc/{process.pid}/maps", encoding="ascii") as maps:
                        if "shrinks.raw" in maps.read():
                            break
                except OSError:
                    break
                time.sleep(0.005)
            file.truncate(4096)
        out, err = process.communicate(timeout=100)
        self.assertEqual(process.returncode, 1, err)
        self.assertEqual(out, b"")
        self.assertEqual(err.count(b"\n"), 1, err)
        self.assertIn(b"shrinks.raw", err)
        self.assertIn(b"became shorter", err)
