"""Signing up, in and out over gRPC and Postgres, and refresh tokens that are good once."""

from __future__ import annotations

import asyncio
from uuid import UUID

import pytest
import sqlalchemy as sa
from argon2 import PasswordHasher
from baloot.api.identity.v1 import identity_pb2 as pb
from baloot.core.access import Role
from baloot.core.errors import Reason, Refusal
from baloot.identity import schema
from baloot.identity.attempts import Attempts
from baloot.identity.families import IDLE, REPEATED
from baloot.identity.passwords import Passwords
from baloot.identity.records import SECOND
from baloot.identity.service import Identity
from baloot.kit.channels import open_channel
from baloot.kit.quotas import PUBLIC

from tests.identity.served import KEY, Clock, Served, Stub, fresh_id, serving

REPEATED_SECONDS, IDLE_SECONDS = REPEATED / SECOND, IDLE / SECOND


async def refused(served: Served, method: str, request: object) -> Refusal:
    with pytest.raises(Refusal) as refusal:
        await served.ask(method, request)
    return refusal.value


async def reason_of_refresh(served: Served, token: str, request_id: str = "") -> Reason:
    with pytest.raises(Refusal) as refusal:
        await served.refresh(token, request_id)
    return refusal.value.reason


async def sign_in(served: Served, name: str = "Noura", password: str = "correct horse") -> pb.SignInResponse:
    answer: pb.SignInResponse = await served.ask("SignIn", pb.SignInRequest(name=name, password=password))
    return answer


async def test_an_account_is_made_signed_in_and_told(served: Served) -> None:
    made = await served.sign_up("نورة", "correct horse")
    claims = await served.claims(made.tokens.access_token)
    assert claims["sub"] == made.account.account_id
    assert claims["roles"] == ["player", "spectator"]
    assert claims["exp"] - claims["iat"] == 600 == made.tokens.expires_in.seconds
    assert not {"scope", "key", "rate"} & claims.keys()
    again = await served.ask("SignIn", pb.SignInRequest(name=" نورة ", password="correct horse"))
    assert again.account == made.account
    assert again.tokens.refresh_token != made.tokens.refresh_token
    assert (await served.claims(again.tokens.access_token))["jti"] != claims["jti"]


async def test_the_same_sign_up_gives_the_same_account_and_refresh_token(served: Served) -> None:
    request = pb.SignUpRequest(name="Fahad", password="correct horse", request_id=fresh_id())
    first, second = await asyncio.gather(*(served.ask("SignUp", request) for _ in range(2)))
    assert first.account == second.account
    assert first.tokens.refresh_token == second.tokens.refresh_token
    for field, other in (("name", "Salem"), ("password", "another one")):
        changed = pb.SignUpRequest()
        changed.CopyFrom(request)
        setattr(changed, field, other)
        assert (await refused(served, "SignUp", changed)).reason is Reason.REQUEST_ID_REUSED


@pytest.mark.parametrize(
    ("taken", "wanted"),
    [
        ("Noura", "noura"),
        ("Noura", "\uff2e\uff4f\uff55\uff52\uff41"),
        ("STRASSE", "straße"),
        ("محمد", "مُحَمَّد"),
        ("محمد", "محـــمد"),
    ],
)
async def test_a_name_that_reads_the_same_is_taken(served: Served, taken: str, wanted: str) -> None:
    await served.sign_up(taken)
    with pytest.raises(Refusal) as refusal:
        await served.sign_up(wanted)
    assert (refusal.value.reason, refusal.value.field) == (Reason.NAME_TAKEN, "name")
    signed_in = await served.ask("SignIn", pb.SignInRequest(name=wanted, password="correct horse"))
    assert signed_in.account.name == taken


BAD = {
    "no name": ({"name": " "}, Reason.FIELD_REQUIRED, "name"),
    "a short name": ({"name": "ab"}, Reason.FIELD_INVALID, "name"),
    "a long name": ({"name": "a" * 33}, Reason.FIELD_INVALID, "name"),
    "a name of signs": ({"name": "a/b/c"}, Reason.FIELD_INVALID, "name"),
    "two spaces": ({"name": "a  bcd"}, Reason.FIELD_INVALID, "name"),
    "a hidden sign": ({"name": "ab\u200dcd"}, Reason.FIELD_INVALID, "name"),
    "blank letters": ({"name": "\u1160\u3164\uffa0"}, Reason.FIELD_INVALID, "name"),
    "marks in a heap": ({"name": "Noura" + "\u0301" * 9}, Reason.FIELD_INVALID, "name"),
    "nothing but marks": ({"name": "\u064b\u064b\u064b"}, Reason.FIELD_INVALID, "name"),
    "no password": ({"password": ""}, Reason.FIELD_REQUIRED, "password"),
    "a short password": ({"password": "1234567"}, Reason.FIELD_INVALID, "password"),
    "a long password": ({"password": "1" * 201}, Reason.FIELD_INVALID, "password"),
    "no request id": ({"request_id": ""}, Reason.FIELD_REQUIRED, "request_id"),
    "another request id": ({"request_id": "7"}, Reason.FIELD_INVALID, "request_id"),
}


