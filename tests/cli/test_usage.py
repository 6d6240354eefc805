"""The command line: verbs, options, help, manual, completion, version, and refusals of wrong lines."""

import os
import re
import shutil
import subprocess
import unittest
from pathlib import Path

import numpy as np

from cli import TOOL, Case, Run

VERBS = ("query", "list", "reduce", "join", "scan", "select", "histogram", "plan", "ladder", "check", "tune", "bench",
         "selftest")
# Options whose value must be a number.
NUMBERS = ("--skip-bytes", "--stride", "-n", "--axis", "--weights", "--bins", "--seed", "--group-size", "--groups",
           "--elements", "--stop-at", "--chunk", "--repeat", "--seconds", "--calls",
           "--most-trials", "--first")


def help_of(verb):
    return Run([verb, "--help"]).out


def options_in(text):
    """The options in a help text, each with the word for its value, or ""."""
    return dict(re.findall(r"^  (-{1,2}[a-z-]+)(?: (\S+))?", text, re.MULTILINE))


class Help(Case):

    def test_of_the_tool(self):
        for word in ("--help", "-h"):
            run = self.run_well(word)
            self.assertEqual(run.err, "")
            self.assertEqual(tuple(re.findall(r"^  ([a-z]+) +\S", run.out, re.MULTILINE)), VERBS)

    def test_of_each_verb(self):
        for verb in VERBS:
            run = self.run_well(verb, "--help")
            self.assertEqual(run.err, "")
            self.assertIn(f"usage: clreduce {verb} ", run.out)
            self.assertIn("--json", run.out)

    def test_as_a_verb(self):
        self.assertEqual(self.run_well("help").out, self.run_well("--help").out)
        for verb in VERBS:
            self.assertEqual(self.run_well("help", verb).out, help_of(verb))
        self.assert_refused("help", "wings", naming="wings")
        self.assert_refused("help", "scan", "sum", naming="sum")

    def test_fits_80_columns(self):
        for words in ((), *((verb,) for verb in VERBS)):
            for line in self.run_well(*words, "--help").out.splitlines():
                self.assertLessEqual(len(line), 80, line)

    def test_has_each_option_once(self):
        for verb in VERBS:
            names = re.findall(r"^  (-\S+)", help_of(verb), re.MULTILINE)
            self.assertEqual(len(names), len(set(names)), verb)

    def test_lists_what_the_verb_takes_and_nothing_else(self):
        """A verb takes an option if and only if its help lists it."""
        listed = {verb: options_in(help_of(verb)) for verb in VERBS}
        every = {name: value for options in listed.values() for name, value in options.items()}
        self.assertGreater(len(every), 70)
        for verb in VERBS:
            for name, value in every.items():
                words = [name] + (["1" if name in NUMBERS else "x"] if value else [])
                with self.subTest(f"{verb} {' '.join(words)}"):
                    if name in listed[verb]:
                        self.run_well(verb, *words, "--help")
                    else:
                        self.assert_refused(verb, *words, "--help", naming=(verb, name))

    def test_help_before_anything_else(self):
        self.run_well("reduce", "sum", "nowhere.npy", "--help")

    def test_reduce_names_its_options(self):
        self.assertGreaterEqual(set(options_in(help_of("reduce"))), {"--" + option for option in (
            "device", "strategy", "finish", "group-size", "groups", "elements", "stage", "stop-at", "order",
            "assume", "verify",
            "repeat", "explain", "json", "quiet", "type", "skip-bytes", "generate", "nan", "overflow", "result-type",
            "state", "with", "stride", "layout", "axis", "segments", "output", "operator", "combine", "identity",
            "lift", "lower",
            "element", "result", "preamble", "input", "parameter", "param", "commutative", "elementwise")})

    def test_scan_names_its_own(self):
        self.assertGreaterEqual(set(options_in(help_of("scan"))), {"--" + option for option in (
            "output", "inclusive", "exclusive", "reverse", "initial", "segments")})

    def test_version(self):
        out = self.run_well("--version").out
        self.assertRegex(out, r"^clreduce \d+\.\d+\.\d+\n$")
        self.assertEqual(self.run_well("-V").out, out)
        for verb in VERBS:
            self.assertEqual(self.run_well(verb, "--version").out, out)
        self.assertEqual(self.run_well("reduce", "-V").out, out)

    def test_needs_no_device(self):
        for arguments in (["--help"], ["--version"], ["--man-page"], ["--completion-bash"], ["reduce", "--help"],
                          ["list"]):
            run = Run(arguments, environment={"OCL_ICD_VENDORS": self.folder})
            self.assertEqual(run.code, 0, str(run))


