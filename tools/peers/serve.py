"""A peer in Python: lines in, lines out (README.md). It does reductions."""

import sys
import time

import numpy as np

TYPES = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32, "uint": np.uint32,
         "long": np.int64, "ulong": np.uint64, "float": np.float32, "double": np.float64}


class Refused(Exception):
    """Raised for work that this peer does not do; the text is the reason."""


def elements(work):
    if work["type"] not in TYPES or "rows" in work or "strategy" in work:
        raise Refused("it does not do this")
    return np.fromfile(work["elements"], TYPES[work["type"]], int(work["count"]))


def spell(value):
    """Integers with all digits; floating values with as many as restore the same value."""
    value = np.asarray(value).reshape(())[()]
    return str(int(value)) if np.issubdtype(type(value), np.integer) else repr(float(value))


def run(peer, calls):
    begun = time.perf_counter()
    value = peer.run(calls)
    return value, f"seconds {(time.perf_counter() - begun) / calls:.9e}"


def serve(name, version, peer):
    """Serves `peer`, an object with open(kind, index, name), prepare(elements, op), run(calls), which synchronises, and
    fetch(value)."""
    value, reply = None, f"peer {name} wall {version}"
    while True:
        print(reply, flush=True)
        line = sys.stdin.readline().rstrip("\n")
        verb, *words = line.split(" ")
        try:
            if verb == "device":
                peer.open(words[0], int(words[1]), " ".join(words[2:]))
                reply = "ready"
            elif verb == "prepare":
                work = dict(word.split("=", 1) for word in words)
                peer.prepare(elements(work), work["work"])
                reply = "ready " + name
            elif verb == "run" and words[0] == "wall":
                value, reply = run(peer, int(words[1]))
            elif verb == "check":
                reply = "value " + spell(peer.fetch(value))
            else:
                return
        except Refused as reason:
            reply = f"refused {reason}"
