"""scan, select and histogram over inputs that are read chunk by chunk: every chunk size gives the results of the whole
input, bit for bit, and a failure leaves nothing behind."""

import array
import fcntl
import io
import itertools
import os
import resource
import signal
import subprocess
import termios
import time

import numpy as np

from cli import TOOL, Case, Run, wide_values

FLOATS = wide_values(50003, "float32")
CHUNKS = (333, 5000, 10**9)
DEVICES = ((), ("--assume", "cpu=0,unified_memory=0"))
SMALL = ("--assume", "max_alloc=65536")
SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGXCPU, signal.SIGPIPE)
# Their results over whole files are those of NumPy in test_scan.py, test_select.py and test_histogram.py.
COMMANDS = (("scan", "sum"), ("scan", "sum", "--exclusive", "--initial", "0.1"), ("scan", "mean"),
            ("select", "x > 1"), ("select", "x > 1", "--indices"), ("histogram", "--bins", 20),
            ("histogram", "--bins", 20, "--low", -2), ("histogram", "--edges", "-3,-1,0,0.1,2.5"))
# One of each verb: another device needs other programs.
ON_GPU = (COMMANDS[0], COMMANDS[3], COMMANDS[6])
# Verbs that write into a file, and the sum of what they write for 2^19 zeros.
INTO_FILES = {("scan", "count", "-", "--type", "float", "--chunk", "16"): 2**18 * (2**19 + 1),
              ("select", "x == 0", "-", "--type", "float", "--chunk", "16", "--indices"): 2**18 * (2**19 - 1),
              ("reduce", "count", "-", "--type", "float", "--group", "KEYS"): 2**19,
              ("histogram", "-", "--type", "float", "--bins", "4", "--low", "0", "--high", "1"): 2**19}


class Streamed(Case):

    def setUp(self):
        super().setUp()
        self.floats = self.write("floats.npy", FLOATS)

    def through_a_pipe(self, *arguments, stdin=b""):
        """The array on standard output. A pipe cannot be rewritten."""
        command = [TOOL] + [str(argument) for argument in arguments] + ["--output", "-"]
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=True)
        return np.load(io.BytesIO(done.stdout))

    def outputs(self):
        return [name for name in os.listdir(self.directory) if name.startswith("out")]

    def assert_nothing_left(self):
        self.assertEqual(self.outputs(), [])


class Results(Streamed):

    def test_every_chunk_and_device(self):
        """Also sums of floats whose magnitudes differ: other brackets give other bits."""
        for command in COMMANDS:
            whole = self.array(*command, self.floats)
            for chunk in CHUNKS:
                for device in DEVICES if command in ON_GPU else DEVICES[:1]:
                    self.assert_array(self.array(*command, self.floats, "--chunk", chunk, *device), whole, command)

    def test_more_than_a_buffer(self):
        """Generated input streams as pipes do, of any length."""
        for command in COMMANDS:
            for given in ((self.floats,), ("--generate", "uniform:50003"))[:2 if command in ON_GPU else 1]:
                whole = self.array(*command, *given)
                for device in ("", ",cpu=0", ",unified_memory=0") if command[:2] == ("scan", "sum") else ("",):
                    small = ("--assume", "max_alloc=65536" + device)
                    self.assert_array(self.array(*command, *given, *small), whole, (command, device))
        report = self.expect("scan", "sum", self.floats, *SMALL, "--output", self.path("out.npy"), chunk=16384,
                             count=50003, shape=[50003])
        self.assertGreater(report["kernel_seconds"], 0)
        self.expect("select", "x > 1", self.floats, *SMALL, "--indices", result=int((FLOATS > 1).sum()), count=50003,
                    chunk=8192)
        self.assertEqual(self.result("select", "x > 0", "--generate", "ones:100003", *SMALL), "100003")

    def test_pipes(self):
        """Lengths known and unknown, into a file and into a pipe."""
        for command in (COMMANDS[0], *COMMANDS[3:5]):
            whole = self.array(*command, self.floats)
            for chunk in (), ("--chunk", 5000):
                raw = (*command, "-", "--type", "float", *chunk)
                self.run_well(*raw, "--output", self.path("out.npy"), stdin=FLOATS.tobytes())
                self.assert_array(np.load(self.path("out.npy")), whole, command)
                self.assert_array(self.through_a_pipe(*raw, stdin=FLOATS.tobytes()), whole, command)
                self.assert_array(self.through_a_pipe(*command, self.floats, *chunk), whole, command)
                self.assert_array(self.through_a_pipe(*raw), whole[:0], command)
        bins = ("histogram", "-", "--type", "float", "--bins", 20, "--low", -2, "--high", 3, "--chunk", 5000)
        self.expect(*bins, stdin=FLOATS.tobytes(), counts=np.histogram(FLOATS, 20, (-2, 3))[0].tolist(), count=50003,
                    chunk=5000)
        self.expect(*bins, counts=[0] * 20, count=0)

    def test_shapes_and_inputs(self):
        ints = np.random.default_rng(3).integers(-1000, 1000, (50, 20, 50), "int16")
        for values in (ints, ints.astype(">i2")):
            self.assert_array(self.array("scan", "sum", self.write("ints.npy", values), "--chunk", 3000),
                              ints.cumsum(dtype="int64").reshape(ints.shape))
        dot = ("scan", "dot", self.floats, "--with", self.write("other.npy", wide_values(50003, "float32", 2)))
        self.assert_array(self.array(*dot, "--chunk", 5000), self.array(*dot))
        mask = np.arange(len(FLOATS)) % 3 == 0
        select = ("select", "marked && x >= least", self.floats, "--parameter", "float:least=2", "--input",
                  "uchar:marked", "--with", self.write("mask.npy", mask.astype("uint8")))
        self.assert_array(self.array(*select, "--chunk", 1000), FLOATS[mask & (FLOATS >= 2)])

    def test_predicates_with_an_index(self):
        """index counts from the first element of a call, so such a predicate sees the whole input at once."""
        self.assert_refused("select", "index % 2 == 0", self.floats, "--chunk", 1000, naming="--chunk")
        self.assert_refused("select", "index % 2 == 0", self.floats, *SMALL, code=1, naming="65536")
        self.assert_array(self.array("select", "index % 2 == 0", self.floats), FLOATS[::2])

    def test_numbers_of_the_plan(self):
        """Groups and elements are those of a whole chunk, passes those of all chunks."""
        chunk, output = 8192, ("--output", self.path("results.npy"))
        path, one = (self.write(f"{n}.npy", np.arange(n * chunk, dtype="int32")) for n in (3, 1))
        for command in (("scan", "sum"), ("select", "x > 9"), ("histogram", "--bins", 8, "--low", 0, "--high", 9)):
            whole = self.json(*command, one, *output)
            streamed = self.json(*command, path, *output, "--chunk", chunk)
            for name, factor in (("groups", 1), ("elements", 1), ("passes", 3)):
                self.assertEqual(streamed[name], factor * whole[name], (command, name))


