"""The long form of the tests of parts: parts.py BUILD [COUNT]. Run by tests/parts.sh.

Reduces a file of COUNT floats (2^26 + 5 if it is not given) by the tool: on one device, on all devices, as a stream, by
files of partials cut at random places and joined in random groups, and on 1 to 16 ranks of MPI if clreduce-mpi was
built; and scans it on all devices and ranks. Prints every result that differs from the first one; the exit code is 1
then.
"""

import random
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

OPERATORS = ("sum", "mean,var,norm2,argmin", "stats")
PARTS = (2, 3, 5, 8, 64)
RANKS = (1, 2, 3, 5, 8, 16)


def run(*words):
    return subprocess.run([str(word) for word in words], check=True, stdout=subprocess.PIPE).stdout.decode()


class Long:
    def __init__(self, build, count, directory):
        self.tool, self.ranks_tool = build / "clreduce", build / "clreduce-mpi"
        self.directory, self.count, self.random = directory, count, random.Random(24)
        source = np.random.default_rng(7)
        values = source.standard_normal(count) * 2.0 ** source.integers(-16, 16, count)
        self.file = directory / "whole.raw"
        values.astype("float32").tofile(self.file)
        self.wrong = 0

    def reduce(self, operator, *options):
        return run(self.tool, "reduce", operator, self.file, "--type", "float", *options)

    def by_files(self, operator, parts):
        """The parts are joined in random groups of neighbours, until one is left."""
        cuts = sorted(self.random.randrange(self.count + 1) for _ in range(parts - 1))
        files = []
        for i, (begin, end) in enumerate(zip([0, *cuts], [*cuts, self.count])):
            piece, file = self.directory / "piece.raw", self.directory / f"part{i}.clr"
            np.fromfile(self.file, "float32", end - begin, offset=4 * begin).tofile(piece)
            run(self.tool, "reduce", operator, piece, "--type", "float", "--first", begin, "--partial", file)
            files.append(file)
        while len(files) > 4:
            first = self.random.randrange(len(files) - 1)
            group = files[first:first + self.random.randint(2, 8)]
            joined = self.directory / f"joined{len(files)}.clr"
            run(self.tool, "join", *group, "--partial", joined)
            files[first:first + len(group)] = [joined]
        return run(self.tool, "join", *files)

    def check(self, what, result, expected):
        if result.split() != expected.split():  # mpirun is a terminal for its ranks, so columns are aligned
            self.wrong += 1
            print(f"{what}: {result!r} instead of {expected!r}")

    def by_ranks(self, operator, count):
        return run("mpirun", "-n", count, self.ranks_tool, "reduce", operator, self.file, "--type", "float")

    def scan(self, program, *options):
        """The bytes that a scan writes. `program` are the words before its options."""
        out = self.directory / "prefixes.npy"
        run(*program, "scan", "sum", self.file, "--type", "float", "--output", out, *options)
        return out.read_bytes()

    def scans(self):
        expected = self.scan((self.tool,))
        for options in ((), ("--weights", "1,1"), ("--weights", "7,1")):
            if self.scan((self.tool,), "--device", "all", *options) != expected:
                self.wrong += 1
                print(f"a scan on all devices {options} has other bits")
        for ranks in RANKS if self.ranks_tool.exists() and shutil.which("mpirun") else ():
            if self.scan(("mpirun", "-n", ranks, self.ranks_tool)) != expected:
                self.wrong += 1
                print(f"a scan on {ranks} ranks has other bits")

    def all(self, operator):
        expected = self.reduce(operator)
        print(f"{operator}: {' '.join(expected.split())}", flush=True)
        self.check(f"{operator} on all devices", self.reduce(operator, "--device", "all"), expected)
        for chunk in (999983, 2**22):
            self.check(f"{operator} in chunks", self.reduce(operator, "--chunk", chunk), expected)
            self.check(f"{operator} in chunks on all devices",
                       self.reduce(operator, "--device", "all", "--chunk", chunk), expected)
        for parts in PARTS:
            self.check(f"{operator} in {parts} files", self.by_files(operator, parts), expected)
        for ranks in RANKS if self.ranks_tool.exists() and shutil.which("mpirun") else ():
            self.check(f"{operator} on {ranks} ranks", self.by_ranks(operator, ranks), expected)


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 2**26 + 5
    with tempfile.TemporaryDirectory(prefix="clreduce-parts-") as directory:
        long = Long(Path(sys.argv[1]).resolve(), count, Path(directory))
        for operator in OPERATORS:
            long.all(operator)
        long.scans()
    print(f"parts.py: {long.wrong} results differ")
    return long.wrong > 0


if __name__ == "__main__":
    sys.exit(main())
