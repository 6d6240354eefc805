#!/usr/bin/env python3
"""Shows that docs.py fails on planted mistakes, and that it sees every public name. Needs no library."""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import docs

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent


def check(what, root):
    run = subprocess.run([sys.executable, HERE / "docs.py", what, root], capture_output=True, text=True)
    return run.returncode, run.stdout + run.stderr


def expect(directory, what, file, old, new, sentence):
    """Changes a file, expects one fault with this sentence, and restores the file."""
    path = directory / file
    text = path.read_text()
    assert text.count(old) == 1, f"{file} has {old!r} {text.count(old)} times"
    path.write_text(text.replace(old, new))
    code, output = check(what, directory)
    path.write_text(text)
    assert code == 1 and sentence in output and output.count("\n") == 2, f"{sentence!r} expected, got {code}:\n{output}"


def comments_refused(directory):
    for header, old, new, name in [
        ("clreduce.h", "// The version of the library, as \"major.minor.patch\".\n", "", "clred_version"),
        ("clreduce.h", "// One call on elements in host memory.\n", "", "clred_host_call"),
        ("clreduce.h", "CLRED_OP_NONE = 0,  // no built-in operator", "CLRED_OP_NONE = 0,", "CLRED_OP_NONE"),
        ("clreduce_device.h", "#define CLRED_LAWS 3", "#define CLRED_MORE 4\n\n#define CLRED_LAWS 3", "CLRED_MORE"),
        ("clreduce_shares.h", "  clred_plan *scan;", "  int more;\n  clred_plan *scan;",
         "more"),
        ("clreduce_rows.h", "\"a function of MPI failed\"", "\"\"", "CLRED_MPI_FAILED"),
    ]:
        expect(directory, "documented", f"include/{header}", old, new, f": {name} has no comment; write one")


def links_refused(directory):
    for page in (directory / "docs").glob("*.md"):
        page.write_text("# A page\n")
    listed = " ".join(f"[x]({page.name})" for page in (directory / "docs").glob("*.md"))
    text = ["# Planted", "## A `heading`, twice", "## A `heading`, twice", "[a](#a-heading-twice-1) END",
            "    [code](none.md)", "`[code](none.md)`", listed, ""]
    (directory / "docs" / "README.md").write_text("\n\n".join(text))
    assert check("links", directory)[0] == 0, check("links", directory)[1]
    no_row = "docs/order.md: docs/README.md has no row for this page"
    expect(directory, "links", "docs/README.md", "[x](order.md)", "", no_row)
    for link, sentence in [
        ("[b](none.md)", "docs/README.md:7: the link to none.md is dead: no such file in the tree"),
        ("[b](#a-heading-twice-2)", "the link to #a-heading-twice-2 is dead: no such heading"),
        ("[b](order.md#none)", "the link to order.md#none is dead: no such heading"),
        ("[b](../../elsewhere.md)", "the link to ../../elsewhere.md is dead: no such file in the tree"),
        ("![b](plots/none.svg)", "the link to plots/none.svg is dead"),
        ("docs/none.md", "docs/README.md: docs/none.md is mentioned, but there is no such page"),
    ]:
        expect(directory, "links", "docs/README.md", "END", link, sentence)


def declarations(body):
    """How many fields a struct has: semicolons, and commas that are in no brackets."""
    plain = re.sub(r"\([^;]*\)", "", re.sub(r"//[^\n]*", "", body))
    return plain.count(";") + plain.count(",")


def every_name_is_seen():
    """Finds names and counts fields in another way than headers.py does."""
    read = docs.headers.read(ROOT / "include")
    for name, header in read.items():
        text = (ROOT / "include" / name).read_text()
        items = {item.name: item for item in header.items()}
        for struct, body in re.findall(r"^(?:typedef )?struct (clred_\w+) \{\n(.*?)^\}", text, re.M | re.S):
            assert len(items[struct].members) == declarations(body), f"{name}: not all fields of {struct} are seen"
        prototypes = re.findall(r"^CLRED_API .*?(clred_\w+)\(", text, re.M)
        defined = set(re.findall(r"^#define (CLRED_\w+)", text, re.M)) - set(re.findall(r"^#undef (\w+)", text, re.M))
        missing = (set(prototypes) | {macro for macro in defined if f"#ifndef {macro}" not in text}) - set(items)
        assert not missing, f"{name}: not seen: {missing}"
    count = sum(len(list(header.items())) for header in read.values())
    assert count > 560, f"only {count} names are seen"


def main():
    every_name_is_seen()
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        shutil.copytree(ROOT / "include", directory / "include")
        shutil.copytree(ROOT / "docs", directory / "docs")
        assert check("documented", directory)[0] == 0
        comments_refused(directory)
        links_refused(directory)
    print("docs.py fails on every planted mistake")


if __name__ == "__main__":
    main()
