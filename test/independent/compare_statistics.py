"""Compares the statistics of comparisons with scipy and statsmodels, for random evaluations.

It computes everything from the scores of the repeats, and shares no code with Assay. Intervals of verdicts are computed from
their definition: the score equation is solved by root finding, with the likelihood maximized by root finding.
Usage: compare_statistics.py COMMAND… , a command that reads cases from standard input: node evaluate-statistics.ts
"""

import json
import math
import random
import subprocess
import sys

import numpy
from scipy import optimize, stats
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.proportion import proportion_confint

COMMAND = sys.argv[1:]
CASES = 1500
MIN_ROWS = 6
TOLERANCE = 1e-9
# The detectable change is found by bisection.
DETECTABLE_TOLERANCE = 1e-6

rng = random.Random(20261118)
compared = 0
differences = []


def compare(name, actual, expected, tolerance=TOLERANCE):
    global compared
    compared += 1
    if isinstance(expected, (list, tuple)):
        compared -= 1
        if actual is None or len(actual) != len(expected):
            compared += 1
            differences.append((name, actual, expected))
            return
        for index, (part, other) in enumerate(zip(actual, expected)):
            compare(f"{name}[{index}]", part, other, tolerance)
    elif isinstance(expected, (float, numpy.floating)) and isinstance(actual, (int, float)):
        # Bounds close to 0 are differences of larger numbers.
        if not math.isclose(actual, expected, rel_tol=tolerance, abs_tol=1e-12):
            differences.append((name, actual, float(expected)))
    elif actual != expected:
        differences.append((name, actual, expected))


# Intervals of verdicts


def constrained_shares(n, higher, lower, delta):
    """The shares of rows that become higher and lower with the largest likelihood if the change is delta."""
    rarer, other = (higher, lower) if delta < 0 else (lower, higher)
    same, size = n - higher - lower, abs(delta)

    def ratio(count, chance):
        return 0 if count == 0 else count / chance if chance > 0 else math.inf

    def slope(share):
        return ratio(rarer, share) + ratio(other, share + size) - 2 * ratio(same, 1 - size - 2 * share)

    last = (1 - size) / 2
    start, end = last * 1e-15, last * (1 - 1e-15)
    if slope(start) <= 0:
        share = 0.0
    elif slope(end) >= 0:
        share = last
    else:
        share = optimize.brentq(slope, start, end, xtol=1e-300, rtol=1e-15, maxiter=500)
    return (share, share + size) if delta < 0 else (share + size, share)


def score_bound(n, higher, lower, confidence, correction, skewed=True, unbiased=False):
    """The lower bound of the score interval."""
    z = stats.norm.isf((1 - confidence) / 2)

    def excess(delta):
        up, down = constrained_shares(n, higher, lower, delta)
        variance = (up + down - delta * delta) * (n / (n - 1) if unbiased else 1)
        margin = z * math.sqrt(n * variance)
        if skewed and variance > 0:
            third = up * (1 - delta) ** 3 + down * (-1 - delta) ** 3 + (1 - up - down) * (-delta) ** 3
            # The skewness of the sum of all rows, times its standard deviation.
            margin += third / variance * (z * z - 1) / 6
        return higher - lower - correction - n * delta - margin

    estimate = (higher - lower) / n
    first = -1 + 1e-9
    # All rows can have become lower, up to the resolution of the equation.
    if excess(first) <= 0:
        return -1.0
    # The first root: close to an estimate without variance, the skewness causes further ones.
    last = estimate - (estimate + 1) / 2
    while excess(last) > 0:
        first, last = last, (last + estimate) / 2
    return optimize.brentq(excess, first, last, xtol=1e-15, rtol=1e-14, maxiter=500)


def check_published():
    # Fagerland, Lydersen & Laake 2014: x = (1, 1, 7, 12). Tango's interval, and the bounds of ratesci 1.0 with skewness correction.
    for skewed, unbiased, expected in [(False, False, (-0.5172, -0.0260)), (True, True, (-0.5281, -0.0184))]:
        low = score_bound(21, 1, 7, 0.95, 0, skewed, unbiased)
        high = -score_bound(21, 7, 1, 0.95, 0, skewed, unbiased)
        compare("published", [round(low, 4), round(high, 4)], list(expected))


def verdict_interval(n, higher, lower, confidence, p_value):
    low = score_bound(n, higher, lower, confidence, 0.5)
    high = -score_bound(n, lower, higher, confidence, 0.5)
    if p_value > 1 - confidence:
        return [min(0.0, low), max(0.0, high)]
    alpha = 1 - confidence

    def product(more, less):
        share = proportion_confint(more + less, n, alpha, "beta")[0]
        return share * (2 * proportion_confint(more, more + less, alpha, "beta")[0] - 1)

    if higher > lower and low <= 0:
        low = product(higher, lower)
    if lower > higher and high >= 0:
        high = -product(lower, higher)
    return [low, high]


