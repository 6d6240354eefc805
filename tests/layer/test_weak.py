"""Weak and wrong devices, made by a layer over the real one (weak_layer.c). Weak devices give the bits of the plain
device. selftest, or a trial, finds and names what wrong devices do wrong, and the library avoids it.

test_weak.py [weak|lies|trials] [--full]: --full also runs the programs grid, scans and bits on the weak devices.
"""

import json
import os
import re
import subprocess
import sys
import unittest
from pathlib import Path

FULL = "--full" in sys.argv
os.environ["CLREDUCE_TEST_PATIENCE"] = "25" if FULL else "3"
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "cli"))

from cli import PATIENCE, SETTLED, TOOL, Case, Run  # the settings above come first

TABLE = Path(__file__).parent / "weak_layer.c"
LAYER = os.environ.get("CLREDUCE_WEAK_LAYER", "build/weak_layer.so")
# The last layer gets the calls of the program first.
LAYERS = ":".join(filter(None, (os.environ.get("OPENCL_LAYERS"), LAYER)))

ROWS = TABLE.read_text(encoding="utf-8")
# The weak devices, but for the one that is refused.
WEAK = [name for name in re.findall(r'name = "(\w+)"', ROWS.partition("// Wrong devices")[0]) if name != "opencl_11"]

# A wrong device: the probes that find it, the row that names it, the verdict, the fact to assume, and its value.
LIES = {
    "lies_group": ("limits", "work-groups", "avoided", "max_work_group_size", 64),
    "lies_group_silently": ("limits", "work-groups", "avoided", "max_work_group_size", 64),
    "lies_local": ("limits", "local memory", "avoided", "local_mem_size", lambda value: 8192 <= value <= 16448),
    "lies_alloc": ("limits", "largest buffer", "avoided", "max_alloc", lambda value: 2**25 <= value <= 2**26),
    "lies_loops": ("limits", "turns of loops", "avoided", "loop_trips", 65535),
    "lies_atomics": ("atomics", "atomics", "avoided", "atomics", 0),
    "lies_long_atomics": ("atomics", "atomics, 64 bits", "avoided", "int64_atomics", 0),
    "lies_local_atomics": ("atomics", "atomics, local", "avoided", "local_atomics", 0),
    "lies_fills": ("memory", "fills", "avoided", "fills", 0),
    "lies_copies": ("memory", "reads, writes, copies", "avoided", None, None),
    "lies_host_memory": ("memory", "buffers in host memory", "avoided", "unified_memory", 0),
    "lies_offsets": ("memory", "reads, writes, copies", "wrong", None, None),
    "lies_shorts": ("numbers", "integers", "avoided", "types", lambda value: not value >> 3 & 1),
    "lies_doubles": ("numbers", "double", "avoided", "fp64", 0),
    "lies_nans": ("numbers", "NaN, infinities", "wrong", "fp64", 0),
    "lies_denormals": ("numbers", "denormals", "wrong", "fp64", 0),
}

# Wrong devices that a trial finds, and what it names (Trials.test_a_named_strategy_is_refused).
TRIED = {"lies_chunked": ("kernel clred_chunked_elements", "1025 elements", "wrong result")}

# A command on a wrong device: its arguments, its exit codes without and with the facts to assume, and a word of its
# output with them. None: not checked.
AFTER = {
    "lies_group": (("reduce", "sum", "--strategy", "local_sequential", "--group-size", "256"), 1, 2,
                   "max_work_group_size"),
    "lies_local": (("reduce", "sum", "--strategy", "local_coarsened", "--verify"), None, 0, ""),
    "lies_atomics": (("reduce", "sum", "--verify"), 3, 0, ""),
    "lies_shorts": (("reduce", "max", "--verify"), 3, 1, "short"),
    "lies_loops": (("reduce", "sum", "--strategy", "device_serial", "--verify"), 2, 2, "loop_trips"),
    "lies_doubles": (("reduce", "sum", "--verify"), None, 1, "fp64"),
}
TYPES = {"lies_shorts": "short", "lies_doubles": "double"}
WRONG_TYPE_CODES = (1, 2)


def run(device, *arguments):
    return Run(arguments, environment={"OPENCL_LAYERS": LAYERS, "WEAK_DEVICE": device} if device else None)


# Weak devices that do what they report: the device, the probes, and the row with the verdict "lacking", or None.
HONEST = (("groups_of_1", "atomics", None), ("groups_of_48", "atomics", None),
          ("no_long_atomics", "atomics", "atomics, 64 bits"),
          ("local_of_none", "atomics", "atomics, local"), ("local_of_none", "limits", "local memory"),
          ("gpu", "memory", "buffers in host memory"), ("no_double", "numbers", "double"))


