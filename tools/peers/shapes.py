#!/usr/bin/env python3
"""Looks for slow shapes: reduces arrays of floats along every axis, by clreduce and by NumPy alternately.

usage: shapes.py [SEED [SHAPES [ELEMENTS]]]      (default: 1, 40 shapes of at most 2^20 elements)

Shapes have 1 to 4 dimensions. Lengths are 1 to 5000, near powers of two, multiples of 32 and multiples of 100. Times
are the least of several calls, in microseconds. "limit" is 2 times NumPy's time plus 20 us up to 10^6 elements, NumPy's
time above. The second table is about rows of neighbouring lengths: a length's time for each element beside the least of
its neighbours.
"""
import math
import random
import sys
import time

import numpy as np

import clreduce

FUNCTIONS = ("sum", "max", "argmax", "std", "mean")
WORST = 10


def length(dice):
    near = dice.choice([2 ** dice.randrange(13), 32 * dice.randrange(1, 157), 100 * dice.randrange(1, 50)])
    return min(max(near + dice.choice([-1, 0, 0, 1, 8]), 1), 5000)


def shapes(dice, count, most):
    found = []
    while len(found) < count:
        shape = tuple(length(dice) for _ in range(dice.randrange(1, 5)))
        if math.prod(shape) <= most:
            found.append(shape)
    return found


def least_times(calls, seconds=0.03):
    """The least time of each call in microseconds. The calls alternate."""
    least, end = [math.inf] * len(calls), time.perf_counter() + seconds * len(calls)
    for call in calls:
        call()
    turns = 0
    while turns < 5 or (turns < 200 and time.perf_counter() < end):
        for index, call in enumerate(calls):
            start = time.perf_counter()
            call()
            least[index] = min(least[index], time.perf_counter() - start)
        turns += 1
    return [1e6 * one for one in least]


def beside_numpy(x):
    """(ours / limit, ours, NumPy's, what) for each function and axis."""
    for axis in range(x.ndim):
        for name in FUNCTIONS:
            ours, peer = least_times([lambda f=getattr(module, name): f(x, axis=axis) for module in (clreduce, np)])
            limit = 2 * peer + 20 if x.size <= 10 ** 6 else peer
            yield ours / limit, ours, peer, f"{name} of {x.shape} along axis {axis}"


def beside_neighbours(count, most, elements):
    """(time / least time of a neighbour, ns an element, neighbour's, what) for rows of `count` elements."""
    for name in FUNCTIONS:
        tables = [elements[:most // n * n].reshape(-1, n) for n in (count, count - 1, count + 1)]
        times = least_times([lambda x=x: getattr(clreduce, name)(x, axis=1) for x in tables], 0.02)
        own, *others = (1e3 * taken / x.size for taken, x in zip(times, tables))
        yield own / min(others), own, min(others), f"{name} of rows of {count}"


def print_worst(head, rows):
    print(f"| {head} |\n|---|---|---|---|")
    for ratio, ours, other, what in sorted(rows, reverse=True)[:WORST]:
        print(f"| {what} | {ours:.4g} | {other:.4g} | {ratio:.2f} |")
    print(f"\n{len(rows)} rows, {sum(row[0] > 1 for row in rows)} above 1, "
          f"{sum(row[0] > 1.5 for row in rows)} above 1.5\n", flush=True)


def main():
    seed, count, most = (int(one) for one in sys.argv[1:4] + ["1", "40", str(2 ** 20)][len(sys.argv) - 1:])
    dice, elements = random.Random(seed), np.random.default_rng(seed).random(most + 5001, np.float32)
    arrays = [elements[:math.prod(shape)].reshape(shape) for shape in shapes(dice, count, most)]
    print_worst("what | ours us | NumPy us | ours / limit", [row for x in arrays for row in beside_numpy(x)])
    print_worst("what | ours ns an element | neighbour ns | ratio",
                [row for n in {length(dice) + 1 for _ in range(count)} for row in beside_neighbours(n, most, elements)])


main()
