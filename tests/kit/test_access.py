"""Access tokens: which are good, which are not and why, and that rotation and expiry cost nobody anything."""

from __future__ import annotations

import asyncio
import base64
import json
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import grpc
import jwt
import pytest
from baloot.core.access import Role
from baloot.core.errors import Reason, Refusal
from baloot.kit import access as access_module
from baloot.kit import keysets
from baloot.kit.access import LONGEST, AccessSettings, Verifier, caller, seat_token
from baloot.kit.channels import open_channel
from baloot.kit.errors import from_rpc_error
from baloot.kit.keysets import MAX_AGE
from baloot.kit.permits import ANYBODY
from baloot.kit.serving import ServerSettings

from tests.kit.conftest import started
from tests.kit.echo import Echo, EchoStub, text
from tests.kit.issuing import GONE, ISSUER, Issuing, bearer, public

NOW = int(time.time())
Make = Callable[[Issuing], str]


def b64(raw: bytes) -> str:
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def part(value: Any) -> str:
    return b64(json.dumps(value).encode())


def with_header(issuing: Issuing, **changes: Any) -> str:
    """A good token whose header was changed after it was signed."""
    head, body, signature = issuing.token().split(".")
    header = json.loads(base64.urlsafe_b64decode(head + "=="))
    header = {name: value for name, value in {**header, **changes}.items() if value is not GONE}
    return f"{part(header)}.{body}.{signature}"


def with_body(issuing: Issuing, **changes: Any) -> str:
    """A good token whose claims were changed after it was signed."""
    head, body, signature = issuing.token().split(".")
    claims = json.loads(base64.urlsafe_b64decode(body + "=="))
    return f"{head}.{part({**claims, **changes})}.{signature}"


def unsigned(issuing: Issuing, alg: str) -> str:
    _, body, _ = issuing.token().split(".")
    return f"{part({'alg': alg, 'kid': 'key-1', 'typ': 'JWT'})}.{body}."


def by_public_key(issuing: Issuing) -> str:
    """Signed with HMAC, by the public key that everybody knows."""
    import hashlib
    import hmac

    secret = json.dumps(public(issuing.keys["key-1"][0])).encode()
    _, body, _ = issuing.token().split(".")
    signed = f"{part({'alg': 'HS256', 'kid': 'key-1'})}.{body}"
    return f"{signed}.{b64(hmac.digest(secret, signed.encode(), hashlib.sha256))}"


def stranger(issuing: Issuing) -> str:
    """Signed by somebody else's key that has the same id."""
    return Issuing(issuing.issuer).token()


def bent(issuing: Issuing) -> str:
    token = issuing.token()
    middle = token.rindex(".") + 20
    return token[:middle] + ("A" if token[middle] != "A" else "B") + token[middle + 1 :]


def with_claims(issuing: Issuing, **claims: Any) -> str:
    """Signed as it is, with claims that a library would not write."""
    key, algorithm = issuing.keys["key-1"]
    told = {"iss": ISSUER, "aud": "baloot", "sub": "a", "iat": NOW, "exp": NOW + 3600, **claims}
    return jwt.PyJWS().encode(json.dumps(told).encode(), key, algorithm, headers={"kid": "key-1"})


