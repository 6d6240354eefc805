"""Fails if a kernel function changes a struct or state that was passed by value: Mesa's rusticl changes the caller's
value then (tests/bugs/by_value.cl). Searches the texts for assignments to such arguments and their members, except
pointers.

test_arguments.py DIRECTORY
"""

import pathlib
import re
import sys

BY_VALUE = re.compile(r"(?:const\s+)?(?:struct \w+|union \w+|STATE|LANES|FEWER|HELD|RESULT|JOIN\(.*\))\s+(\w+)$")
FUNCTION = re.compile(r"(\w+\)?)\(([^(){};]*(?:\([^()]*\)[^(){};]*)*)\)\s*\\?\n\s*\{")
POINTER = re.compile(r"\*(?:const )?(\w+);")
PLACE = r"(?<![\w.>]){name}((?:\.\w+|\[[^\]]*\])*)"
CHANGES = (PLACE + r"\s*(?:[-+*/%|&^]|<<|>>)?=(?!=)", PLACE + r"(?:\+\+|--)", r"(?:\+\+|--)" + PLACE, r"&" + PLACE)


def body_from(text, begin):
    depth, end = 1, begin
    while depth > 0 and end < len(text):
        depth += (text[end] == "{") - (text[end] == "}")
        end += 1
    return text[begin:end]


def arguments_of(parameters):
    found = (BY_VALUE.match(" ".join(parameter.split())) for parameter in re.split(r",(?![^()]*\))", parameters))
    return [match.group(1) for match in found if match]


def is_changed(body, name, pointers):
    for change in CHANGES:
        for match in re.finditer(change.format(name=name), body):
            members = re.findall(r"\.(\w+)\[", match.group(1))
            if not any(member in pointers for member in members):
                return True
    return False


def look_through(text, pointers):
    functions = 0
    changed = []
    for match in FUNCTION.finditer(text):
        body = body_from(text, match.end())
        functions += 1
        changed += [(match.group(1), name, text.count("\n", 0, match.start()) + 1)
                    for name in arguments_of(match.group(2)) if is_changed(body, name, pointers)]
    return functions, changed


def main():
    directory = pathlib.Path(sys.argv[1])
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(directory.rglob("*.cl*"))}
    pointers = {name for text in texts.values() for name in POINTER.findall(text)}
    functions = failures = 0
    for path, text in texts.items():
        count, changed = look_through(text, pointers)
        functions += count
        failures += len(changed)
        for function, name, line in changed:
            print(f"{path.relative_to(directory)}:{line}: {function} changes its argument '{name}'")
    print(f"{functions} functions in {len(texts)} files, {failures} changed arguments")
    return failures > 0 or functions < 100


if __name__ == "__main__":
    sys.exit(main())
