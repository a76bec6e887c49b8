"""Generate the Python of the protos, which is checked in beside the code that uses it.

A proto's path is its Python path: protos/baloot/api/core/v1/cards.proto becomes
shared/baloot/api/core/v1/cards_pb2.py, imported as baloot.api.core.v1.cards_pb2.

    python protos/generate.py            write it
    python protos/generate.py --check    only say whether what is there is fresh
"""

from __future__ import annotations

import argparse
import filecmp
import re
import shutil
import sys
import tempfile
from pathlib import Path

import grpc_tools
from grpc_tools import protoc

PROTOS = Path(__file__).resolve().parent
SHARED = PROTOS.parent / "shared"
GENERATED = ("baloot/api", "baloot/store")
INIT = '"""Generated from protos/{package}; `make gen` writes it anew."""\n'


def has_services(proto: Path) -> bool:
    return re.search(r"^service\s", proto.read_text(encoding="utf-8"), re.MULTILINE) is not None


def generate(out: Path) -> None:
    """Write the Python of every proto, and the packages that hold it, below the empty folder `out`."""
    protos = sorted(p for part in GENERATED for p in (PROTOS / part).rglob("*.proto"))
    run_protoc(protos, f"--python_out={out}", f"--mypy_out=quiet:{out}")
    run_protoc(
        [p for p in protos if has_services(p)],
        f"--grpc_python_out={out}",
        f"--mypy_grpc_out=quiet,only_async:{out}",
    )
    for part in GENERATED:
        root = out / part
        root.mkdir(parents=True, exist_ok=True)
        (root / "py.typed").touch()
        for folder in [root, *(f for f in root.rglob("*") if f.is_dir())]:
            package = folder.relative_to(out).as_posix()
            (folder / "__init__.py").write_text(INIT.format(package=package), encoding="utf-8")


def run_protoc(protos: list[Path], *outputs: str) -> None:
    if not protos:
        return
    binaries = Path(sys.executable).parent
    code = protoc.main(
        [
            "protoc",
            f"--proto_path={PROTOS}",
            f"--proto_path={Path(grpc_tools.__file__).parent / '_proto'}",
            f"--plugin=protoc-gen-mypy={binaries / 'protoc-gen-mypy'}",
            f"--plugin=protoc-gen-mypy_grpc={binaries / 'protoc-gen-mypy_grpc'}",
            *outputs,
            *(str(p.relative_to(PROTOS)) for p in protos),
        ]
    )
    if code != 0:
        sys.exit(code)


def files(root: Path) -> set[str]:
    """Every generated file below `root`, by its path from there."""
    found = (f for part in GENERATED for f in (root / part).rglob("*") if f.is_file())
    return {f.relative_to(root).as_posix() for f in found if "__pycache__" not in f.parts}


def differences(fresh: Path, checked_in: Path) -> list[str]:
    there, wanted = files(checked_in), files(fresh)
    changed = {f for f in there & wanted if not filecmp.cmp(fresh / f, checked_in / f, shallow=False)}
    return sorted((there ^ wanted) | changed)


def main() -> None:
    parser = argparse.ArgumentParser(description="Generate the Python of the protos.")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if it is not fresh")
    check = parser.parse_args().check

    with tempfile.TemporaryDirectory() as temporary:
        fresh = Path(temporary)
        generate(fresh)
        stale = differences(fresh, SHARED)
        if check:
            if stale:
                sys.exit("not what the protos give (make gen writes it anew):\n  " + "\n  ".join(stale))
            return
        for name in stale:
            target = SHARED / name
            if (fresh / name).exists():
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(fresh / name, target)
            else:
                target.unlink()
    print(f"protos: {len(stale)} generated files changed")


if __name__ == "__main__":
    main()
