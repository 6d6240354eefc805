"""The form of tracked files: form.py lines | format. Needs git, and a checkout; `format` needs clang-format.

lines   no line has more than 120 columns, except in Markdown tables, pictures, test data and binary files
format  C files are as clang-format writes them, in the version that the first line of .clang-format names

Exits with 1 and one line for each fault, or with 77 and the reason if it cannot check.
"""
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
COLUMNS = 120
DATA = ("tests/data/", "tests/coverage/explained.txt", "tests/analysis/cjson.cfg")


def skip(why):
    print("skipped:", why)
    sys.exit(77)


def tracked(*patterns):
    if not shutil.which("git"):
        skip("git is missing")
    listed = subprocess.run(["git", "-C", ROOT, "ls-files", "-z", "--", *patterns], capture_output=True, text=True)
    if listed.returncode != 0:
        skip(f"{ROOT} is no git checkout")
    return [name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file()]


def long_lines():
    for name in tracked():
        if name.startswith(DATA) or name.endswith(".svg"):
            continue
        content = (ROOT / name).read_bytes()
        if b"\0" in content:
            continue
        for number, line in enumerate(content.decode(errors="replace").splitlines(), 1):
            if len(line) > COLUMNS and not (name.endswith(".md") and line.lstrip().startswith("|")):
                yield f"{name}:{number}: the line has {len(line)} columns; the limit is {COLUMNS}"


def unformatted():
    wanted = re.match(r"# clang-format (\d+)", (ROOT / ".clang-format").read_text()).group(1)
    tool = shutil.which(f"clang-format-{wanted}") or shutil.which("clang-format")
    if not tool:
        skip(f"clang-format {wanted} is missing; tools/install-packages.sh test installs it")
    version = subprocess.run([tool, "--version"], capture_output=True, text=True).stdout.strip()
    if not re.search(rf"version {wanted}\.", version):
        skip(f"clang-format {wanted} is missing; {tool} is: {version}")
    files = tracked("*.c", "*.h")
    checked = subprocess.run([tool, "-n", "--Werror", *files], cwd=ROOT, capture_output=True, text=True)
    yield from (line for line in checked.stderr.splitlines() if "error:" in line)


faults = list({"lines": long_lines, "format": unformatted}[sys.argv[1]]())
print(*faults, f"{len(faults)} faults", sep="\n")
sys.exit(1 if faults else 0)