@pytest.mark.parametrize("case", BAD)
async def test_what_cannot_be_is_refused_with_its_field(served: Served, case: str) -> None:
    wrong, reason, field = BAD[case]
    fields = {"name": "Noura", "password": "correct horse", "request_id": fresh_id(), **wrong}
    refusal = await refused(served, "SignUp", pb.SignUpRequest(**fields))
    assert (refusal.reason, refusal.field) == (reason, field)


@pytest.mark.parametrize(("name", "password"), [("Nobody", "correct horse"), ("Noura", "wrong horse")])
async def test_a_wrong_sign_in_tells_not_what_is_wrong_and_verifies_a_hash(
    served: Served, passwords: Passwords, monkeypatch: pytest.MonkeyPatch, name: str, password: str
) -> None:
    await served.sign_up("Noura")
    verified: list[tuple[str, str]] = []

    def matches(known: str, tried: str) -> bool:
        verified.append((known, tried))
        return False

    monkeypatch.setattr(passwords, "_matches", matches)
    refusal = await refused(served, "SignIn", pb.SignInRequest(name=name, password=password))
    assert refusal.reason is Reason.SIGN_IN_FAILED
    assert refusal.message == "there is no account with this name and password"
    ((known, tried),) = verified
    assert known.startswith("$argon2id$")
    assert tried == password


async def test_the_password_of_nobody_signs_nobody_in(passwords: Passwords) -> None:
    assert not await passwords.verify(None, "the password of nobody")
    assert await passwords.verify(await passwords.hash("correct horse"), "correct horse")


async def test_a_refresh_token_is_good_once(served: Served) -> None:
    first = (await served.sign_up()).tokens.refresh_token
    second = (await served.refresh(first)).refresh_token
    third = await served.refresh(second)
    assert len({first, second, third.refresh_token}) == 3
    assert (await served.claims(third.access_token))["roles"] == ["player", "spectator"]
    assert await reason_of_refresh(served, first) is Reason.REFRESH_REUSED
    assert await reason_of_refresh(served, third.refresh_token) is Reason.REFRESH_REUSED


async def test_a_sign_in_is_no_business_of_another(served: Served) -> None:
    made = await served.sign_up()
    other = await sign_in(served)
    await served.refresh(made.tokens.refresh_token)
    assert await reason_of_refresh(served, made.tokens.refresh_token) is Reason.REFRESH_REUSED
    assert (await served.refresh(other.tokens.refresh_token)).refresh_token


async def test_a_lost_answer_is_given_again(served: Served) -> None:
    first, request_id = (await served.sign_up()).tokens.refresh_token, fresh_id()
    answers = await asyncio.gather(*(served.refresh(first, request_id) for _ in range(8)))
    (second,) = {answer.refresh_token for answer in answers}
    assert (await served.refresh(first, request_id)).refresh_token == second
    assert (await served.refresh(second)).refresh_token != second


@pytest.mark.parametrize("case", ["another request", "a used answer", "too late"])
async def test_what_is_no_repetition_is_a_reuse(served: Served, clock: Clock, case: str) -> None:
    first, request_id = (await served.sign_up()).tokens.refresh_token, fresh_id()
    last = (await served.refresh(first, request_id)).refresh_token
    if case == "a used answer":
        last = (await served.refresh(last)).refresh_token
    if case == "too late":
        clock.pass_seconds(REPEATED_SECONDS + 1)
    tried = fresh_id() if case == "another request" else request_id
    assert await reason_of_refresh(served, first, tried) is Reason.REFRESH_REUSED
    assert await reason_of_refresh(served, last) is Reason.REFRESH_REUSED


async def test_the_same_request_id_with_the_next_token_gives_another_token(served: Served) -> None:
    tokens, request_id = [(await served.sign_up()).tokens.refresh_token], fresh_id()
    for _ in range(3):
        tokens.append((await served.refresh(tokens[-1], request_id)).refresh_token)
    assert len(set(tokens)) == 4


