"""Who makes the call that is being answered, and how an access token tells it.

A token is checked once and remembered by its hash until it expires, so that further calls with it cost a look-up.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import jwt
from baloot.core.access import GUEST, Caller, Role
from baloot.core.errors import Reason, Refusal
from baloot.core.printing import unshowable
from baloot.kit.keysets import ALGORITHMS, KeySet, KeysUnavailable, Source
from baloot.kit.quotas import read_rate

AUDIENCE = "baloot"
SKEW = 30.0
"""Seconds that the clock of an issuer may differ from ours."""
LONGEST = 86_400.0
"""Seconds from its issue to its expiry that an access token may be good: whoever finds one has it no longer than that."""
REMEMBERED = 65_536
"""Good tokens that are remembered. One that is forgotten is checked again at its next call."""
MAX_ACCOUNT = 64
_REQUIRED = ["iss", "aud", "sub", "exp", "iat"]
_ROLES = {role.value: role for role in Role if role is not Role.ANYONE}


@dataclass(frozen=True, slots=True)
class AccessSettings:
    """Whose access tokens a server takes, and what guests may be.

    `issuers` gives for each `iss` where its keys are, `audience` is what must be in `aud`, `guests` are the roles of
    whoever comes without an access token; none, and only what is open to anyone is open to them. A stream goes on
    for at most `stream_grace` seconds after its token has expired. A token that is made to be good for more than
    `longest` seconds is none.
    """

    issuers: Mapping[str, Source] = field(default_factory=dict)
    audience: str = AUDIENCE
    guests: frozenset[Role] = GUEST.roles
    stream_grace: float = 60.0
    longest: float = LONGEST

    def trusting(self, issuer: str, keys: Source) -> AccessSettings:
        """The same, and the tokens of one more issuer."""
        return replace(self, issuers={**self.issuers, issuer: keys})


class Admitted(NamedTuple):
    """Who was let in: the caller, and the seat token that he sent if he is a guest with one."""

    caller: Caller
    seat_token: str | None = None


_OUTSIDE = Admitted(GUEST)
_ADMITTED: ContextVar[Admitted] = ContextVar("admitted", default=_OUTSIDE)


def caller() -> Caller:
    """Who makes the call that is being answered. Outside of a call it is a guest."""
    return _ADMITTED.get().caller


def seat_token() -> str | None:
    """The seat token that came with the call that is being answered; None without one, or with an access token."""
    return _ADMITTED.get().seat_token


def begin(admitted: Admitted) -> None:
    """Says whose call the current task answers."""
    _ADMITTED.set(admitted)


def token_required() -> Refusal:
    """Why a guest is turned away where only accounts may go."""
    return Refusal(
        Reason.TOKEN_REQUIRED, "this needs an access token: metadata `authorization: Bearer <token>`"
    )


def require_role(who: Caller, roles: Iterable[Role]) -> None:
    """Raises Refusal ROLE_REQUIRED unless a caller has one of the roles."""
    if who.roles.isdisjoint(roles):
        names = " ".join(sorted(roles))
        raise Refusal(
            Reason.ROLE_REQUIRED, f"this is for other roles than yours: {names}", metadata={"roles": names}
        )


class Verifier:
    """Tells whose an access token is. The clock gives seconds since 1970."""

    def __init__(
        self,
        issuers: Mapping[str, Source],
        audience: str = AUDIENCE,
        clock: Callable[[], float] = time.time,
        *,
        longest: float = LONGEST,
    ) -> None:
        self._keysets = {issuer: KeySet(source) for issuer, source in issuers.items()}
        self._audience = audience
        self._clock = clock
        self._longest = longest
        self._good: OrderedDict[bytes, tuple[Caller, float]] = OrderedDict()

    def recall(self, token: str) -> Caller | None:
        """The caller of a token that was found good not long ago and is still; None for any other.

        Its key may have been withdrawn since, so it is verified again as soon as the keys are due to be read again.
        """
        known, until = self._good.get(_digest(token), (None, 0.0))
        return known if known is not None and self._clock() < until and self.left(known) > -SKEW else None

    def left(self, caller: Caller) -> float:
        """The seconds until the token of a caller expires; below 0 when it has."""
        return float("inf") if caller.expires is None else caller.expires - self._clock()

    async def verify(self, token: str) -> Caller:
        """Whose token it is. Raises Refusal TOKEN_INVALID or TOKEN_EXPIRED, and UNAVAILABLE while nobody can say."""
        known = self.recall(token)
        if known is not None:
            return known
        issuer, kid = _named(token)
        key = await self._key(issuer, kid)
        caller = _caller(self._claims(token, key, issuer))
        self._remember(token, caller, self._keysets[issuer].fresh_for())
        return caller

    async def _key(self, issuer: str, kid: str) -> jwt.PyJWK:
        keys = self._keysets.get(issuer)
        if keys is None:
            raise _invalid("its issuer is not known here")
        try:
            key = await keys.key(kid)
        except KeysUnavailable:
            raise Refusal(Reason.UNAVAILABLE, "the keys of the token's issuer cannot be read now") from None
        if key is None:
            raise _invalid("its issuer has no such key")
        return key

    def _claims(self, token: str, key: jwt.PyJWK, issuer: str) -> Mapping[str, Any]:
        """What a token claims, once its signature, its times, its issuer and its audience are found right."""
        try:
            claims: Mapping[str, Any] = jwt.decode(
                token,
                key,
                [key.algorithm_name],
                audience=self._audience,
                issuer=issuer,
                leeway=SKEW,
                options={"require": _REQUIRED},
            )
            life = float(claims["exp"]) - float(claims["iat"])
        except jwt.ExpiredSignatureError:
            raise expired() from None
        except Exception as error:  # noqa: BLE001 - odd claims raise more than the library documents
            raise _invalid(_fault(error)) from None
        if life > self._longest:
            raise _invalid(f"it is good for more than {self._longest / 3600:g} hours")
        return claims

    def _remember(self, token: str, caller: Caller, seconds: float) -> None:
        self._good[_digest(token)] = caller, self._clock() + seconds
        if len(self._good) > REMEMBERED:
            self._good.popitem(last=False)


def expired() -> Refusal:
    """What the holder of a token is told that was good once."""
    return Refusal(Reason.TOKEN_EXPIRED, "the access token has expired; refresh it and try again")


def _invalid(why: str) -> Refusal:
    return Refusal(Reason.TOKEN_INVALID, f"the access token is not good here: {why}")


_FAULTS: Mapping[type[Exception], str] = {
    jwt.InvalidSignatureError: "its signature is not that of the key that it names",
    jwt.InvalidAudienceError: "its aud names another audience than this server's",
    jwt.exceptions.InvalidSubjectError: "its sub is no text",
    jwt.InvalidIssuedAtError: "its iat is no time",
    jwt.exceptions.InvalidJTIError: "its jti is no text",
    jwt.ImmatureSignatureError: "it is not good yet, by its iat or nbf",
}
"""What is wrong with a token, by what the library raises."""


def _fault(error: Exception) -> str:
    """What the holder of a token is told of what is wrong with it, in words that hold nothing of the token."""
    if isinstance(error, jwt.MissingRequiredClaimError):
        return f"it has no {error.claim}"
    return _FAULTS.get(type(error), "its header or its claims cannot be read")


def _named(token: str) -> tuple[str, str]:
    """The issuer and the key that a token names. Nothing of it is believed before that key has confirmed it."""
    try:
        header = jwt.get_unverified_header(token)
        issuer = jwt.decode(token, options={"verify_signature": False}).get("iss")
    except Exception:  # noqa: BLE001 - as above: whatever it is, it is no token
        raise _invalid("it is not a JWT") from None
    if header.get("alg") not in ALGORITHMS:
        raise _invalid("it is not signed as tokens here are")
    kid = header.get("kid")
    if not isinstance(kid, str) or not isinstance(issuer, str):
        raise _invalid("it names no issuer or no key")
    return issuer, kid


def _caller(claims: Mapping[str, Any]) -> Caller:
    """Who a token says that its holder is."""
    scope, key, rate = claims.get("scope"), claims.get("key", ""), claims.get("rate", "")
    if not isinstance(key, str) or not isinstance(rate, str) or not isinstance(scope, str | None):
        raise _invalid("scope, key and rate are texts")
    try:
        if rate:
            read_rate(rate)
        return Caller(
            _account(claims["sub"]),
            _roles(claims.get("roles", [])) | {Role.ANYONE},
            None if scope is None else frozenset(scope.split()),
            key,
            rate,
            float(claims["exp"]),
        )
    except (ValueError, OverflowError) as error:
        raise _invalid(str(error)) from None


def _account(sub: Any) -> str:
    if not isinstance(sub, str) or not 1 <= len(sub) <= MAX_ACCOUNT:
        raise ValueError(f"sub is 1 to {MAX_ACCOUNT} printable characters")
    if (why := unshowable(sub)) is not None:
        raise ValueError(f"sub {why}")
    return sub


def _roles(names: Any) -> frozenset[Role]:
    if not isinstance(names, list):
        raise ValueError("roles is a list")  # noqa: TRY004 - a claim, not an argument
    return frozenset(_ROLES[name] for name in names if isinstance(name, str) and name in _ROLES)


def _digest(token: str) -> bytes:
    return hashlib.blake2b(token.encode(), digest_size=16).digest()
