"""`taskMode` through HTTP, against `matchTemplates` of the same request; with ten times the directives and feedback."""

import asyncio
import itertools

import orjson

from embeddings import Embedder, EmbeddingQueue
from service.cards.embedding import count_behind
from service.runtime.runtime import load_embedder
from service.settings import load_settings
from tests.bench import matching
from tests.bench.client import Client, body_of
from tests.bench.matching import request_text
from tests.bench.measure import Timing, Work, in_turns
from tests.bench.report import Report
from tests.bench.setting import Setting

TEMPLATES = 1_000
DIRECTIVES = 200
TIMES = 10
ROUNDS = 120
QUERY = """query ($text: String!) { taskMode(request: {text: $text}) { selectedMode taskOpportunityLevel taskFitScore
  directAnswerFitScore because say contextClass positiveTaskSignals { signal evidence { kind words why } }
  taskVetoSignals { veto rulesOut } matchedTaskTemplates { id name score because } losingModes { mode because }
  chips { label operation arguments } timings { stage ms } } }"""
DIRECTIVE = """mutation ($name: String!, $phrases: [String!]!, $meant: [String!]!) { saveInvocationDirective(input: {
  name: $name, invocationPolicy: suggest_task, triggerPhrases: $phrases, semanticLookupPhrases: $meant
  }) { recordId } }"""
FEEDBACK = """mutation ($ref: String!, $class: String!) { recordSuggestionFeedback(input: { userRequestRef: $ref,
  contextClassKey: $class, suggestionKind: task_suggested, userResponse: accepted, givenAt: "2026-01-05T09:00:00Z"
  }) { recordId } }"""
_CLASSES = ("general/draft/general", "general/review/general", "general/summarise/general", "general/compare/general")
_PLAIN = (
    *("what is the capital of", "who wrote the anthem of", "how far away is", "why is the sky so blue in"),
    *("when was the first election in", "is it warm in spring in", "tell me something nice about"),
)
_PLACES = ("Norway", "Chile", "Japan", "Kenya", "Iceland", "Portugal", "Canada", "Nepal", "Ghana", "Peru", "Malta")


def plain_text(number: int) -> str:
    """A request that names no work."""
    return f"{_PLAIN[number % len(_PLAIN)]} {_PLACES[number // len(_PLAIN) % len(_PLACES)]}"


async def measure(setting: Setting, report: Report) -> Timing:
    embedder = await asyncio.to_thread(load_embedder, load_settings(), lambda _line: None)
    await matching.grow_to(setting, embedder, TEMPLATES)
    await _teach(setting, embedder, 0, DIRECTIVES)
    works = {
        "match": await _asking(setting, matching.QUERY, plain=False),
        "mode": await _asking(setting, QUERY, plain=False),
        "plain match": await _asking(setting, matching.QUERY, plain=True),
        "plain mode": await _asking(setting, QUERY, plain=True),
    }
    times = await in_turns(works, rounds=ROUNDS, warm=150)
    _add(report, f"taskMode: {TEMPLATES:,} templates, {DIRECTIVES} directives", times["mode"], times["match"], 1.4)
    _add(report, "taskMode: a request without anything of tasks", times["plain mode"], times["plain match"], 0.8)
    return times["mode"]


async def measure_growth(setting: Setting, report: Report, small: Timing) -> None:
    """Measured again in the same turns as a match, whose time does not follow directives: a slow hour is no growth."""
    embedder = await asyncio.to_thread(load_embedder, load_settings(), lambda _line: None)
    before = await in_turns(await _both(setting), rounds=ROUNDS, warm=60)
    await _teach(setting, embedder, DIRECTIVES, DIRECTIVES * TIMES)
    after = await in_turns(await _both(setting), rounds=ROUNDS, warm=150)
    grown = (after["mode"].p50_ms / after["match"].p50_ms) / (before["mode"].p50_ms / before["match"].p50_ms)
    note = f"p50 {after['mode'].p50_ms:.1f} ms, {before['mode'].p50_ms:.1f} ms before, {small.p50_ms:.1f} ms at first"
    report.add(f"taskMode: {TIMES} times the directives and feedback", grown, "of the small", bar=1.2, note=note)


async def _both(setting: Setting) -> dict[str, Work]:
    return {
        "match": await _asking(setting, matching.QUERY, plain=False),
        "mode": await _asking(setting, QUERY, plain=False),
    }


def _add(report: Report, name: str, mode: Timing, match: Timing, bar: float) -> None:
    note = f"p50 {mode.p50_ms:.1f} ms against {match.p50_ms:.1f} ms"
    report.add(name, mode.p50_ms / match.p50_ms, "of a match", bar=bar, note=note)


async def _asking(setting: Setting, query: str, *, plain: bool) -> Work:
    client = await Client.connect(setting.port, setting.key)
    text, numbers = plain_text if plain else request_text, itertools.count()

    async def work() -> None:
        await client.ask(body_of(query, {"text": text(next(numbers))}))

    answer = orjson.loads(await client.ask(body_of(query, {"text": text(0)})))
    assert "errors" not in answer, answer
    return work


async def _teach(setting: Setting, embedder: Embedder, former: int, size: int) -> None:
    """Directives, and as much feedback, told to the service as people tell it."""
    client = await Client.connect(setting.port, setting.key)
    for number in range(former, size):
        said = {"phrases": [f"{request_text(number)} {number}"], "meant": [request_text(number + size)]}
        told = (
            body_of(DIRECTIVE, {"name": f"Directive {number}", **said}),
            body_of(FEEDBACK, {"ref": f"bench://{number}", "class": _CLASSES[number % len(_CLASSES)]}),
        )
        for body in told:
            answer = orjson.loads(await client.ask(body))
            assert "errors" not in answer, answer
    queue = EmbeddingQueue(embedder)
    while await count_behind(setting.database, queue):  # noqa: ASYNC110 - the service is another process
        await asyncio.sleep(0.5)
    await setting.database.run_alone("CALL db.prepareForReplanning()")
