"""Why something about tests or promotion of prompts is refused."""

from service.errors import TaskloreError


class EvaluationCompleted(TaskloreError):
    code = "prompt_evaluation_completed"

    def __init__(self, evaluation: str) -> None:
        super().__init__(
            f"The results of {evaluation} are in.",
            field="evaluation",
            remedy="Start another test for further results.",
        )


class VariantUnknown(TaskloreError):
    code = "prompt_variant_unknown"

    def __init__(self, variant: str) -> None:
        super().__init__(
            f"{variant} is none of the candidates that are tried.",
            field="results",
            remedy="Name a candidate of the test, or nothing for the prompt as it is.",
        )


class ResultsInvalid(TaskloreError):
    code = "prompt_results_invalid"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The results cannot be taken: {problem}.",
            field="results",
            remedy="Give one result a variant: examples, the mean score from 0 to 1, and failures of what reads it.",
        )


class NotToBePromoted(TaskloreError):
    code = "prompt_not_promotable"

    def __init__(self, problem: str) -> None:
        super().__init__(
            f"The prompt is not promoted: {problem}.",
            field="evaluation",
            remedy="A prompt is promoted on a completed test that names its data and that the candidate won.",
        )
