"""scan, select and histogram over inputs that are read chunk by chunk: every chunk size gives the results of the whole
input, bit for bit, and a failure leaves nothing behind."""

import array
import fcntl
import io
import os
import resource
import signal
import subprocess
import termios

import numpy as np

from cli import TOOL, Case, Run, wide_values

FLOATS = wide_values(50003, "float32")
CHUNKS = (1, 5000, 10**9)
DEVICES = ((), ("--assume", "cpu=0,unified_memory=0"))
SMALL = ("--assume", "max_alloc=65536")
SIGNALS = (signal.SIGHUP, signal.SIGINT, signal.SIGQUIT, signal.SIGTERM, signal.SIGXCPU, signal.SIGPIPE)
# Verbs that write into a file, and the sum of what they write for 2^19 zeros.
INTO_FILES = {("scan", "count", "-", "--type", "float", "--chunk", "16"): 2**18 * (2**19 + 1),
              ("select", "x == 0", "-", "--type", "float", "--chunk", "16", "--indices"): 2**18 * (2**19 - 1),
              ("reduce", "count", "-", "--type", "float", "--group", "KEYS"): 2**19,
              ("histogram", "-", "--type", "float", "--bins", "4", "--low", "0", "--high", "1"): 2**19}


class Streamed(Case):

    def array_of(self, output):
        return np.load(io.BytesIO(output))

    def through_a_pipe(self, *arguments, stdin=b""):
        """The array on standard output. A pipe cannot be rewritten."""
        command = [TOOL] + [str(argument) for argument in arguments] + ["--output", "-"]
        done = subprocess.run(command, input=stdin, capture_output=True, timeout=120, check=True)
        return self.array_of(done.stdout)

    def outputs(self):
        return [name for name in os.listdir(self.directory) if name.startswith("out")]

    def assert_nothing_left(self):
        self.assertEqual(self.outputs(), [])


