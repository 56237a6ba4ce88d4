"""Type checks of the package and of a program that uses it."""

from __future__ import annotations

import os
import subprocess
import sys
import typing
from pathlib import Path

import assay_client
from assay_client import types

TESTS = Path(__file__).parent
PACKAGE = Path(assay_client.__file__).parent


def test_type_checker_accepts_a_program_that_uses_every_method(tmp_path: Path) -> None:
    public = {name for name in dir(assay_client.Client) if not name.startswith("_")}
    usage = (TESTS / "typed_usage.py").read_text(encoding="utf-8")
    assert {name for name in public if f"client.{name}" not in usage} == set()
    # mypy finds an installed package itself, and reports a path to it as an error.
    is_installed = "site-packages" in PACKAGE.parts
    environment = {**os.environ, "MYPYPATH": "" if is_installed else str(PACKAGE.parent)}
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file="]
    result = subprocess.run(
        [*command, f"--cache-dir={tmp_path}", str(TESTS / "typed_usage.py")],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    # The package itself is checked with its own configuration.
    errors = [line for line in result.stdout.splitlines() if line.startswith(str(TESTS))]
    assert errors == []
    assert "Success" in result.stdout or not is_installed, result.stdout + result.stderr


def test_types_can_be_imported_and_used_as_dicts() -> None:
    result = types.Result(type="bool", value=True)
    assert result == {"type": "bool", "value": True}
    assert set(types.Bin.__annotations__) == {"from", "to", "count"}
    assert "evaluation-not-found" in typing.get_args(types.ProblemCode)
    if sys.version_info >= (3, 11):
        # Libraries such as pydantic evaluate the annotations.
        assert typing.get_type_hints(types.RevisionDiff)["from"] is int
