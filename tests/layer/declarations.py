"""Writes the declarations of PoCL's header that kernels and tests need: declarations.py HEADER OUT DIRECTORY...

PoCL reads its header of 895 KB twice for every program, which takes ten times as long as a small program itself.
build_layer.c puts OUT before the program instead. OUT lacks the functions whose names are in no file of the
directories."""
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


def is_wanted(statement, names):
    declared = None if statement.startswith("#") else DECLARED.search(statement)
    if not declared:
        return "EXTENSION all" not in statement
    return (declared[1] in names or MADE.match(declared[1])) and not STRANGE.search(statement)


def main(header, out, *directories):
    files = [path for directory in directories for path in pathlib.Path(directory).rglob("*") if path.is_file()]
    names = {name.decode() for path in files for name in re.findall(rb"[A-Za-z]\w+", path.read_bytes())}
    header, out = pathlib.Path(header), pathlib.Path(out)
    wanted = [statement for statement in statements(header.read_text())[2:-1] if is_wanted(statement, names)]
    text = "\n".join(["#ifdef DECLARED", *wanted, "#endif", "#line 1", ""])
    # If PoCL finds "#include" in a program, it preprocesses the program before it looks into its cache.
    text = text.replace('#include "opencl-c-base.h"', f'# include "{header.parent}/opencl-c-base.h"')
    if not out.exists() or out.read_text() != text:
        out.write_text(text)


main(*sys.argv[1:])
