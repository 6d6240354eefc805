"""Runs the tool many times; each time another OpenCL call or allocation fails. The tool must end with exit code 1 or 2
and one message, or with the right result. No signal, no other output and no leaks are allowed.

tool.py [--quick] [--filter TEXT]; CLREDUCE_TOOL, CLREDUCE_STARVED and CLREDUCE_FAULT_LAYER name the programs and
the layer by absolute paths.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from in_fork import run_tool

STARVED = os.environ["CLREDUCE_STARVED"]
# The last layer gets the calls of the tool first.
LAYERS = ":".join(filter(None, (os.environ.get("OPENCL_LAYERS"), os.environ["CLREDUCE_FAULT_LAYER"])))

# If one of these calls fails, the tool builds a program again, or prints no time or no remark. The result is right.
FORGIVEN = {"clGetProgramBuildInfo", "clGetEventProfilingInfo", "clGetEventInfo", "clGetProgramInfo",
            "clCreateProgramWithBinary", "clGetDeviceInfo", "clGetPlatformInfo", "clCreateKernelsInProgram",
            "clWaitForEvents", "clFinish", "clBuildProgram"}


# Run in a directory with these files.
FILES = {"numbers.npy": np.arange(3000, dtype="int32"), "cube.npy": np.arange(3000, dtype="int32").reshape(5, 20, 30),
         "keys.npy": np.arange(3000, dtype="int32") // 7}
ROWS = "a,b,text\n" + "".join(f"{i},{i // 7},\"x\"\n" for i in range(3000))
COMMANDS = {
    "reduce": "reduce sum numbers.npy",
    "reduce, verified, json": "reduce mean numbers.npy --verify --json",
    "reduce by host": "reduce max numbers.npy --strategy host_serial",
    "reduce along an axis": "reduce sum numbers.npy --axis 0",
    "reduce along two axes": "reduce sum cube.npy --axis 0,2",
    "several files": "reduce sum numbers.npy rows.csv --type int --column b --json",
    "one result a file": "reduce sum numbers.npy cube.npy --each",
    "reduce, streamed": "reduce sum numbers.npy --chunk 1024",
    "reduce on devices": "reduce sum numbers.npy --device all --json",
    "stream to a partial": "reduce sum numbers.npy --chunk 1024 --partial part.clr",
    "own operator": "reduce --combine 'max(a, b)' --identity INT_MIN --lift 'x + k' --parameter int:k=1 numbers.npy",
    "by key": "reduce sum numbers.npy --by-key keys.npy --output out.npy --quiet",
    "columns of text": "reduce dot rows.csv --column a --column b",
    "text by groups": "reduce sum rows.csv --column 1 --group text:b --output out.npy --keys-output found.npy",
    "median": "reduce median numbers.npy",
    "median in a list": "reduce sum,median,argmax numbers.npy --output out.npy",
    "median in a list, by groups": "reduce median,max rows.csv --column 1 --group text:b",
    "a result a column": "reduce mean rows.csv --column a --column b",
    "greatest": "reduce top:3 rows.csv --column a",
    "scan": "scan sum numbers.npy --output out.npy",
    "select": "select 'x > 100' numbers.npy --output out.npy",
    "histogram": "histogram numbers.npy --bins 10 --low 0 --high 3000",
    "check": "check sum --type int",
    "plan": "plan sum numbers.npy",
    "query": "query",
    "with a cache": "reduce sum numbers.npy --cache cache",
    "selftest": "selftest --only memory",
    "bench": "bench sum --sizes 1024 --repeat 1 --quiet",
    "ladder": "ladder -n 100 --quiet",
    "trials": "tune --textbook -n 100 --strategy atomic --try group_size=32 --repeat 1 --quiet",
}


def reports(where):
    """These verbs report devices, strategies or probes that fail, and go on."""
    return where.startswith(("query", "selftest", "bench", "ladder", "trials"))


def same(where, out, clean):
    """Compares outputs without times, and without the first line of `plan`, which describes the device."""
    if reports(where):
        return out != b""
    if where.startswith("plan"):
        return out.split(b"\n")[1:] == clean.split(b"\n")[1:]
    if clean.startswith(b"{"):
        return json.loads(out)["result"] == json.loads(clean)["result"]
    return out == clean


class Injector:
    def __init__(self, quick, directory):
        self.quick, self.directory = quick, directory
        self.counts = {"injections": 0, "unseen": 0, "crashes": 0, "leaks": 0, "other": 0}
        self.entries = set()

    def run(self, arguments, memory, at, on, code):
        report = os.path.join(self.directory, "report")
        if os.path.exists(report):
            os.remove(report)
        # A call that fails in a trial is no failure of the tool: another form takes the place.
        environment = {"CLREDUCE_CACHE_DIR": "off", "CLREDUCE_TUNING": "off", "CLREDUCE_TRUST_DRIVER": "1"}
        if "all" in arguments:
            environment["POCL_DEVICES"] = "pthread basic"
        if memory:
            environment.update(STARVE_AT=str(at), STARVE_REPORT=report, **({"STARVE_ON": "1"} if on else {}))
            process = subprocess.run([STARVED, *arguments], stdin=subprocess.DEVNULL, capture_output=True, timeout=120,
                                     check=False, env={**os.environ, **environment})
        else:
            environment.update(OPENCL_LAYERS=LAYERS, FAULT_AT=str(at), FAULT_MODE="on" if on else "once",
                               FAULT_CODE=str(code), FAULT_REPORT=report)
            process = run_tool(arguments, environment, stdin=subprocess.DEVNULL, timeout=120)
        seen = {}
        if os.path.exists(report):
            with open(report, encoding="utf-8") as file:
                seen = {words[0] + (" " + words[1] if words[0] == "live" else ""): words[1:]
                        for words in map(str.split, file)}
        return process.returncode, process.stdout, process.stderr.decode(errors="replace"), seen

    def complain(self, kind, where, what):
        self.counts[kind] += 1
        print(f"  FAILED {where}: {what}", flush=True)

    def check(self, where, clean, code, out, err, seen):
        failed = seen.get("failed", ["none"])[0]
        if code < 0 or code > 3:
            return self.complain("crashes", where, f"exit code {code}: {err[-300:]}")
        if not seen:
            return self.complain("other", where, f"no report; exit code {code}")
        left = {name: words[-1] for name, words in seen.items() if name.startswith("live") and words[-1] != "0"}
        if left:
            self.complain("leaks", where, f"after {failed}: {left}")
        if code == 0:
            self.counts["unseen"] += failed != "none"
            # An unknown fact of the device changes the facts that plans print.
            unknown = failed == "clGetDeviceInfo" and where.startswith("plan") and out.startswith(b"on ")
            if not unknown and not same(where, out, clean):
                self.complain("other", where, f"{failed} failed, exit code 0, and another output: {out[:200]!r}")
            elif failed not in ("none", "memory") and failed not in FORGIVEN and not reports(where):
                self.complain("other", where, f"{failed} failed and was not reported")
            return None
        if code in (1, 3) and where.startswith(("selftest", "ladder")) and out:
            return None
        if code == 3 or out or err.count("\n") != 1 or len(err) < 20:
            return self.complain("other", where,
                                 f"{failed} failed: exit code {code}, output {out[:100]!r}, message {err!r}")
        if failed == "memory" and "memory" not in err:
            return self.complain("other", where, f"memory is not named: {err!r}")
        # A probe may forgive the first failure of a device that vanished and report a later one.
        if "and on" in where and reports(where) and " cl" in err:
            return None
        # With one of its codes this call says that the platform has no device.
        if failed == "clGetDeviceIDs" and "has no device" in err:
            return None
        if failed not in ("memory", "none") and failed not in FORGIVEN and failed not in err:
            return self.complain("other", where, f"{failed} is not named: {err!r}")
        return None

    def scenario(self, name, arguments):
        before = dict(self.counts)
        for memory in (False, True):
            code, clean, err, seen = self.run(arguments, memory, 0, False, 0)
            calls = int(seen.get("calls", [0])[0])
            where = f"{name}, {'memory' if memory else 'OpenCL'}"
            if code != 0 or calls == 0 or seen["failed"][0] != "none":
                self.complain("other", where, f"undisturbed: exit code {code}, {calls} calls: {err!r}")
                continue
            self.check(where, clean, code, clean, err, seen)
            for on in (False, True):
                most = min(4 if self.quick else 300, calls)
                for i in range(most):
                    at = 1 + i if calls == most else min(1 + (2 * i + 1 + on) * (calls - 1) // (2 * most), calls)
                    code, out, err, seen = self.run(arguments, memory, at, on, at % 3)
                    failed = seen.get("failed", ["none"])[0]
                    self.counts["injections"] += failed != "none" or code < 0
                    self.entries.add(failed)
                    self.check(f"{where} call {at}{' and on' if on else ''} [{failed}]", clean, code, out, err, seen)
        print(f"{name:26}", *(f"{kind} {self.counts[kind] - before[kind]:4}" for kind in self.counts), sep="  ",
              flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--filter", default="")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="clreduce-faults-") as directory:
        injector = Injector(wanted.quick, directory)
        os.chdir(directory)
        for name, array in FILES.items():
            np.save(name, array)
        Path("rows.csv").write_text(ROWS, encoding="ascii")
        for name, command in COMMANDS.items():
            if wanted.filter in name:
                injector.scenario(name, shlex.split(command))
    counts = injector.counts
    print(f"{counts['injections']} injections into the tool, into "
          f"{len(injector.entries - {'none', 'memory'})} OpenCL calls:", counts)
    return 1 if counts["crashes"] + counts["leaks"] + counts["other"] or not counts["injections"] else 0


if __name__ == "__main__":
    sys.exit(main())
