#!/usr/bin/env python3
"""Strong and weak scaling of clred_mpi_allreduce, computed from measured costs: model.py COSTS.json

mpirun -n 2 scaling_costs > COSTS.json measures them. The model of p ranks, with n elements on each:

  fold(n)                       measured; between two measured counts by interpolation, above the last one in proportion
  + pack                        measured
  + ceil(log2 p) rounds, each of one message of a block and one join of two blocks
    message(bytes)              latency + bytes / bandwidth
    join                        measured: read both blocks, join, pack

Latency and bandwidth are those of a network, which are assumed; those of two ranks of one machine are printed beside
them. MPI may choose other algorithms than rounds of doubling, and a network may be shared. So the tables say what the
library adds, not what a cluster will do. The plain sum in comparison folds the same elements and sends 4 bytes a round.
"""

import json
import math
import sys

NETWORK = (2e-6, 10e9)  # assumed: seconds, bytes per second
RANKS = (1, 2, 8, 64, 1000, 10_000, 100_000)
WEAK = 2**24  # floats on each rank
STRONG = 2**36  # floats in all


def fold_seconds(folds, count):
    """Measured points are [elements, seconds], in increasing order."""
    if count >= folds[-1][0]:
        return folds[-1][1] * count / folds[-1][0]
    before = folds[0]
    for after in folds:
        if count <= after[0]:
            break
        before = after
    if after[0] == before[0]:
        return after[1]
    share = (count - before[0]) / (after[0] - before[0])
    return before[1] + share * (after[1] - before[1])


def link_of(messages):
    """Latency and bandwidth of the measured messages: of the smallest and the largest one."""
    (least, first), (most, last) = messages[0], messages[-1]
    bandwidth = (most - least) / max(last - first, 1e-9)
    return max(first - least / bandwidth, 0), bandwidth


def rounds(ranks):
    return math.ceil(math.log2(ranks))


class Model:
    def __init__(self, costs, link, cut):
        self.costs, self.latency, self.bandwidth = costs, *link
        self.join, self.pack = (costs["join_cut"], costs["pack_cut"]) if cut else (costs["join_whole"],
                                                                                   costs["pack_whole"])

    def message(self, size):
        return self.latency + size / self.bandwidth

    def ours(self, ranks, each):
        joins = rounds(ranks) * (self.message(self.costs["block"]) + self.join)
        return fold_seconds(self.costs["fold"], each) + self.pack + joins

    def plain(self, ranks, each):
        return fold_seconds(self.costs["fold"], each) + rounds(ranks) * self.message(4)


def microseconds(seconds):
    return f"{seconds * 1e6:.3g}" if seconds < 1e-3 else f"{seconds * 1e6:.0f}"


def print_measured(costs, link):
    print("Measured:\n\n| cost | microseconds |\n|---|---|")
    for count, seconds in costs["fold"][1::2]:
        print(f"| fold of 2^{int(math.log2(count))} floats | {microseconds(seconds)} |")
    for which, words in (("whole", "shares of whole tiles"), ("cut", "shares cut anywhere")):
        print(f"| packing, {words} ({costs['bytes_' + which]} bytes) | {microseconds(costs['pack_' + which])} |")
        print(f"| join of two blocks, {words} | {microseconds(costs['join_' + which])} |")
    for size, seconds in costs["message"]:
        print(f"| `MPI_Allreduce` of {size} bytes, 2 ranks | {microseconds(seconds)} |")
    for which, words in (("whole", "shares of whole tiles"), ("cut", "shares cut anywhere")):
        model = Model(costs, link, which == "cut")
        computed = model.pack + model.message(costs["block"]) + model.join
        print(f"| `clred_mpi_allreduce`, 2 ranks, {words}; the model computes {microseconds(computed)} | "
              f"{microseconds(costs['call_' + which])} |")
    print(f"\nThis machine: latency {microseconds(link[0])} us, {link[1] / 1e9:.2g} GB/s. "
          f"Assumed network: {microseconds(NETWORK[0])} us, {NETWORK[1] / 1e9:.2g} GB/s.\n")


def print_table(title, costs, each_of):
    print(f"Computed: {title}\n")
    print("| ranks | floats a rank | plain sum | ours, whole tiles | ours, cut anywhere | cost of equal bits |")
    print("|---|---|---|---|---|---|")
    whole, cut = Model(costs, NETWORK, False), Model(costs, NETWORK, True)
    alone = whole.ours(1, each_of(1))
    for ranks in RANKS:
        each = each_of(ranks)
        plain, times = whole.plain(ranks, each), (whole.ours(ranks, each), cut.ours(ranks, each))
        useful = alone * each / each_of(1)
        cells = [f"{microseconds(time)} ({100 * useful / time:.0f} %)" for time in (plain, *times)]
        print(f"| {ranks} | {each:.0f} | {' | '.join(cells)} | {microseconds(times[0] - plain)} |")
    print()


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        costs = json.load(file)
    link = link_of(costs["message"])
    print_measured(costs, link)
    print_table(f"weak scaling, 2^{int(math.log2(WEAK))} floats a rank, network", costs, lambda _: WEAK)
    print_table(f"strong scaling, 2^{int(math.log2(STRONG))} floats in all, network", costs,
                lambda ranks: STRONG / ranks)


if __name__ == "__main__":
    main()
