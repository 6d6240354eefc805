#!/usr/bin/env python3
"""Doxygen's input filter: filter.py FOR ROOT FILE prints a public header or a page of the source tree ROOT for Doxygen.

FOR is html or man. Headers have plain comments (headers.py says how they belong to declarations); here they become
Doxygen's. Each header is a group, and each of its sections a group within. In pages, headings get the anchors that
GitHub gives them, and links lead to pages of the site.
"""
import pathlib
import re
import sys

import headers
import pages


def page_id(path):
    """The name of a page's file in the site: docs/order.md is order.html, cl/README.md is cl.html."""
    directories, name = pathlib.PurePath(path).parts[:-1], pathlib.PurePath(path).stem.lower()
    if name == "readme":
        return "_".join(directories).replace("docs", "documentation") or "index"
    return "_".join([*(directory for directory in directories if directory != "docs"), name])


def label(path, anchor):
    return f"{page_id(path)}--{anchor}" if anchor else page_id(path)


def header_id(name):
    return name.replace(".", "_")


# ------------------------------------------------------------------ Texts

def outside_code(text, change):
    """Changes what is not in `backticks`."""
    parts = re.split(r"(`[^`]*`)", text)
    return quoted("".join(part if part.startswith("`") else change(part) for part in parts))


def quoted(text):
    """Doxygen ends `code` at a ', but not ``code``, and looks for the end of a string that begins in `code`."""
    return re.sub(r"(?<!`)`([^`]+)`(?!`)", quoted_span, text)


def quoted_span(span):
    if span.group(1).count('"') % 2:
        return "<code>" + span.group(1).replace('"', "&quot;") + "</code>"
    return f"`{span.group()}`" if "'" in span.group() else span.group()


def link_to(name):
    return f'@ref {name} "{name}"'


def escaped(text, linked):
    """A text without Doxygen's special characters. The functions in `linked`, headers and pages become links; with None
    nothing does: man pages have no links."""
    text = re.sub(r"([<>&@\\#*])", r"\\\1", text)
    if linked is None:
        return text
    text = re.sub(r"\bclred_\w+", lambda name: link_to(name.group()) if name.group() in linked else name.group(), text)
    text = re.sub(r"docs/([\w-]+)\.md", r'@ref \1 "docs/\1.md"', text)
    return re.sub(r"\b(clreduce\w*)\.h\b", r'@ref \1_h "\1.h"', text)


def in_sentences(comment):
    """The first sentence, and the rest. A dot ends a sentence if it stands behind a word: in [a .. b] it does not."""
    first, _, rest = re.sub(r"(?<=[^\s.]\.)\s", "\0", comment, count=1).partition("\0")
    return first, rest


def first_sentence(comment):
    return " ".join(in_sentences(comment)[0].split())


def functions(root):
    """The names of all functions of the library."""
    text = "".join(path.read_text() for path in (root / "include").glob("*.h"))
    return set(re.findall(r"^CLRED_(?:API|INLINE) [^(]*?(clred_\w+)\(", text, re.M))


# ------------------------------------------------------------------ Headers

# The word that says what a paragraph at the head of a header is about: "Units. ..."
LEAD = re.compile(r"^([A-Z]\w+\.)(?= [A-Z])", re.M)


