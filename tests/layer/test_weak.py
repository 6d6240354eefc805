"""Weak and wrong devices, made by a layer over the real one (weak_table.c). Weak devices give the bits of the plain
device. selftest finds and names what wrong devices do wrong, and the library then avoids it.

test_weak.py [weak|lies] [--full]: --full runs selftest whole under every device, and the grid, the scans and the
order under the weak.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

TOOL = os.environ.get("CLREDUCE_TOOL", "build/clreduce")
LAYER = os.environ.get("CLREDUCE_WEAK_LAYER", "build/weak_layer.so")
FULL = "--full" in sys.argv

WEAK = ("groups_of_1", "groups_of_48", "groups_of_64", "gpu_groups_of_1", "gpu_groups_of_64", "gpu_groups_of_100",
        "gpu",
        "gpu_small_memory", "local_of_1024", "local_of_none", "kernel_groups_of_32", "sub_groups_of_64", "no_double",
        "no_long_atomics",
        "opencl_12", "gpu_opencl_12", "alloc_of_65536", "in_order_only", "no_profiling", "units_of_256", "units_of_1",
        "small_constants", "embedded")

# A wrong device: the probes that find it, the row that names it, the verdict, the fact that changes, and its value.
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
    "lies_chunked": ("strategies", "chunked", "avoided", "avoided", lambda value: value != 0),
    "lies_offsets": ("memory", "reads, writes, copies", "wrong", None, None),
    "lies_shorts": ("numbers", "integers", "avoided", "types", lambda value: not value >> 3 & 1),
    "lies_doubles": ("numbers", "double", "avoided", "fp64", 0),
    "lies_nans": ("numbers", "NaN, infinities", "wrong", "fp64", 0),
    "lies_denormals": ("numbers", "denormals", "wrong", "fp64", 0),
}

# A command on a wrong device: its arguments, its exit codes without and with the findings, and a word of its output with
# the findings. None: not checked.
AFTER = {
    "lies_group": (("reduce", "sum", "--strategy", "local_sequential", "--group-size", "256"), 1, 2,
                   "max_work_group_size"),
    "lies_local": (("reduce", "sum", "--strategy", "local_coarsened", "--verify"), None, 0, ""),
    "lies_atomics": (("reduce", "sum", "--verify"), 3, 0, ""),
    "lies_chunked": (("reduce", "sum", "--verify"), 3, 0, ""),
    "lies_shorts": (("reduce", "max", "--verify"), 3, 1, "short"),
    "lies_loops": (("reduce", "sum", "--strategy", "device_serial", "--verify"), 3, 2, "loop_trips"),
    "lies_doubles": (("reduce", "sum", "--verify"), None, 1, "fp64"),
}
TYPES = {"lies_shorts": "short", "lies_doubles": "double"}
WRONG_TYPE_CODES = (1, 2)


def run(device, *arguments, timeout=300):
    environment = {"CLREDUCE_CACHE_DIR": "off", "CLREDUCE_TUNING": "off", "CLREDUCE_FINDINGS": "off"}
    if device:
        environment.update(OPENCL_LAYERS=LAYER, WEAK_DEVICE=device)
    done = subprocess.run([TOOL, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=timeout,
                          env={**os.environ, **environment}, check=False)
    done.text = (f"{device}: clreduce {' '.join(arguments)}\nexit code {done.returncode}\n"
                 f"{done.stdout[-3000:]}\n{done.stderr.decode()}")
    return done

# Weak devices that do what they report: the device, the probes, and the row with the verdict "lacking", or None.
HONEST = (("groups_of_1", "atomics", None), ("groups_of_48", "atomics", None),
          ("no_long_atomics", "atomics", "atomics, 64 bits"),
          ("local_of_none", "atomics", "atomics, local"), ("local_of_none", "limits", "local memory"),
          ("gpu", "memory", "buffers in host memory"), ("no_double", "numbers", "double"))


class Weak(unittest.TestCase):
    """The same bits as on the plain device."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="clreduce-weak-")
        cls.plain = cls.results(None, True)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def results(cls, device, scans):
        """The bytes of a reduction, and of a scan if `scans` is true."""
        path = os.path.join(cls.folder.name, "out.npy")
        data = ("--generate", "wide:14003:3", "--type", "float")
        reduced = run(device, "reduce", "sum", *data, "--verify")
        if reduced.returncode:
            raise AssertionError(reduced.text)
        if not scans:
            return reduced.stdout, cls.plain[1]
        scanned = run(device, "scan", "sum", *data, "--output", path, "--verify")
        if scanned.returncode:
            raise AssertionError(scanned.text)
        with open(path, "rb") as file:
            return reduced.stdout, file.read()

    def test_the_layer_is_there(self):
        answer = json.loads(run("groups_of_48", "query", "--json").stdout)[0]
        self.assertIn("groups_of_48", answer["name"])
        self.assertEqual(answer["facts"]["max_work_group_size"], 48)

    def test_same_bits(self):
        for i, device in enumerate(WEAK):
            with self.subTest(device):
                self.assertEqual(self.results(device, FULL or i % 3 == 0 or device == "embedded"), self.plain)

    def test_opencl_11_is_refused(self):
        done = run("opencl_11", "reduce", "sum", "--generate", "ones:10", "--type", "float")
        self.assertEqual((done.returncode, done.stdout), (1, b""), done.text)
        self.assertIn(b"OpenCL 1.1; 1.2 is the least", done.stderr)

    def test_no_double_is_refused(self):
        done = run("no_double", "reduce", "sum", "--generate", "ones:10", "--type", "double")
        self.assertIn(b"fp64", done.stderr)
        self.assertNotEqual(done.returncode, 0)

    def test_selftest_finds_no_fault(self):
        for device, about, lacking in HONEST:
            with self.subTest(f"{device}, {about}"):
                done = run(device, "selftest", "--json", "--only", about)
                self.assertEqual(done.returncode, 0, done.text)
                answer = json.loads(done.stdout)
                self.assertEqual((answer["wrong"], answer["avoided"]), (0, 0), done.text)
                missing = [row["name"] for row in answer["rows"] if row["verdict"] == "lacking"]
                self.assertEqual(missing, [lacking] if lacking else [], done.text)

    @unittest.skipUnless(FULL, "only with --full: the grid, the scans and the order under each")
    def test_grids(self):
        build = os.path.dirname(LAYER)
        for device in WEAK:
            for program in (("grid", "--pairwise", "--slice", "1/24"), ("scans", "--pairwise", "--slice", "1/12"),
                            ("order",)):
                with self.subTest(device=device, program=program):
                    done = subprocess.run([os.path.join(build, program[0]), *program[1:]], stdout=subprocess.PIPE,
                                          check=False,
                                          env={**os.environ, "OPENCL_LAYERS": LAYER, "WEAK_DEVICE": device})
                    self.assertEqual(done.returncode, 0, done.stdout.decode()[-2000:])


