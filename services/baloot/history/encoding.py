"""Replays as bytes: the very ones that the streams of a table are made of."""

from __future__ import annotations

from baloot.api.history.v1 import history_pb2 as pb
from baloot.history.replays import Replay
from baloot.table.encoding import entry_bytes, field_bytes, fields_bytes, view_bytes
from baloot.table.views import Viewer


def replay_bytes(replay: Replay) -> bytes:
    """The `Replay` as its viewers see it."""
    frame = pb.Replay(number=replay.number, first_sequence=replay.first, last_sequence=replay.last)
    seen = [_seen(replay, viewer) for viewer in replay.eyes.viewers]
    return frame.SerializeToString() + fields_bytes(pb.Replay.SEEN_FIELD_NUMBER, seen)


def replay_response(replay: Replay) -> bytes:
    """The `GetReplayResponse`."""
    return field_bytes(pb.GetReplayResponse.REPLAY_FIELD_NUMBER, replay_bytes(replay))


def shared_response(shared: pb.GetSharedResponse, replay: Replay | None) -> bytes:
    """The `GetSharedResponse` with the replay that it was asked for."""
    told = shared.SerializeToString()
    if replay is None:
        return told
    return told + field_bytes(pb.GetSharedResponse.REPLAY_FIELD_NUMBER, replay_bytes(replay))


def _seen(replay: Replay, viewer: Viewer) -> bytes:
    view = field_bytes(pb.SeenRound.VIEW_FIELD_NUMBER, view_bytes(replay.state, viewer))
    entries = [entry_bytes(None, entry, viewer) for entry in replay.entries]
    return view + fields_bytes(pb.SeenRound.ENTRIES_FIELD_NUMBER, entries)