BAD: dict[str, Make] = {
    "alg none": lambda issuing: unsigned(issuing, "none"),
    "alg None": lambda issuing: unsigned(issuing, "None"),
    "alg empty": lambda issuing: unsigned(issuing, ""),
    "alg changed to none": lambda issuing: with_header(issuing, alg="none"),
    "alg left out": lambda issuing: with_header(issuing, alg=GONE),
    "alg of another kind of key": lambda issuing: with_header(issuing, alg="ES256"),
    "HS256 with the public key": by_public_key,
    "alg RS256": lambda issuing: with_header(issuing, alg="RS256"),
    "alg a number": lambda issuing: with_header(issuing, alg=7),
    "alg a list": lambda issuing: with_header(issuing, alg=["EdDSA"]),
    "kid left out": lambda issuing: with_header(issuing, kid=GONE),
    "kid unknown": lambda issuing: issuing.token(headers={"kid": "key-9"}),
    "kid a path": lambda issuing: issuing.token(headers={"kid": "../../key-1"}),
    "kid a number": lambda issuing: with_header(issuing, kid=1),
    "a key of its own in the header": lambda issuing: with_header(
        issuing, jwk=public(Issuing().keys["key-1"][0]), kid="mine"
    ),
    "crit": lambda issuing: issuing.token(headers={"crit": ["exp"]}),
    "b64 off": lambda issuing: issuing.token(headers={"b64": False, "crit": ["b64"]}),
    "signed by another": stranger,
    "a bent signature": bent,
    "half a signature": lambda issuing: issuing.token()[:-40],
    "no signature": lambda issuing: issuing.token().rpartition(".")[0] + ".",
    "two parts": lambda issuing: issuing.token().rpartition(".")[0],
    "four parts": lambda issuing: issuing.token() + ".x",
    "dots": lambda _: "..",
    "one dot": lambda _: "a.b",
    "no base64": lambda _: "@@@.@@@.@@@",
    "no JSON": lambda _: f"{b64(b'{')}.{b64(b'{')}.{b64(b'x')}",
    "lists": lambda _: f"{part([])}.{part([])}.{b64(b'x')}",
    "deep": lambda _: f"{b64(b'[' * 1400)}.{b64(b'[' * 1400)}.x",
    "oversized": lambda issuing: issuing.token(pad="x" * 4096),
    "another sub": lambda issuing: with_body(issuing, sub="somebody-else"),
    "more roles": lambda issuing: with_body(issuing, roles=["admin"]),
    "later exp": lambda issuing: with_body(issuing, exp=NOW + 9999),
    "wrong iss": lambda issuing: issuing.token(iss="https://evil.example"),
    "iss left out": lambda issuing: issuing.token(iss=GONE),
    "iss of another case": lambda issuing: issuing.token(iss=ISSUER.upper()),
    "iss with a slash": lambda issuing: issuing.token(iss=ISSUER + "/"),
    "wrong aud": lambda issuing: issuing.token(aud="chess"),
    "aud left out": lambda issuing: issuing.token(aud=GONE),
    "aud that begins alike": lambda issuing: issuing.token(aud=["baloot2", "baloo"]),
    "aud a number": lambda issuing: issuing.token(aud=7),
    "sub left out": lambda issuing: issuing.token(sub=GONE),  # type: ignore[arg-type]
    "sub empty": lambda issuing: issuing.token(sub=""),
    "sub too long": lambda issuing: issuing.token(sub="a" * 65),
    "sub a number": lambda issuing: with_claims(issuing, sub=7),
    "sub of blank letters": lambda issuing: issuing.token(sub="a\u3164"),
    "jti a number": lambda issuing: with_claims(issuing, jti=7),
    "sub with a line": lambda issuing: issuing.token(sub="a\nb"),
    "exp left out": lambda issuing: issuing.token(exp=GONE),
    "exp no number": lambda issuing: issuing.token(exp="soon"),
    "exp too large a number": lambda issuing: issuing.token(exp=10**400),
    "exp without end": lambda issuing: issuing.token(exp=float("inf")),
    "iat left out": lambda issuing: issuing.token(iat=GONE),
    "iat no number": lambda issuing: with_claims(issuing, iat="once"),
    "iat in the future": lambda issuing: issuing.token(iat=NOW + 3600),
    "nbf in the future": lambda issuing: issuing.token(nbf=NOW + 3600),
    "nbf no number": lambda issuing: issuing.token(nbf="never"),
    "roles a text": lambda issuing: with_claims(issuing, roles="admin"),
    "scope a list": lambda issuing: issuing.token(scope=["play"]),
    "key a number": lambda issuing: issuing.token(key=7),
    "rate that is none": lambda issuing: issuing.token(key="k", rate="lots"),
}
STALE: dict[str, Make] = {
    "expired": lambda issuing: issuing.token(iat=NOW - 999, exp=NOW - 900),
    "just expired": lambda issuing: issuing.token(iat=NOW - 99, exp=int(time.time()) - 32),
    "never good": lambda issuing: issuing.token(exp=0),
}


def test_there_are_enough_of_them() -> None:
    assert len(BAD) + len(STALE) >= 40