class Weak(Case):
    """The same bits as on the plain device."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.plain = cls.results(None, True)

    @classmethod
    def results(cls, device, scans):
        """The result of a reduction, and the file of a scan if `scans` is true."""
        data = ("--generate", "wide:14003:3", "--type", "float", "--verify")
        reduced = run(device, "reduce", "sum", *data)
        scanned = run(device, "scan", "sum", *data, "--output", cls.path("out.npy")) if scans else reduced
        if reduced.code or scanned.code:
            raise AssertionError(f"{device}\n{reduced}\n{scanned}")
        return reduced.out, Path(cls.path("out.npy")).read_bytes() if scans else cls.plain[1]

    def test_the_layer_is_there(self):
        answer = json.loads(run("groups_of_48", "query", "--json").out)[0]
        self.assertIn("groups_of_48", answer["name"])
        self.assertEqual(answer["facts"]["max_work_group_size"], 48)

    def test_work_items_as_lanes_of_vectors(self):
        """A processor whose sub-groups are vectors is like a GPU; not so if they are rows of a group."""
        for device, cpu in (("lanes_of_8", 0), ("rows_of_8", 1)):
            with self.subTest(device):
                self.assertEqual(json.loads(run(device, "query", "--json").out)[0]["facts"]["cpu"], cpu)

    def test_same_bits(self):
        for i, device in enumerate(WEAK):
            with self.subTest(device):
                self.assertEqual(self.results(device, FULL or i % 3 == 0 or device == "embedded"), self.plain)

    def test_opencl_11_is_refused(self):
        done = run("opencl_11", "reduce", "sum", "--generate", "ones:10", "--type", "float")
        self.assertEqual((done.code, done.out), (1, ""))
        self.assertIn("OpenCL 1.1; 1.2 is the least", done.err)

    def test_no_double_is_refused(self):
        done = run("no_double", "reduce", "sum", "--generate", "ones:10", "--type", "double")
        self.assertIn("fp64", done.err)
        self.assertNotEqual(done.code, 0)

    def test_selftest_finds_no_fault(self):
        for device, about, lacking in HONEST:
            with self.subTest(f"{device}, {about}"):
                done = run(device, "selftest", "--json", "--only", about)
                self.assertEqual(done.code, 0)
                answer = json.loads(done.out)
                self.assertEqual((answer["wrong"], answer["avoided"]), (0, 0))
                missing = [row["name"] for row in answer["rows"] if row["verdict"] == "lacking"]
                self.assertEqual(missing, [lacking] if lacking else [])

    def test_a_driver_that_ends_the_process(self):
        """One line has the driver's last words, and says what to do."""
        for device, words in (("exits_in_builds", "COMPILER ERROR: no room for a file"), ("exits_in_launches", "")):
            for arguments in (("reduce", "sum"), ("histogram", "--bins", "4", "--low", "0", "--high", "1")):
                with self.subTest(device, verb=arguments[0]):
                    done = run(device, *arguments, "--generate", "uniform:100")
                    self.assertEqual((done.code, done.out, done.err.count("\n")), (1, "", 1))
                    for word in ("the driver ended the process", words or "nothing", "POCL_CACHE_DIR"):
                        self.assertIn(word, done.err)

    def test_a_device_that_ends_loops(self):
        """Nobody tells the library; it counts the turns of loops when a plan may need many."""
        serial = ("--strategy", "device_serial", "--cache", "off", "--type", "float")
        done = run("lies_loops", "reduce", "sum", "--generate", "ones:100000", *serial)
        self.assertEqual((done.code, done.out), (2, ""))
        self.assertIn("this device ends loops after 65535 turns (fact loop_trips)", done.err)
        for count in (1000, 8192):
            done = run("lies_loops", "reduce", "sum", "--generate", f"ones:{count}", *serial)
            self.assertEqual((done.code, done.out), (0, f"{count}\n"))

    def test_times_are_of_a_warm_device(self):
        """What the first launch of a kernel takes longer, a compiler for instance, is no time of kernels."""
        data = ("--generate", "uniform:1000:3", "--json")
        for arguments in (("reduce", "sum"), ("scan", "sum", "--output", self.path("warm.npy")), ("select", "x > 0.5"),
                          ("histogram", "--bins", "4", "--low", "0", "--high", "1")):
            with self.subTest(arguments[0]):
                done = run("slow_at_first", *arguments, *data)
                self.assertEqual(done.code, 0)
                self.assertLess(json.loads(done.out)["kernel_seconds"], 1000)

    @unittest.skipUnless(FULL, "only with --full: the grid, the scans and the order under each")
    def test_grids(self):
        build = os.path.dirname(LAYER)
        for device in WEAK:
            for program in (("grid", "--pairwise", "--slice", "1/24"), ("scans", "--pairwise", "--slice", "1/12"),
                            ("bits", "--order")):
                with self.subTest(device=device, program=program):
                    done = subprocess.run([os.path.join(build, program[0]), *program[1:]], stdout=subprocess.PIPE,
                                          check=False,
                                          env={**os.environ, "OPENCL_LAYERS": LAYER, "WEAK_DEVICE": device})
                    self.assertEqual(done.returncode, 0, done.stdout.decode()[-2000:])


