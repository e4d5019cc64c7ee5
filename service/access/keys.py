"""The text of a key. It exists in the caller's hands alone; the graph has its hash and its last four characters."""

import hashlib
import re
import secrets
from enum import StrEnum

PREFIX = "tl_"
RANDOM_BYTES = 32
HINT_LENGTH = 4

_SHAPE = re.compile(r"tl_[A-Za-z0-9_-]{43}")


class KeyPurpose(StrEnum):
    """What a key was made for."""

    api = "api"
    session = "session"
    sign_in = "sign_in"


def new_key() -> str:
    return PREFIX + secrets.token_urlsafe(RANDOM_BYTES)


def is_key(text: str) -> bool:
    """Whether it has the shape of a key; what has not is refused without asking the database."""
    return _SHAPE.fullmatch(text) is not None


def hash_of(key: str) -> str:
    """256 random bits need no salt and no slow hash: they cannot be guessed, listed or found in a table."""
    return hashlib.sha256(key.encode()).hexdigest()


def hint_of(key: str) -> str:
    return key[-HINT_LENGTH:]
