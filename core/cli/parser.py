"""The arguments of every verb."""

from __future__ import annotations

import argparse
import re
from typing import NoReturn, get_args

from core.authoring.importing import Same
from core.cli import ask, coverage, importing, search, why
from core.retrieval.filters import Filters


class Parser(argparse.ArgumentParser):
    """Says what is wrong in one sentence, without a page of usage."""

    def error(self, message: str) -> NoReturn:
        """Exit with code 2."""
        self.exit(2, f"{self.prog}: {message}\n")


def text(argument: str) -> str:
    """An argument as UTF-8, also where the locale (`LC_ALL=C`) took its bytes for no text."""

    def decoded(raw: re.Match[str]) -> str:
        return raw[0].encode("utf-8", "surrogateescape").decode("utf-8", "replace")

    return re.sub("[\udc80-\udcff]+", decoded, argument)


def build() -> Parser:
    """The parser with all its verbs."""
    parser = Parser(prog="python -m core", description="RAG comparison workbench, without a browser")
    verbs = parser.add_subparsers(required=True, metavar="VERB", parser_class=Parser)
    common = Parser(add_help=False)
    common.add_argument("--lang", choices=("zh", "en"), help="language of messages (default: WORKBENCH_LANG, else zh)")
    common.add_argument("--json", action="store_true", help="print one JSON document")
    asked = Parser(add_help=False)
    asked.add_argument("--kb", metavar="NAME|PATH", help="knowledge base (default: elevator)")
    _ask(verbs.add_parser("ask", parents=[asked, common], help="put a question to several modes"))
    _search(verbs.add_parser("search", parents=[asked, common], help="ranking only, with scores"))
    _why(verbs.add_parser("why", parents=[asked, common], help="why each mode found or missed a passage"))
    _import(verbs.add_parser("import", parents=[common], help="bring files into a knowledge base"))
    _coverage(
        verbs.add_parser("coverage", parents=[asked, common], help="what no question reaches, and the faults of a base")
    )
    return parser


def _ask(verb: Parser) -> None:
    verb.add_argument("question", type=text)
    verb.add_argument("--retrieval-only", action="store_true", help="stop before the writer")
    verb.add_argument("--one-by-one", action="store_true", help="run the modes in turn, for fair times")
    _compares(verb)
    verb.set_defaults(command=ask.command)


def _search(verb: Parser) -> None:
    verb.add_argument("query", type=text)
    verb.add_argument("--mode", default="rerank", help="bm25 or rerank (default: rerank)")
    verb.add_argument("-k", type=int, default=20, help="hits (default: 20)")
    _filters(verb)
    verb.set_defaults(command=search.command)


def _why(verb: Parser) -> None:
    verb.add_argument("question", type=text)
    verb.add_argument("--passage", required=True, type=text, metavar="ID")
    _compares(verb)
    verb.set_defaults(command=why.command)


def _import(verb: Parser) -> None:
    verb.add_argument("files", nargs="+", type=text, metavar="FILE", help="files, folders of files, or a BEIR folder")
    verb.add_argument("--kb", metavar="NAME|PATH", help="the base they go into, made if absent; must be given")
    kept = "a document that is there already (default: replace, but keep both where it was edited since it came in)"
    verb.add_argument("--same", choices=get_args(Same), help=kept)
    verb.add_argument("--encoding", help="encoding of text files, where it is known")
    verb.add_argument("--no-ocr", action="store_true", help="leave scanned pages unread")
    verb.add_argument("--author", default="", type=text, help="who imports, for the history")
    verb.set_defaults(command=importing.command)


def _coverage(verb: Parser) -> None:
    verb.add_argument("--questions", metavar="FILE", type=text, help="a question set (default: those beside the base)")
    _modes(verb)
    verb.add_argument("--needles", default=str(coverage.USUAL), metavar="N|all|none", help="needle tests, at most")
    verb.add_argument("--with-models", action="store_true", help="call the chat models chosen, which costs money")
    verb.set_defaults(command=coverage.command)


def _modes(verb: Parser) -> None:
    verb.add_argument("--modes", metavar="A,B", help="modes by id (default: the first three)")


def _compares(verb: Parser) -> None:
    """The options of a verb that asks several modes one question."""
    _modes(verb)
    verb.add_argument("-k", type=int, help="passages given to the writer, for every mode")
    verb.add_argument("--set", action="append", default=[], metavar="MODE.NAME=VALUE", help="a mode's parameter")
    _filters(verb)


def _filters(verb: Parser) -> None:
    told = f"retrieve only passages whose {', '.join(Filters.names())} fits; may be given several times"
    verb.add_argument("--filter", action="append", default=[], type=text, metavar="NAME=VALUE", help=told)
