"""bench: rows, files, plots, comparisons, and peers that misbehave. No test depends on times."""

import csv
import io
import json
import os
import signal
import shutil
import stat
import subprocess
import time
import unittest
import xml.etree.ElementTree
from pathlib import Path

from cli import KERNELS, TOOL, Case, Run

# A peer as a shell script. The tests replace {hello}, {device}, ... by its answers.
PEER = """#!/bin/sh
echo "{hello}"
while read -r verb rest; do
  case $verb in
    device) {device} ;;
    prepare) {prepare} ;;
    run) {run} ;;
    *) exit 0 ;;
  esac
done
"""
WELL = {"hello": "peer fake wall 1.2 of the shell", "device": "echo ready", "prepare": "echo ready",
        "run": "echo seconds 1e-3 value 1"}
FAST = ("--repeat", "2", "--quiet")


class WithPeers(Case):

    def folder_of(self, **peers):
        """A folder with these programs."""
        folder = self.path("peers-" + self.id().rsplit(".", 1)[-1])
        os.makedirs(folder, exist_ok=True)
        for name, text in peers.items():
            os.chmod(self.write(os.path.join(folder, name), text), stat.S_IRWXU)
        return folder

    def bench(self, *arguments, peers="/nonexistent", code=0, **environment):
        """Runs bench once, with the peers in the folder `peers`; by default there are none."""
        return self.run_well("bench", *FAST, *arguments, code=code,
                             environment={"CLREDUCE_PEERS": peers, **environment})

    def rows(self, *arguments, **options):
        answer = json.loads(self.bench(*arguments, "--json", **options).out)
        return answer, {(row["op"], row["type"], row["count"], row["name"]): row for row in answer["rows"]}


class Rows(WithPeers):

    def test_keys(self):
        answer, rows = self.rows("--sizes", "1000,2^10", "--strategy", "auto,device_serial")
        self.assertLessEqual({"clreduce", "date", "arguments", "clock", "repeat", "assumed", "devices", "peers",
                              "rows"},
                             set(answer))
        self.assertEqual(set(rows), {("add", "float", count, name) for count in (1000, 1024)
                                     for name in ("auto", "device_serial", "copy", "read")})
        for row in rows.values():
            self.assertEqual(set(row), {"device", "op", "type", "count", "bytes", "kind", "name", "strategy", "finish",
                                        "order", "calls", "wall_clock", "device_clock", "correct", "refused"})
            self.assertIs(row["correct"], True, row)
            self.assertEqual(row["wall_clock"]["runs"], 2, row)
            self.assertLessEqual(row["wall_clock"]["lower"], row["wall_clock"]["seconds"])
            self.assertLessEqual(row["wall_clock"]["seconds"], row["wall_clock"]["upper"])
        self.assertEqual(rows["add", "float", 1000, "auto"]["bytes"], 4000)
        self.assertEqual(rows["add", "float", 1000, "auto"]["order"], "fixed/1")
        devices = [device["name"] for device in answer["devices"]]
        self.assertEqual(devices, [rows["add", "float", 1000, "auto"]["device"]])

    def test_speeds_are_bytes_by_seconds(self):
        _, rows = self.rows("--sizes", "4096")
        for name, bytes_moved in (("auto", 16384), ("copy", 32768), ("read", 16384)):
            times = rows["add", "float", 4096, name]["wall_clock"]
            self.assertAlmostEqual(times["gigabytes_per_second"], bytes_moved / times["seconds"] / 1e9, places=6,
                                   msg=name)

    def test_operators_and_types(self):
        _, rows = self.rows("sum,argmax", "--sizes", "100,5000", "--type", "float32,uchar")
        cases = {(op, kind, n) for op in ("add", "argmax") for kind in ("float", "uchar") for n in (100, 5000)}
        self.assertEqual({key[:3] for key in rows}, cases)
        for key, row in rows.items():
            self.assertIs(row["correct"], True, key)

    def test_ranges_of_sizes(self):
        for sizes, counts in (("16..64", [16, 64]), ("2^4..100:2", [16, 32, 64, 100]), ("64,7,64,7..7", [7, 64])):
            answer, _ = self.rows("--sizes", sizes)
            self.assertEqual([row["count"] for row in answer["rows"] if row["name"] == "auto"], counts, sizes)

    def test_fewer_elements_than_a_load(self):
        _, rows = self.rows("--sizes", "3")
        self.assertIs(rows["add", "float", 3, "auto"]["correct"], True)
        self.assertIsNone(rows["add", "float", 3, "read"]["correct"])
        self.assertIn("load", rows["add", "float", 3, "read"]["refused"])

    def test_orders_and_finishes(self):
        _, rows = self.rows("--sizes", "5000", "--strategy", "chunked+relaunch,auto:any")
        self.assertEqual(rows["add", "float", 5000, "chunked+relaunch"]["finish"], "relaunch")
        self.assertEqual(rows["add", "float", 5000, "auto:any"]["order"], "any")

    def test_a_strategy_that_is_refused_is_a_row(self):
        _, rows = self.rows("argmax", "--sizes", "64", "--strategy", "auto,atomic")
        self.assertIn("atomic", rows["argmax", "float", 64, "atomic"]["refused"])
        self.assertIsNone(rows["argmax", "float", 64, "atomic"]["wall_clock"]["seconds"])

    def test_table(self):
        out = self.bench("--sizes", "1024").out
        for word in ("add of float", "wall", "device", "GB/s", "of limit", "limit: read", "limit: copy", "auto"):
            self.assertIn(word, out)
        self.assertNotIn("WRONG", out)

    def test_csv(self):
        run = self.bench("--sizes", "1024,2048", "--csv", "-")
        lines = list(csv.DictReader(io.StringIO(run.out)))
        self.assertEqual([(line["count"], line["name"]) for line in lines],
                         [(count, name) for count in ("1024", "2048") for name in ("auto", "copy", "read")])
        for line in lines:
            self.assertEqual(line["correct"], "true")
            self.assertGreater(float(line["wall_seconds"]), 0)
        path = self.path("rows.csv")
        self.bench("--sizes", "1024", "--csv", path)
        self.assertEqual(Path(path).read_text().splitlines()[0], run.out.splitlines()[0])


