"""Reads the public headers: declarations with the comments that document them.

The headers have plain comments. These rules say what a comment documents:
- A comment above a declaration documents it, and all declarations that follow without an empty line between.
- A comment behind a field, an enum constant or a macro documents it, and may continue below in the same column.
- A comment above a field documents it, and the next fields, up to one that has a comment. If the field also has a
  comment behind it, the comment above is a heading: both document the field.
- A comment with an empty line below documents the section, `// ------- Title`, that it stands in; the first one
  documents the header.
- NAME_v has the comment of NAME (clreduce_abi.h).
- A macro NAME_OF that declares structs is documented in their place.
- A row of a table of clreduce_rows.h, used in an enum, documents the constant that it makes.
"""
import re
from dataclasses import dataclass, field


@dataclass
class Item:
    """A declaration. `kind` is function, macro, struct, enum, opaque, field or constant; `code` has no comments."""
    kind: str
    name: str
    line: int
    comment: str
    code: str
    members: list = field(default_factory=list)


@dataclass
class Section:
    """What stands below one line of dashes. The first section of a header has no title."""
    title: str
    line: int
    comment: str = ""
    items: list = field(default_factory=list)


def rows(text):
    """The tables of clreduce_rows.h: for each macro, the columns of its rows."""
    tables = {}
    for name, body in re.findall(r"#define (CLRED_\w+_MAP)\(X\) \\\n((?:.*\\\n)*.*)", text):
        lines = re.findall(r"X\((.*)\)", body)
        tables[name] = [[column.strip() for column in re.findall(r'"[^"]*"|[^,]+', line)] for line in lines]
    return tables


def said_by_row(columns):
    strings = [column.strip('"') for column in columns if column.startswith('"')]
    if len(columns) > 6:  # a type
        return f"The type `{columns[2]}`, in NumPy `{strings[-1]}`."
    return strings[-1][:1].upper() + strings[-1][1:]


def comment_of(lines):
    """The text of comment lines, without the slashes and the space after them."""
    return "\n".join(re.sub(r"^\s*// ?", "", line).rstrip() for line in lines)


def joined(above, behind):
    """Both comments; the second one begins with a capital letter if it follows a sentence."""
    if above.endswith("."):
        behind = behind[:1].upper() + behind[1:]
    return f"{above} {behind}".strip()


class Members:
    """Reads the lines between the braces of a struct or an enum."""

    def __init__(self, kind, first, tables):
        self.kind, self.line, self.tables = kind, first, tables
        self.above, self.is_new, self.code, self.found, self.prefix = "", False, "", [], ""

    def read(self, lines):
        while lines:
            lines = lines[self.take(lines):]
        return self.found

    def take(self, lines):
        """Reads a comment, a member or a line of the preprocessor; returns how many lines it had."""
        text = lines[0].strip()
        used = 1
        if text.startswith("//"):
            while used < len(lines) and lines[used].strip().startswith("//"):
                used += 1
            self.above, self.is_new = comment_of(lines[:used]), True
        elif text.startswith("#"):
            made = re.search(r"(CLRED_\w*)##name", text)
            self.prefix = made.group(1) if made else self.prefix
        elif not text:
            self.above = ""
        elif "(" in text and text.split("(")[0] in self.tables:
            for columns in self.tables[text.split("(")[0]]:
                self.add(self.prefix + columns[0], f"{self.prefix}{columns[0]} = {columns[1]}", said_by_row(columns))
        else:
            used = self.declaration(lines)
        self.line += used
        return used

    def declaration(self, lines):
        used, behind = 0, []
        while True:
            code, slashes, comment = lines[used].partition("//")
            self.code += " " + code.strip()
            used += 1
            if self.kind == "enum" or code.rstrip().endswith(";"):
                break
        if slashes:
            behind = [slashes + comment]
            while used < len(lines) and re.match(rf" {{{max(len(code), 3)}}}//", lines[used]):
                behind.append(lines[used])
                used += 1
        self.name_all(self.code.strip(" ;,"), comment_of(behind))
        self.code = ""
        return used

    def name_all(self, code, behind):
        pointer = re.search(r"\(\*(\w+)\)", code)
        comment = joined(self.above if self.is_new or not behind else "", behind)
        if self.kind == "enum":
            self.add(re.match(r"\w+", code).group(), code, comment)
        elif pointer:
            self.add(pointer.group(1), code + ";", comment)
        else:
            kind, names = re.match(r"(.*?[ *])(\w+(?:\[\w+\])?(?:, \w+)*)$", code).groups()
            for name in names.split(", "):
                self.add(name.partition("[")[0], f"{kind}{name};", comment)
        self.above, self.is_new = "" if behind else self.above, False

    def add(self, name, code, comment):
        self.found.append(Item("constant" if self.kind == "enum" else "field", name, self.line, comment, code))


