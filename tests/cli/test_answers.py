"""Short answers of the tool: answers.txt has one a line."""

import json
import re

from test_refusals import Table, unescaped


class Answers(Table):

    def test_the_table(self):
        for place, words, expected, _, content in self.rows("answers.txt"):
            with self.subTest(place):
                out, notes, note = re.fullmatch("(.*?)(?: ?(!!)(?: (.*))?)?", expected).groups()
                run = self.run_well(*words, stdin=content, directory=self.directory)
                if "--json" in words:
                    fields, answer = json.loads(out), json.loads(run.out)
                    self.assertEqual(json.dumps({name: answer[name] for name in fields}), json.dumps(fields))
                else:
                    self.assertEqual(run.out, unescaped(f"{out}\\n" if out else "").decode())
                if notes:
                    self.assertEqual(run.err.count("\n"), 1 if note else 0)
                    self.assertIn(note or "", run.err)
