"""Not seen means not there: scopes, packets, receipts and what is asked about them."""

import orjson

from graph_schema.context.relations import CONTEXTUAL
from graph_schema.registry import REGISTRY
from tests.api.conftest import Caller
from tests.api.marked import BESIDES, CLASSED, HIDDEN, MARK, OF_MATTER, RUNS, TIMES, marked_id, ref

_NEED = 'moduleKey: "x", activationSeq: 1, detectedNeed: "x", basis: failure_recovery'
_SAID = "targetKind: context_packet, feedback: wrong"
_STEP = 'moduleKey: "x", activationSeq: 1'
_ASKED = 'moduleKey: "x"'
_HIDDEN_CONTEXT = {
    f"mutation ($r: RecordRefInput!) {{ expandCapabilities(input: {{run: $r, {_NEED}}}) {{ recordId }} }}": "run",
    f"query ($r: RecordRefInput!) {{ mountedCapabilities(run: $r, {_STEP}) {{ addedCount }} }}": "run",
    'query ($r: RecordRefInput!) { agentContextPack(request: {text: "x", entrypoint: design_task, run: $r}) '
    "{ packId } }": "run",
    'query ($r: RecordRefInput!) { agentContextPack(request: {text: "x", entrypoint: design_task, about: [$r]}) '
    "{ packId } }": "ent",
    f"query ($r: RecordRefInput!) {{ previewContextPacket(input: {{run: $r, {_ASKED}}}) {{ id }} }}": "run",
    f"mutation ($r: RecordRefInput!) {{ assembleContextPacket(input: {{run: $r, {_ASKED}}}) {{ replayed }} }}": "run",
    f'mutation ($r: RecordRefInput!) {{ expandCapabilities(input: {{run: {{id: "run_marked0"}}, {_NEED}, '
    "capabilities: [$r]}) { recordId } }": "cap",
}


async def test_context_is_asked_of_hidden_records_as_of_missing_ones(stranger: Caller) -> None:
    for query, prefix in _HIDDEN_CONTEXT.items():
        for hidden in (f"{prefix}_marked{CLASSED}", f"{prefix}_marked{OF_MATTER}", f"{prefix}_missing"):
            error = await stranger.refused(query, r=ref(hidden))
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
    say = f"mutation ($r: RecordRefInput!) {{ recordContextFeedback(input: {{packet: $r, {_SAID}}}) {{ recordId }} }}"
    read = "query ($id: ID!) { contextPacket(id: $id) { id } }"
    for hidden in (f"pack_marked{CLASSED}", f"pack_marked{OF_MATTER}", "pack_missing"):
        assert (await stranger.refused(read, id=hidden))["code"] == "not_found"
        error = await stranger.refused(say, r=ref(hidden))
        assert (error["code"], error["message"]) == ("not_found", f"There is no packet {hidden} that you can see.")


async def test_figures_and_packs_are_made_of_what_may_be_seen(stranger: Caller) -> None:
    query = """query ($since: Timestamp!, $until: Timestamp!) {
        contextStatistics(since: $since, until: $until, first: 100) {
            packets receipts { receipts } trimmed { id } unhelpful { id } } }"""
    found = (await stranger.ask(query, since=TIMES[0], until="2026-01-04T00:00:00.000Z"))["contextStatistics"]
    assert found["packets"] == 1
    assert sum(one["receipts"] for one in found["receipts"]) == 2 * len(CONTEXTUAL)
    cards = "{ id name record { id } }"
    pack = f"""query ($r: RecordRefInput!) {{ agentContextPack(request: {{text: "{MARK}", entrypoint: design_task,
        about: [$r]}}) {{ relevantTaskTemplates {cards} relevantModulePresets {cards}
        relevantTaskInvocationDirectives {cards} workContext {{ matterRefs {cards} entityRefs {cards} }}
        artifactContext {{ priorTaskRunRefs {cards} priorWorkProductRefs {cards} }}
        capabilityContext {{ availableCapabilityRefs {cards} policyBlockedCapabilityRefs {cards}
          unavailableCapabilityRefs {cards} unreportedCapabilityRefs {cards} }}
        constraints {{ memoryDirectiveRefs {cards} securityPolicyRefs {cards}
          artifactPolicyRefs {cards} }} }} }}"""
    told = orjson.dumps(await stranger.ask(pack, r=ref(f"ent_marked{BESIDES}"))).decode()
    assert f"ent_marked{BESIDES}" in told
    assert not [one for one in HIDDEN if f'"{one}"' in told]


async def test_questions_about_hidden_packets_are_answered_as_about_missing_ones(stranger: Caller) -> None:
    why = 'moduleKey: "m", activationSeq: 1, record: {id: "pref_marked0"}) { sentence }'
    queries = {
        f"query ($id: ID!) {{ whyExcluded(run: {{id: $id}}, {why} }}": "run",
        f"query ($id: ID!) {{ whyInjected(run: {{id: $id}}, {why} }}": "run",
        "query ($id: ID!) { contextBleed(run: {id: $id}) { clean } }": "run",
        'query ($id: ID!) { diffPackets(a: {id: "pack_marked0"}, b: {id: $id}) { identical } }': "pack",
        "query ($id: ID!) { replayPacket(id: $id) { outcome } }": "pack",
    }
    for query, prefix in queries.items():
        for hidden in (f"{prefix}_marked{CLASSED}", f"{prefix}_marked{OF_MATTER}", f"{prefix}_missing"):
            error = await stranger.refused(query, id=hidden)
            assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
    span = """{ contextBleed(since: "2020-01-01T00:00:00.000Z", first: 500) {
        packetsChecked items { packetId runId recordId name } broadRuns { runId } } }"""
    found = await stranger.ask(span)
    assert found["contextBleed"]["packetsChecked"]
    told = orjson.dumps(found).decode()
    assert not [one for one in (*HIDDEN, f"{MARK} Memory {CLASSED}", f"{MARK} Entity {OF_MATTER}") if one in told]


async def test_the_scope_of_a_hidden_run_is_like_that_of_a_missing_one(stranger: Caller) -> None:
    read = "query ($r: RecordRefInput!) { runScope(run: $r) { envelopeId } }"
    start = "mutation ($i: RunScopeInput!) { openRunScope(input: $i) { recordId } }"
    for hidden in [*RUNS, "run_missing"]:
        assert await stranger.ask(read, r=ref(hidden)) == {"runScope": None}
        error = await stranger.refused(start, i={"run": ref(hidden)})
        assert (error["code"], error["message"]) == ("not_found", f"There is no record {hidden} that you can see.")
    seen = str(await stranger.ask(_SCOPE, r=ref(marked_id(REGISTRY.types["Run"], BESIDES))))
    assert not [one for one in HIDDEN if f"'{one}'" in seen]


_SCOPE = """query ($r: RecordRefInput!) { runScope(run: $r) { resolvedScope { entityRefs { id } otherRefs { id } }
    candidates { id } excluded { id } triggerScope { triggerId } policySnapshotRef } }"""
