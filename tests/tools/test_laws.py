"""On the real server: any order and repetition gives the same, and what is hidden changes nothing."""

import random
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from pathlib import Path
from tempfile import gettempdir
from typing import Any, LiteralString

import pytest
from hypothesis import given
from hypothesis import strategies as some

from embeddings.tokens import Counters
from graph_schema.tools.words import ToolOutcomeType
from service.search import Search
from service.tools.health import ToolHealths
from service.tools.known import ToolShelf
from service.tools.recommendations import Evaluations
from tests.conftest import empty
from tests.laws import law
from tests.tools.workshop import SOURCE, TOOL, Workshop, ago, ask, outcome

pytestmark = pytest.mark.slow

AT = ago(hours=1)
RUN = {"source": SOURCE, "key": "run-1"}


def _told(kinds: list[str]) -> list[tuple[str, dict[str, Any]]]:
    """Outcomes, asks and spans that speak of each other."""
    found: list[tuple[str, dict[str, Any]]] = []
    for number, kind in enumerate(kinds):
        more: dict[str, Any] = {"method": f"m{number % 2}", "occurred_at": ago(hours=1, minutes=number)}
        more |= {"ask": {"key": f"a{number % 3}"}} if number % 2 else {"run": RUN, "span_key": f"s{number}"}
        found.append(("outcome", outcome(f"o{number}", kind, **more)))
        span = {"kind": "span", "span_key": f"s{number}", "status": "error" if number % 3 else "success"}
        found.append(("span", {**span, "event_id": f"s{number}", "tool_key": TOOL, "occurred_at": AT}))
    shapes = ("list", "list", "poem", "list")
    found += [("ask", ask(f"a{number}", 3 * number, task_shape=shape)) for number, shape in enumerate(shapes)]
    return found


async def _tell(workshop: Workshop, told: list[tuple[str, dict[str, Any]]]) -> tuple[Any, Any]:
    await empty(workshop.database)
    await workshop.ran({"event_id": "begun", "kind": "run_started", "occurred_at": AT})
    for kind, one in told:
        if kind == "outcome":
            assert (await workshop.report(one))[0].code is None
        elif kind == "ask":
            await workshop.asked(one)
        else:
            await workshop.ran(one, again=True)
    shown = await workshop.health()
    values = {name: getattr(shown, name) for name in ("outcomes", "successes", "execution_errors", "errors")}
    values |= {name: getattr(shown, name) for name in ("low_utility_recent", "user_corrections_recent", "standing")}
    values |= {name: getattr(shown, name) for name in ("boundary_axes", "methods", "low_utility_rate")}
    return values, await workshop.corrections()


@law(3)
@given(
    some.lists(some.sampled_from(("success", "low_utility", "wrong_tool_boundary")), min_size=1, max_size=4),
    some.randoms(use_true_random=False),
)
async def test_any_order_and_repetition_gives_the_same(
    workshop: Workshop, kinds: list[str], chance: random.Random
) -> None:
    told = _told(kinds)
    first = await _tell(workshop, told)
    other = [*told, *chance.sample(told, k=min(3, len(told)))]
    chance.shuffle(other)
    assert await _tell(workshop, other) == first


HIDING = ("matter", "class")


