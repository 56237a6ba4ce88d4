# Adds to schemathesis what openapi.json does not contain, and what a schema cannot express.
import json
import re
import uuid
from typing import Any

import schemathesis
from schemathesis.checks import CheckContext
from schemathesis.core.failures import Failure
from schemathesis.core.transport import Response
from schemathesis.specs.openapi.checks import negative_data_rejection, positive_data_acceptance, use_after_free

# Why the service can reject a request that matches its schema, by the detail of the problem.
REJECTIONS = [
    # References to data that the store does not have.
    r"This project has no (variant|evaluation) ",
    r"The variant has no revision ",
    r"The evaluation has no (evaluator|input) ",
    r"None of the evaluations has an (evaluator|input) ",
    r"Not all evaluations have an input ",
    r"The cursor does not belong to this list",
    r"If-Match (requires an object that exists|has only a weak ETag)",
    r"The object has changed since the ETag in If-Match",
    # Members and parameters that depend on each other.
    r"This scenario belongs to '.*' but was sent to '",
    r"A revision needs a variant",
    r"A delta needs 'base'",
    # The member `filters` has one schema for the filters of all kinds.
    r"'(result|input|delta|error)\..*' cannot be '",
    # Comma-separated lists without duplicates.
    r"'include' must be a comma-separated list of .*, without duplicates",
    # JSON Schema counts 40.0 as an integer.
    r"This must be an integer in plain digits",
    # Dates that do not exist, such as 30 February, and times in the past.
    r"The value '\w+\.\d{4}-\d\d-\d\d.*' of filter 'created_at' is invalid",
    r"This time is in the past",
]

# Statuses of requests that are too large, whether or not they match the schema.
TOO_LARGE = (413, 414, 431)


@schemathesis.hook
def before_load_schema(context: schemathesis.HookContext, raw_schema: dict[str, Any]) -> None:
    # The document leaves both out because of generated clients: the other formats would make the return type a union,
    # and unique items become a set, which has no order.
    components = raw_schema["components"]
    components["parameters"]["EvaluationParameter"]["schema"]["uniqueItems"] = True
    components["schemas"]["KeyRestrictionWrite"]["properties"]["comparison"]["uniqueItems"] = True
    for item in raw_schema["paths"].values():
        for operation in item.values():
            for response in operation["responses"].values():
                for media_type in response.get("x-representations", {}):
                    response["content"][media_type] = {}


@schemathesis.hook
def before_call(context: schemathesis.HookContext, case: schemathesis.Case, kwargs: dict[str, Any]) -> None:
    # Schemathesis uses few different keys. The service returns the first response again for a key that it knows.
    if re.fullmatch(r"[!-~]{1,255}", str((case.headers or {}).get("Idempotency-Key", ""))):
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


@schemathesis.check
def invalid_request_rejection(ctx: CheckContext, response: Response, case: schemathesis.Case) -> bool | None:
    try:
        return negative_data_rejection(ctx, response, case)
    except Failure:
        if response.status_code in TOO_LARGE:
            return None
        # HTTP does not distinguish an empty file from no file.
        if case.operation.label == "POST /api/imports" and not response.request.body:
            return None
        raise


@schemathesis.check
def valid_request_acceptance(ctx: CheckContext, response: Response, case: schemathesis.Case) -> bool | None:
    try:
        return positive_data_acceptance(ctx, response, case)
    except Failure:
        if response.status_code in TOO_LARGE:
            return None
        # Files of other tools have no schema.
        if case.operation.label == "POST /api/imports" and response.status_code == 422:
            return None
        detail = json.loads(response.content)["detail"]
        if any(re.match(pattern, detail, re.DOTALL) for pattern in REJECTIONS):
            return None
        raise


@schemathesis.check
def unavailable_after_deletion(ctx: CheckContext, response: Response, case: schemathesis.Case) -> bool | None:
    try:
        return use_after_free(ctx, response, case)
    except Failure:
        # Appending scenarios or revisions creates what was deleted before. It is not empty then.
        body = json.loads(response.content)
        counts = [body.get(name, 0) for name in ("scenario_count", "revision_count")] if isinstance(body, dict) else body
        if any(counts):
            return None
        raise
