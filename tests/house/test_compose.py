"""The commands of deploy/compose.yaml do what they are there for; here on free ports, without containers."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML

from tests.e2e.servers import ServerProcess, free_port
from tests.waiting import eventually

COMPOSE = Path(__file__).resolve().parents[2] / "deploy" / "compose.yaml"
BALOOT = Path(sys.executable).parent / "baloot"


def test_the_services_start_and_are_well(database_url: str, tmp_path: Path) -> None:
    """Migrated and started as compose does it, each service says that it is well, the table and history too."""
    services: dict[str, Any] = YAML(typ="safe").load(COMPOSE)["services"]
    serving = {name: s for name, s in services.items() if "healthcheck" in s and name != "postgres"}
    ports = {name: free_port() for name in serving}

    def here(text: str) -> str:
        """What stands in the compose file, for this machine."""
        for name, port in ports.items():
            there = serving[name]["environment"]["BALOOT_LISTEN"].rpartition(":")[2]
            text = text.replace(f"{name}:{there}", f"127.0.0.1:{port}").replace(f":{there}", f":{port}")
        text = re.sub(r"\$\{\w+:-(.*?)\}", r"\1", text)  # a variable that nobody has set
        text = text.replace("/run/secrets/", f"{tmp_path}/").replace("0.0.0.0", "127.0.0.1")
        return database_url if text.startswith("postgresql://") else text

    def environment(service: dict[str, Any]) -> dict[str, str]:
        return {name: here(value) for name, value in service.get("environment", {}).items()}

    migrate = services["migrate"]
    subprocess.run([BALOOT, *migrate["command"]], env=environment(migrate), check=True, capture_output=True)
    servers = {
        name: ServerProcess(tmp_path, *map(here, s["command"]), environment=environment(s), port=ports[name])
        for name, s in serving.items()
    }
    try:
        for server in servers.values():
            server.start()
        for name, service in serving.items():
            command = [str(BALOOT), *map(here, service["healthcheck"]["test"][2:])]
            assert eventually(partial(succeeds, command)), f"{name}: {servers[name].said()}"
    finally:
        for server in servers.values():
            server.kill()


def succeeds(command: list[str]) -> bool:
    return subprocess.run(command, capture_output=True, check=False).returncode == 0
