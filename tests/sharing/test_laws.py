"""The laws of sharing: no wider than its sender sees, gone when revoked, profiles in order, opening changes nothing."""

import string
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from graph_schema.model.fields import DataClass
from graph_schema.registry import REGISTRY
from graph_schema.sharing.words import ShareMode, ShareProfile
from service.access.viewer import Viewer
from service.commands.work import State
from service.memory.audit.redaction import Redactor
from service.memory.audit.sensitivity import TABLE
from service.runtime.compose import services_alone
from service.sharing.errors import ShareGone, ShareRateLimited, ShareRecordMissing
from service.sharing.opening import Look, Reader, SharedDoor
from service.sharing.profiles import PROFILES, WITHHELD
from service.sharing.secrets import new_secret
from tests.laws import law
from tests.memory.audit import marked
from tests.sharing.scene import Scene, ids, ref, said

MATTERS = ("ent_ward", "ent_desk")
CLASSES = ("public", "internal", "privileged", "local_only")
MODES = (ShareMode.specific_run_with_artifacts, ShareMode.collaborative_task_workspace, ShareMode.audit_packet)
OPEN_PROFILES = tuple(one for one in ShareProfile if one is not ShareProfile.full_access_warned)
LABELS = sorted(TABLE)

matters = st.lists(st.sampled_from(MATTERS), unique=True).map(sorted)
accesses = st.lists(st.tuples(st.sampled_from(CLASSES), matters), min_size=len(LABELS), max_size=len(LABELS))
sights = st.tuples(st.sampled_from(CLASSES[1:]), matters)
looks = st.sampled_from([Look(), Look(section="run_summary"), Look(section="graph_snapshot"), Look(record=marked.RUN)])

# Any record of the run gets any access, whatever it would have inherited: no order of events could do worse.
_CLOSE = """
UNWIND $rows AS row
MATCH (n:Record {id: row.id})
SET n.data_class = row.data_class, n.matter_ids = row.matters, n.audience = row.audience
MERGE (a:Audience {audience: row.audience})
SET a.data_class = row.data_class, a.rank = row.rank, a.matter_ids = row.matters
"""
_WITHOUT_RECEIPTS = """
MATCH (n:Record) WHERE NOT n:ShareEvent
WITH n ORDER BY n.id
RETURN collect(properties(n)) AS records, COUNT { MATCH (:Record)-[r:!HAPPENED_UNDER]->(:Record) } AS links
"""


async def _made(scene: Scene) -> None:
    if not await scene.of("Run"):
        await marked.make(scene.database, "internal")
        await scene.database.run_alone("MATCH (n:Entity) SET n.kind = 'document'")


async def _closed(scene: Scene, access: Sequence[tuple[str, list[str]]]) -> None:
    """The run itself stays open, so that there is something to share."""
    told = [
        ("internal", list[str]()) if label in ("Run", "Task") else one
        for label, one in zip(LABELS, access, strict=True)
    ]
    rows: list[dict[str, Any]] = [
        {"id": marked.record_id(label), "data_class": one, "matters": own, "rank": CLASSES.index(one)}
        | {"audience": f"{one}|{','.join(own)}"}
        for label, (one, own) in zip(LABELS, told, strict=True)
    ]
    await scene.database.run_alone(_CLOSE, rows=rows)


async def _sender(scene: Scene, sight: tuple[str, list[str]]) -> Viewer:
    clearance, own = sight
    await scene.principal(clearance=clearance, all_matters=False, matter_ids=own)
    return await scene.viewer(clearance=DataClass(clearance), matters=own)


async def _seen(scene: Scene, viewer: Viewer) -> set[str]:
    rows = await scene.database.read(
        "MATCH (n:Record) WHERE n.audience IN $audiences RETURN n.id AS id", audiences=viewer.audiences
    )
    return {row["id"] for row in rows}


@pytest.mark.slow
@law(6)
@given(st.sampled_from(MODES), st.sampled_from(OPEN_PROFILES), accesses, sights, accesses, sights)
async def test_a_manifest_is_a_part_of_what_its_sender_sees_then_and_now(  # noqa: PLR0917 - drawn
    scene: Scene, mode: ShareMode, profile: ShareProfile, then: Any, sight: Any, now: Any, sight_now: Any
) -> None:
    await _made(scene)
    await _closed(scene, then)
    viewer = await _sender(scene, sight)
    before = await _seen(scene, viewer)
    secret = await scene.shared(run=ref(marked.RUN), share_mode=mode, redaction_profile=profile, viewer=viewer)
    assert ids(await scene.open(secret, Reader(secret))) <= before
    await _closed(scene, now)
    after = await _seen(scene, await _sender(scene, sight_now))
    try:
        told = await scene.open(secret, Reader(secret))
    except ShareGone:
        return
    within = after if told.live else before & after
    assert ids(told) <= within
    ends = {one[end] for section in told.sections for one in section["links"] for end in ("tail", "head")}
    assert ends <= within
    assert "local_only" not in said(told)


