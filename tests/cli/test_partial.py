"""reduce --partial and join: parts of an array that are reduced apart, and joined from files to the bits of one run."""

import json
import os
import random
from pathlib import Path

import numpy as np

from cli import OPERATORS, Case, fixed_order, wide_values

COUNT = 60007
# Ways to fold a part, by turns. Another shape of device needs other programs, which cost most of the time.
ONE_DEVICE = ((), ("--chunk", 5000), ("--chunk", 777))
DEVICES = ((), ("--assume", "cpu=0"), ("--assume", "cpu=1"), ("--chunk", 5000), ("--chunk", 777, "--assume", "cpu=0"))
# Composition of the maps x -> a.x * x + a.y, from the first to the last.
AFFINE = ("--combine", "{ return (float2)(a.x * b.x, a.y * b.x + b.y); }", "--identity", "(float2)(1.0f, 0.0f)",
          "--unchecked")
PAIR = ("--preamble", "typedef struct { int n; float x; } pair;", "--element", "pair", "--state", "{ int n; float x; }",
        "--lift", "MAKE(x.n, x.x)", "--identity", "MAKE(0, 0)", "--combine", "MAKE(a.n * 31 + b.n, a.x + b.x)",
        "--unchecked")


# Options that define an operator, each with a value. `join` needs them, too.
DEFINES = ("--operator", "--combine", "--identity", "--preamble", "--element", "--state", "--lift")


def definition(words):
    """The options of `words` that define an operator of the user's; none for one of the library."""
    own = [word for pair in zip(words, words[1:]) if pair[0] in DEFINES for word in pair]
    return own if "--operator" in own or "--combine" in own else []


