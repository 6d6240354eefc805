"""What the command-line tests share: running the tool, files of data, and the expected sums.

The tool is the program that the environment variable CLREDUCE_TOOL names. It runs on the device that it chooses.
To run one file of tests by hand: cd tests/cli; CLREDUCE_TOOL=PROGRAM python3 -m unittest test_scan
"""

import io
import json
import os
import shlex
import shutil
import tempfile
import unittest
from pathlib import Path

import numpy as np

from in_fork import TOOL, run_tool

# The tests find no programs that other runs compiled, and leave nothing in the user's directories.
os.environ["CLREDUCE_CACHE_DIR"] = "off"
# Tests with a terminal read plain text. test_colour removes this.
os.environ["NO_COLOR"] = "1"

# The factor of all time limits: sanitizers are slow.
PATIENCE = int(os.environ.get("CLREDUCE_TEST_PATIENCE", "1"))
KERNELS = Path(__file__).resolve().parents[2] / "cl"
OPERATORS = KERNELS.parent / "tests" / "data" / "operators"
# Runs take no files of the user. The tests of these files set the variables to something else.
SETTLED = {"CLREDUCE_TUNING": "off"}

INTEGERS = {"char": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16",
            "int": "int32", "uint": "uint32", "long": "int64", "ulong": "uint64"}
FLOATING = {"float": "float32", "double": "float64"}
TYPES = {**INTEGERS, **FLOATING}

PER_GROUP = ("global_interleaved", "global_sequential", "local_interleaved", "local_sequential", "local_coarsened",
             "hand_off", "persistent", "persistent_interleaved")
WHOLE_ARRAY = ("host_serial", "device_serial", "bottom_up", "top_down", "bottom_up_mono", "top_down_mono")
FOR_ROWS = ("rows_chunked", "rows_wide", "columns_chunked", "columns_wide", "segments_chunked", "segments_wide",
            "runs_chunked", "runs_wide")
SCANS = ("scan_host_serial", "scan_blelloch", "scan_blelloch_recursive", "scan_reduce_then_scan", "scan_chunked",
         "scan_wide")
SCANS_OF_ROWS = ("scan_items", "scan_rows", "scan_segments_chunked", "scan_segments_wide", "scan_runs_chunked",
                 "scan_runs_wide")
HISTOGRAMS = ("histogram_host_serial", "histogram_atomic", "histogram_cells", "histogram_chunked", "histogram_local")
FINISHES = ("host", "relaunch", "atomic", "last_group")
# Every strategy with each of its finishes.
COMBINATIONS = ([(s, None) for s in WHOLE_ARRAY] + [(s, f) for s in PER_GROUP for f in FINISHES] +
                [("atomic", "atomic")] +
                [(s, f) for s in ("wide", "chunked") for f in ("last_group", "relaunch", "host")])


class Run:
    """One run of the tool: its exit code and its output."""

    last = None

    def __init__(self, arguments, stdin=None, environment=None, directory=None):
        Run.last = self
        self.arguments = [str(argument) for argument in arguments]
        self.code = self.out = self.err = None
        # Wrong kernels must reach the check that the test is about.
        trusted = {"CLREDUCE_TRUST_DRIVER": "1"} if "CLREDUCE_CL_DIR" in (environment or {}) else {}
        process = run_tool(self.arguments, {**SETTLED, **trusted, **(environment or {})}, input=stdin or b"",
                           timeout=120 * PATIENCE, cwd=directory)
        self.code = process.returncode
        self.out = process.stdout.decode()
        self.err = process.stderr.decode()


    def __str__(self):
        return f"clreduce {' '.join(self.arguments)}\nexit code {self.code}\n--- out\n{self.out}--- err\n{self.err}"