async def _shown(workshop: Workshop, hidden: list[tuple[str, str]], matter: str) -> dict[str, Any]:
    """All that a stranger is shown of the tool, of what users asked again, and of what is recommended, with as much
    reported beside it that they may not see."""
    await workshop.database.run_alone("MATCH (n:Record) WHERE NOT n:Entity DETACH DELETE n")
    closed: dict[str, dict[str, Any]] = {"matter": {"matter_ids": [matter]}, "class": {"data_class": "privileged"}}
    await workshop.new("Tool", name="Web fetcher", source=SOURCE, source_key=TOOL)
    kinds = ("success", "low_utility", "wrong_tool_boundary", "success")
    asked = [ask(f"a{one}", 6 * one) for one in range(3)]
    calls = [outcome(f"o{one}", kinds[one % 4], ask={"key": f"a{one % 3}"}, occurred_at=AT) for one in range(8)]
    for place, (kind, how) in enumerate(hidden):
        calls.append(outcome(f"h{place}", kind, occurred_at=AT, **closed[how]))
        asked.append(ask(f"ha{place}", 6 * place + 1, task_shape="poem" if place % 2 else "list", **closed[how]))
    await workshop.taken(*calls)
    await workshop.asked(*asked)
    await workshop.evaluate()
    stranger = await workshop.viewer(matters=[], clearance="internal")
    at = datetime.fromisoformat(AT) + timedelta(hours=1)
    rows = await workshop.database.read(SEEN, audiences=stranger.audiences)
    healths, evaluations = workshop.services[ToolHealths], workshop.services[Evaluations]
    first = await healths.of(stranger, await workshop.tool(), at)
    priorities = await healths.priorities(stranger)
    return {
        "health": {**asdict(first), "tool_id": ""},
        "rows": [(row["label"], row["said"]) for row in rows],
        "known": (await _shelf(workshop).known(stranger, None)).text,
        "advice": [replace(one, tool_id="") for one in await evaluations.preview(stranger)],
        "priorities": [(one.name, one.priority, one.reasons) for one in (*priorities.regenerate, *priorities.repair)],
    }


def _shelf(workshop: Workshop) -> ToolShelf:
    """Nothing is sought, so it needs no model that reads."""
    search = Search.__new__(Search)
    return ToolShelf(search, workshop.services[ToolHealths], Counters(Path(gettempdir())))


SEEN: LiteralString = """
MATCH (n:Record) WHERE (n:UserCorrection OR n:Recommendation) AND n.audience IN $audiences
RETURN [one IN labels(n) WHERE one <> 'Record'][0] AS label, [n.name, n.state, n.rationale, n.evidence_count,
  n.counter_count, n.seconds_between, COUNT { (n)-[:SUPPORTED_BY]->(e) WHERE e.audience IN $audiences },
  COUNT { (n)-[:SUPPORTED_BY]->() }] AS said
ORDER BY label, said
"""


@law(2)
@given(
    some.lists(some.tuples(some.sampled_from([*ToolOutcomeType]), some.sampled_from(HIDING)), min_size=4, max_size=6)
)
async def test_what_another_matter_reports_changes_nothing_that_a_stranger_is_shown(
    workshop: Workshop, hidden: list[tuple[str, str]]
) -> None:
    await empty(workshop.database)
    matter = await workshop.matter()
    plain = await _shown(workshop, [], matter)
    assert plain["rows"]
    assert plain["advice"] or plain["priorities"]
    assert await _shown(workshop, hidden, matter) == plain


async def test_health_is_what_a_recount_of_the_graph_says_and_hidden_calls_change_nothing(workshop: Workshop) -> None:
    matter = await workshop.matter()
    await workshop.new("Tool", name="Web fetcher", source=SOURCE, source_key=TOOL)
    kinds = ("success", "low_utility", "wrong_tool_boundary", "execution_error")
    await workshop.taken(*(outcome(f"o{one}", kinds[one % 4], occurred_at=ago(hours=one)) for one in range(40)))
    stranger = await workshop.viewer(matters=[])
    before = await workshop.health(stranger)
    closed = [outcome(f"c{one}", "low_utility", matter_ids=[matter]) for one in range(30)]
    await workshop.taken(*closed)
    await workshop.taken(*(outcome(f"p{one}", "low_utility", data_class="privileged") for one in range(30)))
    inside, outside = await workshop.viewer(), await workshop.viewer(matters=[], clearance="internal")
    after = await workshop.health(outside)
    shown = ("outcomes", "successes", "low_utility_recent", "standing", "standing_why", "boundary_axes", "methods")
    assert [getattr(after, name) for name in shown] == [getattr(before, name) for name in shown]
    assert (await workshop.health(inside)).low_utility_recent == 70
    rows = await workshop.database.read(
        "MATCH (o:ToolOutcome {tool_id: $tool}) WHERE o.audience = 'internal|' "
        "RETURN o.outcome_type AS kind, count(*) AS count",
        tool=await workshop.tool(),
    )
    counted = {row["kind"]: row["count"] for row in rows}
    assert counted == {
        "success": after.successes,
        "low_utility": after.low_utility_recent,
        "wrong_tool_boundary": after.wrong_tool_boundary_recent,
        "execution_error": after.execution_errors,
    }
