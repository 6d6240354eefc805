"""Writes the declarations of PoCL's header that kernels and tests need: declarations.py HEADER OUT DIRECTORY...

PoCL reads its header of 895 KB twice for every program, which takes ten times as long as a small program itself.
build_layer.c puts parts of OUT before the program instead. OUT lacks the functions whose names are in no file of
the directories. A line `? NAMES` comes before each part: programs with one of the names need it. A part without names
is for all programs. The names are the function's name, and beginnings of it from which macros put the name together."""
import itertools
import pathlib
import re
import sys

# Names that macros and C code put together from parts, so that no file contains the whole name.
MADE = re.compile(r"as_|atom_|atomic_[a-z]+$|(convert_[a-z]+|v(load|store)(a?_half)?)\d*$")
# Types that no kernel has.
STRANGE = re.compile(r"image|sampler|pipe|event|intel|ndrange|reserve_id|slice")
DECLARED = re.compile(r"__ovld[^;(]*?\b(\w+)\s*\(")


def statements(header):
    """Lists the lines of the preprocessor, and the declarations with their semicolons."""
    text = re.sub(r"/\*.*?\*/|//[^\n]*", "", header, flags=re.S)
    return re.findall(r"^#(?:[^\n]*\\\n)*[^\n]*|^[^#\s][^;]*;", text, flags=re.M)


def name_of(statement):
    """The name of a declared function; None for all else."""
    declared = None if statement.startswith("#") else DECLARED.search(statement)
    return declared and declared[1]


def is_wanted(statement, names):
    name = name_of(statement)
    if not name:
        return "EXTENSION all" not in statement
    return (name in names or MADE.match(name)) and not STRANGE.search(statement)


def needs(name):
    """The line before the declarations of a function; name None: before all else."""
    beginnings = {name, name.rstrip("0123456789")} | {name[:at.end()] for at in re.finditer("_+", name)} if name else ()
    return " ".join(["?", *sorted(beginnings)])


def with_conditions(wanted):
    """Lists each statement that is no condition, with the conditions around it."""
    conditions = []
    for statement in wanted:
        if re.match("# *if", statement):
            conditions.append(statement)
        elif re.match("# *el", statement):
            conditions[-1] += "\n" + statement
        elif re.match("# *endif", statement):
            conditions.pop()
        else:
            yield statement, tuple(conditions)


def main(header, out, *directories):
    files = [path for directory in directories for path in pathlib.Path(directory).rglob("*") if path.is_file()]
    names = {name.decode() for path in files for name in re.findall(rb"[A-Za-z]\w+", path.read_bytes())}
    header, out = pathlib.Path(header), pathlib.Path(out)
    wanted = [statement for statement in statements(header.read_text())[2:-1] if is_wanted(statement, names)]
    lines = []
    parts = itertools.groupby(with_conditions(wanted), lambda pair: (name_of(pair[0]), pair[1]))
    for (name, conditions), part in parts:
        lines += [needs(name), *conditions, *(statement for statement, _ in part), *["#endif"] * len(conditions)]
    text = "\n".join(lines) + "\n"
    # If PoCL finds "#include" in a program, it preprocesses the program before it looks into its cache.
    text = text.replace('#include "opencl-c-base.h"', f'# include "{header.parent}/opencl-c-base.h"')
    if not out.exists() or out.read_text() != text:
        out.write_text(text)


main(*sys.argv[1:])