class Case(unittest.TestCase):
    """A test with a temporary directory and assertions about runs of the tool."""

    longMessage = True

    def _formatMessage(self, msg, standardMsg):
        """Every failure shows the last command line and its output."""
        return f"{super()._formatMessage(msg, standardMsg)}\n{Run.last or ''}"

    def run(self, result=None):
        """Prints why a test was skipped, which tests/run.sh collects."""
        result = super().run(result)
        for case, why in result.skipped if result else ():
            if case is self:
                print(f"skipped: {case.id()}: {why}", flush=True)
        return result

    @classmethod
    def setUpClass(cls):
        cls._directory = tempfile.TemporaryDirectory(prefix="clreduce-cli-")
        cls.directory = cls._directory.name

    @classmethod
    def tearDownClass(cls):
        cls._directory.cleanup()

    @classmethod
    def path(cls, name):
        return os.path.join(cls.directory, name)

    @classmethod
    def write(cls, name, data):
        """The path of a file with this content: bytes, a text, or an array as .npy."""
        content = data.encode() if isinstance(data, str) else data if isinstance(data, bytes) else npy(data)
        Path(cls.path(name)).write_bytes(content)
        return cls.path(name)

    def changed_kernels(self, file, before, after):
        """A copy of the kernels' directory in which one text of one file is replaced."""
        directory = Path(tempfile.mkdtemp(prefix="cl-", dir=self.directory))
        shutil.copytree(KERNELS, directory, dirs_exist_ok=True)
        text = (directory / file).read_text(encoding="utf-8")
        self.assertIn(before, text)
        (directory / file).write_text(text.replace(before, after), encoding="utf-8")
        return str(directory)

    def run_changed(self, change, *arguments, code=3):
        """A run with kernels that have a mistake: `change` is (file, text, other text)."""
        return self.run_well(*arguments, code=code, environment={"CLREDUCE_CL_DIR": self.changed_kernels(*change)})

    def run_well(self, *arguments, stdin=None, code=0, environment=None, directory=None):
        run = Run(arguments, stdin, environment, directory)
        self.assertEqual(run.code, code)
        return run

    def result(self, *arguments, stdin=None):
        """The result as text: the only line on standard output."""
        run = self.run_well(*arguments, stdin=stdin)
        self.assertTrue(run.out.endswith("\n") and run.out.count("\n") == 1)
        return run.out[:-1]

    def json(self, *arguments, stdin=None, code=0):
        run = self.run_well(*arguments, "--json", stdin=stdin, code=code)
        try:
            return json.loads(run.out, parse_constant=lambda word: self.fail(f"{word} is not JSON\n{run}"))
        except ValueError as error:
            self.fail(f"{error}\n{run}")

    def expect(self, *arguments, stdin=None, code=0, **fields):
        """The answer of --json, in which each of these fields has this value."""
        answer = self.json(*arguments, stdin=stdin, code=code)
        for name, value in fields.items():
            check = self.assertIs if value is None or isinstance(value, bool) else self.assertEqual
            check(answer[name], value, name)
        return answer

    def array(self, *arguments):
        """The array that --output writes. Nothing is printed."""
        out = self.path("out.npy")
        run = self.run_well(*arguments, "--output", out)
        self.assertEqual((run.out, run.err), ("", ""))
        return np.load(out)

    def assert_array(self, result, expected, message=""):
        """The same values, shape and type."""
        np.testing.assert_array_equal(result, expected, str(message))
        self.assertEqual((result.shape, result.dtype), (expected.shape, expected.dtype), message)

    def assert_each_refused(self, begin, rows, code=2):
        """Each key of `rows` is the rest of a command line. Its value has the words that the error must contain."""
        for rest, naming in rows.items():
            with self.subTest(rest):
                self.assert_refused(*shlex.split(f"{begin} {rest}"), naming=naming, code=code)

    def assert_refused(self, *arguments, code=2, naming=(), stdin=None):
        """Nothing on standard output, and one line on standard error that contains each word of `naming`."""
        run = Run(arguments, stdin)
        self.assertEqual(run.code, code)
        self.assertEqual(run.out, "")
        self.assertTrue(run.err.endswith("\n") and run.err.count("\n") == 1 and len(run.err) > 12)
        for word in [naming] if isinstance(naming, str) else naming:
            self.assertIn(word, run.err)

    def assert_same_bits(self, text, value, message=""):
        """`text` is exactly this floating value in the fewest digits; a whole number may have all of its digits."""
        kind = type(value)
        self.assertEqual(kind(text).tobytes(), value.tobytes(), f"{text} is not {value!r}; {message}")
        if np.isfinite(value) and not text.lstrip("-").isdigit():
            self.assertLessEqual(digits(text), digits(np.format_float_scientific(value, unique=True)), message)


def npy(array, version=None):
    """The bytes of a .npy file."""
    file = io.BytesIO()
    np.lib.format.write_array(file, array, version)
    return file.getvalue()


def npy_header(text, version=1, length=None):
    """The start of a .npy file with this header; `length` may be a wrong length."""
    size = (len(text) if length is None else length).to_bytes(2 if version == 1 else 4, "little")
    return b"\x93NUMPY" + bytes([version, 0]) + size + text.encode()


def fnv1a(data):
    """FNV-1a of 64 bits, the checksum of the tool's and the library's files."""
    total = 0xcbf29ce484222325
    for byte in data:
        total = (total ^ byte) * 0x100000001b3 % 2**64
    return b"%016x" % total


def digits(text):
    """The number of significant digits."""
    mantissa = text.lower().partition("e")[0].lstrip("-").replace(".", "")
    return len(mantissa.strip("0"))


def lanes_of(element_size, state_size):
    return min(256 // element_size, 512 // state_size)


def adjacent_pairs(values, combine):
    """Combines adjacent pairs, level after level. A last value without a partner moves up unchanged."""
    while len(values) > 1:
        even = len(values) // 2 * 2
        values = np.concatenate([combine(values[0:even:2], values[1:even:2]), values[even:]])
    return values[0]


def fixed_order(values, combine=np.add, element_size=None):
    """The order fixed/1 of docs/order.md over floating states. Elements may have another size than states."""
    size = values.dtype.itemsize
    lanes = lanes_of(element_size or size, max(size, element_size or 0))
    leaves = []
    for start in range(0, len(values), 16 * lanes):
        tile = values[start:start + 16 * lanes]
        folded = tile[:lanes].copy()
        for row in range(lanes, len(tile), lanes):
            part = tile[row:row + lanes]
            folded[:len(part)] = combine(folded[:len(part)], part)
        leaves.append(folded)
    return adjacent_pairs(np.concatenate(leaves), combine)


def whole_sum(values):
    """The sum of integers in 64 bits, wrapping, as the library's states do."""
    total = int(values.astype(object).sum()) if len(values) else 0
    if values.dtype.kind == "u" or values.dtype.kind == "b":
        return total % 2**64
    return (total + 2**63) % 2**64 - 2**63


def wide_values(count, dtype, seed=1):
    """Floating values of many binades and both signs: another order of additions gives another sum."""
    random = np.random.default_rng(seed)
    return (random.standard_normal(count) * np.exp2(random.integers(-20, 20, count))).astype(dtype)


