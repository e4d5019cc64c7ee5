"""What each profile of a share tells, by a mark in every field of every kind of record that a manifest may hold."""

import re
from itertools import pairwise
from typing import Any

import pytest

from graph_schema.registry import REGISTRY
from graph_schema.sharing.relations import DISCLOSED
from graph_schema.sharing.words import ShareMode, ShareProfile
from service.memory.audit.sensitivity import TABLE, Sensitivity
from service.sharing.opening import Reader
from service.sharing.profiles import PROFILES
from tests.memory.audit import marked
from tests.sharing.scene import Scene, ref, said

pytestmark = pytest.mark.slow

MARK = re.compile(r"mark:\w+\.\w+:")
S = Sensitivity
TOLD = {S.fact, S.process, S.subject, S.content}
# Written out by hand, so that a slip in the table of profiles is seen.
SHOWN: dict[str, dict[ShareProfile, set[Sensitivity]]] = {
    "internal": {
        ShareProfile.public_safe: {S.fact},
        ShareProfile.external_professional: TOLD,
        ShareProfile.firm_collaborator: TOLD | {S.person},
        ShareProfile.trusted_internal: TOLD | {S.person, S.location},
        ShareProfile.full_access_warned: TOLD | {S.person, S.location, S.prompt},
    },
    "privileged": {
        ShareProfile.public_safe: set(),
        ShareProfile.external_professional: {S.fact, S.process},
        ShareProfile.firm_collaborator: TOLD,
        ShareProfile.trusted_internal: TOLD | {S.person, S.location},
        ShareProfile.full_access_warned: TOLD | {S.person, S.location, S.prompt},
    },
}


def test_what_a_share_may_tell_of_is_what_an_audit_may() -> None:
    assert {*DISCLOSED} == {*TABLE, "Memory"}


def test_each_profile_tells_all_that_a_stricter_one_does() -> None:
    ordered = [PROFILES[one] for one in ShareProfile]
    for stricter, looser in pairwise(ordered):
        assert stricter.open <= looser.open
        assert stricter.privileged <= looser.privileged
        assert stricter.sections <= looser.sections
        assert looser.privileged <= looser.open
        assert not looser.shows("local_only")


async def test_no_word_of_an_executor_is_safe_for_the_public(scene: Scene) -> None:
    """However short and codelike it is. A summary of a run has no words of its steps, whatever the profile."""
    word = "Jane-Doe"
    at: dict[str, Any] = {"module_key": "write", "activation_seq": 1}
    said_of_it = {"media_type": word, "content_hash": word, "name": "Letter", "artifact_kind": "document"}
    run = await scene.run("words", [
        {"kind": "activation_started", **at, "input_summary": [f"{word} in"]},
        {"kind": "artifact_produced", **at, "artifact_key": "letter", **said_of_it},
        {"kind": "snapshot", **at, "snapshot_key": "s", "snapshot_kind": "prompt", "prompt_hash": word,
         "policy_refs": [word], "policy_generation_id": word, "registry_generation_id": word},
        {"kind": "activation_completed", **at, "output_summary": [f"{word} out"]},
    ])  # fmt: skip
    await scene.principal()
    safe = await scene.shared(run=ref(run), share_mode=ShareMode.audit_packet, redaction_profile="public_safe")
    assert word not in str(await scene.open(safe))
    mode = ShareMode.specific_run_summary
    summary = str(await scene.open(await scene.shared(run=ref(run), share_mode=mode)))
    assert f"{word} in" not in summary
    assert f"{word} out" not in summary


@pytest.mark.parametrize("data_class", ["internal", "privileged"])
async def test_a_profile_tells_what_it_must_and_nothing_else(scene: Scene, data_class: str) -> None:
    """Shared as an open run, then looked at after all of it got its class: what is kept tells no more than that."""
    await marked.make(scene.database, "internal")
    await scene.database.run_alone("MATCH (n:Entity) SET n.kind = 'document'")  # a matter is never told
    admin = await scene.admin()
    await scene.principal("prin_admin", clearance="local_only")
    secrets = {
        profile: await scene.shared(
            run=ref(marked.RUN),
            share_mode=ShareMode.audit_packet,
            redaction_profile=profile,
            viewer=admin,
            **({"acknowledge_full_access": True, "expires_at": "2027-01-01T00:00:00Z"} if "full" in profile else {}),
        )
        for profile in ShareProfile
    }
    await scene.database.run_alone(
        "MERGE (a:Audience {audience: $class + '|'}) SET a.data_class = $class, a.rank = 2, a.matter_ids = [] WITH a "
        "MATCH (n:Record) WHERE NOT n:ShareCapsule AND NOT n:ShareEvent "
        "SET n.data_class = $class, n.audience = $class + '|'",
        **{"class": data_class},
    )
    for profile, secret in secrets.items():
        allowed = SHOWN[data_class][profile]
        if not allowed:
            continue
        manifest = said(await scene.open(secret, Reader(str(profile))))
        expected = marked.marks(allowed, TABLE) | marked.link_marks(allowed)
        expected -= set() if S.prompt in allowed else {"mark:Snapshot.prompt_hash:"}
        assert {*MARK.findall(manifest)} - expected == set(), profile
        missing = expected - {*MARK.findall(manifest)}
        assert {one for one in missing if not one.startswith(("mark:Checkpoint.", "mark:NativeEvent."))} == set()
        for name in ("audience", "matter_ids", "legal_hold", "reporters", "stamps", "own_data_class", "secret_hash"):
            assert f'"{name}"' not in manifest
    assert REGISTRY.types["Run"].fields
