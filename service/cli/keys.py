"""The key that a command acts with."""

from pathlib import Path

from service.access.errors import Unauthenticated
from service.cli.state import State
from service.principals.owner import owner_key


def key_of(state: State, key_file: Path | None) -> str:
    """The key in a file; without one, that of TASKLORE_KEY; without that, the owner's key of this home."""
    told = state.settings.key
    try:
        if key_file:
            key = key_file.read_text().strip()
        else:
            key = told.get_secret_value() if told else owner_key(state.settings.home)
    except (OSError, UnicodeDecodeError) as error:
        raise Unauthenticated("unreadable key file") from error
    if not key:
        raise Unauthenticated("missing")
    return key
