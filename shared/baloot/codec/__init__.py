"""The vocabulary on the wire: core values to baloot.api.core.v1 messages and back, total in both directions.

Encoding takes every value of the core. Decoding gives a value of the core or raises Refusal with the field's path: it
refuses what no such value can hold (an enum value that is unset or unknown, a card twice in a hand) and lists that are
too long. Whether the value makes sense in the game is for the rules to say, so that they say it in every wiring.
"""
