"""Tests the modules of the package."""

from __future__ import annotations

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import assay_client

ROOT = Path(assay_client.__file__).parent


def test_no_modules_import_each_other() -> None:
    """Includes imports in functions and for type checkers."""
    imports = {path: set(imported_files(path)) for path in ROOT.rglob("*.py")}
    assert len(imports[ROOT / "client.py"]) > 3
    # Raises CycleError, which names the modules.
    list(TopologicalSorter(imports).static_order())


def imported_files(path: Path) -> list[Path]:
    # The package itself imports its modules on first use.
    if path == ROOT / "__init__.py":
        return []
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.ImportFrom) and node.level > 0:
            folder = path.parents[node.level - 1].joinpath(*(node.module or "").split("."))
            names = [folder / alias.name for alias in node.names] if folder.is_dir() else [folder]
            found += [name.with_suffix(".py") for name in names]
    return found
