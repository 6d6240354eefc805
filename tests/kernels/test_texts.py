"""Has Clang read the programs that plans can make, as OpenCL C 1.2, 2.0 and 3.0, with warnings as errors.

    test_texts.py [--share N] TEXTS [CLANG]
    test_texts.py --plant DIRECTORY TEXTS [CLANG]

TEXTS is the program `texts`. Besides errors and warnings, these are faults:
- a pointer without an address space: as OpenCL C 3.0 it is generic, and drivers refuse to pass it on as private;
- a variable in local memory that its kernel does not use, or only gives to functions that do not use it: some drivers
  fail without their optimizer;
- a macro, function or type with a name of OpenCL C: Clang's headers list the names of all versions.
With --share, Clang reads only each Nth program. With --plant, changes copies of the kernels in DIRECTORY so that each
kind of fault occurs: all must be found. Exit code 77: there is no Clang.
"""

import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

STANDARDS = "CL1.2", "CL2.0", "CL3.0"
# Texts with NVIDIA's instructions are read for that device. For the search in LLVM's code the constraints of the
# instructions are changed, because the addresses of that device do not show which pointers are generic.
TARGETS = {"none": "spir64-unknown-unknown", "c11": "spir64-unknown-unknown", "ptx": "nvptx64-unknown-unknown"}
WARNINGS = [
    "-Wall", "-Wextra", "-Werror",
    # All kernels have the same arguments, and functions that stand for each other have the same parameters. Some forms
    # of a function need no variable that others need. Local memory that is not used is found below.
    "-Wno-unused-parameter", "-Wno-unused-variable", "-Wno-unused-but-set-variable",
    # One work-item sets a variable in local memory, and a barrier follows.
    "-Wno-sometimes-uninitialized",
    # Numbers of a plan are constants in conditions.
    "-Wno-constant-logical-operand",
]
BATCH = 100


class Faults:
    """Counts faults by what they are, and remembers a program for each."""

    def __init__(self):
        self.found = collections.Counter()
        self.example = {}

    def add(self, what, example, times=1):
        self.found[what] += times
        self.example.setdefault(what, example)

    def show(self, names):
        for what, times in self.found.most_common(40):
            print(f"{what}\n    {times} times, as in {names.get(self.example[what], self.example[what])}")


def command(clang, target, standard, *rest):
    # One process reads many files; the driver of Clang would start a process for each.
    return [clang, "-cc1", "-triple", target, "-x", "cl", "-cl-std=" + standard, "-cl-ext=+all",
            "-finclude-default-header", "-fdeclare-opencl-builtins", "-fno-caret-diagnostics", *rest]


# ---------------------------------------------------------------- What Clang says

REMARK = re.compile(r"(?:^|\n)([^\n:]+:\d+:\d+: (?:fatal )?(?:error|warning): [^\n]*)")


def remarks_of(run):
    remarks = REMARK.findall(run.stderr)
    if run.returncode and not remarks:
        remarks = [f"Clang ended with {run.returncode}: {run.stderr[-300:]}"]
    return remarks


def read_as(clang, directory, names, target, standard):
    """Returns the remarks of Clang. It names lines of kernel files, so a remark does not name the program."""
    return remarks_of(subprocess.run(command(clang, target, standard, *WARNINGS, "-fsyntax-only", *names),
                                     cwd=directory, capture_output=True, text=True))


def blame(clang, directory, names, target, standard, faults, remarks=None):
    """Has Clang read the programs, if it has not given its remarks yet, and counts these."""
    if remarks is None:
        remarks = read_as(clang, directory, names, target, standard)
    fresh = {remark for remark in remarks if remark not in faults.example}
    for remark in remarks:
        faults.add(remark, names[0])
    # Which program it is takes a process for each.
    for name in names if fresh else []:
        for remark in fresh & set(read_as(clang, directory, [name], target, standard)):
            faults.example[remark] = name
            fresh.remove(remark)
        if not fresh:
            break


