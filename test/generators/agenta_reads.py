# Reads every evaluation and variant with a client of Agenta, and compares the objects with the JSON of the responses.
import ast
import asyncio
import importlib
import sys
from pathlib import Path
from typing import Any

import httpx

folder, origin, key = sys.argv[1:]
# The package agenta itself needs many others. Its generated client is complete without them.
sys.path.insert(0, f"{folder}/agenta/client")
from backend import client as api  # type: ignore # noqa: E402
from backend.core.api_error import ApiError  # type: ignore # noqa: E402


def use_first_methods() -> None:
    """Agenta 0.30.0 has two methods fetch_evaluation_scenarios. The second one, for comparisons, hides the first one."""
    module = importlib.import_module("backend.evaluations.client")
    tree = ast.parse(Path(str(module.__file__)).read_text())
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            methods: dict[str, ast.stmt] = {}
            for method in node.body:
                methods.setdefault(getattr(method, "name", str(method)), method)
            node.body = list(methods.values())
    exec(compile(tree, str(module.__file__), "exec"), module.__dict__)
    api.EvaluationsClient = module.EvaluationsClient
    api.AsyncEvaluationsClient = module.AsyncEvaluationsClient


if folder == "0.30.0":
    use_first_methods()

base_url = f"{origin}/api"
raw = httpx.Client(headers={"Authorization": key})


def read_json(path: str) -> Any:
    response = raw.get(f"{base_url}/{path}")
    assert response.status_code == 200, response.text
    return response.json()


def check(name: str, rows: list[Any], expected: list[Any]) -> int:
    members = [row.model_dump(by_alias=True, exclude_unset=True) for row in rows]
    assert members == expected, f"{name}: {members} is not {expected}"
    return len(rows)


def check_error(error: ApiError) -> None:
    assert error.status_code == 404, error
    assert isinstance(error.body["detail"], str), error


evaluations = [evaluation["id"] for evaluation in read_json("evaluations")]
variants = [variant["id"] for variant in read_json("variants")]
scenarios = {id: read_json(f"evaluations/{id}/evaluation_scenarios") for id in evaluations}
revisions = {id: read_json(f"variants/{id}/revisions") for id in variants}


def read() -> tuple[int, int]:
    client = api.AgentaApi(base_url=base_url, api_key=key)
    fetch, get = client.evaluations.fetch_evaluation_scenarios, client.variants.get_variant_revisions
    for call in [lambda: fetch("unknown"), lambda: get("unknown")]:
        try:
            call()
        except ApiError as error:
            check_error(error)
        else:
            raise AssertionError("an unknown id raised no error")
    return (
        sum(check(id, fetch(id), expected) for id, expected in scenarios.items()),
        sum(check(id, get(id), expected) for id, expected in revisions.items()),
    )


async def read_async() -> tuple[int, int]:
    client = api.AsyncAgentaApi(base_url=base_url, api_key=key)
    fetch, get = client.evaluations.fetch_evaluation_scenarios, client.variants.get_variant_revisions
    for call in [fetch, get]:
        try:
            await call("unknown")
        except ApiError as error:
            check_error(error)
        else:
            raise AssertionError("an unknown id raised no error")
    return (
        sum([check(id, await fetch(id), expected) for id, expected in scenarios.items()]),
        sum([check(id, await get(id), expected) for id, expected in revisions.items()]),
    )


for name, (scenario_count, revision_count) in {"sync": read(), "async": asyncio.run(read_async())}.items():
    assert scenario_count > 0 and revision_count > 0
    print(
        f"  {name}: {scenario_count} scenarios of {len(evaluations)} evaluations"
        f" and {revision_count} revisions of {len(variants)} variants are equal"
    )
