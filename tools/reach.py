#!/usr/bin/env python3
"""Counts the files of src/ with a function that an entry point can reach by calls: a measure of how much one must read.

    reach.py [--list] [--max N] ENTRY OBJECTS...       exit status 1 if there are more than N files

Calls are read from the machine code, by `objdump -dr` on the object files of the library (x86-64). A function whose
address the code takes, as a callback that it passes on, counts as called. What is called through a pointer that only
data holds (the rows of strategies and of operators.def, callbacks of the caller) is not seen: the functions behind
those pointers are chosen by data, and a reader of the path need not open them. Inlined functions count where they are
inlined, so functions of headers do not count as files.
"""
import argparse
import bisect
import re
import subprocess
import sys

SYMBOL = re.compile(r"^([0-9a-f]+) <([\w.]+)>:$")
JUMP = re.compile(r"\s(?:call|j\w+)\s+[0-9a-f]+ <([\w.]+?)(?:\+0x[0-9a-f]+)?>$")
EXPORTED = re.compile(r"^[0-9a-f]{16} g\s+F \S+\s+[0-9a-f]+ (?:\.hidden )?(\w+)$")
RELOCATION = re.compile(r"R_X86_64_\w+\s+([\w.]+)([+-]0x[0-9a-f]+)?$")


class Object:
    """The functions of one object file: name -> names that its code refers to."""

    def __init__(self, path, objdump):
        self.file = re.sub(r"^.*\.dir/|\.o\w*$", "", path)
        self.starts = {}  # section -> [(offset, function)]
        self.references = {}
        self.exported = set()
        self.pending = []  # (function, section, offset) of references into a section
        lines = subprocess.run([objdump, "-tdr", "--no-show-raw-insn", path], check=True, capture_output=True,
                               text=True).stdout.splitlines()
        section = function = None
        for line in lines:
            if line.startswith("Disassembly of section "):
                section = line.split()[-1].rstrip(":")
            elif match := EXPORTED.match(line):
                self.exported.add(match[1])
            elif match := SYMBOL.match(line):
                function = match[2]
                self.starts.setdefault(section, []).append((int(match[1], 16), function))
                self.references[function] = set()
            elif match := RELOCATION.search(line):
                self.note(function, match[1], int(match[2] or "0", 16))
            elif match := JUMP.search(line):
                self.references[function].add(match[1])
        for function, target, offset in self.pending:
            self.references[function].add(self.function_at(target, offset))

    def note(self, function, target, addend):
        # A reference to a function of this file may name its section. PC-relative addends are 4 too small.
        if target.startswith(".text"):
            self.pending.append((function, target, addend + 4))
        elif not target.startswith("."):
            self.references[function].add(target)

    def function_at(self, section, offset):
        starts = self.starts[section]
        return starts[max(bisect.bisect_right(starts, (offset, "\x7f")) - 1, 0)][1]


def reach(entry, objects):
    """The files with a function that can be reached, in the order in which they are met."""
    home = {function: one for one in objects for function in one.exported}
    if entry not in home:
        sys.exit(f"{entry}: no object file defines it")
    files, seen, open_ends = [], set(), [(home[entry], entry)]
    while open_ends:
        one, function = open_ends.pop(0)
        if (one, function) in seen:
            continue
        seen.add((one, function))
        if one.file not in files:
            files.append(one.file)
        for target in one.references[function]:
            owner = one if target in one.references else home.get(target)
            if owner:
                open_ends.append((owner, target))
    return files


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--list", action="store_true", help="name the files")
    parser.add_argument("--max", type=int, default=sys.maxsize, help="fail if there are more files")
    parser.add_argument("--objdump", default="objdump")
    parser.add_argument("entry")
    parser.add_argument("objects", nargs="+")
    options = parser.parse_args()
    files = reach(options.entry, [Object(path, options.objdump) for path in options.objects])
    if options.list or len(files) > options.max:
        print("\n".join(sorted(files)))
    print(f"{options.entry} reaches functions in {len(files)} files")
    sys.exit(len(files) > options.max)


if __name__ == "__main__":
    main()