# ---------------------------------------------------------------- LLVM's code

CONSTRAINT = re.compile(r'("=?)[dfl]"(?=\()')
VARIABLE = re.compile(r"^@([\w.]+) = internal (?:unnamed_addr )?addrspace\(3\) global", re.M)
FUNCTION = re.compile(r"^define [^@\n]*@([\w.]+)\(([^\n]*)\)[^()\n]*\{\n(.*?)^\}", re.M | re.S)
CALL = re.compile(r"call [^@\n]*@([\w.]+)\(([^\n]*)\)")
# Generic pointers may only be arguments of built-in functions.
CAST = re.compile(r"^ *%[\w.]+ = addrspacecast |^ *(?:%[\w.]+ = )?(?:tail )?call ")


def names_in(text):
    return re.findall(r"[%@][\w.]+", text)


def split_arguments(text):
    """Splits at commas outside of brackets."""
    parts, depth, begin = [], 0, 0
    for i, letter in enumerate(text):
        depth += (letter in "([{<") - (letter in ")]}>")
        if letter == "," and not depth:
            parts.append(text[begin:i])
            begin = i + 1
    return parts + [text[begin:]]


class Code:
    """The functions of a program, and which of their parameters in local memory are used."""

    def __init__(self, text):
        self.bodies, self.parameters = {}, {}
        for name, parameters, body in FUNCTION.findall(text):
            self.bodies[name] = body
            self.parameters[name] = [names_in(part)[-1:] for part in split_arguments(parameters)]
        self.known = {}

    def passes_on(self, line, name):
        """The functions of the program that the line gives `name` to, with the places; None: it is used otherwise."""
        call = CALL.search(line)
        if not call or call[1] not in self.bodies:
            return None
        places = [i for i, part in enumerate(split_arguments(call[2])) if name in names_in(part)]
        return [(call[1], place) for place in places]

    def is_used(self, function, name):
        """Whether the function reads or writes memory through `name`, itself or by others."""
        if (function, name) in self.known:
            return self.known[function, name]
        self.known[function, name] = False
        used = False
        for line in self.bodies[function].splitlines():
            if used or name not in line or name not in names_in(line):
                continue
            stored = re.match(r" *store [^%@]*" + re.escape(name) + r", [^%]*(%[\w.]+\.addr\d*)\b", line)
            loaded = re.match(r" *(%[\w.]+) = (?:load|getelementptr|bitcast|addrspacecast)\b.*", line)
            passed = self.passes_on(line, name)
            if stored:
                used = self.is_used(function, stored[1])
            elif loaded and loaded[1] != name:
                used = self.is_used(function, loaded[1]) or not re.match(r".*(ptr|\*)", line)
            elif passed is not None:
                used = any(self.parameter_used(*to) for to in passed)
            elif not self.is_place(line, name):
                used = True
        self.known[function, name] = used
        return used

    def is_place(self, line, name):
        """Whether the line only makes `name`, or puts an argument into its place on the stack."""
        return line.lstrip().startswith(name + " = ") or (".addr" in name and line.lstrip().startswith("store "))

    def parameter_used(self, function, place):
        name = self.parameters[function][place]
        return not name or self.is_used(function, name[0])


def unused_variables(text):
    variables = VARIABLE.findall(text)
    if not variables:
        return []
    code = Code(text)
    return [name for name in variables
            if not any("@" + name in body and code.is_used(function, "@" + name)
                       for function, body in code.bodies.items())]


def generic_pointers(text):
    if "addrspace(4)" not in text:
        return []
    return [line.strip()[:120] for line in text.split("\n")
            if "addrspace(4)" in line and not line.startswith("declare ") and not CAST.match(line)]


