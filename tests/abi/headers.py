#!/usr/bin/env python3
"""Makes headers for the tests of this folder.

  headers.py interface INCLUDE         prints the declarations of all public headers: baseline.h
  headers.py first BASELINE FILE       writes baseline.h to FILE with the structs of version 1; calls pass this version
  headers.py grow INCLUDE GROWTH OUT   copies the headers and growth.def to the folder OUT, as if the next version had
                                       added a field to the end of each struct

`grow` fails if growth.def has no row for a struct, or names another last field than the headers do.
"""
import os
import re
import subprocess
import sys

# Between them they include all public headers but that of MPI.
HEADERS = ['clreduce_device.h', 'clreduce_partial.h', 'clreduce_quantile.h', 'clreduce_scan_stream.h']
# The layout of clred_outcome is that of device memory. A callback gets a pointer to a finding in memory of the library.
NEVER_GROWS = {'clred_outcome'}
WITHOUT_ROW = NEVER_GROWS | {'clred_finding'}
# The last fields in version 1 of the structs that have grown since. The test must not read them from growth.def.
LAST_OF_FIRST = {'clred_problem': 'profile', 'clred_plan_info': 'tuned', 'clred_part': 'offset',
                 'clred_step': 'global_accesses'}
STRUCT = re.compile(r'^(?:typedef )?struct (clred_\w+) \{\n(.*?)^\}', re.M | re.S)


def without_comments(text):
    text = re.sub(r'//[^\n]*', '', text)
    return re.sub(r'[ \t]+$', '', text, flags=re.M)


def inlined(include, name, seen):
    """The lines of a header and, in their places, of those that it includes, each header once."""
    if name in seen:
        return []
    seen.add(name)
    lines = []
    for line in without_comments(read(include, name)).split('\n'):
        included = re.match(r'#include "(clreduce\w*\.h)"', line)
        lines += inlined(include, included.group(1), seen) if included else [line] if line.strip() else []
    return lines


def interface(include):
    """Macros are no part of the binary interface, so the preprocessor expands them."""
    seen = set()
    text = '\n'.join(line for name in HEADERS for line in inlined(include, name, seen))
    text = re.sub(r'^#(include|define CLRED_API) .*\n', '', text, flags=re.M)
    text = re.sub(r'^CLRED_INLINE [^;{]*(;|\{.*?^\})\n', '', text, flags=re.M | re.S)
    expanded = subprocess.run([os.environ.get('CC', 'cc'), '-E', '-P', '-x', 'c', '-'], input=text, text=True,
                              stdout=subprocess.PIPE, check=True).stdout
    head = '// The interface of the last release. Made by headers.py; never edit it.\n// clang-format off\n'
    print(head + '#include <CL/cl.h>\n#define CLRED_API __attribute__((visibility("default")))')
    for line in expanded.splitlines():
        print(line if len(line) <= 120 else re.sub('(.{1,116},) ', r'\1\n  ', line))


def first(baseline, file):
    text = read('', baseline)
    for struct, last in LAST_OF_FIRST.items():
        text, cuts = re.subn(r'(struct %s \{[^}]* %s;\n)[^}]+' % (struct, last), r'\1', text)
        if cuts != 1:
            sys.exit('%s: %s has no fields after %s' % (baseline, struct, last))
    names = re.findall(r' (clred_\w+)_v\(', text)
    write('', file, text + ''.join(f'#define {name}(...) {name}_v(1, __VA_ARGS__)\n' for name in names))


def last_field(body):
    last = [line for line in without_comments(body).split(';') if line.strip()][-1]
    pointer = re.search(r'\(\*(\w+)\)', last)
    return pointer.group(1) if pointer else re.search(r'(\w+)(?:\[[^]]*\])?\s*$', last).group(1)


def grow(include, growth, out):
    fields, version = {}, None
    os.makedirs(os.path.join(out, 'api'), exist_ok=True)
    seen = set()
    for name in HEADERS:
        inlined(include, name, seen)
    for name in seen:
        text = read(include, name)
        for match in reversed(list(STRUCT.finditer(text))):
            if match.group(1) not in NEVER_GROWS:
                fields[match.group(1)] = last_field(match.group(2))
                text = text[:match.end(2)] + '  cl_ulong grown[3];\n' + text[match.end(2):]
        found = re.search(r'#define CLRED_HEADER_VERSION (\d+)', text)
        if found:
            version = int(found.group(1))
            text = text[:found.start(1)] + str(version + 1) + text[found.end(1):]
        write(out, name, text)
    rows = read('', growth)
    for match in reversed(list(re.finditer(r'^CLR_STRUCT\((\w+), (\w+), (\w+)\)$', rows, re.M))):
        name, struct, last = match.groups()
        if fields.pop(struct, None) != last:
            sys.exit('%s: the last field of %s is not %s' % (growth, struct, last))
        rows = rows[:match.start()] + 'CLR_STRUCT(%s, %s, grown)\nCLR_UNTIL(%s, %s, %d, %s)' % (
            name, struct, name, struct, version, last) + rows[match.end():]
    missing = set(fields) - WITHOUT_ROW
    if missing:
        sys.exit('%s: no row for %s' % (growth, ', '.join(sorted(missing))))
    write(out, 'api/growth.def', rows)


def read(folder, name):
    with open(os.path.join(folder, name)) as file:
        return file.read()


def write(folder, name, text):
    with open(os.path.join(folder, name), 'w') as file:
        file.write(text)


if __name__ == '__main__':
    {'interface': interface, 'first': first, 'grow': grow}[sys.argv[1]](*sys.argv[2:])
