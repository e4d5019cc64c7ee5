"""What pages reckon from an answer: laws that hold whatever a graph or a run is like."""

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from service.web.pages.engine.page import Asked
from service.web.pages.graph.diff.view import together
from service.web.pages.graph.one.view import mark_next
from service.web.pages.run.steps.view import chosen

KEYS = st.sampled_from("abcdef")
CABLES = st.lists(st.tuples(KEYS, KEYS), max_size=8)
Row = dict[str, Any]


def _graph(keys: list[str], cables: list[tuple[str, str]], prefix: str) -> list[Row]:
    """Two saves of one graph have different ids for the same modules."""
    heads = {one: [head for tail, head in cables if tail == one and head in keys] for one in keys}
    return [
        {
            "id": prefix + one,
            "moduleKey": one,
            "cable": {"edges": [{"node": {"id": prefix + head, "moduleKey": head}} for head in heads[one]]},
        }
        for one in keys
    ]


@given(old=st.lists(KEYS, unique=True), new=st.lists(KEYS, unique=True), was=CABLES, now=CABLES)
def test_two_graphs_in_one_picture_say_of_each_module_and_cable_in_which_it_is(
    old: list[str], new: list[str], was: list[tuple[str, str]], now: list[tuple[str, str]]
) -> None:
    drawn = together(_graph(old, was, "o"), _graph(new, now, "n"))
    told = {one["moduleKey"]: one["change"] for one in drawn["boxes"]}
    expected = {one: "" if one in old and one in new else "added" if one in new else "removed" for one in {*old, *new}}
    assert told == expected
    lines = {one for one in was if {*one} <= {*old} and one[0] != one[1]}
    lines |= {one for one in now if {*one} <= {*new} and one[0] != one[1]}
    assert len(drawn["lines"]) == len(lines)


@given(KEYS, CABLES, st.sampled_from(["running", "completed"]))
def test_next_is_what_a_module_at_work_leads_to_and_has_not_begun(
    at_work: str, cables: list[tuple[str, str]], status: str
) -> None:
    modules = _graph(list("abcdef"), cables, "")
    for one in modules:
        one |= {"status": "running" if one["moduleKey"] == at_work else "", "next": False}
    mark_next(modules, {"status": status})
    heads = {head for tail, head in cables if tail == at_work and head != at_work}
    assert {one["moduleKey"] for one in modules if one["next"]} == (heads if status == "running" else set())


def test_the_step_that_an_address_names_is_found_and_another_is_not() -> None:
    rows = [{"activationId": f"act_{at}", "moduleKey": "m", "activationSeq": at} for at in (1, 2)]
    assert chosen(rows, "m", "1") == "act_1"
    assert chosen(rows, "m", "") == "act_2"
    assert chosen(rows, "m", "9") == chosen(rows, "", "") == chosen(rows, "other", "") == ""


@given(st.text(max_size=20))
def test_nobody_is_led_to_another_place(address: str) -> None:
    origin = Asked("/runs/x", (("from", address),)).origin
    assert origin in ("", address)
    assert not origin or (origin[0] == "/" and origin[1:2] not in ("/", "\\"))
