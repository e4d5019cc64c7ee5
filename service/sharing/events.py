"""What is kept of everything that is done under a share."""

from graph_schema.sharing.words import ShareEventKind
from service.commands import State, Work
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
