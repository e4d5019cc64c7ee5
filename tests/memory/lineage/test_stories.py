"""Provenance and impact: what a person would tell."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from service.access.viewer import KeyScope
from service.commands import RecordRef
from service.memory.lineage import LineageDirection
from service.memory.lineage.provenance import MOST_LINKS, MOST_STEPS_BACK
from service.memory.views import Part, RunIndex, load_run
from service.memory.views.deliverables import deliverables
from service.memory.views.header import header
from tests.conftest import empty
from tests.laws import law
from tests.memory.lineage.conftest import Archive, art, doc, document, names, sources
from tests.memory.stories import Story, step

RUN_2 = {"source": "exec", "key": "run-2"}


def story() -> Story:
    told = Story().tell("run_started", name="Drafting")
    told.tell("document_received", item=document("letter"))
    told.tell("artifact_consumed", item=document("contract"), **step("read"))
    told.tell("activation_started", **step("think"), triggered_by=[step("read")])
    told.tell("artifact_produced", artifact_key="memo", artifact_kind="document", name="Memo", **step("think"))
    told.tell("artifact_consumed", item={"key": "memo"}, **step("draft"))
    told.tell("artifact_produced", artifact_key="note", artifact_kind="document", name="Note", **step("alone"))
    told.tell("artifact_produced", artifact_key="draft", artifact_kind="document", name="Draft",
              output_class="final_output", derived_from=sources("memo", "note"), **step("draft"))  # fmt: skip
    told.tell("artifact_promoted", artifact_key="draft", promoted_by="will", work_product_key="brief",
              work_product_name="Brief")  # fmt: skip
    told.tell("delivery", idempotency_key="mail", delivery_kind="email", status="delivered", artifact_key="draft",
              name="Mail", delivered_to=["a@example.com"], **step("send"))  # fmt: skip
    told.tell("delivery", idempotency_key="fax", delivery_kind="email", status="failed", artifact_key="draft",
              name="Second mail", **step("send"))  # fmt: skip
    return told


async def test_provenance_is_one_chain_and_one_sentence(archive: Archive) -> None:
    await archive.tell(story())
    told = await archive.provenance(await archive.id_of("mail"))
    assert told.sentence == (
        "The delivery “Mail” was made by the step “send #1” of the run “Drafting” and carried the artifact “Draft”, "
        "which was made by the step “draft #1” from the artifact “Memo” and 1 other, which was made by the step "
        "“think #1”, after the step “read #1”, which worked from the document “Contract”."
    )
    assert [one.item.name for one in told.chain] == ["Mail", "Draft", "Memo", "Contract"]
    assert [(one.made_by and one.made_by.name, one.type) for one in told.chain] == [
        ("send #1", "DELIVERED_BY"), ("draft #1", "DERIVED_FROM"), ("think #1", "CONSUMED"), (None, None),
    ]  # fmt: skip
    assert ([one.name for one in told.chain[2].after], told.chain[1].others, told.truncated) == (["read #1"], 1, False)


async def test_without_a_source_of_its_own_it_is_told_what_its_run_received(archive: Archive) -> None:
    await archive.tell(story())
    told = await archive.provenance(art("note"))
    assert told.sentence == (
        "The artifact “Note” was made by the step “alone #1” of the run “Drafting”, which received the document "
        "“Letter”."
    )
    kept = await archive.provenance(await archive.id_of("brief"))
    assert kept.sentence.startswith("The work product “Brief” was kept from the artifact “Draft”, which was made by")
    ends = await archive.provenance(doc("contract"))
    assert ends.sentence.startswith("The document “Contract” is where the chain ends")


async def test_a_circle_is_called_one(archive: Archive) -> None:
    told = Story()
    told.tell("artifact_produced", artifact_key="a", artifact_kind="document", derived_from=sources("b"), **step("m"))
    told.tell("artifact_produced", artifact_key="b", artifact_kind="document", derived_from=sources("a"), **step("m"))
    told.tell("artifact_consumed", item={"key": "own"}, **step("n"))
    told.tell("artifact_produced", artifact_key="own", artifact_kind="document", **step("n"))
    await archive.tell(told)
    found = await archive.provenance(art("a"))
    assert [one.item.name for one in found.chain] == ["a", "b"]
    assert (found.truncated, found.circular) == (False, True)
    assert found.sentence == (
        "The artifact “a” was made by the step “m #1” of the run “run-1” from the artifact “b”, which was made by the "
        "step “m #1” from the artifact “a” again, in a circle."
    )
    assert (await archive.impact(art("a"))).sentence == (
        "From the artifact “a” came 1 artifact; as far as you can see, nothing of it has been delivered; by the "
        "reports it came of itself, in a circle."
    )
    alone = await archive.provenance(art("own"))  # a step that looks at what it made itself
    assert (alone.circular, "circle" in (await archive.provenance(art("own"))).sentence) == (False, False)


async def test_impact_counts_what_was_made_and_names_what_was_sent(archive: Archive) -> None:
    await archive.tell(story())
    found = await archive.impact(art("memo"))
    assert {one.kind: one.count for one in found.counts} == {
        "Activation": 1, "Artifact": 1, "WorkProduct": 1, "Delivery": 2,
    }  # fmt: skip
    assert {(one.name, one.status.value, one.sent) for one in found.deliveries} == {
        ("Mail", "delivered", True), ("Second mail", "failed", False),
    }  # fmt: skip
    sent = next(one for one in found.deliveries if one.sent)
    assert (sent.delivered_to, bool(sent.delivered_at)) == (("a@example.com",), True)
    assert found.sentence == (
        "From the artifact “Memo” came 1 artifact, 2 deliveries and 1 work product; 1 delivery has gone out, "
        "the last on 2026-01-01 to a@example.com."
    )
    near = await archive.service.impact(await archive.viewer(), RecordRef(id=found.of.id), 1)
    assert near.truncated
    assert near.sentence.endswith("not all that came of it was looked at.")
    assert "nothing of it has been delivered" not in near.sentence
    nothing = await archive.impact(await archive.id_of("brief"))
    assert (nothing.nodes, nothing.counts) == ((), ())
    assert nothing.sentence.startswith("Nothing is on record that you can see")


async def test_what_only_came_after_did_not_come_from_it(archive: Archive) -> None:
    await archive.tell(story())
    used = await archive.impact(doc("contract"))
    assert names(used) == {"read #1"}
    assert {"think #1", "Memo", "Draft", "Mail", "Brief"} <= {one.name for one in used.after}
    assert (used.deliveries, used.truncated) == ((), False)
    assert used.sentence == (
        "Nothing is on record that you can see that was made from the document “Contract”; after it came 2 artifacts, "
        "2 deliveries and 1 work product, not reported as made from it."
    )
    came_in = await archive.impact(doc("letter"))
    assert names(came_in) == set()
    assert "Note" in {one.name for one in came_in.after}
    near = await archive.service.impact(await archive.viewer(), RecordRef(id=used.of.id), 2)
    assert "not all that came of it" not in near.sentence  # what came of it was looked at; what came after was not all
    assert near.truncated


async def test_a_delivery_is_told_by_what_became_of_it(archive: Archive) -> None:
    told = Story().tell("run_started", name="Mailing")
    told.tell("artifact_produced", artifact_key="letter", artifact_kind="email", name="Letter", **step("write"))
    outcomes = {
        "tried-twice": ("failed", "delivered"),
        "drafted": ("draft_only", "delivered"),
        "lost": ("pending", "failed"),
        "twice": ("delivered", "delivered"),
        "taken-back": ("delivered", "failed"),
    }
    for key, states in outcomes.items():
        for place, status in enumerate(states):
            told.tell("delivery", idempotency_key=key, name=key, delivery_kind="email", status=status,
                      artifact_key="letter", delivered_to=[f"{place}@example.com"], **step("send"))  # fmt: skip
    await archive.tell(told)
    found = {
        key: (await archive.provenance(await archive.id_of(key))).sentence.removeprefix("The delivery ")
        for key in outcomes
    }
    sending = "was made by the step “send #1” of the run “Mailing” and"
    letter = "the artifact “Letter”, which was made by the step “write #1”, and no source of it is on record that you"
    letter += " can see."
    assert found == {
        "tried-twice": f"“tried-twice” {sending} carried {letter}",
        "drafted": f"“drafted” {sending} carried {letter}",
        "lost": f"“lost” (failed) {sending} was to carry {letter}",
        "twice": f"“twice” (reported otherwise, too) {sending} carried {letter}",
        "taken-back": f"“taken-back” (failed, reported as delivered, too) {sending} was to carry {letter}",
    }
    impact = await archive.impact(art("letter"))
    assert {one.name for one in impact.deliveries if one.sent} == {"tried-twice", "drafted", "twice"}
    assert {one.name for one in impact.deliveries if one.conflicting} == {"twice", "taken-back"}
    assert "3 deliveries have gone out" in impact.sentence
    assert "of 2 deliveries more than one outcome was reported" in impact.sentence
    run_id = await archive.id_of("run-1")
    facts = await load_run(archive.database, await archive.viewer(), run_id, (Part.brief,))
    assert facts
    assert header(RunIndex(facts, "2026-01-02T10:00:00.000Z")).delivered == (
        "Letter emailed to 1@example.com", "Letter emailed to 1@example.com",
        "Letter emailed to 1@example.com (also reported as delivered 0@example.com)",
        "Letter delivered 0@example.com (reported as failed since)",
    )  # fmt: skip
    reasons = {
        one.reason for one in (await archive.lineage(art("letter"), direction=LineageDirection.downstream)).edges
    }
    assert "The artifact “Letter” went out by the delivery “drafted”." in reasons
    assert "The artifact “Letter” was to go out by the delivery “lost” (failed)." in reasons


async def test_what_was_delivered_and_failed_since_is_not_said_to_be_undelivered(archive: Archive) -> None:
    """Whoever read that nothing has been delivered would send it again."""
    told = Story().tell("run_started", name="Mailing")
    told.tell("artifact_produced", artifact_key="letter", artifact_kind="email", name="Letter",
              output_class="final_output", **step("write"))  # fmt: skip
    for status in ("delivered", "failed"):
        told.tell("delivery", idempotency_key="mail", name="Mail", delivery_kind="email", status=status,
                  artifact_key="letter", delivered_to=["a@example.com"], **step("send"))  # fmt: skip
    await archive.tell(told)
    assert (await archive.impact(art("letter"))).sentence == (
        "From the artifact “Letter” came 1 delivery; whether anything of it has been delivered is not clear; "
        "of 1 delivery more than one outcome was reported."
    )
    facts = await load_run(archive.database, await archive.viewer(), await archive.id_of("run-1"), frozenset(Part))
    assert facts
    index = RunIndex(facts, "2026-01-02T10:00:00.000Z")
    assert deliverables(index).undelivered_outputs == ()
    assert header(index).delivered == ("Letter delivered a@example.com (reported as failed since)",)


async def test_what_was_delivered_is_not_changed_by_what_is_under_way(archive: Archive) -> None:
    """Under one key: told as under way once more, with another draft; delivered twice, with different ones."""
    told = Story().tell("run_started", name="Mailing")
    for key in ("first", "second"):
        told.tell("artifact_produced", artifact_key=key, artifact_kind="email", name=key.title(), **step("write"))
    ways = {
        "late": (("delivered", "first"), ("pending", "second")),
        "silent": (("pending", "first"), ("delivered", None), ("delivered", "first")),
        "both": (("delivered", "first"), ("delivered", "second"), ("delivered", None)),
    }
    for key, tries in ways.items():
        for status, carried in tries:
            more = {"artifact_key": carried} if carried else {}
            told.tell("delivery", idempotency_key=key, name=key, delivery_kind="email", status=status,
                      delivered_to=["a@example.com"], **more, **step("send"))  # fmt: skip
    await archive.tell(told)
    sent = {
        artifact: {one.name: one.conflicting for one in (await archive.impact(art(artifact))).deliveries}
        for artifact in ("first", "second")
    }
    assert sent == {"first": {"late": False, "silent": False, "both": True}, "second": {"both": True}}


def drafts() -> Story:
    """Drafts in a loop, each judged; the last goes into the final version, which another run revises."""
    told = Story().tell("run_started", name="Drafting")
    told.tell("artifact_consumed", item=document("contract"), **step("read"))
    told.tell("artifact_produced", artifact_key="memo", artifact_kind="document", name="Memo", **step("read"))
    for turn in (1, 2, 3):
        told.tell("artifact_consumed", item={"key": "memo"}, **step("draft", turn))
        if turn > 1:
            told.tell("artifact_consumed", item={"key": f"draft-{turn - 1}"}, **step("draft", turn))
        told.tell("artifact_produced", artifact_key=f"draft-{turn}", artifact_kind="document", name=f"Draft {turn}",
                  **step("draft", turn))  # fmt: skip
    for turn in (1, 2, 3):
        told.tell("artifact_consumed", item={"key": f"draft-{turn}"}, **step("finish"))
    told.tell("artifact_produced", artifact_key="final", artifact_kind="document", name="Final",
              output_class="final_output", **step("finish"))  # fmt: skip
    told.tell("artifact_promoted", artifact_key="final", promoted_by="w", work_product_key="brief-1",
              work_product_name="Brief 1")  # fmt: skip
    told.tell("artifact_produced", artifact_key="summary", artifact_kind="document", name="Summary",
              derived_from=[document("letter"), {"key": "memo"}, document("contract")], **step("sum"))  # fmt: skip
    return told


def revision() -> Story:
    told = Story(RUN_2).tell("run_started", name="Revising")
    told.tell("artifact_consumed", item={"kind": "WorkProduct", "key": "brief-1"}, **step("revise"))
    told.tell("artifact_produced", artifact_key="final-2", artifact_kind="document", name="Final 2",
              output_class="final_output", **step("revise"))  # fmt: skip
    told.tell("artifact_promoted", artifact_key="final-2", promoted_by="w", work_product_key="brief-2",
              work_product_name="Brief 2", previous_work_product_key="brief-1")  # fmt: skip
    return told


async def test_the_told_chain_is_the_one_that_a_person_would_tell(archive: Archive) -> None:
    await archive.tell(drafts(), revision())
    told = {
        key: (await archive.provenance(await archive.id_of(key))) for key in ("final", "summary", "brief-2", "draft-3")
    }
    assert [one.item.name for one in told["final"].chain] == [
        "Final",
        "Draft 3",
        "Draft 2",
        "Draft 1",
        "Memo",
        "Contract",
    ]
    assert told["draft-3"].sentence.startswith(
        "The artifact “Draft 3” was made by the step “draft #3” of the run “Drafting” from the artifact “Draft 2”, the "
        "version before it, and 1 other, which was made by the step “draft #2” from the artifact “Draft 1”, the "
        "version before it, and 1 other, which was made by"
    )
    assert [one.revises for one in told["draft-3"].chain[:3]] == [True, True, False]
    assert [one.item.name for one in told["summary"].chain] == ["Summary", "Letter"]  # what it names first
    revised = told["brief-2"]
    assert revised.sentence.startswith(
        "The work product “Brief 2” was kept from the artifact “Final 2” and is the version after the work product "
        "“Brief 1”, which was kept from the artifact “Final”, which was made by the step “finish #1” of the run"
    )
    assert (revised.chain[0].kept_from and revised.chain[0].kept_from.name, revised.chain[0].revises) == (
        "Final 2",
        True,
    )


@pytest.mark.parametrize("reviewed", [True, False])
async def test_the_version_before_comes_first_also_beside_a_review_of_it(archive: Archive, *, reviewed: bool) -> None:
    told = Story().tell("run_started", name="Rounds")
    told.tell("artifact_produced", artifact_key="l1", artifact_kind="document", name="List", **step("write"))
    of_first: dict[str, Any] = {"derived_from": sources("l1")} if reviewed else {}
    told.tell("artifact_produced", artifact_key="rev", artifact_kind="document", name="Review", **step("judge"),
              **of_first)  # fmt: skip
    told.tell("artifact_produced", artifact_key="l2", artifact_kind="document", name="List",
              derived_from=sources("l1", "rev"), **step("write", 2))  # fmt: skip
    await archive.tell(told)
    found = (await archive.provenance(await archive.id_of("l2"))).chain
    assert [one.item.name for one in found] == ["List", "List"]
    assert (found[0].revises, found[0].others) == (True, 1)


ASKED = ("final", "summary", "brief-2", "draft-3", "contract", "memo", "letter")


@pytest.mark.slow
@law(4, derandomize=True)
@given(random=st.randoms(use_true_random=False), batches=st.integers(1, 4))
async def test_the_same_story_is_told_the_same_in_any_order_of_arrival(
    archive: Archive, random: Any, batches: int
) -> None:
    events = [*drafts().events, *revision().events]
    told: list[list[str]] = []
    for mixed in (False, True):
        await empty(archive.database)
        order = list(events)
        if mixed:
            random.shuffle(order)
        for place in range(batches):
            await archive.tell_events(order[place::batches])
        ids = [await archive.id_of(key) for key in ASKED]
        told.append([(await archive.provenance(one)).sentence for one in ids])
        told[-1] += [(await archive.impact(one)).sentence for one in ids]
    assert told[0] == told[1]


async def test_a_chain_says_where_it_was_cut(archive: Archive) -> None:
    told = Story().tell("run_started", name="Long")
    for place in range(MOST_LINKS + 2):
        source = sources(f"a{place - 1}") if place else ()
        told.tell("artifact_produced", artifact_key=f"a{place}", artifact_kind="document", derived_from=source,
                  **step("make", place + 1))  # fmt: skip
    told.tell("artifact_consumed", item=document("contract"), **step("s", 1))
    for place in range(2, MOST_STEPS_BACK + 4):
        told.tell("activation_started", **step("s", place), triggered_by=[step("s", place - 1)])
    last = MOST_STEPS_BACK + 3
    told.tell("artifact_produced", artifact_key="late", artifact_kind="document", name="Late", **step("s", last))
    await archive.tell(told)
    long = await archive.provenance(art(f"a{MOST_LINKS + 1}"))
    assert (long.truncated, len(long.chain)) == (True, MOST_LINKS)
    assert long.sentence.endswith("; the chain goes on beyond what is told here.")
    late = await archive.provenance(art("late"))
    assert late.truncated
    assert late.sentence.endswith("and no source of it was found in the 10 steps before that.")


async def test_both_are_silent_about_what_is_hidden(archive: Archive) -> None:
    hidden: dict[str, Any] = {"memory_mode": "standard", "data_class": "privileged", "matter_ids": []}
    secret = Story(RUN_2, hidden).tell("artifact_consumed", item={"key": "memo"}, **step("use"))
    secret.tell("artifact_produced", artifact_key="secret", artifact_kind="document", **step("use"))
    secret.tell("delivery", idempotency_key="secret-mail", delivery_kind="email", status="delivered",
                artifact_key="secret", **step("use"))  # fmt: skip
    await archive.tell(story(), secret)
    low = await archive.viewer(principal_id="prin_low", clearance="internal", scopes=[KeyScope.read])
    assert "secret" in names(await archive.impact(art("memo")))
    seen = await archive.impact(art("memo"), low)
    assert not {"secret", "secret-mail", "use #1", "run-2"} & names(seen)
    assert {one.name for one in seen.deliveries} == {"Mail", "Second mail"}
    told = await archive.provenance(art("memo"), low)
    assert told.sentence.endswith("after the step “read #1”, which worked from the document “Contract”.")
