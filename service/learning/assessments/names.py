"""What assessments call what they give: the same is given once, however often something is assessed."""

from service.commands import RecordRef

SOURCE = "tasklore assessment"


def case_ref(key: str) -> RecordRef:
    return RecordRef(kind="Case", source=SOURCE, key=key)
