"""Tests deleting evaluations and variants."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from typing import Any

import pytest

from assay_client import AssayError, Client
from tcp_proxy import TcpProxy


@pytest.fixture
def id(client: Client) -> str:
    """The id of an evaluation, and of the variant that it ran."""
    id = f"delete-{uuid.uuid4().hex}"
    client.log(id, [{"x": 1}], output="x", variant=id, config={"a": 1})
    return id


@pytest.fixture
def proxy(url: str) -> Iterator[TcpProxy]:
    proxy = TcpProxy(url)
    yield proxy
    proxy.stop()


def status_of(error: pytest.ExceptionInfo[AssayError]) -> int | None:
    return error.value.status


def test_deletes_the_evaluation_only(client: Client, id: str) -> None:
    client.delete(evaluation=id)
    with pytest.raises(AssayError) as missing:
        client.get_evaluation(id)
    assert status_of(missing) == 404
    assert client.get_variant(id)["revision_count"] == 1
    with pytest.raises(AssayError, match=id) as missing:
        client.delete(evaluation=id)
    assert (missing.value.status, missing.value.code) == (404, "evaluation-not-found")


def test_deletes_the_variant_only(client: Client, id: str) -> None:
    client.delete(variant=id)
    with pytest.raises(AssayError) as missing:
        client.get_variant(id)
    assert status_of(missing) == 404
    assert client.get_evaluation(id)["variant_id"] == id
    with pytest.raises(AssayError) as missing:
        client.delete(variant=id)
    assert (missing.value.status, missing.value.code) == (404, "variant-not-found")


@pytest.mark.parametrize(
    "arguments",
    [{}, {"evaluation": None}, {"evaluation": "a", "variant": "a"}, {"evaluation": 5}],
)
def test_needs_exactly_one_id(arguments: dict[str, Any]) -> None:
    with pytest.raises(TypeError, match=r"evaluation or variant|must be a string"):
        Client("http://127.0.0.1:1").delete(**arguments)
    with pytest.raises(ValueError, match="not a valid id"):
        Client("http://127.0.0.1:1").delete(evaluation="")
    with pytest.raises(TypeError):
        Client("http://127.0.0.1:1").delete("a")  # type: ignore[call-overload]


def test_repeated_deletion_succeeds(
    client: Client, key: str, id: str, proxy: TcpProxy, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clock:
        """Restores the connection instead of waiting for the retry."""

        @staticmethod
        def sleep(_: float) -> None:
            proxy.drops_responses = False

    monkeypatch.setattr("assay_client._http.time", Clock)
    proxy.drops_responses = True
    Client(proxy.url, key).delete(evaluation=id)
    with pytest.raises(AssayError):
        client.get_evaluation(id)
