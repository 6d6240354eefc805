"""Several operators in one pass: reduce sum,min,argmax. Each result has the bits of its operator alone."""

import numpy as np

from cli import Case

LIST = "sum,min,argmax,mean"


class Several(Case):

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.values = np.random.default_rng(5).standard_normal((50, 41)).astype("float32")
        cls.normal = cls.write("normal.npy", cls.values)

    def alone(self, *arguments):
        return {op: self.json("reduce", op, self.normal, *arguments)["result"] for op in LIST.split(",")}

    def test_json_has_an_object_by_operator(self):
        answer = self.expect("reduce", LIST, self.normal, "--verify", op=LIST, result_type="struct", verified=True,
                             count=2050, passes=1)
        self.assertEqual(answer["result"], self.alone())
        self.assertEqual(list(answer["result"]), LIST.split(","))

    def test_rows_give_a_structured_array(self):
        result = self.array("reduce", LIST, self.normal, "--axis", "0", "--verify")
        self.assertEqual(result.dtype.names, ("sum", "min", "argmax_index", "argmax_value", "mean"))
        self.assert_array(result["min"], self.values.min(axis=0))
        self.assert_array(result["argmax_index"], self.values.argmax(axis=0).astype("uint64"))
        for op in ("sum", "mean"):
            self.assert_array(result[op], self.array("reduce", op, self.normal, "--axis", "0"))
        rows = self.json("reduce", LIST, self.normal, "--axis", "0")["result"]
        self.assertEqual([row["argmax"]["index"] for row in rows], result["argmax_index"].tolist())
