"""A model server on this machine that speaks the OpenAI and the Zhipu protocol over real HTTP."""

from .replies import Answer, Dropped, Embedded, Failed, Raw, Reply, Request, Said, Silent, error, in_turn
from .rules import (
    Rule,
    calls_answered,
    key_is,
    no_empty_content,
    no_stream_options,
    no_system,
    no_temperature,
    no_thinking,
    no_tools,
    only_auto_choice,
    reasoning_returned,
    strict,
)
from .server import SOON, Loopback, eventually
from .shipped import CASES, case_names, case_path, read_failures, read_script
from .vectors import vector_of
from .wire import count_tokens, prompt_tokens

__all__ = [
    "CASES",
    "SOON",
    "Answer",
    "Dropped",
    "Embedded",
    "Failed",
    "Loopback",
    "Raw",
    "Reply",
    "Request",
    "Rule",
    "Said",
    "Silent",
    "calls_answered",
    "case_names",
    "case_path",
    "count_tokens",
    "error",
    "eventually",
    "in_turn",
    "key_is",
    "no_empty_content",
    "no_stream_options",
    "no_system",
    "no_temperature",
    "no_thinking",
    "no_tools",
    "only_auto_choice",
    "prompt_tokens",
    "read_failures",
    "read_script",
    "reasoning_returned",
    "strict",
    "vector_of",
]
