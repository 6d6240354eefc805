"""A peer of `clreduce bench` in Python: lines in, lines out (README.md)."""

import mmap
import sys
import time

import numpy as np

DATA = 3
TYPES = {"char": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32, "uint": np.uint32,
         "long": np.int64, "ulong": np.uint64, "float": np.float32, "double": np.float64}


class Refused(Exception):
    """Raised for work that this peer does not do; the text is the reason."""


def say(line):
    print(line, flush=True)


def elements(kind, count):
    """The first `count` elements of the file that was inherited."""
    dtype = np.dtype(TYPES[kind])
    mapped = mmap.mmap(DATA, count * dtype.itemsize, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE)
    return np.frombuffer(mapped, dtype=dtype, count=count)


def spell(value):
    """Integers with all digits; floating values with as many as restore the same value."""
    value = np.asarray(value).reshape(())[()]
    return str(int(value)) if np.issubdtype(type(value), np.integer) else repr(float(value))


def answer(peer, words, line):
    """The line that answers this one; None ends the peer."""
    try:
        if words[0] == "device":
            peer.open(words[1], int(words[2]), line.split(" ", 3)[3])
            return "ready"
        if words[0] == "prepare":
            if words[1] not in TYPES:
                raise Refused("it has no such type")
            peer.prepare(elements(words[1], int(words[3])), words[2])
            return "ready"
        if words[0] == "run" and words[1] == "wall":
            calls = int(words[2])
            begun = time.perf_counter()
            value = peer.run(calls)
            return f"seconds {(time.perf_counter() - begun) / calls:.9e} value {spell(peer.fetch(value))}"
    except Refused as reason:
        return f"refused {reason}"
    return None


def serve(name, version, peer):
    """Serves `peer`, an object with open(kind, index, name), prepare(elements, op), run(calls), which synchronises, and
    fetch(value)."""
    say(f"peer {name} wall {version}")
    for line in sys.stdin:
        line = line.rstrip("\n")
        reply = answer(peer, line.split(" "), line)
        if reply is None:
            return
        say(reply)
