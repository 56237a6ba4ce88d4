# Uses the client of openapi-python-client.
import sys
from typing import Any

from assay_client import AuthenticatedClient
from assay_client.api.evaluations import (
    add_evaluation,
    append_evaluation_scenarios,
    compare_evaluations,
    list_evaluation_scenarios,
)
from assay_client.api.variants import list_variant_revisions
from assay_client.models import Appended, Comparison, Evaluation, EvaluationWrite, Problem, ScenarioWrite

origin, key, id = sys.argv[1:]
client = AuthenticatedClient(base_url=origin, token=key)

created = add_evaluation.sync(
    client=client,
    body=EvaluationWrite.from_dict({"id": id, "evaluators": [{"name": "score", "higher_is_better": True}]}),
)
assert isinstance(created, Evaluation) and created.id == id, created

records: list[dict[str, Any]] = [
    {
        "id": "s1",
        "inputs": [{"name": "question", "type": "text", "value": "One?"}],
        "outputs": [
            {"result": {"type": "json", "value": {"answer": ["no", 2.5, None]}}, "cost": 0.5, "latency": 2}
        ],
        "correct_answers": None,
        "results": [{"evaluator_config": "score", "result": {"type": "number", "value": 0.75}}],
    },
    {
        "id": "s2",
        "inputs": [{"name": "question", "type": "json", "value": {"text": "Two?"}}],
        "outputs": [{"result": {"type": "error", "error": {"message": "Timeout"}}}],
        "correct_answers": [{"key": "answer", "value": "two"}],
        "results": [{"evaluator_config": "score", "result": {"type": "number", "value": 1}}],
    },
]
appended = append_evaluation_scenarios.sync(
    id, client=client, body=[ScenarioWrite.from_dict(record) for record in records]
)
assert isinstance(appended, Appended) and appended.accepted == 2, appended

scenarios = list_evaluation_scenarios.sync("baseline", client=client)
assert isinstance(scenarios, list), scenarios
first, second = scenarios
output = first.outputs[0]
assert output.result.value == {"answer": ["yes", 1.5, None]} and output.cost == 0.25, output
assert first.correct_answers is None
assert second.correct_answers and second.correct_answers[0].value == "two"
error = second.outputs[0].result.error
assert error and error.message == "Timeout" and error.stacktrace is None, error
assert second.is_pinned is True and second.note == "Look again."

revisions = list_variant_revisions.sync("variant", client=client)
assert isinstance(revisions, list), revisions
assert [(item.revision, item.config.config_name) for item in revisions] == [(1, "first"), (2, "second")]
assert revisions[0].config.parameters and revisions[0].config.parameters["temperature"] == 0.5
assert not revisions[1].config.parameters

comparison = compare_evaluations.sync(client=client, evaluation=["baseline", id])
assert isinstance(comparison, Comparison), comparison
assert [evaluation.id for evaluation in comparison.evaluations] == ["baseline", id]
candidate = comparison.candidates[0]
score = candidate.evaluators[0]
assert (score.base_mean, score.mean, score.delta) == (0.375, 0.875, 0.5), score
assert (candidate.cost.base_mean, candidate.cost.mean, candidate.cost.interval) == (0.25, 0.5, None)

missing = list_evaluation_scenarios.sync("missing", client=client)
assert isinstance(missing, Problem) and missing.code == "evaluation-not-found", missing
