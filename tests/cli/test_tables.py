"""query, list and plan."""

import shutil
import subprocess

from cli import FOR_ROWS, HISTOGRAMS, PER_GROUP, SCANS, SCANS_OF_ROWS, TYPES, WHOLE_ARRAY, Case

FACTS = ("max_work_group_size", "kernel_work_group_size", "local_mem_size", "compute_units", "preferred_multiple",
         "max_alloc", "fp64", "int64_atomics", "cpu")


class Query(Case):

    def test_text(self):
        run = self.run_well("query")
        device = self.json("reduce", "sum", "--generate", "ones:1")["device"]
        self.assertIn(device, run.out)

    def test_json(self):
        devices = self.json("query")
        self.assertIsInstance(devices, list)
        self.assertGreater(len(devices), 0)
        for device in devices:
            self.assertIsInstance(device["name"], str)
            text = str(device)
            for fact in FACTS:
                self.assertIn(fact, text)


class List(Case):

    def names(self, *arguments):
        rows = self.json("list", *arguments)
        self.assertIsInstance(rows, list)
        return [row["name"] for row in rows]

    def test_names(self):
        ops = ["sum", "prod", "min", "max", "and", "or", "xor", "all", "any", "count_nonzero", "argmin", "argmax",
               "minmax", "argminmax", "mean", "var", "var_sample", "std", "norm1", "norm2", "sumsq", "dot", "logsumexp",
               "stats", "count", "std_sample", "vdot"]
        types = list(TYPES) + ["half", "bfloat16", "cfloat", "cdouble"]
        strategies = set(PER_GROUP + WHOLE_ARRAY + FOR_ROWS + SCANS + SCANS_OF_ROWS + HISTOGRAMS) | {"wide", "chunked",
            "atomic"}
        self.assertEqual(self.names("ops"), ops)
        self.assertEqual(self.names("types"), types)
        self.assertEqual(set(self.names("strategies")), strategies)
        self.assertLessEqual(set(ops) | set(types) | strategies, set(self.names()))

    def row(self, table, name):
        return next(row for row in self.json("list", table) if row["name"] == name)

    def test_facts(self):
        for table, name, facts in (
                ("ops", "dot", {"inputs": 2, "portable": True, "has_identity": True}),
                ("ops", "logsumexp", {"portable": False}), ("ops", "argmin", {"has_identity": False}),
                ("types", "half", {"size": 2, "class": "floating", "components": 1, "component": "half",
                                   "complex": False, "numpy_name": "float16", "needs_fp64": False}),
                ("types", "cdouble", {"size": 16, "class": "complex", "components": 2, "component": "double",
                                      "complex": True, "numpy_name": "complex128", "needs_fp64": True}),
                ("types", "uchar", {"size": 1, "class": "unsigned", "component": "uchar", "numpy_name": "uint8"})):
            row = self.row(table, name)
            self.assertEqual({fact: row[fact] for fact in facts}, facts, name)
        for op, kind, result in (("argmin", "float", "struct"), ("sum", "half", "float"), ("mean", "char", "double")):
            self.assertEqual(self.row("ops", op)["result_types"][kind], result)
        self.assertNotIn("cfloat", self.row("ops", "argmin")["result_types"])

    def test_text(self):
        for table, words in (("ops", ("xor", "sum", "argmin")), ("types", ("uchar", "float64", "float4")),
                             ("strategies", ("bottom_up", "last_group"))):
            out = self.run_well("list", table).out
            for word in words:
                self.assertIn(word, out)
            self.assertNotIn(" \n", out)


class Width(Case):

    def test_tables_fit_100_columns(self):
        small = ("--assume", "max_work_group_size=64,local_mem_size=8192")
        for arguments in (("list",), ("query",), ("ladder", "-n", "1000", "--repeat", "1", "--explain"),
                          ("ladder", "-n", "1000", "--repeat", "1", "--op", "stats"),
                          ("tune", "--textbook", "--strategy", "hand_off", "-n", "1000", "--repeat", "1", "--try",
                           "group_size=64"),
                          ("ladder", "--scan", "--generate", "uniform:1000:2", "--type", "double", "--repeat", "1",
                           *small),
                          ("tune", "sum", "-n", "1000", "--seconds", "1", "--tuning", "off"),
                          ("bench", "--sizes", "1024", "--repeat", "1", "--strategy", "auto,atomic"),
                          ("selftest", "--only", "limits")):
            lines = self.run_well(*arguments).out.splitlines()
            self.assertGreater(len(lines), 2)
            self.assertEqual([line for line in lines if len(line) > 100 or line.isspace()], [])


class Plan(Case):

    def test_says_what_would_run(self):
        strategy = self.json("reduce", "sum", "--generate", "uniform:100000")["strategy"]
        out = self.run_well("plan", "sum", "--generate", "uniform:100000").out
        for word in (strategy, "float", "fixed/1"):
            self.assertIn(word, out)

    # Hwu, Kirk and El Hajj: one group of 128 work-items over 256 elements, in local memory.
    def test_explain_has_the_numbers_of_textbooks(self):
        asked = ("plan", "sum", "--generate", "ones:256", "--strategy", "local_sequential", "--group-size", "128",
                 "--assume", "preferred_multiple=32,line_bytes=128", "--explain")
        analysis = self.json(*asked)["analysis"]
        for name, number in (("operations", 255), ("requests", 9), ("lines", 9), ("global_accesses", 257), ("depth", 8),
                             ("barriers", 7), ("peak_parallelism", 128), ("work_ratio", 1)):
            self.assertEqual(analysis[name], number, name)
        table = self.run_well(*asked).out.split("pass step")[1]
        self.assertIn("257 accesses, 9 requests", table)
        self.assertLessEqual(max(len(line) for line in table.splitlines()), 100)
        self.assertIsNone(self.json(*asked, "--finish", "atomic", "--type", "float")["analysis"]["depth"])

    def test_source_compiles_by_itself(self):
        for strategy in ("wide", "chunked"):
            text = self.run_well("plan", "sum", "--generate", "ones:16777216", "--strategy", strategy, "--source").out
            self.assertTrue(text.startswith("// build options: -cl-std=CL"), text[:100])
            self.assertIn("__kernel", text)
            self.write(f"{strategy}.cl", text)
        if not shutil.which("clang"):
            self.skipTest("no clang here: the text of a plan was not compiled")
        run = subprocess.run(["clang", "-x", "cl", "-cl-std=CL1.2", "-fsyntax-only", self.path("wide.cl"),
                              self.path("chunked.cl")], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        self.assertEqual(run.returncode, 0, run.stdout.decode())
