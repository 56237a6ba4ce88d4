"""The client of an Assay service: logs and reads LLM evaluations."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__

if TYPE_CHECKING:
    from ._async.client import AsyncClient, AsyncEvaluationRun
    from ._async.records import AsyncRecords
    from ._reads import Filters
    from .client import Client
    from .errors import AssayConnectionError, AssayError
    from .records import Records
    from .run import EvaluationRun

__all__ = [
    "AssayConnectionError",
    "AssayError",
    "AsyncClient",
    "AsyncEvaluationRun",
    "AsyncRecords",
    "Client",
    "EvaluationRun",
    "Filters",
    "Records",
    "__version__",
]

_MODULES = {
    "AssayConnectionError": "errors",
    "AssayError": "errors",
    "AsyncClient": "_async.client",
    "AsyncEvaluationRun": "_async.client",
    "AsyncRecords": "_async.records",
    "Client": "client",
    "EvaluationRun": "run",
    "Filters": "_reads",
    "Records": "records",
}


# Every run of pytest imports this package to find the plugin, so modules are imported on first use.
def __getattr__(name: str) -> Any:
    module = _MODULES.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f".{module}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
