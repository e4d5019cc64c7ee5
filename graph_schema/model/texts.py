"""Which characters a text may have: all but those that control a terminal, a log or a file, and say nothing.

Tabs and line ends may stay, also those of Windows.
"""

import re

_CONTROLS = r"\x00-\x08\x0b\x0c\x0e-\x1f\x7f"
PLAIN = rf"^[^{_CONTROLS}]*$"
"""For pydantic, whose patterns end where the text ends."""

REMEDY = "Leave such characters out. Tabs and line ends may stay."

_CONTROL = re.compile(f"[{_CONTROLS}]")


def control_in(text: str) -> str | None:
    """The first character that a text may not have, as `U+0000`."""
    found = _CONTROL.search(text)
    return f"U+{ord(found.group()):04X}" if found else None