class Files(Streamed):

    def test_in_place(self):
        """The output replaces the input after the last chunk was read."""
        whole = self.array("scan", "sum", self.floats)
        self.run_well("scan", "sum", self.floats, "--chunk", 1, "--output", self.floats)
        self.assert_array(np.load(self.floats), whole)

    def test_directory_of_temporary_files(self):
        """Results for a pipe are kept in $TMPDIR until the last one is there."""
        run = Run(("scan", "sum", self.floats, "--chunk", "5000", "--output", "-"), None,
                  {"TMPDIR": self.path("none")})
        self.assertEqual((run.code, run.out, run.err),
                         (1, "", "clreduce: --output -: cannot keep the results in a temporary file: No such file or "
                                 "directory; set TMPDIR to a directory with room\n"))

    def test_signals_leave_nothing_behind(self):
        """The pipe stays open, so the tool waits for its end, with an unfinished file if it writes chunks."""
        for name in self.outputs():  # of the tests before
            os.remove(self.path(name))
        for number, verb in zip(SIGNALS, itertools.cycle(INTO_FILES)):
            with self.subTest(verb[:2], number=number):
                with self.start_and_send(number, signal.SIG_DFL, verb) as process:
                    process.wait(120)
                self.assertEqual(process.returncode, -number)
                self.assert_nothing_left()

    def test_ignored_signals_change_nothing(self):
        """As under nohup: drivers have handlers of these signals, and the tool none."""
        for number, (verb, count) in zip(SIGNALS, itertools.cycle(INTO_FILES.items())):
            with self.subTest(verb[:2], number=number):
                with self.start_and_send(number, signal.SIG_IGN, verb) as process:
                    process.stdin.write(bytes(1 << 20))
                self.assertEqual(process.returncode, 0)
                self.assertEqual(np.load(self.path("out.npy")).ravel().astype("float64").sum(), count)
                os.unlink(self.path("out.npy"))
                self.assert_nothing_left()

    def test_killed(self):
        """The next run takes the name over; a run beside one that still writes takes another."""
        verb = next(iter(INTO_FILES))
        for name in self.outputs():
            os.unlink(self.path(name))
        with self.start_and_send(signal.SIGKILL, signal.SIG_DFL, verb) as process:
            process.wait(120)
        self.assertEqual(self.outputs(), ["out.npy.clreduce-part"])
        with self.start_and_send(None, signal.SIG_DFL, verb) as process:
            self.assertEqual(self.outputs(), ["out.npy.clreduce-part"])
            self.run_well(*verb, "--output", self.path("out.npy"), stdin=bytes(8))
            self.assertEqual(len(np.load(self.path("out.npy"))), 2)
        self.assertEqual((process.returncode, self.outputs()), (0, ["out.npy"]))
        self.assertEqual(len(np.load(self.path("out.npy"))), 1 << 18)

    def start_and_send(self, number, action, verb):
        """The tool, which has got the signal while it waited for more input."""
        def prepare():
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
            if number is not None and action is signal.SIG_IGN:
                signal.signal(number, action)
        keys = self.write("keys.npy", np.zeros(1 << 19, "uint8"))
        command = [TOOL, *(keys if word == "KEYS" else word for word in verb), "--output", self.path("out.npy")]
        process = subprocess.Popen(command, stdin=subprocess.PIPE, preexec_fn=prepare)
        process.stdin.write(bytes(1 << 20))
        process.stdin.flush()
        def waits():
            return array.array("i", fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)))[0] == 0
        while process.poll() is None and not (waits() and ("--chunk" not in verb or self.outputs())):
            time.sleep(0.001)
        if number is not None:
            process.send_signal(number)
        return process
