#!/usr/bin/env python3
"""Makes the site and the man pages with Doxygen: site.py SOURCE OUTPUT VERSION.

OUTPUT/html/index.html is the site: README, all pages, the reference. OUTPUT/man/man3 are man pages of the reference.
Fails if Doxygen warns, for instance about a link that leads nowhere.
"""
import pathlib
import re
import shutil
import subprocess
import sys

import headers
import pages

HERE = pathlib.Path(__file__).resolve().parent


def doxygen(root, out, version, for_what, inputs, **options):
    """Runs Doxygen; returns its warnings."""
    words = [sys.executable, "-B", HERE / "filter.py", for_what, root]
    options.update(OUTPUT_DIRECTORY=[out], PROJECT_NUMBER=[version], STRIP_FROM_PATH=[root], INPUT=inputs,
                   INPUT_FILTER=[" ".join(f'\\"{word}\\"' for word in words)])
    known = subprocess.run(["doxygen", "-g", "-"], capture_output=True, text=True, check=True).stdout
    if "IMPLICIT_DIR_DOCS" in known:  # README.md in a directory is a page, and not the text of its directory
        options.update(IMPLICIT_DIR_DOCS=["NO"])
    text = (HERE / "Doxyfile").read_text()
    for name, values in options.items():
        text += f"{name} = " + " ".join(f'"{value}"' for value in values) + "\n"
    run = subprocess.run(["doxygen", "-"], input=text, text=True, stderr=subprocess.PIPE)
    return run.stderr.splitlines() + ([f"doxygen ended with {run.returncode}"] if run.returncode else [])


def finish_html(directory):
    """The pages need no scripts."""
    for path in directory.glob("*.html"):
        path.write_text(re.sub(r"<script .*?</script>\n?", "", path.read_text(), flags=re.S))
    for path in directory.glob("*.js"):
        path.unlink()


def mended_man(text):
    """Mends Doxygen's text where it does not suit every troff. A quote at the beginning of a line would begin a
    request. A quote in an argument, as 1.17 writes it, would end the argument. Code gets the font R, as 1.17 does it:
    1.9 takes C, which groff 1.23 lacks."""
    text = re.sub(r"^'", r"\\&'", text, flags=re.M)
    text = re.sub(r'(?<=^\.RI ").*(?=" *$)', lambda argument: argument[0].replace('"', r"\(dq"), text, flags=re.M)
    return text.replace(r"\fC", r"\fR")


def finish_man(directory):
    """Keeps the pages of names that begin with clred or CLRED. The page of a header gets its name, clreduce.h(3). Pages
    have no date, so that each build writes the same bytes."""
    for path in sorted(directory.iterdir()):
        if not re.match(r"clred|CLRED_", path.name):
            path.unlink()
            continue
        text = re.sub(r'^(\.TH "[^"]*" 3) "[^"]*"', r'\1 ""', mended_man(path.read_text()), flags=re.M)
        text = re.sub(r"\b(clreduce\w*)_h\b", r"\1.h", text)
        path.unlink()
        path.with_name(re.sub(r"^(clreduce\w*)_h\.3$", r"\1.h.3", path.name)).write_text(text)


def main():
    root, out, version = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve(), sys.argv[3]
    if not shutil.which("doxygen"):
        sys.exit("site.py: doxygen is missing; tools/install-packages.sh site installs it")
    for directory in ("html", "man"):
        shutil.rmtree(out / directory, ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    public = [root / "include" / name for name, header in headers.read(root / "include").items()
              if list(header.items()) or name == "clreduce_rows.h"]
    faults = doxygen(root, out, version, "html", [root / path for path in pages.paths(root)] + public,
                     GENERATE_HTML=["YES"], USE_MDFILE_AS_MAINPAGE=[root / "README.md"],
                     HTML_EXTRA_FILES=sorted((root / "docs" / "plots").glob("*.svg")))
    faults += doxygen(root, out, version, "man", public, GENERATE_MAN=["YES"], MAN_LINKS=["YES"])
    finish_html(out / "html")
    finish_man(out / "man" / "man3")
    print(*faults, f"{out}/html/index.html: {len(faults)} faults", sep="\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
