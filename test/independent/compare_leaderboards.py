"""Compares random leaderboards of services on SQLite and on PostgreSQL with scipy and statsmodels, and with each other.

It computes everything from the scores that it writes, and shares no code with Assay.
Usage: compare_leaderboards.py KEY ORIGIN KEY ORIGIN
"""

import json
import math
import sys
import urllib.parse
import urllib.request

import compare_statistics
import numpy
from compare_statistics import (
    MIN_ROWS,
    compare,
    differences,
    direction_of,
    mcnemar_p,
    rate_interval,
    repeated_interval,
    rng,
    verdict_interval,
)
from scipy import stats

LEADERBOARDS = 50
SERVICES = list(zip(sys.argv[1::2], sys.argv[2::2]))


def send(service, path, body=None):
    key, origin = service
    headers = {"Authorization": key, "Content-Type": "application/json"}
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(f"{origin}/api/{path}", data, headers)
    with urllib.request.urlopen(request) as response:
        return response.read().decode()


# Random evaluations


def random_leaderboard():
    """The repeats of each row by evaluation. A row can be missing, and a repeat is its score, cost and latency."""
    kind = rng.choice(["verdicts", "verdicts", "repeated", "numbers", "repeated numbers"])
    count, size = rng.choice([2, 3, 4, 6, 10]), rng.choice([3, 6, 12, 30, 60])
    has_gaps, has_costs = rng.random() < 0.4, rng.random() < 0.8
    skills = [rng.choice([0.3, 0.6, 0.9]) for _ in range(count)]
    difficulties = [rng.random() for _ in range(size)]
    evaluations = []
    for skill in skills:
        rows = []
        for difficulty in difficulties:
            if has_gaps and rng.random() < 0.03:
                rows.append(None)
                continue
            repeats = []
            for _ in range(rng.randint(1, 4) if kind.startswith("repeated") else 1):
                score = 0.5 * difficulty + 0.5 * rng.random()
                value = score < skill if "numbers" not in kind else round(skill + score, 4)
                value = None if has_gaps and rng.random() < 0.03 else value
                cost = round(rng.lognormvariate(-6, 1), 6) if has_costs else None
                latency = None if rng.random() < 0.05 else round(rng.lognormvariate(0, 1), 3)
                repeats.append((value, cost, latency))
            rows.append(repeats)
        evaluations.append(rows)
    return kind, evaluations


def scenarios(kind, rows):
    for row, repeats in enumerate(rows):
        for number, (value, cost, latency) in enumerate(repeats or []):
            result = {"type": "bool" if isinstance(value, bool) else "number", "value": value}
            yield {
                "id": f"r{row}-{number}",
                "inputs": [{"name": "q", "type": "text", "value": f"question {row}"}],
                "outputs": [{"result": {"type": "text", "value": "x"}, "cost": cost, "latency": latency}],
                "results": [] if value is None else [{"evaluator_config": "score", "result": result}],
            }


# Expected statistics


def mean_of(values):
    present = [value for value in values if value is not None]
    return math.fsum(present) / len(present) if present else None


def direction_and_interval(kind, baseline, candidate, confidence, has_repeats):
    changes = [b - a for a, b in zip(baseline, candidate)]
    changes = [0.0 if abs(change) < 1e-14 else change for change in changes]
    n = len(changes)
    if n < MIN_ROWS:
        return "too-few", None
    if "numbers" not in kind and has_repeats:
        interval = repeated_interval(changes, confidence)
    elif "numbers" not in kind:
        higher, lower = sum(change > 0 for change in changes), sum(change < 0 for change in changes)
        interval = verdict_interval(n, higher, lower, confidence, mcnemar_p(higher, lower))
    elif max(changes) - min(changes) > 1e-12:
        interval = list(map(float, stats.ttest_1samp(changes, 0).confidence_interval(confidence)))
    else:
        interval = [0.0, 0.0] if max(map(abs, changes)) < 1e-12 else None
    return (direction_of(interval) if interval else None), interval


def is_on_frontier(index, means, measures):
    if measures[index] is None:
        return None
    return not any(
        measure is not None
        and measure <= measures[index]
        and mean >= means[index]
        and (mean > means[index] or measure < measures[index])
        for mean, measure in zip(means, measures)
    )


