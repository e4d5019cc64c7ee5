"""Names of files as people read them: `Halvorsen_Deposition_v2.docx` is "Halvorsen Deposition", version 2.

Words are told apart at separators, at capitals inside a word and before numbers: a full-text index takes
`Deposition_v2` and `memo.pdf` for one word each. What only looks like a file (`GitHub`, `node.js`) is left as it is.
"""

import re
from functools import lru_cache

_KNOWN = """
bak bmp csv doc docm docx dot dotx eml epub gif gz heic htm html ics ipynb jpeg jpg json jsonl log m4a md mov mp3 mp4
msg odp ods odt parquet pdf png ppt pptm pptx ps rtf svg tar tex tif tiff tsv txt vcf vsdx wav webp wpd xls xlsb xlsm
xlsx xml yaml yml zip
"""
EXTENSIONS = frozenset(_KNOWN.split())
_EXTENSION = re.compile(r"^(?P<rest>.*\w\)?)\.(?P<extension>[A-Za-z][A-Za-z0-9]{1,6})$", re.DOTALL)
_PIECE = re.compile(
    r"(?<![^\W_])(?i:v|ver|version|rev)[ ._-]?(?P<number>\d+(?:\.\d+)*)(?![^\W_])|\((?P<copy>\d+)\)|(?P<word>[^\W_]+)"
)
_JOINED = re.compile(r"(?<=[^\W_])_+(?=[^\W_])")
_INNER = re.compile(r"(?<=[a-zß-ÿ0-9])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ])")
_NUMBER = re.compile(r"(?<=[^\W\d_]{3})(?=\d)")
_HUMPS = 2
"""So many capitals inside a word make it several words, also where nothing else says that it is a file."""


def title(name: str) -> str | None:
    """What a file is called without its extension and version; None where the name is no file's."""
    found = _read(name, is_file=False)
    return found[1] or None if found else None


def apart(name: str, *, is_file: bool = False) -> str | None:
    """The words of a file's name, each by itself; None where the name is no file's.

    `is_file`: the name is known to be a file's, so one capital inside a word is enough.
    """
    found = _read(name, is_file=is_file)
    return found[0] or None if found else None


@lru_cache(maxsize=16_384)
def _read(name: str, *, is_file: bool) -> tuple[str, str] | None:
    matched = _EXTENSION.match(name.strip())
    known = matched is not None and matched["extension"].lower() in EXTENSIONS
    rest, extension = (matched["rest"], matched["extension"]) if matched and known else (name.strip(), "")
    humps = max((len(_INNER.findall(word)) for word in rest.split()), default=0)
    if not known and not _JOINED.search(rest) and humps < (1 if is_file else _HUMPS):
        return None
    pieces = list(_PIECE.finditer(_INNER.sub(" ", rest)))
    words = [_numbered(one["word"]) for one in pieces if one["word"]]
    return " ".join([*map(_piece, pieces), *([extension] if extension else [])]), " ".join(words)


def _piece(one: re.Match[str]) -> str:
    number = one["number"]
    return f"v{number} version {number}" if number else one["copy"] or _numbered(one["word"])


def _numbered(word: str) -> str:
    """`Exhibit12` as `Exhibit 12`. What is short stays together: `Q3`, `v2`."""
    return _NUMBER.sub(" ", word)
