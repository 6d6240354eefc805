"""Drivers that are missing or broken: they are named, and the tool goes on with the others.

The loader takes the drivers of a directory of this test: the machine's own ones, and copies of layer/fake_driver.c,
whose names say what they do wrong. The tool is a process of its own here, because it may start itself again.
"""

import json
import os
import shutil
import subprocess
from pathlib import Path

from cli import SETTLED, TOOL, Case

SUM = ("reduce", "sum", "--generate", "ones:7", "--type", "float")
# What a broken driver does, and the words that name it.
CRASHES = {"load": ("Segmentation fault",), "crash": ("Segmentation fault",), "stack": ("Segmentation fault",),
           "abort": ("Aborted", "No memory on this device"), "exit": ("calls exit",)}
OTHERS = {"error": ("the platform fake is left out", "CL_OUT_OF_HOST_MEMORY"),
          "context": ("the device useless is left out", "CL_OUT_OF_RESOURCES")}


# The drivers have the names that they report.
PRETENDED = ("CLREDUCE_TEST_NAME", "CLREDUCE_TEST_UNITS")
ENVIRONMENT = {name: value for name, value in os.environ.items() if name not in PRETENDED}


class Drivers(Case):

    def setUp(self):
        self.vendors = Path(self.path(self.id()))
        self.vendors.mkdir()

    def add(self, name):
        """A driver that is broken. Its file comes before others in the alphabet."""
        library = self.vendors / f"libfake_{name}.so"
        shutil.copy(os.environ["CLREDUCE_FAKE_DRIVER"], library)
        (self.vendors / f"a_{name}.icd").write_text(f"{library}\n", encoding="utf-8")
        return str(library)

    def remove(self, name):
        for file in (f"a_{name}.icd", f"libfake_{name}.so"):
            (self.vendors / file).unlink()

    def add_own(self):
        for file in Path("/etc/OpenCL/vendors").glob("*.icd"):
            shutil.copy(file, self.vendors)

    def start(self, *arguments, stdin=None, **environment):
        """Exit code, output and errors."""
        done = subprocess.run([TOOL, *arguments], input=stdin, capture_output=True, timeout=300, check=False,
                              env={**ENVIRONMENT, **SETTLED, "OCL_ICD_VENDORS": str(self.vendors), **environment})
        return done.returncode, done.stdout.decode(), done.stderr.decode()

    def fails(self, *words):
        """One line with these words, and with the package to install."""
        code, out, err = self.start(*SUM)
        self.assertEqual((code, out, err.count("\n")), (1, "", 1), err)
        for word in (*words, "pocl-opencl-icd"):
            self.assertIn(word, err)


class Environment(Case):

    def test_is_empty(self):
        """PoCL aborts without PATH where it links a kernel, so its cache is empty."""
        kept = {name: value for name, value in os.environ.items() if name.startswith(("OCL_ICD", "POCL_", "CLREDUCE_"))}
        kept["POCL_CACHE_DIR"] = self.path("pocl")
        for words in (SUM, ("query",), ("bench", "--sizes", "9", "--repeat", "1")):
            done = subprocess.run([TOOL, *words], capture_output=True, timeout=300, check=False, env=kept)
            self.assertEqual((done.returncode, done.stderr), (0, b""))


class Alone(Drivers):

    def test_none_and_a_missing_library(self):
        self.fails("no OpenCL platform found")
        (self.vendors / "b.icd").write_text("libnowhere.so\n", encoding="utf-8")
        self.fails("b.icd", "libnowhere.so", "cannot open shared object file")

    def test_each(self):
        for name, words in {"empty": ("no OpenCL device found", "fake"), "error": ("fake", "CL_OUT_OF_HOST_MEMORY"),
                            **CRASHES}.items():
            with self.subTest(name):
                library = self.add(name)
                self.fails(*words, *((library, f"a_{name}.icd") if name in CRASHES else ()))
                code, out, err = self.start("reduce", "sum", "-", "--type", "float", stdin=bytes(8))
                self.assertEqual((code, out, err.count("\n")), (1, "", 1), err)
                self.remove(name)


class Beside(Drivers):
    """The driver that works does the work, with the bits that it always gives."""

    def setUp(self):
        super().setUp()
        self.add_own()
        if self.start(*SUM)[0] != 0:
            self.skipTest("no driver of /etc/OpenCL/vendors works")

    def goes_on(self, *words, lines=1):
        code, out, err = self.start(*SUM)
        self.assertEqual((code, out, err.count("\n")), (0, "7\n", lines), err)
        for word in words:
            self.assertIn(word, err)
        self.assertEqual(self.start(*SUM, "--quiet")[2], "")

    def test_each(self):
        for name, words in {**CRASHES, **OTHERS}.items():
            with self.subTest(name):
                library = self.add(name)
                self.goes_on(*words, *((library, f"a_{name}.icd") if name in CRASHES else ()))
                self.remove(name)

    def test_processes_get_the_whole_list(self):
        """Some loaders cut their list in the environment. The process that tries programs needs all of it."""
        loads, caches = Path(self.path("loads")), self.path("empty_cache")
        drivers = ":".join((self.add("first"), self.add("cut")))
        for file in self.vendors.glob("a_*.icd"):
            file.unlink()
        code, out, err = self.start(*SUM, CLREDUCE_FAKE_LOADS=str(loads), OCL_ICD_FILENAMES=drivers,
                                    CLREDUCE_CACHE_DIR=str(caches), CLREDUCE_TRUST_DRIVER="")
        self.assertEqual((code, out), (0, "7\n"), err)
        if not loads.exists():
            self.skipTest("the loader does not know OCL_ICD_FILENAMES")
        self.assertEqual(sorted(loads.read_text().split()), ["cut"] * 2 + ["first"] * 2)

    def test_two_that_crash(self):
        self.goes_on(self.add("crash"), self.add("abort"))

    def test_what_only_query_names(self):
        """A driver without a device, as most have none plugged in, and a library that is missing."""
        self.add("empty")
        (self.vendors / "b.icd").write_text("libnowhere.so\n", encoding="utf-8")
        self.assertEqual(self.start(*SUM), (0, "7\n", ""))
        code, out, err = self.start("query", "--json")
        self.assertEqual(code, 0)
        self.assertIn("the platform fake has no device", err)
        self.assertIn("libnowhere.so", err)
        self.assertTrue(json.loads(out))

    def test_a_named_device_that_cannot_be_used(self):
        """--device asks for this one, so no other takes its place."""
        self.add("context")
        code, out, err = self.start(*SUM, "--device", "useless")
        self.assertEqual((code, out), (1, ""))
        self.assertIn("CL_OUT_OF_RESOURCES", err)

    def test_input_is_read_once(self):
        """The tool starts again before it reads a pipe, and from the begin of a file."""
        self.add("crash")
        data = b"x\n1\n2\n4\n"
        file = self.write("text.csv", data)
        column = ("reduce", "sum", "-", "--column", "x")
        self.assertEqual(self.start(*column, stdin=data)[:2], (0, "7\n"))
        with open(file, "rb") as begin:
            done = subprocess.run([TOOL, *column], stdin=begin, capture_output=True, check=False,
                                  env={**ENVIRONMENT, **SETTLED, "OCL_ICD_VENDORS": str(self.vendors)})
        self.assertEqual((done.returncode, done.stdout), (0, b"7\n"))

    def test_nothing_is_left_behind(self):
        self.add("crash")
        before = set(Path("/tmp").glob("clreduce-drivers-*"))
        self.start(*SUM)
        self.assertLessEqual(set(Path("/tmp").glob("clreduce-drivers-*")), before)
