"""Missing and truncated files, files of the wrong length, wrong .npy headers: an exit code, one line on standard error
that names the file, and nothing on standard output."""

import os
import subprocess
import unittest

import numpy as np

from cli import TOOL, Case
from cli import npy_header as header

MAGIC = b"\x93NUMPY"
SIXTEEN = np.arange(16, dtype="<f4").tobytes()


def describing(descr="'<f4'", fortran="False", shape="(16,)"):
    return header("{'descr': %s, 'fortran_order': %s, 'shape': %s, }\n" % (descr, fortran, shape)) + SIXTEEN


class Npy(Case):

    def refuse(self, files):
        for name, content in files.items():
            file_name = name.replace(" ", "-") + ".npy"
            self.assert_refused("reduce", "sum", self.write(file_name, content), naming=file_name)

    def test_good_one(self):
        self.assertEqual(self.result("reduce", "sum", self.write("good.npy", describing())), "120")

    def test_no_npy_file(self):
        self.refuse({
            "empty": b"",
            "one byte": b"\x93",
            "no magic": b"1.0 2.0 3.0 4.0 5.0 6.0\n",
            "magic alone": MAGIC,
            "no header length": MAGIC + b"\x01\x00",
            "unknown format": header("{}", version=9) + SIXTEEN,
            "format 0": header("{}", version=0) + SIXTEEN})

    def test_truncated(self):
        good = describing()
        self.refuse({
            "last byte missing": good[:-1],
            "last element missing": good[:-4],
            "no data": good[:-64],
            "within the header": good[:40]})

    def test_header_length(self):
        text = "{'descr': '<f4', 'fortran_order': False, 'shape': (16,), }"
        self.refuse({
            "past the end": header(text, length=60000) + SIXTEEN,
            "past the end in format 2": header(text, version=2, length=2**32 - 1) + SIXTEEN,
            "of zero": header(text, length=0) + SIXTEEN,
            "within the text": header(text, length=20) + SIXTEEN})

    def test_header_text(self):
        self.refuse({
            "no dictionary": header("hello") + SIXTEEN,
            "not closed": header("{'descr': '<f4', 'fortran_order': False, 'shape': (16,)") + SIXTEEN,
            "no descr": header("{'fortran_order': False, 'shape': (16,), }") + SIXTEEN,
            "no shape": header("{'descr': '<f4', 'fortran_order': False, }") + SIXTEEN,
            "no order": header("{'descr': '<f4', 'shape': (16,), }") + SIXTEEN,
            "order of 3": describing(fortran="3"),
            "unknown key": header("{'descr': '<f4', 'fortran_order': False, 'shape': (16,), 'x': 1}") + SIXTEEN,
            "zero bytes": header("\0" * 60) + SIXTEEN})

    def test_shape(self):
        self.refuse({
            "negative": describing(shape="(-16,)"),
            "twice negative": describing(shape="(-4, -4)"),
            "product past 64 bits": describing(shape="(4294967296, 4294967296)"),
            "product that wraps to 16": describing(shape="(9223372036854775816, 2)"),
            "one past 64 bits": describing(shape="(18446744073709551632,)"),
            "bytes past 64 bits": describing(shape="(4611686018427387904,)"),
            "more than there is": describing(shape="(1000000000000,)"),
            "no tuple": describing(shape="16"),
            "no number": describing(shape="('a',)"),
            "fraction": describing(shape="(16.0,)"),
            "not closed": describing(shape="(16,")})

    def test_elements(self):
        self.refuse({
            "objects": describing("'|O'"),
            "fields": describing("[('a', '<f4')]"),
            "complex of 32 bytes": describing("'<c32'"),
            "complex of half": describing("'<c4'"),
            "float of 16 bytes": describing("'<f16'"),
            "text": describing("'<U4'"),
            "bytes": describing("'|S4'"),
            "time": describing("'<M8[s]'"),
            "void": describing("'|V4'"),
            "float of 3 bytes": describing("'<f3'"),
            "int of 16 bytes": describing("'<i16'"),
            "no type": describing("''")})

    def test_object_array_of_numpy(self):
        path = self.path("objects.npy")
        np.save(path, np.array([1, "two", None], dtype=object), allow_pickle=True)
        self.assert_refused("reduce", "sum", path, naming="objects.npy")

    def test_skip_bytes_is_for_raw_files(self):
        self.assert_refused("reduce", "sum", self.write("skip.npy", describing()), "--skip-bytes", "4",
                            naming="--skip-bytes")


class Raw(Case):

    def test_not_a_multiple(self):
        path = self.write("seven.raw", b"1234567")
        self.assert_refused("reduce", "sum", path, "--type", "int", naming="seven.raw")
        self.assert_refused("reduce", "sum", self.write("nine.raw", b"123456789"), "--type", "double",
                            naming="nine.raw")
        self.assert_refused("reduce", "sum", self.write("eight.raw", b"12345678"), "--type", "int",
                            "--skip-bytes", "1", naming="eight.raw")
        self.assert_refused("reduce", "sum", "-", "--type", "short", stdin=b"123")

    def test_skip_past_the_end(self):
        self.assert_refused("reduce", "sum", self.write("short.raw", b"1234"), "--type", "int",
                            "--skip-bytes", "5", naming="short.raw")
        self.assert_refused("reduce", "sum", "-", "--type", "int", "--skip-bytes", "5", stdin=b"1234")

    def test_no_type(self):
        self.assert_refused("reduce", "sum", self.write("untyped.raw", b"1234"), naming="--type")
        self.assert_refused("reduce", "sum", "-", stdin=b"1\0\0\0", naming="--type")  # begins like text


class Unreadable(Case):

    def test_missing(self):
        self.assert_refused("reduce", "sum", self.path("nowhere.npy"), code=1, naming="nowhere.npy")
        self.assert_refused("reduce", "sum", self.path("nowhere.raw"), "--type", "float", code=1, naming="nowhere.raw")
        self.assert_refused("plan", "sum", self.path("nowhere.npy"), code=1, naming="nowhere.npy")
        self.assert_refused("ladder", self.path("nowhere.npy"), code=1, naming="nowhere.npy")

    def test_folder(self):
        self.assert_refused("reduce", "sum", self.folder, "--type", "float", code=1,
                            naming=os.path.basename(self.folder))

    @unittest.skipIf(os.geteuid() == 0, "root may read everything")
    def test_not_allowed(self):
        path = self.write("secret.npy", describing())
        os.chmod(path, 0)
        self.assert_refused("reduce", "sum", path, code=1, naming="secret.npy")

    @unittest.skipUnless(os.path.exists("/dev/full"), "no /dev/full")
    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "wb") as full:
            process = subprocess.run([TOOL, "reduce", "sum", "--generate", "ones:4"], stdout=full,
                                     stderr=subprocess.PIPE, timeout=120, check=False)
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stderr.count(b"\n"), 1)
