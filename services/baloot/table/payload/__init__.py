"""An entry as it is written in the log: what everybody may see in one half, what is secret in the other.

The open half is what `views.project` shows to everybody, so nothing hidden can slip into it. Both halves together give
the entry back as it was.
"""

from baloot.table.payload.entry import Facts, Unreadable, decode, encode

__all__ = ["Facts", "Unreadable", "decode", "encode"]
