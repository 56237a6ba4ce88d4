"""Uses every public method. Type checkers must accept this file; it is not run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import polars

from assay_client import (
    AssayConnectionError,
    AssayError,
    AsyncClient,
    AsyncEvaluationRun,
    AsyncRecords,
    Client,
    EvaluationRun,
    Filters,
    Records,
)
from assay_client.gate import GateSummary
from assay_client.types import (
    AddedResults,
    Agreement,
    Breakdown,
    ComparedCandidate,
    ComparisonRow,
    Evaluation,
    EvaluationScenario,
    EvaluationSummary,
    ImportReport,
    LeaderboardWarning,
    NewResult,
    RankedEvaluation,
    RevisionDiff,
    ScenarioHistory,
    Variant,
    VariantRevision,
)

if TYPE_CHECKING:
    from typing_extensions import assert_type

client = Client("http://127.0.0.1:8080", "key", timeout=10, retries=0)
default = Client()
filters: Filters = {"result.correct": "is.false", "latency": ["gte.1", "lt.2"]}

assert_type(client.url, str)
assert_type(client.scenarios("e", filters, order="cost.asc"), Records[EvaluationScenario])
assert_type(client.revisions("v", include=["evaluations", "base"]), Records[VariantRevision])
assert_type(client.evaluations({"q": "nightly"}, include="scores"), Records[Evaluation])
assert_type(client.variants(), Records[Variant])
assert_type(
    client.comparison_rows("a", "b", filters=filters, on="c", show="regressed", join="id"),
    Records[ComparisonRow],
)
assert_type(client.scenarios("e").frame("polars"), polars.DataFrame)
client.scenarios("e").frame().head()

with client.scenarios("e") as records:
    for scenario in records:
        assert_type(scenario["id"], str)
        assert_type([entry["name"] for entry in scenario["inputs"]], list[str])
        scenario["result"]  # type: ignore[typeddict-item]

assert_type(client.get_evaluation("e"), Evaluation)
assert_type(client.get_evaluation("e")["revision"], int | None)
assert_type(client.get_scenario("e", "s", include="extra"), EvaluationScenario)
assert_type(client.get_variant("v"), Variant)
assert_type(client.get_revision("v", 1), VariantRevision)
assert_type(client.summary("e", filters, base="b"), EvaluationSummary)
assert_type(client.breakdown("e", "input.topic", base="b", order="rows.desc"), Breakdown)
comparison = client.compare("a", "b", "c", "d", join="input", on=["correct"], tolerance=0.02)
assert_type(comparison["candidates"], list[ComparedCandidate])
assert_type(comparison.gate(), GateSummary)
assert_type(comparison.gate().decision, Literal["passed", "failed", "invalid"])
leaderboard = client.leaderboard("a", "b", on="correct", join="input")
assert_type(leaderboard["evaluations"], list[RankedEvaluation])
assert_type(leaderboard["shared_rows"], int)
assert_type(leaderboard.frame("polars"), polars.DataFrame)
client.leaderboard(filters={"variant_id": "eq.v"}).frame().head()
client.leaderboard("a", "b", show="regressed")  # type: ignore[call-arg]
assert_type(client.history("e", "s"), ScenarioHistory)
assert_type(client.agreement("e", "judge", "human"), Agreement)
assert_type(client.diff("v", 1, 2), RevisionDiff)
assert_type(client.diff("v", 1, 2)["from"], int)
result: NewResult = {
    "scenario_id": "s",
    "evaluator_config": "judge",
    "result": {"type": "bool", "value": True},
}
assert_type(client.add_results("e", [result]), AddedResults)
assert_type(client.import_file("results.json", dry_run=True, on_conflict="skip"), ImportReport)
client.import_file("results.json", dryrun=True)  # type: ignore[call-arg]
client.request("PATCH", ["evaluations", "e"], body={"name": "New"}, if_match='"etag"')
client.delete(evaluation="e")
client.delete(variant="v")
client.delete("e")  # type: ignore[call-overload]
client.delete()  # type: ignore[call-overload]
client.delete(evaluation="e", variant="v")  # type: ignore[call-overload]
client.compare("a", "b", show="regressed")  # type: ignore[call-arg]
client.diff("v", "1", "2")  # type: ignore[arg-type]

with client.evaluation(
    "e", variant="v", config={"model": "m"}, evaluators=[{"name": "correct"}], tags=["nightly"]
) as run:
    assert_type(run, EvaluationRun)
    assert_type(run.add(inputs={"q": "Why?"}, output="a", scores={"correct": True}), str)
    assert_type("id" in run, bool)
    run.flush()
assert_type(
    client.log("e", [{"q": "Why?"}], inputs={"question": "q"}, scores=["c"], on_conflict="replace"),
    EvaluationRun,
)
client.log("e", [], on_conflict="ignore")  # type: ignore[arg-type]

try:
    client.get_evaluation("e")
except AssayConnectionError as error:
    assert_type(error.hint, str | None)
except AssayError as error:
    assert_type((error.status, error.code), tuple[int | None, str | None])


async def use_async_client() -> None:
    client = AsyncClient("http://127.0.0.1:8080", "key", timeout=10, retries=0)
    assert_type(client.url, str)
    scenarios = client.scenarios("e", filters, order="cost.asc", include=["extra"])
    assert_type(scenarios, AsyncRecords[EvaluationScenario])
    async with scenarios as records:
        async for scenario in records:
            assert_type(scenario, EvaluationScenario)
    assert_type(await client.scenarios("e").frame("polars"), polars.DataFrame)
    (await client.scenarios("e").frame()).head()
    await client.scenarios("e").close()
    assert_type(client.revisions("v"), AsyncRecords[VariantRevision])
    assert_type(client.evaluations({"q": "nightly"}, include="scores"), AsyncRecords[Evaluation])
    assert_type(client.variants(), AsyncRecords[Variant])
    assert_type(
        client.comparison_rows("a", "b", filters=filters, on="c", show="regressed", join="id"),
        AsyncRecords[ComparisonRow],
    )
    assert_type(await client.get_evaluation("e"), Evaluation)
    assert_type(await client.get_scenario("e", "s", include="extra"), EvaluationScenario)
    assert_type(await client.get_variant("v"), Variant)
    assert_type(await client.get_revision("v", 1), VariantRevision)
    assert_type(await client.summary("e", filters, base="b"), EvaluationSummary)
    assert_type(await client.breakdown("e", "input.topic", base="b"), Breakdown)
    comparison = await client.compare("a", "b", "c", join="input", on=["correct"], tolerance=0.02)
    assert_type(comparison.gate(), GateSummary)
    leaderboard = await client.leaderboard("a", "b", on="correct")
    assert_type(leaderboard["warnings"], list[LeaderboardWarning])
    assert_type(await client.history("e", "s"), ScenarioHistory)
    assert_type(await client.agreement("e", "judge", "human"), Agreement)
    assert_type(await client.diff("v", 1, 2), RevisionDiff)
    assert_type(await client.add_results("e", [result]), AddedResults)
    assert_type(await client.import_file("results.json", dry_run=True), ImportReport)
    await client.request("PATCH", ["evaluations", "e"], body={"name": "New"}, if_match='"etag"')
    await client.delete(evaluation="e")
    await client.delete(variant="v")
    assert_type(await client.log("e", [{"q": "Why?"}], inputs=["q"]), EvaluationRun)
    async with client.evaluation("e", variant="v", config={}, tags=["nightly"]) as run:
        assert_type(run, AsyncEvaluationRun)
        assert_type(await run.add(inputs={"q": "Why?"}, scores={"correct": True}), str)
        assert_type("id" in run, bool)
        await run.flush()
    await run.finish("failed")

    await client.get_evaluation()  # type: ignore[call-arg]
    await client.get_evaluation(5)  # type: ignore[arg-type]
    await client.get_scenario("e", "s", includes="extra")  # type: ignore[call-arg]
    await client.import_file("results.json", dryrun=True)  # type: ignore[call-arg]
    await client.compare("a", "b", show="regressed")  # type: ignore[call-arg]
    await client.diff("v", "1", "2")  # type: ignore[arg-type]
    await client.log("e", [], on_conflict="ignore")  # type: ignore[arg-type]
    await client.delete("e")  # type: ignore[call-overload]
    await client.delete(evaluation="e", variant="v")  # type: ignore[call-overload]
    client.scenarios("e", orders="cost")  # type: ignore[call-arg]
    client.evaluation("e", on_conflict="ignore")  # type: ignore[arg-type]
    await run.add(ids="1")  # type: ignore[call-arg]
    await run.finish("done")  # type: ignore[arg-type]
