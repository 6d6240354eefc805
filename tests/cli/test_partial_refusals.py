"""reduce --partial and join: command lines, parts and files that are refused."""

import json
import os
from pathlib import Path

from cli import OPERATORS, fnv1a
from test_partial import COUNT, Partials


def sign(first_line, rest):
    """The file with a right checksum: FNV-1a over the first line up to it, and over what is behind this line."""
    begin = first_line.partition("checksum ")[0].encode() + b"checksum "
    return begin + fnv1a(begin + rest) + b"\n" + rest


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

    def test_gaps_and_overlaps(self):
        a = self.part("a.clr", "sum", self.write("a.npy", self.values[:100]))
        b = self.part("b.clr", "sum", self.write("b.npy", self.values[:100]), "--first", 90)
        c = self.part("c.clr", "sum", self.write("c.npy", self.values[:100]), "--first", 200)
        for paths, naming in (((a, b), ("b.clr", "a.clr", "90", "100")), ((a, a), ("a.clr", "each element")),
                              ((c, a), ("c.clr", "a.clr", "200", "100", "between"))):
            for options in ((), ("--partial", self.path("x.clr"))):
                self.assert_join_refused(paths, *options, naming=naming)
        self.assertFalse(os.path.exists(self.path("x.clr")))

    def test_other_problems(self):
        npy, rest = self.write("a.npy", self.values[:1000]), self.write("b.npy", self.values[1000:])
        double = self.write("d.npy", self.values[1000:].astype("float64"))
        hashes = ("--operator", OPERATORS / "polynomial_hash.op", "--unchecked")
        letters, bits = self.write("l.npy", self.values[:1000].view("uint8")), self.values[1000:].view("uint8")
        bits = self.write("m.npy", bits)
        rows = ((("sum", npy), ("mean", rest), ("op is mean here and sum there",)),
                (("sum", npy), ("sum", double), ("type is double here and float there",)),
                (("sum", npy), ("sum", rest, "--nan", "ignore"), ("nan is ignore here and not given there",)),
                ((*hashes, letters, "--param", "base=31"), (*hashes, bits, "--param", "base=33"), ("operator",)),
                (("sum", npy), ("--combine", "a + b", "--identity", "0", rest), ("op is custom",)))
        for left, right, naming in rows:
            first = 4000 if left[-1] == "base=31" else 1000
            paths = (self.part("a.clr", *left), self.part("b.clr", *right, "--first", first))
            self.assert_join_refused(paths, naming=("b.clr", "a.clr", *naming))
        # An option that says the default is the same problem.
        paths = (self.part("a.clr", "sum,min", npy), self.part("b.clr", "sum,min", rest, "--first", 1000,
                                                               "--nan", "propagate"))
        self.assertEqual(self.join(paths), self.reduced("sum,min", self.whole))


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
        begin = len(b"clreduce partial ")
        for place in (*range(begin, line + 1, 3), line + 1, line + 9, *range(line + 40, len(self.bytes), 997)):
            changed = bytearray(self.bytes)
            changed[place] ^= 1 << self.random.randrange(8)
            self.assert_damaged(bytes(changed))

    def resigned(self, change_line=lambda line: line, change_about=lambda about: about, change_packed=bytes):
        """The file with a right size and checksum, but other content."""
        line, about, packed = self.bytes.split(b"\n", 2)
        about = change_about(json.loads(about))
        rest = (about if isinstance(about, bytes) else json.dumps(about).encode()) + b"\n" + change_packed(packed)
        head = line.decode().partition("bytes ")[0]
        size = len(line) + 1 + len(rest)
        line = f"{head}bytes {size:020}, checksum "
        return sign(change_line(line), rest)

    def test_what_a_right_checksum_does_not_hide(self):
        good = self.write("good.clr", self.resigned())
        whole = self.reduced("sum", self.whole, "--nan", "ignore")
        self.assertEqual(self.join([good]), whole)
        for change, naming in (
                ({"op": 3}, "op"), ({"type": None}, "type"), ({"type": "flaot"}, "flaot"), ({"nan": 1}, "nan"),
                ({"op": "mean"}, "of another problem"), ({"type": "int"}, "of another problem"),
                ({"state": "double"}, "of another problem"), ({"operator": 7}, "has no name"),
                ({"op": "smu"}, "smu"), ({"op": "sum,sum"}, "sum"), ({"nan": "x"}, "x"),
                ({"operator": {"name": "x", "identity": "0", "combine": 5}}, "combine"),
                ({"operator": {"name": "x", "identity": "0", "combine": "a+b", "input": ["float w"]}}, "input_bytes"),
                ({"operator": {"name": "x", "identity": "0", "combine": "a+b", "parameter": ["float"]}}, "declaration"),
                ({"operator": {"name": "x", "identity": "0", "combine": "a+b"}}, "'nan'")):
            with self.subTest(change):
                self.assert_damaged(self.resigned(change_about=lambda about, new=change: {**about, **new}), naming)
        for about in (b"", b"[]", b"{", b"{}", b"null", b"[" * 5000, b'{"op":"sum"}', b'{"op":"s\0um","type":"float"}'):
            self.assert_damaged(self.resigned(change_about=lambda _, new=about: new))
        self.assert_damaged(sign(self.resigned().split(b"\n")[0].decode(), b""))
        self.assert_damaged(self.resigned(change_packed=lambda packed: packed[:-1]), "damaged")
        self.assert_damaged(self.resigned(change_packed=lambda packed: b""), "damaged")
        other = self.resigned(lambda line: line.replace(f"count {COUNT}", f"count {COUNT - 1}"))
        self.assert_damaged(other, "different elements")
        self.assert_damaged(self.resigned(lambda line: line.replace("partial 1", "partial 2")), "version 2")
        self.assert_damaged(self.resigned(lambda line: line.replace("first 0", "first -1")))
        self.assert_damaged(self.resigned(lambda line: line.replace("first 0", "first 99999999999999999999")))