class Reference:
    """A header as Doxygen reads it; `linked` is as for `escaped`."""

    def __init__(self, header, path, linked):
        self.header, self.path, self.linked = header, path, linked

    def described(self, comment):
        """A comment as Doxygen's Markdown. Lines that are set in after a colon or an empty line are code."""
        result, code, before = [], False, ""
        for line in comment.splitlines():
            set_in = line.startswith("  ") and not line.lstrip().startswith("- ")
            starts = set_in and not code and (not before or before.endswith(":"))
            if code and line and not set_in:
                result += ["```", ""]
                code = False
            elif before.startswith("  ") and not line.startswith("  "):  # a list ends
                result.append("")
            if starts:
                result += ["", "```c"]
                code = True
            result.append(line[2:] if code else outside_code(line, self.escaped))
            before = line
        return "\n".join(result + ["```"] * code)

    def escaped(self, text):
        return escaped(text, self.linked)

    def commented(self, text, code):
        return f"/**\n{text}\n*/\n{code}\n"

    def shown(self, item):
        """An item with its comment, as C."""
        text = "@brief " + "\n\n".join(map(self.described, in_sentences(item.comment)))
        if not item.members:
            return self.commented(text, item.code)
        comma = "," if item.kind == "enum" else ""
        members = "".join(self.commented(f"@brief {self.described(member.comment)}", member.code + comma)
                          for member in item.members)
        closing = f"}} {item.name};" if item.code.startswith("typedef") else "};"
        return self.commented(text, f"{item.code}\n{members}{closing}")

    def group(self, name, title, comment, items, parent=""):
        inside = "".join(map(self.shown, items))
        details = "@details " + LEAD.sub(r"<b>\1</b>", comment) + "\n" if comment else ""
        return (f"/** @defgroup {name} {title}\n{parent}\n{details}*/\n"
                f"/** @addtogroup {name}\n@{{ */\n{inside}/** @}} */\n")

    def filtered(self):
        first, *others = self.header.sections
        name = header_id(self.path.name)
        title = first_sentence(self.header.comment).rstrip(".") if self.linked is None else self.path.name
        comments = [self.described(comment) for comment in (self.header.comment, first.comment) if comment]
        text = self.group(name, title, "\n\n".join(comments), first.items)
        for section in others:
            short = re.split("[,(]", section.title.lower())[0].strip()
            section_id = re.sub(r"\W+", "_", f"{self.path.stem} {short}")
            parent = f"@ingroup {name}"
            place = f"Declared in {self.path.name}.\n\n" if self.linked is None else ""
            comment = place + self.described(section.comment)
            text += self.group(section_id, section.title, comment, section.items, parent)
        return text


# ------------------------------------------------------------------ Pages

class Page:
    """A page with the links and anchors of the site."""

    def __init__(self, directory, path, linked):
        self.directory, self.path, self.linked, self.seen = directory, path, linked, {}

    def heading(self, match):
        marks, text = match.groups()
        if marks == "#":
            return f"# {text} {{#{page_id(self.path)}}}" if page_id(self.path) != "index" else f"# {text}"
        return f"{marks} {text} {{#{label(self.path, pages.numbered(pages.slug(text), self.seen))}}}"

    def link(self, match):
        picture, text, link = match.groups()
        if re.match(r"[a-z]+:", link):
            return match.group()
        path, anchor = pages.target(self.path, link)
        if picture:
            return f'<img src="{pathlib.PurePath(path).name}" alt="{" ".join(text.split())}">'
        if path.endswith(".md"):
            return f"[{text}](@ref {label(path, anchor)})"
        if path.endswith(".h") and path.startswith("include"):
            return f"[{text}](@ref {header_id(pathlib.PurePath(path).name)})"
        return text

    def code(self, match):
        """A span of code: the name of a function becomes a link."""
        name = match.group(1).removesuffix("()")
        return link_to(name) if name in self.linked else match.group()

    def prose(self, text):
        text = re.sub(r"^(#{1,6}) +(.+)$", self.heading, text, flags=re.M)
        text = pages.LINK.sub(self.link, text)
        return quoted(re.sub(r"(?<![\[`])`(clred_\w+(?:\(\))?)`(?![\]`])", self.code, text))

    def filtered(self):
        text = (self.directory / self.path).read_text()
        return "\n".join("\n".join(lines) if is_code else self.prose("\n".join(lines))
                         for is_code, lines in pages.parts(text))


def main():
    for_what, root, path = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    if path.suffix == ".h":
        header = headers.read(root / "include")[path.name]
        print(Reference(header, path, None if for_what == "man" else functions(root)).filtered())
    else:
        print(Page(root, path.relative_to(root), functions(root)).filtered())


if __name__ == "__main__":
    main()
