"""Kept matches."""

from graph_schema.matching.records import MatchDecision

RECORDS = (MatchDecision,)

__all__ = ["RECORDS"]
