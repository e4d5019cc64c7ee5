"""Assets and requests for matching, without a database and without a model."""

from datetime import UTC, datetime
from typing import Any

import pytest

from service.matching import Asset, Calibration, Likeness, Request, calibration_for, understood

NOW = datetime(2026, 11, 16, tzinfo=UTC)
MODEL = "bge_small_en_v1_5_q1"

CLOSE = Likeness(cosine=0.9, nearest=0.92, lexical=0.7, members=11, cohesion=0.75)
MIDDLING = Likeness(cosine=0.78, nearest=0.76, lexical=0.2, members=11, cohesion=0.75)
FAR = Likeness(cosine=0.5, nearest=0.5, lexical=0.0, members=11, cohesion=0.75)


def ask(text: str = "audit this complaint", **given: Any) -> Request:
    return Request(said=understood(text), now=NOW, **given)


def asset(id: str = "tpl_1", likeness: Likeness = CLOSE, **given: Any) -> Asset:
    named: dict[str, Any] = {"kind": "Template", "name": id} | given
    return Asset(id=id, likeness=likeness, **named)


@pytest.fixture(scope="session")
def fitted() -> Calibration:
    return calibration_for(MODEL)
