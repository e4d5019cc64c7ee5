"""Whatever speaks for a proposal, against it, or tried it: the proposal is as closed as all of that together."""

from typing import Any

import pytest

from graph_schema.learning.dataset_relations import VALIDATING
from graph_schema.learning.relations import EVIDENCE
from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from service import clock
from service.access.viewer import KeyScope
from service.commands import RecordRef, Request, Work
from service.learning.review.read import Reviews
from tests.api.marked import fitting
from tests.learning.world import added, propose, refused
from tests.routing.office import Office

pytestmark = pytest.mark.slow


async def _one_of_each(office: Office, labels: tuple[str, ...], matter: str) -> dict[str, str]:
    """A record of each kind, as closed as the matter."""

    async def plan(work: Work) -> dict[str, Any]:
        made: dict[str, str] = {}
        for number, label in enumerate(labels):
            kind = REGISTRY.types[label]
            values = {name: fitting(one, number) for name, one in kind.fields.items() if one.required}
            values |= {"name": f"One {label}", "data_class": "privileged", "matter_ids": [matter]}
            if label == "EvalDataset":
                values["frozen_at"] = clock.now()
            made[label] = work.create(kind, values).id
        return made

    request = Request("testEvidence", KeyScope.curate, {}, reads=[RecordRef(id=matter)])
    return (await office.services.ground.commands.execute(await office.viewer(), request, plan)).result


def _by(way: str, label: str, record: str) -> dict[str, Any]:
    if label == "EvalDataset":
        return {"validation_dataset": RecordRef(id=record)}
    ref = (RecordRef(id=record),)
    return {
        "for": {"supported_by": ref},
        "against": {"countered_by": ref},
        "kept": {"evidence_refs": ("gs://elsewhere/1", record)},
        "tried": {"eval_result_ref": record},
    }[way]


async def test_a_proposal_is_as_closed_as_its_evidence_of_every_kind(office: Office) -> None:
    matter = await office.matter()
    kinds = tuple(dict.fromkeys((*EVIDENCE, *VALIDATING)))
    made = await _one_of_each(office, kinds, matter)
    template = await office.new("Template", name="Pastry order")
    stranger = await office.viewer(principal_id="prin_stranger", clearance=DataClass.internal, matters=[])
    ways = [(label, way) for label in EVIDENCE for way in ("for", "against", "kept")]
    ways += [(label, "tried") for label in VALIDATING]
    taken = [
        (label, way) for number, (label, way) in enumerate(ways) if way == "tried" or number % 3 == number // 3 % 3
    ]
    assert {label for label, _ in taken} == {*kinds}
    for number, (label, way) in enumerate(taken):
        proposal = await propose(
            office, template, added("trigger_phrases", f"order {number}"), **_by(way, label, made[label])
        )
        kept = await office.stored(proposal)
        assert (kept["data_class"], kept["matter_ids"]) == ("privileged", [matter]), f"{label} {way}"
    assert (await office.services[Reviews].queue(stranger, first=500)).items == ()


async def test_evidence_that_its_reader_does_not_see_cannot_be_named(office: Office) -> None:
    matter = await office.matter()
    made = await _one_of_each(office, ("Preflight",), matter)
    template = await office.new("Template", name="Pastry order")
    stranger = await office.viewer(principal_id="prin_stranger", clearance=DataClass.internal, matters=[])
    steps = added("trigger_phrases", "order")
    for way in ("for", "against", "kept"):
        more = _by(way, "Preflight", made["Preflight"])
        assert (await refused(propose(office, template, steps, viewer=stranger, **more))).code == "not_found"
    wrong = await refused(propose(office, template, steps, evidence_refs=(template,)))
    assert wrong.code == "wrong_kind"
