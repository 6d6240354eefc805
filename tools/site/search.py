"""The index for the search in the site: one entry for each section, function, struct, enum and macro."""
import html.parser
import json
import re

HEADINGS = {"h1", "h2", "h3", "h4"}
# The summary at the top of a page of the reference repeats what stands below.
SKIPPED = {"memberdecls"}
EMPTY = {"br", "img", "hr", "input", "link", "meta", "wbr", "col"}


class Sections(html.parser.HTMLParser):
    """Splits the main part of a page at its headings: [title, anchor, text]."""

    def __init__(self, text):
        super().__init__()
        self.found, self.anchor, self.depth, self.skipping, self.in_heading, self.in_main = [], "", 0, 0, False, False
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        self.in_main = self.in_main or tag == "main"
        if tag in EMPTY:
            return
        self.depth += 1
        if not self.skipping and attributes.get("class") in SKIPPED:
            self.skipping = self.depth
        if not self.in_main or self.skipping:
            return
        self.anchor = attributes.get("id") or self.anchor
        if tag in HEADINGS:
            self.in_heading = True
            self.found.append(["", "" if tag == "h1" else self.anchor, ""])

    def handle_endtag(self, tag):
        self.in_main = self.in_main and tag != "main"
        if tag in EMPTY:
            return
        if self.skipping == self.depth:
            self.skipping = 0
        self.depth -= 1
        self.in_heading = self.in_heading and tag not in HEADINGS
        if self.found and tag in ("td", "th", "p", "li", "div", "pre"):
            self.found[-1][2] += " "

    def handle_data(self, data):
        if not self.in_main or self.skipping or not self.found:
            return
        self.found[-1][0 if self.in_heading else 2] += data
        # The anchor of a heading may stand within it.
        if self.in_heading and len(self.found) > 1 and self.anchor:
            self.found[-1][1] = self.anchor


def entries(name, text):
    """[page, section, address, text] for each section that has a text."""
    sections = Sections(text).found
    page = " ".join(sections[0][0].split()) if sections else name
    for title, anchor, body in sections:
        title = re.sub(r"^\W+ ", "", " ".join(title.split()))
        yield [page, title, name + (f"#{anchor}" if anchor else ""), " ".join(body.split())]


def write(texts, file):
    found = [entry for name, text in sorted(texts.items()) for entry in entries(name, text)]
    file.write_text("const SEARCH = " + json.dumps(found, ensure_ascii=False, separators=(",", ":")) + ";\n")
