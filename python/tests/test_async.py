"""Tests the asynchronous client: methods, concurrency, cancellation and incomplete responses."""

from __future__ import annotations

import asyncio
import inspect
import socket
import threading
import uuid
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest

from assay_client import (
    AssayConnectionError,
    AssayError,
    AsyncClient,
    AsyncEvaluationRun,
    AsyncRecords,
    Client,
    EvaluationRun,
    Records,
)
from fault_server import FaultServer, json_response, ndjson, reset, stream_response

R = TypeVar("R")
EVALUATION = "support-answer-r5"


def run(steps: Coroutine[Any, Any, R]) -> R:
    """Runs it for at most a minute: a blocked event loop would never end."""
    return asyncio.run(asyncio.wait_for(steps, 60))


@pytest.fixture
def id() -> str:
    return f"async-{uuid.uuid4().hex}"


@pytest.fixture
def async_client(url: str, key: str) -> AsyncClient:
    return AsyncClient(url, key)


def public_members(kind: type) -> dict[str, Any]:
    return {name: getattr(kind, name) for name in dir(kind) if not name.startswith("_")}


@pytest.mark.parametrize(
    ("synchronous", "asynchronous"),
    [(Client, AsyncClient), (EvaluationRun, AsyncEvaluationRun), (Records, AsyncRecords)],
)
def test_classes_have_the_same_methods(synchronous: type, asynchronous: type) -> None:
    expected, actual = public_members(synchronous), public_members(asynchronous)
    assert actual.keys() == expected.keys()
    assert len(actual) > 1
    for name, member in expected.items():
        if isinstance(member, property):
            assert isinstance(actual[name], property)
            continue
        wanted, found = inspect.signature(member), inspect.signature(actual[name])
        assert found.parameters == wanted.parameters, name
        assert actual[name].__doc__, name
        # Methods that send no request return an object at once.
        sends_nothing = name == "evaluation" or "Records" in str(wanted.return_annotation)
        assert inspect.iscoroutinefunction(actual[name]) is not sends_nothing, name


def test_constructors_have_the_same_parameters() -> None:
    assert inspect.signature(AsyncClient).parameters == inspect.signature(Client).parameters


def test_reads_the_same_as_the_client(client: Client, async_client: AsyncClient) -> None:
    async def read() -> None:
        assert await async_client.get_evaluation(EVALUATION) == client.get_evaluation(EVALUATION)
        slow = {"latency": ["gte.1", "lt.2"]}
        assert await async_client.summary(EVALUATION, slow) == client.summary(EVALUATION, slow)
        pair = ("support-answer-r4", EVALUATION)
        compared = await async_client.compare(*pair, on="answer_correct")
        assert compared.gate() == client.compare(*pair, on="answer_correct").gate()
        ranked = await async_client.leaderboard(*pair, on="answer_correct")
        assert ranked == client.leaderboard(*pair, on="answer_correct")
        for method in ("scenarios", "evaluations", "comparison_rows"):
            arguments = {"evaluations": (), "comparison_rows": pair}.get(method, (EVALUATION,))
            records = [each async for each in getattr(async_client, method)(*arguments)]
            assert records == list(getattr(client, method)(*arguments))
        with pytest.raises(AssayError) as missing:
            await async_client.get_variant("missing")
        assert missing.value.status == 404
        with pytest.raises(ValueError, match="limit"):
            async_client.scenarios(EVALUATION, {"limit": "1"})

    run(read())


def test_concurrent_awaits_return_their_own_responses(
    client: Client, async_client: AsyncClient
) -> None:
    rows = list(client.scenarios(EVALUATION))[:60]

    async def read() -> list[Any]:
        return await asyncio.gather(
            *(async_client.get_scenario(EVALUATION, row["id"]) for row in rows),
            *(collect(async_client.scenarios(EVALUATION)) for _ in range(4)),
        )

    results = run(read())
    assert results[:60] == rows
    assert results[60:] == [list(client.scenarios(EVALUATION))] * 4


async def collect(records: AsyncRecords[Any], seen: list[Any] | None = None) -> list[Any]:
    collected = [] if seen is None else seen
    async for record in records:
        collected.append(record)
    return collected


def test_threads_share_one_synchronous_client(client: Client) -> None:
    rows = list(client.scenarios(EVALUATION))

    def read(number: int) -> Any:
        if number % 10 == 0:
            return list(client.scenarios(EVALUATION)) == rows
        row = rows[number % len(rows)]
        return client.get_scenario(EVALUATION, row["id"]) == row

    with ThreadPoolExecutor(16) as pool:
        assert all(pool.map(read, range(200)))


def test_event_loop_continues_during_a_request() -> None:
    released = threading.Event()

    def wait(_: socket.socket) -> None:
        released.wait(60)

    async def read() -> None:
        reading = asyncio.create_task(AsyncClient(server.url).get_evaluation("x"))
        while not server.requests:
            await asyncio.sleep(0)
        released.set()
        assert await reading == {"id": "x"}

    with FaultServer([wait, json_response({"id": "x"})]) as server:
        run(read())


