"""`why`: why each mode found or missed a passage."""

from __future__ import annotations

from argparse import Namespace

from core.asking import entrants, mode_ids, parse_pairs
from core.bench import open_bench
from core.cli.output import show, show_json
from core.cli.waiting import explained
from core.settings import Settings
from core.why import explain
from core.words import Words


def command(given: Namespace, settings: Settings, words: Words) -> int:
    """Explain and print."""
    chosen = entrants(given.question, mode_ids(given.modes), given.k, parse_pairs(given.set))
    bench = open_bench(settings, given.kb)
    passage = bench.base.passage(given.passage)
    with explained(bench, words):
        found = explain(bench, chosen, passage)
    sentences = {mode: words.say(why.sentence) for mode, why in found.items()}
    said = {m: words("why.mode", mode=words.mode(m), sentence=text) for m, text in sentences.items()}
    if given.json:
        modes = {mode: {**why.facts, "sentence": sentences[mode]} for mode, why in found.items()}
        show_json(
            {
                "question": given.question,
                "passage_id": passage.id,
                "modes": modes,
                "sentence": words("why.joint").join(said.values()),
            }
        )
        return 0
    show(f"{passage.id} · {passage.section}")
    show(passage.text)
    for mode, text in said.items():
        show(f"  {text}")
        for term in found[mode].facts.get("terms", ()):
            show(f"      {term['term']}  tf {term['tf']}  idf {term['idf']:.3f}  + {term['contribution']:.3f}")
    return 0
