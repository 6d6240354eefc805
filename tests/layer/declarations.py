"""Writes the declarations of PoCL's header that kernels and tests need: declarations.py HEADER OUT FOLDER...

PoCL reads its header of 895 KB for every program, which takes ten times as long as a small program itself.
With build_layer.c, PoCL reads OUT instead. OUT lacks the functions whose names are in no file of the folders. Each of
the others is skipped unless the program has its name, or the beginning of a name that macros put together: a program
with the word `convert_` or `convert_int4` defines NEEDS_convert_ or NEEDS_convert_int4."""
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


def guarded(name, declarations):
    """The declarations, for programs with the name or a beginning of it."""
    beginnings = {name, name.rstrip("0123456789")} | {name[:at.end()] for at in re.finditer("_+", name)}
    condition = " || ".join(f"defined NEEDS_{beginning}" for beginning in sorted(beginnings))
    return [f"#if {condition}", *declarations, "#endif"]


def main(header, out, *folders):
    files = [path for folder in folders for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    names = {name.decode() for path in files for name in re.findall(rb"[A-Za-z]\w+", path.read_bytes())}
    header, out = pathlib.Path(header), pathlib.Path(out)
    wanted = [statement for statement in statements(header.read_text())[2:-1] if is_wanted(statement, names)]
    lines = []
    for name, group in itertools.groupby(wanted, name_of):
        lines += guarded(name, group) if name else group
    text = "\n".join(lines) + "\n"
    text = text.replace('"opencl-c-base.h"', f'"{header.parent}/opencl-c-base.h"')
    if not out.exists() or out.read_text() != text:
        out.write_text(text)


main(*sys.argv[1:])
