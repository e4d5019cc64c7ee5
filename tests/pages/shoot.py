"""Takes the pictures of pages that README and docs show, or of every page, to look at them all.

tasklore seed && tasklore serve &
python -m tests.pages.shoot "$(tasklore signin)"                 # docs/pictures/page-*.png
python -m tests.pages.shoot "$(tasklore signin)" --all /tmp/seen # every page, wide and narrow, light and dark
"""

import argparse
import asyncio
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from typing import Any, Literal
from urllib.parse import urlsplit

from playwright.async_api import Page, ViewportSize

from tests.browser import a_page
from tests.pages.addresses import ADDRESSES, address_of

KEPT = Path(__file__).parents[2] / "docs/pictures"
SHOWN = {
    "home": "home",
    "run": "run/steps",
    "given": "run/given",
    "match": "templates/match",
    "lineage": "lineage",
    "graph": "graph/one",
    "assessment": "assessments/one",
    "prompt": "prompts/all",
    "step": "run/step",
    "gate": "gate",
    "review": "review/one",
}
"""What each picture shows, by the folder of the page. The shared page is made by its test."""

Scheme = Literal["light", "dark"]
WIDE, NARROW = ViewportSize(width=1280, height=900), ViewportSize(width=390, height=844)
SCHEMES: tuple[Scheme, ...] = ("light", "dark")


@dataclass(frozen=True)
class Asker:
    """Asks the API as whoever the browser is signed in as."""

    page: Page
    url: str

    async def ask(self, query: str, **variables: Any) -> dict[str, Any]:
        answer = await self.page.request.post(
            f"{self.url}/graphql", data={"query": query, "variables": variables}, headers={"origin": self.url}
        )
        return (await answer.json())["data"]


async def shoot(sign_in: str, folder: Path | None, only: str) -> None:
    parts = urlsplit(sign_in)
    url = f"{parts.scheme}://{parts.netloc}"
    async with a_page() as page:
        await page.goto(sign_in)
        await page.wait_for_url(f"{url}/home")
        for name, of, scheme, size in _wanted(folder is not None, only):
            await page.emulate_media(color_scheme=scheme)
            await page.set_viewport_size(size)
            await page.goto(url + await address_of(Asker(page, url), of), wait_until="networkidle")
            path = (folder or KEPT) / f"{name}.png"
            path.parent.mkdir(parents=True, exist_ok=True)
            await page.screenshot(path=path, full_page=folder is not None)


def _wanted(everything: bool, only: str) -> Iterator[tuple[str, str, Scheme, ViewportSize]]:
    if not everything:
        for name, of in SHOWN.items():
            if only in of:
                yield f"page-{name}", of, "light", WIDE
        return
    for of, scheme, size in product(ADDRESSES, SCHEMES, (WIDE, NARROW)):
        if only in of:
            yield f"{of.replace('/', '-')}-{size['width']}-{scheme}", of, scheme, size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sign_in", help="the address that `tasklore signin` prints")
    parser.add_argument("--all", type=Path, dest="folder", help="where every page goes, instead of the kept pictures")
    parser.add_argument("--only", default="", help="only pages whose folder has this in its name")
    asked = parser.parse_args()
    asyncio.run(shoot(str(asked.sign_in).split()[-1], asked.folder, asked.only))


if __name__ == "__main__":
    main()
