"""Not seen means not there: search, events, history and matching."""

import orjson
import pytest

from tests.api.conftest import Api, Caller
from tests.api.marked import BESIDES, CLASSED, HIDDEN, MARK, MATCHES, OF_MATTER, ref


async def test_search_and_events_and_history_are_silent_about_it(stranger: Caller, marked: Api) -> None:
    found = await stranger.ask("query ($text: String!) { search(text: $text, first: 50) { hits { id } } }", text=MARK)
    assert not {one["id"] for one in found["search"]["hits"]} & set(HIDDEN)
    query = "query ($about: ID!) { events(about: {id: $about}) { nodes { eventId } } }"
    hidden = marked.matters["Narayanan"]
    assert (await stranger.ask(query, about=hidden))["events"]["nodes"] == []
    history = "query ($id: ID!) { node(id: $id) { history { states { version } } } }"
    assert (await stranger.ask(history, id=hidden))["node"] is None


async def test_search_for_artifacts_is_silent_about_those_of_others(stranger: Caller, marked: Api) -> None:
    query = """query ($text: String!, $filter: ArtifactSearchFilter) {
        searchArtifacts(text: $text, filter: $filter) { hits { name } emptyReason explanation bestScore } }"""
    of_others = "Summary of the filing of day 11"
    found = (await stranger.ask(query, text=of_others))["searchArtifacts"]
    assert of_others not in [one["name"] for one in found["hits"]]
    [run] = await marked.database.read("MATCH (r:Run {source_key: 'run-docket-11'}) RETURN r.id AS id")
    hidden, missing = [
        await stranger.ask(query, text=of_others, filter={"runs": [{"id": one}]}) for one in (run["id"], "run_missing")
    ]
    assert hidden == missing
    named = (await stranger.ask(query, text=f"{MARK} Artifact {OF_MATTER}"))["searchArtifacts"]
    marks = {one["name"] for one in named["hits"] if one["name"].startswith(MARK)}
    assert marks == {f"{MARK} Artifact {BESIDES}"}


async def test_a_subscription_tells_nobody_about_it(stranger: Caller, marked: Api) -> None:
    """The stream reads by the same predicate as the list: no event of the other matter is in either."""
    everything = "{ events(first: 1000) { nodes { about } } }"
    rows = await marked.database.read(
        "MATCH (n:Record) WHERE $m IN n.matter_ids RETURN n.id AS id", m=marked.matters["Narayanan"]
    )
    hidden = {row["id"] for row in rows}
    page = (await stranger.ask(everything))["events"]
    assert hidden
    assert not {one["about"] for one in page["nodes"]} & hidden


_CANDIDATE = "id name hardVetoes { kind } softPenalties { kind } group record { id }"
_MATCH = f"""outcome confidence explanation warnings {{ code }} recommended {{ {_CANDIDATE} }}
    losers {{ code message candidate {{ {_CANDIDATE} }} }}"""


async def test_matching_weighs_and_names_only_what_may_be_seen(
    stranger: Caller, admin: Caller, marked: Api, request: pytest.FixtureRequest
) -> None:
    said = f"quokka ledger of {request.node.callspec.id}"
    fields = " ".join(f"{name}(request: {{text: $text}}, first: 64) {{ {_MATCH} }}" for name in sorted(MATCHES))
    query = f"""query ($text: String!) {{ {fields}
        reuseSearch(request: {{text: $text}}, first: 64) {{ sections {{ {_MATCH} }} }} }}"""
    before = await stranger.ask(query, text=said)
    save = "mutation ($input: TemplateInput!) { saveTemplate(input: $input) { recordId } }"
    hidden = {"name": said, "triggerPhrases": [said], "matterIds": [marked.matters["Narayanan"]]}
    saved = (await admin.ask(save, input=hidden))["saveTemplate"]["recordId"]
    assert await stranger.ask(query, text=said) == before
    assert saved in orjson.dumps(await admin.ask(query, text=said)).decode()
    await admin.ask("mutation ($r: RecordRefInput!) { eraseRecord(record: $r) { erased } }", r=ref(saved))


async def test_a_hidden_asset_or_match_is_explained_like_a_missing_one(stranger: Caller) -> None:
    explain = f'query ($r: RecordRefInput!) {{ explainMatch(request: {{text: "audit"}}, asset: $r) {{ {_MATCH} }} }}'
    compare = "query ($id: ID!) { compareMatch(match: {id: $id}) { same moved { id name } } }"
    replay = "query ($id: ID!) { replayMatch(match: {id: $id}) { outcome differences { name } } }"
    for prefix in ("tpl", "match"):
        for hidden in (f"{prefix}_marked{CLASSED}", f"{prefix}_marked{OF_MATTER}", f"{prefix}_missing"):
            for query, given in ((explain, {"r": ref(hidden)}), (compare, {"id": hidden}), (replay, {"id": hidden})):
                error = await stranger.refused(query, **given)
                assert error["code"] == "not_found"
                assert error["message"] == f"There is no record {hidden} that you can see."


async def test_a_kept_match_names_only_what_its_keeper_may_see(stranger: Caller) -> None:
    query = """mutation ($text: String!) { recordMatch(kind: template, request: {text: $text}) {
        record { ... on MatchDecision { weighed(first: 100) { nodes { ... on Node { id } } } answer } } } }"""
    kept = (await stranger.ask(query, text=f"{MARK} Template {OF_MATTER}"))["recordMatch"]["record"]
    told = orjson.dumps(kept).decode()
    assert not [one for one in HIDDEN if one in told]
