"""Why a policy is refused."""

from service.errors import TaskloreError


class ConditionUnreadable(TaskloreError):
    """A condition that the language does not know. `position` counts characters from 1."""

    code = "condition_invalid"

    def __init__(self, problem: str, position: int, expected: str) -> None:
        super().__init__(
            f"condition, character {position}: {problem}; expected {expected}.",
            field="condition",
            remedy="docs/artifacts.md shows the language of conditions, with its fields.",
            facts={"position": position, "expected": expected},
        )


class PolicyContradicts(TaskloreError):
    code = "invalid_input"

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}.", field=field, remedy="docs/artifacts.md says what goes together.")


class EndpointAmbiguous(TaskloreError):
    code = "validation.artifact_policy_endpoint_ambiguous"

    def __init__(self, level: str, endpoints: str) -> None:
        super().__init__(
            f"The level {level} is a route, and it is not said where it leads.",
            field="endpoint",
            remedy=f"Name where the artifact ends up once it was processed: {endpoints}.",
        )
