"""Chinese questions in everyday words: what asks for each unit, and plainer words for those of rules and laws."""

from __future__ import annotations

import re

from core.coverage.hard_facts import MONEY, TIMES

ASKED = {
    **dict.fromkeys(TIMES, "多久"),
    **dict.fromkeys(MONEY, "多少钱"),
    "%": "百分之几",
    "part": "几分之几",
    "times": "几倍",
    "occasion": "几次",
    "person": "多少人",
    "age": "多少岁",
    "metre": "多少米",
    "square metre": "多少平方米",
    "kilometre": "多少公里",
    "kg": "多少公斤",
    "tonne": "多少吨",
    "°c": "多少度",
    "household": "多少户",
    "firm": "几家",
    "copy": "几份",
    "storey": "几层",
    "unit": "几台",
    "mm": "多少毫米",
    "cm": "多少厘米",
    "cubic metre": "多少立方米",
    "g": "多少克",
    "mg": "多少毫克",
    "litre": "多少升",
    "ml": "多少毫升",
    "w": "多少瓦",
    "kw": "多少千瓦",
    "kwh": "多少千瓦时",
    "v": "多少伏",
    "mpa": "多少兆帕",
    "hz": "多少赫兹",
    "piece": "几件",
    "set": "几套",
    "page": "几页",
    "lesson": "多少学时",
}
"""The question word for each unit."""

_PLAINER = [
    (re.compile(pattern), plain)
    for pattern, plain in (
        (r"违反本[\u4e00-\u9fff]{1,6}(?:第[^，]{1,20}条(?:第[^，]{1,4}[款项])*)?的?规定[，,]?", ""),
        (r"自(?P<when>[^，自]{2,24}?)之日起", r"从\g<when>那天起"),
        (r"最短(?:为|不少于|不得少于)", "最少是"),
        (r"最长(?:为|不超过|不得超过)", "最多是"),
        (r"(?:不得|不应|应当?不)(?:少于|低于)|不(?:少于|低于)", "至少要"),
        (r"(?:不得|不应|应当?不)(?:超过|多于|高于)|不(?:超过|多于|高于)", "最多能"),
        (r"不得", "不能"),
        (r"应当|必须", "要"),
        (r"予以|依法|及时|(?<=[要能])自行", ""),
        (r"[缴交]纳", "交"),
        (r"办理", "办"),
        (r"告知", "告诉"),
        (r"出具", "开"),
        (r"收取(?=[^，,？?])", "收"),
        (r"支付(?![令宝])", "付"),
        (r"提交", "交上"),
        (r"查阅", "看"),
        (r"保存", "保留"),
        (r"未(?!成年|来|遂|必|婚|满|知)", "没"),
        (r"届满", "到期"),
        (r"期限", "时间"),
        (r"方可", "才能"),
        (r"或者", "或"),
        (r"以及", "和"),
    )
]
"""Words of rules and laws in everyday ones, in this order."""


def plainly(question: str) -> str:
    """A question in everyday words."""
    for pattern, plainer in _PLAINER:
        question = pattern.sub(plainer, question)
    return re.sub(r"要要|要要在", "要", question).strip("，, ")
