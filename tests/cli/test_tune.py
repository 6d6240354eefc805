"""tune: measured numbers are kept in a file, plans use them and report it, unusable files cause a note, and results
keep their bits. tune --textbook: the trials and the best one."""

import json
import os
import re
from math import isclose
from pathlib import Path

from cli import Case, Run, fnv1a
from test_terminal import shown

DATA = ("--generate", "uniform:200000:4", "--type", "float")
# If the device has little memory, there is little to measure.
SMALL = ("--assume", "max_alloc=67108864")


def checked(text):
    """The text and its checksum (FNV-1a, 64 bits), as the library writes them."""
    return text.encode() + b"check " + fnv1a(text.encode()) + b"\n"


class Tuning(Case):

    lines = None

    def tune(self, *arguments):
        return self.json("tune", *arguments, "--seconds", "1", *SMALL)

    def plan(self, path, *more):
        return self.run_well("plan", "sum", *DATA, *SMALL, "--tuning", path, "--json", *more)

    def true_lines(self):
        """The lines of a file about this device, without the checksum."""
        if not Tuning.lines:
            path = self.path("true.txt")
            self.tune("sum", "-n", "100", "--tuning", path)
            Tuning.lines = Path(path).read_text().splitlines()[:-1]
        return Tuning.lines

    def forged(self, name, numbers, **changed):
        """A file about this device with these numbers for sums of floats. Other lines may have changed values."""
        lines = self.true_lines()
        strategy = next(line.split()[1] for line in lines if line.startswith("numbers "))
        first = {line: line.split()[0] for line in lines}
        kept = [f"{first[line]} {changed[first[line]]}" if first[line] in changed else line for line in lines
                if first[line] != "numbers"]
        kept.append(f"numbers {strategy} sum float 4 any {numbers}")
        return self.write(name, checked("\n".join(kept) + "\n"))


class Measures(Tuning):

    def test_rows_and_file(self):
        path = self.path("rows.txt")
        answer = self.tune("sum,max", "--type", "float,int", "-n", "3000", "--tuning", path)
        self.assertEqual(Run.last.err, "")
        self.assertEqual(answer["file"], path)
        self.assertEqual([(row["op"], row["type"]) for row in answer["rows"]],
                         [("sum", "float"), ("sum", "int"), ("max", "float"), ("max", "int")])
        for row in answer["rows"]:
            self.assertEqual((row["calls"], row["count"]), ("small", 3000))
            self.assertGreater(row["before_seconds"], 0)
            self.assertGreater(row["after_seconds"], 0)
        text = Path(path).read_text()
        self.assertTrue(text.startswith("clreduce tuning 1\n"))
        for row in answer["rows"]:
            numbers = ",".join(f"{name}={value}" for name, value in row["numbers"].items()) or "-"
            self.assertIn(f"{row['strategy']} {row['op']} {row['type']} ", text)
            self.assertIn(f" small {numbers}\n", text)
        self.assertEqual(os.listdir(self.directory).count("rows.txt"), 1)
        self.assertEqual([name for name in os.listdir(self.directory) if name.startswith("rows.txt.")], [])

    def test_all_lengths_as_a_table(self):
        """On 80 columns, where numbers have lines of their own. The row "any" has no times: it must have numbers."""
        lines = shown({}, "tune", "sum", "--seconds", "1", *SMALL, "--tuning", "off", "--quiet", columns=80)
        rows = [row.splitlines() for row in re.split("\n(?=sum )", lines)[1:]]
        self.assertEqual([row[0].split()[3] for row in rows][:3], ["small", "middle", "large"])
        for row in rows:
            self.assertTrue(" us " in row[0] or " ms " in row[0] or row[1] != "    as the facts say", row)
        self.assertLessEqual(max(map(len, lines.splitlines())), 80, lines)

    def test_the_cache_directory(self):
        arguments = ("tune", "sum", "-n", "100", "--seconds", "1", "--json", *SMALL)
        cache = self.path("cache/of/mine")
        self.run_well(*arguments, environment={"CLREDUCE_TUNING": "", "XDG_CACHE_HOME": cache})
        self.assertTrue(os.path.exists(os.path.join(cache, "clreduce/tuning.txt")))
        self.run_well(*arguments, environment={"CLREDUCE_TUNING": self.path("named.txt"), "XDG_CACHE_HOME": cache})
        self.assertTrue(os.path.exists(self.path("named.txt")))


class Plans(Tuning):

    def test_plans_take_it(self):
        path = self.forged("taken.txt", "groups=3")
        answer = self.expect("plan", "sum", *DATA, *SMALL, "--tuning", path, tuned=True)
        self.assertLessEqual(answer["groups"], 3)
        self.assertIn("groups 3: tuned", answer["description"])
        for more in (("--tuning", "off"), ("--tuning", path, "--groups", "50"), ("--tuning", self.path("none.txt"))):
            self.assertIs(self.json("plan", "sum", *DATA, *SMALL, *more)["tuned"], False, more)
        run = Run(("plan", "sum", *DATA, *SMALL, "--json"), environment={"CLREDUCE_TUNING": path})
        self.assertIn('"tuned":true', run.out.replace(" ", ""))

    def test_bits_stay(self):
        plain = self.result("reduce", "sum", *DATA, *SMALL)
        for index, numbers in enumerate(("groups=1", "groups=1048576,tiles_at_least=1", "tiles_at_least=64", "vector=2",
                                         "vector=16,vectors_at_once=0", "group_size=1024,turns=64,groups=9")):
            path = self.forged(f"bits{index}.txt", numbers)
            self.assertEqual(self.result("reduce", "sum", *DATA, *SMALL, "--verify", "--tuning", path), plain, numbers)