def wrong_kernels(case):
    """A folder of kernels that double each element."""
    right = "#define READ_PLAIN(type, pointer) (*(pointer))"
    return case.changed_kernels("words/input.clh", right, right[:-1] + " * 2)")


class Wrong(WithPeers):

    def test_kernels_that_read_wrongly(self):
        folder = wrong_kernels(self)
        for kind, op in (("float", "add"), ("uchar", "argmax")):
            run = self.bench(op, "--type", kind, "--sizes", "64", "--strategy", "device_serial", "--json", code=3,
                             CLREDUCE_CL_DIR=folder)
            self.assertIn("device_serial", run.err)
            rows = {row["name"]: row["correct"] for row in json.loads(run.out)["rows"]}
            self.assertEqual(rows, {"device_serial": False, "copy": True, "read": True})


class Peers(WithPeers):

    def only(self, text, *arguments, code=0):
        """The answer's entry for the peer with this text, its row, and all rows."""
        answer, rows = self.rows("--sizes", "64", "--patience", "1", *arguments, peers=self.folder_of(fake=text),
                                 code=code)
        return answer["peers"][0], rows.get(("add", "float", 64, "fake")), rows

    def peer(self, **changes):
        return PEER.format(**{**WELL, **changes})

    def test_a_peer_that_is_right(self):
        spy = "\n".join((
            "#!/usr/bin/python3 -B", "import mmap, sys", "import numpy as np",
            "print('peer spy wall,device 1 of python', flush=True)",
            "for line in sys.stdin:",
            "    words = line.split()",
            "    if words[0] == 'prepare':",
            "        data = np.frombuffer(mmap.mmap(3, 4 * int(words[3])), np.float32)",
            "    if words[0] == 'run':",
            "        print('seconds 1e-3 value', repr(float(data.sum(dtype=np.float64))), flush=True)",
            "    elif words[0] in ('device', 'prepare'):", "        print('ready', flush=True)", "    else:",
            "        break", ""))
        answer, rows = self.rows("--sizes", "64,5000", peers=self.folder_of(spy=spy))
        self.assertEqual(answer["peers"], [{"name": "spy", "version": "1 of python", "left_out": None}])
        for count in (64, 5000):
            row = rows["add", "float", count, "spy"]
            self.assertEqual((row["kind"], row["correct"]), ("peer", True))
            self.assertEqual(row["wall_clock"]["seconds"], 1e-3)
            self.assertEqual(row["device_clock"]["seconds"], 1e-3)

    def test_a_wrong_value(self):
        peer, row, rows = self.only(self.peer(), code=3)
        self.assertIsNone(peer["left_out"])
        self.assertIs(row["correct"], False)
        self.assertIs(rows["add", "float", 64, "auto"]["correct"], True)

    def test_a_wrong_value_is_marked_in_the_table(self):
        run = self.bench("--sizes", "64", peers=self.folder_of(fake=self.peer()), code=3)
        self.assertIn("WRONG", next(line for line in run.out.splitlines() if " fake " in line))
        self.assertIn("fake", run.err)

    def test_values_that_are_no_numbers(self):
        for value in ("nan", "inf", "words", "1e999"):
            peer, row, _ = self.only(self.peer(run=f"echo seconds 1e-3 value {value}"), code=3)
            self.assertIs(row["correct"], False, value)

    def test_refusals(self):
        peer, row, _ = self.only(self.peer(device="echo refused it is elsewhere"))
        self.assertEqual((peer["left_out"], row), (None, None))
        peer, row, _ = self.only(self.peer(prepare="echo refused no such operator"))
        self.assertEqual((peer["left_out"], row["refused"], row["correct"]), (None, "no such operator", None))

    def test_an_answer_with_a_zero_byte(self):
        for place in ("device", "prepare", "run"):
            peer, _, rows = self.only(self.peer(**{place: "printf 'se\\000x\\n'"}))
            self.assertIsNotNone(peer["left_out"], place)
            self.assertIs(rows["add", "float", 64, "auto"]["correct"], True, place)

    def test_peers_that_end(self):
        for place in ("device", "prepare", "run"):
            peer, _, rows = self.only(self.peer(**{place: "exit 7"}))
            self.assertIn("ended", peer["left_out"], place)
            self.assertIs(rows["add", "float", 64, "auto"]["correct"], True, place)
        self.assertIn("ended", self.only("#!/bin/sh\nexit 1\n")[0]["left_out"])
        self.assertIn("started", self.only("#!/nonexistent/shell\n")[0]["left_out"])

    def test_peers_that_hang(self):
        for place in ("prepare", "run"):
            begun = time.monotonic()
            peer, row, _ = self.only(self.peer(**{place: "sleep 1000"}))
            self.assertIn("1 seconds", peer["left_out"], place)
            self.assertIn("1 seconds", row["refused"], place)
            self.assertLess(time.monotonic() - begun, 60)

    def test_nonsense(self):
        for place, word in (("device", "maybe"), ("prepare", "ready or not"), ("run", "seconds x value 1"),
                            ("run", "seconds -1 value 1"), ("run", "seconds 1e-3"), ("run", "seconds inf value 1")):
            peer, _, _ = self.only(self.peer(**{place: f"echo {word}"}))
            self.assertIn(word, peer["left_out"])
        self.assertIn("hello", self.only(self.peer(hello="hello"))[0]["left_out"])
        self.assertIn("no end", self.only(self.peer(prepare="head -c 5000 /dev/zero | tr '\\0' x"))[0]["left_out"])

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