def mcnemar_p(higher, lower):
    if higher == lower:
        return 1.0
    p_value = stats.binomtest(lower, higher + lower, 0.5).pvalue
    other = mcnemar([[0, higher], [lower, 0]], exact=True).pvalue
    compare("scipy and statsmodels", float(other), float(p_value))
    return float(p_value)


def detectable_verdicts(n, changed, confidence):
    """The change with a power of 80 %, from the probabilities of all outcomes."""
    def power(change):
        share = max(changed / n, change)
        total = 0.0
        for count in range(n + 1):
            weight = stats.binom.pmf(count, n, share)
            rejected = stats.binom.ppf((1 - confidence) / 2, count, 0.5)
            while rejected >= 0 and 2 * stats.binom.cdf(rejected, count, 0.5) > 1 - confidence:
                rejected -= 1
            if rejected >= 0:
                total += weight * stats.binom.cdf(rejected, count, max(0.0, (share - change) / (2 * share)))
        return total

    if power(1) < 0.8:
        return None
    return optimize.brentq(lambda change: power(change) - 0.8, 1e-9, 1, xtol=1e-12)


# Verdicts with repeats


def repeated_interval(changes, confidence):
    n = len(changes)
    added = stats.norm.isf((1 - confidence) / 2) ** 2 / 3
    total = n + 2 * added
    mean = math.fsum(changes) / total
    variance = (math.fsum(change**2 for change in changes) + 2 * added) / total - mean**2
    margin = stats.t.isf((1 - confidence) / 2, n - 1) * math.sqrt(variance / (total - 1))
    return [max(-1.0, mean - margin), min(1.0, mean + margin)]


def rate_interval(rows, confidence):
    n, runs = len(rows), sum(map(len, rows))
    means = [sum(row) / len(row) for row in rows]
    alpha = 1 - confidence
    if runs == n:
        return list(map(float, proportion_confint(sum(map(sum, rows)), n, alpha, "beta")))
    added = stats.norm.isf(alpha / 2) ** 2 / 3
    total = n + 2 * added
    rate = (math.fsum(means) + added) / total
    between = (math.fsum(mean**2 for mean in means) + added) / total - rate**2
    size = min(runs, max(n, n * rate * (1 - rate) / between))
    count = math.fsum(means) / n * size
    low = 0.0 if count < 1e-9 else stats.beta.ppf(alpha / 2, count, size - count + 1)
    high = 1.0 if size - count < 1e-9 else stats.beta.isf(alpha / 2, count + 1, size - count)
    return [float(low), float(high)]


# Random evaluations


def random_rows():
    kind = rng.choice(["verdicts", "verdicts", "repeated", "repeated", "numbers", "repeated numbers", "ties"])
    count = rng.choice([1, 3, 5, 6, 7, 8, 10, 12, 20, 20, 30, 50, 80, 200])
    repeats = rng.choice([3, 10, None]) if kind.startswith("repeated") else 1
    base_rate, loss = rng.choice([0.02, 0.3, 0.7, 0.95, 1]), rng.choice([0, 0, 0.05, 0.3, 1])

    def score(rate):
        if kind in ("verdicts", "repeated"):
            return int(rng.random() < rate)
        if kind == "ties":
            return rng.randint(0, 3) / 4
        return round(rng.lognormvariate(rate, 1), 4)

    rows = []
    for _ in range(count):
        rate = rng.choice([base_rate, base_rate, rng.random()])
        rates = [rate, rate * (1 - loss)]
        sides = []
        for side_rate in rates:
            runs = repeats or rng.randint(1, 10)
            # Some scores are missing.
            sides.append([score(side_rate) for _ in range(runs) if rng.random() < 0.95])
        rows.append(sides)
    return [row for row in rows if all(row)]


def direction_of(interval):
    return "higher" if interval[0] > 0 else "lower" if interval[1] < 0 else "tied"


def check_case(case, result):
    baseline, candidate, confidence = case["baseline"], case["candidate"], case["confidence"]
    n = len(baseline)
    base_means = [math.fsum(row) / len(row) for row in baseline]
    means = [math.fsum(row) / len(row) for row in candidate]
    changes = [mean - base for mean, base in zip(means, base_means)]
    # The same sums in another order have rounding errors.
    changes = [0.0 if abs(change) < 1e-14 else change for change in changes]
    is_verdict = all(score in (0, 1) for row in baseline + candidate for score in row)
    has_repeats = any(len(row) > 1 for row in baseline + candidate)
    compare("n", result["n"], n)
    higher, lower = sum(change > 0 for change in changes), sum(change < 0 for change in changes)
    if is_verdict:
        compare("higher", result["higher"], higher)
        compare("lower", result["lower"], lower)
    for name, values in [("base_mean", base_means), ("mean", means), ("delta", changes)]:
        compare(name, result[name], float(numpy.mean(values)) if n else None)
    if n >= 2 and max(means) - min(means) > 1e-12:
        low, high = stats.ttest_1samp(means, 0).confidence_interval(confidence)
        compare("mean_interval", result["mean_interval"], [float(low), float(high)])
    if is_verdict and n:
        compare("rate_interval", result["rate_interval"], rate_interval(candidate, confidence))
    p_value = mcnemar_p(higher, lower) if is_verdict and not has_repeats and n else None
    compare("p_value", result["p_value"], p_value)
    if n < MIN_ROWS:
        compare("direction", result["direction"], "too-few" if n else None)
        compare("interval", result["interval"], None)
        return
    spread = max(changes) - min(changes)
    if is_verdict and has_repeats:
        interval = repeated_interval(changes, confidence)
    elif is_verdict:
        interval = verdict_interval(n, higher, lower, confidence, p_value)
        if n <= 50:
            expected = detectable_verdicts(n, higher + lower, confidence)
            compare("detectable", result["detectable"], expected, DETECTABLE_TOLERANCE)
    elif spread > 1e-12:
        interval = list(map(float, stats.ttest_1samp(changes, 0).confidence_interval(confidence)))
    else:
        interval = [0.0, 0.0] if max(map(abs, changes)) < 1e-12 else None
    compare("interval", result["interval"], interval)
    compare("direction", result["direction"], direction_of(interval) if interval else None)


