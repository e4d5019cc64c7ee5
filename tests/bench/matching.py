"""`matchTemplates` through HTTP, against one embedding of the request and one bare vector query with the same k.

Every other template has phrases; the others are compared by the second model, too.
"""

import asyncio
import itertools
import random
from collections.abc import Iterable
from typing import Any, LiteralString

import neo4j
import numpy as np
import orjson

from embeddings import Embedder, Vectors
from graph_schema.output.ddl import text_vector_property, vector_index, vector_property
from service.cards.prototype import prototype
from service.commands import phrases
from service.commands.card_text import text_hash
from service.commands.work import card_id
from service.lexical import WORDS_VERSION, words_of
from service.matching.load import DEPTH_FOR_EACH, WANT
from service.runtime.runtime import load_embedder, load_second
from service.settings import load_settings
from tests.bench.client import Client, body_of
from tests.bench.measure import Timing, Work, in_turns
from tests.bench.report import Report
from tests.bench.setting import Setting
from tests.bench.world import ALL, batches, row

SIZES = (100, 1_000)
LARGEST = 10_000
PHRASES = 5
ROUNDS = 60
NAME = "matchTemplates"
QUERY = """query ($text: String!) { matchTemplates(request: {text: $text}) { outcome confidence explanation
  recommended { id name confidence parts { name score evidence } hardVetoes { kind } recommendedAction }
  losers { code message candidate { id name confidence } } ranker { name version } timings { stage ms } } }"""
FLOOR: LiteralString = """
CALL db.index.vector.queryNodes($index, $k, $vector) YIELD node, score
RETURN collect([node.id, score]) AS found
"""
# Written as a bare driver would: the measurement is about matching.
CREATE: LiteralString = """
UNWIND $rows AS row
CREATE (t:Template:Record) SET t = row.template
CREATE (c:Card:Record) SET c = row.card
CREATE (c)-[:DESCRIBES]->(t)
WITH t, c, row
CALL db.create.setNodeVectorProperty(c, $property, row.prototype)
CALL db.create.setNodeVectorProperty(c, $text_property, row.vector)
CALL db.create.setNodeVectorProperty(c, $second_property, row.second)
UNWIND row.phrases AS phrase
CREATE (p:Phrase:Record) SET p = phrase.values
CREATE (p)-[:INVOKES]->(t)
WITH p, phrase
CALL db.create.setNodeVectorProperty(p, $property, phrase.vector)
"""

# Phrases are of some seven thousand texts: each is embedded once, or growing would take longer than measuring.
_vectors: dict[str, Vectors] = {}

_VERBS = ("draft", "audit", "check", "summarise", "send", "file", "watch", "compare", "plan", "translate")
_THINGS = (
    *("complaint", "brief", "contract", "invoice", "motion", "hearing", "budget", "email", "calendar", "server"),
    *("release", "dataset", "chart", "paper", "flight", "hotel", "recipe", "garden", "lease", "policy", "claim"),
    *("newsletter", "survey", "interview", "transcript", "patent", "warranty"),
)


def request_text(number: int) -> str:
    chosen = random.Random(number)  # noqa: S311 - the same requests in every run
    return f"{chosen.choice(_VERBS)} the {chosen.choice(_THINGS)} about the {chosen.choice(_THINGS)}"


async def measure(setting: Setting, report: Report) -> tuple[Timing, int]:
    embedder = await asyncio.to_thread(load_embedder, load_settings(), lambda _line: None)
    grown, timing = 0, None
    for size in SIZES:
        await _grow(setting, embedder, grown, size)
        grown = size
        timing = await _measured(setting, report, embedder, size)
    assert timing is not None
    return timing, grown


async def measure_growth(setting: Setting, report: Report, small: tuple[Timing, int]) -> None:
    embedder = await asyncio.to_thread(load_embedder, load_settings(), lambda _line: None)
    await _grow(setting, embedder, small[1], LARGEST)
    large = await _measured(setting, report, embedder, LARGEST)
    note = f"p50 {large.p50_ms:.1f} ms against {small[0].p50_ms:.1f} ms"
    name = f"{NAME}: {LARGEST:,} templates, of {small[1]:,}"
    report.add(name, large.p50_ms / small[0].p50_ms, "of the small", bar=1.5, note=note)


async def grow_to(setting: Setting, embedder: Embedder, size: int) -> None:
    """As many templates as that, whatever was grown before."""
    [row] = await setting.database.read("MATCH (t:Template) RETURN count(t) AS grown")
    if row["grown"] < size:
        await _grow(setting, embedder, row["grown"], size)


