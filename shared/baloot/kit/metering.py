"""Who calls, and whether he may: the limits of seats and addresses, told before a request is even decoded.

A caller is a seat once its token is known to be good: when the service has found it so (`vouch`), the token is
remembered and has allowances of its own, whatever others at its address do. Until then, and without one, a caller is
its address. The account of an access token is a caller as well, once the token has been checked, whatever it calls; an
API key that has a quota of its own has that in place of the others. A made-up token is therefore paid for by whoever made it up, and leaves nothing behind. Each server counts
for itself and forgets all when it ends.
"""

from __future__ import annotations

import hashlib
import time
from collections import OrderedDict
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, TypeAlias

import grpc
from baloot.core.access import Caller
from baloot.core.errors import Reason, Refusal
from baloot.kit import bearer, peers
from baloot.kit.buckets import NANOS, Buckets
from baloot.kit.quotas import RATES, Charge, Quotas, read_rate

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Token = bytes
"""The digest of a token, or of an account."""
Holder = str | Token
"""Who has streams open: an address, a seat or an account."""

TOKENS = 65_536
"""Good tokens that are remembered. One that is forgotten is found good again at its next call."""
STREAM_WAIT = 5 * NANOS
"""What is told to one with too many streams: nobody knows when they end, and a dead reader's are cut by then."""


KEY_RATES = 256
"""Different quotas of API keys that are kept apart."""


class Meter:
    """Counts what everybody does at one server. The clock gives nanoseconds and never goes back.

    `recall` tells whose an access token is that was checked before.
    """

    def __init__(
        self,
        quotas: Quotas,
        clock: Callable[[], int] = time.monotonic_ns,
        recall: Callable[[str], Caller | None] = lambda _: None,
    ) -> None:
        self._quotas = quotas
        self._clock = clock
        self._recall = recall
        self._of_keys: OrderedDict[str, Buckets] = OrderedDict()
        rates = {name: getattr(quotas, name) for name in RATES}
        self._buckets = {name: Buckets(rate) for name, rate in rates.items() if rate is not None}
        self._good: OrderedDict[Token, None] = OrderedDict()
        self._streams: dict[Holder, int] = {}
        self.streams = 0
        """Open streams, of all."""

    def visit(self, context: Context, charge: Charge, *, streaming: bool) -> Visit | None:
        """Lets a call in, or raises Refusal RATE_LIMITED or TOO_MANY_STREAMS. None: its caller is not limited."""
        sender = peers.sender_of(context, self._quotas.trusted)
        if sender in self._quotas.exempt:
            return None
        visit = self._visit(context, charge, sender.key)
        self._let_in(visit, charge, streaming=streaming)
        return visit

    def _visit(self, context: Context, charge: Charge, address: str) -> Visit:
        text = _token(context)
        if text is not None and bearer.is_access(text):
            known = self._recall(text)
            holder = None if known is None else _holder(known)
            return Visit(self, address, holder, seated=known is not None, account=known)
        token = None if text is None or not charge.seat else _digest(text)
        return Visit(self, address, token, seated=token in self._good)

    def remember(self, token: Token) -> None:
        """Notes that a token is good."""
        self._good[token] = None
        self._good.move_to_end(token)
        if len(self._good) > TOKENS:
            self._good.popitem(last=False)

    def forget(self, token: Token) -> None:
        """Notes that a token is not good, or no more."""
        self._good.pop(token, None)

    def enter(self, holder: Holder, *, bounded: bool = True) -> None:
        """Counts a stream. Raises Refusal TOO_MANY_STREAMS; a seat's own are not `bounded`: of these only one stays."""
        if bounded:
            _require_fewer(self._streams.get(holder, 0), self._quotas.streams, "streams")
        _require_fewer(self.streams, self._quotas.all_streams, "all_streams")
        self._streams[holder] = self._streams.get(holder, 0) + 1
        self.streams += 1

    def leave(self, holder: Holder) -> None:
        """Counts a stream no more."""
        self.streams -= 1
        self._streams[holder] -= 1
        if not self._streams[holder]:
            del self._streams[holder]

    def _let_in(self, visit: Visit, charge: Charge, *, streaming: bool) -> None:
        if streaming:
            self.enter(visit.holder, bounded=visit.bounded)
            visit.streaming = True
        try:
            self._pay(visit, charge)
        except Refusal:
            visit.end()
            raise

    def _pay(self, visit: Visit, charge: Charge) -> None:
        account = visit.account
        if account is not None and account.rate:
            self._take("key", visit.holder, self._of_key(account.rate))
            return
        limit = charge.seat if visit.seated else charge.address
        self._take(limit or charge.address, visit.holder, self._buckets.get(limit or charge.address))

    def _of_key(self, rate: str) -> Buckets:
        """The buckets of the API keys with this quota."""
        buckets = self._of_keys.get(rate)
        if buckets is None:
            buckets = self._of_keys[rate] = Buckets(read_rate(rate))
            if len(self._of_keys) > KEY_RATES:
                self._of_keys.popitem(last=False)
        return buckets

    def _take(self, limit: str, holder: Holder, buckets: Buckets | None) -> None:
        wait = 0 if buckets is None else buckets.take(holder, self._clock())
        if wait:
            raise Refusal(
                Reason.RATE_LIMITED,
                f"too many calls; wait {wait / NANOS:.3f} seconds",
                metadata={"limit": limit},
                retry_after=wait,
            )


