#!/usr/bin/env python3
"""Leaves out what the library's rule for growth allows: trim.py BASELINE NOW, two files of abidw; NOW is changed.

A public struct may have new fields at its end (src/api/growth.def). In NOW, a struct that begins with all fields of the
baseline loses the others and gets the baseline's size. Prints each. abidiff then reports every other change. Its own
suppressions cannot do this: one for fields at the end also hides fields with another type.
"""
import sys
import xml.etree.ElementTree as tree

from headers import NEVER_GROWS


def structs(root):
    return {struct.get('name'): struct for struct in root.iter('class-decl')
            if struct.get('name', '').startswith('clred_') and struct.get('size-in-bits')}


def place(member):
    return member.find('var-decl').get('name'), member.get('layout-offset-in-bits')


def trim(before, now):
    old, new = before.findall('data-member'), now.findall('data-member')
    if len(new) <= len(old) or [place(m) for m in new[:len(old)]] != [place(m) for m in old]:
        return []
    for member in new[len(old):]:
        now.remove(member)
    now.set('size-in-bits', before.get('size-in-bits'))
    return [place(member)[0] for member in new[len(old):]]


baseline, path = tree.parse(sys.argv[1]), sys.argv[2]
current = tree.parse(path)
before = structs(baseline)
for name, struct in structs(current).items():
    if name in before and name not in NEVER_GROWS:
        fields = trim(before[name], struct)
        if fields:
            print(f'{name}: new at its end: {", ".join(fields)}')
current.write(path)