WHY = {
    "signed by another": "its signature is not that of the key that it names",
    "a bent signature": "its signature is not that of the key that it names",
    "alg of another kind of key": "its header or its claims cannot be read",
    "wrong aud": "its aud names another audience than this server's",
    "aud left out": "it has no aud",
    "exp left out": "it has no exp",
    "exp no number": "its header or its claims cannot be read",
    "exp too large a number": "its header or its claims cannot be read",
    "iat no number": "its iat is no time",
    "iat in the future": "it is not good yet, by its iat or nbf",
    "nbf in the future": "it is not good yet, by its iat or nbf",
    "jti a number": "its jti is no text",
    "sub a number": "its sub is no text",
    "sub of blank letters": "sub has a sign that cannot be shown (U+3164)",
}


@pytest.mark.parametrize("name", [name for name in BAD if name != "oversized"])
async def test_what_is_wrong_with_a_token_is_told_in_words(name: str) -> None:
    issuing = Issuing()
    with pytest.raises(Refusal) as refused:
        await Verifier({issuing.issuer: issuing.source}).verify(BAD[name](issuing))
    said, _, why = refused.value.message.partition(": ")
    assert said == "the access token is not good here"
    assert why == WHY.get(name, why)
    assert " " in why
    assert "Error" not in why


@pytest.mark.parametrize("name", [name for name in (*BAD, *STALE) if name != "oversized"])
async def test_what_is_no_good_token_is_refused(name: str) -> None:
    issuing = Issuing()
    verifier = Verifier({issuing.issuer: issuing.source})
    token = {**BAD, **STALE}[name](issuing)
    with pytest.raises(Refusal) as refused:
        await verifier.verify(token)
    assert refused.value.reason is (Reason.TOKEN_EXPIRED if name in STALE else Reason.TOKEN_INVALID)
    assert verifier.recall(token) is None
    assert (await verifier.verify(issuing.token())).player_id == "account-1"


async def test_over_the_wire_they_are_refused_and_reach_nobody() -> None:
    issuing, echo = Issuing(), Echo()
    reached: list[str] = []
    ask = echo.ask

    async def noted(request: Any, context: Any) -> Any:
        reached.append(request.value)
        return await ask(request, context)

    echo.ask = noted  # type: ignore[method-assign]
    settings = ServerSettings("127.0.0.1:0", grace=0.2, access=issuing.settings())
    async with started([echo.service()], settings) as server, open_channel(server.address) as channel:
        stub = EchoStub(channel)
        for name, make in {**BAD, **STALE}.items():
            with pytest.raises(grpc.aio.AioRpcError) as error:
                await stub.ask(text("x"), metadata=bearer(make(issuing)))
            expected = Reason.TOKEN_EXPIRED if name in STALE else Reason.TOKEN_INVALID
            assert from_rpc_error(error.value).reason is expected, name
            assert error.value.code() is grpc.StatusCode.UNAUTHENTICATED
        assert reached == []
        assert (await stub.ask(text("x"), metadata=bearer(issuing.token()))).value == "x"


@pytest.mark.parametrize("algorithm", ["EdDSA", "ES256"])
async def test_a_good_token_says_who_calls(algorithm: str) -> None:
    issuing = Issuing(algorithm=algorithm)
    verifier = Verifier({issuing.issuer: issuing.source})
    token = issuing.token(
        "n-1",
        ["player", "referee", "unknown", "anyone"],
        aud=["chess", "baloot"],
        scope="play  watch",
        key="k-1",
        rate="50/s+100",
        nbf=NOW - 5,
        jti="x",
    )
    found = await verifier.verify(token)
    assert found.player_id == "n-1"
    assert found.roles == {Role.ANYONE, Role.PLAYER, Role.REFEREE}
    assert (found.scopes, found.key, found.rate) == (
        frozenset({"play", "watch"}),
        "k-1",
        "50/s+100",
    )
    assert verifier.recall(token) is found
    assert (await verifier.verify(issuing.token())).scopes is None


async def test_clocks_may_differ_by_thirty_seconds() -> None:
    issuing = Issuing()
    verifier = Verifier({issuing.issuer: issuing.source})
    now = int(time.time())
    near: list[dict[str, Any]] = [{"exp": now - 25}, {"nbf": now + 25}, {"iat": now + 25}]
    for claims in near:
        found = await verifier.verify(issuing.token(**{"iat": now - 60, **claims}))
        assert found.player_id == "account-1"


