"""Why a recommendation is not decided on."""

from service.errors import TaskloreError


class RecommendationSettled(TaskloreError):
    code = "recommendation_settled"

    def __init__(self, state: str) -> None:
        super().__init__(
            f"The recommendation is {state} already.",
            field="recommendation",
            remedy="Evaluate the tools again (evaluateTools): what still holds is recommended anew.",
        )
