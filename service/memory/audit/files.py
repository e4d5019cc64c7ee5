"""Exports on disk: a folder each, below the service's home, for its owner alone."""

import os
import shutil
import time
from pathlib import Path

from service.memory.audit.bundle import zipped
from service.memory.audit.errors import FilesMissing, NotWritten

FOLDER = "audits"
OLD_S = 600.0
"""By then whoever writes an export has committed it and put it to its place, or is no more."""


class Shelf:
    """Where exports are kept. One is written beside its place first, and put there when its record is committed."""

    def __init__(self, home: Path) -> None:
        self._folder = home.expanduser() / FOLDER

    def stage(self, export_id: str, files: dict[str, bytes], *, as_zip: bool) -> "Staged":
        staged = Staged(self._folder, export_id, as_zip)
        staged.write(files)
        return staged

    def files(self, export_id: str) -> dict[str, bytes]:
        folder = self._folder / export_id
        if not folder.is_dir():
            raise FilesMissing(export_id)
        return {one.name: one.read_bytes() for one in sorted(folder.iterdir())}

    def listed(self) -> set[str]:
        """The exports of which something is there, finished or not."""
        names = [one.name for one in self._folder.iterdir()] if self._folder.is_dir() else []
        return {one.removeprefix(".").removesuffix(".part").removesuffix(".zip") for one in names}

    def finish(self, export_id: str) -> None:
        """Put what was written to its place, if whoever wrote it did not live to do so."""
        part = self._folder / f".{export_id}.part"
        if part.is_dir() and time.time() - part.stat().st_mtime > OLD_S:
            Staged(self._folder, export_id, as_zip=False).publish()

    def forget(self, export_id: str) -> None:
        """Remove all that an export wrote, finished or not."""
        for folder in (self._folder / export_id, self._folder / f".{export_id}.part"):
            shutil.rmtree(folder, ignore_errors=True)
        (self._folder / f"{export_id}.zip").unlink(missing_ok=True)


class Staged:
    def __init__(self, folder: Path, export_id: str, as_zip: bool) -> None:
        self._final = folder / export_id
        self._part = folder / f".{export_id}.part"
        self._zip = folder / f"{export_id}.zip" if as_zip else None

    def write(self, files: dict[str, bytes]) -> None:
        try:
            self._final.parent.mkdir(parents=True, exist_ok=True)
            self._final.parent.chmod(0o700)
            write_folder(self._part, files)
        except OSError as error:
            self.discard()
            raise NotWritten(error.strerror or str(error)) from error

    def publish(self) -> None:
        self._part.rename(self._final)
        if self._zip is not None:
            files = {one.name: one.read_bytes() for one in self._final.iterdir()}
            write_file(self._zip, zipped(files))

    def discard(self) -> None:
        shutil.rmtree(self._part, ignore_errors=True)


def write_folder(folder: Path, files: dict[str, bytes]) -> None:
    folder.mkdir(mode=0o700, parents=True)
    for name, data in files.items():
        write_file(folder / name, data)


def write_file(file: Path, data: bytes) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as handle:
        handle.write(data)
