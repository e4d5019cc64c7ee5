"""The administration of access. Every change is a command; a key's own text is in none of their stored results."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from service import clock
from service.access import cypher
from service.access.errors import KeyMissing, PrincipalDisabled, PrincipalNameTaken, Unauthenticated
from service.access.keys import KeyPurpose, hash_of, hint_of, new_key
from service.access.log import AccessLog
from service.access.viewer import SIGN_IN, KeyScope, Viewer
from service.commands import Commands, Outcome, Request, Work
from service.commands.errors import InputInvalid, SourceKeyTaken
from service.commands.validation import validated
from service.ids import new_id
from service.principals import principals
from service.principals.events import append_event
from service.principals.inputs import KeyRef, Membership, NewKey, NewPrincipal, PrincipalChange, PrincipalRef

Values = dict[str, Any]
Plan = Callable[[Work], Awaitable[Values]]

DEFAULT_LIFE = timedelta(days=90)
LONGEST_LIFE = timedelta(days=366)
SIGN_IN_LIFE = timedelta(minutes=10)
SESSION_LIFE = timedelta(days=30)

_NAMES = {"principal_changed": "changePrincipal", "principal_enabled": "enablePrincipal"}
_DEFAULTS = ("default_memory_mode", "default_data_class", "default_matter_ids", "default_source")
_LASTING = ("id", "name", "hint", "scopes", "purpose", "created_at", "expires_at", "revoked_at", "last_used_at")
_SHOWN = (*_LASTING, *_DEFAULTS)


@dataclass(frozen=True, slots=True)
class KeyCreated:
    """A key and, the first time only, its text. A repeated command answers without it: it is stored nowhere."""

    outcome: Outcome
    text: str | None

    @property
    def key(self) -> Values:
        return self.outcome.result["key"]

    @property
    def note(self) -> str:
        if self.text is None:
            return "The key was shown when it was created and cannot be shown again. Revoke it and create another."
        return "This is shown once. Keep it where only its user can read it."


def _nothing() -> None:
    return None


class Principals:
    def __init__(
        self, commands: Commands, *, changed: Callable[[], None] = _nothing, log: AccessLog | None = None
    ) -> None:
        """`changed` is called after each accepted change: `Viewers.forget`."""
        self._commands = commands
        self._changed = changed
        self._log = log or AccessLog()

    async def create_principal(self, viewer: Viewer, values: Values, command_id: str | None = None) -> Outcome:
        """`values` are those of NewPrincipal. The result is `{principal}`."""
        content = validated(NewPrincipal, values)

        async def plan(work: Work) -> Values:
            return {"principal": await principals.create(work, content)}

        return await self._run(viewer, "createPrincipal", content, plan, command_id)

    async def change_principal(
        self, viewer: Viewer, principal: str, values: Values, command_id: str | None = None
    ) -> Outcome:
        """`principal` is an id or a name, `values` those of PrincipalChange."""
        changes = validated(PrincipalChange, values)
        return await self._change(viewer, "principal_changed", principal, changes, command_id)

    async def disable_principal(self, viewer: Viewer, principal: str, command_id: str | None = None) -> Outcome:
        """None of its keys works any more. Disabled twice, it keeps its first time."""
        content = validated(PrincipalRef, {"principal": principal})

        async def plan(work: Work) -> Values:
            before = await principals.locked(work, principal)
            at = before.get("disabled_at") or work.at
            return {
                "principal": await principals.change(work, before, {"disabled_at": at}, "access.principal_disabled")
            }

        return await self._run(viewer, "disablePrincipal", content, plan, command_id)

    async def enable_principal(self, viewer: Viewer, principal: str, command_id: str | None = None) -> Outcome:
        values = {"disabled_at": None}
        return await self._change(viewer, "principal_enabled", principal, values, command_id)

    async def grant_matters(
        self, viewer: Viewer, principal: str, matter_ids: list[str], command_id: str | None = None
    ) -> Outcome:
        content = validated(Membership, {"principal": principal, "matter_ids": matter_ids})

        async def plan(work: Work) -> Values:
            before = await principals.locked(work, principal)
            await principals.check_matters(work, matter_ids)
            joined = sorted({*before["matter_ids"], *matter_ids})
            return {
                "principal": await principals.change(work, before, {"matter_ids": joined}, "access.matters_granted")
            }

        return await self._run(viewer, "grantMatters", content, plan, command_id)

    async def revoke_matters(
        self, viewer: Viewer, principal: str, matter_ids: list[str], command_id: str | None = None
    ) -> Outcome:
        """Also of a matter that is no longer there: what is taken away needs not exist."""
        content = validated(Membership, {"principal": principal, "matter_ids": matter_ids})

        async def plan(work: Work) -> Values:
            before = await principals.locked(work, principal)
            left = sorted({*before["matter_ids"]} - {*matter_ids})
            return {"principal": await principals.change(work, before, {"matter_ids": left}, "access.matters_revoked")}

        return await self._run(viewer, "revokeMatters", content, plan, command_id)

    async def create_key(self, viewer: Viewer, values: Values, command_id: str | None = None) -> KeyCreated:
        """`values` are those of NewKey. The result is `{key}`."""
        content = validated(NewKey, values)
        return await self._create_key(viewer, content, KeyPurpose.api, DEFAULT_LIFE, command_id)

    async def create_sign_in(self, viewer: Viewer, principal: str, scopes: list[KeyScope]) -> KeyCreated:
        """A token that works once, for ten minutes, and only to sign in."""
        content = validated(NewKey, {"principal": principal, "name": "sign-in address", "scopes": scopes})
        return await self._create_key(viewer, content, KeyPurpose.sign_in, SIGN_IN_LIFE, None)

    async def sign_in(self, token: str) -> KeyCreated:
        """Turn a one-time token into a session with its principal and scopes; a second time it is refused."""
        text = new_key()

        async def plan(work: Work) -> Values:
            row = await work.transaction.one(cypher.LOCK_KEY_OF_HASH, hash=hash_of(token))
            if row is None or not _redeemable(row, work.at):
                raise Unauthenticated("sign-in token not valid", row["key"]["id"] if row else None)
            await work.transaction.run(cypher.REVOKE_KEY, id=row["key"]["id"], at=work.at)
            values = {"name": "browser session", "scopes": row["key"]["scopes"]}
            key = _key_properties(work, text, values, KeyPurpose.session, SESSION_LIFE)
            return await _add_key(work, row["principal_id"], row["principal"], key, "access.signed_in")

        request = Request("signIn", KeyScope.admin, {"token": hash_of(token)})
        outcome = await self._execute(SIGN_IN, request, plan)
        return KeyCreated(outcome, text)

    async def sign_out(self, session: str) -> None:
        """End a session. One that has ended already, or never was, is no error: the browser is signed out."""

        async def plan(work: Work) -> Values:
            row = await work.transaction.one(cypher.LOCK_KEY_OF_HASH, hash=hash_of(session))
            if row is None or row["key"]["purpose"] != KeyPurpose.session:
                return {}
            return await _revoke(work, row, "access.signed_out")

        await self._execute(SIGN_IN, Request("signOut", KeyScope.admin, {"session": hash_of(session)}), plan)

    async def revoke_key(self, viewer: Viewer, key_id: str, command_id: str | None = None) -> Outcome:
        content = validated(KeyRef, {"key": key_id})

        async def plan(work: Work) -> Values:
            row = await work.transaction.one(cypher.LOCK_KEY, id=key_id)
            if row is None:
                raise KeyMissing(key_id)
            return await _revoke(work, row, "access.key_revoked")

        return await self._run(viewer, "revokeKey", content, plan, command_id)

    async def _create_key(
        self, viewer: Viewer, content: Values, purpose: KeyPurpose, life: timedelta, command_id: str | None
    ) -> KeyCreated:
        text = new_key()

        async def plan(work: Work) -> Values:
            owner = await principals.locked(work, content["principal"])
            if owner.get("disabled_at"):
                raise PrincipalDisabled(owner["name"])
            principals.check_scopes(owner["name"], owner["kind"], content["scopes"])
            await principals.check_defaults(work, owner, content)
            key = _key_properties(work, text, content, purpose, life)
            return await _add_key(work, owner["id"], owner["name"], key, "access.key_created")

        outcome = await self._run(viewer, "createKey", {**content, "purpose": purpose.value}, plan, command_id)
        return KeyCreated(outcome, None if outcome.replayed else text)

    async def _change(
        self, viewer: Viewer, what: str, principal: str, values: Values, command_id: str | None
    ) -> Outcome:
        named = validated(PrincipalRef, {"principal": principal})

        async def plan(work: Work) -> Values:
            before = await principals.locked(work, principal)
            await principals.check_kind(work, before, values)
            return {"principal": await principals.change(work, before, values, f"access.{what}")}

        return await self._run(viewer, _NAMES[what], {**named, **values}, plan, command_id)

    async def _run(
        self, viewer: Viewer, name: str, content: Mapping[str, Any], plan: Plan, command_id: str | None
    ) -> Outcome:
        try:
            return await self._execute(viewer, Request(name, KeyScope.admin, content, command_id=command_id), plan)
        except SourceKeyTaken:  # the one other uniqueness that these commands can run into is that of the name
            raise PrincipalNameTaken(str(content.get("name"))) from None

    async def _execute(self, viewer: Viewer, request: Request, plan: Plan) -> Outcome:
        events: list[Values] = []

        async def planned(work: Work) -> Values:
            result = await plan(work)
            events[:] = work.changes.events
            return result

        outcome = await self._commands.execute(viewer, request, planned)
        self._changed()
        for event in [] if outcome.replayed else events:
            self._log.administered(
                event["kind"], viewer, event["about"], changed=event["changed"], other=event["other"]
            )
        return outcome


def _key_properties(work: Work, text: str, values: Mapping[str, Any], purpose: KeyPurpose, life: timedelta) -> Values:
    return {
        "id": new_id("key"),
        "name": values["name"],
        "hash": hash_of(text),
        "hint": hint_of(text),
        "scopes": sorted({*values["scopes"]}),
        "purpose": purpose.value,
        "created_at": work.at,
        "expires_at": _expiry(work.at, values.get("expires_at"), life),
        "version": 1,
        **{name: values[name] for name in _DEFAULTS if name in values},
    }


def _expiry(now: str, wanted: str | None, life: timedelta) -> str:
    if wanted is None:
        return clock.stamp(clock.parse(now) + life)
    if not now < wanted <= clock.stamp(clock.parse(now) + LONGEST_LIFE):
        raise InputInvalid("expires_at", f"must be later than now, and within {LONGEST_LIFE.days} days")
    return wanted


async def _add_key(work: Work, principal_id: str, principal: str, key: Values, kind: str) -> Values:
    await work.transaction.run(cypher.CREATE_KEY, principal_id=principal_id, properties=key)
    append_event(work, kind, key["id"], "Key", version=1, at=work.at, other=principal_id)
    return {"key": _shown(key, principal_id, principal)}


async def _revoke(work: Work, row: Values, kind: str) -> Values:
    key = row["key"]
    if not key.get("revoked_at"):
        at = clock.not_before(key["created_at"])
        await work.transaction.run(cypher.REVOKE_KEY, id=key["id"], at=at)
        append_event(work, kind, key["id"], "Key", version=key["version"] + 1, at=at, other=row["principal_id"])
        key = {**key, "revoked_at": at}
    return {"key": _shown(key, row["principal_id"], row["principal"])}


def _redeemable(row: Values, now: str) -> bool:
    key = row["key"]
    live = not key.get("revoked_at") and key["expires_at"] > now and not row["disabled_at"]
    return live and key["purpose"] == KeyPurpose.sign_in


def _shown(key: Mapping[str, Any], principal_id: str, principal: str) -> Values:
    return {**{name: key.get(name) for name in _SHOWN}, "principal_id": principal_id, "principal": principal}