class Partials(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.random = random.Random(24)
        cls.cache = ("--cache", cls.path("cache"))
        cls.values = wide_values(COUNT, "float32")
        cls.whole = cls.write("whole.npy", cls.values)

    def cuts(self, count, parts):
        ends = sorted(self.random.randrange(count + 1) for _ in range(parts - 1))
        return list(zip([0, *ends], [*ends, count]))

    def part(self, name, *arguments, stdin=None):
        """The path of a partial. Nothing is printed."""
        path = self.path(name)
        run = self.run_well("reduce", *arguments, "--partial", path, *self.cache, stdin=stdin)
        self.assertEqual((run.out, run.err), ("", ""))
        return path

    def parts(self, values, parts, *words, others=(), ways=ONE_DEVICE):
        """Paths of partials of `values` cut at random places. `others` are the further inputs."""
        paths = []
        for i, (begin, end) in enumerate(self.cuts(len(values), parts)):
            raw = values.dtype.kind == "V" or values.ndim > 1
            piece = self.write(f"piece{i}{'' if raw else '.npy'}", values[begin:end].tobytes() if raw
                               else values[begin:end])
            more = [word for k, other in enumerate(others)
                    for word in ("--with", self.write(f"other{i}-{k}.npy", other[begin:end]))]
            paths.append(self.part(f"part{i}.clr", *words, piece, *more, "--first", begin, *ways[i % len(ways)]))
        self.random.shuffle(paths)
        return paths

    def join(self, paths, *options):
        return self.run_well("join", *paths, *options, *self.cache).out

    def reduced(self, *arguments):
        """What one run prints."""
        return self.run_well("reduce", *arguments, *self.cache).out

    def assert_join_refused(self, paths, *options, naming, code=2):
        self.assert_refused("join", *paths, *options, *self.cache, naming=naming, code=code)

    def assert_joined(self, values, parts, path, *words, others=(), ways=ONE_DEVICE):
        """Parts of these values join to what one run prints for the file of all."""
        more = [word for k, other in enumerate(others) for word in ("--with", self.write(f"whole-{k}.npy", other))]
        paths = self.parts(values, parts, *words, others=others, ways=ways)
        self.assertEqual(self.join(paths, *definition(words)), self.reduced(*words, path, *more), words)


class Bits(Partials):
    def test_every_number_of_parts(self):
        for parts in (1, 2, 3, 8):
            joined = self.join(self.parts(self.values, parts, "sum", ways=DEVICES))
            self.assert_same_bits(joined.strip(), fixed_order(self.values), f"{parts} parts")

    def test_operators(self):
        holes = self.values.copy()
        holes[::7] = np.nan
        for words, ways in ((("mean,var,norm2,argmin",), DEVICES), (("stats",), ONE_DEVICE), (("prod",), ONE_DEVICE),
                            (("mean", "--nan", "ignore"), ONE_DEVICE), (("sum", "--state", "double"), ONE_DEVICE)):
            values = holes if "--nan" in words else self.values
            self.assert_joined(values, 3, self.write("values.npy", values), *words, ways=ways)
        other = wide_values(COUNT, "float32", 2)
        for words in (("dot",), ("--operator", OPERATORS / "weighted_mean.op")):
            self.assert_joined(self.values, 3, self.whole, *words, others=(other,))
        letters = np.random.default_rng(5).integers(0, 255, 30001, dtype="uint8")
        self.assert_joined(letters, 3, self.write("letters.npy", letters), "--operator",
                           OPERATORS / "polynomial_hash.op", "--param", "base=33")

    def test_types(self):
        """Also vectors, and structs of a preamble."""
        integers = np.random.default_rng(3).integers(-100, 100, 30001, dtype="int8")
        self.assertEqual(self.join(self.parts(integers, 3, "sum")), f"{integers.sum()}\n")
        maps = (1 + self.values[:60000].reshape(-1, 2) * np.float32(1e-6)).astype("float32")
        pairs = np.zeros(20001, [("n", "i4"), ("x", "f4")])
        pairs["n"], pairs["x"] = np.arange(20001), self.values[:20001]
        for values, parts, *words in ((self.values[:60000].reshape(-1, 4), 3, "sum", "--type", "float4"),
                                      (maps, 8, "--type", "float2", *AFFINE), (pairs, 3, *PAIR)):
            self.assert_joined(values, parts, self.write("raw", values.tobytes()), *words)

    def test_every_way_in(self):
        expected = self.reduced("stats", self.whole)
        half = COUNT // 2
        one, two = self.write("one.npy", self.values[:half]), self.write("two.npy", self.values[half:])
        text = "\n".join(["name,x", *(f"n,{value:.9g}" for value in self.values[half:])])
        # float elements as text, as a pipe, behind a header, in the other byte order and in Fortran order
        ways = {"text": (self.write("two.csv", text), "--column", "x", "--type", "float"),
                "pipe": ("-", "--type", "float"), "header": (self.write("h", b"abc" + self.values[half:].tobytes()),
                                                             "--type", "float", "--skip-bytes", 3),
                "swapped": (self.write("s.npy", self.values[half:].astype(">f4")),),
                "files": (self.write("f.npy", self.values[half:half + 9]), self.write("g.npy", self.values[half + 9:]))}
        left = self.part("left.clr", "stats", one)
        for name, way in ways.items():
            right = self.part("right.clr", "stats", *way, "--first", half, stdin=Path(two).read_bytes()[128:])
            self.assertEqual(self.join([right, left]), expected, name)
        for way in ((self.whole, "--stride", 3), ("--generate", "wide:50000:3")):
            whole = self.reduced("sum", *way)
            self.assertEqual(self.join([self.part("whole.clr", "sum", *way)]), whole)

    def test_overflow(self):
        large = np.full(5000, 2**30, "int32")
        narrow = self.parts(large, 2, "sum", "--result-type", 32)
        self.assertEqual(self.join(narrow), f"{large.sum(dtype='int32')}\n")
        detecting = self.parts(large, 2, "sum", "--result-type", 32, "--overflow", "detect")
        self.assert_join_refused(detecting, code=1, naming="CLRED_OVERFLOW")
        self.assertEqual(self.join(self.parts(large[:1], 2, "sum", "--overflow", "detect")), f"{2**30}\n")

    def test_no_elements(self):
        empty = self.write("empty", b"")
        parts = [self.part(f"e{first}.clr", "argmin", empty, "--type", "float", "--first", first)
                 for first in (0, 100, COUNT)]
        left = self.part("l.clr", "argmin", self.write("l.npy", self.values[:100]))
        right = self.part("r.clr", "argmin", self.write("r.npy", self.values[100:]), "--first", 100)
        whole = self.reduced("argmin", self.whole)
        self.assertEqual(self.join([right, *parts, left]), whole)
        self.assert_join_refused([parts[0]], naming=("e0.clr", "argmin", "0 elements"))
        self.assertEqual(self.join([self.part("s.clr", "sum", empty, "--type", "float")]), "0\n")


class Outputs(Partials):
    def test_json(self):
        paths = sorted(self.parts(self.values, 3, "stats"))
        answer = json.loads(self.join(paths[::-1], "--json"))
        whole = self.json("reduce", "stats", self.whole, *self.cache)
        for field in ("result", "op", "type", "result_type", "count", "order", "portable", "device"):
            self.assertEqual(answer[field], whole[field], field)
        self.assertEqual([part["file"] for part in answer["parts"]], paths)
        ends = [part["first"] + part["count"] for part in answer["parts"]]
        self.assertEqual([part["first"] for part in answer["parts"]], [0, *ends[:-1]])
        self.assertEqual(ends[-1], COUNT)
        self.assertNotIn("parts", whole)

    def test_json_of_a_partial(self):
        path = self.path("j.clr")
        answer = self.json("reduce", "sum", self.whole, "--partial", path, "--first", 2**60 + 1, *self.cache)
        self.assertEqual((answer["first"], answer["count"], answer["op"]), (2**60 + 1, COUNT, "sum"))
        self.assertEqual((answer["partial"], answer["bytes"]), (path, os.path.getsize(path)))

    def test_arrays_and_text(self):
        paths = self.parts(self.values, 2, "stats")
        one, two = self.path("one.npy"), self.path("two.npy")
        self.run_well("reduce", "stats", self.whole, "--output", one, *self.cache)
        self.assertEqual(self.join(paths, "--output", two), "")
        self.assertEqual(Path(one).read_bytes(), Path(two).read_bytes())
        self.assertEqual(self.join(paths, "--output", "-", "--text"),
                         self.reduced("stats", self.whole, "--output", "-", "--text"))

    def test_joined_partials(self):
        """Joined in two steps, or one: the same bytes, and the same result."""
        begins = (0, 20000, 30000, COUNT)
        paths = [self.part(f"j{begin}.clr", "sum", self.write("j.npy", self.values[begin:end]), "--first", begin)
                 for begin, end in zip(begins, begins[1:])]
        right, all_at_once, whole = self.path("right.clr"), self.path("all.clr"), self.path("whole.clr")
        self.assertEqual(self.join(paths[:0:-1], "--partial", right), "")
        answer = json.loads(self.join([right, paths[0]], "--partial", whole, "--json"))
        self.assertEqual((answer["first"], answer["count"], len(answer["parts"])), (0, COUNT, 2))
        self.join(paths, "--partial", all_at_once)
        self.assertEqual(Path(whole).read_bytes(), Path(all_at_once).read_bytes())
        self.assert_same_bits(self.join([whole]).strip(), fixed_order(self.values))
        self.assert_join_refused([right], naming=("right.clr", "begins at element 20000", "--partial"))

    def test_nothing_is_left_after_a_failure(self):
        directory = self.path("outputs")
        os.mkdir(directory)
        path = os.path.join(directory, "kept.clr")
        Path(path).write_text("before", encoding="ascii")
        text = self.write("bad.csv", "1\n2\nthree\n")
        self.assert_refused("reduce", "sum", text, "--partial", path, "--chunk", 1, *self.cache, naming="three")
        self.assert_refused("reduce", "sum", self.whole, "--first", 2**64 - 5, "--partial", path, *self.cache,
                            naming="64 bits", code=1)
        self.assertEqual(Path(path).read_text(encoding="ascii"), "before")
        self.assertEqual(os.listdir(directory), ["kept.clr"])
        self.assert_refused("reduce", "sum", self.whole, "--partial", self.path("nowhere/x"), *self.cache, code=1,
                            naming=("--partial", "nowhere"))
        self.assert_refused("reduce", "sum", self.whole, "--partial", "/dev/full", *self.cache, code=1,
                            naming=("--partial", "/dev/full"))


class Order(Partials):
    """Operators that are exact in any order: join brings the files into the order of their elements."""

    def test_files_in_any_order(self):
        for operator in (("sum", "--order", "exact"), ("mean", "--order", "exact"), ("argmin",)):
            self.assert_joined(self.values, 8, self.whole, *operator)
        numbers = np.random.default_rng(6).integers(-2**30, 2**30, 30001, dtype="int32")
        self.assertEqual(self.join(self.parts(numbers, 8, "sum")), f"{numbers.sum(dtype='int64')}\n")

    def test_missing_and_doubled_parts(self):
        """Of an operator whose order matters, and of a list that is exact in any order."""
        for operator in ("sum", "argmin,max"):
            files = {name: self.part(name, operator, self.write("piece.npy", self.values[begin:end]), "--first", begin)
                     for name, begin, end in (("a", 0, 100), ("b", 100, 200), ("c", 200, 300), ("d", 290, 400))}
            for names, naming in (("ca", ("c: begins at element 200", "a ends before element 100", "between")),
                                  ("cb", ("b: begins at element 100", "--partial")), ("aa", ("a", "each element")),
                                  ("dab", ("d: begins at element 290", "b ends before element 200")),
                                  ("dbca", ("d: begins at element 290", "c has", "before 300", "each element"))):
                self.assert_join_refused([files[name] for name in names], naming=naming)
            self.assert_join_refused([files["c"], files["a"]], "--partial", self.path("x.clr"),
                                     naming=("c: begins at element 200", "between"))
        self.assertFalse(os.path.exists(self.path("x.clr")))


class Refusals(Partials):

    def test_command_lines_of_join(self):
        part = self.part("c.clr", "sum", self.whole)
        self.assert_each_refused("join", {
            "": "PART is missing", "nowhere.clr --json --output -": "--json",
            f"{part} --partial x.clr --output y.npy": ("--partial", "--output"),
            f"{part} --partial x.clr --text": "--text",
            f"{part} --partial - --json": ("--partial -", "--json"), f"{part} --partial {part}": "lost",
            f"{part} --verify": "--verify", f"{self.whole}": (self.whole, "is no partial"),
            f"{part} {self.write('nothing', b'')}": ("nothing", "is no partial")})
        self.assert_refused("join", part, self.path("nowhere.clr"), code=1, naming="nowhere.clr")

    def test_other_problems(self):
        npy, rest = self.write("a.npy", self.values[:1000]), self.write("b.npy", self.values[1000:])
        double = self.write("d.npy", self.values[1000:].astype("float64"))
        hashes = ("--operator", OPERATORS / "polynomial_hash.op", "--unchecked")
        letters, bits = self.write("l.npy", self.values[:1000].view("uint8")), self.values[1000:].view("uint8")
        bits = self.write("m.npy", bits)
        rows = ((("sum", npy), ("mean", rest), ("op is mean here and sum there",)),
                (("sum", npy), ("sum", double), ("type is double here and float there",)),
                (("sum", npy), ("sum", rest, "--nan", "ignore"), ("nan is ignore here and not given there",)),
                ((*hashes, letters, "--param", "base=31"), (*hashes, bits, "--param", "base=33"), ("parameters",)),
                (("sum", npy), ("--combine", "a + b", "--identity", "0", rest), ("op is custom",)))
        for left, right, naming in rows:
            first = 4000 if left[-1] == "base=31" else 1000
            paths = (self.part("a.clr", *left), self.part("b.clr", *right, "--first", first))
            self.assert_join_refused(paths, *definition(left), naming=("b.clr", "a.clr", *naming))
        # An option that says the default is the same problem.
        paths = (self.part("a.clr", "sum,min", npy), self.part("b.clr", "sum,min", rest, "--first", 1000,
                                                               "--nan", "propagate"))
        self.assertEqual(self.join(paths), self.reduced("sum,min", self.whole))


    def test_own_operators_are_given_again(self):
        """A file has no text of an operator, so that it is only data."""
        plus = ("--combine", "a + b", "--identity", "0")
        own, sums = self.part("own.clr", *plus, self.whole), self.part("sums.clr", "sum", self.whole)
        self.assertNotIn(b"a + b", Path(own).read_bytes())
        for paths, options, naming in (
                ([own], (), ("own.clr", "'custom'", "--operator FILE or --combine")),
                ([own], ("--operator", OPERATORS / "polynomial_hash.op"), ("own.clr", "'custom'", "polynomial_hash")),
                ([own], ("--combine", "a * b", "--identity", "1"),
                 ("own.clr", "not that of the options; give the options that made it")),
                ([own], (*plus, "--parameter", "float:k=1"), ("--parameter float:k=1", "leave the value out")),
                ([own], ("--state", "double"), ("--state", "--operator")),
                ([sums], plus, ("sums.clr", "sum", "leave --operator and --combine out"))):
            self.assert_join_refused(paths, *options, naming=naming)
        self.assertEqual(self.join([own], *plus), self.reduced(*plus, self.whole))


class Damage(Partials):
    """Files that were cut or altered."""

    def setUp(self):
        self.file = Path(self.part("d.clr", "sum", self.whole, "--nan", "ignore"))
        self.bytes = self.file.read_bytes()

    def assert_damaged(self, content, *naming):
        self.assert_join_refused([self.write("damaged.clr", content)], naming=("damaged.clr", *naming))

    def test_every_end(self):
        line = self.bytes.index(b"\n")
        for size in (1, 8, 16, 20, line - 1, line, line + 1, line + 20, len(self.bytes) // 2, len(self.bytes) - 1):
            self.assert_damaged(self.bytes[:size])
        self.assert_damaged(self.bytes + b"\0", "bytes")

    def test_every_place(self):
        line = self.bytes.index(b"\n")
        for place in (*range(0, line + 1), line + 1, line + 9, *range(line + 40, len(self.bytes), 997)):
            changed = bytearray(self.bytes)
            changed[place] ^= 1 << self.random.randrange(7)
            self.assert_damaged(bytes(changed))

    def altered(self, change):
        """The file with another first line: JSON, or these bytes."""
        about, packed = self.bytes.split(b"\n", 1)
        about = change if isinstance(change, bytes) else json.dumps({**json.loads(about), **change},
                                                                    separators=(",", ":")).encode()
        return about + b"\n" + packed

    def test_other_first_lines(self):
        good = self.write("good.clr", self.altered({}))
        self.assertEqual(self.join([good]), self.reduced("sum", self.whole, "--nan", "ignore"))
        for change, naming in (
                ({"op": 3}, "op"), ({"type": None}, "type"), ({"type": "flaot"}, "flaot"), ({"nan": 1}, "nan"),
                ({"op": "mean"}, "of another problem"), ({"type": "int"}, "of another problem"),
                ({"state": "double"}, "of another problem"), ({"input_bytes": []}, "--operator FILE"),
                ({"op": "smu"}, "smu"), ({"op": "sum,sum"}, "sum"), ({"nan": "x"}, "x"),
                ({"partial": 1}, "version 2"), ({"partial": "2"}, "version 2")):
            with self.subTest(change):
                self.assert_damaged(self.altered(change), naming)
        mean = ("--operator", OPERATORS / "weighted_mean.op")
        for sizes in (None, 7, [], ["4"], [-1], [2**20 + 1]):
            other = self.altered({"op": "weighted_mean", "input_bytes": sizes})
            self.assert_join_refused([self.write("damaged.clr", other)], *mean, naming=("damaged.clr", "input_bytes"))
        for about in (b"", b"[]", b"{", b"{}", b"null", b"[" * 5000, b'{"op":"sum"}', b'{"partial":2,"op":"sum"}',
                      b'{"partial":2', b'{"partial":2,"op":"s\0um","type":"float"}'):
            self.assert_damaged(self.altered(about))
        first = self.bytes.split(b"\n")[0]
        self.assert_damaged(self.altered(first + b"x"), "no JSON object")
        self.assert_damaged(first + b"\n", "damaged")
