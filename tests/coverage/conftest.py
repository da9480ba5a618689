"""Small bases from texts, loaded but not indexed."""

import json

import pytest

from core.knowledge.shelf import load_folder


@pytest.fixture
def loaded(tmp_path):
    """Loads a base of the Markdown texts given, by file name."""

    def load(**documents):
        (tmp_path / "sections").mkdir()
        (tmp_path / "kb.toml").write_text('title = "小库"\n', encoding="utf-8")
        for name, text in documents.items():
            (tmp_path / "sections" / f"{name}.md").write_text(text, encoding="utf-8")
        return load_folder(tmp_path)

    return load


@pytest.fixture
def corpus(tmp_path):
    """Loads a BEIR corpus of (id, title, text)."""

    def load(*rows):
        lines = [json.dumps({"_id": id, "title": title, "text": text}, ensure_ascii=False) for id, title, text in rows]
        (tmp_path / "corpus.jsonl").write_text("\n".join(lines), encoding="utf-8")
        return load_folder(tmp_path)

    return load