class Notes(Tuning):

    def assert_noted(self, path, word):
        run = self.plan(path)
        self.assertEqual(run.err.count("\n"), 1)
        self.assertIn(path, run.err)
        self.assertIn(word, run.err)
        self.assertIn('"tuned":false', run.out.replace(" ", ""))
        self.assertEqual(self.plan(path, "--quiet").err, "")

    def test_damage_and_staleness(self):
        """unit/test_tuning.c has every damage."""
        whole = Path(self.forged("whole.txt", "groups=3")).read_bytes()
        for path, word in ((self.write("nonsense.txt", b"nonsense"), "ignored"),
                           (self.write("cut.txt", whole[:-1]), "damaged"),
                           (self.forged("wings.txt", "wings=3"), "damaged"), (self.directory, "cannot be read"),
                           (self.forged("driver.txt", "groups=3", software="0.0"), "another version"),
                           (self.write("format.txt", checked("clreduce tuning 2\nwhatever\n")), "of the format")):
            self.assert_noted(path, word)
        self.assertEqual(self.plan(self.forged("device.txt", "groups=3", device="another")).err, "")

    def test_a_damaged_file_is_replaced(self):
        path = self.write("replaced.txt", checked("clreduce tuning 1\nnonsense\n"))
        run = self.run_well("tune", "sum", "-n", "100", "--seconds", "1", *SMALL, "--tuning", path)
        self.assertIn("damaged", run.err)
        self.assertEqual(self.plan(path).err, "")

    def test_other_files_are_not_overwritten(self):
        for content in (b"notes of mine\n", checked("clreduce tuning 2\nof a later version\n"),
                        b"x" * (1 << 20) + b"y"):
            path = self.write("notes.txt", content)
            run = self.run_well("tune", "sum", "-n", "100", "--seconds", "1", *SMALL, "--tuning", path, "--quiet",
                                code=1)
            self.assertEqual(run.out, "")
            self.assertIn(path, run.err)
            self.assertEqual(Path(path).read_bytes(), content)

    def test_files_that_cannot_be_written(self):
        for path in (self.path("no/such/directory.txt"), self.directory, "/proc/tuning.txt"):
            run = self.run_well("tune", "sum", "--tuning", path, "--quiet", *SMALL, code=1)
            self.assertEqual(run.out, "")
            self.assertIn(path, run.err)


TRIALS = ("tune", "--textbook", "-n", "3000", "--repeat", "1")
FEW = (*TRIALS, "--strategy", "local_coarsened,local_sequential", "--try", "group_size=3,64,2^20", "--try",
       "elements=2,4")


class Textbook(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.rows = json.loads(Run([*FEW, "--json"]).out)["rows"]
        cls.ran = [row for row in cls.rows if row["refused"] is None]

    def test_every_combination_is_a_row(self):
        rows = [(row["name"], row["group_size"], row["elements"]) for row in self.rows]
        self.assertEqual(rows, [("auto", None, None),
                                *(("local_sequential", size, None) for size in (3, 64, 2**20)),
                                *(("local_coarsened", size, many) for size in (3, 64, 2**20) for many in (2, 4))])

    def test_rows(self):
        """What does not fit is a row, too."""
        best = min(row["wall_seconds"] for row in self.ran[1:])
        for row in self.rows:
            fits = row["group_size"] in (None, 64)
            self.assertEqual((row["refused"] is None, row["correct"]), (fits, True if fits else None), row)
            self.assertEqual(set(row), set(self.rows[0]))
            self.assertTrue(isclose(row["to_best"], row["wall_seconds"] / best) if fits
                            else "group_size" in row["refused"], row)

    def test_text(self):
        lines = self.run_well(*FEW).out.splitlines()
        rows = [line for line in lines if line.startswith(("auto: ", "local_"))]
        self.assertEqual(len(rows), len(self.rows))
        self.assertEqual([" best" in line for line in rows[1:]].count(True), 1)

    def test_a_strategy_that_refuses_the_problem_says_why(self):
        rows = self.json(*TRIALS, "argmin", "--strategy", "atomic", "--try", "group_size=2")["rows"]
        self.assertEqual([row["name"] for row in rows], ["auto", "atomic"])
        self.assertIn("16", rows[1]["refused"])

    def test_failures(self):
        trials = (*TRIALS, "--strategy", "hand_off", "--try", "group_size=64")
        run = self.run_changed(("strategies/hand_off.cl", "{", "{ no C"), *trials, code=1)
        self.assertEqual((run.out, run.err.count("\n")), ("", 1))
