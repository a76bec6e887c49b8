"""Accounts of one's own: who signs in, what he may be, and the tokens and API keys that say so."""
