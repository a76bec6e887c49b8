"""The notation for Baloot: whole matches as text and as JSON, both ways (NOTATION.md).

`read` takes lines and gives one `Transcript` after the other, `write` gives the text back; nothing is lost between them.
"""

from baloot.notation.errors import NotationError, ShapeError
from baloot.notation.json import from_json, to_json
from baloot.notation.reader import parse, read
from baloot.notation.writer import text, write

__all__ = ["NotationError", "ShapeError", "from_json", "parse", "read", "text", "to_json", "write"]
