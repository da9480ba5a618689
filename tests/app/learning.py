"""What tests of the Learn page share: the page at an address, kept comparisons, bases of a folder's own."""

import csv
import shutil

from core.archive import Archive
from core.asking import entrants
from core.bench import open_bench
from core.environment import load
from core.race import compare
from core.settings import BUNDLED
from tests.app.conftest import QUESTION, visit

HOSTILE = "$5 赔 $10？<img src=x onerror=alert(1)> :red[电梯] https://evil.example [l](javascript:alert(1)) 监控"
LONG = "押金" * 1_001
"""A question longer than any that may be asked."""


def learn(locale="zh-CN", **address):
    """The page opened at an address."""
    at = visit(locale, **({"kb": address.pop("kb")} if "kb" in address else {})).run()
    for name, value in address.items():
        at.query_params[name] = value
    at = at.switch_page("pages/learn.py").run()
    assert not at.exception
    return at


def asked(home, question=QUESTION, modes=None, **how):
    """A kept comparison."""
    comparison = compare(open_bench(load()), entrants(question, modes, None, {}), **how)
    Archive(home).keep(comparison)
    return comparison


def keys(at, start):
    return [button.key for button in at.button if (button.key or "").startswith(start)]


def own_base(home, rows=()):
    """A base of the data folder's own, with one document and these questions."""
    folder = home / "kb" / "small"
    (folder / "sections").mkdir(parents=True)
    (folder / "kb.toml").write_text('title = "小库"\nlanguage = "zh"\n', encoding="utf-8")
    (folder / "sections" / "01-押金.md").write_text("# 押金\n\n第一条 押金应当在三日内退还。\n", encoding="utf-8")
    if rows:
        (folder / "questions").mkdir()
        lines = ["question,kind,gold,facts,tags", *rows]
        (folder / "questions" / "own.csv").write_text("\n".join(lines), encoding="utf-8")


def retagged(home, question, tag):
    """The bundled base with one more tag on a question, as an edited base of the data folder's own."""
    shutil.copytree(BUNDLED / "elevator", home / "kb" / "elevator")
    path = home / "kb" / "elevator" / "questions" / "disputes.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    for row in rows:
        row["tags"] = tag if row["id"] == question else row["tags"].replace(tag, "")
    with path.open("w", encoding="utf-8", newline="") as written:
        table = csv.DictWriter(written, rows[0].keys())
        table.writeheader()
        table.writerows(rows)
