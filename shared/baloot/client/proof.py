"""The proof file of a match: its log in JSON, as DEALS.md tells it, for verifiers that know nothing of gRPC."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from baloot.api.history.v1.history_pb2 import LogEntry

FORMAT = "baloot-proof/1"


def proof_file(match_id: UUID, entries: Iterable[LogEntry], *, complete: bool) -> dict[str, Any]:
    """The file of a match whose log was fetched; `complete` says that its last entry is the last of the match."""
    told = [_entry(entry) for entry in entries]
    return {"format": FORMAT, "match": match_id.hex, "complete": complete, "entries": told}


def written(proof: dict[str, Any]) -> str:
    """The file as text, an entry a line."""
    head = json.dumps({name: value for name, value in proof.items() if name != "entries"})
    lines = ",\n".join(json.dumps(entry) for entry in proof["entries"])
    return f'{head[:-1]}, "entries": [\n{lines}\n]}}\n'


def _entry(entry: LogEntry) -> dict[str, Any]:
    return {
        "n": entry.sequence,
        "at": entry.accepted_micros,
        "actor": entry.actor,
        "by_default": entry.by_default,
        "payload": b64encode(entry.payload).decode("ascii"),
        "secret": entry.secret_hash.hex(),
        "chain": entry.chain.hex(),
    }