class Header:
    """Reads a header. `sections` has what it declares, `comment` says what it is for."""

    def __init__(self, text, tables):
        self.lines, self.tables, self.at = text.splitlines(), tables, 0
        guards, undefined = (re.findall(pattern, text, re.M) for pattern in (r"^#ifndef (\w+_H)$", r"^#undef (\w+)"))
        self.undefined = {*guards, *undefined}
        self.comment, self.above = None, ""
        self.sections = [Section("", 1)]
        while self.at < len(self.lines):
            self.take()

    def take(self):
        line = self.lines[self.at]
        title = re.match(r"// -{8,} (.+)", line)
        if title:
            self.sections.append(Section(title.group(1), self.at + 1))
            self.above = ""
        elif line.startswith("//"):
            return self.take_comment()
        elif not line.strip():
            self.above = ""
        elif line.startswith("#define"):
            return self.take_macro()
        elif not re.match(r'#|extern "C"|\}|CLRED_\w+_OF\(', line):
            return self.take_declaration()
        self.at += 1

    def take_comment(self):
        first = self.at
        while self.at < len(self.lines) and self.lines[self.at].startswith("//"):
            self.at += 1
        text = comment_of(self.lines[first:self.at])
        if self.at < len(self.lines) and self.lines[self.at].strip():
            self.above = text
        elif self.comment is None:
            purpose = re.sub(r"^\w+\.h: ", "", text)
            self.comment = purpose[0].upper() + purpose[1:]
        else:
            section = self.sections[-1]
            section.comment += ("\n\n" if section.comment else "") + text

    def take_macro(self):
        first = self.at
        while self.lines[self.at].endswith("\\"):
            self.at += 1
        self.at += 1
        code, _, behind = self.lines[first].partition("  // ")
        name = re.match(r"#define (\w+)", code).group(1)
        known = self.undefined | {item.name for item in self.items()}
        if name not in known:
            self.add(Item("macro", name, first + 1, joined(self.above, behind), code.rstrip(" \\")))

    def take_declaration(self):
        first, depth, has_body = self.at, 0, False
        while True:
            code = self.lines[self.at].partition("//")[0]
            depth += code.count("{") - code.count("}")
            has_body = has_body or "{" in code
            self.at += 1
            if depth == 0 and code.rstrip().endswith((";", "}")):
                break
        self.declare(first, self.lines[first:self.at], has_body)

    def declare(self, first, lines, has_body):
        head, _, behind = lines[0].partition("//")
        comment = joined(self.above, behind.strip() if not has_body else "")
        kind = re.match(r"(?:typedef )?(struct|enum)\b", head)
        if kind and has_body:
            name = re.search(r"(?:struct|enum) (\w*)", head).group(1) or "enum"
            members = Members(kind.group(1), first + 2, self.tables).read(lines[1:-1])
            self.add(Item(kind.group(1), name, first + 1, comment, head.strip(), members))
        elif kind:
            self.add(Item("opaque", re.search(r"(\w+);", head).group(1), first + 1, comment, head.strip()))
        elif not has_body:
            code = " ".join(line.partition("//")[0].strip() for line in lines)
            self.add(Item("function", re.search(r"(\w+)\(", code).group(1), first + 1, comment, code))

    def add(self, item):
        self.sections[-1].items.append(item)

    def items(self):
        """All declarations, each struct and enum followed by its members."""
        for section in self.sections:
            for item in section.items:
                yield item
                yield from item.members


def read(directory):
    """The headers of a directory by name. The functions NAME_v get comments: see the head of this file."""
    tables = rows((directory / "clreduce_rows.h").read_text())
    headers = {path.name: Header(path.read_text(), tables) for path in sorted(directory.glob("*.h"))}
    items = [item for header in headers.values() for item in header.items()]
    documented = {item.name for item in items if item.comment}
    structs = {item.name: item.comment for item in items if item.kind == "struct"}
    for item in items:
        plain = item.name[:-2]
        if item.kind == "function" and item.name.endswith("_v") and plain in documented:
            item.comment = (f"The exported function behind {plain}, for bindings. `header` is the CLRED_HEADER_VERSION "
                            "that the caller's structs were written for (clreduce_abi.h).")
        if item.kind == "opaque" and not item.comment:
            item.comment = structs.get(item.name, "")
    return headers