class Compare(WithPeers):

    def baseline(self, name, change=lambda answer: None):
        answer, _ = self.rows("--sizes", "64,128")
        change(answer)
        return self.write(name, json.dumps(answer))

    def times(self, factor, answer):
        for row in answer["rows"]:
            row["wall_clock"]["seconds"] *= factor

    def compared(self, path, *arguments, code=0):
        answer, _ = self.rows("--compare", path, *arguments, code=code)
        return {row["count"]: row for row in answer["comparison"]}

    def test_better_and_worse(self):
        slow = self.baseline("slow.json", lambda answer: self.times(1e4, answer))
        for row in self.compared(slow, "--sizes", "64,128", "--fail-below", "0.95").values():
            self.assertGreater(row["ratio"], 1)
            self.assertEqual((row["slower"], row["missing"]), (False, None))
        fast = self.baseline("fast.json", lambda answer: self.times(1e-4, answer))
        rows = self.compared(fast, "--sizes", "64,128")
        self.assertEqual([row["slower"] for row in rows.values()], [True, True])
        self.compared(fast, "--sizes", "64,128", "--fail-below", "0.5", code=3)
        run = self.bench("--sizes", "64", "--compare", fast)
        self.assertIn("SLOWER", run.out)

    def test_the_limit_and_peers_are_not_compared(self):
        rows = self.compared(self.baseline("same.json"), "--sizes", "64,128")
        self.assertEqual({row["name"] for row in rows.values()}, {"auto"})

    def test_missing_rows(self):
        path = self.baseline("both.json")
        rows = self.compared(path, "--sizes", "128,256")
        self.assertEqual({count: row["missing"] for count, row in rows.items()},
                         {64: "now", 128: None, 256: "baseline"})
        self.assertEqual((rows[64]["ratio"], rows[256]["ratio"]), (None, None))
        run = self.bench("--sizes", "128,256", "--compare", path)
        self.assertIn("not measured now", run.out)
        self.assertIn("not in the baseline", run.out)

    def test_damaged(self):
        for name, text in (("empty", ""), ("cut", '{"rows": [{"op"'), ("list", "[1, 2]"), ("no_rows", "{}"),
                           ("number", "3"), ("rows_no_list", '{"rows": 5}'), ("row_no_object", '{"rows": [1]}'),
                           ("binary", "\x00\x01"), ("no_count", '{"rows": [{"device": "a", "op": "b", "type": "c", '
                                                                '"kind": "ours", "name": "d"}]}')):
            path = self.write(f"damaged_{name}.json", text)
            self.assert_refused("bench", "--sizes", "64", "--compare", path, naming=["--compare", name])
        self.assert_refused("bench", "--compare", self.path("absent.json"), code=1, naming="absent.json")

    def test_rows_without_times(self):
        path = self.baseline("odd.json", lambda answer: [row.update(wall_clock=None) for row in answer["rows"]])
        for row in self.compared(path, "--sizes", "64").values():
            self.assertEqual((row["missing"], row["slower"]), ("baseline", False))


