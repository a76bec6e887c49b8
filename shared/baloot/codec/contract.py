"""Contracts on the wire."""

from __future__ import annotations

from baloot.api.core.v1 import contract_pb2 as pb
from baloot.codec.enums import BIDDING, LEVEL, MODE, SEAT, SUIT
from baloot.codec.fields import decode_each, invalid
from baloot.core.contract import Contract, Level, Raise


def encode_raise(step: Raise) -> pb.Raise:
    return pb.Raise(seat=SEAT.encode(step.seat), level=LEVEL.encode(step.level), locked=step.locked)


def decode_raise(message: pb.Raise, path: str) -> Raise:
    level = LEVEL.decode(message.level, f"{path}.level")
    if level is Level.SINGLE:
        raise invalid(f"{path}.level", "is single, which is no raise")
    return Raise(SEAT.decode(message.seat, f"{path}.seat"), level, message.locked)


def encode_contract(contract: Contract) -> pb.Contract:
    return pb.Contract(
        mode=MODE.encode(contract.mode),
        trump=SUIT.encode_optional(contract.trump),
        buyer=SEAT.encode(contract.buyer),
        taker=SEAT.encode(contract.taker),
        bidding=BIDDING.encode(contract.bidding),
        raises=[encode_raise(step) for step in contract.raises],
    )


def decode_contract(message: pb.Contract, path: str) -> Contract:
    """Raises Refusal. A message that is unset is refused for its mode."""
    return Contract(
        mode=MODE.decode(message.mode, f"{path}.mode"),
        trump=SUIT.decode_optional(message.trump, f"{path}.trump"),
        buyer=SEAT.decode(message.buyer, f"{path}.buyer"),
        taker=SEAT.decode(message.taker, f"{path}.taker"),
        bidding=BIDDING.decode(message.bidding, f"{path}.bidding"),
        raises=decode_each(decode_raise, message.raises, f"{path}.raises", most=len(Level) - 1),
    )
