"""scan: refusals, --verify of wrong kernels, and scans in plan, ladder and list."""

import os
from pathlib import Path

import numpy as np

from cli import SCANS, SCANS_OF_ROWS, Case
from test_scan import INTS, ONE, Scan

MADE = ("--generate", "ones:9", "--type", "int")


class PlanAndLadder(Case):

    def test_plan(self):
        answer = self.expect("plan", "sum", "--generate", "ones:1000", "--type", "int", "--scan", "--exclusive",
                             "--reverse", scan="exclusive", reversed=True, results=1000)
        self.assertIn(answer["strategy"], SCANS)
        self.assertEqual({row["name"] for row in answer["strategies"] if row["applies"]}, set(SCANS))
        for flag in ("--exclusive", "--inclusive", "--reverse"):
            self.assert_refused("plan", "sum", "--generate", "ones:9", flag, naming=(flag, "--scan"))
        keys = self.write("keys.npy", np.zeros(9, "int32"))
        for other in (("--group", keys), ("--axis", "0", "--keepdims")):
            self.assert_refused("plan", "sum", "--generate", "ones:9", "--scan", *other,
                                naming=(other[-1] if len(other) > 2 else other[0], "and --scan exclude each other"))

    def test_ladder(self):
        answer = self.json("ladder", "--scan", "--generate", "iota:3000", "--repeat", "1", *ONE)
        names = [row["name"] for row in answer["rows"]]
        self.assertEqual((names[0], set(names)), (SCANS[0], set(SCANS)))
        self.assertEqual((answer["scan"], answer["analytic"]), ("inclusive", 4498500))
        for row in answer["rows"]:
            self.assertEqual((row["result"], row["error"], row["correct"]), (4498500, 0, True), row["name"])
        self.assert_refused("ladder", "--scan", "-n", "0", naming="ladder")

    def test_ladder_in_text(self):
        lines = self.run_well("ladder", "--scan", "-n", "3000", "--repeat", "1", *ONE).out.splitlines()
        self.assertIn("inclusive scan by sum of 3000", lines[0])
        words = [line.split()[0] for line in lines if line]
        self.assertEqual(words[words.index("strategy") + 1:], list(SCANS) + ["analytic"])

    def test_list(self):
        self.assertEqual({row["name"] for row in self.json("list", "strategies") if row["scans"]},
                         set(SCANS + SCANS_OF_ROWS))


class Planted(Case):
    """A kernel with a mistake in the sixth result: --verify names the result, and the file is written."""

    def check(self, reference, *arguments):
        out = self.path("wrong.npy")
        change = ("scan/scan.clh", "clred_after(before, state);",
                  "clred_after(before, row == 5 ? clred_scan_lift(in, out.count, first) : state);")
        run = self.run_changed(change, "scan", *arguments, "--strategy", "scan_chunked", "--verify", "--output", out)
        self.assertEqual((run.out, run.err.count("\n")), ("", 1))
        for words in ("result 5", reference):
            self.assertIn(words, run.err)
        return np.load(out)

    def test_bits(self):
        result = self.check("the host's reference gives 15", "sum", "--generate", "iota:10", "--type", "int")
        np.testing.assert_array_equal(result, [0, 1, 3, 6, 10, 0, 21, 28, 36, 45])

    def test_bounds(self):
        self.check("the host's reference gives 5.456", "logsumexp", "--generate", "iota:10")
class Refused(Scan):
    """One line, exit code 2, and no file."""

    def refuse(self, *arguments, naming, code=2):
        out = self.path("refused.npy")
        self.assert_refused("scan", *arguments, "--output", out, naming=naming, code=code)
        self.assertFalse(os.path.exists(out))

    def test_verify_of_bounds(self):
        self.refuse("logsumexp", "--generate", "normal:9000", "--verify", naming=("--verify", "logsumexp", "9000"))
        self.scan("logsumexp", "--generate", "normal:500", "--verify")

    def test_overflow(self):
        path = self.write("large.npy", np.array([2**63 - 1, 1, -1]))
        self.refuse("sum", path, "--overflow", "detect", naming="--overflow", code=1)
        self.assert_array(self.scan("sum", self.write("small.npy", INTS.astype("int64")), "--overflow", "detect",
                                    "--verify"),
                          INTS.cumsum(dtype="int64"))

    def test_narrow_results(self):
        path = self.write("offsets.npy", INTS * 100003)
        sums = (INTS * np.int64(100003)).cumsum()
        self.assert_array(self.scan("sum", path, "--result-type", "own", "--verify"), sums.astype("int32"))
        small = self.write("small.npy", INTS.astype("uint8"))
        for more in ((), ("--chunk", 512)):
            self.assert_array(self.scan("sum", small, "--result-type", "32", "--exclusive", *more),
                              np.append(0, INTS.astype("uint8").cumsum(dtype="uint32")[:-1]).astype("uint32"))
        self.refuse("sum", path, "--result-type", "16", naming=("--result-type", "own, 32 or 64"))
        self.refuse("argmin", path, "--result-type", "own", naming=("width", "argmin"))
        self.refuse("sum", "--generate", "ones:9", "--type", "float", "--result-type", "32", naming="float")
        self.refuse("--combine", "a + b", "--identity", "0", path, "--result-type", "32",
                    naming="--combine and --result-type exclude each other")

    def test_nothing_half_written(self):
        directory = self.path("directory")
        os.mkdir(directory)
        kept = os.path.join(directory, "kept.npy")
        self.write(kept, b"kept")
        self.assert_refused("scan", "sum", *MADE, "--initial", "x", "--output", kept)
        self.assertEqual((os.listdir(directory), Path(kept).read_bytes()), (["kept.npy"], b"kept"))
        for out, naming in ((self.path("nowhere/x.npy"), "nowhere/x.npy"), (directory, "--output")):
            self.assert_refused("scan", "sum", *MADE, "--output", out, code=1, naming=naming)
