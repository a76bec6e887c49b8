"""Where the keys of an issuer come from, how often they are read, and which are of use."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from baloot.kit.keysets import COOLDOWN, MAX_AGE, MAX_BYTES, KeySet, KeysUnavailable, source, usable

from tests.kit.issuing import Issuing, public


class World:
    def __init__(self) -> None:
        self.now = 1000.0
        self.issuing = Issuing()
        self.keys = KeySet(self.issuing.source, lambda: self.now, gap=0)

    async def known(self, kid: str) -> bool:
        return await self.keys.key(kid) is not None


async def test_keys_that_are_known_are_not_read_again() -> None:
    world = World()
    assert all([await world.known("key-1") for _ in range(5)])
    assert world.issuing.read == 1


async def test_a_new_key_is_found_at_once_and_the_old_one_stays() -> None:
    world = World()
    assert await world.known("key-1")
    assert not await world.known("made-up")
    world.issuing.rotate()
    assert await world.known("key-2")
    assert await world.known("key-1")


async def test_made_up_keys_do_not_make_us_read_again_and_again() -> None:
    world = World()
    for _ in range(100):
        world.now += COOLDOWN / 50.1
        assert not await world.known("made-up")
    assert world.issuing.read == 2


async def test_many_made_up_keys_share_their_readings_and_a_new_one_is_found_among_them() -> None:
    issuing = Issuing()
    keys = KeySet(issuing.source, gap=0.2)
    assert await keys.key("key-1")
    began = asyncio.get_running_loop().time()
    made_up = [asyncio.create_task(keys.key(f"made-up-{n}")) for n in range(200)]
    await asyncio.sleep(0)
    issuing.rotate()
    assert await keys.key("key-2")
    assert await asyncio.gather(*made_up) == [None] * 200
    assert asyncio.get_running_loop().time() - began < 5
    assert issuing.read <= 3


async def test_an_issuer_that_is_away_is_not_asked_for_every_call() -> None:
    issuing = Issuing()
    issuing.away = True
    keys = KeySet(issuing.source, lambda: 1000.0, gap=1)
    for n in range(20):
        with pytest.raises(KeysUnavailable):
            await keys.key(f"key-{n}")
    assert issuing.read == 1


async def test_many_who_need_a_key_at_once_read_it_once() -> None:
    world = World()
    assert all(await asyncio.gather(*(world.known("key-1") for _ in range(50))))
    assert world.issuing.read == 1


async def test_a_key_that_was_withdrawn_goes() -> None:
    world = World()
    world.issuing.rotate()
    assert await world.known("key-1")
    del world.issuing.keys["key-1"]
    assert await world.known("key-1")
    world.now += MAX_AGE
    assert not await world.known("key-1")


async def test_while_they_cannot_be_read_the_keys_that_are_known_stay() -> None:
    world = World()
    assert await world.known("key-1")
    world.issuing.away = True
    world.now += MAX_AGE
    assert await world.known("key-1")
    with pytest.raises(KeysUnavailable):
        await world.known("key-2")


def test_only_public_keys_for_our_algorithms_are_of_use() -> None:
    issuing = Issuing()
    issuing.rotate("ES256")
    good = issuing.jwks()["keys"]
    first = good[0]
    bad: list[Any] = [
        {"kty": "oct", "k": "c2VjcmV0", "kid": "symmetric", "alg": "HS256"},
        {**first, "kid": "for sealing", "use": "enc"},
        {**first, "kid": 7},
        {name: value for name, value in first.items() if name != "kid"},
        {**first, "kid": "broken", "x": "??"},
        {**first, "kid": "lying", "alg": "HS256"},
        {"kty": "RSA", "kid": "rsa", "n": "AQAB", "e": "AQAB"},
        "key",
        None,
    ]
    assert list(usable({"keys": [*bad, *good]})) == ["key-1", "key-2"]
    other = {**public(Issuing().keys["key-1"][0]), "kid": "key-1"}
    assert usable({"keys": [first, other]})["key-1"].key == usable({"keys": [first]})["key-1"].key
    others: list[dict[str, Any]] = [{}, {"keys": {}}, {"keys": None}]
    for wrong in others:
        with pytest.raises(ValueError, match="list of keys"):
            usable(wrong)


# Files and URLs.


async def test_keys_are_read_from_a_file(tmp_path: Path) -> None:
    issuing, path = Issuing(), tmp_path / "jwks.json"
    path.write_text(json.dumps(issuing.jwks()))
    assert list(usable(await source(str(path))())) == ["key-1"]
    path.write_text(" " * (MAX_BYTES + 1))
    with pytest.raises(ValueError, match="at most"):
        await source(str(path))()


@contextmanager
def web(answers: dict[str, tuple[int, bytes, dict[str, str]]], done: set[str] | None = None) -> Iterator[str]:
    """A web server of these answers; the paths of those that were taken to the end go into `done`."""
    taken = set() if done is None else done

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            code, body, headers = answers[self.path]
            self.send_response(code)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)
            taken.add(self.path)

        def handle(self) -> None:
            with suppress(ConnectionError):
                super().handle()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


async def test_keys_are_read_from_a_url() -> None:
    good = json.dumps(Issuing().jwks()).encode()
    answers: dict[str, tuple[int, bytes, dict[str, str]]] = {
        "/jwks": (200, good, {}),
        "/large": (200, b" " * (400 * MAX_BYTES) + good, {}),
        "/gone": (404, good, {}),
        "/moved": (302, b"", {"Location": "/jwks"}),
        "/list": (200, b"[]", {}),
    }
    done: set[str] = set()
    with web(answers, done) as address:
        assert list(usable(await source(f"{address}/jwks")())) == ["key-1"]
        for path in ("/large", "/gone", "/moved", "/list"):
            with pytest.raises((ValueError, OSError)):
                await source(address + path)()
    assert "/jwks" in done
    assert "/large" not in done, "it was read to its end"


@pytest.mark.parametrize("place", ["file:///etc/passwd", "ftp://a/b", "data://x"])
def test_other_urls_are_none(place: str) -> None:
    with pytest.raises(ValueError, match="http"):
        source(place)
