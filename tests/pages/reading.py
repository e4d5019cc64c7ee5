"""A page read as a browser reads it: its elements, forms and buttons, and what would be dangerous in them."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

Attributes = dict[str, str]

_STRUCTURE = "html head meta title link script body header nav main footer section aside div details summary noscript"
_TEXT = "a b p ins del mark span code kbd time h1 h2 h3 ul ol li dl dt dd br table caption thead tbody tr th td"
_CONTROLS = "form label input button fieldset legend select option textarea"
_PICTURES = "svg g rect circle path text defs marker"
OWN_TAGS = frozenset(f"{_STRUCTURE} {_TEXT} {_CONTROLS} {_PICTURES}".split())
"""All that templates of ours say."""


@dataclass
class Form:
    attributes: Attributes
    fields: Attributes = field(default_factory=dict[str, str])


class Reading(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, Attributes]] = []
        self.forms: list[Form] = []
        self.buttons: list[tuple[Attributes, Form | None]] = []
        self._form: Form | None = None
        self._select = ""
        """The name of the list of choices that is open."""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        self.elements.append((tag, attributes))
        if tag == "form":
            self._form = Form(attributes)
            self.forms.append(self._form)
        elif tag in ("input", "textarea") and self._form and "name" in attributes:
            self._form.fields.setdefault(attributes["name"], attributes.get("value", ""))
        elif tag == "select":
            self._select = attributes.get("name", "")
        elif tag == "option" and self._form and self._select:
            self._choose(self._form.fields, attributes)
        elif tag == "button":
            self.buttons.append((attributes, self._form))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = ""

    def _choose(self, fields: Attributes, option: Attributes) -> None:
        """What is sent is the choice that is selected, or else the first."""
        value = option.get("value", "")
        fields.setdefault(self._select, value)
        if "selected" in option:
            fields[self._select] = value

    @property
    def posts(self) -> list[Form]:
        return [one for one in self.forms if one.attributes.get("method") == "post"]

    def links(self) -> Iterator[str]:
        return (one["href"] for tag, one in self.elements if tag == "a" and "href" in one)

    def dangers(self) -> list[str]:
        """What a policy without inline scripts and styles forbids, and what no template of ours says."""
        found = [tag for tag, _ in self.elements if tag not in OWN_TAGS]
        for tag, attributes in self.elements:
            found += [name for name in attributes if name.startswith("on") or name == "style"]
            found += [one for name in ("href", "src", "action") if not _is_ours(one := attributes.get(name, "/"))]
            found += [tag] if tag == "script" and not attributes.get("src", "").startswith("/pages/files/") else []
        return found


def _is_ours(address: str) -> bool:
    return address == "data:," or (address[:1] in ("/", "#") and not address.startswith("//"))
