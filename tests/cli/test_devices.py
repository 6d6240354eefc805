"""reduce and scan --device 0,1 and --device all: several devices work together, to the bits of one. The driver shows
two."""

import json
import unittest
from pathlib import Path

import numpy as np

from cli import Case, Run, fixed_order, wide_values
from test_partial import AFFINE

COUNT = 60007


class Devices(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.values = wide_values(COUNT, "float32")
        cls.whole = cls.write("whole.npy", cls.values)

        if len(json.loads(Run(("query", "--json")).out)) < 2:
            print("skipped: test_devices: there is only one device", flush=True)
            raise unittest.SkipTest("there is only one device")


class Bits(Devices):
    def test_shares(self):
        """More than 128 MiB, which are too few for two devices."""
        count = 2**25 + 777
        spec = ("--generate", f"wide:{count}:3")
        expected = self.json("reduce", "sum", *spec, "--device", "0")["result"]
        for weights in ((), ("--weights", "3,1")):
            answer = self.json("reduce", "sum", *spec, "--device", "all", *weights)
            self.assertEqual(answer["result"], expected)
            left, right = answer["devices"]
            self.assertEqual((left["first"], right["first"]), (0, left["count"]))
            self.assertEqual(left["count"] + right["count"], count)
        self.assertLess(abs(left["count"] - 3 * count / 4), count / 128)


    def test_every_way_in(self):
        text = self.write("t.csv", "\n".join(["x", *(f"{value:.9g}" for value in self.values[:9000])]))
        for way, expected in (((text, "--column", "x"), self.values[:9000]), (("-",), self.values)):
            run = self.run_well("reduce", "sum", *way, "--type", "float", "--device", "all",
                                stdin=self.values.tobytes())
            self.assert_same_bits(run.out.strip(), fixed_order(expected), way[0])

    def scanned(self, *words):
        """The file that a scan writes."""
        out = self.path("out.npy")
        run = self.run_well("scan", *words, "--output", out, "--json")
        return Path(out).read_bytes(), json.loads(run.out)

    def test_scans(self):
        for words in (("mean", self.whole, "--exclusive"), ("sum", self.whole, "--initial", "0.1")):
            expected = self.scanned(*words, "--device", "0")[0]
            self.assertEqual(self.scanned(*words, "--device", "1,0")[0], expected, words)

    def test_shares_of_scans(self):
        """Also of an operator that does not commute, over as many bytes."""
        maps = (1 + np.resize(self.values, 2**25 + 1554) * np.float32(1e-9)).astype("float32")
        sums = ("sum", "--generate", f"wide:{2**25 + 777}:3")
        own = (self.write("maps.raw", maps.tobytes()), *AFFINE, "--type", "float2")
        for words, weights, share in ((sums, "1,3", 1 / 4), (sums, None, None), (own, "1,1", 1 / 2)):
            expected, one = self.scanned(*words, "--device", "0")
            out, answer = self.scanned(*words, "--device", "0,1", *(("--weights", weights) if weights else ()))
            self.assertEqual(out, expected)
            left, right = answer["devices"]
            self.assertEqual((right["first"], left["count"] + right["count"]), (left["count"], one["count"]))
            if share:
                self.assertLess(abs(left["count"] / one["count"] - share), 1 / 128)
        self.assertEqual(self.run_well("reduce", *own, "--device", "all", "--weights", "1,1").out,
                         self.run_well("reduce", *own, "--device", "0").out)

    def test_outputs(self):
        one, two = self.path("one.npy"), self.path("two.npy")
        self.run_well("reduce", "sum", self.whole, "--device", "0", "--output", one)
        self.run_well("reduce", "sum", self.whole, "--device", "all", "--output", two)
        self.assertEqual(Path(one).read_bytes(), Path(two).read_bytes())
        part, rest = self.path("part.clr"), self.path("rest.clr")
        half = self.write("half.npy", self.values[:30000]), self.write("end.npy", self.values[30000:])
        self.run_well("reduce", "sum", half[0], "--device", "all", "--partial", part)
        answer = self.json("reduce", "sum", half[1], "--device", "0,1", "--partial", rest, "--first", 30000)
        self.assertEqual([device["first"] for device in answer["devices"]], [30000, COUNT])
        answer = self.expect("reduce", "sum", self.whole, "--device", "1,0", count=COUNT)  # too few for two
        self.assertEqual([(device["index"], device["count"]) for device in answer["devices"]], [(1, COUNT), (0, 0)])
        self.assert_same_bits(self.result("join", rest, part), fixed_order(self.values))


class Refusals(Devices):
    def test_command_lines(self):
        # The input does not exist: nothing is read.
        self.assert_each_refused("reduce sum nowhere.npy --device all", {
            "--axis 0": "--axis", "--each": "--each", "--chunk 7": "--chunk", "--order any": "--order any",
            "--strategy atomic": "atomic"})
        for operator in ("median", "top:3"):
            self.assert_refused("reduce", operator, "nowhere.npy", "--device", "0,1", naming=(operator, "one device"))
        self.assert_each_refused(f"reduce sum {self.whole} --device", {
            "1,0,1": ("1,0,1", "device 1 is named twice"), "0,9": "'9'", ",": "''"})
        self.assert_refused("reduce", "sum", self.whole, "--device", "0,1", "--assume", "max_alloc=9000", code=1,
                            naming="holds at most 9000")
        self.assert_each_refused(f"scan sum {self.whole} --output x.npy --device all", {
            "--reverse": "reversed", "--chunk 777": "--chunk", "--axis 0": "--axis",
            "--weights 1,2,3": ("--weights 1,2,3", "3 numbers for 2 devices")})
        self.assert_each_refused(f"select x>0 {self.whole} --output x.npy --device", {"all": "'all'"})
        self.assert_each_refused(f"reduce sum {self.whole}", {"--weights 1,2": "--weights",
                                                              "--device 0,1 --weights 1,-1": "weights[1] is -1"})

    def test_failures_while_devices_work(self):
        text = self.write("bad.csv", "\n".join(["1"] * 50 + ["three"]))
        self.assert_refused("reduce", "sum", text, "--type", "float", "--device", "all", naming="three")
