"""Reporting: what executors tell of their runs, in any order, folded into records."""
