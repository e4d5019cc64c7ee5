"""A real browser, where the machine has one."""

import shutil
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import pytest
from playwright.async_api import Page, async_playwright, expect

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

# How long something may take that is on its way to the page. What is there is seen at once.
expect.set_options(timeout=20_000)


@asynccontextmanager
async def a_page(*, java_script: bool = True) -> AsyncGenerator[Page]:
    if CHROMIUM is None:
        pytest.skip("no Chromium on this machine: install Debian's package chromium to run this")
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        context = await browser.new_context(java_script_enabled=java_script, viewport={"width": 1360, "height": 900})
        yield await context.new_page()
        await browser.close()
