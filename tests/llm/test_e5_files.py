"""The model file and the graph kept from it: what is damaged, absent or unknown never stops the app."""

from __future__ import annotations

import importlib.util
import os

import numpy as np
import pytest

from core import whole_files
from core.errors import EmbeddingError
from core.llm import embedded
from core.llm.e5.graph import build
from core.llm.e5.kept import kept
from core.llm.e5.own import OwnE5
from core.llm.e5.weights import KNOWN, Weights, digest, model_file
from core.llm.embedded import EmbeddedE5


@pytest.fixture
def graph(tmp_path):
    """A folder that holds what was made once."""
    assert kept(tmp_path / "cache", "a.graph", lambda: b"made" * 1000) == b"made" * 1000
    return tmp_path / "cache" / "a.graph"


def never():
    raise AssertionError("made although it was kept")


def test_the_model_file_is_the_one_known_and_its_tensors_are_where_it_says():
    weights = Weights(model_file())
    assert digest(model_file()) == KNOWN
    assert (weights.width, weights.layers, weights.heads, weights.window) == (384, 12, 12, 510)
    assert weights.matrix("l11.fo.w").shape == (384, 1536) and np.isfinite(weights.matrix("l11.fo.w")).all()
    assert len(weights.pieces()) == 250_002 and weights.characters()[0xFF11] == "1"
    assert weights.embedded([0, 1234, 2]).shape == (3, 384)


def test_a_graph_is_made_the_same_each_time_and_small():
    weights = Weights(model_file())
    assert build(weights, "int8") == build(weights, "int8")
    assert len(build(weights, "int8")) < 25e6 < 80e6 < len(build(weights, "fp32")) < 90e6


def test_what_is_kept_is_not_made_again(graph):
    assert kept(graph.parent, graph.name, never) == b"made" * 1000
    assert os.listdir(graph.parent) == [graph.name]


@pytest.mark.parametrize("damage", [b"", b"x", b"x" * 40, None])
def test_what_is_damaged_is_made_anew_and_kept(graph, damage):
    whole = graph.read_bytes()
    graph.write_bytes(whole[:-1] + b"!" if damage is None else damage)
    assert kept(graph.parent, graph.name, lambda: b"made" * 1000) == b"made" * 1000
    assert graph.read_bytes() == whole


def test_where_the_folder_is_none_or_cannot_be_written_it_is_made_every_time(tmp_path):
    (tmp_path / "file").write_text("not a folder", encoding="utf-8")
    assert kept(tmp_path / "file", "a.graph", lambda: b"made") == kept(None, "a.graph", lambda: b"made") == b"made"
    assert os.listdir(tmp_path) == ["file"]


def test_a_disk_that_fills_leaves_no_part_behind(tmp_path, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(whole_files.os, "replace", full)
    assert kept(tmp_path, "a.graph", lambda: b"made") == b"made" and os.listdir(tmp_path) == []


def test_a_start_keeps_the_graph_and_the_next_needs_no_onnx(tmp_path, monkeypatch):
    first = EmbeddedE5(tmp_path, "int8").query("押金").vectors
    assert len(list(tmp_path.iterdir())) == 1
    monkeypatch.setattr("core.llm.e5.graph.build", never)
    assert np.array_equal(EmbeddedE5(tmp_path, "int8").query("押金").vectors, first)


@pytest.mark.parametrize("absent", ["onnx", "onnxruntime", "tokenizers"])
def test_without_a_library_the_packages_own_engine_embeds(absent, monkeypatch):
    found, loaded = importlib.util.find_spec, importlib.import_module

    def load(name):
        if name == absent:
            raise ImportError(name)
        return loaded(name)

    monkeypatch.setattr(embedded, "find_spec", lambda name: None if name == absent else found(name))
    monkeypatch.setattr(embedded, "import_module", load)
    embedder = EmbeddedE5()
    assert embedder.space == OwnE5().space and embedder.batch == 8 and embedder.cut == 2_000
    assert embedder.query("押金").vectors.shape == (384,)


def test_an_unknown_model_file_is_left_to_the_packages_own_engine(tmp_path, monkeypatch):
    (tmp_path / "e5-small-q4.bin").write_bytes(b"E5S1" + bytes(100))
    monkeypatch.setattr(embedded, "model_file", lambda: tmp_path / "e5-small-q4.bin")
    assert EmbeddedE5().space == OwnE5().space


def test_a_file_that_breaks_after_it_was_known_is_told(tmp_path, monkeypatch):
    broken = tmp_path / "e5-small-q4.bin"
    broken.write_bytes(b"E5S1")
    monkeypatch.setattr(embedded, "_known_file", lambda: broken)
    with pytest.raises(EmbeddingError) as raised:
        EmbeddedE5().warm()
    assert raised.value.say.code == "embeddings.broken"


@pytest.mark.parametrize(
    ("told", "precision"),
    [("flags: avx2", "int7"), ("flags: avx2 avx512_vnni", "int8"), ("flags: avx2 avx_vnni", "int8"), ("asimd", "int8")],
)
def test_a_processor_that_could_overflow_gets_weights_of_seven_bits(told, precision, tmp_path, monkeypatch):
    (tmp_path / "cpuinfo").write_text(told, encoding="utf-8")
    monkeypatch.setattr(embedded, "_PROCESSOR", tmp_path / "cpuinfo")
    assert f"onnx-{precision}-" in EmbeddedE5().space
