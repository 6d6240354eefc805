"""The cache of compiled programs: its directory, and its use. device/test_cache.c and
unit/test_cache_files.c have damaged files and directories, which cost a build."""

import glob
import json
import os
import shutil
import subprocess

import numpy as np

from cli import TOOL, Case, Run

SUM = ("reduce", "sum", "--generate", "wide:5000:1")


class Cache(Case):
    """Each test has its own home directory. The tool chooses the directory of the cache."""

    tool = os.path.abspath(TOOL)

    def setUp(self):
        self.home = self.path("home")
        shutil.rmtree(self.home, ignore_errors=True)
        os.mkdir(self.home)

    def run_at_home(self, *arguments, **environment):
        """Only HOME decides where the cache is, unless `environment` has another variable."""
        variables = {**os.environ, "HOME": self.home}
        for name in ("CLREDUCE_CACHE_DIR", "XDG_CACHE_HOME"):
            variables.pop(name, None)
        # PoCL would put its own cache in HOME.
        variables.setdefault("POCL_CACHE_DIR", self.path("pocl"))
        os.makedirs(variables["POCL_CACHE_DIR"], exist_ok=True)
        variables.update(environment)
        return subprocess.run([self.tool, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              env=variables, check=False, text=True, cwd=self.directory)

    def answer(self, *arguments, **environment):
        """The result, and how many programs were built and loaded."""
        done = self.run_at_home(*SUM, "--json", *arguments, **environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        fields = json.loads(done.stdout)
        return fields["result"], fields["builds"], fields["loads"]

    def files(self, directory):
        return glob.glob(os.path.join(self.home, directory, "*.clred"))


class Places(Cache):

    def test_cold_then_warm_in_the_users_directory(self):
        cold, builds, loads = self.answer()
        self.assertEqual((builds, loads), (1, 0))
        self.assertEqual(len(self.files(".cache/clreduce")), 1)
        self.assertEqual(self.answer(), (cold, 0, 1))
        self.assertEqual(os.stat(os.path.join(self.home, ".cache/clreduce")).st_mode & 0o777, 0o700)

    def test_xdg_cache_home(self):
        place = os.path.join(self.home, "elsewhere")
        self.answer(XDG_CACHE_HOME=place)
        self.assertEqual(self.answer(XDG_CACHE_HOME=place)[1:], (0, 1))
        self.assertEqual(len(self.files("elsewhere/clreduce")), 1)
        self.assertFalse(os.path.exists(os.path.join(self.home, ".cache")))
        # The XDG specification says that relative paths are ignored.
        self.answer(XDG_CACHE_HOME="elsewhere")
        self.assertEqual(len(self.files(".cache/clreduce")), 1)

    def test_variable_and_option(self):
        first, second = os.path.join(self.home, "first"), os.path.join(self.home, "second")
        self.answer(CLREDUCE_CACHE_DIR=first)
        self.assertEqual(len(self.files("first")), 1)
        self.answer("--cache", second, CLREDUCE_CACHE_DIR=first)
        self.assertEqual(len(self.files("second")), 1)
        self.assertEqual(self.answer(CLREDUCE_CACHE_DIR=second)[1:], (0, 1))
        self.assertFalse(os.path.exists(os.path.join(self.home, ".cache")))

    def test_off(self):
        for arguments, environment in ((("--cache", "off"), {}), ((), {"CLREDUCE_CACHE_DIR": "off"}),
                                       ((), {"HOME": ""}), ((), {"HOME": "/nonexistent"}), ((), {"HOME": "home"})):
            self.assertEqual(self.answer(*arguments, **environment)[1:], (1, 0))
            self.assertEqual(os.listdir(self.home), [])

    def test_not_in_another_users_home(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a home away")
        os.chown(self.home, 65534, 65534)
        self.assertEqual(self.answer()[1:], (1, 0))
        self.assertEqual(os.listdir(self.home), [])


class Trouble(Cache):

    def test_drivers_directory_that_cannot_be_made(self):
        """PoCL hides its device. It is installed, so the message names its cache."""
        if {device["platform"] for device in self.json("query")} != {"Portable Computing Language"}:
            self.skipTest("other drivers show devices")
        run = Run(SUM, environment={"POCL_CACHE_DIR": "/dev/null/cache"})
        self.assertEqual((run.code, run.out, run.err.count("\n")), (1, "", 1))
        for word in ("PoCL", "cannot write its cache", "POCL_CACHE_DIR"):
            self.assertIn(word, run.err)
        self.assertNotIn("install ", run.err)


class Words(Cache):

    def test_explain(self):
        place = os.path.join(self.home, "cache")
        for line in ("programs: 1 compiled, 0 from the cache", "programs: 0 compiled, 1 from the cache"):
            done = self.run_at_home(*SUM, "--explain", "--cache", place)
            self.assertIn(line, done.stderr.splitlines())
            self.assertRegex(done.stderr, r"\ntime: [0-9.]+ (s|ms|us), of which kernels [0-9.]+ (s|ms|us); "
                                          r"speed of the kernels: [0-9.]+ [kMGT]?B/s\n$")

    def test_programs_of_verbs(self):
        """A stream has two: the plan's, and one that folds the states of its pieces. select has its predicate's."""
        place = os.path.join(self.home, "cache")
        data = self.write("data.npy", np.arange(5000, dtype="float32"))
        for arguments, programs in ((("reduce", "max", data, "--chunk", "1024"), 2), (("select", "x > 7", data), 2),
                                    (("histogram", data, "--bins", "4"), None)):
            first, second = (json.loads(self.run_at_home(*arguments, "--json", "--cache", place).stdout)
                             for _ in range(2))
            self.assertEqual((first["loads"], second["builds"]), (0, 0))
            self.assertEqual(first["builds"], second["loads"])
            self.assertEqual(first["builds"], programs or first["builds"])