async def test_a_token_is_checked_once_and_no_longer_than_it_is_good(monkeypatch: pytest.MonkeyPatch) -> None:
    issuing, now = Issuing(), [time.time()]
    verifier = Verifier({issuing.issuer: issuing.source}, clock=lambda: now[0])
    token = issuing.token()
    checks = 0
    decode = jwt.decode

    def counted(*args: Any, **options: Any) -> Any:
        nonlocal checks
        checks += 1
        return decode(*args, **options)

    monkeypatch.setattr(jwt, "decode", counted)
    first = await verifier.verify(token)
    before = checks
    assert all([await verifier.verify(token) is first for _ in range(5)])
    assert checks == before
    now[0] += 60 + 29
    assert verifier.recall(token) is first
    now[0] += 2
    assert verifier.recall(token) is None


async def test_a_token_is_checked_again_once_its_key_may_have_been_withdrawn() -> None:
    issuing, now = Issuing(), [time.time()]
    verifier = Verifier({issuing.issuer: issuing.source}, clock=lambda: now[0])
    token = issuing.token(exp=int(now[0]) + 10 * MAX_AGE)
    assert verifier.recall(token) is None
    await verifier.verify(token)
    now[0] += MAX_AGE - 1
    assert verifier.recall(token) is not None
    now[0] += 1
    assert verifier.recall(token) is None


async def test_a_token_is_forgotten_when_its_key_is_due_to_be_read_again() -> None:
    """However long before it was verified the keys were read."""
    issuing, now = Issuing(), [time.time()]
    verifier = Verifier({issuing.issuer: issuing.source}, clock=lambda: now[0])
    keys = verifier._keysets[issuing.issuer]
    keys._clock = lambda: now[0]
    await verifier.verify(issuing.token("a-1"))
    now[0] += MAX_AGE - 10
    token = issuing.token("a-2", exp=int(now[0]) + 600)
    await verifier.verify(token)
    now[0] += 9
    assert verifier.recall(token) is not None
    now[0] += 2
    assert verifier.recall(token) is None


async def test_a_token_that_lasts_too_long_is_none() -> None:
    """By what it says of itself, whenever it comes."""
    issuing, now = Issuing(), int(time.time())
    verifier = Verifier({issuing.issuer: issuing.source})
    day = int(LONGEST)
    for issued, lasts in ((now, day), (now - 1000, day)):
        assert (await verifier.verify(issuing.token(iat=issued, exp=issued + lasts))).player_id
    for issued, lasts in ((now, day + 1), (now - day, day + 60), (0, now + 60)):
        with pytest.raises(Refusal) as refusal:
            await verifier.verify(issuing.token(iat=issued, exp=issued + lasts))
        assert refusal.value.reason is Reason.TOKEN_INVALID
        assert "24 hours" in refusal.value.message
    shorter = Verifier({issuing.issuer: issuing.source}, longest=30)
    with pytest.raises(Refusal, match=r"0\.00833"):
        await shorter.verify(issuing.token())


async def test_so_many_tokens_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(access_module, "REMEMBERED", 3)
    issuing = Issuing()
    verifier = Verifier({issuing.issuer: issuing.source})
    tokens = [issuing.token(f"a-{n}") for n in range(5)]
    for token in tokens:
        await verifier.verify(token)
    assert [verifier.recall(token) is not None for token in tokens] == [False, False, True, True, True]


# Over a server.


async def test_rotation_under_load_costs_nobody_a_call() -> None:
    issuing, echo = Issuing(), Echo()
    settings = ServerSettings("127.0.0.1:0", grace=0.2, access=issuing.settings())
    async with started([echo.service()], settings) as server, open_channel(server.address) as channel:
        stub, made = EchoStub(channel), 0

        async def load(player: int) -> None:
            nonlocal made
            old = issuing.token(f"a-{player}")
            for n in range(30):
                token = old if n % 3 == 0 else issuing.token(f"a-{player}", jti=str(n))
                await stub.ask(text("x"), metadata=bearer(token))
                made += 1
                if player == 0 and n == 15:
                    issuing.rotate("ES256")

        async with asyncio.timeout(60), asyncio.TaskGroup() as group:
            for player in range(10):
                group.create_task(load(player))
    assert (made, len(issuing.keys)) == (300, 2)
    assert issuing.read == 2, "one reading at first, one for the new key, however many asked for it"


