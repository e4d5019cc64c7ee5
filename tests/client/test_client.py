"""The client by itself: its questions are true of the API, it tries again only what it may, and it stands alone."""

import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest
from graphql import parse, validate

from service.client import (
    AsyncTasklore,
    ClientError,
    KeyMissing,
    NotAReference,
    Refused,
    Rejected,
    Tasklore,
    Unreachable,
    asks,
    reference,
)
from service.client.asks import Ask
from service.client.follow import Following, head
from service.client.shapes import camel
from tests.api.schema import committed_schema
from tests.client.answering import Answer, Dropped, answering
from tests.ports import free_port

ROOT = Path(__file__).parents[2]
KEY = "tl_test"
MATCH: dict[str, Any] = {
    "outcome": "match", "confidence": 0.9, "explanation": "It fits.", "recommendedAction": "customize",
    "recommended": [], "losers": [], "warnings": [],
}  # fmt: skip
MATCHED = Answer(body=json.dumps({"data": {"matchTemplates": MATCH}}))
SCOPED = Answer(body=json.dumps({"data": {"openRunScope": {"recordId": "env_1", "replayed": False, "warnings": []}}}))
BUSY = Answer(503, '{"errors": [{"message": "Busy.", "extensions": {"code": "database_busy"}}]}', {"retry-after": "0"})


def _asked(ask: Ask[Any]) -> dict[str, Any]:
    return json.loads(ask.body)


QUESTIONS = [
    *(asks.match("x", kind=one) for one in ("template", "preset", "pattern", "case", "blueprint", "segment")),
    asks.scope("a:b", select=[{"source": "a", "key": "c"}]),
    asks.packet("a:b", "m"),
    asks.packet("a:b", "m", preview=True, module_type="step.agent_task"),
    asks.lineage("art_1", direction="downstream"),
    Following(["goal.*"], "goal_1", None).asked,
    head(),
]


@pytest.mark.parametrize("ask", QUESTIONS)
def test_every_question_is_one_that_the_api_takes(ask: Ask[Any]) -> None:
    assert validate(committed_schema(), parse(_asked(ask)["query"])) == []


def test_it_imports_nothing_else_of_ours() -> None:
    told = "import sys, tasklore_client; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    ours = {
        one for one in loaded.split() if one.partition(".")[0] in {"service", "resolvers", "graph_schema", "embeddings"}
    }
    assert {one for one in ours if not one.startswith("service.client")} == {"service"}
    assert not {"neo4j", "strawberry", "numpy", "onnxruntime"} & {*loaded.split()}


@pytest.mark.slow
def test_the_wheel_has_it_under_its_own_name(tmp_path: Path) -> None:
    built = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(built, cwd=ROOT, check=True, capture_output=True)
    [wheel] = tmp_path.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"tasklore_client/__init__.py", "tasklore_client/py.typed", "service/client/clients.py"} <= {*names}
    told = f"import sys; sys.path.insert(0, {str(wheel)!r}); import tasklore_client; print(tasklore_client.__file__)"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True, cwd=tmp_path)
    assert str(wheel) in found.stdout


def test_what_is_busy_or_broken_is_asked_again_as_the_same_command() -> None:
    with answering(BUSY, Dropped, SCOPED) as service, Tasklore(service.url, KEY) as tasklore:
        assert tasklore.scope("a:b").record_id == "env_1"
    ids = {json.loads(one)["variables"]["commandId"] for one in service.asked}
    assert (len(service.asked), len(ids)) == (3, 1)


async def test_the_same_questions_can_be_awaited() -> None:
    with answering(BUSY, Dropped, MATCHED) as service:
        async with AsyncTasklore(service.url, KEY) as tasklore:
            found = await tasklore.match("A complaint audit")
    assert (found.outcome, found.confidence, len(service.asked)) == ("match", 0.9, 3)


def test_a_mutation_of_ones_own_is_sent_once() -> None:
    with answering(Dropped) as service, Tasklore(service.url, KEY) as tasklore:
        with pytest.raises(Unreachable):
            tasklore.query('mutation { liftSuppression(contextClass: "a") { replayed } }')
        with pytest.raises(Unreachable):
            tasklore.query("{ viewer { name } }")
    assert len(service.asked) == 1 + 5


def test_it_gives_up_and_says_what_the_service_said() -> None:
    with answering(BUSY) as service, Tasklore(service.url, KEY, retries=2) as tasklore, pytest.raises(Refused) as told:
        tasklore.match("x")
    assert (told.value.code, told.value.status, len(service.asked)) == ("database_busy", 503, 3)


def test_what_was_written_is_read_by_whoever_answers_next() -> None:
    """A bookmark of a database that was restored since is dropped, and the question asked without it."""
    written = Answer(body=SCOPED.body, headers={"tasklore-bookmark": "FB:one"})
    unknown = Answer(body='{"errors": [{"message": "Whose?", "extensions": {"code": "bookmark_invalid"}}]}')
    with answering(written, MATCHED, unknown, MATCHED) as service, Tasklore(service.url, KEY) as tasklore:
        tasklore.scope("a:b")
        tasklore.match("x")
        tasklore.match("x")
    assert service.bookmarks == [None, "FB:one", "FB:one", None]


