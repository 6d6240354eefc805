"""What a plan computes: custom operators, predicates, and histograms."""
from typing import Any, Mapping, Optional, Sequence

import numpy as np

from ._library import ArgumentError, ffi
from ._types import opencl_name, set_fields, type_of

Types = Optional[Mapping[str, Any]]


def _operands(operands: tuple, keep: list) -> Any:
    texts = [[ffi.new("char[]", text.encode()) for text in pair] for pair in operands]
    made = ffi.new("clred_operand[]", [{"name": name, "type": kind} for name, kind in texts])
    keep += [texts, made]
    return made


def _named(operands: Types, argument: str) -> tuple:
    return tuple((name, opencl_name(kind, f"{argument}[{name!r}]")) for name, kind in dict(operands or {}).items())


def _dtypes(operands: Types) -> tuple:
    """The dtype of each operand; None for a type that only the preamble declares."""
    found: list = []
    for kind in dict(operands or {}).values():
        try:
            dtype = np.dtype(kind) if not isinstance(kind, str) else np.dtype(_BACK[kind])
            found.append(np.dtype(np.uint8) if dtype == np.bool_ else dtype)
        except KeyError:
            found.append(None)
    return tuple(found)


_BACK = {"char": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "int": "int32", "uint": "uint32",
         "long": "int64", "ulong": "uint64", "half": "float16", "float": "float32", "double": "float64",
         "bfloat16": "uint16"}
_BACK.update({name: name for name in tuple(_BACK.values())})


class Text:
    """OpenCL C with operands. Equal texts share one plan."""
    ctype = ""
    field = ""

    def __init__(self, texts: dict, inputs: Types, parameters: Types, **flags: int):
        self._texts = {name: text for name, text in texts.items() if text is not None}
        for name, text in self._texts.items():
            if not isinstance(text, str):
                raise TypeError(f"{name}: a {type(text).__name__} is not a text; give OpenCL C")
        self._flags = flags
        self.inputs, self.parameters = _named(inputs, "inputs"), _named(parameters, "parameters")
        self.input_dtypes, self.parameter_dtypes = _dtypes(inputs), _dtypes(parameters)
        self._key = (type(self), tuple(self._texts.items()), self.inputs, self.parameters, tuple(flags.items()))

    @property
    def names_element(self) -> bool:
        """True if the text has its own element type."""
        return "element" in self._texts

    def check_element(self, dtype: np.dtype) -> None:
        """Refuses elements of another dtype than the text reads."""
        name = self._texts.get("element")
        if name in _BACK and np.dtype(_BACK[name]) != dtype:
            raise TypeError(f"x: has dtype {dtype}, and {self._texts['name']} reads {name}; convert it, or give the "
                            "operator another element")

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Text) and self._key == other._key

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self._texts['name']}>"

    def fill(self, problem: Any, dtype: np.dtype, keep: list) -> None:
        """Sets the fields of clred_problem."""
        self.check_element(dtype)
        struct = ffi.new(f"{self.ctype} *")
        set_fields(struct, {**self._texts, **self._flags}, keep)
        struct.inputs, struct.input_count = _operands(self.inputs, keep), len(self.inputs)
        struct.parameters, struct.parameter_count = _operands(self.parameters, keep), len(self.parameters)
        struct.element_size = dtype.itemsize if "element" in self._texts else 0
        keep.append(struct)
        setattr(problem, self.field, struct)


