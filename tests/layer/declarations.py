"""Writes the declarations of PoCL's header that kernels and tests need: declarations.py HEADER OUT FOLDER...

PoCL reads its header of 895 KB for every program, which takes ten times as long as a small program itself.
With build_layer.c, PoCL reads OUT instead. OUT lacks the functions whose names are in no file of the folders."""
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


def main(header, out, *folders):
    files = [path for folder in folders for path in pathlib.Path(folder).rglob("*") if path.is_file()]
    names = {name.decode() for path in files for name in re.findall(rb"[A-Za-z]\w+", path.read_bytes())}
    header, out = pathlib.Path(header), pathlib.Path(out)
    guarded = statements(header.read_text())[2:-1]
    text = "\n".join(statement for statement in guarded if is_wanted(statement, names)) + "\n"
    text = text.replace('"opencl-c-base.h"', f'"{header.parent}/opencl-c-base.h"')
    if not out.exists() or out.read_text() != text:
        out.write_text(text)


main(*sys.argv[1:])
