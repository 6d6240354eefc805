#!/usr/bin/env python3
"""Checks the floors of src/: layers.py --source src --nm NM [--module DIRECTORY] OBJECTS...

The order of the floors is the list in src/README.md, from the highest to the lowest. The check fails if
  - a file includes a header of a higher floor,
  - a file uses a symbol (function or table) that a file of a higher floor defines,
  - two or more files use each other in a circle.
Includes are read from the sources, uses from `nm` on the object files of the library. It also fails if files of the
command-line tool, or of the Python module, use each other in a circle.
--symbols FILE reads a recorded output of nm instead of objects; tests/test_layers.py plants mistakes that way.
"""
import argparse
import ast
import graphlib
import pathlib
import re
import subprocess
import sys

DEFINED = set("TDRBCVWGS")
TOOL = "clreduce_tool_objects.dir/"  # in the paths of the tool's object files


def read_floors(source):
    """The directories of src/ with their height; the list in README.md begins with the highest."""
    rows = re.findall(r"^    ([a-z]+)  +\S", (source / "README.md").read_text(), re.M)
    return {name: height for height, name in enumerate(reversed(rows))}


def floor_of(file):
    return file.split("/")[0]


def check_includes(source, floors):
    """Every include of the sources; the second result is how many there are."""
    errors, count = [], 0
    for path in sorted(source.rglob("*.[chi]*")):
        file = path.relative_to(source).as_posix()
        if floor_of(file) not in floors:
            errors.append(f"src/{file}: no floor of src/README.md has the directory {floor_of(file)}")
            continue
        for target in re.findall(r'^#include "([a-z]+)/', path.read_text(), re.M):
            count += 1
            if floors.get(target, len(floors)) > floors[floor_of(file)]:
                errors.append(f"src/{file} includes a header of the higher floor {target}")
    return errors, count


def read_symbols(listing):
    """Reads from `nm -A` which object defines and which uses each symbol. Generated objects have no floor."""
    defined, used = {}, {}
    for line in listing.splitlines():
        match = re.match(r"(?:.*\.dir/)?(?:\./)?([a-z]+/\w+\.c)\.o\S*:\S*\s+(?:[0-9a-f]+ )?([A-Z]) (\w+)$", line)
        if match and match[2] in DEFINED:
            defined[match[3]] = match[1]
        elif match and match[2] == "U":
            used.setdefault(match[1], []).append(match[3])
    return defined, used


def uses_of_files(defined, used):
    """file -> {file it uses: one symbol that it uses of it}"""
    graph = {file: {} for file in set(defined.values()) | set(used)}
    for file, symbols in used.items():
        for symbol in symbols:
            target = defined.get(symbol)
            if target and target != file:
                graph[file].setdefault(target, symbol)
    return graph


def check_uses(graph, floors):
    return [f"src/{file} uses {symbol} of src/{target}, which is on a higher floor"
            for file, targets in sorted(graph.items()) for target, symbol in sorted(targets.items())
            if floors[floor_of(target)] > floors[floor_of(file)]]


def check_circles(graph, place="src/"):
    try:
        graphlib.TopologicalSorter(graph).prepare()
    except graphlib.CycleError as error:
        circle = error.args[1][::-1]  # the last file is the first one
        steps = [f"{place}{file} uses {graph[file][after]} of {place}{after}"
                 for file, after in zip(circle, circle[1:])]
        return ["files use each other in a circle: " + ", ".join(steps)]
    return []


def imports_of_module(directory):
    """file -> {file that it imports, also within a function: the first name}; without imports for types alone."""
    graph = {}
    for path in sorted(directory.glob("_*.py")):
        tree = ast.parse(path.read_text())
        for_types = {one for branch in ast.walk(tree) if isinstance(branch, ast.If)
                     and getattr(branch.test, "id", "") == "TYPE_CHECKING" for one in ast.walk(branch)}
        graph[path.name] = {f"{one.module}.py": one.names[0].name for one in ast.walk(tree)
                            if isinstance(one, ast.ImportFrom) and one.level == 1 and one not in for_types}
    return graph


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--nm", default="nm")
    parser.add_argument("--symbols", type=pathlib.Path)
    parser.add_argument("--module", type=pathlib.Path)
    parser.add_argument("objects", nargs="*")
    options = parser.parse_args()
    floors = read_floors(options.source)
    if options.symbols:
        listing = options.symbols.read_text()
    else:
        command = [options.nm, "-A", *options.objects]
        listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    errors, includes = check_includes(options.source, floors)
    lines = listing.splitlines(keepends=True)
    tool = uses_of_files(*read_symbols("".join(line for line in lines if TOOL in line)))
    graph = uses_of_files(*read_symbols("".join(line for line in lines if TOOL not in line)))
    if includes < 50 or len(graph) < 50:
        sys.exit(f"only {includes} includes and {len(graph)} object files were found: are the arguments right?")
    errors += check_uses(graph, floors) + check_circles(graph) + check_circles(tool, "tools/")
    if options.module:
        module = imports_of_module(options.module)
        errors += check_circles(module, "module/") if len(module) > 9 else [f"{options.module} is no module"]
    if errors:
        sys.exit("\n".join(errors))
    print(f"{includes} includes and the uses of {len(graph)} files: none leads to a higher floor or into a circle")


if __name__ == "__main__":
    main()
