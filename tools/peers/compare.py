#!/usr/bin/env python3
"""Compares the library with other programs: their runs alternate on the same elements, and their results are compared.

Each side is a program of its own, which answers lines (README.md). Times are medians. A ratio is the time of the other
side divided by ours; next to a plan of our own it is our speed divided by the other's. Exit code 3 if a result is
wrong, 1 if our own side fails.
"""
import argparse
import array
import csv
import itertools
import math
import os
import random
import selectors
import signal
import statistics
import struct
import subprocess
import sys
import time

BLOCK = 1 << 18  # elements are copies of one block
SIZES = {"float": 4, "double": 8, "int": 4, "uchar": 1, "half": 2, "ushort": 2, "long": 8, "uint": 4, "ulong": 8}
CODES = {"float": "f", "double": "d", "int": "i", "uchar": "B", "half": "e", "ushort": "H", "long": "q", "uint": "I",
         "ulong": "Q"}
WARM_UP, ENOUGH_RUNS, RUN_SECONDS = 3, 5, 2e-3
TILES = 1 << 14  # a share of a device begins at a multiple of these elements
FOUR = "float,double,int,uchar"
SORT_DATA = "random", "sorted", "equal", "few"
SORTS = "sorts:std,sorts:stable,sorts:parallel,sorts:vqsort,numpy,numpy:stable"
SMALL, LARGE = (",".join(f"2^{power}" for power in powers) for powers in (range(10, 21, 2), range(20, 32)))


class Lost(Exception):
    """Raised if a side fails and cannot be used any more; the text is the reason."""


class Refused(Exception):
    """Raised if a side cannot do this work."""


class Program:
    """A process that answers lines."""

    def __init__(self, path, patience):
        self.patience, self.held = patience, b""
        try:
            self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                            stderr=subprocess.DEVNULL, start_new_session=True)
        except OSError as error:
            raise Lost(f"it cannot be started: {error.strerror}") from error
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)
        word, self.name, clocks, *_ = [*self.answer().split(" "), "", "", ""]
        if word != "peer" or not clocks.startswith("wall"):
            raise Lost("its first line is none of the protocol")
        self.clocks = clocks.split(",")

    def answer(self):
        end = time.monotonic() + self.patience
        while b"\n" not in self.held:
            if not self.selector.select(max(end - time.monotonic(), 0)):
                raise Lost(f"it did not answer within {self.patience} seconds")
            more = os.read(self.process.stdout.fileno(), 4096)
            if not more:
                raise Lost("it has ended")
            self.held += more
        line, self.held = self.held.split(b"\n", 1)
        return line.decode(errors="replace")

    def ask(self, line, expected):
        """The text of the answer behind the word `expected`."""
        try:
            self.process.stdin.write(line.encode() + b"\n")
            self.process.stdin.flush()
        except OSError as error:
            raise Lost("it has ended") from error
        answer = self.answer()
        word, _, rest = answer.partition(" ")
        if word == "refused":
            raise Refused(rest)
        if word != expected:
            raise Lost(f"it answered {answer[:60]!r}, which is no line of the protocol")
        return rest

    def number(self, line, expected):
        text = self.ask(line, expected)
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not 0 < value < math.inf:
            raise Lost(f"it answered {text[:60]!r}, which is no time")
        return value

    def stop(self):
        """Ends the process and those that it started."""
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


# ---- The data, in files without a name

class Data:
    def __init__(self, name, content):
        """Writes the pieces of `content`."""
        self.file = os.memfd_create(name)
        for piece in content:
            view = memoryview(piece).cast("B")
            while view:
                view = view[os.write(self.file, view):]
        self.path = f"/proc/{os.getpid()}/fd/{self.file}"

    def close(self):
        os.close(self.file)


