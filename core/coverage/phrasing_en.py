"""English questions from a sentence's own facts."""

from __future__ import annotations

import re
from collections.abc import Iterator

from core.coverage.hard_facts import MONEY, TIMES, Fact, facts_of
from core.coverage.phrase import Phrased

_PLURALS = {
    **{"person": "people", "metre": "metres", "workday": "working days", "%": "per cent", "°c": "degrees Celsius"},
    **{"g": "grams", "kg": "kilograms", "mg": "milligrams", "ml": "millilitres", "litre": "litres"},
    **{"mm": "millimetres", "cm": "centimetres", "w": "watts", "kw": "kilowatts", "v": "volts", "ma": "milliamperes"},
    **{"drink": "drinks", "cycle": "cycles"},
}
_MODAL = r"must|shall|should|may|can|will|has to|have to"
_ABOUT = r"(?:at (?:the )?(?:least|most|latest)|up to|(?:no |not )?(?:more|less) than|about|only)"
_WITHIN = re.compile(
    rf"^(?P<who>.+?) (?P<modal>{_MODAL}) (?P<deed>.+?),? (?:within|no later than) (?:{_ABOUT} )?$", re.I
)
_FOR = re.compile(rf"^(?P<who>.+?) (?P<modal>{_MODAL}) (?P<deed>.+?) for (?:{_ABOUT} )?$", re.I)
_IS = re.compile(rf"^(?P<who>.+?) (?P<be>is|are|was|were) (?:set to |set at |limited to )?(?:{_ABOUT} )?$", re.I)
_VERBS = (
    "takes holds weighs lasts opens closes costs runs goes contains reaches needs leaves stays purges sends charges"
    " begins starts ends expires stops switches requires covers measures works rises falls keeps pays receives gets"
    " uses delivers draws allows grinds heats shows counts answers repays refunds"
)
_DOES = re.compile(
    rf"^(?P<who>(?:(?:The|A|An|Each|Every|This) )?[\w-]+(?: [\w-]+){{0,6}}?) (?P<verb>{_VERBS.replace(' ', '|')}) "
    rf"(?P<mid>(?:[^,;:0-9]*? )??)"
    rf"(?P<at>(?:at|for|after|in|within|by|under|over|above|below|every|from|until|before|to) )?(?:{_ABOUT} )?$"
)
_EVERY = re.compile(rf"^(?P<who>.+?) (?P<modal>{_MODAL}) (?P<deed>.+?) (?:once )?every $", re.I)
_ORDERS = (
    "Let|Wait|Run|Rinse|Heat|Hold|Keep|Leave|Pull|Press|Soak|Dry|Purge|Flush|Clean|Pour|Use|Add|Fill|Store|Replace|Change|"
    "Turn|Set|Wipe|Empty|Allow|Stir|Check|Inspect|Lubricate|Descale|Renew|Test|Apply|Pay|Report|File|Submit|Return"
)
_ORDER = re.compile(
    rf"^(?:.*?(?:, | and )(?=[a-z]))?(?P<deed>(?:{_ORDERS})\b(?:(?!{_ORDERS})[^,])*?) ?"
    rf"(?P<how>for|every|within|) (?:{_ABOUT} )?$",
    re.I,
)
_AFTER = re.compile(r"$| (?:on|for|of|in|at|per|from|after|before|with|to|when|a|an|until|between|by)\b")
"""How a sentence may go on after its number for the question to go on so too."""
_NESTED = re.compile(r"\b(?:when|if|that|who|which|where|because|unless|without|until)\b|[,()]", re.I)
_FEWEST = 6
"""Words below which a question says too little."""
_END = re.compile(r"[,;:.(]| and | but | which | unless | if | where | because ")
_WITHOUT = re.compile(
    r"\b(?:after|before|during|at|on|in|for|with|from|by|to|it|they|this|these|that|those|he|she)\b", re.I
)


def questions(sentence: str) -> Iterator[Phrased]:
    """The questions that a sentence's facts allow."""
    if sentence.lstrip().startswith(("|", "-", "*")):
        return
    for fact in facts_of(sentence):
        left = sentence[: fact.start]
        clause = left[max((m.end() for m in re.finditer(r"[;:.] ", left)), default=0) :].lstrip()
        right = _END.split(sentence[fact.end :].rstrip(" ."), maxsplit=1)[0].rstrip()
        said = sentence[fact.start : fact.end]
        if len((question := _asked(clause, fact, right)).split()) >= _FEWEST:
            yield Phrased(question, said, 3 if fact.unit in TIMES | MONEY else 2)


def _asked(clause: str, fact: Fact, right: str) -> str:
    """The question of one number, by the first form that its clause has; empty where it has none."""
    if not _AFTER.match(right):
        return ""
    timed = _timed(clause, right) if fact.unit in TIMES else ""
    return timed or _measured(clause, fact, right)


def _timed(clause: str, right: str) -> str:
    """What asks for a length of time: how soon, how long, how often; empty where the clause has no such form."""
    for form, how in ((_WITHIN, "soon"), (_FOR, "long"), (_EVERY, "often")):
        match = form.match(clause)
        if match and not _vague(match["who"]) and not _NESTED.search(match["deed"]):
            return f"How {how} {match['modal']} {_lower(match['who'])} {match['deed']}{right}?"
    match = _ORDER.match(clause)
    if match and not _NESTED.search(match["deed"]) and (match["how"] or match["deed"].lower() == "wait"):
        how = {"every": "often", "within": "soon"}.get(match["how"], "long")
        return f"How {how} should you {match['deed'].strip().lower()}{right}?"
    return ""


def _measured(clause: str, fact: Fact, right: str) -> str:
    """What asks for a number of anything: how much, how many; empty where the clause has no such form."""
    match = _IS.match(clause)
    if match and not _vague(match["who"]):
        return f"{_much(fact)} {match['be']} {_lower(match['who'])}{right}?"
    match = _DOES.match(clause)
    if match and not _vague(match["who"]):
        at = (match["at"] or "").strip()
        asked = f"{at} {_counted(fact)}".strip()
        if re.search(r"\b(?:or|and|of|in|than|to)\s*$", match["mid"]):
            return ""
        rest = " ".join(part for part in (_base(match["verb"]), match["mid"].strip()) if part)
        return f"{asked[0].upper()}{asked[1:]} does {_lower(match['who'])} {rest}{right}?"
    return ""


def _much(fact: Fact) -> str:
    return "How long" if fact.unit in TIMES else "How much" if fact.unit in MONEY else "What"


def _counted(fact: Fact) -> str:
    if fact.unit in MONEY:
        return "how much"
    return f"how many {_PLURALS.get(fact.unit) or (f'{fact.unit}s' if fact.unit in TIMES else fact.unit)}"


def _vague(who: str) -> bool:
    """Whether the subject stands in another sentence, or is no subject at all."""
    return bool(_WITHOUT.match(who) or _NESTED.search(who)) or len(who.split()) > 8


def _lower(who: str) -> str:
    """A subject within the sentence: an article or a common word loses its capital, a name keeps it."""
    first = who.split(maxsplit=1)[0]
    return who[0].lower() + who[1:] if len(first) == 1 or (first.isalpha() and first[1:].islower()) else who


def _base(verb: str) -> str:
    """The plain form of a verb in the third person."""
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:ss|sh|ch|x|zz|o)es$", verb) else verb[:-1]
