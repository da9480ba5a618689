"""Sentences about a file, said where its name stands already."""

from __future__ import annotations

from dataclasses import replace

from core.domain import Say
from core.words import Words

_MARK = "\ue000"
"""Stands for the file's name in a sentence while it is taken out."""


def beneath(say: Say, words: Words) -> str:
    """What a `Say` says of its `file`, to be read below that file's name: without it at the beginning.

    >>> beneath(Say.of("base.file.empty", file="甲.txt"), Words("zh"))
    '是空的'
    """
    if "file" not in say.values:
        return words.say(say)
    sentence = words.say(replace(say, values={**say.values, "file": _MARK}))
    if sentence.startswith(_MARK):
        sentence = sentence.removeprefix(_MARK).lstrip(" :：").removeprefix("的")
    return sentence.replace(_MARK, words("import.this_file"))
