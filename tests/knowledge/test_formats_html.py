"""Web pages: what a reader sees of them, and never their markup."""

from __future__ import annotations

from time import monotonic

import pytest

from core.errors import BaseError
from core.knowledge.formats import Options, read_source
from core.knowledge.reading import Reading
from core.knowledge.splitting import split


def read(page: str, encoding: str = "utf-8") -> Reading:
    return read_source(page.encode(encoding), "页面.html")


def test_headings_paragraphs_and_lists_come_in_order() -> None:
    page = "<h1>手册</h1><h2>安装</h2><p>先断电。<p>再<b>拆</b>盖。"
    items = "<ul><li>甲<ol start=3><li>子</ol><li><p>乙</p><p>二段</p></ul>"
    assert read(page + items).text == "# 手册\n\n## 安装\n\n先断电。\n\n再拆盖。\n\n- 甲\n  3. 子\n- 乙\n  二段\n"


def test_the_title_stands_in_where_no_heading_of_the_first_rank_is() -> None:
    assert read("<title>退货政策</title><h2>期限</h2><p>七日").text == "# 退货政策\n\n## 期限\n\n七日\n"
    assert read("<title>网站</title><h1>退货政策</h1>").text == "# 退货政策\n"


def test_spans_of_a_table_are_filled_and_its_header_rows_joined() -> None:
    page = (
        "<table><caption>表 1</caption><thead><tr><th rowspan=2>型号<th colspan=2>价格<tr><th>零售<th>批发</thead>"
        "<tr><td rowspan=0>甲<td>1<td>2|3<tr><td colspan=2>4<br>5</table>"
    )
    lines = [
        "表 1",
        "| 型号 | 价格/零售 | 价格/批发 |",
        "| --- | --- | --- |",
        "| 甲 | 1 | 2\\|3 |",
        "| 甲 | 4 5 | 4 5 |",
    ]
    assert read(page).text == "\n".join([*lines, ""])


def test_a_table_that_lays_out_a_page_is_none() -> None:
    page = "<table><tr><td>左栏<td><table><tr><th>a<th>b<tr><td>1<td>2</table></table>"
    assert read(page).text == "左栏\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n"


def test_a_figure_and_its_words_stand_together() -> None:
    page = "<p>如下。</p><figure><img src=a.png alt=接线图><figcaption>图 1 接线</figcaption></figure><p>下文。"
    assert read(page).text == "如下。\n[图：接线图]\n图 1 接线\n\n下文。\n"


def test_code_stands_in_a_fence_that_nothing_in_it_closes() -> None:
    text = read("<pre><code># 注释\n  ```\n&lt;b&gt;</code></pre>").text
    assert text == "````\n# 注释\n  ```\n<b>\n````\n"
    assert [piece.kind for piece in split(text)] == ["paragraph"]


def test_what_belongs_to_the_site_is_left_out_and_told_only_if_it_is_much() -> None:
    site = "<nav>首页</nav><script>alert(1)</script><style>p{}</style>"
    page = site + "<p>正文<span style='display:none'>暗</span></p><footer>版权</footer>"
    assert (read(page).text, read(page).warnings) == ("正文\n", ())
    much = read(page + f"<nav>{'链接' * 400}</nav>").warnings
    assert [(say.code, say.values["count"]) for say in much] == [("base.file.html.left_out", 805)]


def test_a_page_that_is_all_navigation_is_read_as_it_is() -> None:
    assert read("<nav><ul><li>第一章<li>第二章</ul></nav>").text == "- 第一章\n- 第二章\n"


def test_spaces_of_the_source_are_not_text_and_entities_are_characters() -> None:
    page = "<p>\n  退货\n  政策&nbsp;&copy;&#x20000;&lt;b&gt; of\n  sale </p>A<br>B &amp; C"
    assert read(page).text == "退货政策 ©\U00020000<b> of sale\n\nA\nB & C\n"


@pytest.mark.parametrize(
    ("declared", "encoding"), [("gb2312", "gb18030"), ("GBK", "gb18030"), ("big5", "big5"), ("utf-8", "utf-8")]
)
def test_the_encoding_that_a_page_declares_is_used(declared: str, encoding: str) -> None:
    reading = read(f'<meta http-equiv="Content-Type" content="text/html; charset={declared}"><p>設計', encoding)
    assert (reading.text, reading.encoding, reading.guessed) == ("設計\n", encoding, False)


def test_a_mark_a_person_and_the_bytes_overrule_what_a_page_declares() -> None:
    page = "<meta charset=gbk><p>消费者签收商品后七日内退货"
    assert read(page, "utf-8-sig").encoding == "utf-8"
    assert read(page, "utf-16").text == "消费者签收商品后七日内退货\n"
    assert read_source(page.encode("big5", "ignore"), "a.html", Options(encoding="big5")).encoding == "big5"
    assert read(page.replace("gbk", "utf-8"), "gb18030").text == "消费者签收商品后七日内退货\n"
    assert read(page.replace("gbk", "no-such"), "utf-8").encoding == "utf-8"


def test_markup_of_a_hostile_page_is_gone_and_its_words_are_only_words() -> None:
    page = "<p onclick=x>欢迎<script>alert(1)</script><img src=x onerror=alert(2)><a href='javascript:x'>点我</a></p>"
    text = read(page + "## 假标题<br># 又一个").text
    assert text == "欢迎点我\n\n\\## 假标题\n\\# 又一个\n"
    assert "alert" not in text and "javascript" not in text


def test_xhtml_with_a_declaration_and_bare_text_are_read() -> None:
    assert read('<?xml version="1.0" encoding="utf-8"?>\n<html><body><p>正文</p></body></html>').text == "正文\n"
    assert read("只有文字").text == "只有文字\n"


def test_a_picture_among_words_stays_among_them() -> None:
    assert (
        read("<p>按<img alt=电源>键<img src=deko.png>开机。<p><img alt=面板>").text
        == "按[图：电源]键开机。\n[图：面板]\n"
    )


def test_terms_and_headings_in_groups_come_in() -> None:
    page = "<section><header><h2>术语<img alt=标></h2></header><dl><dt>轿厢<dd>载人的箱体</dl></section>"
    more = "<details><summary>更多</summary>细节</details>"
    assert read(page + more).text == "## 术语[图：标]\n\n轿厢\n载人的箱体\n\n更多\n\n细节\n"


def test_elements_too_deep_to_be_read_in_full_are_refused() -> None:
    assert read("<div>" * 100 + "核心" + "</div>" * 100 + "尾").text == "核心\n\n尾\n"
    for deep in (1200, 5000):
        with pytest.raises(BaseError) as caught:
            read("<div>" * deep + "核心" + "</div>" * deep + "尾")
        assert caught.value.say.code == "base.file.html.deep"


def test_hostile_spans_and_spaces_take_no_time() -> None:
    start = monotonic()
    row = "<tr><td colspan=1000 rowspan=65534>x</tr>"
    assert "x" in read(f"<table>{row * 500}</table><p>{' ' * 300_000}字{chr(10) * 300_000}").text
    assert monotonic() - start < 5
