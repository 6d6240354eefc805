"""The command line: verbs, options, help, manual, completion, version, and refusals of wrong lines."""

import re
import shutil
import subprocess
import unittest
from pathlib import Path

from cli import TOOL, Case, Run

VERBS = ("query", "list", "reduce", "join", "scan", "select", "histogram", "sort", "argsort", "plan", "ladder", "check",
         "tune", "bench", "selftest")
COMPLETION = str(Path(__file__).resolve().parents[2] / "tools/cli/completion.bash")
# Options whose value must be a number.
NUMBERS = ("--skip-bytes", "--stride", "-n", "--axis", "--weights", "--bins", "--seed", "--group-size", "--groups",
           "--elements", "--stop-at", "--chunk", "--repeat", "--seconds", "--calls", "--first")


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
            self.assertLessEqual(max(map(len, run.out.splitlines())), 80)

    def test_of_each_verb(self):
        """Each option is listed once, on 80 columns."""
        self.assertEqual(self.run_well("help").out, self.run_well("--help").out)
        for verb in VERBS:
            run = self.run_well(verb, "--help")
            self.assertEqual((run.err, run.out), ("", self.run_well("help", verb).out))
            self.assertTrue(f"usage: clreduce {verb} " in run.out and "--json" in run.out)
            self.assertLessEqual(max(map(len, run.out.splitlines())), 80)
            names = re.findall(r"^  (-\S+)", run.out, re.MULTILINE)
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

    def test_rules_name_options(self):
        """What options exclude and need are options."""
        source = (Path(__file__).parents[2] / "tools/cli/options.c").read_text(encoding="utf-8")
        source += (Path(__file__).parents[2] / "tools/cli/options.h").read_text(encoding="utf-8")
        names = set(re.findall(r'^  \{"([a-z-]*)", ', source, re.MULTILINE))
        rules = re.findall(r'(?:\.excludes =|\.needs =|#define \w+(?: \\\n)?) *"([^"]+)"', source)
        self.assertGreater(len(rules), 20)
        for item in ",".join(rules).split(","):
            self.assertIn(item.partition("=")[0], names | {""})

    def test_version(self):
        out = self.run_well("--version").out
        self.assertRegex(out, r"^clreduce \d+\.\d+\.\d+\n$")
        self.assertEqual(self.run_well("-V").out, out)
        for verb in VERBS:
            self.assertEqual(self.run_well(verb, "--version").out, out)
        self.assertEqual(self.run_well("reduce", "-V").out, out)

    def test_needs_no_device(self):
        for arguments in (["--help"], ["--version"], ["--man-page"], ["reduce", "--help"], ["list"],
                          ["reduce", "sum", "nowhere.npy", "--help"]):
            run = Run(arguments, environment={"OCL_ICD_VENDORS": self.directory})
            self.assertEqual(run.code, 0, str(run))


class Pages(Case):
    """The manual and the completion."""

    def check_syntax(self, *command):
        if shutil.which(command[0]) is None:
            self.skipTest(f"no {command[0]} here")
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=60, check=False)
        self.assertEqual((done.returncode, done.stderr.decode()), (0, ""))

    def test_syntax(self):
        manual = self.write("c.1", self.run_well("--man-page").out.encode())
        for command in (("bash", "-n", COMPLETION), ("man", "--warnings", "-l", manual),
                        ("groff", "-ww", "-man", "-Tutf8", manual)):
            with self.subTest(command[0]):
                self.check_syntax(*command)

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
        line = (f'source {COMPLETION}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _clreduce; '
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
                         {"all"} | {word for device in devices
                                    for word in (str(device["index"]), device["name"].split()[0])})
        for words in (("reduce", "sum", ""), ("reduce", "sum", "--output", "")):
            self.assertEqual(self.complete(*words), set())  # bash completes files then

    @unittest.skipIf(shutil.which("zsh") is None, "no zsh here")
    def test_zsh_takes_the_words_of_bash(self):
        begin = "autoload -U +X compinit bashcompinit; compinit -u -D; bashcompinit; emulate sh; setopt ksharrays;"
        line = begin + f' . {COMPLETION}; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _clreduce; echo ${{COMPREPLY[*]}}'
        done = subprocess.run(["zsh", "-f", "-c", line, "zsh", TOOL, "reduce", "sum", "--nan", ""], capture_output=True,
                              text=True, timeout=60, check=True)
        self.assertEqual((done.stdout.split(), done.stderr), (["propagate", "ignore"], ""))


class NoDevice(Case):

    def test_is_refused(self):
        made = ["--generate", "ones:9"]
        for arguments in (["reduce", "sum"] + made, ["plan", "sum"] + made, ["ladder"]):
            run = Run(arguments, environment={"OCL_ICD_VENDORS": self.directory})
            self.assertIn(run.code, (1, 2), str(run))
            self.assertEqual((run.out, run.err.count("\n")), ("", 1), str(run))
            self.assertRegex(run.err, re.compile("device|platform", re.IGNORECASE))


class Bad(Case):

    def test_what_is_not_refused(self):
        """Flags may be given twice, and a list names the operators that are no reductions."""
        self.run_well("list", "--json", "--json")
        self.assertIn("median, quantile:Q, and top:K", self.run_well("list", "ops").out)

    def test_did_you_mean_a_device(self):
        """One of the words in the name of a device or its platform."""
        device = self.json("query")[0]
        word = max(re.findall("[A-Za-z]{5,20}", f"{device['name']} {device['platform']}"), key=len)
        self.assert_refused("reduce", "sum", "--generate", "ones:9", "--device", word[:-2] + word[:-3:-1],
                            naming=f"; did you mean {word}?\n")
