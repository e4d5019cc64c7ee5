"""The changes in the order in which somebody reads a blueprint."""

from service.web.pages.engine.page import Asked, Data

PARTS = (
    ("Steps", "stepIntentChanges"),
    ("What goes in", "inputContractChanges"),
    ("What comes out", "outputContractChanges"),
    ("Judged by", "criteriaChanges"),
    ("Where a person looks", "reviewPointsChanges"),
    ("What it does to the outside world", "sideEffectsChanges"),
)


def settle(variables: Data) -> Data:
    """Without another one it is compared with a version of itself."""
    return {} if "candidate" in variables else {"candidate": variables["record"]}


def view(data: Data, _asked: Asked) -> Data:
    diff = data["blueprintDiff"]
    links = [*diff["capabilityNeedChanges"], *diff["goalChanges"]]
    parts = [{"title": title, "changes": diff[name]} for title, name in PARTS if diff[name]]
    some = parts or links or diff["changedFields"] or diff["artifactPolicyChanges"]
    return {"diff": diff, "parts": parts, "links": links, "same": not some}