def test_an_error_has_code_field_and_remedy() -> None:
    error = {"message": "No.", "extensions": {"code": "not_found", "field": "run", "remedy": "Check it."}}
    refused = Answer(body=json.dumps({"errors": [error]}))
    with answering(refused) as service, Tasklore(service.url, KEY) as tasklore, pytest.raises(Refused) as told:
        tasklore.packet("a:b", "m")
    assert (told.value.code, told.value.field, told.value.remedy) == ("not_found", "run", "Check it.")
    assert str(told.value) == "No. Check it."
    assert len(service.asked) == 1, "the answer would be the same"


@pytest.mark.parametrize("body", ["<html>", "[]", '{"data": null}', ""])
def test_what_is_no_answer_of_the_service_is_said_to_be_none(body: str) -> None:
    with answering(Answer(body=body)) as service, Tasklore(service.url, KEY) as tasklore, pytest.raises(Unreachable):
        tasklore.match("x")
    assert len(service.asked) == 1


def test_nobody_there() -> None:
    url = f"http://127.0.0.1:{free_port()}"
    with Tasklore(url, KEY, retries=1) as tasklore, pytest.raises(Unreachable) as told:
        tasklore.match("x")
    assert url in told.value.message
    assert "tasklore serve" in (told.value.remedy or "")


def test_a_key_comes_from_the_environment_or_the_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TASKLORE_KEY", raising=False)
    monkeypatch.setenv("TASKLORE_HOME", str(tmp_path))
    with pytest.raises(KeyMissing):
        Tasklore()
    (tmp_path / "owner.key").write_text("tl_home\n")
    monkeypatch.setenv("TASKLORE_URL", "http://example.org/")
    with Tasklore() as tasklore:
        assert tasklore.url == "http://example.org"
    with answering(MATCHED) as service:
        monkeypatch.setenv("TASKLORE_KEY", KEY)
        with Tasklore(service.url) as tasklore:
            assert tasklore.match("x").outcome == "match"


@pytest.mark.parametrize("given", ["", "4711", ":4711", "erp:", "the Marex run"])
def test_what_names_no_record_is_refused(given: str) -> None:
    with pytest.raises(NotAReference):
        reference(given)


def test_a_record_is_named_by_id_or_source_and_key() -> None:
    assert reference("run_01k9x3") == {"id": "run_01k9x3"}
    assert reference("erp:a:b") == {"source": "erp", "key": "a:b"}
    assert reference({"kind": "Run", "source": "erp", "key": "1"}) == {"kind": "Run", "source": "erp", "key": "1"}
    assert [camel(one) for one in ("activation_seq", "from_", "id")] == ["activationSeq", "from", "id"]


TAKEN = Answer(body='{"index":0,"event_id":"a","outcome":"accepted","run_id":"run_1"}')
NOT_TAKEN = Answer(422, '{"index":0,"event_id":"a","outcome":"rejected","code":"run_unknown","message":"Who?"}')


def test_a_rejected_event_is_an_error_that_says_which() -> None:
    with answering(NOT_TAKEN) as service, Tasklore(service.url, KEY) as tasklore:
        with pytest.raises(Rejected) as told:
            tasklore.report({"event_id": "a"})
        assert told.value.code == "run_unknown"
        [answer] = tasklore.report({"event_id": "a"}, strict=False)
    assert (answer.outcome, answer.message) == ("rejected", "Who?")


def _kinds(asked: list[bytes]) -> list[str]:
    return [json.loads(line)["kind"] for body in asked for line in body.splitlines()]


def test_what_the_code_raises_is_reported_and_raised() -> None:
    with answering(TAKEN) as service, Tasklore(service.url, KEY) as tasklore, pytest.raises(ZeroDivisionError):  # noqa: SIM117
        with tasklore.run("sum") as run, run.step("divide"):
            _ = 1 / 0
    assert _kinds(service.asked) == ["run_started", "activation_started", "activation_failed", "run_failed"]


def test_a_report_that_fails_does_not_hide_what_the_code_raised() -> None:
    refused = Answer(403, '{"errors": [{"message": "No.", "extensions": {"code": "not_allowed"}}]}')
    with (
        answering(TAKEN, refused) as service,
        Tasklore(service.url, KEY) as tasklore,
        pytest.raises(KeyError) as raised,
        tasklore.run("sum"),
    ):
        raise KeyError("mine")
    assert any("not reported" in one for one in raised.value.__notes__)
    with answering(TAKEN, refused) as service, Tasklore(service.url, KEY) as tasklore, pytest.raises(ClientError):  # noqa: SIM117
        with tasklore.run("sum"):
            pass


def test_a_decorated_function_is_a_run_each_time_it_is_called() -> None:
    with answering(TAKEN) as service, Tasklore(service.url, KEY) as tasklore:

        @tasklore.run("double")
        def double(number: int) -> int:
            return 2 * number

        assert [double(1), double(2)] == [2, 4]
    runs = {json.loads(line)["run"]["key"] for body in service.asked for line in body.splitlines()}
    assert _kinds(service.asked) == ["run_started", "run_completed"] * 2
    assert len(runs) == 2
