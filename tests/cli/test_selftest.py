"""selftest: its output, its file of findings, and the verbs that use the findings. tests/layer has faulty devices."""

import json
import os
from pathlib import Path

from cli import Case, Run
from test_tune import checked, forged

DATA = ("--generate", "uniform:2000:4", "--type", "float")
SUM = ("reduce", "sum", *DATA)


class Selftest(Case):

    lines = None

    def true_lines(self):
        """A file of findings about this device, without the checksum."""
        if not Selftest.lines:
            path = self.path("true.txt")
            Selftest.answer = self.json("selftest", "--only", "limits", "--findings", path)
            Selftest.lines = Path(path).read_text().splitlines()[:-1]
        return Selftest.lines

    def forged(self, name, *rows, **changed):
        return self.write(name, forged(self.true_lines(), "fact", rows, changed))

    def plan(self, path, *more):
        return Run(("plan", "sum", *DATA, "--findings", path, "--json", *more))


class Answers(Selftest):

    def test_json(self):
        self.true_lines()
        answer = Selftest.answer
        self.assertEqual([row["name"] for row in answer["rows"]],
                         ["work-groups", "local memory", "largest buffer", "turns of loops"])
        self.assertEqual({row["about"] for row in answer["rows"]}, {"limits"})
        self.assertEqual({row["verdict"] for row in answer["rows"]}, {"holds"})
        self.assertEqual((answer["holds"], answer["avoided"], answer["wrong"], answer["lacking"], answer["full"]),
                         (4, 0, 0, 0, False))
        self.assertEqual(answer["facts"]["loop_trips"], {"reported": 0, "found": 0, "why": None})
        self.assertTrue(answer["file"].endswith("true.txt"))
        for word in ("device", "platform", "driver", "version", "library", "seconds"):
            self.assertTrue(answer[word], word)

    def test_text(self):
        run = self.run_well("selftest", "--only", "limits", "--findings", "off")
        for word in ("turns of loops", "4 hold, 0 are avoided, 0 are wrong", "For a report:", "no faults were found",
                     "max_alloc="):
            self.assertIn(word, run.out)
        self.assertNotIn("kept in", run.out)
        self.assertEqual(run.err, "")
        named = self.run_well("selftest", "--only", "limits", "--findings", "off", "--explain")
        self.assertIn("probing local memory\n", named.err)

    def test_quiet(self):
        """Only faults are printed: with none, nothing."""
        quiet = self.run_well("selftest", "--only", "limits", "--findings", "off", "--quiet", "--explain")
        self.assertEqual((quiet.out, quiet.err), ("", ""))


class Kept(Selftest):

    def test_auto_avoids_what_is_found(self):
        chosen = json.loads(self.plan("off").out)["strategy"]
        rows = json.loads(Run(("list", "strategies", "--json")).out)
        place = [row["name"] for row in rows].index(chosen)
        path = self.forged("avoided.txt", f"fact avoided {1 << place} {chosen}: wrong once")
        run = self.plan(path)
        self.assertEqual(run.code, 0)
        self.assertNotEqual(json.loads(run.out)["strategy"], chosen)
        self.assertEqual(self.run_well(*SUM, "--findings", path).out, self.run_well(*SUM).out)
        named = self.plan(path, "--strategy", chosen)
        self.assertEqual(named.code, 2, str(named))
        self.assertIn("avoided", named.err)
        answer = json.loads(self.run_well("query", "--json", "--findings", path).out)[0]
        self.assertEqual(answer["known"], {"avoided": f"{chosen}: wrong once"})
        self.assertIn("wrong once", self.run_well("query", "--findings", path).out)

    def test_limits_bind(self):
        path = self.forged("limits.txt", "fact max_work_group_size 32 tried", "fact types 32764 char is odd")
        run = self.plan(path, "--strategy", "local_sequential")
        self.assertEqual(json.loads(run.out)["group_size"], 32)
        self.assertEqual(self.plan(path, "--assume", "max_work_group_size=64").code, 2)
        refused = Run(("reduce", "sum", "--generate", "ones:10", "--type", "char", "--findings", path))
        self.assertIn("char", refused.err)
        self.assertEqual((refused.code, refused.out), (2, ""), str(refused))

    def test_the_environment_names_it(self):
        path = self.forged("named.txt", "fact max_work_group_size 16 tried")
        run = Run(("plan", "sum", *DATA, "--strategy", "local_sequential", "--json"),
                  environment={"CLREDUCE_FINDINGS": path})
        self.assertEqual(json.loads(run.out)["group_size"], 16)

    def test_useless_files_are_noted(self):
        for name, data, word in (("stale.txt", None, "selftest anew"), ("cut.txt", b"clreduce findings 1\n", "damaged"),
                                 ("later.txt", checked("clreduce findings 2\n"), "version"),
                                 ("other.txt", b"x" * 50, "damaged")):
            path = self.write(name, data) if data else self.forged(name, driver="another")
            run = self.run_well(*SUM, "--findings", path)
            self.assertIn(word, run.err)
            self.assertEqual(Run((*SUM, "--findings", path, "--quiet")).err, "")
        self.assertEqual(self.run_well(*SUM, "--findings", self.path("none.txt")).err, "")

    def test_a_failure_is_the_only_line(self):
        """A note about a useless file does not stand beside it."""
        path = self.write("noted.txt", b"clreduce findings 1\n")
        self.assert_refused("select", "x >", *DATA, "--findings", path, naming="predicate")

    def test_impossible_rows_are_damage(self):
        for row in ("fact wings 3 because", "fact max_alloc many because", "fakt max_alloc 3 because"):
            run = self.run_well(*SUM, "--findings", self.forged("odd.txt", row))
            self.assertIn("damaged", run.err)


class Refused(Selftest):

    def test_files_that_cannot_be_written(self):
        notes = self.write("notes.txt", b"notes of mine\n")
        for path in (self.path("no/such/folder.txt"), self.folder, notes):
            run = self.run_well("selftest", "--only", "memory", "--findings", path, "--quiet", code=1)
            self.assertEqual(run.out, "")
            self.assertIn(path, run.err)
        self.assertEqual(Path(notes).read_bytes(), b"notes of mine\n")
        self.assertEqual([name for name in os.listdir(self.folder) if ".txt." in name], [])