def check(kind, evaluations, ids, leaderboard):
    scored = [[[each for each in repeats or [] if each[0] is not None] for repeats in rows] for rows in evaluations]
    shared = [row for row in range(len(evaluations[0])) if all(rows[row] for rows in scored)]
    compare("shared_rows", leaderboard["shared_rows"], len(shared))
    sides = []
    for id, rows, with_score in zip(ids, evaluations, scored):
        scores = [[float(value) for value, _, _ in with_score[row]] for row in shared]
        costs = [mean_of(cost for _, cost, _ in rows[row]) for row in shared]
        latencies = [mean_of(latency for _, _, latency in rows[row]) for row in shared]
        means = [math.fsum(values) / len(values) for values in scores]
        latencies = [value for value in latencies if value is not None]
        sides.append({
            "id": id,
            "scores": scores,
            "means": means,
            "mean": math.fsum(means) / len(means),
            "cost": mean_of(costs),
            "p50": float(numpy.quantile(latencies, 0.5)) if latencies else None,
            "p95": float(numpy.quantile(latencies, 0.95)) if latencies else None,
        })
    # Equal means can differ by a rounding error of the sum.
    sides.sort(key=lambda side: -round(side["mean"], 12))
    pairs = len(sides) * (len(sides) - 1) / 2
    confidence = 1 - 0.05 / pairs
    compare("confidence", leaderboard["confidence"], confidence)
    compare("order", [each["id"] for each in leaderboard["evaluations"]], [side["id"] for side in sides])

    def has_repeats(*compared):
        return any(len(values) > 1 for side in compared for values in side["scores"])

    def direction(first, second):
        repeats = has_repeats(first, second)
        return direction_and_interval(kind, first["means"], second["means"], confidence, repeats)

    means = [side["mean"] for side in sides]
    for index, (side, actual) in enumerate(zip(sides, leaderboard["evaluations"])):
        worse = sum(direction(side, other)[0] == "lower" for other in sides if other is not side)
        better = sum(direction(side, other)[0] == "higher" for other in sides if other is not side)
        compare("rank", actual["rank"], [1 + better, len(sides) - worse])
        compare("mean", actual["mean"], side["mean"])
        if "numbers" not in kind:
            compare("interval", actual["interval"], rate_interval(side["scores"], 0.95))
        elif len(side["means"]) >= 2 and max(side["means"]) - min(side["means"]) > 1e-12:
            low, high = stats.ttest_1samp(side["means"], 0).confidence_interval(0.95)
            compare("interval", actual["interval"], [float(low), float(high)])
        compare("cost", actual["cost"]["mean"], side["cost"])
        compare("p50", actual["latency"]["p50"], side["p50"])
        compare("p95", actual["latency"]["p95"], side["p95"])
        costs, latencies = [each["cost"] for each in sides], [each["p50"] for each in sides]
        compare("cost frontier", actual["cost"]["on_frontier"], is_on_frontier(index, means, costs))
        compare("latency frontier", actual["latency"]["on_frontier"], is_on_frontier(index, means, latencies))
        if index == 0:
            compare("change", actual["change"], None)
            continue
        found, interval = direction(sides[0], side)
        outcome = {"higher": "better", "lower": "worse"}.get(found, found)
        compare("outcome", actual["change"]["outcome"], outcome)
        compare("change", actual["change"]["interval"], interval)
        delta = math.fsum(side["means"]) / len(shared) - math.fsum(sides[0]["means"]) / len(shared)
        compare("delta", actual["change"]["delta"], 0.0 if abs(delta) < 1e-12 else delta, 1e-8)


def main():
    ranked = bytes_compared = 0
    while ranked < LEADERBOARDS:
        kind, evaluations = random_leaderboard()
        if not any(all(any(each[0] is not None for each in rows[row] or []) for rows in evaluations) for row in range(len(evaluations[0]))):
            continue
        ids = [f"b{ranked}-e{number}" for number in range(len(evaluations))]
        for service in SERVICES:
            for id, rows in zip(ids, evaluations):
                send(service, "evaluations", {"id": id, "created_at": "2026-11-01T00:00:00.000Z"})
                send(service, f"evaluations/{id}/evaluation_scenarios", list(scenarios(kind, rows)))
        query = urllib.parse.urlencode([("evaluation", id) for id in ids] + [("on", "score"), ("by", "input")])
        for path in ("leaderboards", "leaderboards/rows"):
            for suffix in ("", "&format=csv"):
                texts = [send(service, f"{path}?{query}{suffix}") for service in SERVICES]
                compare(f"bytes of {path}", texts[1:], texts[:-1])
                bytes_compared += len(texts[0])
        before = len(differences)
        check(kind, evaluations, ids, json.loads(send(SERVICES[0], f"leaderboards?{query}")))
        for name, actual, expected in differences[before:]:
            print(f"leaderboard {ranked + 1}, {kind}, {len(ids)} evaluations: {name} is {actual!r}, not {expected!r}")
        ranked += 1
    print(f"{compare_statistics.compared} values of {ranked} leaderboards were compared on {len(SERVICES)} engines, and {bytes_compared} bytes, {len(differences)} differ")
    sys.exit(1 if differences else 0)


main()