class Scans(Streamed):
    """The oracle of whole scans is in test_scan.py."""

    KINDS = ((), ("--exclusive",), ("--initial", "0.1"), ("--exclusive", "--initial", "0.1"))

    def test_bits(self):
        """A sum of floats whose magnitudes differ: other brackets give other bits."""
        path = self.write("floats.npy", FLOATS)
        for kind in self.KINDS:
            whole = self.array("scan", "sum", path, *kind)
            for chunk in CHUNKS:
                for device in DEVICES:
                    self.assert_array(self.array("scan", "sum", path, *kind, "--chunk", chunk, *device), whole)

    def test_operators(self):
        path, other = self.write("floats.npy", FLOATS), self.write("p.npy", wide_values(50003, "float32", 2))
        for operator in ("mean", "var", "max", "norm2", "count_nonzero"):
            self.assert_array(self.array("scan", operator, path, "--chunk", 5000), self.array("scan", operator, path))
        dot = ("scan", "dot", path, "--with", other)
        self.assert_array(self.array(*dot, "--chunk", 5000), self.array(*dot))

    def test_integers_and_shapes(self):
        ints = np.random.default_rng(3).integers(-1000, 1000, (50, 20, 50), "int16")
        expected = ints.ravel().cumsum(dtype="int64").reshape(ints.shape)
        for values in (ints, ints.astype(">i2")):
            self.assert_array(self.array("scan", "sum", self.write("ints.npy", values), "--chunk", 3000), expected)

    def test_pipes(self):
        """Lengths known and unknown, into a file and into a pipe."""
        path = self.write("floats.npy", FLOATS)
        whole = self.array("scan", "sum", path)
        raw = ("scan", "sum", "-", "--type", "float", "--chunk", 5000)
        self.run_well(*raw, "--output", self.path("out.npy"), stdin=FLOATS.tobytes())
        self.assert_array(np.load(self.path("out.npy")), whole)
        self.assert_array(self.through_a_pipe(*raw, stdin=FLOATS.tobytes()), whole)
        self.assert_array(self.through_a_pipe("scan", "sum", path, "--chunk", 5000), whole)
        self.assert_array(self.through_a_pipe(*raw), FLOATS[:0])

    def test_more_than_a_buffer(self):
        path = self.write("floats.npy", FLOATS)
        whole = self.array("scan", "sum", path)
        for device in ("", ",cpu=0", ",unified_memory=0"):
            self.assert_array(self.array("scan", "sum", path, "--assume", "max_alloc=65536" + device), whole)
        report = self.json("scan", "sum", path, *SMALL, "--output", self.path("out.npy"))
        self.assertEqual((report["chunk"], report["count"], report["shape"]), (16384, 50003, [50003]))
        self.assertGreater(report["kernel_seconds"], 0)
        self.assertEqual(np.load(self.path("out.npy")).tobytes(), whole.tobytes())

    def test_in_place(self):
        """The output replaces the input after the last chunk was read."""
        path = self.write("same.npy", FLOATS)
        whole = self.array("scan", "sum", path)
        self.run_well("scan", "sum", path, "--chunk", 1, "--output", path)
        self.assert_array(np.load(path), whole)

    def test_overflow(self):
        ints = self.write("many.npy", np.full(20000, 2**62, "uint64"))
        self.assert_refused("scan", "sum", ints, "--overflow", "detect", "--chunk", 512, "--output",
                            self.path("out.npy"), code=1, naming="OVERFLOW")

    def test_directory_of_temporary_files(self):
        """Results for a pipe are kept in $TMPDIR until the last one is there."""
        path = self.write("kept.npy", FLOATS)
        run = Run(("scan", "sum", path, "--chunk", "5000", "--output", "-"), None, {"TMPDIR": self.path("none")})
        self.assertEqual((run.code, run.out, run.err),
                         (1, "", "clreduce: --output -: cannot keep the results in a temporary file: No such file or "
                                 "directory; set TMPDIR to a directory with room\n"))

    def test_signals_leave_nothing_behind(self):
        """The pipe stays open, so the tool waits for its end, with an unfinished file if it writes chunks."""
        for name in self.outputs():  # of the tests before
            os.remove(self.path(name))
        for number in SIGNALS:
            for verb in INTO_FILES:
                with self.subTest(verb[:2], number=number):
                    with self.start_and_send(number, signal.SIG_DFL, verb) as process:
                        process.wait(120)
                    self.assertEqual(process.returncode, -number)
                    self.assert_nothing_left()

    def test_ignored_signals_change_nothing(self):
        """As under nohup: drivers have handlers of these signals, and the tool none."""
        for number in SIGNALS:
            for verb, count in INTO_FILES.items():
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
            pass
        if number is not None:
            process.send_signal(number)
        return process

    def test_failure_in_a_pipe(self):
        """Standard output stays empty even if the last bytes are wrong."""
        self.assert_refused("scan", "sum", "-", "--type", "int", "--output", "-", "--chunk", 16, naming="80001 bytes",
                            stdin=bytes(80001))


