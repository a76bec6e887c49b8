"""Bots: ordinary clients of the public API that play a seat as well as its own view allows."""
