"""What is released: one wheel that holds both source roots."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).resolve().parents[2]


def test_the_wheel_holds_both_roots(tmp_path: Path) -> None:
    """Every file of both roots is in the wheel under baloot/, and so are no others."""
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    subprocess.run(
        command, cwd=ROOT, check=True, capture_output=True, env=os.environ | {"SOURCE_DATE_EPOCH": "0"}
    )
    (wheel,) = tmp_path.glob("baloot_services-*.whl")
    with ZipFile(wheel) as archive:
        held = {name for name in archive.namelist() if name.startswith("baloot/")}
        metadata = {name.rpartition("/")[2] for name in archive.namelist()} - held

    there = {
        f.relative_to(root).as_posix()
        for root in (ROOT / "shared", ROOT / "services")
        for f in (root / "baloot").rglob("*")
        if f.is_file() and "__pycache__" not in f.parts
    }
    assert held == there
    assert {"METADATA", "entry_points.txt", "LICENSE"} <= metadata
