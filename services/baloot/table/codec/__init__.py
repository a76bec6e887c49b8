"""A table on the wire: what a viewer sees, as messages. Only the types that `views` lets out can be encoded."""

from baloot.table.codec.deals import encode_openings
from baloot.table.codec.entry import (
    encode_entry,
    encode_event,
    encode_question,
    encode_used,
    encode_who,
)
from baloot.table.codec.match import FORFEIT_REASON
from baloot.table.codec.settings import decode_absence, encode_settings
from baloot.table.codec.table import STATUS, encode_banks, encode_table
from baloot.table.codec.times import decode_duration, decode_time, encode_duration, encode_time, readable

__all__ = [
    "FORFEIT_REASON",
    "STATUS",
    "decode_absence",
    "decode_duration",
    "decode_time",
    "encode_banks",
    "encode_duration",
    "encode_entry",
    "encode_event",
    "encode_openings",
    "encode_question",
    "encode_settings",
    "encode_table",
    "encode_time",
    "encode_used",
    "encode_who",
    "readable",
]
