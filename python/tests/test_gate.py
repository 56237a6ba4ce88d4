"""The decision of the gate: whether a candidate is worse."""

from __future__ import annotations

import pytest

from assay_client import AssayError, Client

R4, R5, R6 = "support-answer-r4", "support-answer-r5", "support-answer-r6"


def test_the_gate_fails_if_the_candidate_is_worse(client: Client) -> None:
    gate = client.compare(R4, R5, on="answer_correct").gate()
    assert (gate.decision, gate.exit_code) == ("failed", 1)
    assert gate.reasons[0].startswith(
        "'answer_correct' is certainly worse: observed loss 22.3 points"
    )
    assert str(gate).splitlines() == [
        "Gate failed:",
        f"- {gate.reasons[0]}",
        f"Not checked: {', '.join(gate.unchecked)}.",
    ]


def test_rules_change_the_decision(client: Client) -> None:
    gate = client.compare(R4, R5, on=["answer_correct"], tolerance=0.9, max_loss=0.9).gate()
    assert (gate.decision, gate.exit_code) == ("passed", 0)
    gate = client.compare(R4, R5, on=["answer_correct"], max_regressed=28, tolerance=0.9).gate()
    assert gate.decision == "failed"
    assert any("29 rows regressed" in reason for reason in gate.reasons)


def test_a_candidate_that_is_worse_decides_before_one_that_cannot_be_judged(client: Client) -> None:
    assert client.compare(R5, R6, min_matched=1, on="tone").gate().exit_code == 3
    gate = client.compare(R4, R6, R5, on=["answer_correct", "faithfulness"]).gate()
    assert gate.decision == "failed"
    assert gate.reasons[0].startswith(f"{R5}: ")
    assert {reason.split(":")[0] for reason in gate.reasons} == {R5, R6}


def test_a_tolerance_in_percent_is_an_error_that_explains_the_unit(client: Client) -> None:
    with pytest.raises(AssayError, match=r"Write 0\.02 for 2 points"):
        client.compare(R4, R5, tolerance=2)