class Pages(Case):
    """The manual and the completions."""

    def check_syntax(self, command, option, name):
        if shutil.which(command[0]) is None:
            self.skipTest(f"no {command[0]} here")
        path = self.write(name, self.run_well(option).out.encode())
        done = subprocess.run([*command, path], stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""))

    def test_syntax(self):
        for command, option, name in ((["bash", "-n"], "--completion-bash", "c.bash"),
                                      (["zsh", "-n"], "--completion-zsh", "_c"),
                                      (["fish", "--no-execute"], "--completion-fish", "c.fish"),
                                      (["man", "--warnings", "-l"], "--man-page", "c.1"),
                                      (["groff", "-ww", "-man", "-Tutf8"], "--man-page", "c.1")):
            with self.subTest(command[0]):
                self.check_syntax(command, option, name)

    def test_manual_has_every_verb_and_option(self):
        text = self.run_well("--man-page").out.replace("\\-", "-")
        for verb in VERBS:
            self.assertIn(f".B {verb}\n", text)
            for name in options_in(help_of(verb)):
                entries = re.findall(r"\\fB" + name + r"\\fR.*\n.*\n\((.*)\)\n", text)
                self.assertTrue(any(verb in entry.split(", ") or entry == "all verbs" for entry in entries),
                                f"{verb} {name}")

    def test_manual_s_examples_are_commands_below_paragraphs(self):
        examples = self.run_well("--man-page").out.split(".SH EXAMPLES\n")[1].replace("\\-", "-").splitlines()
        in_commands = False
        for line in examples:
            if line in (".nf", ".fi"):
                self.assertEqual(in_commands, line == ".fi", line)
                in_commands = line == ".nf"
            elif in_commands:
                self.assertRegex(line, r"^\.R[SE]|clreduce|numpy|printf|head ", line)
                self.assertLessEqual(len(line), 91, "for terminals of 100 columns")
            else:
                self.assertNotRegex(line, r"[`#]|\]\(|clreduce reduce ", line)
        self.assertFalse(in_commands)
        self.assertGreaterEqual(examples.count(".nf"), 20)

    def complete(self, *words):
        """The completions of bash for the last word."""
        script = self.write("complete.bash", self.run_well("--completion-bash").out.encode())
        line = (f'source {script}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _clreduce; '
                'printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", line, "bash", TOOL, *words], stdout=subprocess.PIPE, timeout=60,
                              check=True)
        return set(done.stdout.decode().split())

    @unittest.skipIf(shutil.which("bash") is None, "no bash here")
    def test_bash_offers_verbs_options_and_names(self):
        self.assertEqual(self.complete(""), {*VERBS, "help", "--help", "--version"})
        self.assertEqual(self.complete("hi"), {"histogram"})
        self.assertEqual(self.complete("help", ""), set(VERBS))
        for verb in VERBS:
            self.assertEqual(self.complete(verb, "-"), set(options_in(help_of(verb))))
        self.assertGreaterEqual(self.complete("reduce", ""), {"sum", "argmin", "stats"})
        self.assertEqual(self.complete("reduce", "sum", "--order", ""), {"fixed", "any", "exact"})
        self.assertGreaterEqual(self.complete("reduce", "sum", "--type", ""), {"float", "int", "cdouble"})
        self.assertEqual(self.complete("reduce", "sum", "--strategy", "rows_w"), {"rows_wide"})
        devices = self.json("query")
        self.assertEqual(self.complete("reduce", "sum", "--device", ""),
                         {word for device in devices for word in (str(device["index"]), device["name"].split()[0])})
        self.assertEqual(self.complete("reduce", "sum", ""), set())  # bash completes files then

    def test_zsh_and_fish_have_every_verb_and_option(self):
        zsh, fish = self.run_well("--completion-zsh").out, self.run_well("--completion-fish").out
        for verb in VERBS:
            part = re.search(r"^    " + verb + r"\)\n(.*?) ;;$", zsh, re.MULTILINE | re.DOTALL).group(1)
            self.assertIn(f"-a {verb} -d", fish)
            for name in options_in(help_of(verb)):
                self.assertRegex(part, r"'\*?" + name + r"=?\[")
                lines = re.findall(r"__fish_seen_subcommand_from(.*)' -[ls] " + name.lstrip("-") + " ", fish)
                self.assertTrue(any(verb in line.split() for line in lines), f"{verb} {name}")


