"""The transformer of multilingual-e5-small as an ONNX graph: one window of embedded tokens in, its mean vector out.

It takes one window a run, without padding. So a text's vector never depends on the texts beside it, though int8 scales
by the largest number of a run (in one batch with others a text's vector moved by up to .003 in cosine); and one window
on each core does more than padded batches that all cores share (143 a second against 116 in int8 on two).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from core.llm.e5 import IN, OUT, Precision
from core.llm.e5.weights import Weights
from core.ports import Vectors

LOUD = {0: 318, 1: 1462, 2: 354, 4: 778, 5: 658, 6: 1152, 7: 413}
"""The inner unit of a layer that reaches 11 to 67 where no other of these weights exceeds 8, measured on 220 Chinese
and English texts; quantised with the rest it would leave them a tenth of the steps."""
LOUDEST = {0: 321} | dict.fromkeys(range(1, 5), 15) | dict.fromkeys(range(5, 12), 35)
"""The same among the numbers that a layer's inner units read: 6 to 44, the others mostly below 5. Both computed beside
in float32, the cosine to float32's vectors rises from .9969 to .9995."""
STEPS: Mapping[Precision, int] = {"int8": 127, "int7": 63}
"""Whole numbers on either side of zero that a weight is rounded to."""
_OPSET, _IR, _CONTRIB = 17, 8, "com.microsoft"


def build(weights: Weights, precision: Precision) -> bytes:
    """The graph, serialised: 22 MB in int8, made in about 0.2 s; 85 MB in fp32."""
    serialised: bytes = _Graph(weights, precision).whole().SerializeToString()
    return serialised


