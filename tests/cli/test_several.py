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

    def test_text_has_a_line_for_each_part(self):
        alone = self.alone()
        lines = self.run_well("reduce", LIST, self.normal).out.splitlines()
        names = ["sum", "min", "argmax_index", "argmax_value", "mean"]
        self.assertEqual([line.split()[0] for line in lines], names)
        self.assertEqual({line.rindex(" ") for line in lines}, {len("argmax_index")})
        values = [alone["sum"], alone["min"], alone["argmax"]["index"], alone["argmax"]["value"], alone["mean"]]
        self.assertEqual([np.float32(line.split()[1]) for line in lines], [np.float32(value) for value in values])

    def test_rows_give_a_structured_array(self):
        result = self.array("reduce", LIST, self.normal, "--axis", "0", "--verify")
        self.assertEqual(result.dtype.names, ("sum", "min", "argmax_index", "argmax_value", "mean"))
        self.assert_array(result["min"], self.values.min(axis=0))
        self.assert_array(result["argmax_index"], self.values.argmax(axis=0).astype("uint64"))
        for op in ("sum", "mean"):
            self.assert_array(result[op], self.array("reduce", op, self.normal, "--axis", "0"))
        rows = self.json("reduce", LIST, self.normal, "--axis", "0")["result"]
        self.assertEqual([row["argmax"]["index"] for row in rows], result["argmax_index"].tolist())

    def test_stream(self):
        streamed = self.json("reduce", LIST, "-", "--type", "float", "--chunk", "1024", "--verify",
                             stdin=self.values.tobytes())
        self.assertEqual((streamed["result"], streamed["verified"]), (self.alone(), True))

    def test_missing_elements(self):
        with_nan = self.write("nan.npy", np.array([1, np.nan, 3], "float32"))
        self.expect("reduce", "count,sum,argmin", with_nan, "--nan", "ignore",
                    result={"count": 2, "sum": 4, "argmin": {"index": 0, "value": 1}})
        self.assertEqual(self.result("reduce", "count", with_nan), "3")

    def test_overflow(self):
        large = self.write("large.npy", np.array([2**62, 2], "int64"))
        self.expect("reduce", "sum,norm1", large, "--overflow", "detect", result={"sum": 2**62 + 2, "norm1": 2**62 + 2})
        rows = ("reduce", "sum,prod", self.write("rows.npy", np.array([[1, 2], [2**62, 2]], "int64")), "--axis", "1")
        self.assert_refused(*rows, "--overflow", "detect", code=1, naming=("does not fit",))

    def test_plan(self):
        answer = self.expect("plan", LIST, self.normal, op=LIST, state_size=40)
        self.assertIn("sum,min,argmax,mean of float", answer["description"])

    def test_wrong_results_are_found(self):
        """Kernels that lose elements, as a defective compiler may make them."""
        change = ("common/several.clh", "(TAKE_PART(part, a), TAKE_PART(part, b))",
                  "(TAKE_PART(part, a), TAKE_PART(part, a))")
        run = self.run_changed(change, "reduce", LIST, self.normal, "--verify")
        self.assertIn(LIST, run.err)
