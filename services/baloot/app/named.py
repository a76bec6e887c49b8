"""What people name on a command line: matches and tables by their ids, files, and servers by their addresses."""

from __future__ import annotations

from uuid import UUID

from baloot.app.errors import SetupError


def match_named(text: str) -> UUID:
    """The id of a match. Raises SetupError for what is none, with where the ids are."""
    return _named("match", text)


def table_named(text: str) -> UUID:
    """The id of a table, which is that of its match. Raises SetupError for what is none, with where the ids are."""
    return _named("table", text)


def is_id(text: str) -> bool:
    """Whether a text is an id; else it may be the name of a file."""
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def unreadable(file: str, error: OSError) -> str:
    """Why a file that was named cannot be read, in words."""
    if isinstance(error, FileNotFoundError):
        return f"there is no file {file}"
    return f"the file {file} cannot be read: {error.strerror}"


def require_address(address: str) -> None:
    """Raises SetupError for no address at all, of which gRPC would speak in its own words."""
    if not address.strip():
        raise SetupError("the address of the server is empty: it is HOST:PORT or unix:/path")


def _named(what: str, text: str) -> UUID:
    if not is_id(text):
        raise SetupError(f"{text} is not the id of a {what}: that is a UUID, as `baloot history` lists them")
    return UUID(text)
