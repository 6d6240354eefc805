"""Random .npy files and command lines. Each is refused by one line and exit code 1 or 2, with nothing on standard
output; or the result is right: NumPy reads the damaged file, too, and computes the same, and a second run of the
command line with --verify gives the same. Each is first tried without a driver, which is fast. 400 are tried, and at
most 20 that are not refused run on the device. CLREDUCE_TEST_MANY=N tries N, all on the device; CLREDUCE_TEST_SEED=S
makes others."""

import io
import os
import random
import re
import subprocess
import warnings

import numpy as np

import cli
from cli import Case, Run, npy, whole_sum

MANY = int(os.environ.get("CLREDUCE_TEST_MANY", "400"))
ON_DEVICE = MANY if "CLREDUCE_TEST_MANY" in os.environ else 20
SEED = int(os.environ.get("CLREDUCE_TEST_SEED", "1"))


class Random(Case):

    def check_refused(self, run):
        self.assertTrue(run.code in (1, 2) and run.out == "", str(run))
        self.assertTrue(run.err.endswith("\n") and run.err.count("\n") == 1 and len(run.err) > 12, str(run))


# --- Files ---

# Valid and invalid words of a header.
WORDS = [b"'<f4'", b"'>i8'", b"'|b1'", b"'<c16'", b"'|O'", b"'<f3'", b"[('a', '<f4')]", b"True", b"False", b"None",
         b"(", b")", b",",
         b"{", b"}", b"'descr'", b"'shape'", b"'fortran_order'", b":", b"-1", b"0", b"1e3", b"18446744073709551616",
         b"9223372036854775807",
         b"L", b" ", b"\0", b"\n", b"#", b"\\", b"\"", b"(2, (3,))"]


def whole_files():
    """Bytes of good files, of many types, shapes and formats."""
    arrays = [np.arange(6).astype(kind) for kind in ("i1", "<u2", ">i4", "<i8", ">u8", "<f4", ">f8", "<f2", "<c8", "?")]
    arrays += [np.arange(24, dtype="<f4").reshape(2, 3, 4), np.asfortranarray(np.arange(12, dtype="<i4").reshape(3, 4)),
               np.array(7.5), np.zeros((0, 3), "<u4")]
    return [npy(array, version) for array in arrays for version in ((1, 0), (2, 0))]


def damage(data, chance, place):
    """One change at this place."""
    length, word = chance.randint(1, 12), chance.choice(WORDS)
    begin, end, new = chance.choice((
        (place, place + 1, bytes([chance.randrange(256)])),
        (place, place + 1, bytes([data[place] ^ 1 << chance.randrange(8)])),
        (place, place + length, b""), (place, place, data[place:place + length]),
        (place, place, word), (place, place + len(word), word), (place, place + len(word), word),
        (place, len(data), b""), (len(data), len(data), chance.randbytes(length))))
    data[begin:end] = new


def damaged(chance, files):
    """One to three changes, most of them in the header."""
    data = bytearray(chance.choice(files))
    if chance.random() < 0.1:
        data = data[:chance.randrange(len(data))] + chance.choice(files)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        if data:
            damage(data, chance, chance.randrange(len(data) if chance.random() < 0.2 else min(len(data), 80)))
    return bytes(data)


