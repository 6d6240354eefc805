"""selftest: its output and its options, and what --assume does with its answer. tests/layer has faulty devices."""

import json

from cli import Case, Run

DATA = ("--generate", "uniform:2000:4", "--type", "float")
SUM = ("reduce", "sum", *DATA)


class Answers(Case):

    def test_json(self):
        answer = self.json("selftest", "--only", "limits")
        self.assertEqual([row["name"] for row in answer["rows"]],
                         ["work-groups", "local memory", "largest buffer", "turns of loops"])
        self.assertEqual({row["about"] for row in answer["rows"]}, {"limits"})
        self.assertEqual({row["verdict"] for row in answer["rows"]}, {"holds"})
        self.assertEqual((answer["holds"], answer["avoided"], answer["wrong"], answer["lacking"], answer["assume"]),
                         (4, 0, 0, 0, None))
        self.assertEqual(answer["facts"]["loop_trips"], 0)
        for word in ("device", "platform", "driver", "version", "library", "seconds"):
            self.assertTrue(answer[word], word)

    def test_text(self):
        run = self.run_well("selftest", "--only", "limits")
        for word in ("turns of loops", "4 hold, 0 are avoided, 0 are wrong", "For a report:", "no faults were found",
                     "max_alloc="):
            self.assertIn(word, run.out)
        self.assertNotIn("--assume", run.out)
        self.assertEqual(run.err, "")
        named = self.run_well("selftest", "--only", "limits", "--explain")
        self.assertIn("probing local memory\n", named.err)
        quiet = self.run_well("selftest", "--only", "limits", "--quiet", "--explain")
        self.assertEqual((quiet.out, quiet.err), ("", ""))


class Assumed(Case):

    def plan(self, assume, *more):
        return Run(("plan", "sum", *DATA, "--assume", assume, "--json", *more))

    def test_auto_avoids_a_strategy(self):
        chosen = self.json("plan", "sum", *DATA)["strategy"]
        place = [row["name"] for row in self.json("list", "strategies")].index(chosen)
        avoided = f"avoided={1 << place}"
        run = self.plan(avoided)
        self.assertEqual(run.code, 0)
        self.assertNotEqual(json.loads(run.out)["strategy"], chosen)
        self.assertEqual(self.run_well(*SUM, "--assume", avoided).out, self.run_well(*SUM).out)
        named = self.plan(avoided, "--strategy", chosen)
        self.assertEqual(named.code, 2, str(named))
        self.assertIn("avoided", named.err)

    def test_limits_bind(self):
        run = self.plan("max_work_group_size=32,types=32764", "--strategy", "local_sequential")
        self.assertEqual(json.loads(run.out)["group_size"], 32)
        self.assert_refused("reduce", "sum", "--generate", "ones:10", "--type", "char", "--assume", "types=32764",
                            naming="char")


class Removed(Case):

    def test_a_variable_that_was_removed(self):
        """A note says what does its work now."""
        for value, note in (("off", ""), ("", ""), ("f.txt", "CLREDUCE_FINDINGS is not read")):
            for quiet in ((), ("--quiet",)):
                run = Run((*SUM, *quiet), environment={"CLREDUCE_FINDINGS": value})
                self.assertEqual(run.code, 0)
                self.assertEqual(bool(run.err), bool(note) and not quiet, run.err)
                self.assertIn(note if not quiet else "", run.err)
