"""The table of what an agent may do says it for all that there is: kinds, fields, relations, commands, events."""

import re
from pathlib import Path

from graphql import build_schema

from graph_schema.model.record import LifecycleState
from graph_schema.registry import REGISTRY
from resolvers.generate import printed
from service.access.agents import BOTH_ENDS, COMMANDS, EVENTS, KINDS, LINKS, WAITING, May
from service.memory.reporting.kinds import KINDS as EVENT_KINDS

APPROVALS = {"artifact_promoted"}
"""Events that an agent may not report at all."""


def test_every_kind_of_record_is_in_the_table() -> None:
    assert {*KINDS} == {*REGISTRY.types}


def test_what_can_wait_is_proposed_and_what_cannot_is_not() -> None:
    for label, rule in KINDS.items():
        waiting = WAITING.intersection(REGISTRY.types[label].states)
        assert (rule.may is May.propose) == bool(waiting), label
        assert (rule.first in waiting) if waiting else rule.first is None, label


def test_the_fields_of_the_table_are_fields_of_their_kinds() -> None:
    for label, rule in KINDS.items():
        fields = REGISTRY.types[label].fields
        assert {*rule.told, *rule.closed, *rule.words} <= fields.keys(), label
        for name, said in rule.words.items():
            words = fields[name].enum
            assert words, (label, name)
            assert {*said} <= {one.value for one in words}, (label, name)


def test_the_links_of_the_table_are_made_by_hand_and_lead_from_proposals() -> None:
    by_hand = {one.type for one in REGISTRY.relations if not one.managed}
    assert by_hand >= LINKS >= BOTH_ENDS
    for one in REGISTRY.relations:
        if one.type in LINKS and not one.managed:
            assert any(KINDS[tail].may in {May.propose, May.part} for tail in one.tails), one.type


def test_every_relation_that_hands_down_access_by_hand_needs_both_ends() -> None:
    assert {one.type for one in REGISTRY.relations if one.inherits and not one.managed} <= BOTH_ENDS


def test_every_event_is_in_the_table_or_an_approval() -> None:
    assert {*EVENTS} | APPROVALS == {*EVENT_KINDS}
    for kind, only in EVENTS.items():
        for name, said in only.items():
            words = REGISTRY.types[EVENT_KINDS[kind].record].fields[name].enum
            assert words
            assert said < {one.value for one in words}


def test_the_commands_of_the_table_are_mutations() -> None:
    mutations = build_schema(printed()).mutation_type
    assert mutations
    assert {*COMMANDS} < {*mutations.fields}


def test_nothing_that_waits_is_hidden() -> None:
    assert not WAITING & {LifecycleState.active, LifecycleState.candidate_update}


def test_the_docs_say_what_the_table_says() -> None:
    told = (Path(__file__).parents[2] / "docs" / "agents.md").read_text()
    section = told.partition("## By kind of record")[2].partition("\n- ")[0]
    rows = [re.findall(r"`(\w+)`", row.split("|")[1]) for row in section.splitlines() if row.startswith("| `")]
    groups = [{(KINDS[one].may, KINDS[one].first) for one in row} for row in rows]
    assert all(len(group) == 1 for group in groups)
    assert sorted(one for row in rows for one in row) == sorted(KINDS)
