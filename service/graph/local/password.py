"""The generated password, in a file that only its owner can read."""

import os
import secrets

from service.graph.local.errors import PasswordLost
from service.graph.local.home import Home

USER = "neo4j"


def ensure_password(home: Home) -> str:
    if not home.password_file.exists():
        if home.has_data:
            raise PasswordLost(home.password_file)
        _write(home, secrets.token_hex(16))
    return read_password(home)


def read_password(home: Home) -> str:
    try:
        return home.password_file.read_text().strip()
    except FileNotFoundError:
        raise PasswordLost(home.password_file) from None


def _write(home: Home, password: str) -> None:
    part = home.password_file.with_suffix(".part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
        file.write(password + "\n")
    part.replace(home.password_file)
