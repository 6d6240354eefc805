"""Reads the Markdown pages of the project: headings, anchors and links, as GitHub understands them.

An anchor is the text of its heading in lower case: blanks become hyphens, and other characters than letters, digits, _
and - are left out. The second heading with the same text gets -1.
"""
import os
import re

LINK = re.compile(r"(!?)\[((?:[^\[\]]|\[[^\[\]]*\])*)\]\(([^()\s]+)\)")


def is_source(path):
    """False for hidden directories, packaging and build directories."""
    return path.is_dir() and not path.name.startswith((".", "debian")) and not (path / "CMakeCache.txt").exists()


def paths(root):
    """All pages of the source tree, relative to it."""
    directories = [path for path in root.iterdir() if is_source(path)]
    found = [*root.glob("*.md"), *(page for directory in directories for page in directory.rglob("*.md"))]
    return sorted(path.relative_to(root) for path in found)


def parts(text):
    """Splits a page into (is_code, lines): blocks of code, fenced or indented by four blanks, and what is between."""
    found, fence, blank = [], None, True
    for line in text.splitlines():
        opened = re.match(r"\s*(```+|~~~+)", line)
        is_code = fence is not None or bool(opened)
        if opened:
            fence = None if fence and line.strip() == fence else fence or opened.group(1)
        elif not is_code:
            was_code = bool(found) and found[-1][0]
            is_code = line.startswith("    ") and (blank or was_code)
        if not found or found[-1][0] != is_code:
            found.append((is_code, []))
        found[-1][1].append(line)
        blank = not line.strip()
    return found


def prose(text):
    """The page with blocks and spans of code blanked out; lines keep their numbers."""
    kept = ["\n".join("" if is_code else line for line in lines) for is_code, lines in parts(text)]
    return re.sub(r"`[^`]*`", lambda span: re.sub(r"[^\n]", " ", span.group()), "\n".join(kept))


def slug(heading):
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", plain.strip().lower()).replace(" ", "-")


def numbered(anchor, seen):
    """The anchor, with a number if `seen` has it already."""
    seen[anchor] = seen.get(anchor, -1) + 1
    return f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor


def anchors(text):
    seen, found = {}, set()
    for is_code, lines in parts(text):
        headings = [] if is_code else [re.match(r"#{1,6} +(.+)", line) for line in lines]
        found |= {numbered(slug(heading.group(1)), seen) for heading in headings if heading}
    return found


def title(text):
    return re.search(r"^# +(.+)", text, re.M).group(1)


def links(text):
    """(line, target) of each link and picture that is no address of the web."""
    plain = prose(text)
    for link in LINK.finditer(plain):
        if not re.match(r"[a-z]+:", link.group(3)):
            yield plain.count("\n", 0, link.start()) + 1, link.group(3)


def target(page, link):
    """The file of the tree that a link of a page leads to, and the anchor; None for a file outside of the tree."""
    name, _, anchor = link.partition("#")
    path = os.path.normpath(page.parent / name) if name else str(page)
    return (None if path.startswith(("..", "/")) else path), anchor
