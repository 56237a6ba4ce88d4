# Uses the models of datamodel-code-generator with httpx.
import sys

import httpx
from api import (
    Appended,
    Comparison,
    CorrectAnswerWrite,
    ErrorWrite,
    Evaluation,
    EvaluationScenario,
    EvaluationWrite,
    EvaluatorWrite,
    Problem,
    ResultWrite,
    ScenarioInputWrite,
    ScenarioOutputWrite,
    ScenarioResultWrite,
    ScenarioWrite,
    VariantRevision,
)
from pydantic import TypeAdapter

origin, key, id = sys.argv[1:]
client = httpx.Client(base_url=origin, headers={"Authorization": key})


def post(path: str, body: bytes) -> bytes:
    response = client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert response.status_code == 201, response.text
    return response.content


def get(path: str, evaluations: list[str] = []) -> bytes:
    return client.get(path, params={"evaluation": evaluations}).raise_for_status().content


evaluation = EvaluationWrite(id=id, evaluators=[EvaluatorWrite(name="score", higher_is_better=True)])
created = post("/api/evaluations", evaluation.model_dump_json(exclude_unset=True).encode())
assert Evaluation.model_validate_json(created).id == id


def score_result(value: float) -> ScenarioResultWrite:
    return ScenarioResultWrite(evaluator_config="score", result=ResultWrite(type="number", value=value))


nested = ResultWrite(type="json", value={"answer": ["no", 2.5, None]})
failed = ResultWrite(type="error", error=ErrorWrite(message="Timeout"))
records = [
    ScenarioWrite(
        id="s1",
        inputs=[ScenarioInputWrite(name="question", type="text", value="One?")],
        outputs=[ScenarioOutputWrite(result=nested, cost=0.5, latency=2)],
        correct_answers=None,
        results=[score_result(0.75)],
    ),
    ScenarioWrite(
        id="s2",
        inputs=[ScenarioInputWrite(name="question", type="json", value={"text": "Two?"})],
        outputs=[ScenarioOutputWrite(result=failed)],
        correct_answers=[CorrectAnswerWrite(key="answer", value="two")],
        results=[score_result(1)],
    ),
]
body = TypeAdapter(list[ScenarioWrite]).dump_json(records, exclude_unset=True)
appended = post(f"/api/evaluations/{id}/evaluation_scenarios", body)
assert Appended.model_validate_json(appended).accepted == 2

read = get("/api/evaluations/baseline/evaluation_scenarios")
first, second = TypeAdapter(list[EvaluationScenario]).validate_json(read)
output = first.outputs[0]
assert output.result.value == {"answer": ["yes", 1.5, None]} and output.cost == 0.25, output
assert first.correct_answers is None
assert second.correct_answers and second.correct_answers[0].value == "two"
error = second.outputs[0].result.error
assert error and error.message == "Timeout" and error.stacktrace is None, error
assert second.is_pinned is True and second.note == "Look again."

revisions = TypeAdapter(list[VariantRevision]).validate_json(get("/api/variants/variant/revisions"))
assert [(item.revision, item.config.config_name) for item in revisions] == [(1, "first"), (2, "second")]
assert revisions[0].config.parameters and revisions[0].config.parameters["temperature"] == 0.5
assert revisions[1].config.parameters is None

compared = get("/api/comparisons", ["baseline", id])
comparison = Comparison.model_validate_json(compared)
assert [item.id for item in comparison.evaluations] == ["baseline", id]
candidate = comparison.candidates[0]
score = candidate.evaluators[0]
assert (score.base_mean, score.mean, score.delta) == (0.375, 0.875, 0.5), score
assert (candidate.cost.base_mean, candidate.cost.mean, candidate.cost.interval) == (0.25, 0.5, None)

missing = client.get("/api/evaluations/missing/evaluation_scenarios")
assert Problem.model_validate_json(missing.content).code == "evaluation-not-found"