def as_numpy(content):
    """The array that NumPy reads, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    except Exception:  # NumPy raises many kinds
        return None


class Files(Random):

    def is_refused(self, arguments):
        """Runs without a driver. A file that is not refused fails at the first OpenCL call."""
        run = Run(arguments, environment={"OCL_ICD_VENDORS": self.directory})
        self.check_refused(run)
        return "no OpenCL platform" not in run.err

    def check_sum(self, run, array):
        """The sum of integers, and the count of non-zero elements of other types."""
        self.assertIsNotNone(array, f"NumPy cannot read it\n{run}")
        if array.dtype.kind in "iu":
            self.assertEqual(int(run.out), whole_sum(array), str(run))
        else:
            self.assertEqual(int(run.out), np.count_nonzero(array), str(run))

    def try_many(self, seed, many, on_device, try_one):
        chance = random.Random(seed)
        files, refused, late, good = whole_files(), 0, 0, 0
        for i in range(many):
            content = damaged(chance, files)
            path = self.write(f"damaged{i}.npy", content)
            arguments, check = try_one(i, path, as_numpy(content))
            with self.subTest(f"seed {seed}, file {i}", content=content):
                if self.is_refused(arguments):
                    refused += 1
                elif late + good < on_device:
                    run = Run(arguments)
                    late += run.code != 0
                    good += run.code == 0
                    (check if run.code == 0 else self.check_refused)(run)
            os.remove(path)
        print(f"seed {seed}: {many} files, {refused} refused without a device; with one {late} more, "
              f"and {good} are still arrays")
        self.assertGreater(refused, many // 2)
        return good

    def test_as_input(self):
        def try_one(_, path, array):
            op = "sum" if array is not None and array.dtype.kind in "iu" else "count_nonzero"
            return ["reduce", op, path], lambda run: self.check_sum(run, array)
        self.assertGreater(self.try_many(SEED, MANY, ON_DEVICE, try_one), 0)

    def test_beside_the_input(self):
        """Damaged offsets, keys, flags and second inputs. Accepted ones are verified."""
        good = self.write("good.npy", np.arange(6, dtype="<f4"))
        uses = [["sum", good, "--segments"], ["sum", good, "--by-key"], ["sum", good, "--heads"],
                ["dot", good, "--with"]]

        def try_one(i, path, array):
            return ["reduce", *uses[i % len(uses)], path, "--verify"], lambda run: self.assertIsNotNone(array, str(run))
        self.try_many(SEED + 1, MANY // 5, ON_DEVICE // 4, try_one)


# --- Command lines ---

VERBS = ["query", "list", "reduce", "scan", "select", "histogram", "plan", "ladder", "check", "tune", "bench"]
# These verbs run long. With a device that does not exist they end after they have read the command line.
LONG = ("ladder", "tune", "bench")
VERIFIED = ("reduce", "scan", "select", "histogram")

OPERANDS = {"reduce": ["sum", "max", "argmin", "mean", "dot", "stats"], "scan": ["sum", "min"],
            "select": ["x > 2", "x != 0"],
            "plan": ["sum", "minmax"], "check": ["sum"], "tune": ["sum", "sum,max"], "bench": ["sum", "min,max"],
            "list": ["ops", "types", "strategies"], "histogram": [], "ladder": [], "query": []}
INPUTS = ["f.npy", "i.npy", "square.npy", "raw.bin", "-", "nowhere.npy", "cut.npy"]
GOOD = {"generate": ["ones:9", "iota:100", "uniform:50:3", "constant:5:2"], "type": ["float", "int", "uchar", "float4"],
        "sizes": ["2^4..2^6"], "skip-bytes": ["0", "4"], "with": ["f.npy", "generate:ones:8"], "stride": ["1", "2"],
        "axis": ["0", "-1", "0,1"], "segments": ["offsets.npy"], "by-key": ["i.npy"], "group": ["i.npy"],
        "heads": ["i.npy"], "initial": ["3"], "bins": ["4"], "low": ["0"], "high": ["10"], "edges": ["0,1,2.5"],
        "op": ["sum"], "nan": ["ignore"], "overflow": ["detect", "wrap"], "result-type": ["own", "32", "64"],
        "state": ["double"], "operator": ["own.op"], "combine": ["a + b"], "identity": ["0"], "lift": ["x * 2"],
        "lower": ["s"], "element": ["float"], "result": ["float"], "preamble": ["/* none */"], "input": ["float:w"],
        "parameter": ["float:k=1"], "param": ["k=2"], "seed": ["3"], "device": ["0"],
        "strategy": ["auto", "chunked", "host_serial"], "finish": ["host", "last_group"], "group-size": ["1", "8"],
        "groups": ["2"], "elements": ["4"], "stop-at": ["32"], "stage": ["registers"], "chunk": ["4096"],
        "order": ["fixed", "any"], "assume": ["cpu=0", "compute_units=4"], "cache": ["off"], "tuning": ["off"],
        "output": ["out.npy"], "keys-output": ["keys.npy"], "repeat": ["1", "3"], "clock": ["wall"], "seconds": ["1"],
        "csv": ["-"], "compare": ["rows.json"], "fail-below": ["0.5"], "plot": ["x.svg"], "n": ["8"],
        "try": ["group_size=64", "elements=2,4"]}
JUNK = ["", " ", "-1", "x", "1e3", "0x10", "18446744073709551616", "nan", "--", "-", "=", ",", ":", "a,b", "a=b", "\n",
        "\x7f", "é", "%s%n", "float99999999999", "../", "2^99", "'", "\"", "{", "(", "/*", "\\", "*" * 300,
        "sum", "--json", "0"]


def options_of(verb):
    """The options in the verb's help, and whether each has a value."""
    text = subprocess.run([cli.TOOL, verb, "--help"], stdout=subprocess.PIPE, timeout=60, check=True).stdout.decode()
    listed = re.findall(r"^  (-{1,2}[a-z-]+) (\S*)", text, re.MULTILINE)
    return [(name, value != "") for name, value in listed]


def value_for(name, chance):
    good = GOOD.get(name.lstrip("-"), ["x"])
    return chance.choice(good) if chance.random() < 0.75 else chance.choice(JUNK)


def option_words(option, chance):
    name, has_value = option
    if not has_value:
        return [name if chance.random() < 0.95 else name + "=1"]
    value = value_for(name, chance)
    return [f"{name}={value}"] if name.startswith("--") and chance.random() < 0.3 else [name, value]


