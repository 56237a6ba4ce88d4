"""Runs many parametrized cases with pytest, with and without xdist, while the service is up, down,
stopped in the middle or hanging. Compares the evaluations and the durations.

ASSAY_URL and ASSAY_KEY are the service, ASSAY_CASES the number of cases.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from assay_client import Client

CASES = int(os.environ.get("ASSAY_CASES", "20"))

MODULE = """
import os, time, pytest

@pytest.mark.parametrize("n", range(int(os.environ["ASSAY_CASES"])))
def test_case(assay, n):
    time.sleep(0.02)
    assay.log(inputs={"question": f"Größe {n}?", "n": n}, output="x" * n, expected=n * n)
    assay.log(scores={"length": n, "even": n % 2 == 0}, reasons={"even": f"{n} / 2"}, cost=n / 1e4)
    if n % 50 == 13:
        pytest.skip("no data")
    if n % 50 == 14:
        raise RuntimeError("no connection to the model")
    assert n % 9 != 0
"""

# Measures the tests without the start of Python, and the time between their end and that of pytest.
CONFTEST = """
import json, pathlib, time, pytest

times = []

def pytest_runtest_logstart():
    if not times: times.append(time.monotonic())

@pytest.hookimpl(tryfirst=True)
def pytest_sessionfinish(session):
    times.append(time.monotonic())

def pytest_unconfigure(config):
    times.append(time.monotonic())
    if not hasattr(config, "workerinput"):
        pathlib.Path("times.json").write_text(json.dumps(times))
"""


def forward_some(target: str, is_up: Callable[[int], bool]) -> str:
    """Returns the address of a proxy. It never responds to connections that are not `is_up`."""
    address = urlsplit(target)
    listener = socket.create_server(("127.0.0.1", 0), backlog=100)
    connections: list[socket.socket] = []

    def copy(source: socket.socket, sink: socket.socket) -> None:
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            sink.close()

    def accept() -> None:
        while True:
            connection, _ = listener.accept()
            connections.append(connection)
            if is_up(len(connections)):
                service = socket.create_connection((address.hostname, address.port))
                for pair in ((connection, service), (service, connection)):
                    threading.Thread(target=copy, args=pair, daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


def run(folder: Path, url: str, *arguments: str) -> tuple[str, str, float, float]:
    """Returns the outcomes, the output, the seconds of the tests and those until pytest ends."""
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "--tb=no", "-p", "no:cacheprovider", *arguments],
        cwd=folder,
        env={**os.environ, "ASSAY_URL": url, "ASSAY_CASES": str(CASES)},
        capture_output=True,
        text=True,
        check=False,
    )
    counts = re.findall(r"\d+ (?:failed|passed|skipped|error)", result.stdout.splitlines()[-1])
    start, last_test, end = json.loads((folder / "times.json").read_text())
    return ", ".join(counts), result.stdout, round(last_test - start, 2), round(end - last_test, 2)


def stored(client: Client, id: str) -> tuple[Any, Any]:
    """The evaluation and its rows without their ids and times."""
    evaluation: dict[str, Any] = dict(client.get_evaluation(id))
    for name in ("id", "created_at", "updated_at"):
        del evaluation[name]
    rows: list[dict[str, Any]] = [dict(row) for row in client.scenarios(id, include="extra")]
    for row in rows:
        del row["evaluation_id"]
    return evaluation, rows


def main() -> None:
    client = Client()
    folder = Path(tempfile.mkdtemp())
    (folder / "pytest.ini").write_text("[pytest]\n")
    (folder / "conftest.py").write_text(CONFTEST)
    (folder / "test_cases.py").write_text(MODULE, encoding="utf-8")
    services = {
        "up": lambda: client.url,
        "down": lambda: "http://127.0.0.1:1",
        "stops": lambda: forward_some(client.url, lambda count: count <= 2),
        "hangs": lambda: forward_some(client.url, lambda count: False),
    }
    report: dict[str, float] = {"cases": CASES}
    reference: tuple[Any, Any] | None = None
    for name, workers in (("one", []), ("xdist", ["-n2"])):
        expected_outcomes, _, tests, end = run(folder, client.url, *workers)
        report |= {f"{name}_without_tests_seconds": tests, f"{name}_without_end_seconds": end}
        for service, start in services.items():
            outcomes, output, tests, end = run(folder, start(), "--assay", *workers)
            label = f"{name}_{service}"
            report |= {f"{label}_tests_seconds": tests, f"{label}_end_seconds": end}
            if outcomes != expected_outcomes:
                sys.exit(f"{name}, {service}: {outcomes} instead of {expected_outcomes}")
            saved = re.search(r"assay import (\S+)", output)
            if (service == "up") == (saved is not None):
                sys.exit(f"{name}, {service}: unexpected summary\n{output}")
            if saved:
                client.import_file(folder / saved[1])
                id = saved[1].removeprefix("assay-").removesuffix(".ndjson")
            else:
                id = output.partition("/evaluations/")[2].split()[0]
            evaluation = stored(client, id)
            reference = reference or evaluation
            if evaluation != reference or len(evaluation[1]) != CASES:
                sys.exit(f"{name}, {service}: the evaluation {id} differs")
    print(json.dumps(report))


if __name__ == "__main__":
    main()
