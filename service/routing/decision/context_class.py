"""The class of context that feedback is counted by. The caller's own, else one made from what the request is about."""

from collections.abc import Sequence

GENERAL = "general"


def context_class(
    task_type: str | None, archetypes: Sequence[str] = (), verb: str | None = None, domains: Sequence[str] = ()
) -> str:
    """`complaint_evaluation/review/legal`: type of task, else kind of document; class of the verb; domain."""
    about = task_type or next(iter(archetypes), None) or GENERAL
    parts = (about, verb or GENERAL, next(iter(domains), None) or GENERAL)
    return "/".join(_plain(one) for one in parts)


def _plain(word: str) -> str:
    return "_".join(word.lower().split()).replace("/", "_")