class Operator(Text):
    """An operator of your own, in OpenCL C 1.2 (docs/operators.md).

    >>> largest = Operator("largest", element="float", state="float", identity="-INFINITY", lift="fabs(x)",
    ...                    combine="fmax(a, b)", commutative=True)

    `element`, `state` and `result` are OpenCL types, NumPy dtypes, types of the `preamble`, or members in braces.
    `lift` makes a state of the element `x`; `combine` joins the states `a` and `b`, and must be associative; `lower`
    makes a result of the last state `s`. `inputs` and `parameters` map names to types. `result_dtype` is the dtype of
    results of a type that only the preamble declares."""
    ctype = "clred_operator"
    field = "custom"

    def __init__(self, name: str, element: Any, state: Any, identity: str, combine: str, *, lift: Optional[str] = None,
                 lower: Optional[str] = None, result: Any = None, preamble: Optional[str] = None, inputs: Types = None,
                 parameters: Types = None, commutative: bool = False, elementwise: bool = False,
                 result_dtype: Any = None):
        if isinstance(element, str) and element.lstrip().startswith("{"):  # the library wants a name
            preamble, element = f"{preamble or ''}\ntypedef struct {element} {name}_element;", f"{name}_element"
        super().__init__({"name": name, "preamble": preamble, "element": opencl_name(element, "element"),
                          "state": opencl_name(state, "state"),
                          "result": None if result is None else opencl_name(result, "result"), "identity": identity,
                          "lift": lift, "combine": combine, "lower": lower}, inputs, parameters,
                         commutative=int(commutative), elementwise=int(elementwise))
        self.result_dtype = None if result_dtype is None else np.dtype(result_dtype)
        self._key += (str(self.result_dtype),)


class Selection(Text):
    """A predicate: the elements `x` for which `keep` is not zero."""
    ctype = "clred_selection"
    field = "selection"
    result_dtype = None

    def __init__(self, keep: str, *, name: str = "select", preamble: Optional[str] = None, element: Any = None,
                 inputs: Types = None, parameters: Types = None):
        super().__init__({"name": name, "preamble": preamble, "keep": keep,
                          "element": None if element is None else opencl_name(element, "element")},
                         inputs, parameters)


class Histogram:
    """Bins: their number and range, or increasing edges. See histogram(). `weights` is the dtype of weights, and `more`
    are the bins of a second and a third axis. A plan reads the samples of these axes, and then the weights, as inputs.
    """
    inputs: tuple = ()
    parameters: tuple = ()
    parameter_dtypes: tuple = ()

    def __init__(self, bins: Any, low: Any = None, high: Any = None, *, weights: Any = None,
                 more: "Sequence[Histogram]" = ()):
        self.edges: Optional[tuple] = None
        if np.ndim(bins) == 1:
            self.edges = tuple(float(edge) for edge in bins)
            self.bins, self.low, self.high = len(self.edges) - 1, 0.0, 0.0
        elif np.ndim(bins) == 0 and isinstance(bins, (int, np.integer)):
            self.bins, self.low, self.high = int(bins), float(low), float(high)
        else:
            raise TypeError("bins: give a number, or increasing edges")
        if self.bins < 1:
            raise ArgumentError(f"bins: {self.bins} is too few; give 1 or more, or 2 or more edges")
        ends = self.edges or (self.low, self.high)
        if any(not one < other for one, other in zip(ends, ends[1:])):
            raise ArgumentError(f"{'bins' if self.edges else 'range'}: give increasing numbers; they are {ends}")
        self.more, self.weights = tuple(more), None if weights is None else np.dtype(weights)
        self.shape = (self.bins, *(axis.bins for axis in self.more))
        # None: the dtype of the elements, or of the library's result.
        self.input_dtypes = (None,) * len(self.more) + (() if self.weights is None else (self.weights,))
        self.result_dtype = np.dtype("uint64") if self.weights is None else None
        self._key = (Histogram, self.bins, self.low, self.high, self.edges, self.weights, self.more)

    def __hash__(self) -> int:
        return hash(self._key)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Histogram) and self._key == other._key

    def _struct(self, keep: list) -> Any:
        struct = ffi.new("clred_histogram *", {"bins": self.bins, "low": self.low, "high": self.high})
        if self.edges is not None:
            keep.append(ffi.new("double[]", self.edges))
            struct.edges = keep[-1]
        keep.append(struct)
        return struct

    def fill(self, problem: Any, dtype: np.dtype, keep: list) -> None:
        """Sets the fields of clred_problem."""
        axis = problem.histogram = self._struct(keep)
        if self.weights is not None:
            axis.weight_type = type_of(self.weights, "weights")
        for other in self.more:
            axis.next = other._struct(keep)
            axis = axis.next