def test_cancelled_request_leaves_the_client_usable() -> None:
    released = threading.Event()

    def wait(_: socket.socket) -> None:
        released.wait(60)

    async def read() -> None:
        client = AsyncClient(server.url, retries=0)
        reading = asyncio.create_task(client.get_evaluation("x"))
        while not server.requests:
            await asyncio.sleep(0)
        reading.cancel()
        with pytest.raises(asyncio.CancelledError):
            await reading
        released.set()
        assert await client.get_evaluation("y") == {"id": "y"}

    with FaultServer([wait, json_response({"id": "x"})], json_response({"id": "y"})) as server:
        run(read())


def test_cancelled_iteration_loses_no_record_and_waits_for_no_other() -> None:
    body = ndjson(100)
    released = threading.Event()

    def wait(_: socket.socket) -> None:
        released.wait(60)

    async def read() -> None:
        records = AsyncClient(server.url, retries=0).scenarios("x")
        # The other records have not arrived.
        seen = [await anext(records)]
        for _ in range(2):
            while len(seen) < first:
                seen.append(await anext(records))
            waiting = asyncio.create_task(anext_of(records))
            await asyncio.sleep(0)
            waiting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting
        released.set()
        seen += [record async for record in records]
        assert seen == [{"id": str(number)} for number in range(100)]
        with pytest.raises(StopAsyncIteration):
            await anext(records)
        await records.close()

    first = 10
    head = stream_response(body[: body.index(b'{"id": "10"}')], length=len(body))
    with FaultServer([head, wait, body[body.index(b'{"id": "10"}') :]]) as server:
        run(read())
        assert len(server.requests) == 1


async def anext_of(records: AsyncRecords[Any]) -> Any:
    return await anext(records)


def test_closing_does_not_wait_for_the_service() -> None:
    released = threading.Event()

    def wait(_: socket.socket) -> None:
        released.wait(60)

    async def read() -> None:
        records = AsyncClient(server.url, retries=0).scenarios("x")
        async with records:
            reading = asyncio.create_task(anext_of(records))
            while not server.requests:
                await asyncio.sleep(0)
            reading.cancel()
        with pytest.raises(ValueError, match="closed"):
            await anext(records)
        released.set()

    with FaultServer([wait, reset]) as server:
        run(read())


def test_incomplete_response_raises_after_its_records() -> None:
    body = ndjson(100)

    async def read() -> None:
        records = AsyncClient(server.url, retries=0).scenarios("x")
        seen: list[Any] = []
        with pytest.raises(AssayConnectionError):
            await collect(records, seen)
        assert seen == [{"id": str(number)} for number in range(50)]
        for _ in range(2):
            with pytest.raises(AssayConnectionError):
                await anext(records)

    with FaultServer(stream_response(ndjson(50), length=len(body))) as server:
        run(read())


def test_closed_records_are_not_read(async_client: AsyncClient) -> None:
    async def read() -> None:
        async with async_client.scenarios(EVALUATION) as records:
            await anext(records)
        with pytest.raises(ValueError, match="closed"):
            await anext(records)

    run(read())


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frame_has_the_remaining_records(
    client: Client, async_client: AsyncClient, library: Any
) -> None:
    pytest.importorskip(library)

    async def read() -> None:
        frame = await async_client.scenarios(EVALUATION).frame(library)
        expected = client.scenarios(EVALUATION).frame(library)
        assert list(frame["id"]) == list(expected["id"])
        assert list(frame.columns) == list(expected.columns)
        records = async_client.scenarios(EVALUATION)
        await anext(records)
        assert len(await records.frame(library)) == len(frame) - 1
        with pytest.raises(ValueError, match="read already"):
            await records.frame(library)

    run(read())


def test_tasks_add_rows_to_a_run(client: Client, async_client: AsyncClient, id: str) -> None:
    async def write() -> None:
        async with async_client.evaluation(id, variant=id, config={"a": 1}) as active:
            assert "0" not in active
            added = await asyncio.gather(
                *(active.add(id=number, output=str(number)) for number in range(100))
            )
            await active.flush()
            assert added == [str(number) for number in range(100)]
        assert active.url.endswith(id)

    run(write())
    stored = client.get_evaluation(id)
    assert (stored["status"], stored["revision"], stored["scenario_count"]) == ("finished", 1, 100)


def test_cancelled_run_is_failed_and_has_its_rows(
    client: Client, async_client: AsyncClient, id: str
) -> None:
    async def write(added: asyncio.Event) -> None:
        async with async_client.evaluation(id) as active:
            await active.add(id="1", output="x")
            added.set()
            await asyncio.Event().wait()

    async def cancel() -> None:
        added = asyncio.Event()
        writing = asyncio.create_task(write(added))
        await added.wait()
        writing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await writing

    run(cancel())
    assert client.get_evaluation(id)["status"] == "failed"
    assert [row["id"] for row in client.scenarios(id)] == ["1"]


def test_logs_and_deletes(client: Client, async_client: AsyncClient, id: str) -> None:
    async def write() -> None:
        logged = await async_client.log(id, [{"x": 1}, {"x": 2}], output="x", scores=["x"])
        assert logged.id == id
        assert (await async_client.get_evaluation(id))["scenario_count"] == 2
        await async_client.delete(evaluation=id)
        with pytest.raises(AssayError):
            await async_client.delete(evaluation=id)
        with pytest.raises(TypeError):
            await async_client.delete()  # type: ignore[call-overload]
        active = await async_client.evaluation(id).start()
        await active.finish("failed")

    run(write())
    assert client.get_evaluation(id)["status"] == "failed"
    client.delete(evaluation=id)
