"""Assessments: what rules with names and versions find about a run, a task or all tasks, with what shows it."""
