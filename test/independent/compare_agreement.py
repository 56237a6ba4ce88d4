"""Compares the agreement of reviewers with statsmodels and scipy, for random answers.

Usage: compare_agreement.py COMMAND… , a command that reads reviews from standard input: node evaluate-agreement.ts
"""

import itertools
import json
import math
import subprocess
import sys

import numpy
from compare_statistics import compare, differences, rng
from scipy import stats
from statsmodels.stats import inter_rater
from statsmodels.stats.proportion import proportion_confint

COMMAND = sys.argv[1:]
REVIEWS = 600
NAMES = ["Ana", "Jo", "Mira"]
MIN_ROWS_FOR_KAPPA = 20
# The service uses 1.96 standard errors for an interval of 95 %.
STANDARD_ERRORS = 1.96


def random_review():
    """The answers of each row: verdicts and numbers of up to three reviewers, and some decisions."""
    rate, noise, answered = rng.choice([0.03, 0.5, 0.9, 1]), rng.choice([0, 0.1, 0.5]), rng.choice([0.4, 0.9, 1])
    number_kind = rng.choice(["ties", "numbers", "equal"])
    rows = []
    for _ in range(rng.choice([1, 5, 19, 20, 21, 60, 200])):
        truth, quality = rng.random() < rate, rng.gauss(0, 1)
        answers = []
        for name in NAMES:
            if rng.random() > answered:
                continue
            verdict = truth != (rng.random() < noise)
            number = {
                "ties": rng.randint(1, 3),
                "numbers": quality + noise * rng.gauss(0, 1),
                "equal": 2,
            }[number_kind]
            for evaluator, value in [("verdict", verdict), ("number", number)]:
                # Some reviewers cannot tell.
                value = None if rng.random() < 0.1 else value
                answers.append({"evaluator": evaluator, "by": name, "is_decision": False, "value": value})
        if rng.random() < 0.1:
            answers.append({"evaluator": "verdict", "by": "owner", "is_decision": True, "value": True})
        rows.append(answers)
    return rows


def pairs_of(rows, evaluator, first, second):
    """The definite answers of two reviewers in their common rows."""
    pairs = []
    for answers in rows:
        values = {
            answer["by"]: answer["value"]
            for answer in answers
            if answer["evaluator"] == evaluator and not answer["is_decision"] and answer["value"] is not None
        }
        if first in values and second in values:
            pairs.append((values[first], values[second]))
    return pairs


def expect_kappa(pairs):
    if len(pairs) < MIN_ROWS_FOR_KAPPA or len(set(itertools.chain(*pairs))) == 1:
        return None, None
    verdicts = numpy.array(pairs).astype(int)
    table, _ = inter_rater.to_table(verdicts, bins=2)
    with numpy.errstate(all="ignore"):
        result = inter_rater.cohens_kappa(table)
    # The variance is a difference of larger numbers, so that statsmodels has rounding errors where it is 0.
    variance = float(result.var_kappa) if result.var_kappa > 1e-15 else 0.0
    margin = STANDARD_ERRORS * math.sqrt(variance)
    kappa = float(result.kappa)
    return kappa, [max(-1.0, kappa - margin), min(1.0, kappa + margin)]


def expect_correlation(pairs):
    first, second = numpy.array(pairs, dtype=float).T
    if len(pairs) < 2 or numpy.ptp(first) == 0 or numpy.ptp(second) == 0:
        return None
    return float(stats.spearmanr(first, second).statistic)


def check_pass_rate(rows, result):
    """The results by majority, and the exact interval of their pass rate."""
    passed, count = 0, 0
    for answers in rows:
        own = [answer for answer in answers if answer["evaluator"] == "verdict"]
        decisions = [answer for answer in own if answer["is_decision"]]
        values = [answer["value"] for answer in decisions or own if answer["value"] is not None]
        if values.count(True) != values.count(False):
            count += 1
            passed += values.count(True) > values.count(False)
    compare("passed", [result["passed"], result["results"]], [passed, count])
    if count:
        low, high = map(float, proportion_confint(passed, count, 0.05, "beta"))
        compare("pass_rate_interval", result["pass_rate_interval"], [low, high])
        compare("margin", result["precision"]["margin"], (high - low) / 2)


def check_pairs(rows, result):
    found = {tuple(pair["reviewers"]): pair for pair in result["pairs"]}
    for names in itertools.combinations(NAMES, 2):
        pairs = pairs_of(rows, result["evaluator"], *names)
        pair = found.pop(names, None)
        compare("is pair", pair is not None, len(pairs) > 0)
        if not pairs or pair is None:
            continue
        agreeing = sum(first == second for first, second in pairs)
        compare("rows", [pair["rows"], pair["agreeing"]], [len(pairs), agreeing])
        compare("agreement", pair["agreement"], agreeing / len(pairs))
        if result["evaluator"] == "verdict":
            kappa, interval = expect_kappa(pairs)
            compare("kappa", pair["kappa"], kappa)
            compare("interval", pair["interval"], interval)
        else:
            compare("rank_correlation", pair["rank_correlation"], expect_correlation(pairs))
            distance = float(numpy.mean([abs(first - second) for first, second in pairs]))
            compare("mean_absolute_difference", pair["mean_absolute_difference"], distance)
    compare("other pairs", list(found), [])


def main():
    reviews = [random_review() for _ in range(REVIEWS)]
    process = subprocess.run(COMMAND, input=json.dumps(reviews), capture_output=True, text=True, check=True)
    kappas = 0
    for index, (rows, results) in enumerate(zip(reviews, json.loads(process.stdout))):
        before = len(differences)
        for result in results:
            check_pairs(rows, result)
            kappas += sum(pair["kappa"] is not None for pair in result["pairs"])
        check_pass_rate(rows, results[0])
        for name, actual, expected in differences[before:]:
            print(f"review {index + 1}, {len(rows)} rows: {name} is {actual!r}, not {expected!r}")
    print(f"{kappas} kappas of {REVIEWS} reviews were compared, with the other statistics; {len(differences)} values differ")
    sys.exit(1 if differences or kappas == 0 else 0)


if __name__ == "__main__":
    main()
