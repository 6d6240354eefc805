"""Compares the declarations for cffi with the headers: names, sizes, offsets, values of enums. The headers may be
newer: then the library reads only the fields of the declared version."""
import pathlib
import re
import shutil
import subprocess

import cffi
import pytest

from clreduce import _declarations
from clreduce._library import LIBRARY, ffi, lib

HEADERS = pathlib.Path(__file__).resolve().parents[3] / "include"


@pytest.fixture(scope="module")
def header():
    """The headers after the preprocessor, as cffi reads them."""
    if not shutil.which("cc") or not HEADERS.is_dir():
        pytest.skip("needs cc and the headers")
    includes = "".join(f'#include "{name}.h"\n' for name in ("clreduce_quantile", "clreduce_partial",
                                                              "clreduce_scan_stream", "clreduce_sort"))
    text = subprocess.run(["cc", "-E", "-P", f"-I{HEADERS}", "-D__attribute__(x)=", "-D__extension__=", "-x", "c", "-"],
                          input=includes, capture_output=True, text=True, check=True).stdout
    text = text[text.rindex("enum {", 0, text.index("CLRED_INVALID_ARGUMENT")):]
    text = re.sub(r"static inline [^;{]*\{[^}]*\}", "", text)
    text = re.sub(r"static inline [^;{]*;", "", text)
    text = text.replace(" in;", " in_;").replace("*in;", "*in_;")
    parsed = cffi.FFI()
    numbers = "typedef double cl_double; typedef int64_t cl_long; typedef float cl_float;"
    parsed.cdef(numbers + _declarations.OPENCL + text)
    return parsed


def header_version():
    return int(re.search(r"#define CLRED_HEADER_VERSION (\d+)", (HEADERS / "clreduce.h").read_text())[1])


def test_version(header):
    assert _declarations.HEADER_VERSION <= header_version()


def structs():
    return sorted(set(re.findall(r"\} (clred_\w+);", _declarations.CLREDUCE)))


@pytest.mark.parametrize("name", structs())
def test_same_as_in_the_header(header, name):
    ours, theirs = ffi.typeof(name), header.typeof(name)
    assert ours.kind == theirs.kind
    if ours.kind == "enum":
        if name not in ("clred_type", "clred_op"):  # their values come from names
            newer = max(theirs.elements)  # larger values are those of later headers; the library refuses them
            assert all(theirs.elements.get(number) == at for number, at in ours.elements.items() if number <= newer)
        return
    here = [(field, at.offset, ffi.sizeof(at.type)) for field, at in ours.fields]
    there = [(field, at.offset, header.sizeof(at.type)) for field, at in theirs.fields]
    assert here == there[:len(here)]
    if header_version() == _declarations.HEADER_VERSION:
        assert len(here) == len(there)


def test_functions_take_what_the_header_says(header):
    theirs = header.dlopen(LIBRARY)
    names = set(re.findall(r"\b(clred_\w+)\(", _declarations.CLREDUCE))
    assert len(names) >= 40
    for name in names:
        one, other = (made.typeof(getattr(library, name)) for made, library in ((ffi, lib), (header, theirs)))
        assert [ffi.sizeof(at) for at in one.args] == [header.sizeof(at) for at in other.args], name
        assert [at.kind for at in one.args] == [at.kind for at in other.args], name
        assert one.result.kind == other.result.kind, name
