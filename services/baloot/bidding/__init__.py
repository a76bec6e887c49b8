"""The bidding service: who buys the up card, as what, and how far the round is raised."""