class NoDevice(Case):

    def test_is_refused(self):
        made = ["--generate", "ones:9"]
        for arguments in (["reduce", "sum"] + made, ["plan", "sum"] + made, ["ladder"]):
            run = Run(arguments, environment={"OCL_ICD_VENDORS": self.folder})
            self.assertIn(run.code, (1, 2), str(run))
            self.assertEqual((run.out, run.err.count("\n")), ("", 1), str(run))
            self.assertRegex(run.err, re.compile("device|platform", re.IGNORECASE))


class Bad(Case):

    def test_verbs_and_tables(self):
        self.assert_each_refused("", {"": "verb", "frobnicate": "frobnicate", "''": "verb",
                                      "--frobnicate": "--frobnicate", "list devices": "devices"})

    def test_unknown_options(self):
        self.assert_each_refused("", {f"{verb} --frobnicate": "--frobnicate" for verb in VERBS})
        self.assert_refused("reduce", "sum", "--generate", "ones:9", "-x", naming="-x")

    def test_options_of_other_verbs(self):
        self.assert_each_refused("", {"reduce sum --generate ones:9 -n 5": "-n", "list --verify": "--verify",
                                      "query --strategy wide": "--strategy"})

    def test_missing_operands(self):
        for verb in ("reduce", "scan", "plan"):
            self.assert_each_refused(verb, {"": (), "sum": (), "--generate ones:9": ()})

    def test_operands_beside_an_operator_in_full(self):
        self.assert_each_refused("reduce --combine 'a + b' --identity 0", {
            "": "INPUT",
            "total data.npy": ("total", "custom"),
            "data.npy --generate ones:9": ("data.npy", "custom"),
            "custom a.npy --generate ones:9": "a.npy"})

    def test_options_given_too_often(self):
        many = [word for i in range(17) for word in ("--param", f"p{i}=1")]
        self.assert_refused("reduce", "sum", "--generate", "ones:9", *many, naming="--param")

    def test_did_you_mean(self):
        """The nearest name, by letters or by its beginning; no name if none is near."""
        made = "--generate ones:9"
        for line, name in {"reduec": "reduce", "hist": "histogram", "scna": "scan", "help redcue": "reduce",
                           f"reduce summ {made}": "sum", f"reduce agrmin {made}": "argmin",
                           f"reduce averages {made}": None, f"reduce sum,maen {made}": "mean",
                           f"reduce meidan {made}": "median", f"reduce avg {made}": "mean",
                           f"reduce sum,amax {made}": "max", f"reduce q1 {made}": "quantile:0.25 of reduce",
                           f"scan pvar {made} --output x.npy": "var", "reduce sum --tpye": "--type",
                           "reduce sum --axes": "--axis", "list --quite": "--quiet", "list type": "types",
                           "query --wings": None, "wings": None, f"reduce sum {made} --type flaot": "float",
                           f"reduce sum {made} --type unit8": "uint8", "reduce sum --generate oens:9": "ones",
                           f"reduce sum {made} --strategy chunkd": "chunked",
                           f"reduce sum {made} --strategy lolcat": None,
                           f"reduce sum {made} --finish Hots": "host", f"reduce sum {made} --order fixd": "fixed",
                           f"reduce median {made} --nan ingore": "ignore",
                           f"reduce median {made} --interpolation neares": "nearest",
                           f"histogram {made} --bins 2 --strategy histogram_atomc": "histogram_atomic",
                           f"reduce sum {made} --assume cpu=1,compute_unit=2": "compute_units",
                           f"reduce sum {made} --assume wings=2": None, "query --assume cpus=1": "cpu",
                           "bench sun": "sum", "bench --type flot": "float",
                           "bench --strategy wied": "wide", "bench --strategy wide+atmic": "atomic",
                           "tune --textbook --strategy hand_of": "hand_off",
                           "selftest --only memroy": "memory"}.items():
            with self.subTest(line):
                self.assert_refused(*line.split(), naming=f"; did you mean {name}?" if name else ";")
                self.assertEqual("did you mean" in Run.last.err, name is not None)
                self.assertNotIn("? give one of", Run.last.err)

    def test_names_of_other_tools(self):
        made = "--generate ones:9"
        self.assert_each_refused("reduce", {
            f"sstdev {made}": "did you mean std_sample?\n", f"stddev {made}": ("std_sample", "std is the population's"),
            f"nlargest {made}": "top:K", f"perc:95 {made}": "quantile:Q", f"p95 {made}": "quantile:Q",
            f"nanmax {made}": "max with --nan ignore?\n", f"sum,nanmedian {made}": "median with --nan ignore?\n",
            f"sum {made} -g 1": "unknown option -g; did you mean --group,",
            f"sum {made} -t,": "unknown option -t; did you mean --delimiter?\n"})
        self.assert_each_refused("", {
            "cumsum": "'clreduce scan sum'", "help column": "--column is an option, as of reduce",
            f"histogram {made} --range 0 1": "did you mean --low and --high?"})
        self.assert_refused("reduce", "sum", self.write("t.csv", "1,2\n"), "2", code=1,
                            naming="for a column of text give --column 2")
        self.assert_refused("reduce", "sum", "mean", self.path("t.csv"), naming="one list, as in sum,mean")

    def test_operators_in_other_places(self):
        """In place of a verb, behind INPUT, in a list, or with a verb that does not take it."""
        path = self.write("operand.csv", "city,price\nOslo,1\n")
        self.assert_each_refused("", {
            f"sum {path}": "'clreduce reduce sum'", "help top:3": "'clreduce reduce top:3'",
            f"reduce {path} sum": f"which is a file; give the operator first, as in reduce sum {path}",
            f"scan median {path} --output x.npy": "scan does not take it, but reduce does",
            f"plan quantile:0.5,mean {path}": "quantile:0.5 is no reduction, so it has no plan",
            f"reduce sum {path} --column price --result-type 32": ("--result-type 32: ", "--type long"),
            "reduce mean --generate ones:9 --type int --result-type own": "--result-type own: results of mean"})
        self.assertIn("median, quantile:Q, and top:K", self.run_well("list", "ops").out)

    def test_columns(self):
        path, empty = self.write("sales.csv", "city,Price,k\nOslo,1,2\n"), self.write("empty.csv", "")
        call = f"reduce sum {path} --column"
        self.assert_each_refused("", {
            f"{call} price": "no such column; did you mean Price? its 3 columns are city, Price, k",
            f"{call} Price --group ctiy": "did you mean city? its columns are city, Price, k",
            f"{call} Price --by-key city,k": "only --group takes several keys",
            f"reduce count {empty} --group city": "empty.csv is empty; it has no columns"})

    def test_did_you_mean_a_device(self):
        """One of the words in the name of a device or its platform."""
        device = self.json("query")[0]
        word = max(re.findall("[A-Za-z]{5,20}", f"{device['name']} {device['platform']}"), key=len)
        self.assert_refused("reduce", "sum", "--generate", "ones:9", "--device", word[:-2] + word[:-3:-1],
                            naming=f"; did you mean {word}?\n")

    def test_options_given_twice(self):
        """Options of one value; not flags."""
        for option, values in (("--axis", "0 1"), ("--nan", "ignore ignore"), ("--group-size", "64 32"),
                               ("--type", "int float"), ("--group", "city year")):
            first, second = values.split()
            self.assert_refused("reduce", "sum", "--generate", "ones:9", option, first, f"{option}={second}",
                                naming=(option, second, "twice"))
            self.assertEqual(f"give one list, as in {option} A,B" in Run.last.err, option in ("--axis", "--group"))
        self.assert_refused("ladder", "-n", "5", "-n", "6", naming=("-n", "twice"))
        self.run_well("list", "--json", "--json")

    def test_too_many_operands(self):
        self.assert_each_refused("", {"query everything": "everything",
                                      "list ops types": "types", "ladder a.npy b.npy": "b.npy"})

    def test_text_is_named_as_text(self):
        line = f"reduce sum {self.write('ones.npy', np.ones(2))} --axis 0"
        self.assert_each_refused(line, {f"--output {self.path('o' + ending)}": (f"o{ending}: would be", "--text")
                                        for ending in (".csv", ".tsv", ".txt")})
        self.assertEqual([path for path in os.listdir(self.folder) if path.startswith("o.")], [])
        self.run_well(*line.split(), "--output", self.path("o.csv"), "--text")
        self.assertEqual(Path(self.path("o.csv")).read_text(encoding="utf-8"), "2\n")
        odd = self.write("table", b"a\n1\n")
        self.assert_refused("reduce", "sum", odd, "--column", "a", naming="text needs --format text")

    def test_missing_values(self):
        options = ("--type", "--generate", "--strategy", "--repeat", "--device", "--assume")
        self.assert_each_refused("reduce sum", {option: option for option in options})

    def test_values_of_flags(self):
        self.assert_refused("reduce", "sum", "--generate", "ones:9", "--json=yes", naming="--json")

    def test_counts(self):
        for option in ("--repeat", "--group-size", "--groups", "--elements", "--stop-at", "--skip-bytes", "--stride"):
            values = ("x", "-1", "1.5", "0x10", "1e3", "''", "' 1'", "'1 '", "18446744073709551616")
            self.assert_each_refused(f"reduce sum --generate ones:9 {option}", dict.fromkeys(values, option))

        for line in ("reduce sum", "select x", "reduce median", "ladder -n 9"):
            self.assert_refused(*line.split(), *([] if line[0] == "l" else ["--generate", "ones:9"]), "--repeat",
                                "100000000000", naming="--repeat: 100000000000 is too many; give up to 1000000")

    def test_names_of_files(self):
        """An empty name is wrong use. What can be read once is one input."""
        one = "--generate ones:9"
        self.assert_each_refused("", {
            "reduce sum ''": "INPUT: the name is empty", "select x ''": "INPUT", "histogram '' --bins 2": "INPUT",
            f"reduce sum {one} --output ''": "--output: the name is empty", f"reduce dot {one} --with ''": "--with",
            f"reduce sum {one} --segments ''": "--segments", f"reduce sum {one} --group ''": "--group",
            "reduce dot - --with -": "--with -: standard input can be read once", "reduce sum - -": "can be read once",
            "reduce sum - --group -": "--group -: standard input", "reduce sum - --segments -": "--segments",
            f"reduce hypot {one} --operator - --with -": "can be read once"})
        pipe = self.path("pipe")
        os.mkfifo(pipe)
        self.assert_refused("reduce", "dot", pipe, "--with", pipe, naming=(f"--with {pipe}", "can be read once"))
        self.assert_refused("reduce", "dot", "-", "--with", "/dev/stdin", stdin=b"1", naming="can be read once")

    def test_messages_name_no_status(self):
        for line in ("reduce xor --generate ones:9", "check xor --type float", "reduce sum,xor --generate ones:9",
                     "histogram --generate ones:9 --bins 100000000000", "tune xor --type float",
                     "reduce sum --generate ones:9 --groups 99999999999", "ladder --op xor -n 9 --state double",
                     "reduce sum --generate ones:9 --strategy scan_chunked"):
            self.assert_refused(*line.split())
            self.assertNotIn("CLRED_", Run.last.err)

    def test_line_breaks_do_not_make_two_lines(self):
        self.assert_refused("reduce", "sum\nproduct", "--generate", "ones:9")
        self.assert_refused("reduce", "sum", "no\nwhere.npy", code=1)