def look_into_code(clang, directory, names, faults):
    """Has Clang translate the programs as OpenCL C 3.0, without optimization, and reads the code."""
    target, standard = TARGETS["none"], STANDARDS[-1]
    with tempfile.TemporaryDirectory() as place:
        for name in names:
            text = (directory / name).read_text()
            pathlib.Path(place, name).write_text(CONSTRAINT.sub(r'\1r"', text) if "__asm__" in text else text)
        run = subprocess.run(command(clang, target, standard, *WARNINGS, "-emit-llvm", "-O0", "-disable-llvm-passes",
                                     *names), cwd=place, capture_output=True, text=True)
        blame(clang, place, names, target, standard, faults, remarks_of(run))
        for name in names:
            code = pathlib.Path(place, name).with_suffix(".ll")
            text = code.read_text() if code.exists() else ""
            for line in generic_pointers(text):
                faults.add(f"a pointer without an address space: {line}", name)
            for variable in unused_variables(text):
                faults.add(f"a variable in local memory is not used: {variable}", name)


# ---------------------------------------------------------------- Names of OpenCL C

# Names that the headers of some versions of Clang lack.
KEYWORDS = {"generic", "pipe", "read_write", "write_only", "read_only", "kernel", "global", "local", "constant",
            "private", "to_global", "to_local", "to_private", "nan", "ctz", "popcount", "enqueue_kernel"}
MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)", re.M)
TYPE = re.compile(r"^typedef [^;]*?\b(\w+);|^} (\w+);|^\s*(memory_\w+)", re.M)
# Lines of programs: the heads of functions and types.
HEAD = re.compile(r"[A-Za-z_][^=;{}()]*[ *](\w+)\([^;]*[^;]$|} (\w+);|(?:typedef )?(?:struct|union|enum) (\w+) *\{")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def all_of(pattern, text):
    return {name for found in pattern.findall(text) for name in found if name}


def reserved_names(clang):
    run = subprocess.run([clang, "-print-resource-dir"], capture_output=True, text=True, check=True)
    directory = run.stdout.strip()
    names = set(KEYWORDS)
    for header in pathlib.Path(directory, "include").glob("opencl-c*.h"):
        text = COMMENT.sub("", header.read_text())
        names.update(MACRO.findall(text), re.findall(r"\b(\w+)\(", text), all_of(TYPE, text))
    return {name for name in names if not name.startswith("__")}


def own_names(line):
    """The macro, function or type that a line of a program defines."""
    found = MACRO.match(line) or HEAD.match(line)
    return {name for name in found.groups() if name} if found else set()


def find_reserved(clang, directory, names, faults):
    reserved = reserved_names(clang)
    known = set()
    for name in names:
        fresh = set((directory / name).read_text().split("\n")) - known
        known |= fresh
        for line in fresh:
            for own in own_names(line) & reserved:
                faults.add(f"'{own}' is a name of OpenCL C: {line}", name)


# ---------------------------------------------------------------- All programs

def write_texts(texts, directory, kernels, strategy):
    environment = dict(os.environ, CLREDUCE_CL_DIR=str(kernels)) if kernels else None
    run = subprocess.run([texts, str(directory), *strategy], capture_output=True, text=True, env=environment)
    if run.returncode:
        sys.exit(f"{texts} ended with {run.returncode}: {run.stderr}")
    return [line.split(" ", 2) for line in run.stdout.splitlines()]


def check(clang, texts, share, kernels=None, *strategy):
    """Checks each program whose number is a multiple of `share`: of all strategies, or of one with its own kernels."""
    faults = Faults()
    with tempfile.TemporaryDirectory() as place, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        directory = pathlib.Path(place)
        programs = write_texts(texts, directory, kernels, strategy)
        if not strategy and len(programs) < 1000:
            faults.add(f"there are only {len(programs)} programs", "")
        programs = programs[::share]
        names = {name: what for name, _, what in programs}
        find_reserved(clang, directory, names, faults)
        tasks = []
        for begin in range(0, len(programs), BATCH):
            batch = programs[begin:begin + BATCH]
            tasks.append(threads.submit(look_into_code, clang, directory, [name for name, _, _ in batch], faults))
            for target in sorted(set(TARGETS.values())):
                mine = [name for name, fence, _ in batch if TARGETS[fence] == target]
                # For the first target, look_into_code reads the programs as OpenCL C 3.0.
                standards = STANDARDS[:-1] if target == TARGETS["none"] else STANDARDS
                tasks += [threads.submit(blame, clang, directory, mine, target, standard, faults)
                          for standard in standards if mine]
        for task in tasks:
            task.result()
    return names, faults