class Selections(Streamed):

    def test_kept_elements(self):
        path = self.write("floats.npy", FLOATS)
        for chunk in CHUNKS[1:] + (333,):
            for device in DEVICES:
                options = ("--chunk", chunk, *device)
                self.assert_array(self.array("select", "x > 1", path, *options), FLOATS[FLOATS > 1])
                self.assert_array(self.array("select", "x > 1", path, "--indices", *options),
                                  np.flatnonzero(FLOATS > 1).astype("uint64"))
                self.assertEqual(self.result("select", "x > 1", path, *options), str((FLOATS > 1).sum()))

    def test_inputs_and_parameters(self):
        path, mask = self.write("floats.npy", FLOATS), np.arange(len(FLOATS)) % 3 == 0
        arguments = ("select", "marked && x >= least", path, "--parameter", "float:least=2", "--input", "uchar:marked",
                     "--with", self.write("mask.npy", mask.astype("uint8")), "--chunk", 1000)
        self.assert_array(self.array(*arguments), FLOATS[mask & (FLOATS >= 2)])

    def test_pipes(self):
        raw = ("select", "x > 1", "-", "--type", "float", "--chunk", 1000)
        self.assert_array(self.through_a_pipe(*raw, stdin=FLOATS.tobytes()), FLOATS[FLOATS > 1])
        self.assert_array(self.through_a_pipe(*raw, "--indices", stdin=FLOATS.tobytes()),
                          np.flatnonzero(FLOATS > 1).astype("uint64"))
        self.assert_array(self.through_a_pipe(*raw), FLOATS[:0])

    def test_more_than_a_buffer(self):
        path = self.write("floats.npy", FLOATS)
        self.assert_array(self.array("select", "x > 1", path, *SMALL), FLOATS[FLOATS > 1])
        self.expect("select", "x > 1", path, *SMALL, "--indices", result=int((FLOATS > 1).sum()), count=50003,
                    chunk=8192)

    def test_refused(self):
        """index counts from the first element of a call, so such a predicate sees the whole input at once."""
        path = self.write("floats.npy", FLOATS)
        self.assert_refused("select", "index % 2 == 0", path, "--chunk", 1000, naming="--chunk")
        self.assert_refused("select", "index % 2 == 0", path, *SMALL, code=1, naming="65536")
        self.assert_array(self.array("select", "index % 2 == 0", path), FLOATS[::2])


class Histograms(Streamed):

    def test_counts(self):
        path = self.write("floats.npy", FLOATS)
        for bins in (("--bins", 20), ("--bins", 20, "--low", -2), ("--edges", "-3,-1,0,0.1,2.5")):
            whole = self.run_well("histogram", path, *bins).out
            for chunk in CHUNKS[1:] + (333,):
                for device in DEVICES:
                    self.assertEqual(self.run_well("histogram", path, *bins, "--chunk", chunk, *device).out, whole)
        self.assertEqual(self.run_well("histogram", path, "--bins", 20, *SMALL).out,
                         self.run_well("histogram", path, "--bins", 20).out)

    def test_pipes_and_generated(self):
        expected = np.histogram(FLOATS, 20, (-2, 3))[0].tolist()
        self.expect("histogram", "-", "--type", "float", "--bins", 20, "--low", -2, "--high", 3, "--chunk", 5000,
                    stdin=FLOATS.tobytes(), counts=expected, count=50003, chunk=5000)
        self.assertEqual(self.run_well("histogram", "--generate", "iota:30000", "--bins", 3, "--chunk", 1000).out,
                         self.run_well("histogram", "--generate", "iota:30000", "--bins", 3).out)
        self.expect("histogram", "-", "--type", "float", "--bins", 2, "--low", 0, "--high", 1, "--chunk", 7,
                    counts=[0, 0], count=0)


class Plans(Streamed):

    def test_numbers_of_the_plan(self):
        """Groups and elements are those of a whole chunk, passes those of all chunks."""
        numbers, chunk = np.arange(3 * 8192, dtype="int32"), 8192
        path, one = self.write("three.npy", numbers), self.write("one.npy", numbers[:chunk])
        output = ("--output", self.path("results.npy"))
        for command in (("scan", "sum"), ("select", "x > 9"), ("histogram",)):
            bins = ("--bins", 8, "--low", 0, "--high", 9) if command[0] == "histogram" else ()
            whole = self.json(*command, one, *bins, *output)
            streamed = self.json(*command, path, *bins, *output, "--chunk", chunk)
            for name, factor in (("groups", 1), ("elements", 1), ("passes", 3)):
                self.assertEqual(streamed[name], factor * whole[name], (command, name))


class Generated(Case):

    def test_more_than_a_buffer(self):
        """Generated input streams as pipes do, of any length."""
        self.assertEqual(self.result("reduce", "sum", "--generate", "ones:100003", *SMALL), "100003")
        self.assertEqual(self.array("scan", "sum", "--generate", "ones:100003", *SMALL)[-1], 100003)
        self.assertEqual(self.result("select", "x > 0", "--generate", "ones:100003", *SMALL), "100003")
