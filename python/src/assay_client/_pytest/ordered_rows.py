"""The rows of a run in the order of collection."""

from __future__ import annotations

from collections.abc import Iterator


class OrderedRows:
    """Rows by the position of their test. They are sent when all tests before it have ended, so
    that every run of the same tests has the same order."""

    def __init__(self) -> None:
        self._rows: dict[int, list[bytes]] = {}
        self._waiting: set[int] = set()
        self._complete_until = 0

    def __iter__(self) -> Iterator[bytes]:
        return (row for position in sorted(self._rows) for row in self._rows[position])

    def __len__(self) -> int:
        return sum(len(rows) for rows in self._rows.values())

    def count(self, test_count: int) -> int:
        """Returns the number of rows if each of these tests that has not ended has one."""
        return len(self) + sum(position not in self._rows for position in range(test_count))

    def set(self, position: int, rows: list[bytes]) -> bool:
        """Sets the rows of a test, and returns whether they have changed."""
        if self._rows.get(position) == rows:
            return False
        self._rows[position] = rows
        self._waiting.add(position)
        while self._complete_until in self._rows:
            self._complete_until += 1
        return True

    def take(self, with_gaps: bool) -> list[bytes]:
        """Returns each row once. `with_gaps`: also after a test that has not ended."""
        positions = sorted(
            position for position in self._waiting if with_gaps or position < self._complete_until
        )
        self._waiting.difference_update(positions)
        return [row for position in positions for row in self._rows[position]]
