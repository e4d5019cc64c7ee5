"""Matching over HTTP."""

from typing import Any

from tests.api.conftest import Caller

_PLAIN = """id kind name version confidence scores { overallScore probability }
    parts { name score effect evidence } hardVetoes { kind } group"""


def _query(candidate: str) -> str:
    return f"""{{ matchTemplates(request: {{text: "complaint audit"}}, first: 64) {{ __typename outcome confidence
        recommended {{ {candidate} }} losers {{ code message candidate {{ {candidate} }} }}
        ranker {{ name version }} }} }}"""


def _candidates(answer: dict[str, Any]) -> dict[str, dict[str, Any]]:
    found = [*answer["recommended"], *(loser["candidate"] for loser in answer["losers"])]
    return {one["id"]: one for one in found}


async def test_an_answer_has_the_same_form_whether_records_are_asked_for_or_not(admin: Caller) -> None:
    """Records are loaded by graphql-core's way, all else is picked. Scores may move while vectors are still made."""
    plain = (await admin.ask(_query(_PLAIN)))["matchTemplates"]
    whole = (await admin.ask(_query(f"{_PLAIN} record {{ id name }}")))["matchTemplates"]
    assert (list(plain), plain["__typename"]) == (list(whole), "MatchAnswer")
    picked, resolved = _candidates(plain), _candidates(whole)
    assert picked.keys() == resolved.keys()
    assert len(picked) > 20
    for key, one in resolved.items():
        assert one.pop("record") == {"id": key, "name": one["name"]}
        assert list(one) == list(picked[key])
        assert [part["name"] for part in one["parts"]] == [part["name"] for part in picked[key]["parts"]]
        assert {name: one[name] for name in ("kind", "name", "version", "group")}.items() <= picked[key].items()
