"""Parts of HTML with inline styles, because viewers of notebooks remove style elements.

Colors are mixed with the color of the text, so that they can be read on light and dark backgrounds.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping, Sequence


def _mix(color: str, share: int, fallback: str) -> str:
    """Equals the color of the page in a light notebook. `fallback` is for older browsers."""
    return f"{fallback};color:color-mix(in srgb,{color} {share}%,currentColor)"


ACCENT = _mix("#5c73ff", 68, "#5b6ae0")
COLORS: Mapping[str | None, str] = {
    "better": _mix("#18c1b4", 61, "#0e8a7f"),
    "worse": _mix("#ff5610", 76, "#d9480f"),
}
MUTED = "opacity:.7"
_CELL = "padding:4px 7px;border:0;background:none;vertical-align:middle;white-space:nowrap"
GRAY = "rgba(128,128,128,.35)"
_TITLE = "font-size:1.1em;margin:0 0 8px;overflow-wrap:anywhere"
_LINE = f"border-bottom:1px solid {GRAY}"


def section_html(*parts: str) -> str:
    style = "font-size:13px;line-height:1.5;max-width:100%;overflow-x:auto;margin:4px 0"
    return f'<div style="{style}">{"".join(parts)}</div>'


def table_html(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    def row(tag: str, cells: Sequence[str], style: str) -> str:
        texts = []
        for index, cell in enumerate(cells):
            align = "right" if index else "left"
            texts.append(
                f'<{tag} align="{align}" style="text-align:{align};{_CELL};{style}">{cell}</{tag}>'
            )
        return f'<tr style="background:none">{"".join(texts)}</tr>'

    header = row("th", headings, f"font-weight:normal;{MUTED};{_LINE}")
    body = "".join(row("td", cells, _LINE) for cells in rows)
    style = (
        "border-collapse:collapse;border:0;margin:0 0 8px -7px;width:auto;table-layout:auto;"
        "font-size:1em;font-variant-numeric:tabular-nums;color:inherit"
    )
    return f'<table style="{style}"><thead>{header}</thead><tbody>{body}</tbody></table>'


def title_html(text: str) -> str:
    return f'<div style="{_TITLE}">{text}</div>'


def note_html(text: str) -> str:
    return f'<div style="{MUTED};margin:0 0 4px;overflow-wrap:anywhere">{text}</div>'


def footer_html(facts: Sequence[str]) -> str:
    return f'<div style="{MUTED};margin:0 0 12px;overflow-wrap:anywhere">{" · ".join(facts)}</div>'


def link_html(address: str, text: str, quiet: bool = False) -> str:
    style = "color:inherit;text-decoration:underline"
    if quiet:
        style += " dotted;text-underline-offset:3px"
    return (
        f'<a href="{html.escape(address)}" target="_blank" rel="noopener noreferrer"'
        f' style="{style}">{text}</a>'
    )


_UNPRINTABLE = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")


def escape(text: str) -> str:
    """Lone surrogates would make the whole output invalid."""
    return html.escape(_UNPRINTABLE.sub("\ufffd", text))


def shorten(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def name_html(text: str, most: int = 40) -> str:
    """Isolated, so that right-to-left characters in a name do not reorder the text around it."""
    title = "" if len(text) <= most else f' title="{escape(shorten(text, 500))}"'
    return f"<bdi{title}>{escape(shorten(text, most))}</bdi>"
