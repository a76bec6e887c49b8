"""The files in deploy/: checked by `make deploy-check`, and by what only we can know."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
DOCKERFILE = ROOT / "deploy" / "Dockerfile"
COMPOSE = ROOT / "deploy" / "compose.yaml"
RULES = {"dealing": 7001, "bidding": 7002, "play": 7003, "scoring": 7004}
PUBLIC = {"table": 7010, "history": 7020, "identity": 7030}
PORTS = RULES | PUBLIC


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    loaded: dict[str, Any] = YAML(typ="safe").load(COMPOSE)["services"]
    return loaded


def passes(tool: str, *arguments: str | Path) -> bool:
    return subprocess.run([BIN / tool, *arguments], capture_output=True, check=False).returncode == 0


def compose_passes(file: Path) -> bool:
    return passes("check-jsonschema", "--builtin-schema", "vendor.compose-spec", file)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("condition: service_healthy", "condition: is_healthy"),
        ("read_only: true", "readonly: true"),
        ("stop_grace_period: 1m", "stop_grace_period: [1m]"),
    ],
)
def test_a_mistake_in_the_compose_file_is_caught(right: str, wrong: str, tmp_path: Path) -> None:
    """What `make deploy-check` runs refuses a file that compose would refuse."""
    text = COMPOSE.read_text(encoding="utf-8")
    assert right in text
    (tmp_path / "compose.yaml").write_text(text.replace(right, wrong), encoding="utf-8")

    assert compose_passes(COMPOSE)
    assert not compose_passes(tmp_path / "compose.yaml")


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("USER 65532:65532", "USER root"), ("WORKDIR /tmp", "WORKDIR tmp"), ("ENTRYPOINT", "ENTRYPONT")],
)
def test_a_mistake_in_the_dockerfile_is_caught(right: str, wrong: str, tmp_path: Path) -> None:
    """What `make deploy-check` runs refuses a careless or broken Dockerfile."""
    text = DOCKERFILE.read_text(encoding="utf-8")
    assert right in text
    (tmp_path / "Dockerfile").write_text(text.replace(right, wrong), encoding="utf-8")

    assert passes("hadolint", DOCKERFILE)
    assert not passes("hadolint", tmp_path / "Dockerfile")


def test_each_service_runs_on_its_own(services: dict[str, Any]) -> None:
    """Each of the seven services has a container, at its port, that says whether it is well."""
    for name, port in PORTS.items():
        service = services[name]
        assert service["command"][:2] == ["serve", name]
        assert service["environment"]["BALOOT_LISTEN"] == f"0.0.0.0:{port}"
        assert service["healthcheck"]["test"] == ["CMD", "baloot", "health", f"127.0.0.1:{port}"]


def test_the_table_asks_the_rule_services(services: dict[str, Any]) -> None:
    """The table knows where each rule service listens, and waits for it."""
    assert services["table"]["command"][2:] == [f"--rules={n}=dns:///{n}:{PORTS[n]}" for n in RULES]
    assert set(services["table"]["depends_on"]) == {"migrate", *RULES}


def test_only_what_players_call_is_published(services: dict[str, Any]) -> None:
    """The rule services and the database are reached from inside only; the rest from this machine only."""
    published = {name: service["ports"] for name, service in services.items() if "ports" in service}
    assert published == {n: [f"127.0.0.1:{PORTS[n]}:{PORTS[n]}"] for n in PUBLIC}


def test_a_key_is_held_by_one_service_alone(services: dict[str, Any]) -> None:
    """The key that seals deals is given to dealing alone, and the one that seals signing keys to identity."""
    held = {name: service["secrets"] for name, service in services.items() if "secrets" in service}
    assert held == {"dealing": ["dealing_key"], "identity": ["identity_key"]}


def test_containers_can_do_little(services: dict[str, Any]) -> None:
    """Our containers cannot write to their own files, gain rights or be root."""
    ours = {name: service for name, service in services.items() if name != "postgres"}
    assert all(s["read_only"] and s["cap_drop"] == ["ALL"] and "user" not in s for s in ours.values())
    assert "no-new-privileges:true" in services["table"]["security_opt"]
    assert "\nUSER 65532:65532\n" in DOCKERFILE.read_text(encoding="utf-8")
