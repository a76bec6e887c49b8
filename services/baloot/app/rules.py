"""The four rule services for a table: in this process, or wherever an address says."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from baloot.bidding.client import RemoteBidding
from baloot.bidding.local import LocalBidding
from baloot.dealing.client import RemoteDealing
from baloot.dealing.local import LocalDealing
from baloot.kit.channels import open_channel
from baloot.play.client import RemotePlay
from baloot.play.local import LocalPlay
from baloot.scoring.client import RemoteScoring
from baloot.scoring.local import LocalScoring

NAMES = ("dealing", "bidding", "play", "scoring")


@dataclass(frozen=True, slots=True)
class LocalRules:
    """The four as plain calls in this process. Implements `baloot.table.rules.Rules`."""

    dealing: LocalDealing
    bidding: LocalBidding
    play: LocalPlay
    scoring: LocalScoring


@dataclass(frozen=True, slots=True)
class RemoteRules:
    """The four over gRPC. Implements `baloot.table.rules.Rules`."""

    dealing: RemoteDealing
    bidding: RemoteBidding
    play: RemotePlay
    scoring: RemoteScoring


def local_rules(dealing_key: bytes) -> LocalRules:
    """All four in this process. `dealing_key` seals the seeds of the deals: 32 bytes."""
    return LocalRules(LocalDealing(dealing_key), LocalBidding(), LocalPlay(), LocalScoring())


@asynccontextmanager
async def remote_rules(addresses: Mapping[str, str]) -> AsyncIterator[RemoteRules]:
    """All four over gRPC. `addresses` has one for each of NAMES."""
    async with AsyncExitStack() as stack:
        channels = {name: await stack.enter_async_context(open_channel(addresses[name])) for name in NAMES}
        yield RemoteRules(
            RemoteDealing(channels["dealing"]),
            RemoteBidding(channels["bidding"]),
            RemotePlay(channels["play"]),
            RemoteScoring(channels["scoring"]),
        )
