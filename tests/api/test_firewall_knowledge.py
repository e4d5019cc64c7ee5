"""Not seen means not there: what is examined, and what was kept of it."""

from graph_schema.registry import REGISTRY
from tests.api.conftest import Caller
from tests.api.marked import CLASSED, HIDDEN, OF_MATTER, marked_id, ref

_OF = "query ($r: RecordRefInput!) { preflight(of: $r) { status } }"
_KEEP = "mutation ($r: RecordRefInput!) { recordPreflight(of: $r) { recordId } }"
NAMED = {
    **{f"{_OF} # {label}": label for label in ("Task", "Template", "Blueprint", "GraphSnapshot")},
    **{f"{_KEEP} # {label}": label for label in ("Task", "Template", "Blueprint", "GraphSnapshot")},
    "mutation ($r: RecordRefInput!) { activateKnowledgePack(pack: $r) { recordId } }": "KnowledgePack",
    "query ($r: RecordRefInput!) { replayPreflight(preflight: $r) { outcome } }": "Preflight",
    "query ($r: RecordRefInput!) { comparePreflight(preflight: $r) { outcome } }": "Preflight",
}


async def test_questions_about_hidden_records_are_answered_as_about_missing_ones(stranger: Caller) -> None:
    for query, label in NAMED.items():
        kind = REGISTRY.types[label]
        for hidden in (marked_id(kind, CLASSED), marked_id(kind, OF_MATTER), f"{kind.prefix}_missing"):
            error = await stranger.refused(query, r=ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")


async def test_the_pack_in_use_is_told_from_what_may_be_seen(stranger: Caller) -> None:
    asked = "{ knowledgeStatus { packId pack { id } drift { sourceRef affectedCards } } }"
    told = (await stranger.ask(asked))["knowledgeStatus"]
    assert told["packId"] not in HIDDEN
    assert not {id_ for one in told["drift"] for id_ in one["affectedCards"]} & {*HIDDEN}


async def test_a_catalogue_of_a_class_above_ones_clearance_is_refused(stranger: Caller) -> None:
    save = """mutation { saveModuleCatalogue(input: {source: "x", dataClass: local_only,
        types: [{moduleType: "step.x", family: step, name: "X"}]}) { types } }"""
    assert (await stranger.refused(save))["code"] == "class_not_allowed"
