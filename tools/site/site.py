#!/usr/bin/env python3
"""Makes the site and the man pages with Doxygen: site.py SOURCE OUTPUT VERSION.

OUTPUT/html/index.html is the site: README, all pages, the examples, the reference. OUTPUT/man/man3 are man pages of the
reference. Fails if Doxygen warns or if a link of the site leads nowhere.
"""
import html
import pathlib
import re
import shutil
import subprocess
import sys

import filter as filtering
import finish
import headers
import pages
import search

HERE = pathlib.Path(__file__).resolve().parent
# The lists of the page of the reference.
KINDS = {"Functions": ["function"], "Types": ["struct", "enum", "opaque"], "Macros": ["macro"]}


def known_options():
    """The options of this version of Doxygen."""
    text = subprocess.run(["doxygen", "-g", "-"], capture_output=True, text=True, check=True).stdout
    return set(re.findall(r"^([A-Z][A-Z0-9_]*) *=", text, re.M))


# For versions that know it: README.md in a folder is a page, and not the text of its folder.
NEWER = {"IMPLICIT_DIR_DOCS": ["NO"]}


class Site:
    def __init__(self, root, out, version):
        self.root, self.out, self.version = root, out, version
        self.work, self.functions = out / "work", filtering.functions(root)
        self.headers = {name: header for name, header in headers.read(root / "include").items()
                        if list(header.items()) or name == "clreduce_rows.h"}

    # -------------------------------------------------------------- Pages made from the tree

    def examples(self):
        """A page with all examples."""
        text = ["# Examples", ""]
        for path in sorted((self.root / "examples").glob("*.[ch]")):
            text += [f"## {path.name}", "", "```c", path.read_text().rstrip(), "```", ""]
        return "\n".join(text)

    def reference(self):
        """A page with all headers, functions, types and macros."""
        text = ["# Reference", "", "| header | for |", "|---|---|"]
        for name, header in self.headers.items():
            text.append(f"| [{name}](@ref {filtering.header_id(name)}) | {self.in_a_cell(header.comment)} |")
        for title, kinds in KINDS.items():
            text += ["", f"## {title}", "", "| name | what it is |", "|---|---|"]
            text += [f"| @ref {name} | {self.in_a_cell(item.comment)} |" for name, item in self.named(kinds)]
        return "\n".join(text)

    def named(self, kinds):
        """The names of these kinds with their items, without the functions NAME_v, which only bindings call."""
        items = {item.name: item for header in self.headers.values() for section in header.sections
                 for item in section.items if item.kind in kinds}
        return [(name, items[name]) for name in sorted(items) if re.match(r"(?i)clred_(?!\w+_v$)", name)]

    def in_a_cell(self, comment):
        """The first sentence of a comment, for a table."""
        sentence = filtering.first_sentence(comment).replace("|", "\\|")
        return filtering.outside_code(sentence, lambda text: filtering.escaped(text, self.functions))

    # -------------------------------------------------------------- Navigation

    def entry(self, path):
        title = re.sub(r"`([^`]*)`", r"<code>\1</code>", html.escape(pages.title(self.text(path))))
        return f'<li><a href="{filtering.page_id(path)}.html">{title}</a></li>'

    def text(self, path):
        return (self.root / path).read_text()

    def navigation(self):
        """The groups of pages in docs/README.md, then the headers."""
        parts = ['<ul><li><a href="index.html">libclreduce</a></li></ul>']
        for group in re.split(r"^## ", self.text("docs/README.md"), flags=re.M)[1:]:
            title, _, body = group.partition("\n")
            found = [pages.target(pathlib.Path("docs/README.md"), link)[0] for _, link in pages.links(body)]
            linked = [self.entry(path) for path in dict.fromkeys(found) if path.endswith(".md")]
            if "examples" in found:
                linked.append('<li><a href="examples.html">Examples</a></li>')
            if "include/clreduce.h" in found:
                linked.append('<li><a href="reference.html">Functions and types</a></li>')
                linked += [f'<li><a href="group__{filtering.header_id(name).replace("_", "__")}.html">{name}</a></li>'
                           for name in self.headers]
            parts.append(f"<h2>{html.escape(title)}</h2>\n<ul>{''.join(linked)}</ul>")
        return "\n".join(parts)

    # -------------------------------------------------------------- Doxygen

    def doxygen(self, for_what, inputs, **options):
        """Runs Doxygen; returns its warnings."""
        words = [sys.executable, "-B", HERE / "filter.py", for_what, self.root]
        newer = {name: values for name, values in NEWER.items() if name in known_options()}
        options.update(OUTPUT_DIRECTORY=[self.out], PROJECT_NUMBER=[self.version], STRIP_FROM_PATH=[self.root],
                       INPUT=inputs, INPUT_FILTER=[" ".join(f'\\"{word}\\"' for word in words)], **newer)
        text = (HERE / "Doxyfile").read_text()
        for name, values in options.items():
            text += f"{name} = " + " ".join(f'"{value}"' for value in values) + "\n"
        run = subprocess.run(["doxygen", "-"], input=text, text=True, stderr=subprocess.PIPE, cwd=self.work)
        return run.stderr.splitlines() + ([f"doxygen ended with {run.returncode}"] if run.returncode else [])

    def make_html(self):
        made = {"examples.md": self.examples(), "reference.md": self.reference()}
        for name, text in made.items():
            (self.work / name).write_text(text + "\n")
        frame = (HERE / "page.html").read_text().replace("NAVIGATION", self.navigation())
        top, bottom = frame.split("CONTENT\n")
        (self.work / "top.html").write_text(top)
        (self.work / "bottom.html").write_text(bottom)
        inputs = [self.root / path for path in pages.paths(self.root)] + [self.work / name for name in made]
        return self.doxygen("html", inputs + self.header_paths(), GENERATE_HTML=["YES"], INLINE_SIMPLE_STRUCTS=["YES"],
                            USE_MDFILE_AS_MAINPAGE=[self.root / "README.md"], LAYOUT_FILE=[HERE / "layout.xml"],
                            HTML_HEADER=[self.work / "top.html"], HTML_FOOTER=[self.work / "bottom.html"],
                            HTML_STYLESHEET=[HERE / "site.css"],
                            HTML_EXTRA_FILES=[HERE / "search.js", *self.pictures()])

    def make_man(self):
        return self.doxygen("man", self.header_paths(), GENERATE_MAN=["YES"], MAN_LINKS=["YES"])

    def header_paths(self):
        return [self.root / "include" / name for name in self.headers]

    def pictures(self):
        return sorted((self.root / "docs" / "plots").glob("*.svg"))


def main():
    root, out, version = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    if not shutil.which("doxygen"):
        sys.exit("site.py: doxygen is missing; tools/install-packages.sh site installs it")
    for folder in ("html", "man", "work"):
        shutil.rmtree(out / folder, ignore_errors=True)
    site = Site(root, out, version)
    site.work.mkdir(parents=True)
    faults = site.make_html() + site.make_man()
    folder = finish.Folder(out / "html")
    folder.improve()
    folder.remove_what_is_not_linked()
    search.write(folder.texts, out / "html" / "search-index.js")
    finish.finish_man(out / "man" / "man3")
    shutil.rmtree(site.work)
    faults += folder.dead_links()
    print(*faults, f"{out}/html/index.html: {len(folder.texts)} pages, {len(faults)} faults", sep="\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