async def _looked(door: SharedDoor, secret: str, client: str, look: Look) -> None:
    """A part that the mode does not have is told to be missing."""
    with suppress(ShareRecordMissing):
        await door.open(secret, Reader(client), look)


@pytest.mark.slow
@law(4)
@given(st.sampled_from(MODES), st.lists(looks, max_size=2), st.lists(looks, min_size=1, max_size=3))
async def test_revoked_means_gone_in_every_process(
    scene: Scene, mode: ShareMode, before: list[Look], after: list[Look]
) -> None:
    await _made(scene)
    await scene.principal()
    other = services_alone(scene.database)[SharedDoor]
    made = await scene.share(run=ref(marked.RUN), share_mode=mode)
    assert made.secret is not None
    for number, look in enumerate(before):
        await _looked(other, made.secret, f"{made.secret}{number}", look)
    await scene.shares.revoke(await scene.viewer(), ref(made.outcome.result["id"]))
    for look in after:
        for door in (scene.door, other):
            with pytest.raises(ShareGone):
                await door.open(made.secret, Reader(made.secret), look)


@pytest.mark.slow
@law(4)
@given(st.sampled_from(MODES), st.lists(looks, min_size=1, max_size=4))
async def test_opening_changes_nothing_that_is_shared(scene: Scene, mode: ShareMode, opened: list[Look]) -> None:
    await _made(scene)
    await scene.principal()
    secret = await scene.shared(run=ref(marked.RUN), share_mode=mode)
    before = await scene.database.read_one(_WITHOUT_RECEIPTS)
    first = said(await scene.open(secret, Reader(secret)))
    for look in opened:
        await _looked(scene.door, secret, secret, look)
    assert said(await scene.open(secret, Reader(secret))) == first
    assert await scene.database.read_one(_WITHOUT_RECEIPTS) == before


values = st.one_of(st.text(max_size=12), st.integers(), st.booleans(), st.lists(st.text(max_size=8), max_size=2))


@law(60)
@given(st.data(), st.sampled_from(LABELS), st.sampled_from(CLASSES))
def test_no_profile_shows_what_a_looser_one_hides(data: st.DataObject, label: str, data_class: str) -> None:
    """So none shows a field that a stricter one hides and a looser one does not; nor more of its value."""
    type_ = REGISTRY.types[label]
    drawn = data.draw(st.dictionaries(st.sampled_from(sorted(type_.fields)), values))
    state = State(type_, (label, "Record"), drawn | {"id": "x", "data_class": data_class, "stub": False})
    shown = [Redactor(REGISTRY, PROFILES[one], WITHHELD).record(state) or {} for one in ShareProfile]
    for stricter, looser in pairwise(shown):
        assert {*stricter} <= {*looser}
        for name in stricter:
            assert _no_more(stricter[name], looser[name])
    assert data_class != "local_only" or not any(shown)


def _no_more(one: Any, other: Any) -> bool:
    """The same, or a list of some of it."""
    return one == other or (isinstance(one, list) and isinstance(other, list) and {*one} <= {*other})  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]


@law(10)
@given(st.data())
async def test_a_guess_finds_nothing(scene: Scene, data: st.DataObject) -> None:
    """Not even one that is nearly right. (Ten thousand of them are in the stories.)"""
    secret = await scene.shared(task=ref(await scene.task("Fact check")), share_mode=ShareMode.task_design_only)
    at = data.draw(st.integers(0, len(secret) - 1))
    other = data.draw(
        st.sampled_from(string.ascii_letters + string.digits + "-_").filter(lambda one: one != secret[at])
    )
    near = secret[:at] + other + secret[at + 1 :]
    guess = data.draw(st.sampled_from([near, secret[:at], f"{secret} ", f"{secret}=", new_secret(), other]))
    with pytest.raises((ShareGone, ShareRateLimited)):
        await scene.open(guess, Reader("198.51.100.1"))
    assert await scene.open(secret, Reader(secret))
