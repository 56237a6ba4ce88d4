"""The verdict sentences and the HTML for notebooks."""

from __future__ import annotations

import copy
import json
import pickle
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from assay_client import AssayError, Client
from assay_client._display.numbers import RATE, SCORE
from assay_client._display.verdict import Metric, count_rows, other_changes
from assay_client.display import (
    DisplayedComparison,
    DisplayedEvaluation,
    DisplayedLeaderboard,
    Verdict,
    comparison_html,
    evaluation_html,
    leaderboard_html,
    verdict_sentence,
)


def read_cases(name: str) -> Any:
    """The page and the command line have tests with the same cases."""
    return json.loads(Path(__file__).with_name(name).read_text(encoding="utf-8"))


CASES = read_cases("verdict_sentences.json")
URL = "https://evals.example"
HOSTILE = "<script>alert(1)</script>\"'&\u202e\u2066\x00\n\ud800 " + "long " * 100
VOID_TAGS = {"br", "hr", "img", "input", "link", "meta"}


class Page(HTMLParser):
    """Checks that tags are balanced, and collects texts, links and the cells of tables."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.links: list[str] = []
        self.rows: list[list[str]] = []
        self.text = ""
        self._open: list[str] = []
        text.encode()
        self.feed(text)
        self.close()
        assert self._open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag not in VOID_TAGS
        assert all(not name.startswith("on") for name, _ in attrs)
        self.tags.add(tag)
        self._open.append(tag)
        self.links += [value or "" for name, value in attrs if name == "href"]
        if tag == "tr":
            self.rows.append([])
        if tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        data = data.replace("\N{MINUS SIGN}", "-")
        # Without isolation, these characters would reorder the text after the name.
        assert "bdi" in self._open or not set(data) & set("\u202e\u2066")
        self.text += data
        if {"td", "th"} & set(self._open):
            self.rows[-1][-1] += data


def to_metric(values: dict[str, Any] | None) -> Metric | None:
    if values is None:
        return None
    members = {"name": "", **values}
    unit = RATE if members.pop("is_verdict", False) else SCORE
    return Metric(unit=unit, **members)


@pytest.mark.parametrize("case", CASES, ids=[case["title"] for case in CASES])
def test_sentences_are_those_of_the_page(case: dict[str, Any]) -> None:
    evaluator = to_metric(case["evaluator"])
    assert evaluator is not None
    verdict = Verdict(
        case["baseline"],
        evaluator,
        case["candidate"],
        case["chosen"],
        case["has_different_rows"],
    )
    assert verdict_sentence(verdict) == case["sentence"]
    others = [metric for metric in map(to_metric, case["others"]) if metric is not None]
    cost, latency = to_metric(case["cost"]), to_metric(case["latency"])
    assert other_changes(evaluator, others, cost, latency) == case["other_changes"]


@pytest.mark.parametrize("case", read_cases("row_counts.json"))
def test_counts_of_rows_are_those_of_the_page(case: dict[str, Any]) -> None:
    assert count_rows(case["rows"], case["scenarios"]) == case["text"]


def test_a_comparison_shows_the_sentence_and_a_row_per_metric(client: Client) -> None:
    comparison = client.compare("support-answer-r4", "support-answer-r5")
    assert comparison["join"]["by"] == "id"
    page = Page(comparison._repr_html_())
    assert page.text.startswith(
        "r5 is ▼ worse than r4 on answer_correct: 29 rows regressed, 4 improved. "
        "Also worse on faithfulness and cites_policy, 30.5 % cheaper."
    )
    assert [", ".join(row) for row in page.rows] == [
        ", r4, r5, change, worse better, 95 % confidence interval, regressed, improved, n",
        "answer_correct, 91.1 %, 68.8 %, ▼ -22.3 pp, , -32.3 to -12.7 pp, 29, 4, 112",
        "faithfulness, 0.839, 0.726, ▼ -0.113, , -0.190 to -0.037, 41, 46, 106",
        "cites_policy, 94.7 %, 57.9 %, ▼ -36.8 pp, , -47.3 to -26.1 pp, 46, 4, 114",
        "cost, $0.00163, $0.00113, ▲ -$0.00050, , -$0.00052 to -$0.00048, , , 115",
        "latency, 2.212 s, 1.815 s, -0.396 s, , -1.804 to +1.011 s, , , 120",
    ]
    assert "No scores in common: tone." in page.text
    address = f"{client.url}/compare?evaluation=support-answer-r4&evaluation=support-answer-r5"
    assert page.links[0] == f"{address}&show=regressed&on=answer_correct"
    assert page.links[-1] == address
    assert all(link.startswith(client.url) for link in page.links)


def test_a_comparison_is_printed_as_sentences(client: Client) -> None:
    comparison = client.compare("support-answer-r4", "support-answer-r5", "support-answer-r6")
    first, second, *warnings, address = str(comparison).splitlines()
    assert first == (
        "r5 is worse than r4 on answer_correct: 29 rows regressed, 4 improved. "
        "Also worse on faithfulness and cites_policy, 30.5 % cheaper."
    )
    assert second.startswith("r6 and r4 are tied on answer_correct")
    assert warnings == [f"Warning: {each['detail']}" for each in comparison["warnings"]]
    assert address.startswith(f"{client.url}/compare?evaluation=support-answer-r4&")
    assert repr(comparison) == repr(dict(comparison))


def test_a_comparison_of_three_shows_each_candidate(client: Client) -> None:
    ids = ["support-answer-r4", "support-answer-r5", "support-answer-r6"]
    page = Page(client.compare(*ids)._repr_html_())
    assert "r5 is ▼ worse than r4 on answer_correct" in page.text
    assert "r6 and r4 are tied on answer_correct" in page.text
    # Counts of rows are those of the first candidate, so each link has its candidate first.
    order = "evaluation=support-answer-r4&evaluation=support-answer-r6&evaluation=support-answer-r5"
    assert f"{client.url}/compare?{order}&show=improved&on=answer_correct" in page.links


def test_an_evaluation_shows_the_change_from_its_baseline(client: Client) -> None:
    evaluation = client.get_evaluation("support-answer-r5")
    page = Page(evaluation._repr_html_())  # type: ignore[attr-defined]
    assert page.text.startswith("▼ Worse than r4 on answer_correct: 29 rows regressed, 4 improved.")
    assert page.rows[1][:4] == ["answer_correct", "91.1 %", "68.8 %", "▼ -22.3 pp"]
    address = f"{client.url}/evaluations/support-answer-r5"
    assert page.links[0] == f"{address}?delta.answer_correct=lt.0&base=support-answer-r4"
    assert page.links[-1] == address
    assert "Support answer r5: three sentences · 120 rows · 2 outputs failed" in page.text


def test_an_evaluation_without_baseline_shows_its_scores(client: Client) -> None:
    evaluation = client.get_evaluation("ticket-triage-r4")
    page = Page(evaluation._repr_html_())  # type: ignore[attr-defined]
    assert page.text.startswith("73.1 % pass category_match: 21 rows failed, 57 passed.")
    assert page.rows == [
        ["", "pass rate", "mean", "95 % confidence interval", "n", "errors"],
        ["category_match", "73.1 %", "", "61.8 to 82.5 %", "78", "0"],
        ["priority_distance lower is better", "97.4 %", "0.250", "90.8 to 99.7 %", "76", "1"],
        ["valid_json", "96.2 %", "", "89.2 to 99.2 %", "78", "0"],
        ["cost", "", "$0.0000529", "$0.0000527 to $0.0000532", "78", ""],
        ["latency", "", "0.651 s", "0.411 to 0.892 s", "80", ""],
    ]


def test_repeats_are_counted_by_rows(client: Client) -> None:
    rows = [
        {"question": f"row {row}", "case": row, "trial": trial, "correct": row > 3 or row == trial}
        for row in range(1, 9)
        for trial in range(1, 4)
    ]
    for name, count in (("repeats-before", 24), ("repeats-after", 23)):
        client.log(
            name,
            rows[:count],
            inputs="question",
            scores="correct",
            sample="case",
            repetition="trial",
            variant="repeats",
            config={"temperature": 0},
        )
    page = Page(client.get_evaluation("repeats-before")._repr_html_())  # type: ignore[attr-defined]
    assert page.text.startswith(
        "75.0 % pass correct: 8 rows × 3, 3 flaky, 62.5 % pass every time, 100 % at least once."
    )
    assert page.text.endswith("repeats-before · 8 rows × 3")
    page = Page(client.get_evaluation("repeats-after")._repr_html_())  # type: ignore[attr-defined]
    assert page.text.startswith(
        "Tied with the previous run repeats-before on correct: all 8 rows have the same score; "
        "a change of "
    )
    page = Page(client.compare("repeats-before", "repeats-after")._repr_html_())
    assert (
        "8 rows matched by id · baseline: 8 rows × 3 · candidate: 8 rows, 23 scenarios" in page.text
    )


def test_too_few_rows_have_no_verdict(client: Client) -> None:
    for name, correct in (("few-before", True), ("few-after", False)):
        rows = [{"question": number, "correct": correct} for number in range(5)]
        client.log(name, rows, inputs="question", scores="correct")
    page = Page(client.compare("few-before", "few-after")._repr_html_())
    assert page.text.startswith(
        "Too few rows to compare few-after with few-before on correct: "
        "5 with a score in both, at least 6 are needed."
    )
    assert ", ".join(page.rows[1]) == (
        "correct, 100.0 %, 0.0 %, -100.0 pp, , too few rows, 5, 0, 5"
    )


def test_unclear_rows_have_a_column(client: Client) -> None:
    comparison: Any = copy.deepcopy(client.compare("support-answer-r4", "support-answer-r5"))
    comparison["candidates"][0]["evaluators"][0]["classes"]["unclear"] = 7
    page = Page(comparison_html(comparison, URL))
    assert page.text.startswith(
        "r5 is ▼ worse than r4 on answer_correct: 29 rows regressed, 4 improved, 7 unclear."
    )
    assert [row[-4:] for row in page.rows[:2]] == [
        ["regressed", "improved", "unclear", "n"],
        ["29", "4", "7", "112"],
    ]


def test_different_rows_have_no_verdict(client: Client) -> None:
    comparison: Any = copy.deepcopy(client.compare("support-answer-r4", "support-answer-r5"))
    comparison["candidates"][0]["has_different_rows"] = True
    page = Page(comparison_html(comparison, URL))
    assert page.text.startswith(
        "r5 cannot be compared with r4: these runs do not have the same rows."
    )


def test_a_baseline_that_does_not_exist_is_left_out(client: Client) -> None:
    evaluation = dict(client.get_evaluation("ticket-triage-r4"))
    evaluation["baseline_id"] = "does-not-exist"

    def read_summary(base: str) -> Any:
        return client.summary("ticket-triage-r4", base=base)

    page = Page(DisplayedEvaluation(evaluation, URL, read_summary)._repr_html_())
    assert page.text.startswith("73.1 % pass category_match")


def test_a_running_evaluation_shows_its_progress(client: Client) -> None:
    evaluation = client.get_evaluation("ticket-triage-r4")
    summary = client.summary("ticket-triage-r4")
    running: Any = {**evaluation, "status": "running", "expected_count": 300}
    html = evaluation_html(running, summary, URL)
    assert Page(html).text.startswith("Running: 80 of 300 rows")
    assert "currentColor 26.7%" in html
    running["expected_count"] = None
    assert Page(evaluation_html(running, summary, URL)).text.startswith("Running: 80 rows")


def test_an_evaluation_that_cannot_be_read_shows_the_error(client: Client) -> None:
    evaluation = client.get_evaluation("ticket-triage-r4")

    def fail(base: str) -> Any:
        raise AssayError("The <service> is away.")

    page = Page(DisplayedEvaluation(evaluation, URL, fail)._repr_html_())
    assert page.text == "ticket-triage-r4: The <service> is away."


def test_empty_evaluations_and_comparisons_without_pairs_have_a_sentence(client: Client) -> None:
    evaluation: Any = {**client.get_evaluation("ticket-triage-r4"), "scenario_count": 0}
    summary: Any = {**client.summary("ticket-triage-r4"), "evaluators": []}
    assert "0 rows without results." in Page(evaluation_html(evaluation, summary, URL)).text

    comparison: Any = copy.deepcopy(client.compare("ticket-triage-r4", "support-answer-r5"))
    [candidate] = comparison["candidates"]
    names = "Support answer r5: three sentences and Ticket triage r4: needs_human"
    page = Page(comparison_html(comparison, URL))
    outputs = f"{candidate['outputs_changed']} of {candidate['matched']} matched outputs differ."
    assert page.text.startswith(f"{names} have no scores in common. {outputs}")
    candidate["matched"] = 0
    assert f"{names} have no matching rows." in Page(comparison_html(comparison, URL)).text


def test_hostile_names_are_escaped_isolated_and_shortened(client: Client) -> None:
    comparison: Any = copy.deepcopy(client.compare("support-answer-r4", "support-answer-r5"))
    clean = Page(comparison_html(comparison, URL))
    for evaluation in comparison["evaluations"]:
        evaluation.update(name=HOSTILE, variant_id=None, id=HOSTILE + evaluation["id"])
    comparison["candidates"][0]["id"] = comparison["evaluations"][1]["id"]
    comparison["candidates"][0]["evaluators"][0]["name"] = HOSTILE
    comparison["join"].update(by=HOSTILE, asked=HOSTILE)
    warning = {"code": "rows-missing", "evaluation": None, "evaluator": None, "rows": 1}
    comparison["warnings"] = [{**warning, "detail": HOSTILE}] * 6
    html = comparison_html(comparison, URL)
    page = Page(html)
    assert page.tags == clean.tags
    # Two names and an evaluator in the sentence, a label, the join key and four of six warnings.
    assert page.text.count("<script>alert(1)</script>") == 9
    assert "2 more warnings." in page.text
    assert "\x00" not in html
    assert all(len(cell) <= 40 for row in page.rows for cell in row)
    assert all(link.startswith(f"{URL}/compare?evaluation=%3Cscript%3E") for link in page.links)


def test_a_leaderboard_has_its_best_evaluation_and_a_table(client: Client) -> None:
    ids = ["support-answer-r4", "support-answer-r5", "support-answer-r6"]
    leaderboard = client.leaderboard(*ids, on="answer_correct")
    page = Page(leaderboard._repr_html_())
    best, second, third = leaderboard["evaluations"]
    assert page.text.startswith(f"'{best['name']}' has the best score")
    heading, *rows = page.rows
    assert heading[1:3] == ["rank", "pass rate"]
    assert [row[1] for row in rows] == ["1 to 2", "1 to 2", "3"]
    assert rows[0][4] == ""
    assert rows[2][4].startswith("▼ -")
    assert f"{leaderboard['shared_rows']} shared rows" in page.text
    assert f"{client.url}/evaluations/{third['id']}" in page.links
    text = str(leaderboard).splitlines()
    assert text[0] == (
        f"'{best['name']}' has the best score. These can be as good: '{second['name']}'."
    )
    assert text[3].startswith(f"3: {third['name']}, ")


def test_leaderboards_say_what_is_certain() -> None:
    def describe(ranks: list[list[int]]) -> str:
        evaluations = [
            {
                **dict.fromkeys(("name", "variant_id", "revision", "label", "provider"), None),
                **{"id": f"e{index}", "rank": rank, "mean": 2.5, "interval": None},
                "change": None if index == 0 else {"delta": -1, "outcome": "too-few"},
                "cost": {"mean": None, "on_frontier": None},
                "latency": {"p50": None, "p95": None, "on_frontier": None},
            }
            for index, rank in enumerate(ranks)
        ]
        leaderboard: Any = {
            **{"on": "score", "higher_is_better": False, "is_verdict": False, "shared_rows": 3},
            **{"evaluations": evaluations, "warnings": []},
        }
        page = Page(leaderboard_html(leaderboard, URL))
        assert "too few rows" in page.rows[2]
        assert "lower is better" in page.text
        return str(DisplayedLeaderboard(leaderboard, URL)).splitlines()[0]

    assert describe([[1, 1], [2, 2]]) == "'e0' is certainly better than all others."
    assert describe([[1, 2], [1, 2]]) == (
        "'e0' has the best score, but none of the others is certainly worse."
    )
    assert describe([[1, 2], [2, 3], [2, 3]]) == (
        "'e0' has the best score, and no other one can be the best."
    )


def test_hostile_names_in_leaderboards_are_escaped(client: Client) -> None:
    ids = ["support-answer-r4", "support-answer-r5"]
    leaderboard: Any = copy.deepcopy(client.leaderboard(*ids))
    clean = Page(leaderboard_html(leaderboard, URL))
    for index, evaluation in enumerate(leaderboard["evaluations"]):
        evaluation.update(name=HOSTILE + str(index), id=HOSTILE + str(index))
    leaderboard["on"] = HOSTILE
    page = Page(leaderboard_html(leaderboard, URL))
    assert page.tags == clean.tags
    assert "\x00" not in page.text


def test_every_evaluation_of_the_sample_has_html(client: Client) -> None:
    # Other tests write evaluations without scores to the same service.
    variants = "support-answer,ticket-triage,reply-translator"
    for evaluation in client.evaluations({"variant_id": f"in.({variants})"}):
        displayed = client.get_evaluation(evaluation["id"])
        assert Page(displayed._repr_html_()).rows  # type: ignore[attr-defined]


def test_copies_are_plain_dicts(client: Client) -> None:
    comparison = client.compare("support-answer-r4", "support-answer-r5")
    evaluation = client.get_evaluation("support-answer-r5")
    assert isinstance(comparison, DisplayedComparison)
    assert isinstance(evaluation, DisplayedEvaluation)
    leaderboard = client.leaderboard("support-answer-r4", "support-answer-r5")
    assert isinstance(leaderboard, DisplayedLeaderboard)
    for value in (comparison, evaluation, leaderboard):
        assert json.loads(json.dumps(value)) == value
        for copied in (copy.copy(value), copy.deepcopy(value), pickle.loads(pickle.dumps(value))):
            assert type(copied) is dict
            assert copied == value