class _Graph:
    """A graph that grows node by node; every method returns the name of what it adds."""

    def __init__(self, weights: Weights, precision: Precision) -> None:
        self._weights = weights
        self._steps = STEPS.get(precision)
        self._product = self._floats if self._steps is None else self._whole_numbers
        self._nodes: list[onnx.NodeProto] = []
        self._tensors: list[onnx.TensorProto] = []

    def whole(self) -> onnx.ModelProto:
        """All layers and the mean over the tokens."""
        found = self._normalised(IN, "emb.ln")
        self._held("widths", np.full(3, self._weights.width, np.int64))
        for number in range(self._weights.layers):
            found = self._layer(found, number)
        self._node("ReduceMean", [found], OUT, axes=[1], keepdims=0)
        width = self._weights.width
        told = helper.make_tensor_value_info(IN, TensorProto.FLOAT, [1, "length", width])
        made = helper.make_tensor_value_info(OUT, TensorProto.FLOAT, [1, width])
        graph = helper.make_graph(self._nodes, "e5", [told], [made], self._tensors)
        versions = [helper.make_opsetid("", _OPSET), helper.make_opsetid(_CONTRIB, 1)]
        return helper.make_model(graph, opset_imports=versions, ir_version=_IR)

    def _layer(self, given: str, number: int) -> str:
        """Attention of all tokens to all, then each token through the inner units."""
        at, weights = f"l{number}.", self._weights
        three = np.concatenate([weights.matrix(f"{at}{part}.w") for part in "qkv"])
        biases = np.concatenate([weights.vector(f"{at}{part}.b") for part in "qkv"])
        joined = self._product(given, three, biases, f"{at}qkv")
        parts = [f"{at}{part}" for part in "qkv"]
        self._nodes.append(helper.make_node("Split", [joined, "widths"], parts, axis=-1))
        seen = self._node("MultiHeadAttention", parts, f"{at}seen", _CONTRIB, num_heads=weights.heads)
        told = self._product(seen, weights.matrix(f"{at}ao.w"), weights.vector(f"{at}ao.b"), f"{at}ao")
        between = self._normalised(self._node("Add", [told, given], f"{at}ao.sum"), f"{at}aln")
        thought = self._inner(between, number)
        return self._normalised(self._node("Add", [thought, between], f"{at}fo.sum"), f"{at}oln")

    def _inner(self, given: str, number: int) -> str:
        """A token through the inner units and back; in whole numbers, what is loud is computed beside the rest."""
        at, weights = f"l{number}.", self._weights
        there, there_bias = weights.matrix(f"{at}fi.w"), weights.vector(f"{at}fi.b").copy()
        back, back_bias = weights.matrix(f"{at}fo.w"), weights.vector(f"{at}fo.b")
        loud = [LOUD[number]] if self._steps and number in LOUD else []
        heard, heard_bias, told = there[loud], there_bias[loud], back[:, loud]
        there[loud], there_bias[loud], back[:, loud] = 0, 0, 0
        spoken = self._spoken(given, there, there_bias, number)
        found = self._product(self._node("Gelu", [spoken], f"{at}awake", _CONTRIB), back, back_bias, f"{at}fo")
        if not loud:
            return found
        awake = self._node("Gelu", [self._floats(given, heard, heard_bias, f"{at}loud")], f"{at}loud.awake", _CONTRIB)
        self._held(f"{at}told.w", told.T)
        return self._node("Add", [found, self._node("MatMul", [awake, f"{at}told.w"], f"{at}told")], f"{at}fo.all")

    def _spoken(self, given: str, matrix: Vectors, bias: Vectors, number: int) -> str:
        """What the inner units are told; in whole numbers without the loudest of what is given, which is added."""
        at, loudest = f"l{number}.fi", LOUDEST[number]
        if not self._steps:
            return self._product(given, matrix, bias, at)
        quiet = np.ones(self._weights.width, np.float32)
        quiet[loudest] = 0
        self._held(f"{at}.quiet", quiet)
        self._held(f"{at}.loudest", np.array([loudest]))
        self._held(f"{at}.beside", matrix[:, [loudest]].T)
        found = self._product(self._node("Mul", [given, f"{at}.quiet"], f"{at}.rest"), matrix * quiet, bias, at)
        alone = self._node("Gather", [given, f"{at}.loudest"], f"{at}.alone", axis=2)
        return self._node("Add", [found, self._node("MatMul", [alone, f"{at}.beside"], f"{at}.added")], f"{at}.all")

    def _floats(self, given: str, matrix: Vectors, bias: Vectors, name: str) -> str:
        self._held(f"{name}.w", matrix.T)
        self._held(f"{name}.b", bias)
        return self._node("Add", [self._node("MatMul", [given, f"{name}.w"], f"{name}.product"), f"{name}.b"], name)

    def _whole_numbers(self, given: str, matrix: Vectors, bias: Vectors, name: str) -> str:
        """A product of whole numbers: weights scaled by output, what is given by its largest number, in each run."""
        assert self._steps is not None
        scales = np.maximum(np.abs(matrix).max(axis=1), np.finfo(np.float32).tiny) / self._steps
        self._held(f"{name}.w", np.rint(matrix / scales[:, None]).astype(np.int8).T)
        self._held(f"{name}.scales", scales.astype(np.float32))
        self._held(f"{name}.zeros", np.zeros(len(scales), np.int8))
        self._held(f"{name}.b", bias)
        beside = [f"{name}.{part}" for part in ("w", "scales", "zeros", "b")]
        return self._node("DynamicQuantizeMatMul", [given, *beside], name, _CONTRIB)

    def _normalised(self, given: str, name: str) -> str:
        self._held(f"{name}.w", self._weights.vector(f"{name}.w"))
        self._held(f"{name}.b", self._weights.vector(f"{name}.b"))
        beside = [f"{name}.w", f"{name}.b"]
        return self._node("LayerNormalization", [given, *beside], name, axis=-1, epsilon=self._weights.epsilon)

    def _node(self, kind: str, given: list[str], name: str, domain: str = "", **settings: Any) -> str:
        self._nodes.append(helper.make_node(kind, given, [name], domain=domain, **settings))
        return name

    def _held(self, name: str, numbers: npt.NDArray[Any]) -> None:
        self._tensors.append(numpy_helper.from_array(np.ascontiguousarray(numbers), name))
