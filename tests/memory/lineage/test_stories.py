"""Provenance and impact: what a person would tell."""

from typing import Any

from service.access.viewer import KeyScope
from service.commands import RecordRef
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
        "“think #1” after the step “read #1”, from the document “Contract”."
    )
    assert [one.item.name for one in told.chain] == ["Mail", "Draft", "Memo", "Contract"]
    assert [(one.made_by and one.made_by.name, one.type) for one in told.chain] == [
        ("send #1", "DELIVERED_BY"), ("draft #1", "DERIVED_FROM"), ("think #1", "CONSUMED"), (None, None),
    ]  # fmt: skip
    assert ([one.name for one in told.chain[2].after], told.chain[1].others, told.truncated) == (["read #1"], 1, False)


async def test_without_a_source_of_its_own_it_came_from_what_the_run_received(archive: Archive) -> None:
    await archive.tell(story())
    told = await archive.provenance(art("note"))
    assert told.sentence == (
        "The artifact “Note” was made by the step “alone #1” of the run “Drafting” from the document “Letter”."
    )
    kept = await archive.provenance(await archive.id_of("brief"))
    assert kept.sentence.startswith("The work product “Brief” was kept from the artifact “Draft”, which was made by")
    ends = await archive.provenance(doc("contract"))
    assert ends.sentence.startswith("The document “Contract” is where the chain ends")


async def test_a_chain_ends_when_it_comes_round(archive: Archive) -> None:
    told = Story()
    told.tell("artifact_produced", artifact_key="a", artifact_kind="document", derived_from=sources("b"), **step("m"))
    told.tell("artifact_produced", artifact_key="b", artifact_kind="document", derived_from=sources("a"), **step("m"))
    await archive.tell(told)
    found = await archive.provenance(art("a"))
    assert [one.item.name for one in found.chain] == ["a", "b"]
    assert not found.truncated


async def test_impact_counts_what_was_made_and_names_what_was_sent(archive: Archive) -> None:
    await archive.tell(story())
    found = await archive.impact(doc("contract"))
    assert {one.kind: one.count for one in found.counts} == {
        "Activation": 3, "Artifact": 2, "WorkProduct": 1, "Delivery": 2,
    }  # fmt: skip
    assert {(one.name, one.status.value, one.sent) for one in found.deliveries} == {
        ("Mail", "delivered", True), ("Second mail", "failed", False),
    }  # fmt: skip
    sent = next(one for one in found.deliveries if one.sent)
    assert (sent.delivered_to, bool(sent.delivered_at)) == (("a@example.com",), True)
    assert found.sentence == (
        "From the document “Contract” came 2 artifacts, 2 deliveries and 1 work product; 1 delivery has gone out, "
        "the last on 2026-01-01 to a@example.com."
    )
    near = await archive.service.impact(await archive.viewer(), RecordRef(id=found.of.id), 1)
    assert near.truncated
    assert near.sentence.endswith("not all that came of it was looked at.")
    assert "nothing of it has been delivered" not in near.sentence
    nothing = await archive.impact(await archive.id_of("brief"))
    assert (nothing.nodes, nothing.counts) == ((), ())
    assert nothing.sentence.startswith("Nothing is on record that you can see")


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
    assert (await archive.provenance(art("memo"), low)).sentence.endswith("from the document “Contract”.")
