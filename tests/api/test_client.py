"""The Python client against a running service: report, settle a scope, ask for a packet, match, trace, follow."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from service.client import AsyncTasklore, Refused, Tasklore
from tests.api.conftest import Api

SOURCE = "client"
AWAY = """
MATCH (run:Run {source: $source})
OPTIONAL MATCH (n:Record) WHERE n.run_id = run.id OR n.source = $source
DETACH DELETE n, run
"""


@pytest.fixture(scope="module", autouse=True)
async def _nothing_left(api: Api) -> AsyncGenerator[None]:
    yield
    await api.database.run_alone(AWAY, source=SOURCE)


@pytest.fixture
def tasklore(api: Api) -> Iterator[Tasklore]:
    with Tasklore(api.service.url, api.keys["admin"]) as client:
        yield client


def test_a_run_of_ordinary_code_is_reported_from_start_to_end(tasklore: Tasklore) -> None:
    with tasklore.run("weekly-digest", source=SOURCE) as run, run.step("collect") as step:
        step.used(kind="Entity", source="sample", key="marex-exhibit-a")
        step.made("digest", "Digest", summary="Twelve items.", output_class="final_output")
        step.delivered("the case file", key=f"{run.story.key}-1", artifact="digest")
        step.note(cost_usd=0.02, output_summary=["Twelve items."])
    query = """query ($s: String!, $k: String!) { run(source: $s, key: $k) {
        header { title status costUsd } steps { rows { moduleKey status } }
        deliverables { finalOutputs { artifactId name } deliveries { status } } } }"""
    found = tasklore.query(query, {"s": SOURCE, "k": run.ref["key"]})["run"]
    assert (found["header"]["status"], found["header"]["costUsd"]) == ("completed", 0.02)
    assert found["steps"]["rows"] == [{"moduleKey": "collect", "status": "success"}]
    [output] = found["deliverables"]["finalOutputs"]
    assert output["name"] == "Digest"
    traced = tasklore.lineage(output["artifactId"], depth=3)
    assert "Exhibit A: desk ledgers 2023 to 2025" in {one.name for one in traced.nodes}


def test_a_run_that_fails_says_where_and_why(tasklore: Tasklore) -> None:
    with pytest.raises(ZeroDivisionError), tasklore.run("sum", source=SOURCE, key="failed") as run, run.step("divide"):
        _ = 1 / 0
    query = 'query ($s: String!) { run(source: $s, key: "failed") { header { status failureCode failureSummary } } }'
    assert tasklore.query(query, {"s": SOURCE})["run"]["header"] == {
        "status": "failed",
        "failureCode": "ZeroDivisionError",
        "failureSummary": "division by zero",
    }


def test_a_module_gets_its_packet(tasklore: Tasklore) -> None:
    with tasklore.run("draft", source=SOURCE) as run, run.step("write", module_type="step.agent_task"):
        run.flush()
        opened = tasklore.scope(run.ref, select=[{"kind": "Entity", "source": "sample", "key": "marex"}])
        again = tasklore.scope(run.ref, select=[{"kind": "Entity", "source": "sample", "key": "marex"}])
        assert (opened.replayed, again.replayed, again.record_id) == (False, True, opened.record_id)
        preview = tasklore.packet(run.ref, "write", preview=True)
        packet = tasklore.packet(run.ref, "write")
    assert (preview.id, preview.markdown) == (None, packet.markdown)
    assert packet.applicable
    assert packet.markdown.startswith("# Context")
    assert packet.token_budget
    assert packet.token_budget.actual_tokens <= 4_000


def test_what_fits_and_what_does_not(tasklore: Tasklore) -> None:
    found = tasklore.match("a complaint audit for Acme", inputs=["complaint"])
    assert found.recommended[0].name == "Complaint Evaluation"
    assert 0 < found.recommended[0].confidence <= 1
    assert all(one.message for one in found.losers)


def test_a_refusal_has_code_field_and_remedy(api: Api, tasklore: Tasklore) -> None:
    with pytest.raises(Refused) as told:
        tasklore.packet("client:never-reported", "m")
    assert told.value.code in {"run_unknown", "not_found"}
    assert told.value.remedy
    with Tasklore(api.service.url, "tl_nobody") as nobody, pytest.raises(Refused) as told:
        nobody.match("x")
    assert (told.value.code, told.value.status) == ("unauthenticated", 401)


SAVE = 'mutation { savePreference(input: {name: "Followed by a client", statement: "Tell me."}) { recordId } }'


def test_events_are_followed_as_they_happen(tasklore: Tasklore) -> None:
    with ThreadPoolExecutor(1) as threads:
        head = tasklore.query("{ events(first: 1) { head } }")["events"]["head"]
        seen = threads.submit(lambda: next(tasklore.follow(["preference.*"], after=head)))
        made = tasklore.query(SAVE)["savePreference"]["recordId"]
        event = seen.result(30)
    assert (event.kind, event.about) == ("preference.created", made)
    archive = "mutation ($r: RecordRefInput!) { archiveRecord(record: $r) { replayed } }"
    tasklore.query(archive, {"r": {"id": made}})
    assert next(tasklore.follow(about=made, after=event.cursor)).about == made, "on from the last cursor"


def test_a_cursor_that_is_none_is_refused(tasklore: Tasklore) -> None:
    with pytest.raises(Refused):
        next(tasklore.follow(after="nonsense"))


async def test_all_of_it_can_be_awaited(api: Api) -> None:
    async with AsyncTasklore(api.service.url, api.keys["admin"]) as tasklore:
        head = (await tasklore.query("{ events(first: 1) { head } }"))["events"]["head"]
        followed = tasklore.follow(["task.run.*"], after=head)
        async with (
            tasklore.run("digest", source=SOURCE) as run,
            run.step("collect", module_type="step.agent_task") as step,
        ):
            step.made("digest", "Digest")
            await run.flush()
            await tasklore.scope(run.ref)
            packet, found = await asyncio.gather(tasklore.packet(run.ref, "collect"), tasklore.match("complaint audit"))
        assert packet.applicable
        assert found.recommended
        event = await asyncio.wait_for(anext(followed), 30)
        assert event.kind.startswith("task.run.")
        await followed.aclose()
        assert (await tasklore.lineage(f"{SOURCE}:{run.ref['key']}/digest")).of.name == "Digest"
