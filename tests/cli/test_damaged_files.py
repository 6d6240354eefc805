"""Randomly damaged .npy files: each is refused by one line and an exit code, or NumPy reads it, too, and computes the
same result. Each file is first tried without a driver, which is fast. 400 files are tried, and at most 20 that are not
refused run on the device. CLREDUCE_TEST_MANY=N tries N files, all on the device; CLREDUCE_TEST_SEED=S makes others."""

import io
import os
import random
import warnings

import numpy as np

from cli import Case, Run, npy, whole_sum

MANY = int(os.environ.get("CLREDUCE_TEST_MANY", "400"))
ON_DEVICE = MANY if "CLREDUCE_TEST_MANY" in os.environ else 20
SEED = int(os.environ.get("CLREDUCE_TEST_SEED", "1"))

# Valid and invalid words of a header.
WORDS = [b"'<f4'", b"'>i8'", b"'|b1'", b"'<c16'", b"'|O'", b"'<f3'", b"[('a', '<f4')]", b"True", b"False", b"None",
         b"(", b")", b",",
         b"{", b"}", b"'descr'", b"'shape'", b"'fortran_order'", b":", b"-1", b"0", b"1e3", b"18446744073709551616",
         b"9223372036854775807",
         b"L", b" ", b"\0", b"\n", b"#", b"\\", b"\"", b"(2, (3,))"]


def whole_files():
    """Bytes of good files, of many types, shapes and formats."""
    arrays = [np.arange(6).astype(kind) for kind in ("i1", "<u2", ">i4", "<i8", ">u8", "<f4", ">f8", "<f2", "<c8", "?")]
    arrays += [np.arange(24, dtype="<f4").reshape(2, 3, 4), np.asfortranarray(np.arange(12, dtype="<i4").reshape(3, 4)),
               np.array(7.5), np.zeros((0, 3), "<u4")]
    return [npy(array, version) for array in arrays for version in ((1, 0), (2, 0))]


def change_byte(data, chance, place):
    data[place] = chance.randrange(256)


def change_bit(data, chance, place):
    data[place] ^= 1 << chance.randrange(8)


def leave_out(data, chance, place):
    del data[place:place + chance.randint(1, 12)]


def say_twice(data, chance, place):
    data[place:place] = data[place:place + chance.randint(1, 12)]


def put_word(data, chance, place):
    data[place:place] = chance.choice(WORDS)


def put_word_over(data, chance, place):
    word = chance.choice(WORDS)
    data[place:place + len(word)] = word


def cut(data, chance, place):
    del data[place:]


def lengthen(data, chance, place):
    data.extend(chance.randbytes(chance.randint(1, 20)))


DAMAGES = [change_byte, change_bit, leave_out, say_twice, put_word, put_word_over, put_word_over, cut, lengthen]


def damaged(chance, files):
    """One to three changes, most of them in the header."""
    data = bytearray(chance.choice(files))
    if chance.random() < 0.1:
        data = data[:chance.randrange(len(data))] + chance.choice(files)
    for _ in range(chance.choice((1, 1, 1, 2, 3))):
        within = len(data) if chance.random() < 0.2 else min(len(data), 80)
        chance.choice(DAMAGES)(data, chance, chance.randrange(within) if within else 0)
        if not data:
            break
    return bytes(data)


def as_numpy(content):
    """The array that NumPy reads, or None."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return np.lib.format.read_array(io.BytesIO(content), allow_pickle=False)
    except Exception:  # NumPy raises many kinds
        return None


class Damaged(Case):

    def check_refused(self, run):
        self.assertIn(run.code, (1, 2), str(run))
        self.assertEqual(run.out, "", str(run))
        self.assertTrue(run.err.endswith("\n") and run.err.count("\n") == 1 and len(run.err) > 12, str(run))

    def is_refused(self, arguments):
        """Runs without a driver. A file that is not refused fails at the first OpenCL call."""
        run = Run(arguments, environment={"OCL_ICD_VENDORS": self.directory})
        self.check_refused(run)
        return "no OpenCL platform" not in run.err

    def check_sum(self, run, array):
        """The sum of integers, and the count of non-zero elements of other types."""
        self.assertIsNotNone(array, f"NumPy cannot read it\n{run}")
        if array.dtype.kind in "iu":
            self.assertEqual(int(run.out), whole_sum(array), str(run))
        else:
            self.assertEqual(int(run.out), np.count_nonzero(array), str(run))

    def try_many(self, seed, many, on_device, try_one):
        chance = random.Random(seed)
        files, refused, late, good = whole_files(), 0, 0, 0
        for i in range(many):
            content = damaged(chance, files)
            path = self.write(f"damaged{i}.npy", content)
            arguments, check = try_one(i, path, as_numpy(content))
            with self.subTest(f"seed {seed}, file {i}", content=content):
                if self.is_refused(arguments):
                    refused += 1
                elif late + good < on_device:
                    run = Run(arguments)
                    late += run.code != 0
                    good += run.code == 0
                    (check if run.code == 0 else self.check_refused)(run)
            os.remove(path)
        print(f"seed {seed}: {many} files, {refused} refused without a device; with one {late} more, "
              f"and {good} are still arrays")
        self.assertGreater(refused, many // 2)
        return good

    def test_as_input(self):
        def try_one(_, path, array):
            op = "sum" if array is not None and array.dtype.kind in "iu" else "count_nonzero"
            return ["reduce", op, path], lambda run: self.check_sum(run, array)
        self.assertGreater(self.try_many(SEED, MANY, ON_DEVICE, try_one), 0)

    def test_beside_the_input(self):
        """Damaged offsets, keys, flags and second inputs. Accepted ones are verified."""
        good = self.write("good.npy", np.arange(6, dtype="<f4"))
        uses = [["sum", good, "--segments"], ["sum", good, "--by-key"], ["sum", good, "--heads"],
                ["dot", good, "--with"]]

        def try_one(i, path, array):
            return ["reduce", *uses[i % len(uses)], path, "--verify"], lambda run: self.assertIsNotNone(array, str(run))
        self.try_many(SEED + 1, MANY // 5, ON_DEVICE // 4, try_one)