async def test_a_stream_ends_some_time_after_its_token_has_expired() -> None:
    issuing, echo = Issuing(), Echo()
    access = issuing.settings(stream_grace=1.3)
    async with (
        started([echo.service()], ServerSettings("127.0.0.1:0", grace=0.2, access=access)) as server,
        open_channel(server.address) as channel,
    ):
        stub = EchoStub(channel)
        now = int(time.time())
        short: Any = stub.watch(text("wait"), metadata=bearer(issuing.token(exp=now)))
        long: Any = stub.watch(text("wait"), metadata=bearer(issuing.token()))
        guest: Any = stub.watch(text("wait"))
        assert [(await stream.read()).value for stream in (short, long, guest)] == ["wait"] * 3
        with pytest.raises(grpc.aio.AioRpcError) as error:
            await asyncio.wait_for(short.read(), 10)
        assert from_rpc_error(error.value).reason is Reason.TOKEN_EXPIRED
        assert time.time() >= now + 1.2
        assert echo.cleaned == ["ask"]
        echo.release.set()
        assert [(await stream.read()).value for stream in (long, guest)] == ["wait"] * 2


async def test_a_call_knows_who_makes_it_and_no_other_does() -> None:
    issuing, echo = Issuing(), Echo()
    seen: list[Any] = []

    async def ask(request: Any, _context: Any) -> Any:
        await asyncio.sleep(0)
        seen.append((request.value, caller().player_id, seat_token()))
        return request

    echo.ask = ask  # type: ignore[method-assign, assignment]
    settings = ServerSettings("127.0.0.1:0", grace=0.2, access=issuing.settings())
    async with started([echo.service()], settings) as server, open_channel(server.address) as channel:
        stub = EchoStub(channel)
        tokens = {"a": issuing.token("a"), "seat": "s-1", "nobody": None, "b": issuing.token("b")}
        await asyncio.gather(*(stub.ask(text(who), metadata=bearer(token)) for who, token in tokens.items()))
    assert sorted(seen, key=str) == sorted(
        [("a", "a", None), ("seat", None, "s-1"), ("nobody", None, None), ("b", "b", None)], key=str
    )


async def test_without_an_issuer_no_access_token_is_taken() -> None:
    with pytest.raises(Refusal) as refused:
        await Verifier(AccessSettings().issuers).verify(Issuing().token())
    assert refused.value.reason is Reason.TOKEN_INVALID


async def test_while_the_keys_cannot_be_read_nobody_is_told_that_his_token_is_bad() -> None:
    issuing, now = Issuing(), [0.0]
    issuing.away = True
    verifier = Verifier({issuing.issuer: issuing.source})
    verifier._keysets[issuing.issuer] = keysets.KeySet(issuing.source, lambda: now[0])
    for _ in range(3):
        with pytest.raises(Refusal) as refused:
            await verifier.verify(issuing.token())
        assert refused.value.reason is Reason.UNAVAILABLE
    assert issuing.read == 1
    issuing.away, now[0] = False, keysets.GAP
    assert (await verifier.verify(issuing.token())).player_id == "account-1"


async def test_where_anyone_may_call_a_good_token_says_who_calls_and_a_bad_one_does_no_harm() -> None:
    issuing, echo = Issuing(), Echo()
    seen: list[str | None] = []

    async def ask(request: Any, _context: Any) -> Any:
        seen.append(caller().player_id)
        return request

    echo.ask = ask  # type: ignore[method-assign, assignment]
    service = replace(echo.service(), permits={"Ask": ANYBODY})
    settings = ServerSettings("127.0.0.1:0", grace=0.2, access=issuing.settings())
    async with started([service], settings) as server, open_channel(server.address) as channel:
        stub = EchoStub(channel)
        for make in (*BAD.values(), *STALE.values()):
            await stub.ask(text("x"), metadata=bearer(make(issuing)))
        assert set(seen) == {None}
        await stub.ask(text("x"), metadata=bearer(issuing.token("n-1")))
    assert seen[-1] == "n-1"