async def _measured(setting: Setting, report: Report, embedder: Embedder, size: int) -> Timing:
    works = {"floor": floor(setting, embedder), "service": await _asking(setting)}
    times = await in_turns(works, rounds=ROUNDS, warm=200)
    note = f"p50 {times['service'].p50_ms:.1f} ms against {times['floor'].p50_ms:.1f} ms"
    ratio = times["service"].p50_ms / times["floor"].p50_ms
    report.add(f"{NAME}: {size:,} templates", ratio, "of the floor", bar=2.5, note=note)
    return times["service"]


def floor(setting: Setting, embedder: Embedder) -> Work:
    numbers = itertools.count()
    index, k = vector_index("Card", embedder.key), WANT * DEPTH_FOR_EACH

    async def work() -> None:
        vector = embedder.embed_texts([request_text(next(numbers))])[0].tolist()
        async with setting.driver.session(default_access_mode=neo4j.READ_ACCESS) as session:  # pyright: ignore[reportUnknownMemberType]
            await (await session.run(FLOOR, {"index": index, "k": k, "vector": vector})).fetch(1)

    return work


async def _asking(setting: Setting) -> Work:
    client = await Client.connect(setting.port, setting.key)
    numbers = itertools.count()

    async def work() -> None:
        await client.ask(body_of(QUERY, {"text": request_text(next(numbers))}))

    answer = orjson.loads(await client.ask(body_of(QUERY, {"text": request_text(0)})))
    assert "errors" not in answer, answer
    assert len(answer["data"]["matchTemplates"]["losers"]) > 1, answer
    return work


async def _grow(setting: Setting, embedder: Embedder, former: int, size: int) -> None:
    second = await asyncio.to_thread(load_second, load_settings(), lambda _line: None)
    assert second is not None, "the bench is of the service as it comes, with both models"
    properties = {"property": vector_property(embedder.key), "text_property": text_vector_property(embedder.key)}
    properties["second_property"] = vector_property(second.key)
    for numbers in batches(range(former, size)):
        for start in range(0, len(numbers), 500):
            rows = list(_rows(embedder, second, numbers[start : start + 500]))
            await setting.database.run_alone(CREATE, rows=rows, **properties)
    await setting.database.run_alone("CALL db.awaitIndexes(600)")
    await setting.database.run_alone("CALL db.prepareForReplanning()")


def _rows(embedder: Embedder, second: Embedder, numbers: Iterable[int]) -> Iterable[dict[str, Any]]:
    made = [(number, [f"{request_text(number)} {number}", *_phrases(number)]) for number in numbers]
    new = [text for text in dict.fromkeys(itertools.chain(*(texts for _, texts in made))) if text not in _vectors]
    _vectors.update(zip(new, embedder.embed_texts(new), strict=True))
    beside = second.embed_texts([texts[0] for _, texts in made]).tolist()
    for (number, texts), vector in zip(made, beside, strict=True):
        values = _template(embedder.key, number, texts, np.stack([_vectors[text] for text in texts]))
        values["card"] |= {"second_model": second.key, "second_hash": values["card"]["text_hash"]}
        yield values | {"second": vector}


def _phrases(number: int) -> list[str]:
    said = PHRASES if number % 2 else 0
    return list(dict.fromkeys(request_text(number * PHRASES + one + LARGEST) for one in range(said)))


def _template(model: str, number: int, texts: list[str], vectors: Any) -> dict[str, Any]:
    name, *said = texts
    template = row("Template", number, ALL, trigger_phrases=said)["values"] | {"name": name}
    mean = prototype(vectors)
    hashed = phrases.members_hash(name, template)
    marks = {"embedding_model": model, "text_hash": text_hash(name), "embedded_hash": text_hash(name)}
    card = row("Card", number, ALL, describes_kind="Template", text=name, **marks)["values"] | {
        "id": card_id(template["id"]),
        "name": name,
        "members_hash": hashed,
        "prototype_hash": hashed,
        "prototype_model": model,
        "members": mean.members,
        "cohesion": mean.cohesion,
        "word_stems": list(words_of(texts)),
        "words_version": WORDS_VERSION,
    }
    return {
        "template": template,
        "card": card,
        "prototype": mean.vector.tolist(),
        "vector": vectors[0].tolist(),
        "phrases": [_phrase(model, template["id"], *one) for one in zip(said, vectors[1:], strict=True)],
    }


def _phrase(model: str, template_id: str, text: str, vector: Any) -> dict[str, Any]:
    [(phrase_id, phrase)] = phrases.of_record(template_id, {"trigger_phrases": [text]}).items()
    marks = {"embedding_model": model, "embedded_hash": text_hash(text)}
    values = row("Phrase", 0, ALL, **phrase.properties, **marks)["values"] | {"id": phrase_id, "name": text}
    return {"values": values, "vector": vector.tolist()}