class Trials(Case):
    """Programs are tried before their first result, in a process that starts again after a crash, or in another one if
    the input cannot be read again. No selftest ran before."""

    DATA = ("--generate", "wide:14003:3", "--type", "float")

    def run_in_processes(self, device, *arguments, cache="off", stdin=None, **environment):
        """The tool itself, because a library starts no process for trials. Standard input is a text or a file."""
        layers = {"OPENCL_LAYERS": LAYERS, "WEAK_DEVICE": device} if device else {}
        given = {"input": stdin} if stdin is None or isinstance(stdin, str) else {"stdin": stdin}
        return subprocess.run([os.path.abspath(TOOL), *arguments], capture_output=True, check=False, text=True, **given,
                              env={**os.environ, **SETTLED, "CLREDUCE_CACHE_DIR": cache, **layers, **environment})

    def check(self, right, device, *arguments, **environment):
        """The output is the one that is right, and there is no message."""
        done = self.run_in_processes(device, *arguments, **environment)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, right, ""))

    def plain(self, *arguments):
        return self.run_in_processes(None, *arguments).stdout

    def test_another_form_takes_the_place(self):
        right = self.plain("reduce", "sum", *self.DATA)
        for device in ("lies_chunked", "lies_atomics", "crashes_in_chunked", "breaks_in_chunked"):
            with self.subTest(device):
                self.check(right, device, "reduce", "sum", *self.DATA)

    def test_every_way_of_the_input(self):
        """A pipe can be read once only; the begin of standard input is kept."""
        numbers = "".join(f"{i % 97 - 40}\n" for i in range(9001))
        file = self.path("numbers.txt")
        Path(file).write_text(numbers, encoding="utf-8")
        total = sum(i % 97 - 40 for i in range(9001))
        many = 1 + (1 << 20) // len(numbers)
        for device in ("crashes_in_chunked", "breaks_in_chunked", "lies_chunked"):
            for name, stdin, times in (("-", numbers, 1), ("-", many * numbers, many), ("/dev/stdin", numbers, 1),
                                       (file, None, 1), (f"--with={file}", None, 1)):
                with self.subTest(device, name=name, times=times):
                    words = ("dot", file, name) if name.startswith("--") else ("sum", name)
                    right = total if words[0] == "sum" else sum((i % 97 - 40)**2 for i in range(9001))
                    self.check(f"{right * times}\n", device, "reduce", *words, "--type", "float", "--format", "text",
                               stdin=stdin)
            with self.subTest(device, name="standard input is a file that was partly read"):
                with open(file, encoding="utf-8") as stdin:
                    os.lseek(stdin.fileno(), len("-40\n-39\n"), os.SEEK_SET)
                    self.check(f"{total + 79}\n", device, "reduce", "sum", "-", "--type", "float", "--format", "text",
                               stdin=stdin)

    def test_every_verb(self):
        """Outputs are written once, with --each too. A plan names what took over."""
        files = [self.path(name) for name in ("a.txt", "b.txt")]
        for i, file in enumerate(files):
            Path(file).write_text("1\n2\n3\n" * 1000 * (i + 1), encoding="utf-8")
        for arguments in (("scan", "sum", "--output", "-", "--text", *self.DATA),
                          ("reduce", "sum", "--each", *files), ("reduce", "sum", "--verify", *self.DATA)):
            with self.subTest(arguments):
                self.check(self.plain(*arguments), "crashes_in_chunked", *arguments)
        done = self.run_in_processes("crashes_in_chunked", "plan", "sum", *self.DATA)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotIn("strategy chunked", done.stdout)

    def test_a_driver_that_hangs(self):
        self.check(self.plain("reduce", "sum", *self.DATA), "hangs_in_chunked", "reduce", "sum", *self.DATA,
                   CLREDUCE_TRIAL_SECONDS=str(5 * PATIENCE))

    def test_a_named_strategy_is_refused(self):
        """The message names the driver, the kernel and the case."""
        for device, words in (*TRIED.items(), ("crashes_in_chunked", ("ended the process", "signal 11"))):
            with self.subTest(device):
                done = self.run_in_processes(device, "reduce", "sum", *self.DATA, "--strategy", "chunked", "--finish",
                                             "last_group")
                self.assertEqual((done.returncode, done.stdout, done.stderr.count("\n")), (1, "", 1))
                for word in (*words, "driver", "chunked of sum", "CLRED_WRONG_RESULT"):
                    self.assertIn(word, done.stderr)

    def test_the_outcome_is_kept(self):
        """The next run writes no record, as it would if it tried a program. A damaged record is ignored."""
        cache = self.path("kept")
        def answer():
            done = self.run_in_processes("crashes_in_chunked", "reduce", "sum", *self.DATA, cache=cache)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            return done.stdout, {path: path.stat().st_mtime_ns for path in Path(cache).iterdir()}
        first = answer()
        self.assertEqual(answer(), first)
        for path in first[1]:
            path.write_bytes(path.read_bytes()[:-1] + b"x")
        result, times = answer()
        self.assertEqual(result, first[0])
        self.assertTrue(all(times[path] != time for path, time in first[1].items()))

    def test_a_trusted_driver_is_not_tried(self):
        done = self.run_in_processes("lies_chunked", "reduce", "sum", *self.DATA, "--trust-driver")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertNotEqual(done.stdout, self.plain("reduce", "sum", *self.DATA))


