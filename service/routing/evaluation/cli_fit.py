"""The weights of both fits: `python -m service.routing.evaluation.cli_fit FILE [CHAT] [--write]`.

Fitted on every second line, reported on the others. `CHAT` are ordinary requests that want no task. What speaks for a
task keeps a weight of at least zero, what speaks against one of at most zero.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from service.routing.decision.fits import AGAINST, BOTH, EXPLICITLY, FILE, FOR, NAME, TEMPLATE, VERSION, Line, features
from service.routing.decision.read import TaskModes
from service.routing.evaluation.figures import calibration_error
from service.routing.evaluation.rows import DIRECT, TASKS, Labelled, read
from service.routing.evaluation.trial import judge_of
from service.runtime.alone import opened_alone
from service.seeding import seed_if_empty
from service.settings import load_settings

Matrix = NDArray[np.float64]
RIDGE = 0.004
STEPS = 20_000
RATE = 0.5
LEVELS = {"high": 0.75, "medium": 0.5, "low": 0.15}
"""Rules, not fits: likelier than not for a quiet button, three to one for a suggestion."""

UNSEEN = {
    "accepted_before": 7.0,
    "refused_before": -7.0,
    "directive": 6.0,
    "directive_against": -7.0,
    "watch_stream": 6.5,
}
"""Rules, for no labelled requests have these: what was taught, accepted or refused outweighs what is usual."""

NAMES = (*(one.value for one in (*FOR, *AGAINST)), EXPLICITLY, TEMPLATE, BOTH)
_UP = frozenset({*(one.value for one in FOR), EXPLICITLY, TEMPLATE, BOTH})


def line(rows: Sequence[Mapping[str, float]], right: Sequence[bool], *, for_tasks: bool) -> Line:
    """Gradient descent on the likelihood with a ridge, held to the signs after every step."""
    x: Matrix = np.array([[row[name] for name in NAMES] for row in rows])
    y: Matrix = np.array(right, dtype=np.float64)
    signs = np.array([1.0 if (name in _UP) == for_tasks else -1.0 for name in NAMES])
    weights, intercept = np.zeros(len(NAMES)), 0.0
    for _ in range(STEPS):
        gap = 1 / (1 + np.exp(-(x @ weights + intercept))) - y
        weights -= RATE * (x.T @ gap / len(y) + RIDGE * weights / len(NAMES))
        weights = np.where(weights * signs < 0, 0.0, weights)
        intercept -= RATE * float(gap.mean())
    found = {name: round(float(value), 3) for name, value in zip(NAMES, weights, strict=True) if abs(value) > 1e-3}
    unseen = {name: value if for_tasks else -value for name, value in UNSEEN.items()}
    return Line(round(intercept, 3), found | unseen)


async def _gathered(rows: Sequence[Labelled]) -> list[dict[str, float]]:
    async with opened_alone(load_settings(), typer.echo) as services:
        await seed_if_empty(services.ground.database, typer.echo, services)
        viewer, modes = await judge_of(services), services[TaskModes]
        return [features(await modes.grounds(viewer, one.request)) for one in rows]


def _reported(name: str, fitted: Line, rows: Sequence[Mapping[str, float]], right: Sequence[bool]) -> None:
    told = [(fitted.at(row), one) for row, one in zip(rows, right, strict=True)]
    hits = sum((fit >= LEVELS["medium"]) == one for fit, one in told) / len(told)
    typer.echo(f"{name}: {hits:.1%} on the right side of a half, calibration error {calibration_error(told):.3f}")


def main(
    dataset: Annotated[Path, typer.Argument(help="Labelled requests, as JSON lines.")],
    chat: Annotated[Path | None, typer.Argument(help="Ordinary requests, as JSON lines with text.")] = None,
    write: Annotated[bool, typer.Option(help="Write the weights that routing uses.")] = False,
) -> None:
    rows = [*read(dataset), *(read(chat) if chat else ())]
    known = asyncio.run(_gathered(rows))
    half = [at % 2 == 0 for at in range(len(rows))]
    kept: dict[str, Any] = {"ranker": NAME, "version": VERSION, "levels": LEVELS}
    for name, wanted, for_tasks in (("task", TASKS, True), ("direct", DIRECT, False)):
        right = [one.modes[0] in wanted if for_tasks else bool({*one.modes} & wanted) for one in rows]
        fitted = line(*_taken(known, right, half), for_tasks=for_tasks)
        kept[name] = {"intercept": fitted.intercept, "weights": dict(sorted(fitted.weights.items()))}
        _reported(f"{name}, fitted", fitted, *_taken(known, right, half))
        _reported(f"{name}, others", fitted, *_taken(known, right, [not one for one in half]))
    if write:
        FILE.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


def _taken(
    rows: Sequence[dict[str, float]], right: Sequence[bool], which: Sequence[bool]
) -> tuple[list[dict[str, float]], list[bool]]:
    return [row for row, one in zip(rows, which, strict=True) if one], [
        row for row, one in zip(right, which, strict=True) if one
    ]


if __name__ == "__main__":
    typer.run(main)
