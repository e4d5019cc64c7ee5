"""How often assets were used, and when last: counted from runs that the viewer may see."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.registry import REGISTRY
from service.commands import Commands, RecordRef
from service.memory.statistics import AssetUsage, AssetUses, TasksInOperation
from service.memory.statistics.usage import group_usage
from service.records import Records
from service.runtime.compose import hooks
from tests.laws import law
from tests.memory.history.conftest import Past


async def _saved(past: Past, label: str, **values: Any) -> str:
    records = Records(Commands(past.database, REGISTRY, lambda _new: None), hooks())
    return (await records.save(past.everybody, label, values)).result["id"]


@pytest.fixture
async def weekly(past: Past) -> str:
    return await _saved(past, "Template", name="Weekly", source="exec", source_key="weekly")


async def test_a_template_was_used_as_often_as_runs_name_it(past: Past, weekly: str) -> None:
    fresh = await _saved(past, "Template", name="Fresh")
    uses = AssetUses(past.database)
    found = await uses.of_templates(past.everybody, [weekly, fresh, "tpl_missing"])
    assert found == [
        AssetUsage(usage_count=2, last_used_at="2026-01-02T10:00:00.000Z"),
        AssetUsage(usage_count=0, last_used_at=None),
        None,
    ]
    figures = await TasksInOperation(past.database).of(past.everybody, RecordRef(id=weekly))
    assert figures
    assert (figures.record_id, figures.run_count) == (weekly, 2)


async def test_a_run_of_a_task_made_from_a_template_is_a_use_of_it_unless_it_names_another(past: Past) -> None:
    records = Records(Commands(past.database, REGISTRY, lambda _new: None), hooks())
    template = await _saved(past, "Template", name="Base")
    for key in ("other", "report"):
        task = await _saved(past, "Task", name=key, source="exec", source_key=key)
        await records.link(past.everybody, RecordRef(id=task), "INSTANTIATES", RecordRef(id=template), {})
    [found] = await AssetUses(past.database).of_templates(past.everybody, [template])
    assert found
    assert (found.usage_count, (found.last_used_at or "")[:10]) == (2, "2026-01-04")


async def test_a_preset_was_used_as_often_as_modules_set_to_it_worked(past: Past) -> None:
    preset = await _saved(past, "Preset", name="Reader", module_type="agent", source="exec", source_key="reader")
    [found] = await AssetUses(past.database).of_presets(past.everybody, [preset])
    assert found == AssetUsage(usage_count=0, last_used_at=None)
    await past.database.run_alone(
        "MATCH (a:Activation {module_key: 'work'}) WHERE a.status <> 'error' SET a.preset_key = 'reader'"
    )
    [everything] = await AssetUses(past.database).of_presets(past.everybody, [preset])
    [some] = await AssetUses(past.database).of_presets(past.outsider, [preset])
    await past.database.run_alone("MATCH (a:Activation) REMOVE a.preset_key")
    assert everything
    assert some
    assert (everything.usage_count, (everything.last_used_at or "")[:10]) == (3, "2026-01-04")
    assert (some.usage_count, (some.last_used_at or "")[:10]) == (2, "2026-01-03")


async def test_a_group_was_used_as_often_as_its_templates_together(past: Past, weekly: str) -> None:
    records = Records(Commands(past.database, REGISTRY, lambda _new: None), hooks())
    group, other = await _saved(past, "TemplateGroup", name="Reports"), await _saved(past, "Template", name="Other")
    for tail, kind, head in ((weekly, "IN_GROUP", group), (other, "IN_GROUP", group), (group, "HAS_PRIMARY", weekly)):
        await records.link(past.everybody, RecordRef(id=tail), kind, RecordRef(id=head), {})
    [found] = await AssetUses(past.database).of_groups(past.everybody, [group])
    assert found
    assert [(one.name, one.usage_count) for one in found.templates] == [("Weekly", 2), ("Other", 0)]
    assert (found.usage_count, found.success_count, found.failure_count, found.success_rate) == (2, 1, 1, 0.5)
    assert found.last_used_at == "2026-01-02T10:00:00.000Z"
    assert await AssetUses(past.database).of_groups(past.everybody, ["grp_missing"]) == [None]


_USES = st.fixed_dictionaries(
    {
        "template_id": st.just("tpl"),
        "name": st.just("n"),
        "usage_count": st.integers(0, 9),
        "success_count": st.integers(0, 9),
        "failure_count": st.integers(0, 9),
        "last_used_at": st.sampled_from([None, "2026-01-01", "2026-01-02"]),
    }
)


@given(st.lists(_USES), st.randoms())
@law(20)
def test_a_group_is_the_sum_of_its_templates_in_any_order(uses: list[dict[str, Any]], random: Any) -> None:
    mixed = list(uses)
    random.shuffle(mixed)
    one, other = group_usage(uses), group_usage(mixed)
    assert (one.usage_count, one.success_rate, one.last_used_at) == (
        other.usage_count,
        other.success_rate,
        other.last_used_at,
    )
    assert one.usage_count == sum(each.usage_count for each in one.templates)
    assert one.last_used_at is None or all((each.last_used_at or "") <= one.last_used_at for each in one.templates)
