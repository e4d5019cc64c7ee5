"""Put another database in the place of the present one, or leave all as it was, whenever it is interrupted."""

import json
import shutil
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from service.graph.local.admin import DATABASE
from service.graph.local.home import Home


@contextmanager
def replacing(home: Home) -> Generator[None]:
    """The block writes the new database. When it fails, the old one is moved back."""
    _note(home).write_text(json.dumps([str(place) for place in _places(home) if place.exists()]))
    try:
        for place in _places(home):
            if place.exists():
                place.rename(_aside(place))
        yield
    except BaseException:
        undo_interrupted(home)
        raise
    _note(home).unlink()  # from here on the new one counts
    _drop_old(home)


def undo_interrupted(home: Home) -> None:
    """Move back what a process that was killed while replacing had set aside."""
    if not _note(home).exists():
        _drop_old(home)
        return
    existed: list[str] = json.loads(_note(home).read_text() or "[]")
    for place in _places(home):
        if _aside(place).exists():
            shutil.rmtree(place, ignore_errors=True)
            _aside(place).rename(place)
        elif str(place) not in existed:
            shutil.rmtree(place, ignore_errors=True)
    _note(home).unlink()


def _drop_old(home: Home) -> None:
    for place in _places(home):
        shutil.rmtree(_aside(place), ignore_errors=True)


def _places(home: Home) -> list[Path]:
    return [home.data / kind / DATABASE for kind in ("databases", "transactions")]


def _aside(place: Path) -> Path:
    return place.with_name(f".{place.name}.replaced")


def _note(home: Home) -> Path:
    return home.data / "replacing.json"