class Lies(unittest.TestCase):
    """Wrong devices are found, named and avoided."""

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="clreduce-lies-")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def selftest(self, device, about):
        path = os.path.join(self.folder.name, f"{device}.txt")
        only = () if FULL or about is None else ("--only", about)
        done = run(device, "selftest", "--json", "--findings", path, *only, timeout=3000)
        self.assertIn(done.returncode, (0, 3), done.text)
        return done, json.loads(done.stdout), path

    def check(self, device):
        about, name, verdict, fact, found = LIES[device]
        done, answer, path = self.selftest(device, about)
        row = next(row for row in answer["rows"] if row["name"] == name)
        self.assertEqual(row["verdict"], verdict, done.text)
        self.assertTrue(row["detail"], done.text)
        self.assertEqual(done.returncode, 3 if answer["wrong"] else 0, done.text)
        if verdict == "wrong":
            self.assertIn(name.encode(), done.stderr, done.text)
        if fact:
            value = answer["facts"][fact]["found"]
            self.assertTrue(found(value) if callable(found) else value == found, f"{fact} {value}\n{done.text}")
            known = json.loads(run(device, "query", "--json", "--findings", path).stdout)[0]
            self.assertEqual(known["facts"][fact], value)
            self.assertTrue(known["known"][fact])
        elif not FULL:
            # In a full selftest the same fault may make the trial of the largest buffer fail.
            others = [other for other, both in answer["facts"].items() if both["found"] != both["reported"]]
            self.assertEqual(others, [], done.text)
        return path

    def test_all_are_found(self):
        for device in LIES:
            with self.subTest(device):
                path = self.check(device)
                if device in AFTER:
                    self.check_after(device, path)

    def check_after(self, device, path):
        arguments, before, after, word = AFTER[device]
        count = 600003 if device == "lies_atomics" else 200003
        data = ("--generate", f"uniform:{count}:2", "--type", TYPES.get(device, "float"))
        if device == "lies_shorts":
            data = ("--generate", "constant:1000:-5", "--type", "short")
        if before is not None:
            done = run(device, *arguments, *data)
            self.assertEqual(done.returncode, before, done.text)
        done = run(device, *arguments, *data, "--findings", path)
        self.assertIn(done.returncode, WRONG_TYPE_CODES if after == 1 else (after,), done.text)
        self.assertIn(word.encode(), done.stderr, done.text)

    def test_an_honest_device(self):
        done, answer, path = self.selftest(None, "limits,atomics")
        self.assertEqual((done.returncode, answer["wrong"], answer["avoided"]), (0, 0, 0), done.text)
        with open(path, encoding="utf-8") as file:
            self.assertNotIn("\nfact ", file.read())


if __name__ == "__main__":
    sys.argv = [word for word in sys.argv if word != "--full"]
    names = {"weak": "Weak", "lies": "Lies"}
    sys.argv[1:] = [names.get(word, word) for word in sys.argv[1:]]
    unittest.main(verbosity=2 if FULL else 1)
