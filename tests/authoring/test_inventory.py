"""The list of bases: what each is, told without opening it."""

from __future__ import annotations

from core.authoring.bases import own_copy
from core.authoring.inventory import inventory
from core.knowledge import splitting
from tests.authoring.conftest import contents


def test_every_base_says_what_it_is(home, base):
    own_copy(home, "elevator")
    found = {entry.name: entry for entry in inventory(home)}
    assert {name: entry.kind for name, entry in found.items()}["小库"] == "own"
    assert (found["elevator"].kind, found["espresso"].kind) == ("edited", "bundled")
    small = found["小库"]
    assert (small.title, small.language, small.documents) == ("小库", "zh", 2) and small.changed
    assert small.bytes == sum(map(len, contents(base).values()))


def test_own_bases_stand_first(home, base):
    assert next(entry.name for entry in inventory(home)) == "小库"


def test_a_base_that_cannot_be_opened_is_listed_with_its_reason(home, base):
    (base / "kb.toml").write_text("title = \n", encoding="utf-8")
    entry = next(entry for entry in inventory(home) if entry.name == "小库")
    assert entry.refused is not None and entry.refused.code == "base.toml.broken" and entry.title == "小库"


def test_no_base_is_opened_for_the_list(home, base, monkeypatch):
    monkeypatch.delattr(splitting, "split")
    monkeypatch.setattr("core.knowledge.building.cut_document", None)
    assert inventory(home)
