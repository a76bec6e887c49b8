"""What a person who starts something must set right."""

from __future__ import annotations


class SetupError(Exception):
    """Something that whoever starts a server must set right. The message is one line."""
