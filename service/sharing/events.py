"""What is kept of everything that is done under a share."""

from graph_schema.learning.proposal_words import ProposalState
from graph_schema.sharing.words import ShareEventKind
from service.commands import State, Work
from service.sharing import cypher
from service.sharing.permissions import RULES


def note(
    work: Work,
    share: State,
    kind: ShareEventKind,
    actor: str | None,
    *,
    target: str | None = None,
    reason: str | None = None,
) -> State:
    """As closed as the share. `actor`: None for somebody who has the link alone."""
    values = {
        "name": kind.value,
        "data_class": "public",
        "share_id": share.id,
        "event_kind": kind.value,
        "actor_id": actor,
        "target_ref": target,
        "reason_code": reason,
        "rules": RULES,
        "happened_at": work.at,
    }
    told = {name: one for name, one in values.items() if one is not None}
    made = work.create(work.registry.types["ShareEvent"], told, [share])
    work.link(made, "HAPPENED_UNDER", share)
    return made


async def note_applied(work: Work, before: State | None, after: State) -> None:
    """That what was proposed under a share holds now is told under it, like the proposal."""
    if after.type.label != "Proposal" or before is None:
        return
    applied = ProposalState.applied.value
    if after.properties["proposal_state"] != applied or before.properties["proposal_state"] == applied:
        return
    proposed = ShareEventKind.graph_patch_proposed.value
    for row in await work.transaction.run(cypher.PROPOSED_UNDER, proposal=after.id, kind=proposed):
        told = {name: one for name, one in row["properties"].items() if one is not None}
        share = State(work.registry.types["ShareCapsule"], tuple(row["labels"]), told)
        note(work, share, ShareEventKind.graph_patch_applied, work.viewer.principal_id, target=after.id)
