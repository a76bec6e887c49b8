"""Commands that wait for a database which does not answer end as soon as they are stopped."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys

import pytest
from baloot.app.work import INTERRUPTED

COMMAND = [sys.executable, "-c", "from baloot.app.cli import main; main()"]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    "command", ["audit --all", "history rebuild", "monitor deals", "keys list NAME", "migrate"]
)
def test_a_silent_database_holds_no_stop_up(command: str, number: signal.Signals) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        silent.settimeout(60)
        url = f"postgresql://baloot@127.0.0.1:{silent.getsockname()[1]}/none"
        process = subprocess.Popen(
            [*COMMAND, *command.split(), "--database", url], stderr=subprocess.PIPE, text=True
        )
        try:
            with silent.accept()[0]:
                process.send_signal(number)
                _, told = process.communicate(timeout=20)
        finally:
            process.kill()
    assert process.returncode == INTERRUPTED, told
    assert "Traceback" not in told
