#!/usr/bin/env python3
"""Shows that layers.py fails on planted mistakes: test_layers.py SOURCE NM OBJECTS...

It takes the library's real symbols and a copy of its sources, plants one mistake at a time, and expects the message
that names it.
"""
import pathlib
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent


MODULE = HERE.parent / "bindings" / "python" / "clreduce"


def check(source, symbols, module):
    command = [sys.executable, HERE / "layers.py", "--source", source, "--symbols", symbols, "--module", module]
    run = subprocess.run(command, capture_output=True, text=True)
    return run.returncode, run.stderr


def use(file, symbol):
    return f"x.dir/{file}.o:                 U {symbol}\n"


def main():
    source, nm, objects = pathlib.Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    real = subprocess.run([nm, "-A", *objects], check=True, capture_output=True, text=True).stdout
    # slots.c uses nothing of plan.c, which uses slots.c.
    planted = [
        ("an upward use", use("base/text.c", "clr_plan_make"), "src/base/text.c uses clr_plan_make of src/plan/plan.c"),
        ("a circle", use("plan/slots.c", "clr_plan_make"), "files use each other in a circle: "),
        ("a circle of the tool", use("clreduce_tool_objects.dir/base/fail.c", "job_open"),
         "tools/base/fail.c uses job_open of tools/run/job.c"),
    ]
    with tempfile.TemporaryDirectory() as directory:
        symbols = pathlib.Path(directory) / "symbols"
        copy, module = pathlib.Path(directory) / "src", pathlib.Path(directory) / "module"
        shutil.copytree(source, copy)
        shutil.copytree(MODULE, module)

        def expect(what, listing, message):
            symbols.write_text(listing)
            code, said = check(copy, symbols, module)
            if (code == 0) != (message is None) or (message and message not in said):
                sys.exit(f"{what}: exit status {code}, and it says: {said}")

        expect("the library", real, None)
        for what, line, message in planted:
            expect(what, real + line, message)
        arrays = module / "_arrays.py"
        text = arrays.read_text()
        arrays.write_text(text + "\n\ndef late():\n    from ._run import line\n    return line\n")
        expect("a circle of the module", real, "module/_arrays.py uses line of module/_run.py")
        arrays.write_text(text)
        header = copy / "base" / "text.h"
        text = header.read_text()
        header.write_text(text.replace("#include <stddef.h>", '#include <stddef.h>\n#include "plan/plan.h"'))
        expect("an upward include", real, "src/base/text.h includes a header of the higher floor plan")
        header.write_text(text)
        (copy / "attic").mkdir()
        (copy / "attic" / "old.c").write_text("")
        expect("a directory on no floor", real, "src/attic/old.c: no floor of src/README.md has the directory attic")
    print("each planted mistake is found")


if __name__ == "__main__":
    main()
