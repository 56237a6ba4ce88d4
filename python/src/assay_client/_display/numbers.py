"""Formats counts, means and changes with their units, as the page and `assay compare` do."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Context, Decimal

MISSING = "\N{EN DASH}"
_MINUS = "\N{MINUS SIGN}"
# Enough digits for every double.
_EXACT = Context(prec=700)


@dataclass(frozen=True)
class Unit:
    """How the values of a metric are displayed."""

    factor: int = 1
    prefix: str = ""
    suffix: str = ""
    change_suffix: str = ""


SCORE = Unit()
RATE = Unit(factor=100, suffix=" %", change_suffix=" pp")
DOLLARS = Unit(prefix="$")
SECONDS = Unit(suffix=" s", change_suffix=" s")


def format_count(value: int) -> str:
    return f"{value:,}"


def pluralize(value: int, noun: str) -> str:
    """For example `1 row` and `2 rows`."""
    return f"{format_count(value)} {noun if value == 1 else f'{noun}s'}"


def format_percent(share: float) -> str:
    """With at most one decimal: `30.5 %`, `8 %`."""
    return f"{format_fixed(share * 100, 1).removesuffix('.0')} %"


def format_fixed(value: float, digits: int) -> str:
    """Rounds halves up, like JavaScript. Python's own formats round them to even digits."""
    if not math.isfinite(value):
        return "∞"
    step = Decimal(1).scaleb(-digits)
    return f"{Decimal(repr(value)).quantize(step, ROUND_HALF_UP, _EXACT):,f}"


def format_short(value: float) -> str:
    """With at most two significant digits: `8.6`, `120`, `0.037`. Halves are rounded up."""
    if value == 0 or not math.isfinite(value):
        return format_fixed(value, 0)
    number = Decimal(repr(value))
    step = Decimal(1).scaleb(number.adjusted() - 1)
    text = f"{number.quantize(step, ROUND_HALF_UP, _EXACT):,f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def fraction_digits(values: Iterable[float | None], unit: Unit) -> int:
    """One for rates, otherwise enough for three or four digits of the largest value."""
    if unit is RATE:
        return 1
    largest = max((abs(value) for value in values if value is not None), default=0)
    if largest == 0:
        return 3
    most = 3 if largest >= 1 else 2
    return min(12, max(0, most - math.floor(math.log10(largest))))


def format_mean(value: float | None, unit: Unit, digits: int) -> str:
    if value is None:
        return MISSING
    text = f"{unit.prefix}{_format_amount(value * unit.factor, digits)}{unit.suffix}"
    return f"{_MINUS}{text}" if value < 0 and not _is_zero(text) else text


def format_change(value: float | None, unit: Unit, digits: int, suffix: str = "") -> str:
    """With a sign, unless it is zero."""
    if value is None:
        return MISSING
    text = f"{unit.prefix}{_format_amount(value * unit.factor, digits)}{suffix}"
    if _is_zero(text):
        return text
    return f"{_MINUS if value < 0 else '+'}{text}"


def format_interval(interval: Sequence[float] | None, unit: Unit, digits: int) -> str:
    """For example `-31.5 to -13.1 pp`."""
    if interval is None:
        return MISSING
    low, high = interval
    return (
        f"{format_change(low, unit, digits)} to "
        f"{format_change(high, unit, digits, unit.change_suffix)}"
    )


def format_range(interval: Sequence[float] | None, unit: Unit, digits: int) -> str:
    """For example `61.9 to 82.2 %`."""
    if interval is None:
        return ""
    low, high = (format_mean(value, unit, digits) for value in interval)
    return f"{low.removesuffix(unit.suffix) if unit.suffix else low} to {high}"


def _format_amount(value: float, digits: int) -> str:
    size = abs(value)
    if size >= 1e9 or (size > 0 and digits == 12):
        return f"{size:.3e}"
    return format_fixed(size, digits)


def _is_zero(text: str) -> bool:
    return not any(digit in text for digit in "123456789∞")
