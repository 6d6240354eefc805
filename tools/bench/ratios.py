#!/usr/bin/env python3
"""Prints rows of `clreduce bench --csv`, ours beside a peer's, as a table in Markdown, in microseconds a call.

usage: ratios.py FILE.csv [PEER]      (PEER: cub by default)
"""
import csv
import sys

HEAD = ("| n | | wall: ours | {peer} | ratio | device: ours | {peer} | ratio | read |\n"
        "|---|---|---|---|---|---|---|---|---|")


def sides(rows, peer):
    """For each size, operator and type: our row, the peer's row, and the row of reading alone, if they exist."""
    found = {}
    for row in rows:
        side = found.setdefault((int(row["count"]), row["op"], row["type"]), {})
        if row["kind"] == "ours" and row["name"] == "auto":
            side["ours"] = row
        elif row["kind"] == "peer" and row["name"] == peer:
            side["peer"] = row
        elif row["kind"] == "limit" and row["name"] == "read":
            side["read"] = row
    return found


def microseconds(row, clock):
    text = (row or {}).get(clock + "_seconds")
    return float(text) * 1e6 if text else None


def words(*numbers):
    return ["-" if number is None else f"{number:.2f}" for number in numbers]


def clock_cells(side, clock):
    ours, peer = (microseconds(side.get(name), clock) for name in ("ours", "peer"))
    return words(ours, peer, peer / ours if ours and peer else None)


def table_row(key, side):
    count, op, type_name = key
    wrong = [row["name"] for row in side.values() if row["correct"] == "false"]
    cells = [str(count), f"{op} {type_name}"] + clock_cells(side, "wall") + clock_cells(side, "device")
    cells += words(microseconds(side.get("read"), "wall"))
    return "| " + " | ".join(cells) + " |" + (f" WRONG: {', '.join(wrong)}" if wrong else "")


def main(arguments):
    if not arguments:
        sys.exit(__doc__.strip())
    peer = arguments[1] if len(arguments) > 1 else "cub"
    with open(arguments[0], newline="") as file:
        found = sides(csv.DictReader(file), peer)
    print(HEAD.format(peer=peer))
    for key in found:
        print(table_row(key, found[key]))


main(sys.argv[1:])