class Visit:
    """One call that was let in."""

    __slots__ = ("_meter", "account", "address", "seated", "streaming", "token")

    def __init__(
        self,
        meter: Meter,
        address: str,
        token: Token | None,
        *,
        seated: bool,
        account: Caller | None = None,
    ) -> None:
        self._meter = meter
        self.account = account
        """Whose access token it came with, if that is known to be good."""
        self.address = address
        self.token = token
        self.seated = seated
        """Whether its token is known to be good."""
        self.streaming = False

    @property
    def holder(self) -> Holder:
        """Who pays for it."""
        return self.token if self.seated and self.token is not None else self.address

    @property
    def bounded(self) -> bool:
        """Whether its streams are counted: of a seat's own, only one stays."""
        return self.account is not None or not self.seated

    def vouch(self, token: Token) -> None:
        """Notes that a token is good. If it is the caller's own, its stream is the seat's from now on."""
        self._meter.remember(token)
        if token == self.token and not self.seated:
            self._settle()

    def identify(self, caller: Caller) -> None:
        """Notes whose access token it came with. If it is a stream, it is the account's from now on."""
        if self.account is None:
            self.account, self.token = caller, _holder(caller)
            self._settle()

    def _settle(self) -> None:
        streaming = self.streaming
        self.end()
        self.seated = True
        if streaming:
            self._meter.enter(self.holder, bounded=self.bounded)
            self.streaming = True

    def void(self, token: Token) -> None:
        """Notes that a token is good no more."""
        self._meter.forget(token)

    def end(self) -> None:
        """The call is over."""
        if self.streaming:
            self._meter.leave(self.holder)
            self.streaming = False


_visit: ContextVar[Visit | None] = ContextVar("visit", default=None)


def begin(visit: Visit | None) -> None:
    """Says which call the current task answers."""
    _visit.set(visit)


def address() -> str | None:
    """What the caller's address is counted as; None when nobody counts."""
    visit = _visit.get()
    return visit.address if visit else None


def vouch(token: str) -> None:
    """Says that a token is good: it has allowances of its own from now on. Raises Refusal TOO_MANY_STREAMS."""
    visit = _visit.get()
    if visit is not None and not visit.seated:
        visit.vouch(_digest(token))


def identify(caller: Caller) -> None:
    """Says whose access token the call came with. Raises Refusal TOO_MANY_STREAMS."""
    visit = _visit.get()
    if visit is not None:
        visit.identify(caller)


def void(token: str) -> None:
    """Says that a token is good no more."""
    visit = _visit.get()
    if visit is not None:
        visit.void(_digest(token))


def _token(context: Context) -> str | None:
    try:
        return bearer.token_of(context)
    except Refusal:
        return None  # the service says so, at the cost of the address


def _holder(caller: Caller) -> Token:
    """What pays for the calls of an account: the account, or the API key that its token was made from."""
    return _digest(f"key {caller.key}" if caller.key else f"account {caller.player_id}")


def _digest(token: str) -> Token:
    return hashlib.blake2b(token.encode(), digest_size=16).digest()


def _require_fewer(count: int, most: int, name: str) -> None:
    if most and count >= most:
        raise Refusal(
            Reason.TOO_MANY_STREAMS,
            f"{count} streams are open; close one first",
            metadata={"limit": name},
            retry_after=STREAM_WAIT,
        )
