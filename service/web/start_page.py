"""The page at `/`: tells a newcomer where everything is. No script, and nothing from elsewhere."""

import base64
import hashlib
from html import escape
from string import Template

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from service.runtime.runtime import Runtime
from service.web.documents.library import Group, groups, title_of
from service.web.explorer import EXPLORER

STYLE = """
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #fbfbf9; --card: #fff; --line: #dfe3e8;
  --accent: #0b6e6e; --warn: #8a4b00; --warn-paper: #fff6e5 }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #9aa5b4; --paper: #14181e; --card: #1b2129;
  --line: #2e3641; --accent: #59c2bd; --warn: #f0c078; --warn-paper: #2c2415 } }
* { box-sizing: border-box }
body { margin: 0 auto; max-width: 46rem; padding: 3rem 1.25rem; font: 1rem/1.55 system-ui, sans-serif;
  color: var(--ink); background: var(--paper) }
h1 { margin: 0; font-size: 1.9rem; letter-spacing: -.02em }
.lead { margin: .25rem 0 2rem; color: var(--soft) }
section { margin: 0 0 1rem; padding: 1rem 1.25rem; background: var(--card); border: 1px solid var(--line);
  border-radius: .6rem }
h2 { margin: 0 0 .25rem; font-size: 1.05rem }
p { margin: .25rem 0 }
a { color: var(--accent) }
code { font: .9em ui-monospace, monospace; padding: .1em .35em; border: 1px solid var(--line); border-radius: .3rem;
  overflow-wrap: anywhere }
.warning { margin-top: .6rem; padding: .5rem .75rem; color: var(--warn); background: var(--warn-paper);
  border-radius: .4rem }
"""

PAGE = Template("""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tasklore</title><style>$style</style></head>
<body>
<h1>Tasklore</h1>
<p class="lead">The memory and judgement of a task system: what tasks did, as a graph, behind one GraphQL API.</p>
<section><h2>Pages</h2>
<p><a href="/home">/home</a> shows what runs and what waits for you; from there every run, task, template and
matter. It needs a sign-in: run <code>tasklore signin</code> and open the address that it prints.</p></section>
<section><h2>API</h2>
$explorer
<p>Programs send GraphQL to <code>/graphql</code>, with a key as <code>Authorization: Bearer …</code>.</p></section>
<section><h2>The graph in Neo4j Browser</h2>
$browser
<p class="warning">Whoever has the database's password sees and can change everything in it, whatever the API would
allow them.</p></section>
<section><h2>Is it well?</h2>
<p><a href="/health/ready">/health/ready</a> says what is missing, if anything;
<a href="/health/live">/health/live</a> only that the process runs.
<a href="/metrics">/metrics</a> is for Prometheus.</p></section>
<section><h2>Documentation</h2>
$documents</section>
</body></html>
""")

WITH_EXPLORER = f"""<p><a href="{EXPLORER}">{EXPLORER}</a> is the place to try queries, with examples on the sample
world. It needs a sign-in, as the pages do.</p>"""

LOCAL_BROWSER = Template("""<p><a href="$url">$url</a>, connecting to <code>$uri</code>.</p>
<p>The user is <code>$user</code>; <code>tasklore db status</code> names the file that holds the password.</p>""")

NAMED_BROWSER = Template("""<p>This service uses the server <code>$uri</code>, database <code>$database</code>.
Its own Neo4j Browser is wherever its operator put it; the credentials are theirs to give.</p>""")


def _content_security_policy() -> str:
    style = base64.b64encode(hashlib.sha256(STYLE.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )


HEADERS = {
    "content-security-policy": _content_security_policy(),
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
}


def start_page_routes(runtime: Runtime) -> list[Route]:
    explorer = WITH_EXPLORER if runtime.settings.explorer else ""
    page = PAGE.substitute(style=STYLE, explorer=explorer, browser=_browser(runtime), documents=_documents()).encode()

    async def start(_request: Request) -> Response:
        return HTMLResponse(page, headers=HEADERS)

    return [Route("/", start)]


def _browser(runtime: Runtime) -> str:
    if runtime.local:
        local = runtime.local
        return LOCAL_BROWSER.substitute(url=escape(local.browser_url), uri=escape(local.uri), user=escape(local.user))
    settings = runtime.settings
    return NAMED_BROWSER.substitute(uri=escape(settings.neo4j_uri or ""), database=escape(settings.neo4j_database))


def _documents() -> str:
    if not groups():
        return "<p>In the folder <code>docs</code> of the source.</p>"
    all_of_it = '<p><a href="/docs/">/docs</a> has all of it, with a search.</p>'
    return all_of_it + "".join(f"<p>{escape(group.title)}: {_links(group)}.</p>" for group in groups()[:-1])


def _links(group: Group) -> str:
    return ", ".join(f'<a href="/docs/{name}">{escape(title_of(name))}</a>' for name in group.pages)
