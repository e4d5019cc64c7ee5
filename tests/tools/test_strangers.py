"""Two houses that have nothing to do with films or feeds. What they expect was written down before it was tried."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service.tools.known.rules import Shelved, ranked
from tests.tools.workshop import Workshop, ago, ask, outcome

pytestmark = pytest.mark.slow


async def test_a_pharmacy_whose_lookup_lost_its_credentials_is_not_told_to_rebuild_it(workshop: Workshop) -> None:
    lookup: dict[str, Any] = {"tool": {"key": "interaction_lookup"}, "method": "check", "source": "pharmacy"}
    refused = {"outcome_type": "execution_error", "error_code": "HTTP 401"}
    slow = {"outcome_type": "execution_error", "error_message": "The registry timed out"}
    told = [outcome(f"ok{one}", **lookup, occurred_at=ago(hours=2, minutes=one)) for one in range(6)]
    told += [{**outcome(f"no{one}", **lookup), **refused} for one in range(4)]
    told += [{**outcome(f"slow{one}", **lookup), **slow} for one in range(2)]
    dose: dict[str, Any] = {"tool": {"key": "dose_calculator"}, "method": "per_kilo", "source": "pharmacy"}
    told += [outcome(f"dose{one}", **dose, ask={"key": f"q{one}"}) for one in range(3)]
    await workshop.taken(*told)
    at_the_desk: dict[str, Any] = {
        "source": "pharmacy",
        "user": "nurse-7",
        "session": "ward-3",
        "capability_pattern": ["dosing"],
    }
    await workshop.asked(*(ask(f"q{one}", 2 * one, **at_the_desk, task_shape="dose") for one in range(4)))

    found = await workshop.health(key="interaction_lookup", source="pharmacy")
    assert {one.error_class.value: one.count for one in found.errors} == {"authorisation": 4, "environment": 2}
    assert (found.standing.value, found.repair_priority, found.regeneration_priority) == ("reliable", 0, 0)
    doses = await workshop.health(key="dose_calculator", source="pharmacy")
    assert (doses.user_corrections_recent, doses.standing.value) == (3, "reliable"), (
        "nobody but the asking speaks against it"
    )
    assert await workshop.evaluate() == []


async def test_a_forwarder_with_an_old_way_of_classifying_goods_is_told_to_leave_it(workshop: Workshop) -> None:
    goods: dict[str, Any] = {"tool": {"key": "tariff_classifier"}, "source": "freight"}
    told = [outcome(f"new{one}", **goods, method="classify") for one in range(5)]
    told += [outcome(f"old{one}", "low_utility", **goods, method="classify_legacy") for one in range(4)]
    told.append(outcome("old9", **goods, method="classify_legacy"))
    customs = {"boundary_axes": ["Zolltarif", "Rate-Limit"], "evidence": "The heading is of another tariff."}
    answers = await workshop.report(*told, outcome("edge", "wrong_tool_boundary", **goods, metadata=customs))
    assert [one.code for one in answers] == [None] * 11
    [unknown] = answers[-1].warnings
    assert (unknown.code, "TASKLORE_TOOL_WORDS" in str(unknown.remedy)) == ("warning.boundary_axis_unknown", True)
    assert [(one.said, one.counted, one.known) for one in answers[-1].axes] == [
        ("Zolltarif", "zolltarif", False),
        ("Rate-Limit", "scale", True),
    ]

    found = await workshop.health(key="tariff_classifier", source="freight")
    assert [(one.axis, one.said) for one in found.boundary_axes] == [
        ("scale", ("Rate-Limit",)),
        ("zolltarif", ("Zolltarif",)),
    ]
    assert {one.method_key: one.standing.value for one in found.methods if one.method_key} == {
        "classify": "reliable",
        "classify_legacy": "demoted",
    }
    assert not found.cohesion_warning
    advice = {(one.recommendation_kind.value, one.method_key) for one in await workshop.evaluate()}
    assert advice == {("tighten_acceptance", "classify_legacy"), ("deprecate_method", "classify_legacy")}
    told_of = Shelved(id="t", name="t", summary="", fit=1.0, methods=(), health=found)
    assert "weak methods: classify_legacy (demoted)" in ranked([told_of], datetime.now(UTC))[0].text
