"""The client of Tasklore, under the name that programs import it by."""

from service.client import *  # noqa: F403 - all of it, and only what it names
from service.client import __all__ as __all__