async def test_of_two_refreshes_at_once_one_is_answered_and_nobody_stays(served: Served) -> None:
    """By design: which of both holds the token by right cannot be known."""
    await served.sign_up()
    for _ in range(10):
        made = await sign_in(served)
        token = made.tokens.refresh_token
        answers = await asyncio.gather(*(served.refresh(token) for _ in range(2)), return_exceptions=True)
        (given,) = [answer for answer in answers if isinstance(answer, pb.Tokens)]
        (error,) = [answer for answer in answers if isinstance(answer, Refusal)]
        assert error.reason is Reason.REFRESH_REUSED
        assert await reason_of_refresh(served, given.refresh_token) is Reason.REFRESH_REUSED


async def test_a_sign_in_that_idles_for_30_days_is_over(served: Served, clock: Clock) -> None:
    token = (await served.sign_up()).tokens.refresh_token
    for _ in range(3):
        clock.pass_seconds(IDLE_SECONDS - 60)
        token = (await served.refresh(token)).refresh_token
    clock.pass_seconds(IDLE_SECONDS + 60)
    assert await reason_of_refresh(served, token) is Reason.REFRESH_INVALID


async def test_sign_ins_that_have_expired_are_forgotten(
    served: Served, identity: Identity, clock: Clock
) -> None:
    async def kept() -> int:
        async with identity.store._engine.connect() as connection:
            found = await connection.scalar(sa.select(sa.func.count()).select_from(schema.family))
            return int(found or 0)

    await served.sign_up()
    await sign_in(served)
    assert await kept() == 2
    clock.pass_seconds(IDLE_SECONDS + 60)
    await sign_in(served)
    assert await kept() == 1


async def test_signing_out_ends_the_sign_in_and_may_be_repeated(served: Served) -> None:
    first = (await served.sign_up()).tokens.refresh_token
    second = (await served.refresh(first)).refresh_token
    for _ in range(2):
        await served.ask("SignOut", pb.SignOutRequest(refresh_token=first))
    assert await reason_of_refresh(served, second) is Reason.REFRESH_INVALID


@pytest.mark.parametrize(
    "spoil", [lambda t: t[:-1], lambda t: t[:30] + "AAAA" + t[34:], lambda _: "", lambda _: "x"]
)
async def test_a_token_that_was_never_given_harms_nobody(served: Served, spoil: object) -> None:
    assert callable(spoil)
    token = (await served.sign_up()).tokens.refresh_token
    assert await reason_of_refresh(served, spoil(token)) is Reason.REFRESH_INVALID
    refusal = await refused(served, "SignOut", pb.SignOutRequest(refresh_token=spoil(token)))
    assert refusal.reason is Reason.REFRESH_INVALID
    assert (await served.refresh(token)).refresh_token


async def test_roles_and_being_shut_out_hold_from_the_next_refresh_on(
    served: Served, identity: Identity
) -> None:
    made = await served.sign_up()
    account_id = UUID(made.account.account_id)
    await identity.accounts.set_roles(account_id, frozenset({Role.REFEREE}))
    second = await served.refresh(made.tokens.refresh_token)
    assert (await served.claims(second.access_token))["roles"] == ["referee"]
    await identity.accounts.set_disabled(account_id, disabled=True)
    assert await reason_of_refresh(served, second.refresh_token) is Reason.REFRESH_INVALID
    refusal = await refused(served, "SignIn", pb.SignInRequest(name="Noura", password="correct horse"))
    assert refusal.reason is Reason.SIGN_IN_FAILED
    await identity.accounts.set_disabled(account_id, disabled=False)
    assert (await served.refresh(second.refresh_token)).refresh_token


async def test_a_weaker_hash_is_made_anew_at_the_next_sign_in(
    migrated_url: str, clock: Clock, served: Served
) -> None:
    await served.sign_up()
    stronger = Passwords(PasswordHasher(time_cost=2, memory_cost=16, parallelism=1))
    async with Identity(migrated_url, KEY, clock, passwords=stronger) as other:
        before, _ = await other.accounts.sign_in("Noura", "correct horse")
        after, _ = await other.accounts.sign_in("Noura", "correct horse")
    assert "m=8,t=1" in before.password_hash
    assert "m=16,t=2" in after.password_hash


