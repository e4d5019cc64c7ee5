"""Signing in with a browser: an address with a one-time token becomes a session in a cookie."""

import base64
import hashlib
from string import Template
from urllib.parse import parse_qs, urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from service.access.caller import COOKIE
from service.access.errors import Unauthenticated
from service.access.keys import is_key
from service.access.log import AccessLog
from service.principals.commands import SESSION_LIFE, Principals

HOME = "/home"
"""Where whoever has signed in begins."""
FORM_TYPE = "application/x-www-form-urlencoded"

STYLE = """
:root { color-scheme: light dark }
body { max-width: 34rem; margin: 18vh auto; padding: 0 1rem; font: 1rem/1.6 system-ui, sans-serif }
code { font: .95em ui-monospace, monospace }
button { font: inherit; padding: .4rem 1.2rem }
"""
SCRIPT = "document.forms[0].submit()"

PAGE = Template("""<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Tasklore</title><style>$style</style></head>
<body><h1>Tasklore</h1>$body</body></html>
""")
SIGN_IN = Template("""<form method="post" action="/signin"><input type="hidden" name="token" value="$token">
<p>The address works once.</p><button>Sign in</button></form><script>$script</script>""")
SIGN_OUT = '<form method="post" action="/signout"><p>End this session?</p><button>Sign out</button></form>'
SIGNED_OUT = "<p>You are signed out. To sign in again, run <code>tasklore signin</code> and open what it prints.</p>"
HOW = "<p>To sign in, run <code>tasklore signin</code> on the service's machine and open the address it prints.</p>"
USED = "<p>This address does not work: each works once, and for ten minutes.</p>" + HOW


def _hash(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        f"default-src 'none'; style-src {_hash(STYLE)}; script-src {_hash(SCRIPT)}; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    # Not `no-referrer`: the form's request would then have the origin `null`, and be refused.
    "referrer-policy": "strict-origin",
    "x-content-type-options": "nosniff",
}


def sign_in_address(base: str, token: str) -> str:
    """`base` is where the service answers: http://127.0.0.1:8000."""
    return f"{base}/signin?{urlencode({'token': token})}"


def sign_in_routes(principals: Principals, log: AccessLog) -> list[Route]:
    """A token is used up by POST alone: a preview of the link, or a browser that reads ahead, only gets the page."""

    async def page(request: Request) -> Response:
        token = request.query_params.get("token", "")
        return how_to_sign_in(200) if not is_key(token) else _page(SIGN_IN.substitute(token=token, script=SCRIPT))

    async def sign_in(request: Request) -> Response:
        try:
            created = await principals.sign_in(await _token(request))
        except Unauthenticated as error:
            log.denied(error.code, _client(request), cause=error.cause, key=error.key_id, path="/signin")
            return _page(USED, 401)
        answer = RedirectResponse(HOME, 303, HEADERS)
        answer.set_cookie(
            COOKIE,
            created.text or "",
            max_age=int(SESSION_LIFE.total_seconds()),
            httponly=True,
            samesite="strict",
            secure=_is_secure(request),
        )
        return answer

    async def sign_out_page(_request: Request) -> Response:
        return _page(SIGN_OUT)

    async def sign_out(request: Request) -> Response:
        session = request.cookies.get(COOKIE, "")
        if is_key(session):
            await principals.sign_out(session)
        answer = _page(SIGNED_OUT)
        answer.delete_cookie(COOKIE, httponly=True, samesite="strict", secure=_is_secure(request))
        return answer

    return [
        Route("/signin", page),
        Route("/signin", sign_in, methods=["POST"]),
        Route("/signout", sign_out_page),
        Route("/signout", sign_out, methods=["POST"]),
    ]


def how_to_sign_in(status: int) -> Response:
    return _page(HOW, status)


async def _token(request: Request) -> str:
    if not request.headers.get("content-type", "").startswith(FORM_TYPE):
        raise Unauthenticated("no form")
    token = parse_qs((await request.body()).decode("latin-1")).get("token", [""])[0]
    if not is_key(token):
        raise Unauthenticated("malformed")
    return token


def _is_secure(request: Request) -> bool:
    """Behind a proxy that ends TLS only the page's own origin says so; the guard has checked it."""
    return request.url.scheme == "https" or request.headers.get("origin", "").startswith("https://")


def _client(request: Request) -> str:
    return request.client.host if request.client else ""


def _page(body: str, status: int = 200) -> HTMLResponse:
    return HTMLResponse(PAGE.substitute(style=STYLE, body=body), status, HEADERS)
