#!/usr/bin/python3
"""The peer `numpy`: reductions and sorts by NumPy on one thread of a CPU. Reads and answers lines (README.md)."""
import sys
import time

import numpy as np

TYPES = {"float": np.float32, "double": np.float64, "int": np.int32, "uchar": np.uint8, "half": np.float16,
         "ushort": np.uint16, "long": np.int64, "uint": np.uint32, "ulong": np.uint64}
# NumPy sums integers in 64 bits.
OPS = {"sum": np.add.reduce, "prod": np.multiply.reduce, "min": np.minimum.reduce, "max": np.maximum.reduce,
       "mean": np.mean, "var": np.var, "std": np.std, "argmin": np.argmin, "argmax": np.argmax}


def sorter(work, keys):
    """A function that returns a tuple of arrays to compare. Without a stable sort, equal keys have no fixed order."""
    kind, values = work.get("strategy"), np.arange(len(keys), dtype=np.uint32)

    def pairs():
        order = np.argsort(keys, kind=kind)
        return keys[order], values[order]

    call = {"sort-keys": lambda: (np.sort(keys, kind=kind),), "sort-pairs": pairs,
            "argsort": lambda: (np.argsort(keys, kind=kind),)}[work["work"]]
    return call if kind == "stable" or work["work"] == "sort-keys" else lambda: list(call())


def prepare(work):
    """The function that computes the result, or None if this peer does not do the work."""
    reduce, axis = OPS.get(work["work"]), None
    sorts = work["work"] in ("sort-keys", "sort-pairs", "argsort")
    if reduce is None and not sorts:
        return None
    elements = np.fromfile(work["elements"], TYPES[work["type"]], int(work["count"]))
    if sorts:
        return sorter(work, elements)
    if "rows" in work:
        rows, columns, axis = (int(work[key]) for key in ("rows", "columns", "axis"))
        elements = elements[:rows * columns].reshape(rows, columns)
    return lambda: reduce(elements, axis=axis)


def spell(value):
    """Integers with all digits, floating values with all digits that matter; tuples of arrays as in serve.c. Other
    arrays are not compared."""
    if isinstance(value, tuple):
        places = np.arange(1, len(value[0]) + 1, dtype=np.uint64)
        total = sum(int((part.view(f"u{part.itemsize}").astype(np.uint64) * places).sum()) for part in value)
        return f"{len(places)}:{total % 2 ** 64:x}"
    if np.ndim(value):
        return "-"
    return str(int(value)) if np.issubdtype(type(value), np.integer) else repr(float(value))


def main():
    call, value = None, None
    print(f"peer numpy wall {np.__version__}", flush=True)
    for line in sys.stdin:
        verb, *words = line.split()
        if verb == "device":
            reply = "ready" if words[0] == "cpu" else "refused it computes elsewhere"
        elif verb == "prepare":
            work = dict(word.split("=", 1) for word in words)
            call = prepare(work)
            name = "numpy:" + work["strategy"] if "strategy" in work else "numpy"
            reply = "ready " + name if call else "refused it does not do this"
        elif verb == "run" and words[0] == "wall":
            begun, calls = time.perf_counter(), int(words[1])
            for _ in range(calls):
                value = call()
            reply = f"seconds {(time.perf_counter() - begun) / calls:.9e}"
        elif verb == "check":
            reply = "value " + spell(value)
        else:
            return
        print(reply, flush=True)


main()