async def test_a_lost_database_is_unavailable(passwords: Passwords) -> None:
    nowhere = Identity("postgresql://baloot@/x?host=/nowhere", KEY, Clock(), passwords=passwords)
    async with nowhere, serving(nowhere) as server, open_channel(server.address) as channel:
        served = Served(nowhere, server.address, channel, Stub(channel))
        refusal = await refused(served, "GetKeySet", pb.GetKeySetRequest())
    assert refusal.reason is Reason.UNAVAILABLE
    assert "/nowhere" not in refusal.message


async def test_a_process_that_dies_before_it_answers_loses_nothing(
    migrated_url: str, clock: Clock, passwords: Passwords, served: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first process writes the rotation and never answers; another one repeats the answer."""
    first, request_id = (await served.sign_up()).tokens.refresh_token, fresh_id()

    async def dies(*_: object) -> None:
        raise Refusal(Reason.UNAVAILABLE, "killed")

    monkeypatch.setattr(served.identity.signer, "for_account", dies)
    assert await reason_of_refresh(served, first, request_id) is Reason.UNAVAILABLE
    other = Identity(migrated_url, KEY, clock, passwords=passwords)
    async with other, serving(other) as server, open_channel(server.address) as channel:
        elsewhere = Served(other, server.address, channel, Stub(channel))
        second = await elsewhere.refresh(first, request_id)
        assert (await elsewhere.refresh(second.refresh_token)).refresh_token


@pytest.mark.parametrize("change", ["password", "shut out"])
async def test_a_sign_in_does_not_outlive_what_changed_while_its_password_was_verified(
    served: Served, monkeypatch: pytest.MonkeyPatch, change: str
) -> None:
    account = await served.sign_up("Noura", "correct horse")
    account_id = UUID(account.account.account_id)
    store, verify = served.identity.store, Passwords.verify

    async def slowly(self: Passwords, known: str | None, password: str) -> bool:
        right = await verify(self, known, password)
        if change == "password":
            await store.set_password(account_id, "another hash", revoked_at=None)
        else:
            await store.set_disabled(account_id, disabled=True)
        return right

    monkeypatch.setattr(Passwords, "verify", slowly)
    request = pb.SignInRequest(name="Noura", password="correct horse")
    assert (await refused(served, "SignIn", request)).reason is Reason.SIGN_IN_FAILED


async def test_guessing_is_limited_by_name_and_by_address(migrated_url: str, passwords: Passwords) -> None:
    async with (
        Identity(
            migrated_url, KEY, Clock(), passwords=passwords, attempts=Attempts(clock=lambda: 0)
        ) as identity,
        serving(identity, PUBLIC) as server,
        open_channel(server.address) as channel,
    ):
        served = Served(identity, server.address, channel, Stub(channel))
        request = pb.SignInRequest(password="wrong horse")
        for name in ("Noura", "noura", "NOURA", "noura", "Noura"):
            request.name = name
            assert (await refused(served, "SignIn", request)).reason is Reason.SIGN_IN_FAILED
        assert (await refused(served, "SignIn", request)).reason is Reason.RATE_LIMITED
        for n in range(25):
            request = pb.SignInRequest(name=f"Fahad {n}", password="wrong horse")
            assert (await refused(served, "SignIn", request)).reason is Reason.SIGN_IN_FAILED
        request = pb.SignInRequest(name="Huda", password="wrong horse")
        refusal = await refused(served, "SignIn", request)
        assert refusal.reason is Reason.RATE_LIMITED
        assert refusal.metadata == {"limit": "sign_ins"}
        assert 0 < refusal.retry_after <= 12 * 10**9


async def test_guessing_is_limited_by_name_where_addresses_are_not_looked_at(
    migrated_url: str, passwords: Passwords
) -> None:
    async with (
        Identity(
            migrated_url, KEY, Clock(), passwords=passwords, attempts=Attempts(clock=lambda: 0)
        ) as identity,
        serving(identity) as server,
        open_channel(server.address) as channel,
    ):
        served = Served(identity, server.address, channel, Stub(channel))
        one = pb.SignInRequest(name="Noura", password="wrong horse")
        for _ in range(5):
            assert (await refused(served, "SignIn", one)).reason is Reason.SIGN_IN_FAILED
        one.name = "NOURA"
        assert (await refused(served, "SignIn", one)).reason is Reason.RATE_LIMITED
        other = pb.SignInRequest(name="Fahad", password="wrong horse")
        assert (await refused(served, "SignIn", other)).reason is Reason.SIGN_IN_FAILED