def spoil(words, chance):
    """Leaves out, repeats, moves, replaces or misspells a word."""
    place = chance.randrange(len(words))
    how = chance.randrange(5)
    if how == 0:
        del words[place]
    elif how == 1:
        words.insert(chance.randrange(len(words) + 1), words[place])
    elif how == 2:
        words.insert(chance.randrange(len(words)), words.pop(place))
    elif how == 3:
        words[place] = chance.choice(JUNK)
    elif words[place]:
        at = chance.randrange(len(words[place]))
        words[place] = words[place][:at] + chance.choice("x-=0,: ") + words[place][at + chance.randrange(2):]


def line(chance, options):
    verb = chance.choice(VERBS)
    words = [chance.choice(OPERANDS[verb])] if OPERANDS[verb] and chance.random() < 0.9 else []
    if verb in ("reduce", "scan", "select", "histogram", "plan") and chance.random() < 0.8:
        words += chance.choices(INPUTS, k=chance.choice((1, 1, 1, 2)))
    if verb == "scan" or (verb == "select" and chance.random() < 0.5):
        words += ["--output", "out.npy"]
    if verb == "histogram" and chance.random() < 0.7:
        words += ["--bins", "4"]
    every = [option for listed in options.values() for option in listed]
    for _ in range(chance.choice((0, 1, 1, 2, 3, 5))):
        words += option_words(chance.choice(options[verb] if chance.random() < 0.9 else every), chance)
    for _ in range(chance.choice((0, 0, 1, 2))):
        if words:
            spoil(words, chance)
    if verb in LONG:
        words += ["--device", "no such device"]
    return [verb if chance.random() < 0.97 else chance.choice(JUNK)] + words


def counted(codes):
    return ", ".join(f"{code}: {codes.count(code)}" for code in sorted(set(codes)))


class Lines(Random):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.before = os.getcwd()
        cli.TOOL = os.path.abspath(cli.TOOL)
        cls.write("f.npy", np.arange(8, dtype="<f4"))
        cls.write("i.npy", np.array([0, 0, 1, 1, 1, 2, 2, 3], "<i4"))
        cls.write("square.npy", np.arange(12, dtype="<f8").reshape(3, 4))
        cls.write("offsets.npy", np.array([0, 3, 3, 8], "<u8"))
        cls.write("cut.npy", b"\x93NUMPY\x01\x00")
        cls.write("raw.bin", bytes(range(32)))
        cls.write("own.op", b"name: own\nidentity: 0\ncombine: a + b\nparameter: float k = 1\n")
        cls.write("rows.json", b'{"rows": []}')
        os.chdir(cls.directory)

    @classmethod
    def tearDownClass(cls):
        os.chdir(cls.before)
        super().tearDownClass()

    def run_line(self, words, driver=True):
        nowhere = {} if driver else {"OCL_ICD_VENDORS": self.directory}
        return Run(words, environment={"HOME": self.directory, "XDG_CACHE_HOME": self.directory, **nowhere})

    def check_good(self, run):
        """A help text, a version, a table, or a result that --verify confirms."""
        words = run.arguments
        if re.match(r"usage: clreduce |clreduce \d", run.out):
            self.assertTrue({"--help", "-h", "--version"} & set(words), str(run))
        elif words[0] in VERIFIED:
            again = self.run_line(words[:1] + ["--verify"] + words[1:])
            streams = words[0] != "reduce" and any(word.startswith("--chunk") for word in words)
            self.assertEqual(again.code, 2 if streams else 0, str(again))
            if "--json" not in words and not streams:
                self.assertEqual(again.out, run.out, f"{run}\n{again}")
        else:
            self.assertIn(words[0], ("query", "list", "plan", "check"), str(run))
            self.assertNotEqual(run.out, "", str(run))

    def check(self, run):
        if run.code in (1, 2):
            self.check_refused(run)
        elif run.code == 0:
            self.check_good(run)
        else:  # a user's operator may break the laws
            self.assertEqual((run.code, run.arguments[0]), (3, "check"), str(run))

    def test_lines(self):
        chance = random.Random(SEED)
        options = {verb: options_of(verb) for verb in VERBS}
        codes, on_device = [], []
        for i in range(MANY):
            words = line(chance, options)
            with self.subTest(f"seed {SEED}, line {i}", words=words):
                run = self.run_line(words, driver=False)
                self.check(run)
                codes.append(run.code)
                if "no OpenCL platform" in run.err and len(on_device) < ON_DEVICE:
                    run = self.run_line(words)
                    on_device.append(run.code)
                    self.check(run)
        print(f"seed {SEED}: {len(codes)} lines; exit codes without a driver {counted(codes)}; "
              f"with one {counted(on_device)}")
        self.assertGreater(codes.count(2), MANY // 3)
        self.assertGreater(on_device.count(0), 0)
