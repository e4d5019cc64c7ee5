"""The scene."""

from tests.sharing.scene import scene

__all__ = ["scene"]
