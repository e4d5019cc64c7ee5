"""What shows that a form is ours: only the service and the browser that is signed in know the session."""

import hashlib
import hmac

from service.web.pages.engine.errors import FormNotOurs

_PURPOSE = b"tasklore form "


def token_for(session: str, action: str) -> str:
    """Without a secret of the service, so that every process of it knows it. It says nothing about the session."""
    return hmac.new(session.encode(), _PURPOSE + action.encode(), hashlib.sha256).hexdigest()


def check_token(session: str, action: str, token: str) -> None:
    if not session or not hmac.compare_digest(token_for(session, action).encode(), token.encode()):
        raise FormNotOurs
