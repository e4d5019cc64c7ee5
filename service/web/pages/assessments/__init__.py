"""Assessments of runs, tasks and all of them."""
