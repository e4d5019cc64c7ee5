"""Cursors: a place in the log, written so that it tells its holder nothing and cannot be made up.

The numbers count all events, those that the reader may not see included. So a cursor is the number under a secret of
the log: sixteen bytes through four rounds of a Feistel network, which every bit of the input scrambles as a whole.
"""

import base64
import binascii
import secrets
from hashlib import blake2b

from service.events.errors import CursorInvalid

_HALF = 8
_ROUNDS = range(4)
_SALT_BITS = 32
_WRITTEN_LENGTH = 22


def new_secret() -> str:
    return secrets.token_hex(32)


class Cursors:
    """The cursors of one log. Another log, or a slip of the pen, gives none that this one can read."""

    def __init__(self, secret: str) -> None:
        self._key = bytes.fromhex(secret)

    def of(self, seq: int) -> str:
        """The cursor of the event with this number: the same every time."""
        return self._written(seq, 0)

    def of_head(self, seq: int) -> str:
        """A cursor that differs every time, so that nobody sees whether hidden events moved the head."""
        return self._written(seq, secrets.randbits(_SALT_BITS))

    def read(self, cursor: str) -> int:
        """The number that a cursor stands for."""
        left, right = _halves(cursor)
        for turn in reversed(_ROUNDS):
            left, right = right ^ self._mix(turn, left), left
        if right >> _SALT_BITS:
            raise CursorInvalid
        return left

    def _written(self, seq: int, salt: int) -> str:
        left, right = seq, salt
        for turn in _ROUNDS:
            left, right = right, left ^ self._mix(turn, right)
        block = left.to_bytes(_HALF) + right.to_bytes(_HALF)
        return base64.urlsafe_b64encode(block).decode().rstrip("=")

    def _mix(self, turn: int, half: int) -> int:
        mixed = blake2b(half.to_bytes(_HALF), digest_size=_HALF, key=self._key, salt=bytes([turn]))
        return int.from_bytes(mixed.digest())


def _halves(cursor: str) -> tuple[int, int]:
    if len(cursor) != _WRITTEN_LENGTH:
        raise CursorInvalid
    try:
        block = base64.b64decode(f"{cursor}==", altchars=b"-_", validate=True)
    except (binascii.Error, ValueError):
        raise CursorInvalid from None
    return int.from_bytes(block[:_HALF]), int.from_bytes(block[_HALF:])
