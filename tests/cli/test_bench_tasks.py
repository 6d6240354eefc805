"""bench --task: results of every task, variants, and modules in place of peers. No test depends on times."""

import os
import shutil
import subprocess
import unittest
from pathlib import Path

from cli import KERNELS, Run
from test_bench import WithPeers, wrong_kernels

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
        few, many = "1,63,70000", "1,17,5000,100003"
        for task, types, sizes in (("scan", "float,double,int,uchar", few), ("sum", "double,uchar", few),
                                   ("histogram", "uchar,ushort,int,float", few), ("keys", "float", many),
                                   ("segments", "float", many)):
            _, rows = self.rows("--task", task, "--type", types, "--sizes", sizes)
            cases = {(kind, int(count)) for kind in types.split(",") for count in sizes.split(",")}
            self.assertEqual({key[1:3] for key in rows}, cases)
            self.assertTrue(all(row["correct"] is True for row in rows.values()), task)

    def test_operators(self):
        _, rows = self.rows("dot,stats", "--task", "operators", "--sizes", "256")
        sides = {(op, side) for op in ("dot", "stats") for side in ("auto", "our sum")}
        self.assertEqual({(key[0], key[3]) for key in rows}, sides)
        self.assertEqual(rows["dot", "float", 256, "auto"]["bytes"], 2 * rows["stats", "float", 256, "auto"]["bytes"])
        _, rows = self.rows("--task", "operators", "--sizes", "256", "--only", "own")
        self.assertEqual({key[0] for key in rows}, {"own sum", "own dot"})

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
        run = self.bench("--sizes", "5000", "--strategy", "device_serial", *words[:2], *words[4:], code=3,
                         CLREDUCE_TRUST_DRIVER="1")
        self.assertRegex(run.out, r"/cl-\w+\n.*DIFFERS  WRONG\n")
