"""The secret of a share's link. It is in its recipients' hands alone; the graph has its hash."""

import re
import secrets

PREFIX = "tls_"
_RANDOM_BYTES = 32
_SHAPE = re.compile(r"tls_[A-Za-z0-9_-]{43}")


def new_secret() -> str:
    return PREFIX + secrets.token_urlsafe(_RANDOM_BYTES)


def is_secret(text: str) -> bool:
    """Whether it has the shape of one; what has not is refused without asking the database."""
    return _SHAPE.fullmatch(text) is not None
