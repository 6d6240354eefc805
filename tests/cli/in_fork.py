"""Runs the tool in a fork of the tests, where the tool and the driver are loaded as libraries. This saves 30 ms a run,
which loading PoCL's compiler takes. Without CLREDUCE_TOOL_LIBRARY, each run is a process of its own.
"""

import ctypes
import os
import subprocess
from pathlib import Path

TOOL = os.environ.get("CLREDUCE_TOOL", "build/clreduce")


def load():
    """Loads libraries, but opens no device: a driver does not survive a fork."""
    for vendor in Path("/etc/OpenCL/vendors").glob("*.icd"):
        ctypes.CDLL(vendor.read_text(encoding="utf-8").strip())
    return ctypes.CDLL(os.environ["CLREDUCE_TOOL_LIBRARY"])


# Variables that take effect only when a program is loaded: OpenMP's and the loader's.
READ_AT_START = ("OMP_", "LD_")
LIBRARY = load() if os.environ.get("CLREDUCE_TOOL_LIBRARY") else None


def run_tool(arguments, environment, **options):
    """As subprocess.run of the tool. `environment` has what differs from this process."""
    command = [TOOL, *map(str, arguments)]

    def run():  # in the child, instead of exec
        os.closerange(3, 256)  # one of them is the pipe on which subprocess waits for exec
        # ladder starts the process again unless these are set, and this process is Python.
        os.environ.update({"OMP_WAIT_POLICY": "passive", "POCL_AFFINITY": "0", **environment})
        LIBRARY.run_tool(len(command), (ctypes.c_char_p * (len(command) + 1))(*map(os.fsencode, command), None))

    forks = LIBRARY and not any(name.startswith(READ_AT_START) for name in environment)
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          env={**os.environ, **environment}, preexec_fn=run if forks else None, **options)
