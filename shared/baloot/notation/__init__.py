"""The notation for Baloot: whole matches as text and as JSON, both ways (NOTATION.md).

`read` takes lines and gives one `Transcript` after the other, `write` gives the text back; nothing is lost between them.
`located` gives each with its text, for whoever judges it further.
"""

from baloot.notation.errors import NotationError, ShapeError
from baloot.notation.json import from_json, to_json
from baloot.notation.located import Located
from baloot.notation.reader import located, parse, read
from baloot.notation.writer import text, write

__all__ = [
    "Located",
    "NotationError",
    "ShapeError",
    "from_json",
    "located",
    "parse",
    "read",
    "text",
    "to_json",
    "write",
]
