"""clreduce-mpi: ranks that read shares of files, to the bits of clreduce. CLREDUCE_MPI_TOOL names the program, and
CLREDUCE_MPI_RUN the command that starts it, up to the number of ranks."""

import json
import os
import shlex
import subprocess
from pathlib import Path

from cli import PATIENCE, SETTLED, Case, fixed_order, wide_values

COUNT = 300007


class Ranks(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.values = wide_values(COUNT, "float32")
        cls.whole = cls.write("whole.npy", cls.values)

    def ranks(self, count, *arguments, code=0, stdin=b""):
        command = [*shlex.split(os.environ["CLREDUCE_MPI_RUN"]), str(count), os.environ["CLREDUCE_MPI_TOOL"],
                   *map(str, arguments)]
        run = subprocess.run(command, input=stdin, capture_output=True, check=False, env={**os.environ, **SETTLED},
                             timeout=120 * PATIENCE)
        self.assertEqual(run.returncode, code, f"{command}\n{run.stdout}\n{run.stderr}")
        return run.stdout.decode(), run.stderr.decode()

    def assert_one_line(self, count, *arguments, naming, code=2):
        """mpirun adds lines of its own, but of the ranks only one speaks."""
        out, err = self.ranks(count, *arguments, code=code)
        self.assertEqual(out, "")
        said = [line for line in err.splitlines() if line.startswith("clreduce-mpi: ")]
        self.assertEqual(len(said), 1, err)
        for word in (naming,) if isinstance(naming, str) else naming:
            self.assertIn(word, said[0])


class Results(Ranks):
    def test_several_files(self):
        """Shares cross the ends of the files."""
        names = [self.write(f"{i}.raw", self.values[begin:end].tobytes())
                 for i, (begin, end) in enumerate(((0, 100001), (100001, 100002), (100002, COUNT)))]
        out, err = self.ranks(3, "reduce", "sum", *names, "--type", "float", "--json")
        self.assertEqual(err, "")
        answer = json.loads(out)
        self.assertEqual((answer["result"], answer["count"]), (float(fixed_order(self.values)), COUNT))
        ends = [0]
        for place, rank in enumerate(answer["ranks"]):
            self.assertEqual((rank["rank"], rank["first"]), (place, ends[-1]))
            ends.append(rank["first"] + rank["count"])
        self.assertEqual((ends[-1], len(ends)), (COUNT, 4))

    def test_a_partial_of_generated_elements(self):
        part, spec = self.path("part.clr"), ("--generate", f"wide:{COUNT}")
        self.assertEqual(self.ranks(2, "reduce", "sum", *spec, "--partial", part), ("", ""))
        self.assertEqual(self.run_well("join", part).out, self.run_well("reduce", "sum", *spec).out)


class Scans(Ranks):
    def check(self, ranks, *words):
        one, all_ranks = self.path("one.npy"), self.path("ranks.npy")
        self.run_well("scan", *words, "--output", one)
        out, err = self.ranks(ranks, "scan", *words, "--output", all_ranks, "--json")
        self.assertEqual(err, "")
        self.assertEqual(Path(all_ranks).read_bytes(), Path(one).read_bytes(), words)
        self.assertEqual([name for name in os.listdir(self.directory) if "ranks.npy." in name], [])
        return json.loads(out)

    def test_several_files(self):
        """Shares cross the ends of the files, which are read twice."""
        names = [self.write(f"{i}.raw", self.values[begin:end].tobytes())
                 for i, (begin, end) in enumerate(((0, 100001), (100001, 100002), (100002, COUNT)))]
        answer = self.check(3, "sum", *names, "--type", "float", "--initial", "0.1")
        self.assertEqual((answer["count"], answer["scan"]), (COUNT, "inclusive"))
        self.assertEqual(sum(rank["count"] for rank in answer["ranks"]), COUNT)

    def test_results_of_another_size(self):
        self.check(2, "mean", self.whole, "--exclusive")
        self.check(2, "argmin", self.whole)

    def test_refused(self):
        words = ("scan", "sum", self.whole)
        for options, naming in ((("--text", "--output", "-"), "--text"), ((), "--output is missing"),
                                (("--reverse", "--output", self.path("x.npy")), "reversed"),
                                (("--output", "/dev/full"), "/dev/full")):
            self.assert_one_line(2, *words, *options, naming=naming)
        self.assert_one_line(2, *words, "--output", "/nowhere/x.npy", naming="/nowhere", code=1)
        self.assertFalse(Path(self.path("x.npy")).exists())


class Failures(Ranks):
    def test_wrong_usage(self):
        packed = self.write("packed.npy", self.values[:8].astype(">f4"))
        for arguments, naming in (
                (("reduce", "smu", self.whole), "did you mean sum"), (("select", "x>0", self.whole), "'select'"),
                (("reduce", "sum", packed), ("packed.npy", "byte order"))):
            self.assert_one_line(2, *arguments, naming=naming)
        self.assert_one_line(2, "reduce", "sum", "nowhere.npy", naming="nowhere.npy", code=1)

    def test_output_that_cannot_be_written(self):
        """Only rank 0 writes, but all ranks end with its code."""
        self.assert_one_line(2, "reduce", "sum", self.whole, "--output", "/dev/full", naming="/dev/full", code=1)