def repeat(block, size):
    """Repeats the block up to `size` bytes."""
    many = block * max(1, (1 << 24) // len(block))
    for at in range(0, size, len(many)):
        yield many[:min(len(many), size - at)]


def block_of(kind, pattern):
    """Small whole numbers, so that every sum of them is exact. Signed ones add up to 0 over a block."""
    dice = random.Random(1)
    if pattern == "bins":
        top = {"uchar": 1 << 8, "ushort": 1 << 16}.get(kind, 1 << 20)
        values = [dice.randrange(top) for _ in range(BLOCK)]
        return [value / top for value in values] if kind in ("float", "double") else values
    if pattern == "alike":
        return [5 / (1 << 20) if kind in ("float", "double") else 5] * BLOCK
    if kind in ("uchar", "ushort", "uint", "ulong"):
        return [dice.randrange(256) for _ in range(BLOCK)]
    half = [dice.randrange(-63, 64) for _ in range(BLOCK // 2)]
    return half + dice.sample([-value for value in half], len(half))


def sort_keys(kind, count, pattern):
    """Pieces of a file of keys, by a pattern of SORT_DATA."""
    size, dice = SIZES[kind], random.Random(1)
    if pattern == "random":
        # For the highest byte of a floating number: no exponent has all bits clear, or all bits set.
        usual = bytes(byte ^ 64 if byte & 124 in (0, 124) else byte for byte in range(256))
        for at in range(0, count * size, 1 << 24):
            piece = bytearray(dice.randbytes(min(1 << 24, count * size - at)))
            if kind in ("half", "float", "double"):
                piece[size - 1::size] = piece[size - 1::size].translate(usual)
            yield piece
        return
    # The bits of positive numbers have the order of the numbers.
    low, span = 1 << (8 * size - 6), 1 << (8 * size - 2)
    if pattern == "sorted":
        different = min(count, span)
        for at in range(0, count, 1 << 20):
            bits = (low + i * different // count * (span // different) for i in range(at, min(at + (1 << 20), count)))
            yield array.array({1: "B", 2: "H", 4: "I", 8: "Q"}[size], bits)
        return
    keys = [low + dice.randrange(16 if pattern == "few" else 1) * (span // 16) for _ in range(BLOCK)]
    yield from repeat(b"".join(key.to_bytes(size, sys.byteorder) for key in keys), count * size)


def keys_block():
    """Runs of 1 to 15 equal keys; neighbouring runs differ, also those of two blocks."""
    dice, keys = random.Random(2), []
    while len(keys) < BLOCK:
        key = len(keys) * 2654435761 % (1 << 32)
        keys += [key - (1 << 31)] * min(dice.randrange(1, 16), BLOCK - len(keys))
    return keys


def power_law(count):
    """Offsets of segments of lengths l from 1 to 2^22 with a density of l^-1.5."""
    dice, at, least = random.Random(3), 0, 2 ** -11
    while at < count:
        yield at
        at += min(math.floor((1 - dice.random() * (1 - least)) ** -2), count - at)
    yield count


def expected_value(block, count, work):
    """The result of some reductions over `count` elements; None for other work."""
    whole, rest = divmod(count, BLOCK)
    seen = block if whole else block[:rest]
    return {"sum": lambda: whole * sum(block) + sum(block[:rest]), "min": lambda: min(seen), "max": lambda: max(seen),
            "argmin": lambda: seen.index(min(seen)), "argmax": lambda: seen.index(max(seen))}.get(work, lambda: None)()


# ---- Tasks: what is measured, and with which peers. A case has a label, the bytes of a call, and requests.

class Case:
    """`keys` and `offsets` return the integers of further files; they are called if the case is measured."""

    def __init__(self, label, moved, request, reference=None, pattern="units", keys=None, offsets=None):
        self.label, self.moved, self.request, self.reference, self.pattern = label, moved, request, reference, pattern
        self.files = {"keys": keys, "offsets": offsets}


def reduce_cases(options, kind, count):
    for op in options.ops.split(","):
        yield Case(op, count * SIZES[kind], {"work": op})


def scan_cases(options, kind, count):
    bits = "own" if kind in ("float", "double") else options.bits
    result = {"own": SIZES[kind], "32": 4, "64": 8}[bits]
    for work in ("inclusive", "exclusive"):
        yield Case(work, count * (SIZES[kind] + result), {"work": work, "bits": options.bits})


def our_sum(kind, count):
    return count * SIZES[kind], {"work": "sum"}


def segment_cases(_options, kind, count):
    moved, reference = count * SIZES[kind], our_sum(kind, count)
    lengths = [n for n in (16, 64, 256, 1024, 16384, 1 << 20) if n <= count]
    for n in lengths:
        yield Case(f"rows of {n}", moved, {"work": "segments", "length": n, "results": count // n}, reference)
    cases = [(f"segments of {n}", lambda n=n: range(0, count // n * n + 1, n)) for n in lengths]
    for label, offsets in cases + [("power law", lambda: power_law(count))]:
        yield Case(label, moved, {"work": "segments"}, reference, offsets=offsets)


def key_cases(_options, kind, count):
    block = keys_block()
    runs = round(count * (1 + sum(a != b for a, b in zip(block, block[1:]))) / BLOCK)
    for work, results in (("reduce-by-key", 8 * runs), ("scan-by-key", 4 * count)):
        yield Case(work, 8 * count + results, {"work": work}, keys=lambda: block)
    yield Case("select", 4 * count + 2 * count, {"work": "select"})


def histogram_cases(options, kind, count):
    high = 1 if kind == "float" else {"uchar": 1 << 8, "ushort": 1 << 16}.get(kind, 1 << 20)
    for pattern, label in (("bins", f"{options.bins} bins"), ("alike", f"{options.bins} bins, all alike")):
        yield Case(label, count * SIZES[kind], {"work": "histogram", "results": options.bins, "low": 0, "high": high},
                   pattern=pattern)


OPERATORS = ("prod,min,max,all,any,count_nonzero,argmin,argmax,minmax,argminmax,mean,var,std,norm1,sumsq,norm2,"
             "logsumexp,stats,dot,own_sum,own_dot")


def operator_cases(options, kind, count):
    for op in (OPERATORS if options.ops == "sum" else options.ops).split(","):
        inputs = 2 if op in ("dot", "own_dot") else 1
        yield Case(op, inputs * count * SIZES[kind], {"work": op}, our_sum(kind, count))


def axis_cases(_options, kind, count):
    side = 1 << int(math.log2(count) / 2)
    shapes = [(count // 64, 64), (64, count // 64), (side, count // side)]
    for rows, columns, axis in [(*shape, axis) for shape in shapes for axis in (0, 1)] + [
            (count // n, n, 0) for n in (3, 4, 16)]:
        yield Case(f"({rows} x {columns}) axis {axis}", rows * columns * SIZES[kind],
                   {"work": "sum", "rows": rows, "columns": columns, "axis": axis}, our_sum(kind, count))


def device_cases(_options, kind, count):
    """Sums on two devices next to one, whose result a call waits for."""
    one = count * SIZES[kind], {"work": "sum", "devices": 1}
    half = count // 2 // TILES * TILES if count >= 2 * TILES else count
    yield Case("halves", count * SIZES[kind], {"work": "sum", "devices": 2, "first": half}, one)
    yield Case("shares", count * SIZES[kind], {"work": "sum", "devices": 2}, one)


def sort_cases(options, kind, count):
    for pattern in options.data.split(","):
        for work, each in (("sort-keys", 2 * SIZES[kind]), ("sort-pairs", 2 * SIZES[kind] + 8),
                           ("argsort", SIZES[kind] + 4)):
            yield Case(f"{work}, {pattern}", count * each, {"work": work}, pattern=pattern)


def segmented_sort_cases(options, kind, count):
    for length in (size_of(text) for text in options.lengths.split(",")):
        yield Case(f"segments of {length}", 2 * count * SIZES[kind], {"work": "segmented-sort"}, pattern="random",
                   offsets=lambda n=length: [*range(0, count, n), count])


# Name: cases, types, sizes on a GPU and on a CPU, peers on a GPU and on a CPU.
TASKS = {
    "reduce": (reduce_cases, FOUR, "2^28", "2^26", "cub", "loops,numpy"),
    "small": (reduce_cases, "float", SMALL, SMALL, "cub", "loops,numpy"),
    "scan": (scan_cases, FOUR, "2^20,2^28,2^30", "2^20,2^26", "cub", "loops"),
    "segments": (segment_cases, "float", "2^28", "2^26", "cub", ""),
    "keys": (key_cases, "float", "2^27", "2^26", "cub", "loops"),
    "histogram": (histogram_cases, "uchar", "2^30", "2^28", "cub", "loops"),
    "operators": (operator_cases, "float", "2^28", "2^26", "", ""),
    "axes": (axis_cases, "float", "2^26", "2^26", "", "numpy"),
    "devices": (device_cases, "float", LARGE, "2^20,2^26", "", ""),
    "sort": (sort_cases, "uint,float,ulong,double,ushort,uchar", "2^20,2^28", "2^20,2^24", "cub", SORTS),
    "segmented-sort": (segmented_sort_cases, "float", "2^26", "2^24", "cub,cub:radix", "")}

# ---- Measuring

class Side:
    """A side of a case, and its row."""

    def __init__(self, program, kind, label, moved, request):
        self.program, self.kind, self.label, self.moved, self.request = program, kind, label, moved, request
        self.times, self.values, self.refused, self.calls, self.lost = {}, [], "", 1, False

    def attempt(self, act):
        """Calls `act`. A failure ends only this side."""
        if self.refused:
            return
        try:
            if isinstance(self.program, Lost):
                raise self.program
            act()
        except (Lost, Refused) as reason:
            self.refused, self.lost = str(reason), isinstance(reason, Lost)

    def prepare(self):
        name = self.program.ask("prepare " + " ".join(f"{key}={value}" for key, value in self.request.items()), "ready")
        self.label = self.label if self.kind == "reference" or not name else \
            f"ours, {name}" if self.kind == "ours" else name

    def run(self, clock, calls):
        return self.program.number(f"run {clock} {calls}", "seconds")

    def warm_up(self, calls):
        self.run("wall", 1)
        self.values.append(self.program.ask("check", "value"))
        fastest = min(self.run("wall", 1) for _ in range(WARM_UP))
        self.calls = calls or min(max(math.ceil(RUN_SECONDS / fastest), 1), 1000)

    def measure(self, clock, enough_seconds):
        times = self.times.setdefault(clock, [])
        calls = self.calls if clock == "wall" else 1
        if len(times) < ENOUGH_RUNS or sum(times) * calls < enough_seconds:
            times.append(self.run(clock, calls))

    def seconds(self, clock):
        times = self.times.get(clock)
        return statistics.median(times) if times else math.nan


def agree(value, expected):
    """True if two checksums are equal, or two results differ by rounding only."""
    if value == expected or "-" in (value, expected) or expected is None:
        return True
    try:
        return math.isclose(float(value), float(expected), rel_tol=1e-6)
    except ValueError:
        return False


def is_wrong(side, expected):
    return side.kind != "reference" and any(not agree(value, expected) for value in side.values)


def measure(sides, options):
    for side in sides:
        side.attempt(side.prepare)
        side.attempt(lambda: side.warm_up(options.calls))
    running = [side for side in sides if not side.refused]
    clocks = ["wall"] + ["device"] * all("device" in side.program.clocks and "devices" not in side.request
                                         for side in running)
    for clock in clocks:
        for _ in range(options.runs):
            for side in running:
                side.attempt(lambda: side.measure(clock, options.seconds))
    for side in running:
        side.attempt(lambda: side.values.append(side.program.ask("check", "value")))


class Workshop:
    def __init__(self, options):
        self.options, self.programs, self.rows, self.code, self.kept = options, {}, [], 0, (None, None, None)
        cases, types, gpu_sizes, cpu_sizes, gpu_peers, cpu_peers = TASKS[options.task]
        self.cases = cases
        self.selector = f"any {options.device} -" if options.device.isdigit() else f"any 0 {options.device}"
        ours = self.program("clreduce", 0)
        if isinstance(ours, Lost):
            sys.exit(f"compare.py: {self.path('clreduce')}: {ours}; build with -DCLREDUCE_BUILD_BENCH=ON")
        gpu = self.device.startswith("gpu ")
        self.types = (options.types or types).split(",")
        self.sizes = [size_of(text) for text in (options.sizes or (gpu_sizes if gpu else cpu_sizes)).split(",")]
        usual = gpu_peers if gpu else cpu_peers
        self.peers = [] if options.peers == "none" else [
            name for name in (options.peers or usual).split(",") if name and (options.peers or self.is_built(name))]

    def path(self, name):
        return os.path.join(self.options.build, "peers", name)

    def is_built(self, name):
        return os.path.exists(self.path(name.split(":")[0]))

    def program(self, name, index):
        """The program, started at its first use; or the exception that says why it failed."""
        if (name, index) not in self.programs:
            try:
                made = Program(self.path(name), self.options.patience)
                told = made.ask("device " + (self.device if name != "clreduce" else self.selector), "ready")
                if name == "clreduce":
                    self.device, self.selector = told, f"any {told.split()[1]} -"
            except (Lost, Refused) as reason:
                made = Lost(str(reason))
            self.programs[name, index] = made
        return self.programs[name, index]

    def sides(self, case, files, kind, count):
        common = {"type": kind, "count": count, **{key: data.path for key, data in files.items()}}
        for index, strategy in enumerate(self.options.strategies.split(",")):
            chosen = {} if strategy == "auto" else {"strategy": strategy}
            yield Side(self.program("clreduce", index), "ours", f"ours, {strategy}", case.moved,
                       {**common, **case.request, **chosen})
        if case.reference:
            moved, request = case.reference
            yield Side(self.program("clreduce", "reference"), "reference", "our " + request["work"], moved,
                       {"type": kind, "count": count, "elements": files["elements"].path, **request})
        for peer in self.peers:
            name, _, strategy = peer.partition(":")
            chosen = {"strategy": strategy} if strategy else {}
            yield Side(self.program(name, strategy), "peer", peer, case.moved, {**common, **case.request, **chosen})

    def elements(self, kind, count, pattern):
        """The block of the elements, and their file, which is kept for the next case."""
        if self.kept[0] != (kind, count, pattern):
            if self.kept[0]:
                self.kept[2].close()
            block = [] if pattern in SORT_DATA else block_of(kind, pattern)
            pieces = repeat(struct.pack(f"={BLOCK}{CODES[kind]}", *block), count * SIZES[kind]) if block else \
                sort_keys(kind, count, pattern)
            self.kept = (kind, count, pattern), block, Data("elements", pieces)
        return self.kept[1:]

    def compare(self, case, kind, count):
        block, elements = self.elements(kind, count, case.pattern)
        files = {"elements": elements}
        for name, integers in case.files.items():
            if integers:
                packed = array.array("i" if name == "keys" else "I", integers())
                files[name] = Data(name, repeat(packed.tobytes(), 4 * count) if name == "keys" else [packed])
        if "offsets" in files:
            case.request["results"] = len(packed) - 1
        sides = list(self.sides(case, files, kind, count))
        measure(sides, self.options)
        for name in files.keys() - {"elements"}:
            files[name].close()
        for name, program in self.programs.items():
            if any(side.program is program and side.lost for side in sides) and not isinstance(program, Lost):
                program.stop()
                self.programs[name] = Lost("it was lost before")
        self.report(case, sides, kind, count, expected_value(block, count, case.request["work"]))

    def report(self, case, sides, kind, count, expected):
        ours = sides[0]
        if expected is None:
            expected = next((side.values[0] for side in sides if side.values and side.kind != "reference"), None)
        print(f"\n{case.label} of {count} {kind}, {self.device}")
        print(f"{'':24} {'wall us':>10} {'GB/s':>8} {'ratio':>6} {'device us':>10} {'GB/s':>8} {'ratio':>6}")
        for side in sides:
            wrong = is_wrong(side, expected)
            self.code = max(self.code, 3 * wrong, int(side is ours and bool(side.refused)))
            cells = []
            for clock in ("wall", "device"):
                seconds, moved = side.seconds(clock), side.moved / 1e9
                ratio = math.nan if side is ours else seconds / ours.seconds(clock)
                if side.kind == "reference":
                    ratio *= ours.moved / side.moved
                cells.append((seconds * 1e6, moved / seconds, ratio))
                self.rows.append([self.options.task, case.label, kind, count, side.label, side.kind, clock, seconds,
                                  moved / seconds, ratio, len(side.times.get(clock, ())), side.refused or "",
                                  "wrong" if wrong else ""])
            text = " ".join(f"{a:10.2f} {b:8.1f} {c:6.3f}" for a, b, c in cells).replace("nan", "  -")
            print(f"{side.label:24} " + (f"refused: {side.refused}" if side.refused else text) + "  WRONG" * wrong)
        sys.stdout.flush()

    def run(self):
        for count, kind in itertools.product(self.sizes, self.types):
            for case in self.cases(self.options, kind, count):
                if self.options.only in case.label:
                    self.compare(case, kind, count)

    def close(self):
        for program in self.programs.values():
            if not isinstance(program, Lost):
                program.stop()


def size_of(text):
    base, _, power = text.partition("^")
    return int(base) ** int(power) if power else int(base)


def write_csv(path, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([("task", "what", "type", "count", "side", "kind", "clock", "seconds",
                                     "gigabytes_per_second", "ratio", "runs", "refused", "wrong"), *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("task", choices=TASKS)
    parser.add_argument("--build", default="build", help="directory of the build (default: build)")
    parser.add_argument("--types", help="as in float,uchar")
    parser.add_argument("--sizes", help="numbers of elements, as in 1000,2^28")
    parser.add_argument("--ops", default="sum", help="operators of reduce, small and operators")
    parser.add_argument("--strategies", default="auto", help="of our side, as in auto,wide")
    parser.add_argument("--peers", help="names, or none")
    parser.add_argument("--device", default="auto", help="index or part of the name (default: the first GPU)")
    parser.add_argument("--bits", default="64", choices=("own", "32", "64"), help="scans of integers: bits of results")
    parser.add_argument("--bins", type=int, default=256, help="a power of two")
    parser.add_argument("--data", default="random", help="keys of sorts: " + ",".join(SORT_DATA))
    parser.add_argument("--lengths", default="16,256,4096,2^16,2^20", help="of segments that are sorted")
    parser.add_argument("--only", default="", help="only cases with this text in their name")
    parser.add_argument("--runs", type=int, default=21)
    parser.add_argument("--seconds", type=float, default=2, help="after these, and 5 runs, a side gets no more")
    parser.add_argument("--calls", type=int, help="calls of a run by the wall clock (default: as many as take 2 ms)")
    parser.add_argument("--patience", type=float, default=600, help="seconds to wait for an answer")
    parser.add_argument("--csv", help="write the rows to this file, too")
    options = parser.parse_args()
    # By default OpenMP's threads spin while they wait, and the system may put two threads of one side on one core.
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    if len(os.sched_getaffinity(0)) == os.cpu_count():
        os.environ.setdefault("POCL_AFFINITY", "1")
        os.environ.setdefault("OMP_PROC_BIND", "true")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    workshop = Workshop(options)
    try:
        workshop.run()
    finally:
        workshop.close()
    if options.csv:
        write_csv(options.csv, workshop.rows)
    return workshop.code


if __name__ == "__main__":
    sys.exit(main())
