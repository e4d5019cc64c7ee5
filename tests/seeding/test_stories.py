"""What happened in the sample world, as it stands in the graph after it was reported."""

from datetime import timedelta
from typing import Any

import pytest

from service.graph.database import Database
from service.seeding import read_stories
from service.seeding.stories import span_of


async def _one(database: Database, query: Any) -> Any:
    row = await database.read_one(query)
    assert row
    return row["found"]


@pytest.mark.parametrize(("text", "seconds"), [("0s", 0), ("2m10s", 130), ("1d1h", 90_000), ("3h12m1s", 11_521)])
def test_a_span_of_time_is_read(text: str, seconds: int) -> None:
    assert span_of(text) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "5", "2 m", "1m2h", "-1s"])
def test_what_is_no_span_of_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no span of time"):
        span_of(text)


def test_every_event_has_a_name_of_its_own_and_only_real_fields() -> None:
    events = [one.event for one in read_stories()]
    assert len({one["event_id"] for one in events}) == len(events)
    assert not [name for one in events for name in one if name in {"at", "step", "only", "except"}]


async def test_the_marex_story_leads_from_the_documents_to_the_later_version(told: Database) -> None:
    assert await _one(
        told,
        """
        MATCH (second:WorkProduct {source_key: 'wp-marex-complaint-2'})-[:PREVIOUS]->(first:WorkProduct)
        MATCH (final:Artifact)-[:BECAME]->(first)
        MATCH p = SHORTEST 1 (final)-[:DERIVED_FROM]->+(:Document {source_key: 'marex-exhibit-a'})
        RETURN [n IN nodes(p) | n.name] AS found
        """,
    ) == ["Final revised complaint", "Complaint draft", "Diverted trades by quarter",
          "Exhibit A: desk ledgers 2023 to 2025"]  # fmt: skip
    assert await _one(
        told,
        """
        MATCH (run:Run {source_key: 'run-marex-complaint'})-[:USED_TEMPLATE]->(template)
        RETURN [template.name, run.status, size([(run)-[:ACTIVATED]->(a) | a])] AS found
        """,
    ) == ["Draft Complaint", "completed", 9]


async def test_the_chat_leads_to_the_later_version(told: Database) -> None:
    assert await _one(
        told,
        """
        MATCH (chat:Run)-[:ABOUT]->(:Conversation {source_key: 'marex-red-team-chat'})
        MATCH (chat)-[:ACTIVATED]->()-[:PRODUCED]->(said:Artifact)<-[:DERIVED_FROM]-(:Artifact)-[:BECAME]->(product)
        RETURN product.name AS found
        """,
    ) == "Marex complaint, version 2"  # fmt: skip


async def test_the_chat_follows_the_red_team(told: Database) -> None:
    assert await _one(
        told,
        """
        MATCH (chat:Conversation)-[:FOLLOWS]->(step:Activation)<-[:FOLLOWS]-(followed:FollowUp)
        RETURN [chat.name, step.name, followed.user_question] AS found
        """,
    ) == ["Red-team chat on the complaint", "Red-team the draft",
          "Does the second count stand without the bonus agreement?"]  # fmt: skip


async def test_one_run_waits_on_a_gate(told: Database) -> None:
    assert await _one(
        told,
        """
        MATCH (run:Run {status: 'waiting'})-[:ACTIVATED]->(:Activation {status: 'waiting'})-[:WAITED_ON]->(gate:Gate)
        RETURN [run.name, gate.status, gate.question] AS found
        """,
    ) == ["Opposition to the motion to dismiss", "open", "May the draft opposition go to co-counsel?"]


async def test_the_fork_goes_on_from_what_the_failed_run_made(told: Database) -> None:
    assert await _one(
        told,
        """
        MATCH (failed:Run {source_key: 'run-marex-exhibits'})-[:ACTIVATED]->()-[:PRODUCED]->(text:Artifact)
        MATCH (child:Run)-[:ACTIVATED]->()-[:CONSUMED]->(text) WHERE child <> failed
        MATCH (child)-[:CREATED_BY]->(fork:Fork)-[:FROM]->(step:Activation {run_id: failed.id})
        RETURN DISTINCT [failed.status, failed.failure_code, child.status, step.module_key, fork.rerun_scope,
          EXISTS { (child)-[:FORKED_FROM]->(failed) }] AS found
        """,
    ) == ["failed", "context_window_exceeded", "completed", "index", "selected_module_and_downstream", True]


async def test_the_review_goes_round_three_times(told: Database) -> None:
    assert await _one(
        told,
        """
        MATCH (:Run {source_key: 'run-atlas-review'})-[:ACTIVATED]->(a:Activation {module_key: 'judge'})
        WITH a ORDER BY a.activation_seq RETURN collect(a.loop_iteration) AS found
        """,
    ) == [1, 2, 3]
    assert await _one(
        told,
        "MATCH p = (:Activation {module_key: 'judge', activation_seq: 1})-[:TRIGGERED*4]->"
        "(:Activation {module_key: 'judge', activation_seq: 3}) RETURN count(p) AS found",
    ) == 1  # fmt: skip


async def test_the_docket_was_watched_for_thirty_days(told: Database) -> None:
    assert await _one(
        told,
        """
        MATCH (run:Run {task_key: 'task-docket-monitor'})
        WITH count(run) AS runs, count(CASE run.status WHEN 'failed' THEN 1 END) AS failed,
          count(DISTINCT substring(run.started_at, 0, 10)) AS days, count(DISTINCT run.duration_ms) AS paces,
          sum(run.delivery_count) AS deliveries
        RETURN [runs, failed, days, paces > 5, deliveries] AS found
        """,
    ) == [30, 1, 30, True, 8]


async def test_a_private_run_leaves_no_memory(told: Database) -> None:
    assert await _one(
        told,
        "MATCH (run:Run {memory_mode: 'memory_incognito'}) "
        "RETURN [run.artifact_count, COUNT { (run)-[:ABOUT|PURSUES]->() }] AS found",
    ) == [1, 0]  # fmt: skip
