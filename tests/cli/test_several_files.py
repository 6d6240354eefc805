"""Several files: as one range, whose bits are those of one file with all elements, or one result a file by --each."""

import csv
import gzip
import io
import subprocess

import numpy as np

from cli import Case, TOOL, fixed_order, wide_values

WHOLE = wide_values(6006, "float32")
ARRAY = WHOLE.reshape(858, 7)
LIST = "sum,argmin"
RAW = ("--type", "float")


def text_of(values):
    return "".join(f"{value!r}\n" for value in values.tolist())


class OneRange(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.one = cls.write("one.npy", ARRAY)
        cls.parts = [cls.write("0.npy", ARRAY[:100]), cls.write("1.npy", np.asfortranarray(ARRAY[100:300])),
                     cls.write("2.npy", ARRAY[300:300]), cls.write("3.npy", ARRAY[300:].astype(">f4"))]
        archive = io.BytesIO()
        np.savez(archive, close=WHOLE[4000:5000])
        cls.mixed = [cls.write("a.npy", WHOLE[:1003]), cls.write("b.raw", WHOLE[1003:2000].tobytes()), "-",
                     cls.write("d.csv", "price\n" + text_of(WHOLE[3000:3500])),
                     cls.write("e.raw.gz", gzip.compress(WHOLE[3500:4000].tobytes())),
                     cls.write("f.npz", archive.getvalue()), cls.write("g.npy", ARRAY[:0]),
                     cls.write("h.npy", WHOLE[5000:].reshape(2, 503))]
        cls.piped = WHOLE[2000:3000].tobytes()

    def test_bits_of_one_file(self):
        answer = self.expect("reduce", LIST, *self.parts, "--verify", verified=True, count=6006, files=self.parts)
        self.assertEqual(np.float32(answer["result"]["sum"]), fixed_order(WHOLE))
        self.assertEqual(answer["result"]["argmin"], {"index": int(WHOLE.argmin()), "value": float(str(WHOLE.min()))})
        self.assertEqual(answer["result"], self.json("reduce", LIST, self.one)["result"])
        self.assertNotIn("files", self.json("reduce", LIST, self.one))

    def test_every_kind_of_input(self):
        answer = self.json("reduce", LIST, *self.mixed, *RAW, "--column", "1", "--verify", stdin=self.piped)
        self.assertEqual((answer["result"], answer["count"], answer["verified"]),
                         (self.json("reduce", LIST, self.one)["result"], 6006, True))

    def test_streams(self):
        """Chunks go on from file to file."""
        one = self.json("reduce", "sum", self.one)["result"]
        ordered = [self.parts[0], self.write("c.npy", ARRAY[100:300]), *self.parts[2:]]
        mapped = [*ordered[:3], self.write("rest.raw", ARRAY[300:].tobytes())]
        for files in (mapped, ordered, [*self.mixed, "--header", "yes"]):
            for chunk in (1024, 2048):
                self.expect("reduce", "sum", *files, *RAW, "--chunk", chunk, "--verify", stdin=self.piped, result=one,
                            count=6006, chunk=chunk, verified=True)
        self.assert_refused("reduce", "sum", *self.parts, "--chunk", 64, naming="--chunk")

    def test_other_verbs(self):
        ints = np.arange(-500, 700, dtype="int32")
        files = [self.write("i0.npy", ints[:7]), self.write("i1.npy", ints[7:1000]), self.write("i2.npy", ints[1000:])]
        for chunk in ((), ("--chunk", 100)):
            self.assert_array(self.array("scan", "sum", *files, *chunk), ints.cumsum(dtype="int64"))
            self.assert_array(self.array("select", "x > 3", *files, *chunk), ints[ints > 3])
            self.assertEqual(self.result("select", "x > 3", *files, *chunk), str((ints > 3).sum()))
            self.expect("histogram", *files, "--bins", 5, *chunk, counts=np.histogram(ints, 5)[0].tolist(), count=1200,
                        files=files)
        self.expect("reduce", "median", *files, "--verify", "--repeat", 2, result=99.5, count=1200, verified=True,
                    files=files)
        self.expect("plan", "sum", *files, count=1200)
        self.assertEqual(self.result("reduce", "--combine", "max(a, b)", "--identity", "INT_MIN", "custom", *files),
                         "699")

    def test_shapes(self):
        """Arrays are joined along axis 0. If they do not fit, they are a line."""
        self.assert_array(self.array("reduce", "max", *self.parts, "--axis", 0), ARRAY.max(axis=0))
        self.assert_array(self.array("reduce", "max", *self.parts, "--axis", -1), ARRAY.max(axis=1))
        halves = [self.write("h0.npy", np.ones((2, 3), "int32")), self.write("h1.npy", np.ones((4, 3), "int32"))]
        line = self.write("line.npy", np.ones(5, "int32"))
        self.assertEqual(self.array("scan", "sum", *halves).shape, (6, 3))
        self.assert_array(self.array("scan", "sum", *halves, line), np.arange(1, 24))
        numbers = self.write("numbers.csv", "2\n3\n")
        self.assert_array(self.array("reduce", "sum", line, numbers, "--type", "int", "--axis", 0), np.array(10))
        self.assert_refused("reduce", "sum", *halves, line, "--axis", 0, naming=("--axis 0", "line.npy", "h0.npy"))

    def test_more_files_than_can_be_open(self):
        files = [self.write(f"many{i}.npy", np.full(9, i, "int32")) for i in range(200)]
        limited = ["sh", "-c", 'ulimit -n 60; exec "$@"', "sh", TOOL, "reduce", "sum", *files]
        for each, out in (([], f"{9 * 19900}\n"), (["--each"], "".join(f"{f} {9 * i}\n" for i, f in enumerate(files)))):
            done = subprocess.run(limited + each, stdout=subprocess.PIPE, timeout=120, check=True)
            self.assertEqual(done.stdout.decode(), out)


class Each(Case):

    NAMES = ("plain.npy", "two words.npy", 'a "quote".npy', "two\nlines.npy", "tab\t.npy", "a,b.npy")

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.values = [np.arange(3 + i, dtype="int32") * (1 - i) for i in range(len(cls.NAMES))]
        cls.files = [cls.write(name, values) for name, values in zip(cls.NAMES, cls.values)]

    def rows(self, *arguments):
        out = self.run_well(*arguments).out
        return list(csv.reader(io.StringIO(out, newline=""), delimiter=" "))

    def test_names_can_be_read_back(self):
        rows = self.rows("reduce", "sum", *self.files, "--each")
        self.assertEqual(rows, [[name, str(values.sum())] for name, values in zip(self.files, self.values)])
        self.assertEqual(self.result("reduce", "sum", self.files[0], "--each"), f"{self.files[0]} 3")
        self.assertEqual(self.result("reduce", "sum", self.files[5], "--each"), f'"{self.files[5]}" -112')
        err = self.run_well("reduce", "median", self.files[1], "--each", "--explain").err
        self.assertTrue(err.startswith(f"{self.files[1]}: median: "), err)
        piped = self.write("each.txt", "\n".join(" ".join(['"' + row[0].replace('"', '""') + '"', row[1]])
                                                 for row in rows) + "\n")
        self.assertEqual(self.result("reduce", "sum", piped, "--delimiter", " ", "--column", 2, "--type", "long"),
                         str(sum(values.sum() for values in self.values)))

    def test_parts_and_rows(self):
        self.assertEqual(self.rows("reduce", LIST, *self.files, "--each"),
                         [[name, str(values.sum()), str(values.argmin()), str(values.min())]
                          for name, values in zip(self.files, self.values)])
        cube = self.write("cube.npy", np.arange(6, dtype="int32").reshape(2, 3))
        self.assertEqual(self.rows("reduce", "sum", cube, cube, "--each", "--axis", 1), [[cube, "3"], [cube, "12"]] * 2)

    def test_json(self):
        """The files share a program."""
        answers = self.json("reduce", "sum", *self.files, "--each", "--verify")
        self.assertEqual([(a["file"], a["result"], a["count"], a["verified"], a["builds"]) for a in answers],
                         [(name, values.sum(), len(values), True, 1) for name, values in zip(self.files, self.values)])

    def test_nothing_is_left_of_the_file_before(self):
        ones = np.asfortranarray(np.ones((3, 2), "int32"))
        answers = self.json("select", "x > 0", self.write("large.npy", np.ones(9 << 18, "int32")),
                            self.write("small.npy", ones), "--each")
        self.assertEqual([(a["result"], "chunk" in a) for a in answers], [(9 << 18, True), (6, False)])
        self.assert_refused("reduce", "sum", self.write("cube.npy", np.ones((2, 3, 1 << 18), "int8")),
                            self.write("lines.csv", "1\n"), "--each", "--axis", "0,2", naming="--axis 2")
