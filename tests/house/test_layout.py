"""What holds for the repository as a whole."""

from __future__ import annotations

import os
import re
import subprocess
import tomllib
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[2]
SOURCE_ROOTS = (ROOT / "shared" / "baloot", ROOT / "services" / "baloot")
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def committed() -> list[Path]:
    """The text files that git knows, or all that is not ignored, where they still exist."""
    command = ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True).stdout
    files = (ROOT / name for name in listed.split("\0") if name)
    return [f for f in files if f.is_file() and f.suffix not in {".binpb", ".png"}]


def documents() -> list[Path]:
    return [f for f in committed() if f.suffix == ".md"]


def requirements(*groups: str) -> list[Requirement]:
    """What the groups state; `project` is what the project itself depends on."""
    stated = list(PROJECT["project"]["dependencies"]) if "project" in groups else []
    for group in set(groups) - {"project"}:
        stated += [line for line in PROJECT["dependency-groups"][group] if isinstance(line, str)]
    return [Requirement(line) for line in stated]


def locked(lock: str) -> dict[str, str]:
    """The version that a lock has of each distribution."""
    text = (ROOT / lock).read_text(encoding="utf-8")
    return dict(re.findall(r"^([\w.-]+)==([\w.]+)", text, flags=re.MULTILINE))


@pytest.mark.parametrize("root", SOURCE_ROOTS, ids=lambda root: root.parent.name)
def test_the_namespace_has_no_init(root: Path) -> None:
    """With an __init__.py in one source root, Python would no longer see the other."""
    assert not (root / "__init__.py").exists()


@pytest.mark.parametrize("root", SOURCE_ROOTS, ids=lambda root: root.parent.name)
def test_each_package_is_typed(root: Path) -> None:
    """Each package below a source root is a regular package whose types are for its users too."""
    packages = {f.relative_to(root).parts[0] for f in root.glob("*/**/*.py")}
    lacking = [
        f"{p}/{name}"
        for p in sorted(packages)
        for name in ("__init__.py", "py.typed")
        if not (root / p / name).is_file()
    ]
    assert lacking == []


def test_the_version_is_stated_once() -> None:
    """What is installed is what pyproject.toml states."""
    assert version(PROJECT["project"]["name"]) == PROJECT["project"]["version"]


def test_nothing_names_a_machine() -> None:
    """No file names a package registry's host, or a place on somebody's machine."""
    hosts = r"pythonhosted\.(?:org|com)|pypi\.(?:org|python\.org)|registry\.npmjs|deb\.debian\.org"
    places = r"(?<![\w.~$}/-])/(?:work|root|home/(?!somebody/)\w+|Users/\w+)/"
    named = re.compile(f"{hosts}|{places}")
    found = [
        f"{f.relative_to(ROOT)}:{number}: {line.strip()}"
        for f in committed()
        if f != Path(__file__)
        for number, line in enumerate(f.read_text(encoding="utf-8").splitlines(), 1)
        if named.search(line)
    ]
    assert found == []


def test_links_resolve() -> None:
    """A link in a document leads to a file that is there, and to a heading in it."""
    dead = []
    for document in documents():
        text = document.read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)\s]+)\)", without_code(text)):
            if re.match(r"[a-z]+:", target):
                continue
            path, _, anchor = target.partition("#")
            file = (document.parent / path).resolve() if path else document
            if not file.exists() or (anchor and anchor not in anchors(file)):
                dead.append(f"{document.relative_to(ROOT)}: {target}")
    assert dead == []


def without_code(markdown: str) -> str:
    return re.sub(r"```.*?```|`[^`\n]*`", "", markdown, flags=re.DOTALL)


def anchors(document: Path) -> set[str]:
    """The names that a document's headings can be linked by."""
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    headings = re.findall(r"^#+ +(.+?) *$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize(
    ("lock", "groups"),
    [
        ("requirements.txt", ("project",)),
        ("requirements-dev.txt", ("project", "build", "dev")),
        ("requirements-build.txt", ("build",)),
        ("requirements-mutants.txt", ("mutants",)),
    ],
    ids=str,
)
def test_the_lock_fits(lock: str, groups: tuple[str, ...]) -> None:
    """Each dependency that pyproject.toml states is locked at a version that fits; `make lock` does it."""
    versions = locked(lock)
    unfit = [
        str(r)
        for r in requirements(*groups)
        if not r.specifier.contains(versions.get(canonicalize_name(r.name), "0"), prereleases=True)
    ]
    assert unfit == []


def test_the_mutation_tool_changes_no_other() -> None:
    """What `make mutants` installs on top is locked at the same versions as for development."""
    dev, mutants = locked("requirements-dev.txt"), locked("requirements-mutants.txt")
    assert {name for name in dev.keys() & mutants.keys() if dev[name] != mutants[name]} == set()


def test_each_dependency_has_its_reason() -> None:
    """CONTRIBUTING.md says why each dependency is there, and names none that is not."""
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.split("\n## Dependencies\n")[1].split("\n## ")[0]
    cells = re.findall(r"^\| (`[^|]+) \|", section, flags=re.MULTILINE)
    reasons = {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
    assert reasons == {r.name for r in requirements("project", "build", "dev", "mutants")}


def test_make_lists_its_targets() -> None:
    """`make` alone tells every target that there is."""
    text = (ROOT / "Makefile").read_text(encoding="utf-8")
    phony = re.search(r"^\.PHONY: (.+)$", text, flags=re.MULTILINE)
    assert phony is not None
    # As from a shell, even when it was make that started this test.
    outside = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    shown = subprocess.run(["make"], cwd=ROOT, env=outside, capture_output=True, check=True, text=True).stdout
    plain = re.sub(r"\x1b\[\d*m", "", shown)
    assert {line.split()[0] for line in plain.splitlines()} == set(phony[1].split())
