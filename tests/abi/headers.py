#!/usr/bin/env python3
"""headers.py INCLUDE VERSIONS OUT: copies the headers and struct_versions.def to the directory OUT, as if the next
version had added a field to the end of each struct.

Fails if struct_versions.def has no row for a struct, or names another last field than the headers do.
"""
import os
import re
import sys
from pathlib import Path

# The layout of clred_outcome is that of device memory. A callback gets a pointer to a finding in memory of the library.
NEVER_GROWS = {'clred_outcome'}
WITHOUT_ROW = NEVER_GROWS | {'clred_finding'}
STRUCT = re.compile(r'^(?:typedef )?struct (clred_\w+) \{\n(.*?)^\}', re.M | re.S)
ROW = re.compile(r'^CLR_STRUCT\((\w+), (\w+), (\w+)\)$', re.M)


def last_field(body):
    last = [line for line in re.sub(r'//[^\n]*', '', body).split(';') if line.strip()][-1]
    pointer = re.search(r'\(\*(\w+)\)', last)
    return pointer.group(1) if pointer else re.search(r'(\w+)(?:\[[^]]*\])?\s*$', last).group(1)


def grow(include, growth, out):
    fields, version = {}, None

    def with_field(match):
        if match[1] in NEVER_GROWS:
            return match[0]
        fields[match[1]] = last_field(match[2])
        return match[0][:-1] + '  cl_ulong grown[3];\n}'

    os.makedirs(out / 'api', exist_ok=True)
    for header in set(include.glob('*.h')) - {include / 'clreduce_mpi.h'}:
        text = STRUCT.sub(with_field, header.read_text())
        if found := re.search(r'#define CLRED_HEADER_VERSION (\d+)', text):
            version = int(found[1])
            text = text[:found.start(1)] + str(version + 1) + text[found.end(1):]
        (out / header.name).write_text(text)

    def with_row(match):
        name, struct, last = match.groups()
        if fields.pop(struct, None) != last:
            sys.exit(f'{growth}: the last field of {struct} is not {last}')
        return f'CLR_STRUCT({name}, {struct}, grown)\nCLR_UNTIL({name}, {struct}, {version}, {last})'

    rows = ROW.sub(with_row, growth.read_text())
    if missing := set(fields) - WITHOUT_ROW:
        sys.exit(f"{growth}: no row for {', '.join(sorted(missing))}")
    (out / 'api/struct_versions.def').write_text(rows)


grow(*map(Path, sys.argv[1:]))
