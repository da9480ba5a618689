"""Settings: trying a role's model through the same path that a run uses, and telling what came of it."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from core.domain import Say, Token, Usage
from core.endpoints import Endpoint
from core.errors import StoppedError, ToolsError, WorkbenchError
from core.models import Models
from core.ports import Chat, Message, Reply, Tool
from core.settings import ROLES, Role
from core.spending import RunPurse, Spending
from core.words import Words
from pages.parts.beside import beside, ticks
from pages.parts.frame import Frame
from pages.parts.literal import inline
from pages.parts.numbers import seconds
from pages.parts.settings_roles import SHOWN

ORDER = sorted(ROLES, key=(*SHOWN, *ROLES).index)
_KEY = "tried"
_ICON = ":material/network_check:"
_MOST = 1_000
"""Tokens of a trial's reply: enough for a model that thinks first."""
_READY = (Message("user", "Reply with the single word: ready"),)
_CALL = (Message("user", 'Call the tool search with the query "ready".'),)
_SEARCH = Tool(
    "search",
    "Searches a knowledge base",
    {"type": "object", "properties": {"query": {"type": "string"}}, "required": ["query"]},
)


@dataclass(frozen=True, slots=True)
class Tried:
    """What a trial found out about `role` as it reached `endpoint`; `failed` is the sentence a column would show.

    `tools` says whether it called the tool it was asked to call (`None`: not tried), `dimension` is of its vectors.
    """

    role: Role
    endpoint: Endpoint | None
    seconds: float = 0.0
    model: str = ""
    usage: Usage = Usage()
    tools: bool | None = None
    dimension: int | None = None
    notices: tuple[Say, ...] = ()
    failed: Say | None = None


def draw(page: Frame) -> Callable[[], None]:
    """A button for each role that calls a model and one for all, and what the last trials found.

    What comes back makes the trial that was asked for, if any; it is to be called when the whole page stands.
    """
    words, settings = page.words, page.settings
    called = [role for role in ORDER if not settings.roles[role].offline]
    wanted: list[str] = []
    if called:
        st.caption(words("ui.settings.try_cost"))
    with st.container(horizontal=True):
        if len(called) > 1 and st.button(words("ui.settings.try_all"), key="try.all", icon=_ICON):
            wanted = called
        for role in called:
            label = words("ui.settings.try_one", role=words(f"ui.models.{role}"))
            if st.button(label, key=f"try.{role}", icon=_ICON):
                wanted = [role]
    room = st.empty()
    for role in called:
        _tell(role, page)
    return partial(_try_all, page, wanted, room)


def _try_all(page: Frame, wanted: Sequence[str], room: DeltaGenerator) -> None:
    """Try the roles one after the other, then show the page anew with what was found and spent."""
    for role in wanted:
        _try(page, role, room)
    if wanted:
        st.rerun()


def _tried() -> Mapping[str, Tried]:
    found = st.session_state.get(_KEY)
    return found if isinstance(found, dict) else {}


def _try(page: Frame, role: str, room: DeltaGenerator) -> None:
    """Try one role, telling for how long; a click on anything ends it."""
    words = page.words
    began = time.monotonic()
    with beside(lambda stopped: attempt(page, role, stopped)) as going:
        for _ in ticks(going):
            passed = f"{time.monotonic() - began:.0f} s"
            label = words("ui.settings.trying", role=words(f"ui.models.{role}"), model=page.settings.roles[role].model)
            room.caption(f":material/hourglass_top: {inline(label)} {passed}")
    st.session_state[_KEY] = {**_tried(), role: going.result()}


def attempt(page: Frame, role: str, stopped: Callable[[], bool]) -> Tried:
    """Ask a role's model something short, paid from the purse of a run."""
    settings = page.settings
    purse = RunPurse(settings.limits, page.saved.prices.recorded(settings), Spending(settings.home))
    tried = Tried(settings.roles[role], settings.endpoints.get(settings.roles[role].endpoint))
    began = time.perf_counter()
    try:
        models = Models(settings)
        if role == "embeddings":
            embedder = models.embedder(stopped, purse)
            found = embedder.query("ready")
            usage = Usage(embedding=found.tokens)
            tried = replace(tried, model=embedder.id, usage=usage, dimension=embedder.dimension)
        else:
            tried = _talked(tried, models.chat(role, stopped, purse), with_tools=role.startswith("planner"))
    except StoppedError as left:
        tried = replace(tried, failed=left.say)
    except WorkbenchError as refused:
        tried = replace(tried, failed=refused.say)
    return replace(tried, seconds=time.perf_counter() - began)


def _talked(tried: Tried, chat: Chat, *, with_tools: bool) -> Tried:
    """What a chat model answers, and whether it calls a tool."""
    reply = _whole(chat.stream(_READY, (), _MOST))
    tried = replace(tried, model=chat.id, usage=reply.usage, notices=reply.notices)
    if not with_tools:
        return tried
    try:
        called = _whole(chat.stream(_CALL, (_SEARCH,), _MOST))
    except ToolsError as unable:
        return replace(tried, tools=False, notices=(*tried.notices, unable.say))
    notices = (*tried.notices, *called.notices)
    return replace(tried, usage=tried.usage + called.usage, tools=bool(called.calls), notices=notices)


def _whole(stream: Generator[Token, None, Reply]) -> Reply:
    while True:
        try:
            next(stream)
        except StopIteration as over:
            reply: Reply = over.value
            return reply


def _tell(role: str, page: Frame) -> None:
    """What the last trial of a role found, as long as the role is still reached in the same way."""
    words, settings = page.words, page.settings
    tried = _tried().get(role)
    now = (settings.roles[role], settings.endpoints.get(settings.roles[role].endpoint))
    if tried is None or (tried.role, tried.endpoint) != now:
        return
    name = words(f"ui.models.{role}")
    if tried.failed:
        st.error(f"**{name}** · {inline(words.say(tried.failed))}", icon=":material/error:")
        return
    said = " · ".join(_facts(tried, words))
    notices = "".join(f"\\\n{inline(text)}" for text in dict.fromkeys(map(words.say, tried.notices)))
    show = st.warning if tried.tools is False else st.success
    show(f"**{name}** · {inline(said)}{notices}", icon=":material/check:")


def _facts(tried: Tried, words: Words) -> Sequence[str]:
    usage = tried.usage
    counts = [count for count in (usage.prompt, usage.completion, usage.embedding) if count is not None]
    facts = [words("ui.settings.try_good"), tried.model, seconds(tried.seconds)]
    facts.append(words("ui.settings.try_tokens", count=sum(counts)) if counts else words("ui.settings.try_unknown"))
    if tried.tools is not None:
        facts.append(words("ui.settings.try_tools" if tried.tools else "ui.settings.try_no_tools"))
    if tried.dimension is not None:
        facts.append(words("ui.settings.try_dimension", dimension=tried.dimension))
    return facts
