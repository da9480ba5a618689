"""Both languages and both themes: a switch leaves nothing of the other behind, on any page."""

import re

import pytest
from playwright.sync_api import expect

from core.knowledge.shelf import questions
from core.llm.extractive import TEMPLATES
from core.words import catalogue
from tests.browser.doing import DEEP, answers, kept, part, send
from tests.browser.watching import quiet
from tests.conftest import ROOT

PAGES = sorted(path.stem for path in (ROOT / "pages").glob("[!_]*.py"))
OPEN_FOLDS = "() => { for (const fold of document.querySelectorAll('details:not([open]) > summary')) fold.click(); }"
TEXTS = (
    f"() => {{ {DEEP}"
    + """
  const found = new Set();
  const skipped = 'script, style, [data-testid="stIconMaterial"], [role="img"], [data-testid="stToolbar"]';
  for (const root of roots(document.querySelector('[data-testid="stApp"]'))) {
    const walk = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
      const text = walk.currentNode.textContent.trim();
      if (text && !walk.currentNode.parentElement?.closest(skipped)) found.add(text);
    }
  }
  for (const node of document.querySelectorAll('[data-testid="stMain"] *'))
    for (const name of ['placeholder', 'aria-label', 'title', 'alt'])
      if (node.getAttribute(name)) found.add(node.getAttribute(name).trim());
  return [...found];
}"""
)
HAN = re.compile(r"[\u3400-\u9fff]+")
ENGLISH = re.compile(r"[A-Za-z]{2,}(?:[ ,]+[A-Za-z']+){3,}")
BOTH = {"中文", "English", "语言 / Language", "CNY", "USD"}
"""What names languages and currencies, in either."""
STREAMLIT = {"Open", "Skip to main content", "Search", "Show password text", "Hide password text"}
"""What Streamlit itself says to those who listen, in English whatever the page speaks."""


@pytest.fixture(scope="module")
def corpus(bench):
    """What is in the base's language whatever the page speaks: what it says itself, and answers to its questions."""
    base = bench.base
    texts = [
        base.title,
        base.description,
        *base.sections,
        *(q.question for q in questions(base).questions),
        *TEMPLATES["zh"].values(),
    ]
    return "\n".join(texts + [f"{p.id} {p.document} {p.section} {p.title} {p.text}" for p in base.passages])


def foreign(texts, language, corpus):
    """Which of these texts are not of the language, the base's own aside."""
    own, other = catalogue(language), catalogue("en" if language == "zh" else "zh")
    leaks = {text for code, text in other.items() if own[code] != text and text not in own.values()}
    found = [text for text in texts if text in leaks and text not in corpus]
    strange = HAN if language == "en" else ENGLISH
    found += [text for text in texts for run in strange.findall(text) if run not in corpus]
    return sorted(set(found) - BOTH - STREAMLIT)


def switch(page, language):
    name = {"zh": "中文", "en": "English"}[language]
    part(page, "lang", f"[role=radio]:has-text('{name}')").click()
    expect(page.locator(".st-key-lang [aria-checked=true]").first).to_have_text(name)
    return quiet(page)


@pytest.mark.parametrize("name", PAGES)
def test_a_switch_of_language_leaves_nothing_of_the_other_on_the_page(name, visit, corpus):
    page, _ = visit(f"/{name}")
    for language in ("zh", "en", "zh"):
        switch(quiet(page), language).evaluate(OPEN_FOLDS)
        assert foreign(quiet(page).evaluate(TEXTS), language, corpus) == []


@pytest.mark.parametrize(("locale", "language"), [("zh-CN", "en"), ("en-US", "zh")])
def test_a_switch_of_language_leaves_nothing_of_the_other_in_a_comparison(locale, language, visit, corpus):
    page, _ = visit(locale=locale)
    send(page)
    kept(page)
    for spoken in (locale[:2], language):
        if spoken == language:
            switch(page, language)
        page.evaluate(OPEN_FOLDS)
        assert foreign(quiet(page).evaluate(TEXTS), spoken, corpus) == []
    expect(answers(page)).to_have_count(3)


def test_the_rule_for_foreign_words_finds_some(corpus):
    assert foreign(["Compare", "开始对比", "第六条"], "en", corpus) == ["开始对比"]
    assert foreign(["开始对比", "This stands in a language", "BM25 tokens"], "zh", corpus) == [
        "This stands in a language"
    ]
