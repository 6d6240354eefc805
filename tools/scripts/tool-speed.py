#!/usr/bin/python3
"""Measures whole commands beside those of others, as someone at a shell sees them.

  tool-speed.py [TOOL] [DIRECTORY] [WORD] [OPTIONS...]

WORD chooses the tasks that have it in their name; without it all run but `stream`. OPTIONS are for `reduce` in the
tasks `stream` and `first`. DIRECTORY needs 5 GiB, for `stream` 12 GiB; /dev/shm keeps the disk out of the measurement.

The commands run alternately, so that other work on the machine slows all of them, and each once before to warm up. The
table has medians of processor seconds (user and system) and of seconds by the wall clock, the ratio of each to the
first row of its task, and the most memory that a process held (this script's at least). Tasks other than `stream` and
`first` need Debian's python3-numpy, python3-pandas and datamash.
"""

import os
import shutil
import statistics
import subprocess
import sys
import time

TOOL = sys.argv[1] if len(sys.argv) > 1 else "build/clreduce"
DIRECTORY = sys.argv[2] if len(sys.argv) > 2 else "/tmp"
WORD = sys.argv[3] if len(sys.argv) > 3 else ""
OPTIONS = sys.argv[4:]
TURNS = 5


def path(name):
    return os.path.join(DIRECTORY, "clreduce-speed-" + name)


# ------------------------------------------------------------------ Files

def make_floats(file, spec):
    subprocess.run(tool("select", "1", "--generate", spec, "--output", file), check=True)


def make_text(file, size):
    import numpy
    chance, written = numpy.random.default_rng(2), 0
    with open(file, "w") as out:
        out.write("day,shop,price,count\n")
        while written < size:
            columns = (chance.integers(1, 29, 200000), chance.integers(1, 500, 200000),
                       chance.lognormal(3, 1, 200000), chance.integers(1, 1000, 200000))
            lines = "".join("2024-03-%02d,%d,%.2f,%d\n" % row for row in zip(*(c.tolist() for c in columns)))
            written += out.write(lines)


FILES = {"20.npy": (make_floats, "uniform:1048576"), "26.npy": (make_floats, "uniform:67108864"),
         "28.npy": (make_floats, "uniform:268435456"), "ones.npy": (make_floats, "ones:3221225472"),
         "table.csv": (make_text, 1e9)}


def need(name):
    """The path of a file, which is made if it is not there."""
    if not os.path.exists(path(name)):
        make, size = FILES[name]
        make(path(name), size)
    return path(name)


# ------------------------------------------------------------------ Tasks: rows of a name, a command and directories
# that are emptied before it

def python(text):
    return [sys.executable, "-c", text]


def tool(*arguments):
    return [TOOL, *arguments]


def several():
    floats = need("26.npy")
    return [(op + ", 40 times", tool("reduce", op, floats, "--repeat", "40"))
            for op in ("sum,min,max,argmin", "sum", "min", "max", "argmin")]


def median():
    floats = need("26.npy")
    return [("clreduce", tool("reduce", "median", floats)),
            ("numpy.median", python(f"import numpy; print(numpy.median(numpy.load('{floats}')))"))]


def scan():
    floats, out = need("28.npy"), path("out.npy")
    return [("clreduce", tool("scan", "sum", floats, "--output", out)),
            ("numpy.cumsum", python(f"import numpy; numpy.save('{out}', numpy.cumsum(numpy.load('{floats}')))"))]


def text():
    table = need("table.csv")
    return [("clreduce", tool("reduce", "mean", table, "--column", "price")),
            ("datamash", ["sh", "-c", f"datamash -t, --header-in mean 3 <'{table}'"]),
            ("pandas", python(f"import pandas; print(pandas.read_csv('{table}', usecols=['price'])['price'].mean())"))]


def stream():
    floats = need("ones.npy")
    return [("cat", ["cat", floats]), ("clreduce", tool("reduce", "sum", floats, *OPTIONS))]


def first():
    """`query` opens the device, a context and a queue, and compiles nothing if the caches are warm."""
    floats, ours, drivers, cold = need("20.npy"), path("cache"), path("driver"), path("cold")
    for variable in ("POCL_CACHE_DIR", "CUDA_CACHE_PATH", "MESA_SHADER_CACHE_DIR"):
        os.environ[variable] = drivers
    command = tool("reduce", "sum", floats, *OPTIONS, "--cache")
    return [("query", tool("query", "--cache", ours)),
            ("warm caches", [*command, ours]),
            ("no cache of ours", [*command, "off"]),
            ("the driver's cache empty", [*command, ours], drivers),
            ("both caches empty", [*command, cold], drivers, cold)]


TASKS = {"four operators in one pass, 2^26 floats": several, "median of 2^26 floats": median,
         "scan of 1 GiB of floats to a file": scan, "mean of a column, CSV of 1 GB": text,
         "first result of a process, the sum of 2^20 floats": first, "stream of 12 GiB, summed": stream}


# ------------------------------------------------------------------ Measuring

def run(command, *emptied):
    """Processor seconds, seconds, MiB and output of a process."""
    for directory in emptied:
        shutil.rmtree(directory, ignore_errors=True)
        os.mkdir(directory)
    begun = time.perf_counter()
    printed = (os.POSIX_SPAWN_OPEN, 1, path("printed"), os.O_CREAT | os.O_TRUNC | os.O_WRONLY, 0o600)
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=[printed])
    _, status, used = os.wait4(process, 0)
    seconds = time.perf_counter() - begun
    with open(path("printed")) as output:
        return used.ru_utime + used.ru_stime, seconds, used.ru_maxrss / 1024, (status, output.read())


def measure(title, rows):
    print(f"{title}; {TURNS} turns, {time.strftime('%Y-%m-%d')}")
    times = {name: [] for name, *_ in rows}
    for _ in range(TURNS + 1):
        for name, *command in rows:
            times[name].append(run(*command))
    base = None
    for name, runs in times.items():
        *columns, printed = zip(*runs)
        if set(printed) != {(0, printed[0][1])}:
            sys.exit(f"{name}: failed, or did not print the same each time")
        middle = [statistics.median(column[1:]) for column in columns]
        base = base or middle
        print(f"  {name:30} processor {middle[0]:7.3f} s, ratio {middle[0] / base[0]:5.2f}; wall {middle[1]:7.3f} s, "
              f"ratio {middle[1] / base[1]:5.2f}; {middle[2]:.0f} MiB", flush=True)


def main():
    os.makedirs(path("driver"), exist_ok=True)
    try:
        for title, rows in TASKS.items():
            if WORD in title and (WORD or rows != stream):
                measure(title, rows())
    finally:
        for name in (*FILES, "out.npy", "printed"):
            if os.path.exists(path(name)):
                os.remove(path(name))
        for name in ("cache", "driver", "cold"):
            shutil.rmtree(path(name), ignore_errors=True)


main()
