"""tools/scripts/abi.sh accepts structs that grow at their ends, and reports what breaks programs: test_baseline.py"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent

# What a careless change looks like, by file: a pattern, its replacement, and a line of abidiff's report.
FAULTS = [
    ("clreduce.h", r"(struct clred_call \{[^}]*?)cl_ulong in_offset", r"\1cl_int in_offset",
     "type of 'cl_ulong in_offset' changed"),
    ("clreduce.h", r"(struct clred_outcome \{[^}]*)\}", r"\1  cl_ulong more;\n}", "'cl_ulong more', at offset 128"),
    ("clreduce.h", r"(struct clred_problem \{)", r"\1 cl_ulong first;", "'cl_ulong first', at offset 0"),
    ("clreduce.h", r"CLRED_ORDER_ANY = 2", "CLRED_ORDER_ANY = 3", "from value '2' to '3'"),
]


def check(folder):
    return subprocess.run([ROOT / "tools/scripts/abi.sh", "check", folder], capture_output=True, text=True)


with tempfile.TemporaryDirectory() as work:
    grown, broken = pathlib.Path(work, "grown"), pathlib.Path(work, "broken")
    subprocess.run([sys.executable, "-B", HERE / "headers.py", "grow", ROOT / "include", ROOT / "src/api/growth.def",
                    grown], check=True)
    found = check(grown)
    if found.returncode == 77:
        print(found.stdout)
        sys.exit(77)
    faults = [] if found.returncode == 0 else [f"grown structs are refused:\n{found.stdout}{found.stderr}"]
    if "clred_problem: new at its end: grown" not in found.stdout:
        faults.append("grown structs are not named")

    shutil.copytree(ROOT / "include", broken)
    for name, pattern, text, _ in FAULTS:
        header = broken / name
        changed, count = re.subn(pattern, text, header.read_text(), count=1)
        assert count == 1, f"{name} has no {pattern}"
        header.write_text(changed)
    found = check(broken)
    if found.returncode != 1:
        faults.append(f"broken headers give exit code {found.returncode}\n{found.stderr}")
    faults += [f"the report lacks: {line}\n{found.stdout}" for *_, line in FAULTS if line not in found.stdout]

print(*faults, f"{len(faults)} faults", sep="\n")
sys.exit(1 if faults else 0)
