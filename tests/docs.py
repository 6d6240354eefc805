#!/usr/bin/env python3
"""Checks of what people read: docs.py documented|links [ROOT].

documented  every function, struct, enum, field, constant and macro of the public headers has a comment
links       every link of a page leads to a file of the tree, and to a heading if it has an anchor; the mentions of
            docs/NAME.md in headers and pages name files that exist; docs/README.md has a row for each page of docs/

Prints one line for each fault, then a sum. Exits with 1 if there are faults.
"""
import pathlib
import re
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tools" / "site"))
sys.dont_write_bytecode = True

import headers  # noqa: E402
import pages  # noqa: E402


def documented(root):
    items = [(name, item) for name, header in headers.read(root / "include").items() for item in header.items()]
    faults = [f"include/{name}:{item.line}: {item.name} has no comment; write one above or behind it"
              for name, item in items if not item.comment.strip()]
    done = len(items) - len(faults)
    return faults, f"{done} of {len(items)} public names have a comment: {100 * done / len(items):.4g} %"


def fault_of_link(root, page, link, texts):
    path, anchor = pages.target(page, link)
    if path is None or not (root / path).exists():
        return "no such file in the tree"
    if anchor and (not path.endswith(".md") or anchor not in pages.anchors(texts[pathlib.Path(path)])):
        return "no such heading"
    return None


def links(root):
    texts = {path: (root / path).read_text() for path in pages.paths(root)}
    faults, count = [], 0
    for page, text in texts.items():
        for line, link in pages.links(text):
            count += 1
            fault = fault_of_link(root, page, link, texts)
            if fault:
                faults.append(f"{page}:{line}: the link to {link} is dead: {fault}")
    read = list(texts.items()) + [(path.relative_to(root), path.read_text()) for path in (root / "include").glob("*.h")]
    for path, text in read:
        for name in sorted(set(re.findall(r"\bdocs/[\w-]+\.md\b", text))):
            count += 1
            if not (root / name).is_file():
                faults.append(f"{path}: {name} is mentioned, but there is no such page")
    index = pathlib.Path("docs/README.md")
    listed = {pages.target(index, link)[0] for _, link in pages.links(texts[index])}
    unlisted = {str(page) for page in texts if page.parent == index.parent and page != index} - listed
    faults += [f"{page}: docs/README.md has no row for this page" for page in sorted(unlisted)]
    return faults, f"{count} links and mentions, {len(faults)} faults"


def main():
    root = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else HERE.parent
    faults, total = {"documented": documented, "links": links}[sys.argv[1]](root)
    print(*faults, total, sep="\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