class Lies(Case):
    """Wrong devices are found, named and avoided."""

    def selftest(self, device, about):
        done = run(device, "selftest", "--json", "--only", about)
        self.assertIn(done.code, (0, 3))
        return done, json.loads(done.out)

    def check(self, device):
        """The selftest finds it. Returns the facts to assume."""
        about, name, verdict, fact, found = LIES[device]
        done, answer = self.selftest(device, about)
        row = next(row for row in answer["rows"] if row["name"] == name)
        self.assertEqual(row["verdict"], verdict)
        self.assertTrue(row["detail"])
        self.assertEqual(done.code, 3 if answer["wrong"] else 0)
        if verdict == "wrong":
            self.assertIn(name, done.err)
        assume = answer["assume"]
        if fact:
            value = int(dict(pair.split("=") for pair in assume.split(","))[fact])
            self.assertTrue(found(value) if callable(found) else value == found, f"{fact} {value}")
            self.assertTrue(verdict == "wrong" or f"(assume {fact}={value})" in row["detail"], row["detail"])
            known = json.loads(run(device, "query", "--json", "--assume", assume).out)[0]
            self.assertEqual(known["facts"][fact], value)
        else:
            self.assertIsNone(assume)
        return assume

    def test_all_are_found(self):
        self.assertEqual(set(LIES) | set(TRIED), set(re.findall(r'"(lies_\w+)"', ROWS)))
        for device in LIES:
            with self.subTest(device):
                assume = self.check(device)
                if device in AFTER:
                    self.check_after(device, assume)

    def test_the_option_is_one_line(self):
        for quiet in ((), ("--quiet",)):
            done = run("lies_fills", "selftest", "--only", "memory", *quiet)
            self.assertEqual(done.code, 0)
            self.assertEqual([line for line in done.out.splitlines() if "--assume" in line], ["--assume fills=0"])

    def check_after(self, device, assume):
        arguments, before, after, word = AFTER[device]
        count = 600003 if device == "lies_atomics" else 200003
        data = ("--generate", f"uniform:{count}:2", "--type", TYPES.get(device, "float"))
        if device == "lies_shorts":
            data = ("--generate", "constant:1000:-5", "--type", "short")
        if before is not None:
            done = run(device, *arguments, *data, "--trust-driver")
            self.assertEqual(done.code, before)
        done = run(device, *arguments, *data, "--assume", assume)
        self.assertIn(done.code, WRONG_TYPE_CODES if after == 1 else (after,))
        self.assertIn(word, done.err)

    def test_an_honest_device(self):
        done, answer = self.selftest(None, "limits,atomics")
        self.assertEqual((done.code, answer["wrong"], answer["avoided"], answer["assume"]), (0, 0, 0, None))


if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--full"]
    names = {"weak": "Weak", "lies": "Lies", "trials": "Trials"}
    sys.argv[1:] = [names.get(word, word) for word in sys.argv[1:]]
    unittest.main(verbosity=2 if FULL else 1)
