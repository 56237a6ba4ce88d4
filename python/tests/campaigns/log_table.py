"""Logs a DataFrame, reads it back and compares, also after a kill while it is logged.

Prints one JSON object with seconds and peak memory. Exits with 1 if a row is lost, doubled or
changed. `--rows` or ASSAY_ROWS is the number of rows. `--batches` measures sizes of batches.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
import uuid
from typing import Any

import pandas as pd

from assay_client import AssayError, Client, _batches
from assay_client._tables import iterate_scenario_arguments

COLUMNS: dict[str, Any] = {
    "id": "case_id",
    "inputs": ["question", "context"],
    "output": "answer",
    "expected": "expected",
    "scores": ["correct", "similarity", "tokens"],
}


def build_table(count: int) -> pd.DataFrame:
    numbers = range(count)
    return pd.DataFrame(
        {
            "case_id": [f"case-{n:06d}" for n in numbers],
            "question": [f"What is the answer to question {n}? " * 3 for n in numbers],
            "context": [f"Article {n % 977} says: “yes”, 是. " * 8 for n in numbers],
            "answer": [f"The answer is {n * 7}.\n" * 5 for n in numbers],
            "expected": [str(n * 7) for n in numbers],
            "correct": [n % 3 != 0 for n in numbers],
            "similarity": [n / (count + 1) for n in numbers],
            "tokens": [n % 512 for n in numbers],
        }
    )


def read_table(client: Client, evaluation: str) -> pd.DataFrame:
    rows: dict[str, list[Any]] = {name: [] for name in build_table(0).columns}
    for scenario in client.scenarios(evaluation):
        rows["case_id"].append(scenario["id"])
        for each in scenario["inputs"]:
            rows[each["name"]].append(each["value"])
        rows["answer"].append(scenario["outputs"][0]["result"]["value"])
        answers = scenario["correct_answers"] or []
        rows["expected"].append(answers[0]["value"])
        for result in scenario["results"]:
            rows[result["evaluator_config"]].append(result["result"].get("value"))
    return pd.DataFrame(rows)


def check(client: Client, evaluation: str, table: pd.DataFrame) -> float:
    """Compares the stored rows with the table, in order. Returns the seconds of reading."""
    started = time.monotonic()
    stored = read_table(client, evaluation)
    seconds = time.monotonic() - started
    pd.testing.assert_frame_equal(stored, table)
    status = client.get_evaluation(evaluation)["status"]
    if status != "finished":
        raise AssertionError(f"The status is {status}.")
    return seconds


def peak_memory_mb() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return round(peak / (1e6 if sys.platform == "darwin" else 1e3), 1)


def kill_after(seconds: float) -> None:
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGKILL)


def log_and_die(evaluation: str, count: int, seconds: float) -> None:
    table = build_table(count)
    client = Client()
    threading.Thread(target=kill_after, args=(seconds,), daemon=True).start()
    client.log(evaluation, table, **COLUMNS)
    # Until the kill, so that the process always ends in the same way.
    threading.Event().wait()


def count_stored_rows(client: Client, evaluation: str) -> int:
    try:
        return client.get_evaluation(evaluation)["scenario_count"]
    except AssayError as error:
        if error.code != "evaluation-not-found":
            raise
        return 0


def measure(count: int) -> dict[str, float]:
    client = Client()
    table = build_table(count)
    table_memory = peak_memory_mb()
    evaluation = f"campaign-{uuid.uuid4().hex}"
    started = time.monotonic()
    client.log(evaluation, table, **COLUMNS)
    log_seconds = time.monotonic() - started
    log_memory = peak_memory_mb()
    read_seconds = check(client, evaluation, table)

    interrupted = f"{evaluation}-interrupted"
    # Half of the time that the table needs: while its rows are encoded, sent or stored.
    arguments = ["--die", interrupted, "--seconds", str(log_seconds / 2), "--rows", str(count)]
    process = subprocess.run([sys.executable, __file__, *arguments], check=False)
    if process.returncode != -signal.SIGKILL:
        raise AssertionError(f"The process was not killed: {process.returncode}.")
    left = count_stored_rows(client, interrupted)
    if left not in (0, count):
        raise AssertionError(f"{left} rows were stored before the kill.")
    started = time.monotonic()
    client.log(interrupted, table, **COLUMNS)
    restart_seconds = time.monotonic() - started
    check(client, interrupted, table)
    for each in (evaluation, interrupted):
        client.request("DELETE", ["evaluations", each])
    return {
        "rows": count,
        "log_seconds": round(log_seconds, 2),
        "log_rows_per_second": round(count / log_seconds),
        "read_seconds": round(read_seconds, 2),
        "memory_mb_with_the_table": table_memory,
        "peak_memory_mb_of_log": log_memory,
        "rows_stored_before_the_kill": left,
        "restart_seconds": round(restart_seconds, 2),
    }


def measure_batches(count: int) -> None:
    client = Client()
    table = build_table(count)
    _batches.BATCH_BYTES = 1 << 40
    for size in (100, 500, 1000, 2000, 5000, 10_000):
        _batches.BATCH_ROWS = size
        evaluation = f"campaign-{uuid.uuid4().hex}"
        started = time.monotonic()
        with client.evaluation(evaluation) as run:
            for arguments in iterate_scenario_arguments(table, **COLUMNS):
                run.add(**arguments)
        rate = count / (time.monotonic() - started)
        print(json.dumps({"batch_rows": size, "rows_per_second": round(rate)}), flush=True)
        client.request("DELETE", ["evaluations", evaluation])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rows", type=int, default=int(os.environ.get("ASSAY_ROWS", "2000")))
    parser.add_argument("--batches", action="store_true")
    parser.add_argument("--die", metavar="EVALUATION", help=argparse.SUPPRESS)
    parser.add_argument("--seconds", type=float, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.die:
        log_and_die(arguments.die, arguments.rows, arguments.seconds)
    elif arguments.batches:
        measure_batches(arguments.rows)
    else:
        print(json.dumps(measure(arguments.rows)))


if __name__ == "__main__":
    main()