# ---------------------------------------------------------------- Planted faults

# What is planted: the strategy whose programs show it, the file, the change, and what must be said.
PLANTED = [
    ("a pointer without an address space", "chunked", "common/pairs.clh",
     r"__private (STATE \*stack, uint depth, ulong)", r"\1", "a pointer without an address space"),
    ("a generic pointer passed as private", "rows_chunked", "group/short_rows.clh", r"NODE_SPACE (STATE \*nodes)",
     r"\1", "address space"),
    ("local memory that is only declared", "local_sequential", "strategies/local_sequential.cl", r"  FLAG_ROOM;",
     "  FLAG_ROOM;\n  __local uint spare;", "in local memory is not used: clred_local_sequential_elements.spare"),
    ("local memory that is passed on in vain", "local_sequential", "strategies/local_sequential.cl",
     r"(ENTRY\(.*\n\{)((?:.*\n)*)\}",
     "void OWN(clred_in_vain)(__local uint *spare, __global RESULT *to)\n{\n  to[1] = to[0];\n}\n\n"
     "\\1\n  __local uint spare;\\2  OWN(clred_in_vain)(&spare, out);\n}", "in local memory is not used: clred_local"),
    ("a function of OpenCL C", "local_sequential", "group/trees.clh", r"$",
     "\nuint sub_group_broadcast(uint x)\n{\n  return x;\n}\n#define clred_finish(places, ...) "
     "out[sub_group_broadcast(0)] = clred_lower(places[0])\n", "'sub_group_broadcast' is a name"),
    ("a word of OpenCL C 2.0", "local_sequential", "strategies/local_sequential.cl", r"\bitem\b", "generic",
     "error"),
    ("a warning", "local_sequential", "strategies/local_sequential.cl", r"  FLAG_ROOM;",
     "  FLAG_ROOM;\n  if (get_local_id(0) < -1)\n    return;", "-Wsign-compare"),
]


def plant(clang, texts, kernels, row):
    what, strategy, file, pattern, text, words = row
    with tempfile.TemporaryDirectory() as place:
        copy = pathlib.Path(place, "cl")
        shutil.copytree(kernels, copy)
        before = (copy / file).read_text()
        after = re.sub(pattern, text, before, count=0 if "\\b" in pattern else 1)
        (copy / file).write_text(after)
        _, faults = check(clang, texts, 8, copy, strategy)
        found = [fault for fault in faults.found if words in fault]
        if before == after or not found:
            print(f"{what}: NOT FOUND; {file} has no place for it" if before == after else f"{what}: NOT FOUND")
            faults.show({})
            return False
        print(f"{what}: found, {found[0]}")
        return True


def main(arguments):
    option, value = arguments[:2] if arguments[0].startswith("--") else (None, None)
    kernels, share = value if option == "--plant" else None, int(value) if option == "--share" else 1
    texts, *rest = arguments[2:] if option else arguments
    clang = rest[0] if rest else shutil.which("clang")
    if not clang or not shutil.which(clang):
        print("skipped: there is no Clang; tools/install-packages.sh test installs it")
        return 77
    if kernels:
        return not all([plant(clang, texts, kernels, row) for row in PLANTED])
    names, faults = check(clang, texts, share)
    faults.show(names)
    print(f"{len(names)} programs as {', '.join(STANDARDS)}: {sum(faults.found.values())} faults")
    return bool(faults.found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
