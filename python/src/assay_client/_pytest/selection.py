"""Which options of pytest select a part of the tests."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest


def describe_selection(config: pytest.Config) -> str | None:
    """Returns the options that select tests as on a command line, None if all tests run."""
    option = config.option
    parts: list[str] = []
    for flag, name in (("-k", "keyword"), ("-m", "markexpr")):
        if value := getattr(option, name, None):
            parts += [flag, value]
    # Without the plugins of pytest that define them, these options do not exist.
    parts += [
        flag
        for flag, name in (("--lf", "lf"), ("--sw", "stepwise"))
        if getattr(option, name, False)
    ]
    for prefix in getattr(option, "deselect", None) or []:
        parts += ["--deselect", prefix]
    # The setting `testpaths` belongs to the project. Folders are not a selection.
    if getattr(getattr(config, "args_source", None), "name", "ARGS") == "ARGS":
        folder = config.invocation_params.dir
        parts += [argument for argument in config.args if not Path(folder, argument).is_dir()]
    return shlex.join(parts) or None
