#!/usr/bin/python3
"""Measures whole commands beside those of NumPy, pandas and datamash, as someone at a shell sees them.

  tool-speed.py [TOOL] [FOLDER] [WORD]

FOLDER needs 5 GiB; /dev/shm keeps the disk out of the measurement. WORD chooses tasks that have it in their name.

The commands run in turn, so that other work on the machine slows all of them, and each once before to warm up. The
table has medians of processor seconds (user and system) and of seconds by the wall clock, and the ratio of each to the
first row of its group. Needs Debian's python3-numpy, python3-pandas and datamash.
"""

import os
import statistics
import subprocess
import sys
import time

import numpy as np

TOOL = sys.argv[1] if len(sys.argv) > 1 else "build/clreduce"
FOLDER = sys.argv[2] if len(sys.argv) > 2 else "/tmp"
WORD = sys.argv[3] if len(sys.argv) > 3 else ""
TURNS = 5


def path(name):
    return os.path.join(FOLDER, "clreduce-speed-" + name)


def make_floats(name, count):
    np.save(path(name), np.random.default_rng(1).random(count, dtype=np.float32))


def make_text(name, size):
    chance, written = np.random.default_rng(2), 0
    with open(path(name), "w") as file:
        file.write("day,shop,price,count\n")
        while written < size:
            columns = (chance.integers(1, 29, 200000), chance.integers(1, 500, 200000),
                       chance.lognormal(3, 1, 200000), chance.integers(1, 1000, 200000))
            lines = "".join("2024-03-%02d,%d,%.2f,%d\n" % row for row in zip(*(c.tolist() for c in columns)))
            written += file.write(lines)


def python(text):
    return ["/usr/bin/python3", "-c", text]


def tool(*arguments):
    return [TOOL, *arguments]


def groups():
    floats, large, table, out = path("26.npy"), path("28.npy"), path("table.csv"), path("out.npy")
    several = [(op + ", 40 times", tool("reduce", op, floats, "--repeat", "40"))
               for op in ("sum,min,max,argmin", "sum", "min", "max", "argmin")]
    yield "four operators in one reading, 2^26 floats", several
    yield "median of 2^26 floats", [
        ("clreduce", tool("reduce", "median", floats)),
        ("numpy.median", python(f"import numpy; print(numpy.median(numpy.load('{floats}')))"))]
    yield "scan of 1 GiB of floats to a file", [
        ("clreduce", tool("scan", "sum", large, "--output", out)),
        ("numpy.cumsum", python(f"import numpy; numpy.save('{out}', numpy.cumsum(numpy.load('{large}')))"))]
    yield f"mean of a column, CSV of {os.path.getsize(table) / 1e6:.0f} MB", [
        ("clreduce", tool("reduce", "mean", table, "--column", "price")),
        ("datamash", ["sh", "-c", f"datamash -t, --header-in mean 3 <'{table}'"]),
        ("pandas", python(f"import pandas; print(pandas.read_csv('{table}', usecols=['price'])['price'].mean())"))]


def run(command):
    begun, before = time.perf_counter(), os.times()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, time.perf_counter() - begun


def measure(title, commands):
    print(f"{title}; {TURNS} turns, {time.strftime('%Y-%m-%d')}")
    times = {name: [] for name, _ in commands}
    for _ in range(TURNS + 1):
        for name, command in commands:
            times[name].append(run(command))
    first = None
    for name, runs in times.items():
        middle = [statistics.median(column) for column in zip(*runs[1:])]
        first = first or middle
        print(f"  {name:30} processor {middle[0]:7.3f} s, ratio {middle[0] / first[0]:5.2f}; wall {middle[1]:7.3f} s, "
              f"ratio {middle[1] / first[1]:5.2f}", flush=True)


def main():
    made = {"26.npy": lambda name: make_floats(name, 1 << 26), "28.npy": lambda name: make_floats(name, 1 << 28),
            "table.csv": lambda name: make_text(name, 1e9)}
    try:
        for name, make in made.items():
            make(name)
        for title, commands in groups():
            if WORD in title:
                measure(title, commands)
    finally:
        for name in (*made, "out.npy"):
            if os.path.exists(path(name)):
                os.remove(path(name))


main()
