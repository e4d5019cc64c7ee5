"""Proposals: changes of records, step by step, that wait for a replay and somebody's approval."""
