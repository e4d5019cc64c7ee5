"""What is said beside an answer, and refuses nothing."""

from enum import StrEnum


class LibraryWarning(StrEnum):
    """The specification's warnings about assets."""

    blueprint_goal_unlinked = "warning.blueprint_goal_unlinked"
    task_design_case_candidate = "warning.task_design_case_candidate"
    template_match_available_but_new_graph_requested = "warning.template_match_available_but_new_graph_requested"
    task_segment_possible_duplicate = "warning.task_segment_possible_duplicate"