def words_of(picture):
    """All text of an SVG file."""
    root = xml.etree.ElementTree.parse(picture).getroot()
    return " ".join("".join(text.itertext()) for text in root.iter("{http://www.w3.org/2000/svg}text"))


@unittest.skipUnless(shutil.which("gnuplot"), "gnuplot is not installed")
class Plot(WithPeers):

    def test_svg(self):
        path = self.path("speed.svg")
        self.bench("--sizes", "64,256", "--strategy", "auto,device_serial", "--plot", path,
                   peers=self.folder_of(fake=PEER.format(**{**WELL, "hello": "peer fake wall 1"})), code=3)
        words = words_of(path)
        for word in ("elements n", "GB/s read and written", "microseconds", "add of float", "clreduce, auto",
                     "clreduce, device_serial", "limit: fastest reading", "copy (in + out)", "peer: fake",
                     "wall clock"):
            self.assertIn(word, words)

    def test_png_of_several(self):
        path = self.path("speed.png")
        self.bench("add,argmax", "--sizes", "64,256", "--clock", "device", "--plot", path)
        self.assertEqual(Path(path).read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_file_names_without_a_format(self):
        self.assert_refused("bench", "--sizes", "64", "--plot", self.path("speed.pdf"),
                            naming=[".svg", ".png", "speed.pdf"])
        self.assert_refused("bench", "--sizes", "64", "--plot", "/nonexistent/speed.svg", code=1, naming="/nonexistent")


class WithoutGnuplot(WithPeers):

    def test_is_refused_before_anything_is_measured(self):
        path = self.path("never.svg")
        run = self.run_well("bench", "--plot", path, code=1,
                            environment={"PATH": self.folder, "CLREDUCE_PEERS": "/nonexistent"})
        self.assertEqual((run.out, run.err.count("\n")), ("", 1))
        self.assertIn("gnuplot", run.err)
        self.assertFalse(os.path.exists(path))


# A module that replaces openmp. It computes the sum on one thread and adds WRONG. With REFUSES it refuses all work.
MODULE = """#include <stdlib.h>
#include "peer_side.h"
static struct bench_job *prepare(const struct bench_work *work) {
  struct bench_job *job = calloc(1, sizeof *job);
  job->name = "fake";
  job->work = *work;
  job->parts[0] = calloc(1, 8);
#ifdef REFUSES
  return NULL;
#endif
  return job;
}
static int run(struct bench_job *job, enum bench_clock clock, size_t calls, double *seconds) {
  double sum = 0;
  for (size_t i = 0; i < job->work.count; i++)
    sum += ((const float *)job->work.elements)[i];
  *(double *)job->parts[0] = sum + WRONG;
  *seconds = 1e-3;
  return (int)clock > 1 || calls == 0;
}
static int spoil(struct bench_job *job, enum bench_part part, size_t first, size_t count) {
  ((double *)job->parts[part])[first] = -1.0 * (double)count;
  return 0;
}
static int get(struct bench_job *job, enum bench_part part, size_t first, size_t count, void *to) {
  *(double *)to = ((double *)job->parts[part])[first];
  return count != 1;
}
static void release(struct bench_job *job) { free(job->parts[0]); free(job); }
const struct bench_side bench_peer = {"fake", 0, 0, NULL, prepare, run, spoil, get, release};
"""
TASKS = {"sum": {"sum"}, "small": {"sum"}, "scan": {"inclusive", "exclusive"},
         "keys": {"reduce by key", "scan by key", "select"},
         "histogram": {"256 bins", "256 bins, all alike"}, "axes": None, "scan-rows": None,
         "segments": {"rows of 16", "offsets of 16", "power law", "one of half"}}


class Tasks(WithPeers):

    def test_each_gives_rows_with_right_results(self):
        for task, labels in TASKS.items():
            answer, rows = self.rows("--task", task, "--sizes", "64", *(("--type", "float") if task == "scan" else ()))
            self.assertEqual(answer["task"], task)
            ran = [row for row in rows.values() if row["refused"] is None]
            self.assertTrue(ran, task)
            if labels:
                self.assertLessEqual(labels, {row["op"] for row in ran}, task)
            for row in ran:
                self.assertIs(row["correct"], True, (task, row))
                self.assertTrue(row["wall_clock"]["runs"] == 2 or row["device_clock"]["runs"] == 2, row)

    def test_types_and_sizes(self):
        for task, types in (("scan", "float,double,int,uchar"), ("sum", "double,uchar"),
                            ("histogram", "uchar,ushort,int,float")):
            _, rows = self.rows("--task", task, "--type", types, "--sizes", "1,63,70000")
            cases = {(kind, count) for kind in types.split(",") for count in (1, 63, 70000)}
            self.assertEqual({key[1:3] for key in rows}, cases)
            self.assertTrue(all(row["correct"] for row in rows.values()), task)

    def test_keys_and_segments_of_many_sizes(self):
        for task in ("keys", "segments"):
            for row in self.rows("--task", task, "--sizes", "1,17,5000,100003")[1].values():
                self.assertIs(row["correct"], True, (task, row))

    def test_operators(self):
        _, rows = self.rows("dot,stats", "--task", "operators", "--sizes", "256")
        sides = {(op, side) for op in ("dot", "stats") for side in ("auto", "our sum")}
        self.assertEqual({(key[0], key[3]) for key in rows}, sides)
        self.assertEqual(rows["dot", "float", 256, "auto"]["bytes"], 2 * rows["stats", "float", 256, "auto"]["bytes"])
        _, rows = self.rows("--task", "operators", "--sizes", "256", "--only", "own")
        self.assertEqual({key[0] for key in rows}, {"own add", "own dot"})

    def test_kernels_that_read_wrongly(self):
        folder = wrong_kernels(self)
        for task, only, strategy in (("sum", "sum", "device_serial"), ("scan", "exclusive", "auto"),
                                     ("segments", "power", "auto"),
                                     ("keys", "reduce", "runs_wide"), ("keys", "scan", "auto")):
            run = self.bench("--task", task, "--only", only, "--type", "float", "--sizes", "256", "--strategy",
                             strategy, code=3, CLREDUCE_CL_DIR=folder)
            self.assertIn("WRONG: ours", run.out)

    @unittest.skipUnless(shutil.which("cc"), "no compiler")
    def test_modules(self):
        for name, options, code in (("right", ["-DWRONG=0"], 0), ("wrong", ["-DWRONG=1"], 3),
                                    ("refuses", ["-DWRONG=0", "-DREFUSES"], 0)):
            folder = self.path(name)
            os.makedirs(folder + "/modules")
            source = self.write(name + ".c", MODULE)
            subprocess.run(["cc", "-shared", "-fPIC", f"-I{KERNELS.parent}/tools/peers", *options, source, "-o",
                            folder + "/modules/openmp.so"], check=True)
            _, rows = self.rows("--task", "sum", "--sizes", "1000", peers=folder, code=code)
            row = rows["sum", "float", 1000, "fake"]
            self.assertEqual(row["correct"], {"right": True, "wrong": False, "refuses": None}[name])
            self.assertEqual(row["kind"], "peer")
            out = self.bench("--task", "sum", "--sizes", "1000", peers=folder, code=code).out
            self.assertEqual("WRONG: the other" in out, name == "wrong")
            self.assertEqual("refused" in out, name == "refuses")
            _, rows = self.rows("--task", "sum", "--sizes", "1000", "--peers", "none", peers=folder)
            self.assertEqual({key[3] for key in rows}, {"auto"})

    def test_from_a_file(self):
        path = self.path("task.csv")
        rows = self.write("task.json", self.bench("--task", "segments", "--sizes", "64", "--csv", path, "--json").out)
        self.assertEqual(Run(["bench", "--from", rows, "--csv", "-"]).out, Path(path).read_text())
        self.assertIn("our sum", Run(["bench", "--from", rows]).out)

    def test_variants(self):
        names = ("own", "own@groups=2@group_size=64", wrong_kernels(self))
        words = [word for name in names for word in ("--variant", name)]
        _, rows = self.rows("--sizes", "5000", "--after", "100", *words[:4])
        self.assertEqual({key[3] for key in rows if rows[key]["kind"] == "ours"}, set(names[:2]))
        run = self.bench("--sizes", "5000", "--strategy", "device_serial", *words[:2], *words[4:], code=3)
        self.assertRegex(run.out, r"/cl-\w+\n.*DIFFERS  WRONG\n")

    def test_refused(self):
        self.assert_each_refused("bench --sizes 64", {
            "--task nonesuch": "nonesuch", "add --task scan": "add", "--task keys --type int": "int",
            "--task histogram --bins 100": "--bins", "--task sum --result-type 32": "--result-type",
            "--task scan --variant own": "--variant",
            "--variant own@speed=2": "speed", "--variant own@groups=x": "groups", "--variant @": "--variant"})
        self.assert_refused("bench", "--task", "keys", "--sizes", "2^31", naming="--sizes")


class Refused(WithPeers):

    def test_lists(self):
        self.assert_each_refused("bench", {
            "median": "median", "add,": "empty", "dot": "dot", "--type float,blob": "blob", "xor --type float": "xor",
            "--strategy auto,fastest": "fastest", "--strategy scan_blelloch": "scan_blelloch",
            "--strategy auto:sorted": "auto:sorted", "--strategy chunked+nonesuch": "nonesuch",
            "--device 'no such device'": "no such device", "--peers nonesuch": "nonesuch", "--clock sun": "sun",
            "--repeat 0": "--repeat", "--repeat 5000": "--repeat", "--fail-below 0.9": "--compare",
            "--json --csv -": "--csv", "--generate ones:5": "--generate", "add more": "more"})

    def test_sizes(self):
        sizes = "0 -1 x 2^ 2^99 1e6 5..2 1.. ..5 1..8:1 1..8:x 99999999999999999999 1,,2"
        self.assert_each_refused("bench --sizes", dict.fromkeys(sizes.split(), "--sizes"))

    def test_more_than_fits(self):
        self.assert_refused("bench", "--sizes", "2^40", "--peers", "none", code=1, naming="--sizes")

    def test_shares(self):
        path = self.write("any.json", '{"rows": []}')
        self.assert_each_refused(f"bench --compare {path} --fail-below",
                                 dict.fromkeys(("0", "2", "x", "-0.5", "nan"), "--fail-below"))

    def test_folders(self):
        self.assert_refused("bench", "--csv", "/nonexistent/rows.csv", code=1, naming="/nonexistent")