def fisher_tables():
    for _ in range(1500):
        counts = [rng.choice([1, 2, 3, 5, 10, 30, 100, 1000]) for _ in range(2)]
        rates = [rng.random() for _ in range(2)]
        passes = [sum(rng.random() < rate for _ in range(count)) for count, rate in zip(counts, rates)]
        yield [passes[0], counts[0], passes[1], counts[1]]


def judged_rows():
    """Verdicts of a judge on all rows, and of people on some of them."""
    for _ in range(1500):
        rows = rng.choice([30, 100, 120, 1000])
        rate, false_pass, false_fail = rng.random(), rng.choice([0, 0.1, 0.5, 1]), rng.choice([0, 0.1, 0.5])
        people = [rng.random() < rate for _ in range(rows)]
        judge = [rng.random() < (1 - false_fail if good else false_pass) for good in people]
        yield judge, people, rng.sample(range(rows), min(rows, rng.choice([29, 30, 64, 200])))


def corrected_rate(judge, people, sample):
    """Survey sampling: a stratified estimate, with exact intervals of both strata at 97.5 % (Bonferroni)."""
    parts = []
    for verdict in (True, False):
        weight = judge.count(verdict) / len(judge)
        judged = [people[row] for row in sample if judge[row] is verdict]
        if weight == 0:
            continue
        if not judged or len(sample) < 30:
            return None
        bounds = stats.binomtest(sum(judged), len(judged)).proportion_ci(0.975, method="exact")
        parts.append([weight * part for part in (numpy.mean(judged), bounds.low, bounds.high)])
    return [float(sum(part)) for part in zip(*parts)]


def counts_of(judge, people, sample):
    names = {(True, True): "both_pass", (True, False): "only_evaluator", (False, True): "only_with", (False, False): "both_fail"}
    counts = dict.fromkeys(names.values(), 0)
    for row in sample:
        counts[names[judge[row], people[row]]] += 1
    return counts


def main():
    check_published()
    cases = []
    for _ in range(CASES):
        rows = random_rows()
        confidence = 1 - 0.05 / rng.choice([1, 1, 1, 3, 12, 201])
        cases.append({"confidence": confidence, "baseline": [row[0] for row in rows], "candidate": [row[1] for row in rows]})
    tables = list(fisher_tables())
    judged = list(judged_rows())
    data = {
        "cases": cases,
        "tables": tables,
        "judged": [[len(judge), judge.count(True), counts_of(judge, people, sample)] for judge, people, sample in judged],
    }
    process = subprocess.run(COMMAND, input=json.dumps(data), capture_output=True, text=True, check=True)
    results = json.loads(process.stdout)
    for index, (case, result) in enumerate(zip(cases, results["cases"])):
        before = len(differences)
        check_case(case, result)
        for name, actual, expected in differences[before:]:
            print(f"case {index + 1}, {len(case['baseline'])} rows, {case['confidence']:.5f}: {name} is {actual!r}, not {expected!r}")
    for (passes_a, count_a, passes_b, count_b), result in zip(tables, results["tables"]):
        table = [[passes_a, count_a - passes_a], [passes_b, count_b - passes_b]]
        expected = stats.fisher_exact(table).pvalue
        compare("fisher", result, float(expected))
        if differences and differences[-1][0] == "fisher" and differences[-1][1] == result:
            print(f"{table}: {result!r}, not {expected!r}")
    for rows, result in zip(judged, results["judged"]):
        expected = corrected_rate(*rows)
        before = len(differences)
        compare("corrected rate", result and [result["corrected"], *result["interval"]], expected)
        for name, actual, other in differences[before:]:
            print(f"{counts_of(*rows)}: {name} is {actual!r}, not {other!r}")
    print(f"{compared} values of {len(cases)} comparisons, {len(tables)} tables and {len(judged)} judges were compared, {len(differences)} differ")
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
