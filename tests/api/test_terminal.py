"""The commands of every day, as typed in a terminal, against a running service."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from service.cli.asking import Exit
from tests.api.conftest import Api
from tests.cli.serving import Ended, tasklore
from tests.ports import free_port

Told = Callable[..., Ended]


@pytest.fixture
def told(api: Api, tmp_path: Path) -> Told:
    return lambda *arguments: tasklore(*arguments, home=tmp_path, url=api.service.url, key=api.keys["admin"])


def _json(ended: Ended) -> Any:
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout)


async def _packet(api: Api) -> tuple[str, str, int]:
    [row] = await api.database.read(
        """MATCH (p:ContextPacket) RETURN p.run_id AS run, p.module_key AS module, p.activation_seq AS seq
           ORDER BY p.id LIMIT 1"""
    )
    return row["run"], row["module"], row["seq"]


async def test_match_shows_what_fits_and_why_others_lost(told: Told) -> None:
    shown = told("match", "a complaint audit for Acme")
    assert shown.returncode == Exit.done, shown.stderr
    assert "Complaint Evaluation" in shown.stdout
    assert "█" in shown.stdout
    assert "Lost" in shown.stdout
    assert "\x1b[" not in shown.stdout, "no colours where there is no terminal"
    data = _json(told("match", "a complaint audit for Acme", "--json"))
    assert data["recommended"][0]["name"] == "Complaint Evaluation"


async def test_search_finds_or_says_why_not(told: Told) -> None:
    shown = told("search", "Marex", "--kind", "Goal")
    assert shown.returncode == Exit.done
    assert "Goal" in shown.stdout
    nothing = told("search", "zzzzqqqq xxyyzz", "--kind", "Goal")
    assert nothing.returncode == Exit.nothing_found
    assert nothing.stdout.strip()
    assert _json(told("search", "Marex", "--json"))["hits"]


async def test_runs_are_listed_and_shown_by_id_and_by_key(told: Told) -> None:
    listed = _json(told("run", "list", "--status", "completed", "--first", "3", "--json"))["nodes"]
    assert len(listed) == 3
    every = _json(told("run", "list", "--first", "200", "--json"))["nodes"]
    run, key = next((one["id"], one["source_key"]) for one in every if str(one["source_key"]).startswith("run-marex"))
    by_id, by_key = told("run", "show", run), told("run", "show", f"sample:{key}")
    assert by_id.returncode == Exit.done, by_id.stderr
    assert by_id.stdout == by_key.stdout
    assert "Steps" in by_id.stdout
    assert listed[0]["id"] in told("run", "list", "--first", "50").stdout
    missing = told("run", "show", "sample:no-such-run")
    assert (missing.returncode, "no run" in missing.stdout) == (Exit.nothing_found, True)


async def test_lineage_is_a_tree_both_ways(told: Told) -> None:
    up = told("lineage", "sample:art-complaint-amended", "--depth", "10")
    assert up.returncode == Exit.done, up.stderr
    assert "Amended complaint" in up.stdout.splitlines()[0]
    assert "Exhibit A: desk ledgers" in up.stdout
    assert "└──" in up.stdout
    down = told("lineage", "sample:marex-exhibit-a", "--down")
    assert "Complaint draft" in down.stdout or "step" in down.stdout


async def test_a_packet_is_shown_with_what_was_kept_out_and_why(api: Api, told: Told) -> None:
    run, module, seq = await _packet(api)
    at = (run, module, "--activation", str(seq))
    shown = told("packet", *at)
    assert shown.returncode == Exit.done, shown.stderr
    assert "tokens" in shown.stdout
    assert told("packet", *at, "--text").stdout.startswith("# Context")
    data = _json(told("packet", *at, "--json"))
    record = next(one["id"] for one in (*data["excluded_candidates"], *data["items"]))
    why = told("why", run, module, record, "--activation", str(seq))
    assert why.returncode == Exit.done, why.stderr
    assert "outcome" in why.stdout
    assert _json(told("why", run, module, record, "--activation", str(seq), "--json"))["record_id"] == record


async def test_route_says_mode_and_reason(told: Told) -> None:
    shown = told("route", "Run the Complaint Evaluation task.", "--losers")
    assert "run_existing_saved_task" in shown.stdout
    assert "Complaint Evaluation" in shown.stdout
    assert _json(told("route", "What is 2 + 2?", "--json"))["selected_mode"]


async def test_query_asks_anything(told: Told, tmp_path: Path) -> None:
    document = "query ($n: Int!) { goals(first: $n) { nodes { name } } }"
    assert len(_json(told("query", document, "--var", "n=2"))["goals"]["nodes"]) == 2
    file = tmp_path / "goals.graphql"
    file.write_text(document)
    assert len(_json(told("query", f"@{file}", "--var", "n=1"))["goals"]["nodes"]) == 1
    wrong = told("query", "{ nothing }")
    assert (wrong.returncode, "nothing" in wrong.stderr) == (Exit.refused, True)
    assert told("query", document, "--var", "n").returncode == Exit.misused


async def test_events_are_followed_a_line_each(told: Told) -> None:
    cursor = _json(told("query", "{ events(first: 3) { edges { cursor } } }"))["events"]["edges"][0]["cursor"]
    lines = told("events", "follow", "--after", cursor, "--most", "2", "--json").stdout.splitlines()
    assert [bool(json.loads(one)["cursor"]) for one in lines] == [True, True]
    plain = told("events", "follow", "--after", cursor, "--most", "1")
    assert json.loads(lines[0])["about"] in plain.stdout


async def test_exit_codes_tell_scripts_what_happened(api: Api, tmp_path: Path) -> None:
    def code(*arguments: str, **settings: object) -> int:
        return tasklore(*arguments, **{"home": tmp_path, "url": api.service.url, **settings}).returncode

    assert code("search", "x") == Exit.refused, "there is no key in this home"
    assert code("run", "show", "no reference", key=api.keys["admin"]) == Exit.misused
    assert code("search", "x", key="tl_wrong") == Exit.refused
    assert code("search", "x", key=api.keys["admin"], url=f"http://127.0.0.1:{free_port()}") == Exit.unreachable
    assert code("search") == Exit.misused


async def test_a_key_file_and_an_address_can_be_given(api: Api, tmp_path: Path) -> None:
    key = tmp_path / "my.key"
    key.write_text(api.keys["marex"])
    ended = tasklore("search", "Marex", "--url", api.service.url, "--key-file", str(key), home=tmp_path)
    assert ended.returncode == Exit.done, ended.stderr
