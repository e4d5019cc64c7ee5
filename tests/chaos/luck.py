"""Chance that is the same for the same seed."""

import random

Luck = random.Random


def luck_of(*names: object) -> Luck:
    return random.Random(" ".join(map(str, names)))  # noqa: S311 - repeatable on purpose, and keeps no secret
