"""HTML for notebooks: an evaluation and a comparison as a table below the verdict sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from ._display.addresses import evaluation_url
from ._display.comparison import comparison_html, comparison_text
from ._display.evaluation import evaluation_html
from ._display.html_parts import escape, link_html, name_html, section_html
from ._display.leaderboard import leaderboard_html, leaderboard_text
from ._display.verdict import Verdict, verdict_sentence
from .errors import AssayError
from .frames import leaderboard_table
from .gate import GateSummary, summarize_gates
from .records import Records

if TYPE_CHECKING:
    import pandas
    import polars

    from .types import (
        ComparedCandidate,
        ComparedEvaluation,
        ComparisonWarning,
        EvaluationSummary,
        Join,
        LeaderboardWarning,
        RankedEvaluation,
    )

__all__ = [
    "DisplayedComparison",
    "DisplayedEvaluation",
    "DisplayedLeaderboard",
    "Verdict",
    "comparison_html",
    "evaluation_html",
    "leaderboard_html",
    "verdict_sentence",
]


class DisplayedComparison(dict[str, Any]):
    """A comparison that notebooks display as HTML, and `print` as sentences."""

    def __init__(self, comparison: Mapping[str, Any], url: str) -> None:
        super().__init__(comparison)
        self._url = url

    # The members of types.Comparison, which cannot have methods.
    @overload
    def __getitem__(self, key: Literal["evaluations"], /) -> list[ComparedEvaluation]: ...
    @overload
    def __getitem__(self, key: Literal["join"], /) -> Join: ...
    @overload
    def __getitem__(self, key: Literal["candidates"], /) -> list[ComparedCandidate]: ...
    @overload
    def __getitem__(self, key: Literal["warnings"], /) -> list[ComparisonWarning]: ...
    @overload
    def __getitem__(self, key: str, /) -> Any: ...
    def __getitem__(self, key: str, /) -> Any:
        return super().__getitem__(key)

    def gate(self) -> GateSummary:
        """The decision whether a candidate is worse: "passed", "failed" or "invalid"."""
        return summarize_gates(self["candidates"])

    def __str__(self) -> str:
        return comparison_text(self, self._url)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        return comparison_html(self, self._url)  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class DisplayedLeaderboard(dict[str, Any]):
    """A leaderboard that notebooks display as HTML, and `print` as text."""

    def __init__(self, leaderboard: Mapping[str, Any], url: str) -> None:
        super().__init__(leaderboard)
        self._url = url

    # The members of types.Leaderboard, which cannot have methods.
    @overload
    def __getitem__(self, key: Literal["on"], /) -> str: ...
    @overload
    def __getitem__(self, key: Literal["shared_rows"], /) -> int: ...
    @overload
    def __getitem__(self, key: Literal["confidence"], /) -> float: ...
    @overload
    def __getitem__(self, key: Literal["join"], /) -> Join: ...
    @overload
    def __getitem__(self, key: Literal["evaluations"], /) -> list[RankedEvaluation]: ...
    @overload
    def __getitem__(self, key: Literal["warnings"], /) -> list[LeaderboardWarning]: ...
    @overload
    def __getitem__(self, key: str, /) -> Any: ...
    def __getitem__(self, key: str, /) -> Any:
        return super().__getitem__(key)

    @overload
    def frame(self, library: Literal["pandas"] = "pandas") -> pandas.DataFrame: ...
    @overload
    def frame(self, library: Literal["polars"]) -> polars.DataFrame: ...
    def frame(self, library: Literal["pandas", "polars"] = "pandas") -> Any:
        """Returns a DataFrame with one row per evaluation. The columns are those of CSV."""
        return Records(iter(self["evaluations"]), leaderboard_table).frame(library)

    def __str__(self) -> str:
        return leaderboard_text(self)  # type: ignore[arg-type]

    def _repr_html_(self) -> str:
        return leaderboard_html(self, self._url)  # type: ignore[arg-type]

    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)


class DisplayedEvaluation(dict[str, Any]):
    """An evaluation that notebooks display as HTML.

    `read_summary` reads the summary for the display. Its argument is the parameter `base`.
    """

    def __init__(
        self,
        evaluation: Mapping[str, Any],
        url: str,
        read_summary: Callable[[str], EvaluationSummary],
    ) -> None:
        super().__init__(evaluation)
        self._url = url
        self._read_summary = read_summary

    def _repr_html_(self) -> str:
        try:
            # Without a value, `base` selects the default baseline, if there is one.
            summary = self._read_summary("")
        except AssayError as error:
            link = link_html(evaluation_url(self._url, self["id"]), name_html(self["id"]))
            return section_html(f"{link}: {escape(str(error))}")
        return evaluation_html(self, summary, self._url)  # type: ignore[arg-type]

    # The client cannot be copied, so copies are plain dicts.
    def __reduce__(self) -> tuple[Any, ...]:
        return dict, (dict(self),)
