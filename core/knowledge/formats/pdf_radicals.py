"""Radicals that fonts hand out in place of the characters they look like, put back into those characters."""

from __future__ import annotations

import unicodedata

_SUPPLEMENT = (
    "⺁厂⺃乚⺄乙⺅亻⺆冂⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺒巳⺓幺⺔彑⺖忄⺗㣺⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺟母⺠民⺡氵⺢氺⺣灬"
    "⺤爫⺥爫⺦丬⺧牛⺨犭⺩王⺪疋⺫目⺬示⺭礻⺯糹⺰纟⺱罓⺲罒⺶羊⺹耂⺺肀⺻聿⺼肉⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻈讠⻉贝"
    "⻋车⻌辶⻍辶⻎辶⻏阝⻐钅⻑長⻒镸⻓长⻔门⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻟飠⻠饣⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉"
    "⻬齐⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟"
)
"""Radicals of the supplement, each before what it looks like (Unicode's EquivalentUnifiedIdeograph.txt)."""

_TABLE = {point: unicodedata.normalize("NFKC", chr(point)) for point in range(0x2F00, 0x2FD6)} | {
    ord(radical): character for radical, character in zip(_SUPPLEMENT[::2], _SUPPLEMENT[1::2], strict=True)
}


def unradical(text: str) -> str:
    """Kangxi radicals and radicals of the supplement as ordinary characters, one for one.

    >>> unradical("⽂件⻅第三⻚")
    '文件见第三页'
    """
    return text.translate(_TABLE)
