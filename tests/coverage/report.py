"""report.py COUNTS.json EXPLAINED.txt: reads gcovr's counts and the explanations of branches that are never taken.
Prints the covered shares, and each line that is neither reached nor explained, with its branches. Exit code 1 if there
is such a line.

An explanation is a line `FILES :: TEXT :: REASON`. FILES is a shell pattern. It covers the lines of these files that
contain TEXT, or that match it if it is between slashes. Explanations that cover nothing are printed, too.
"""

import fnmatch
import json
import re
import sys


class Explanation:

    def __init__(self, line):
        self.files, text, self.reason = (part.strip() for part in line.split(" :: ", 2))
        regular = len(text) > 1 and text[0] == text[-1] == "/"
        self.pattern = re.compile(text[1:-1] if regular else re.escape(text))
        self.line = line
        self.used = 0

    def covers(self, file, text):
        return fnmatch.fnmatch(file, self.files) and self.pattern.search(text) is not None


def read_explanations(path):
    with open(path, encoding="utf-8") as file:
        lines = [line.rstrip("\n") for line in file]
    return [Explanation(line) for line in lines if line.strip() and not line.startswith("#")]


def missing_of(file):
    """Line number, branches never taken (None if the line never ran), and all branches."""
    for line in file["lines"]:
        if line.get("gcovr/noncode"):
            continue
        branches = line["branches"]
        untaken = sum(branch["count"] == 0 for branch in branches)
        if line["count"] == 0:
            yield line["line_number"], None, len(branches)
        elif untaken:
            yield line["line_number"], untaken, len(branches)


def count(files, untaken_only):
    return sum(untaken_only(line) for file in files for line in file["lines"] if not line.get("gcovr/noncode"))


def share(part, whole):
    return f"{part} of {whole}, {100 * part / whole if whole else 100:.2f} %"


def say(file, number, untaken, branches, text):
    what = f"{untaken} of {branches} branches" if untaken is not None else "never ran"
    print(f"{file}:{number}: {what}: {text.strip()}")


def main(counts, explained):
    with open(counts, encoding="utf-8") as file:
        files = json.load(file)["files"]
    explanations = read_explanations(explained)
    left = [0, 0]
    for file in files:
        with open(file["file"], encoding="utf-8") as source:
            texts = source.readlines()
        for number, untaken, branches in missing_of(file):
            text = texts[number - 1]
            covering = [explanation for explanation in explanations if explanation.covers(file["file"], text)]
            for explanation in covering[:1]:
                explanation.used += 1
            if not covering:
                say(file["file"], number, untaken, branches, text)
                left[untaken is not None] += 1
    for explanation in explanations:
        if not explanation.used:
            print(f"no longer explains anything: {explanation.line}")
    lines, branches = count(files, lambda line: 1), count(files, lambda line: len(line["branches"]))
    run = count(files, lambda line: line["count"] > 0)
    taken = count(files, lambda line: sum(branch["count"] > 0 for branch in line["branches"]))
    print(f"lines of src/ that ran:       {share(run, lines)}")
    print(f"branches of src/ taken:       {share(taken, branches)}")
    print(f"explained places: {sum(explanation.used for explanation in explanations)}; neither reached nor explained: "
          f"{left[0]} lines, {left[1]} lines with branches")
    return 1 if any(left) else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
