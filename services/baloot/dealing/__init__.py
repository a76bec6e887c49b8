"""Dealing: verifiable shuffles, who deals, and seeds that only this service can open (rules 2.2 to 2.4)."""
