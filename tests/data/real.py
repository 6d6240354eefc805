#!/usr/bin/python3
"""Runs the tool on real files of Debian's packages (real_files.py) and compares with NumPy and pandas.

  tests/data/real.py --tool build/clreduce [--root DIRECTORY] [--all] [WORD]...

Every result is compared with exact arithmetic on whole numbers, and must be equal or within the bound that
docs/numerics.md states. One line a file shows the result nearest to its bound; --all shows every result. WORDs choose
files. Nothing is installed: a missing file names its package. To look at packages without installing them, unpack them:
apt-get download PACKAGE; dpkg -x PACKAGE*.deb DIRECTORY. Exit code 1 if a result is wrong or a file is missing.
"""

import argparse
import json
import math
import subprocess
import sys
import tempfile
from fractions import Fraction
from pathlib import Path

import numpy as np
import pandas

from real_files import FILES

NAMES = {"b": "bool", "i1": "char", "u1": "uchar", "i2": "short", "u2": "ushort", "i4": "int", "u4": "uint",
         "i8": "long", "u8": "ulong", "f2": "half", "f4": "float", "f8": "double"}
LISTED = "sum,min,max,argmin,argmax,mean,var,std,norm1,norm2,sumsq,count,all,any,count_nonzero"


# ---- What each operator must give: the exact value, and the bound of docs/numerics.md

class Exact:
    """The elements as whole numbers times `unit`, in Python's integers or in NumPy's where nothing can overflow."""

    def __init__(self, x):
        self.unit = Fraction(1)
        if x.dtype.kind == "f":
            mantissas, exponents = np.frexp(x.astype("float64"))
            low = int(exponents.min()) - 53
            self.unit = Fraction(2) ** low
            whole = (mantissas * 2.0**53).astype("int64").tolist()
            self.x = np.array([m << e for m, e in zip(whole, (exponents - 53 - low).tolist())], object)
        else:
            self.x = x.astype("int64" if x.dtype.itemsize <= 2 else object)

    def sum(self, x, power=1):
        return Fraction(int(x.sum())) * self.unit**power


