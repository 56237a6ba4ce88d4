"""Reads response bodies as they arrive, and checks that they are complete."""

from __future__ import annotations

import http.client
import zlib
from collections.abc import Iterable, Iterator

CHUNK_SIZE = 65_536
_MAX_DECOMPRESSED = 1_048_576


class IncompleteBodyError(Exception):
    """The connection closed before the end of the body."""


def content_length(response: http.client.HTTPResponse) -> int | None:
    """The length of the body as it is sent, if the response says it."""
    if response.chunked:
        return None
    header = response.headers.get("Content-Length", "").strip()
    return int(header) if header.isdecimal() else None


def read_wire(response: http.client.HTTPResponse) -> Iterator[bytes]:
    """Returns the body as it was sent, in chunks."""
    # http.client does not report bodies that are shorter than Content-Length.
    remaining = content_length(response)
    while remaining is None or remaining > 0:
        size = CHUNK_SIZE if remaining is None else min(CHUNK_SIZE, remaining)
        chunk = response.read1(size)
        if not chunk:
            break
        if remaining is not None:
            remaining -= len(chunk)
        yield chunk
    if remaining:
        raise IncompleteBodyError(f"{remaining} bytes of the response are missing")


def gunzip(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Decompresses in constant memory. A truncated body has no gzip trailer."""
    decompressor = zlib.decompressobj(wbits=31)
    for chunk in chunks:
        while chunk:
            if decompressor.eof:
                decompressor = zlib.decompressobj(wbits=31)
            data = decompressor.decompress(chunk, _MAX_DECOMPRESSED)
            if data:
                yield data
            chunk = decompressor.unconsumed_tail or decompressor.unused_data
    # The last call can have returned less than all of its output.
    while not decompressor.eof:
        data = decompressor.decompress(b"", _MAX_DECOMPRESSED)
        if not data:
            raise IncompleteBodyError("the compressed response is truncated")
        yield data


def split_lines(chunks: Iterable[bytes]) -> Iterator[bytes]:
    """Returns lines without their newline. Every line must end with one."""
    parts: list[bytes] = []
    for chunk in chunks:
        first, *others = chunk.split(b"\n")
        parts.append(first)
        if others:
            yield b"".join(parts)
            parts = [others.pop()]
            yield from others
    if any(parts):
        raise IncompleteBodyError("the last line of the response is truncated")
