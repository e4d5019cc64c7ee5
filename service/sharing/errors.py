"""Why something about a share is refused."""

from collections.abc import Iterable

from service.errors import TaskloreError

DEFERRED = "warning.shared_task_feature_deferred_doc50"


class ShareGone(TaskloreError):
    """One answer for a link that is unknown, revoked, expired, of others, or of what its sender lost."""

    code = "share_not_found"

    def __init__(self) -> None:
        super().__init__(
            "There is no share with this link, or not for you.",
            field="secret",
            remedy="Check that the link is whole; sign in if it was meant for you by name; or ask for another.",
        )


class ShareRateLimited(TaskloreError):
    code = "rate_limited"

    def __init__(self, per_second: float, seconds: float) -> None:
        super().__init__(
            f"Links of shares may be tried {per_second:g} times a second from one address.",
            remedy="Wait for the time in `retry_after` and try again.",
            facts={"limit": per_second, "retry_after": round(seconds, 3)},
        )
        self.seconds = seconds


class SharePolicyMissing(TaskloreError):
    code = "validation.task_share_capsule_policy_missing"

    def __init__(self, why: str, missing: Iterable[str]) -> None:
        fields = [*missing]
        super().__init__(
            f"{why} needs {', '.join(fields)} to be said.",
            field=fields[0],
            remedy="Say each of them explicitly: what is not said is not granted.",
            facts={"missing": fields},
        )


class ShareNeedsPerson(TaskloreError):
    code = "approval_required"

    def __init__(self) -> None:
        super().__init__(
            "Only a person shares, copies, comments or proposes by a link: this key is a machine's.",
            remedy="Have a person do it, with a key of their own.",
        )


class ShareOfAnother(TaskloreError):
    code = "not_allowed"

    def __init__(self) -> None:
        super().__init__(
            "A share is closed by whoever made it, or by an administrator.",
            field="share",
            remedy="Ask its sender, or use a key with the scope admin.",
        )


class CopyNeedsMatter(TaskloreError):
    code = "copy_needs_matter"

    def __init__(self) -> None:
        super().__init__(
            "What this share tells is of a matter that you are no member of, so a copy has to be of one of yours.",
            field="matters",
            remedy="Name a matter of yours in `matters`: the copy is as closed as that.",
        )


class ShareNeedsAdmin(TaskloreError):
    code = "not_allowed"

    def __init__(self) -> None:
        super().__init__(
            "full_access_warned tells of prompts and places: that needs a key with the scope admin.",
            field="redaction_profile",
            remedy="Use trusted_internal, or have an administrator share it.",
        )


class ShareLocalOnly(TaskloreError):
    code = "local_only_not_exported"

    def __init__(self, field: str) -> None:
        super().__init__(
            "It is of the class local_only, which leaves this machine in no way.",
            field=field,
            remedy="Share something else; or have its class changed first, by whoever may.",
        )


class ShareTellsNothing(TaskloreError):
    code = "share_tells_nothing"

    def __init__(self, profile: str) -> None:
        super().__init__(
            f"{profile} tells nothing of this.",
            field="redaction_profile",
            remedy="Use a profile that tells more, or share something less sensitive.",
        )


class ShareTooLarge(TaskloreError):
    code = "share_too_large"

    def __init__(self, what: str, limit: int, found: int) -> None:
        super().__init__(
            f"The share would keep {found:,} {what}, and may keep {limit:,}.",
            field="share_mode",
            remedy="Share a summary or single artifacts; or export an audit, which is kept in files.",
            facts={"limit": limit, "found": found},
        )


class RecipientUnknown(TaskloreError):
    code = "not_found"

    def __init__(self, recipient: str) -> None:
        super().__init__(
            f"There is no principal {recipient!r}.",
            field="recipients",
            remedy="Name principals by id or name; leave recipients out for somebody who has none.",
        )


class ShareRecordMissing(TaskloreError):
    code = "not_found"

    def __init__(self, field: str, wanted: str) -> None:
        super().__init__(
            f"The share tells of no {field} {wanted!r}.", field=field, remedy="Open the share as a whole first."
        )


class NotPermitted(TaskloreError):
    """What the share does not permit."""

    code = "share_not_permitted"

    def __init__(self, action: str, permission: str) -> None:
        super().__init__(
            f"The share permits {permission}, which is not to {action}.",
            field="secret",
            remedy="Ask its sender for a share that permits it.",
        )


class Deferred(TaskloreError):
    """What the share permits, but nothing here carries out yet."""

    code = DEFERRED

    def __init__(self, action: str, permission: str) -> None:
        super().__init__(
            f"The share permits {permission}, but to {action} under it is not possible yet.",
            field="secret",
            remedy="Ask its sender for a share that permits view_only, comment_only, copy_task or edit_proposal_only.",
        )


class CopyTellsTooLittle(TaskloreError):
    code = "share_tells_too_little"

    def __init__(self, what: str) -> None:
        super().__init__(
            f"There is no task to be made of what the share tells: it lacks {what}.",
            field="secret",
            remedy="Ask its sender for a share of the task's design with the profile external_professional or more.",
        )


class ProposalNotTold(TaskloreError):
    code = "invalid_input"

    def __init__(self, number: int, problem: str) -> None:
        super().__init__(
            f"Step {number}: {problem}.",
            field="steps",
            remedy="Under a share, propose values of fields that it tells of the task, or a patch of its graph.",
        )


class ProposalKnown(TaskloreError):
    code = "proposal_exists"

    def __init__(self) -> None:
        super().__init__(
            "The same has been proposed before.", field="steps", remedy="Ask the sender what became of it."
        )