def root(q):
    shift = 150 + max(0, q.denominator.bit_length() - q.numerator.bit_length())
    return Fraction(math.isqrt(q.numerator * 4**shift // q.denominator), 2**shift)


def depth(n):
    return 16 + math.ceil(math.log2(max(n, 1)))


def roundoff(x):
    return Fraction(1, 2**24 if x.dtype == "float32" else 2**53)


def expected(x):
    """What each operator gives: its name, the exact value and the bound; the bound 0 asks for equal values."""
    exact, n, real = Exact(x), x.size, x.dtype.kind == "f"
    u = roundoff(x)
    u2, d, sums = (u if real else 0), depth(n), exact.sum
    magnitude, squares, total = sums(abs(exact.x)), sums(exact.x * exact.x, 2), sums(exact.x)
    extent = (int(exact.x.max()) - int(exact.x.min())) * exact.unit
    mean, var = total / n, squares / n - (total / n)**2
    off = (6 * d + 6) * u * (var + extent * root(var)) + ((3 * d + 3) * u * extent)**2
    # -0 is less than +0.
    key = np.where((x == 0) & np.signbit(x), -np.finfo(x.dtype).smallest_subnormal, x) if real else x
    low, high = int(key.argmin()), int(key.argmax())
    return {"sum": (total, d * u2 * magnitude), "min": (x[low], 0), "max": (x[high], 0), "argmin": (low, 0),
            "argmax": (high, 0), "mean": (mean if real else float(mean), u2 * (abs(mean) + (3 * d + 3) * extent)), "var": (var, off),
            "std": (root(var), off / (2 * root(var)) if var else root(off)),
            "norm1": (magnitude, (d + 3) * u2 * magnitude),
            "norm2": (root(squares), Fraction(d + 8, 2) * u * root(squares)),
            "sumsq": (squares if real else squares % 2**64, (d + 3) * u2 * squares), "count": (n, 0),
            "all": (int(x.all()), 0), "any": (int(x.any()), 0), "count_nonzero": (int(np.count_nonzero(x)), 0)}


# ---- One file

class Subject:
    """A file, the tool's way to run on it, and the lines of the table."""

    def __init__(self, options, file):
        self.options, self.file, self.rows, self.input = options, file, [], None
        self.path = Path(options.root) / file.path

    def run(self, *arguments, name="out.npy", array=False):
        output = Path(self.options.directory) / name
        command = [self.options.tool, *arguments[:-1], self.input or str(self.path), *self.file.arguments,
                   *arguments[-1], *(["--output", str(output)] if array else ["--json"])]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(" ".join(command) + "\n" + done.stderr)
        return np.load(output) if array else json.loads(done.stdout)

    def compare(self, what, ours, theirs, bound=0):
        """Floating results beside an exact value, with the error in ulp of the result; whole ones must be equal."""
        if isinstance(theirs, Fraction) and theirs.denominator == 1 and not bound:
            theirs = int(theirs)
        if isinstance(theirs, np.floating):
            ours = type(theirs)(ours)
        if not bound or isinstance(ours, str):
            self.rows.append((what, ours, theirs, "equal" if ours == theirs else "WRONG", 0 if ours == theirs else 9))
            return
        kind = np.float32 if self.x.dtype == "float32" else np.float64
        ulp = Fraction(float(np.spacing(kind(abs(float(theirs))))))
        error = abs(Fraction(float(kind(ours))) - theirs)
        text = f"{float(error / ulp):.2f} ulp, bound {float(bound / ulp):.1f}"
        self.rows.append((what, ours, float(theirs), text if error <= bound else "WRONG: " + text, error / bound))

    def compare_arrays(self, what, ours, theirs, bounds=None):
        ours, theirs = ours.ravel(), np.asarray(theirs).ravel()
        if ours.size != theirs.size:
            return self.compare(what, f"{ours.size} elements", f"{theirs.size} elements")
        differ = ours != theirs
        wide = ours[differ].astype("longdouble"), theirs[differ].astype("longdouble")
        error = differ.astype("longdouble")
        error[differ] = np.abs(wide[0] - wide[1]) if bounds is not None else 1
        if bounds is not None:
            error[differ] /= np.maximum(bounds, 1e-300).ravel()[differ]
        share = float(error.max(initial=0))
        verdict = "equal" if not differ.any() else f"{share:.3f} of the bound"
        good = share <= 1 if bounds is not None else not differ.any()
        self.rows.append((what, f"{ours.size} elements", f"{theirs.size}", verdict if good else "WRONG: " + verdict,
                          share))


def look(subject):
    """Gives the tool its input, the peer its elements, and compares their number and type."""
    file = subject.file
    if file.make is not None:
        made = Path(subject.options.directory) / ("made.npy" if subject.path.suffix != ".csv" else "made.csv")
        made.write_bytes(file.make(subject.path))
        subject.input = str(made)
    subject.shaped = file.peer(subject.path)
    got = subject.run("reduce", "count", [])
    kind = next(key for key, name in NAMES.items() if name == got["type"])
    subject.whole = subject.shaped.astype(kind, copy=False)
    if not np.array_equal(subject.whole, subject.shaped, equal_nan=subject.whole.dtype.kind == "f"):
        raise RuntimeError(f"{subject.path}: the type {got['type']} does not hold the peer's elements")
    flat = subject.whole.ravel()
    subject.x = flat[np.isfinite(flat)] if flat.dtype.kind == "f" else flat
    subject.compare("count", got["result"], flat.size)
    return flat.size == subject.x.size


def check_list(subject):
    """The operators in one pass, one alone, and stats: each part has the bits of its operator alone."""
    wanted = expected(subject.x)
    got = subject.run("reduce", LISTED, [])["result"]
    for name, (value, bound) in wanted.items():
        ours = got[name]["index"] if isinstance(got[name], dict) else got[name]
        subject.compare(name, ours, value, bound)
    subject.compare("mean alone", subject.run("reduce", "mean", [])["result"], got["mean"])
    stats = subject.run("reduce", "stats", [])["result"]
    for part, name in (("min", "min"), ("max", "max"), ("min_index", "argmin"), ("max_index", "argmax"),
                       ("count", "count"), ("sum", "sum"), ("mean", "mean"), ("var", "var")):
        ours = got[name]["index"] if isinstance(got[name], dict) else got[name]
        subject.compare("stats: " + part, stats[part], ours)


def linear(ordered, q):
    """The double nearest to the exact quantile."""
    position = q * (ordered.size - 1)
    low, high = (Fraction(ordered[min(int(position) + i, ordered.size - 1)].item()) for i in (0, 1))
    return float(low + (high - low) * Fraction(position % 1))


def check_quantiles(subject):
    x, ordered = subject.x.astype("float64"), np.sort(subject.x)
    subject.compare("median", subject.run("reduce", "median", [])["result"], linear(ordered, 0.5))
    three = subject.run("reduce", "quantile:0.01,0.25,0.9", [])["result"]
    subject.compare("quantiles", three, [linear(ordered, q) for q in (0.01, 0.25, 0.9)])
    top = subject.run("reduce", "top:3", [])["result"]
    order = np.argsort(-x, kind="stable")[:3]
    subject.compare("top:3", [(row["index"], subject.x.dtype.type(row["value"])) for row in top],
                    [(int(i), subject.x[i]) for i in order])


def check_scan(subject):
    if subject.x.size > 10**6:
        return
    ours = subject.run("scan", "sum", [], array=True)
    exact = Exact(subject.x)
    prefixes = np.cumsum(exact.x)
    subject.compare_arrays("scan max", subject.run("scan", "max", [], array=True), np.maximum.accumulate(subject.x))
    if subject.x.dtype.kind != "f":
        return subject.compare_arrays("scan sum", ours, prefixes.astype(ours.dtype))
    unit, u = exact.unit, roundoff(subject.x)
    theirs = np.array([np.longdouble(0) + float(high := int(p) * unit) + float(int(p) * unit - Fraction(float(high)))
                       for p in prefixes], "longdouble")
    bounds = np.cumsum(np.abs(subject.x).astype("longdouble")) * float(u * depth(subject.x.size))
    subject.compare_arrays("scan sum", ours, theirs, bounds)


def check_histogram(subject):
    if subject.x.min() == subject.x.max():
        return
    got = subject.run("histogram", ["--bins", "16"])
    counts, _ = np.histogram(subject.x.astype("float64"), np.array(got["edges"], "float64"))
    subject.compare("histogram", got["counts"], counts.tolist())


def check_select(subject):
    limit = float(np.median(subject.x.astype("float64")))
    ours = subject.run("select", "x > limit", ["--parameter", f"double:limit={limit!r}"], array=True)
    subject.compare_arrays("select", ours, subject.x[subject.x > limit])


def check_axes(subject):
    a = subject.whole
    for axis in range(a.ndim):
        ours = subject.run("reduce", "sum", ["--axis", str(axis)], array=True)
        sums = a.astype("longdouble").sum(axis) if a.dtype.kind == "f" else a.astype("int64").sum(axis)
        bounds = np.abs(a.astype("longdouble")).sum(axis) * float(roundoff(a)) * depth(a.shape[axis])
        subject.compare_arrays(f"sum, axis {axis}", ours, sums, bounds.ravel() if a.dtype.kind == "f" else None)
        subject.compare_arrays(f"max, axis {axis}", subject.run("reduce", "max", ["--axis", str(axis)], array=True),
                               a.max(axis))


def check_keys(subject, key):
    table = pandas.read_csv(subject.path, float_precision="round_trip")
    keys = table[key].to_numpy()
    starts = np.concatenate([[0], np.flatnonzero(keys[1:] != keys[:-1]) + 1, [keys.size]])
    ours = subject.run("reduce", "sum", ["--by-key", "column:" + key], array=True)
    runs = [subject.x[a:b] for a, b in zip(starts, starts[1:])]
    bounds = np.array([abs(run).sum() * depth(run.size) * 2.0**-53 for run in runs])
    subject.compare_arrays("sum by key", ours, [math.fsum(run) for run in runs], bounds)


def check_not_finite(subject):
    flat = subject.whole.ravel()
    kept = flat[~np.isnan(flat)]
    for name, theirs in (("min", kept.min()), ("max", kept.max()), ("argmin", np.nanargmin(flat)),
                         ("count", kept.size), ("median", np.median(kept.astype("float64")))):
        ours = subject.run("reduce", name, [])["result"]
        subject.compare(name, ours["index"] if isinstance(ours, dict) else ours, theirs)


EXTRA = {"axes": lambda subject, count: check_axes(subject), "keys": check_keys}


# ---- The table

def check(subject):
    if look(subject):
        for usual in (check_list, check_quantiles, check_scan, check_histogram, check_select):
            usual(subject)
    else:  # with infinities or NaN: what ignores them, and what they must not hide
        subject.file.arguments.extend(["--nan", "ignore"])
        check_not_finite(subject)
    for name, value in subject.file.extra.items():
        EXTRA[name](subject, value)


def show(file, rows, everything):
    name = " ".join([f"{file.package}: {Path(file.path).name}", *file.arguments])
    wrong = [row for row in rows if "WRONG" in row[3]]
    nearest = max(rows, key=lambda row: row[4])
    print(f"{name}: {len(rows)} results, {len(rows) - len(wrong)} right; "
          f"nearest to its bound: {nearest[0]}, {nearest[3]}", flush=True)
    for what, ours, theirs, verdict, _ in rows if everything else wrong:
        print(f"    {what:18} {ours!s:.40} {theirs!s:.40} {verdict}")
    return len(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--tool", default="build/clreduce")
    parser.add_argument("--root", default="/")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args()
    results = wrong = files = absent = 0
    with tempfile.TemporaryDirectory() as options.directory:
        for file in FILES:
            if options.words and not any(word in file.path for word in options.words):
                continue
            subject = Subject(options, file)
            if not subject.path.exists():
                print(f"{subject.path}: missing; install {file.package}")
                absent += 1
                continue
            try:
                check(subject)
            except (RuntimeError, ValueError, KeyError, OSError, subprocess.CalledProcessError,
                    StopIteration) as error:  # the tool, or a peer that cannot read the file
                subject.rows.append(("run", "", "", f"WRONG: {error!r}", 9))
            wrong += show(file, subject.rows, options.all)
            results, files = results + len(subject.rows), files + 1
    print(f"{files} files, {results} results, {wrong} wrong, {absent} files missing")
    return 1 if wrong or absent or not files else 0


sys.exit(main())
