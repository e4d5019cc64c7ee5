"""Words of datasets, as the specification spells them."""

from enum import StrEnum


class DatasetSource(StrEnum):
    """Where the cases of a dataset come from."""

    manual = "manual"
    production_trace = "production_trace"
    experiment = "experiment"
    judge_failure = "judge_failure"
    user_label = "user_label"
    task_creation_eval = "task_creation_eval"
    task_assessment = "task_assessment"


class ScorerKind(StrEnum):
    """Who gives a score. Nothing here gives one itself."""

    judge = "judge"
    human = "human"
