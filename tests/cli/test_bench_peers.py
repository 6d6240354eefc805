"""bench: peers, which are other programs that compute the same, right or wrong. They may refuse, end or hang."""

import os
import signal
import subprocess
import time
from pathlib import Path

from cli import TOOL
from test_bench import PEER, WELL, WithPeers


# A peer that adds the elements that it finds in the shared memory.
SPY = """#!/usr/bin/python3 -B
import mmap, sys
import numpy as np
print("peer spy wall,device 1 of python", flush=True)
for line in sys.stdin:
    words = line.split()
    if words[0] == "prepare":
        data = np.frombuffer(mmap.mmap(3, 4 * int(words[3])), np.float32)
    if words[0] == "run":
        print("seconds 1e-3 value", repr(float(data.sum(dtype=np.float64))), flush=True)
    else:
        print("ready", flush=True)
"""


class Peers(WithPeers):

    def only(self, text, *arguments, code=0):
        """The answer's entry for the peer with this text, its row, and all rows."""
        answer, rows = self.rows("--sizes", "64", "--patience", "1", *arguments, peers=self.folder_of(fake=text),
                                 code=code)
        return answer["peers"][0], rows.get(("sum", "float", 64, "fake")), rows

    def peer(self, **changes):
        return PEER.format(**{**WELL, **changes})

    def test_a_peer_that_is_right(self):
        answer, rows = self.rows("--sizes", "64,5000", peers=self.folder_of(spy=SPY))
        self.assertEqual(answer["peers"], [{"name": "spy", "version": "1 of python", "left_out": None}])
        for count in (64, 5000):
            row = rows["sum", "float", count, "spy"]
            self.assertEqual((row["kind"], row["correct"]), ("peer", True))
            self.assertEqual(row["wall_clock"]["seconds"], 1e-3)
            self.assertEqual(row["device_clock"]["seconds"], 1e-3)

    def test_a_wrong_value(self):
        for value in ("1", "nan", "inf", "words", "1e999"):
            peer, row, rows = self.only(self.peer(run=f"echo seconds 1e-3 value {value}"), code=3)
            self.assertIsNone(peer["left_out"], value)
            self.assertIs(row["correct"], False, value)
            self.assertIs(rows["sum", "float", 64, "auto"]["correct"], True, value)

    def test_a_wrong_value_is_marked_in_the_table(self):
        run = self.bench("--sizes", "64", peers=self.folder_of(fake=self.peer()), code=3)
        self.assertIn("WRONG", next(line for line in run.out.splitlines() if " fake " in line))
        self.assertIn("fake", run.err)

    def test_refusals(self):
        peer, row, _ = self.only(self.peer(device="echo refused it is elsewhere"))
        self.assertEqual((peer["left_out"], row), (None, None))
        peer, row, _ = self.only(self.peer(prepare="echo refused no such operator"))
        self.assertEqual((peer["left_out"], row["refused"], row["correct"]), (None, "no such operator", None))

    def test_peers_that_are_left_out(self):
        """Each answers wrongly in one place. The error names what it said or did, and our row stays right."""
        for place, does, word in (
                *((place, "printf 'se\\000x\\n'", "'se'") for place in ("device", "prepare", "run")),
                *((place, "exit 7", "ended") for place in ("device", "prepare", "run")),
                *((place, "sleep 1000", "1 seconds") for place in ("prepare", "run")),
                ("device", "echo maybe", "maybe"), ("prepare", "echo ready or not", "ready or not"),
                *(("run", f"echo {said}", said) for said in ("seconds x value 1", "seconds -1 value 1", "seconds 1e-3",
                                                             "seconds inf value 1")),
                ("prepare", "head -c 5000 /dev/zero | tr '\\0' x", "no end")):
            with self.subTest(place=place, does=does):
                begun = time.monotonic()
                peer, row, rows = self.only(self.peer(**{place: does}))
                self.assertIn(word, peer["left_out"])
                self.assertTrue(place == "device" or word in row["refused"])
                self.assertIs(rows["sum", "float", 64, "auto"]["correct"], True)
                self.assertLess(time.monotonic() - begun, 60)

    def test_programs_that_are_no_peers(self):
        for text, word in (("#!/bin/sh\nexit 1\n", "ended"), ("#!/nonexistent/shell\n", "started"),
                           (self.peer(hello="hello"), "hello")):
            self.assertIn(word, self.only(text)[0]["left_out"])

    def test_a_peer_that_is_left_out_is_named(self):
        run = self.run_well("bench", "--sizes", "64", "--repeat", "1",
                            environment={"CLREDUCE_PEERS": self.folder_of(fake=self.peer(prepare="exit 1"))})
        self.assertEqual(run.err, "clreduce: peer fake is left out: it has ended\n")

    def test_choosing(self):
        folder = self.folder_of(one=self.peer(prepare="echo refused no"), two=self.peer(prepare="echo refused no"))
        for wanted, names in (("all", ["one", "two"]), ("none", []), ("two", ["two"]), ("two,one", ["one", "two"])):
            answer, _ = self.rows("--sizes", "64", "--peers", wanted, peers=folder)
            self.assertEqual([row["name"] for row in answer["rows"] if row["kind"] == "peer"], names, wanted)
        run = self.bench("--peers", "three", peers=folder, code=2)
        self.assertIn("one, two", run.err)

    def test_none_outlives_an_interrupt(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            noted = self.path(f"noted-{number}")
            folder = self.folder_of(fake=self.peer(prepare=f"echo $$ >{noted}.new; mv {noted}.new {noted}; sleep 1000"))
            process = subprocess.Popen([TOOL, "bench", "--sizes", "64"], env={**os.environ, "CLREDUCE_PEERS": folder},
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.wait_for(lambda: os.path.exists(noted), "the peer was never started")
            peer = int(Path(noted).read_text())
            process.send_signal(number)
            self.assertEqual(process.wait(60), -number)
            self.wait_for(lambda: is_gone(peer), "the peer outlived the tool")

    def test_idle_threads_sleep_unless_the_user_wants_otherwise(self):
        noted = self.path("noted")
        folder = self.folder_of(fake=self.peer(prepare=f"echo $OMP_WAIT_POLICY >{noted}; exit 1"))
        for given, seen in (({}, "passive"), ({"OMP_WAIT_POLICY": "active"}, "active")):
            subprocess.run([TOOL, "bench", "--sizes", "64", "--repeat", "1"], check=True,
                           env={**os.environ, "CLREDUCE_PEERS": folder, **given},
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            self.assertEqual(Path(noted).read_text().strip(), seen)

    def wait_for(self, condition, message):
        for _ in range(600):
            if condition():
                return
            time.sleep(0.1)
        self.fail(message)


def is_gone(process):
    """The process does not exist, or is a zombie."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True
