"""From a page's Markdown to HTML: tables, anchors, links between pages, and code in colours, by classes alone."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from posixpath import dirname, normpath
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token
from pygments import highlight
from pygments.formatters.html import HtmlFormatter
from pygments.lexers import get_lexer_by_name  # pyright: ignore[reportUnknownVariableType]
from pygments.util import ClassNotFound

from service.web.documents.library import README, SCHEMA, files

_COMMENT = re.compile(r"^<!--.*?-->\n", re.MULTILINE | re.DOTALL)
_NOT_IN_A_SLUG = re.compile(r"[^\w\- ]")
_ELSEWHERE = re.compile(r"^(?:[a-z]+:|//|#)")
_OUTSIDE = {f"../resolvers/{SCHEMA}": SCHEMA, "../README.md": README}
_PLAIN = HtmlFormatter[str](nowrap=True)

Rule = Callable[[Token, str], str]
"""How a token is told, on the page of that name."""


@dataclass(frozen=True)
class Heading:
    level: int
    text: str
    anchor: str


def tokens_of(text: str) -> list[Token]:
    """With an anchor on each heading."""
    tokens = _markdown().parse(_COMMENT.sub("", text))
    seen: dict[str, int] = {}
    for at, token in enumerate(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(tokens[at + 1].content, seen))
    return tokens


def headings(tokens: Sequence[Token]) -> list[Heading]:
    return [
        Heading(int(token.tag[1]), tokens[at + 1].content.replace("`", ""), str(token.attrs["id"]))
        for at, token in enumerate(tokens)
        if token.type == "heading_open"
    ]


def render(name: str, text: str) -> str:
    """`name` is the page's own, from which its links go out."""
    markdown = _markdown()
    return markdown.renderer.render(tokens_of(text), markdown.options, {"name": name})


def target_of(name: str, link: str) -> str | None:
    """The address behind a link of a page: a file that is served, or None where it leads out of the documentation."""
    if _ELSEWHERE.match(link):
        return link
    path, mark, anchor = link.partition("#")
    found = _inside(name, path)
    return f"/docs/{found}{mark}{anchor}" if found is not None else None


def _inside(name: str, path: str) -> str | None:
    within = normpath(f"{dirname(name)}/{path}".lstrip("/"))
    wanted = within.removeprefix("docs/") if name == README else _OUTSIDE.get(within, within)
    if any(one.startswith(f"{wanted}/") for one in files()):
        return "#decisions" if wanted == "adr" else None
    return wanted if wanted in files() else None


@cache
def _markdown() -> MarkdownIt:
    """No style attributes, which the pages' policy forbids, and links that lead to what is served."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
    for name, rule in _RULES.items():
        markdown.add_render_rule(name, _bound(rule))
    return markdown


def _bound(rule: Rule) -> Callable[..., str]:
    """As the renderer calls it."""

    def told(_renderer: Any, tokens: Sequence[Token], at: int, _options: Any, env: Any) -> str:
        return rule(tokens[at], env.get("name", README))

    return told


def _fence(token: Token, _name: str) -> str:
    language, _, mark = token.info.strip().partition(" ")
    label = f' data-language="{escape(language)}"' if language else ""
    caption = '<p class="caption">variables</p>' if mark.strip() == "variables" else ""
    return f"{caption}<pre{label}><code>{_coloured(token.content, language)}</code></pre>\n"


def _link(token: Token, name: str) -> str:
    target = target_of(name, str(token.attrs["href"]))
    return f'<a href="{escape(target)}">' if target else "<a>"


def _image(token: Token, name: str) -> str:
    target = escape(target_of(name, str(token.attrs["src"])) or "")
    return f'<a href="{target}"><img src="{target}" alt="{escape(token.content)}" loading="lazy"></a>'


def _aligned(token: Token) -> str:
    return ' class="number"' if "right" in str(token.attrs.get("style", "")) else ""


_RULES: dict[str, Rule] = {
    "fence": _fence,
    "code_block": lambda token, _name: f"<pre><code>{escape(token.content)}</code></pre>\n",
    "table_open": lambda _token, _name: '<div class="table" tabindex="0"><table>\n',
    "table_close": lambda _token, _name: "</table></div>\n",
    "th_open": lambda token, _name: f"<th{_aligned(token)}>",
    "td_open": lambda token, _name: f"<td{_aligned(token)}>",
    "link_open": _link,
    "image": _image,
}


def _coloured(text: str, language: str) -> str:
    try:
        lexer = get_lexer_by_name(language)
    except ClassNotFound:
        return escape(text)
    return highlight(text, lexer, _PLAIN)


def _anchor(text: str, seen: dict[str, int]) -> str:
    """As the pages' hosts make them: words in lower case, joined by hyphens, numbered where they come again."""
    slug = _NOT_IN_A_SLUG.sub("", text.strip().lower()).replace(" ", "-")
    seen[slug] = seen.get(slug, -1) + 1
    return f"{slug}-{seen[slug]}" if seen[slug] else slug
