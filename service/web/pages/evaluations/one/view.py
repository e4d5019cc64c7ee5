"""Judges and people apart: by each a table of groups and variants, and one of cases and variants."""

from collections.abc import Iterable, Sequence

from service.web.pages.engine.page import Asked, Data

KINDS = ("judge", "human")


def view(data: Data, _asked: Asked) -> Data:
    results, node = data["evalResults"], data["node"]
    variants = list(dict.fromkeys(one["candidate"] for one in results["candidates"]))
    cases: list[Data] = sorted(node.get("hasExample", {"nodes": []})["nodes"], key=lambda one: one["position"])
    rows = [{"name": "All cases", "whole": True, "candidates": results["candidates"]}]
    rows += [_named(one) for one in results["slices"]]
    return {
        "variants": variants,
        "tables": [_table(kind, rows, variants) for kind in KINDS if _given(kind, results["candidates"])],
        "cases": [one | {"given": [_of_case(one, variant) for variant in variants]} for one in cases],
    }


def _named(one: Data) -> Data:
    return one | {"name": one["slice"] or "in no group", "whole": False}


def _given(kind: str, candidates: Sequence[Data]) -> bool:
    return any(one["scorerKind"] == kind for one in candidates)


def _table(kind: str, rows: Sequence[Data], variants: Sequence[str]) -> Data:
    return {"kind": kind, "rows": [_row(one, kind, variants) for one in rows if _given(kind, one["candidates"])]}


def _row(row: Data, kind: str, variants: Sequence[str]) -> Data:
    own = {one["candidate"]: one for one in row["candidates"] if one["scorerKind"] == kind}
    told = [own.get(one) for one in variants]
    best = max((one["meanScore"] or 0 for one in told if one), default=0)
    examples = max((one["examples"] for one in told if one), default=0)
    return {"name": row["name"], "whole": row["whole"], "told": told, "best": best, "examples": examples}


def _of_case(case: Data, variant: str) -> list[str]:
    tries: Iterable[Data] = (one for one in case["tries"]["nodes"] if one["candidate"] == variant)
    return [_said(score) for one in tries for score in one["scores"]["nodes"]]


def _said(score: Data) -> str:
    given = score["verdict"] or "" if score["score"] is None else f"{score['score']:.0%}"
    return f"{given} ({score['scorer']})"
