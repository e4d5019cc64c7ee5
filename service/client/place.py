"""Where the service is, and the key to ask with: given, in the environment, or of the service of this machine."""

import os
from pathlib import Path

import platformdirs

from service.client.errors import KeyMissing

URL = "TASKLORE_URL"
KEY = "TASKLORE_KEY"
HOME = "TASKLORE_HOME"
LOCAL = "http://127.0.0.1:8000"


def address(given: str | None) -> str:
    return (given or os.environ.get(URL) or LOCAL).rstrip("/")


def key_for(given: str | None) -> str:
    """The owner's key of a local service is in its home, in a file that only they can read."""
    key = given or os.environ.get(KEY) or _owners()
    if not key:
        raise KeyMissing
    return key.strip()


def _owners() -> str | None:
    home = Path(os.environ.get(HOME) or platformdirs.user_data_dir("tasklore"))
    try:
        return (home.expanduser() / "owner.key").read_text()
    except (OSError, UnicodeDecodeError):
        return None
