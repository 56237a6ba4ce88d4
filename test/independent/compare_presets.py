"""Imports the fixtures of the presets into a service, and compares every stored row with the file.

It reads the files with the csv and json modules, and Parquet with pyarrow, and shares no code with the importers.
Usage: compare_presets.py ORIGIN KEY FIXTURES
"""

import csv
import datetime
import decimal
import json
import math
import os
import sys
import urllib.error
import urllib.parse
import urllib.request

ORIGIN, KEY, FIXTURES = sys.argv[1:4]
csv.field_size_limit(10_000_000)


def request(method, path, body=None):
    headers = {"Authorization": KEY, "Content-Type": "application/octet-stream"}
    call = urllib.request.Request(ORIGIN + path, data=body, method=method, headers=headers)
    try:
        with urllib.request.urlopen(call) as response:
            return json.loads(response.read(), parse_float=decimal.Decimal)
    except urllib.error.HTTPError as error:
        sys.exit(f"{method} {path}: {error.code} {error.read().decode()[:2000]}")


def missing(value):
    return value is None or value == "" or (isinstance(value, float) and math.isnan(value))


def number(text):
    return None if missing(text) else decimal.Decimal(str(text))


def answers(key, value):
    """The correct answers of one key, as texts."""
    if value is None:
        return []
    values = value if isinstance(value, list) else [value]
    return [(key, item if isinstance(item, str) else compact(item)) for item in values]


def compact(value):
    return json.dumps(value, separators=(",", ":"), ensure_ascii=False)


def inputs_of(name, value):
    return dict(value) if isinstance(value, dict) else {name: value}


def parse(text):
    return json.loads(text) if text[:1] in "[{" and text != "" else text


class Failed(str):
    """The message of an evaluator that failed."""


def csv_rows(path):
    with open(path, newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def row(inputs, output, expected=(), scores=None, cost=None, latency=None, error=None, reasons=None):
    return dict(inputs=inputs, output=output, expected=list(expected), scores=scores or {}, cost=cost,
                latency=latency, error=error, reasons=reasons or {})


def ragas(rows):
    for item in rows:
        new = "user_input" in item
        fields = ["user_input", "retrieved_contexts", "response", "reference"] if new else ["question", "contexts", "answer", "ground_truth"]
        question, contexts, response, reference = fields
        scores = {name: number(value) for name, value in item.items() if name not in fields}
        yield row({question: item[question], contexts: item[contexts]}, item[response],
                  answers(reference, item[reference]), scores)


def verdict(text):
    return {"True": True, "False": False}.get(text, text)


def score_of(text):
    if missing(text):
        return None
    try:
        return decimal.Decimal(text)
    except decimal.InvalidOperation:
        return verdict(text)


def langsmith_frame(path):
    for item in csv_rows(path):
        part = lambda prefix: {name[len(prefix):]: value for name, value in item.items() if name.startswith(prefix)}
        expected = [answer for name, value in part("reference.").items() if value != "" for answer in answers(name, value)]
        yield row(part("inputs."), item["outputs.answer"], expected,
                  {name: score_of(value) for name, value in part("feedback.").items()},
                  latency=number(item["execution_time"]), error=item["error"] or None)


def langsmith_download(path):
    for item in csv_rows(path):
        reference = parse(item["reference_outputs"]) or {}
        expected = [answer for name, value in reference.items() for answer in answers(name, value)]
        yield row(parse(item["inputs"]), parse(item["outputs"]), expected,
                  {name: score_of(item[name]) for name in ["exact", "similarity", "tone"]},
                  number(item["total_cost"]), number(item["latency"]), item["error"] or None)


def braintrust(events):
    for event in events:
        if event.get("span_parents"):
            continue
        scores = dict(event["scores"])
        for name, message in ((event["metadata"] or {}).get("scorer_errors") or {}).items():
            scores.setdefault(name, Failed(message))
        yield row(inputs_of("input", event["input"]), event["output"], answers("expected", event["expected"]), scores,
                  event["metrics"]["estimated_cost"], event["metrics"]["duration"], event["error"])


def braintrust_csv(path):
    objects = ["scores", "metadata", "metrics", "input", "output", "expected"]
    for item in csv_rows(path):
        event = {name: (parse(value) if value != "" else None) if name in objects else value for name, value in item.items()}
        yield from braintrust([{**event, "error": item["error"] or None}])


def mlflow_table(path):
    table = load(path)
    for values in table["data"]:
        item = dict(zip(table["columns"], values))
        reasons = {"correct/v1": item["correct/v1/justification"]}
        yield row({"inputs": item["inputs"], "category": item["category"]}, item["predictions"], answers("ground_truth", item["ground_truth"]),
                  {"correct/v1": item["correct/v1/score"], "words": item["words/score"]}, reasons=reasons)


def mlflow_genai(path):
    table = load(path)
    for values in table["data"]:
        item = dict(zip(table["columns"], values))
        message = item["broken/error_message"]
        yield row(item["request"], item["response"], answers("expected_response", item["expected_response/value"]),
                  {"length": item["length/value"], "exact": item["exact/value"],
                   "broken": Failed(message) if message else item["broken/value"]},
                  latency=decimal.Decimal(item["execution_duration"]) / 1000,
                  error="MLflow" if item["state"] == "ERROR" else None, reasons={"exact": item["exact/rationale"]})


def seconds(item):
    if item.get("endTime") is None:
        return None
    start, end = (datetime.datetime.fromisoformat(item[name].replace("Z", "+00:00")) for name in ["startTime", "endTime"])
    return decimal.Decimal(str((end - start).total_seconds()))


def langfuse_score(score):
    if (score.get("dataType") or score.get("data_type")) == "BOOLEAN":
        return bool(score["value"])
    return score.get("stringValue") or score["value"]


def langfuse(items):
    for item in items:
        source = item.get("datasetItem") or item.get("item") or item
        scores = item.get("scores") if "scores" in item else item["evaluations"]
        expected = source.get("expectedOutput", source.get("expected_output"))
        yield row(inputs_of("input", source["input"]), item["output"], answers("expectedOutput", expected),
                  {score["name"]: langfuse_score(score) for score in scores}, item.get("totalCost"),
                  item["latency"] if "latency" in item else seconds(item),
                  "Langfuse" if item.get("level") == "ERROR" else None,
                  {score["name"]: score.get("comment") for score in scores})


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=decimal.Decimal)


def load_lines(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line, parse_float=decimal.Decimal) for line in file if line.strip()]


def parquet_rows(path):
    import pyarrow.parquet
    table = pyarrow.parquet.read_table(path)
    columns = {name: table.column(name) for name in table.column_names}
    return [{name: arrow_value(column[index]) for name, column in columns.items()} for index in range(table.num_rows)]


def arrow_value(scalar):
    import pyarrow
    if scalar.is_valid and pyarrow.types.is_timestamp(scalar.type):
        digits = {"s": 0, "ms": 3, "us": 6, "ns": 9}[scalar.type.unit]
        whole, fraction = divmod(scalar.value, 10**digits)
        time = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=whole)
        decimals = f"{fraction:0{digits}d}".rstrip("0") if fraction else ""
        return time.isoformat() + (f".{decimals}" if decimals else "") + ("Z" if scalar.type.tz else "")
    return scalar.as_py()


def plain(value):
    """A value of pyarrow as JSON would contain it."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, datetime.date):
        return value.isoformat()
    if isinstance(value, bytes):
        try:
            return value.decode()
        except UnicodeDecodeError:
            import base64
            return base64.b64encode(value).decode()
    if isinstance(value, list):
        pairs = [item for item in value if isinstance(item, tuple)]
        return {key: plain(item) for key, item in pairs} if pairs else [plain(item) for item in value]
    return {key: plain(item) for key, item in value.items()} if isinstance(value, dict) else value


def parquet_table(path):
    for item in parquet_rows(path):
        yield row({"question": item["question"]}, item["answer"], answers("expected", item["expected"]),
                  {name: plain(item[name]) for name in ["correct", "judge_score", "rating"]}, item["cost_usd"],
                  decimal.Decimal(str(item["latency_ms"])) / 1000, item["error"])


def parquet_types(path):
    for item in parquet_rows(path):
        inputs = {name[6:]: plain(value) for name, value in item.items() if name.startswith("input.")}
        # An empty map is an object, which pyarrow cannot distinguish from an empty list.
        if inputs["map"] == []:
            inputs["map"] = {}
        yield row(inputs, item["output"], [], {"ok": item["score.ok"]})


def same(stored, expected):
    if isinstance(expected, (int, float, decimal.Decimal)) and not isinstance(expected, bool):
        return isinstance(stored, (int, decimal.Decimal)) and not isinstance(stored, bool) and (
            stored == expected or float(stored) == float(expected) and not isinstance(expected, (int, decimal.Decimal)))
    if isinstance(expected, list):
        return isinstance(stored, list) and len(stored) == len(expected) and all(map(same, stored, expected))
    if isinstance(expected, dict):
        return isinstance(stored, dict) and stored.keys() == expected.keys() and all(same(stored[key], expected[key]) for key in expected)
    return type(stored) is type(expected) and stored == expected


def check(name, index, what, stored, expected):
    if not same(stored, expected):
        sys.exit(f"{name}, row {index + 1}: {what} is {stored!r}, in the file {expected!r}")


def compare_row(name, index, scenario, expected):
    inputs = {item["name"]: item["value"] for item in scenario["inputs"]}
    check(name, index, "inputs", inputs, expected["inputs"])
    [output] = scenario["outputs"]
    error = (output["result"].get("error") or {}).get("message")
    if (error is None) != (expected["error"] is None) or not (error or "").startswith(expected["error"] or ""):
        sys.exit(f"{name}, row {index + 1}: the error is {error!r}, in the file {expected['error']!r}")
    if error is None:
        check(name, index, "output", output["result"]["value"], expected["output"])
    for measurement in ["cost", "latency"]:
        check(name, index, measurement, output.get(measurement), expected[measurement])
    stored_answers = [(item["key"], item["value"]) for item in scenario["correct_answers"] or []]
    if sorted(stored_answers) != sorted(expected["expected"]):
        sys.exit(f"{name}, row {index + 1}: the answers are {stored_answers!r}, in the file {expected['expected']!r}")
    results = {item["evaluator_config"]: item["result"] for item in scenario["results"]}
    if results.keys() != expected["scores"].keys():
        sys.exit(f"{name}, row {index + 1}: the evaluators are {list(results)}, in the file {list(expected['scores'])}")
    for evaluator, value in expected["scores"].items():
        result = results[evaluator]
        if isinstance(value, Failed):
            check(name, index, f"the error of {evaluator}", result["error"]["message"], str(value))
        else:
            check(name, index, f"the score {evaluator}", result["value"], value)
            if result["type"] == "error":
                sys.exit(f"{name}, row {index + 1}: {evaluator} has an error, but not in the file")
    extras = (scenario.get("extra") or {}).get("results") or [{} for _ in scenario["results"]]
    for item, extra in zip(scenario["results"], extras):
        reason = expected["reasons"].get(item["evaluator_config"])
        check(name, index, f"the reason of {item['evaluator_config']}", extra.get("reason"), reason)


def mean(values):
    numbers = [decimal.Decimal(str(value)) if not isinstance(value, bool) else decimal.Decimal(int(value))
               for value in values if isinstance(value, (int, float, decimal.Decimal))]
    return sum(numbers) / len(numbers) if numbers else None


def compare_means(name, evaluation, rows, own_means):
    summary = request("GET", f"/api/evaluations/{urllib.parse.quote(evaluation, safe='')}/summary")
    stored = {item["name"]: item["mean"] for item in summary["evaluators"]}
    count = 0
    for evaluator in sorted({evaluator for item in rows for evaluator in item["scores"]}):
        values = [item["scores"].get(evaluator) for item in rows]
        expected = mean([value for value in values if not isinstance(value, str)])
        if expected is None:
            continue
        actual = stored[evaluator]
        own = own_means.get(evaluator, expected)
        for source, value in [("the file", expected), ("the tool", own)]:
            if not math.isclose(float(actual), float(value), rel_tol=1e-9, abs_tol=1e-12):
                sys.exit(f"{name}: the mean of {evaluator} is {actual}, by {source} {value}")
        count += 1
    return count


# The means that the tools computed themselves when the fixtures were created.
RAGAS_MEANS = {"exact_match": 0.25, "non_llm_string_similarity": 0.2875, "string_present": 0.25, "bleu_score": 0,
               "rouge_score(mode=fmeasure)": 0.375, "judge": 0.8}
BRAINTRUST_MEANS = {"exact_match": 2 / 3, "Length": 0.575, "judge": 0.25}

FILES = {
    "ragas/evaluate.csv": (lambda path: ragas(csv_rows(path)), RAGAS_MEANS),
    "ragas/evaluate.jsonl": (lambda path: ragas(load_lines(path)), RAGAS_MEANS),
    "ragas/version-0.1.csv": (lambda path: ragas(csv_rows(path)), RAGAS_MEANS),
    "langsmith/to-pandas.csv": (langsmith_frame, {}),
    "langsmith/experiment-download.csv": (langsmith_download, {}),
    "braintrust/experiment.json": (lambda path: braintrust(load(path)), BRAINTRUST_MEANS),
    "braintrust/experiment.csv": (braintrust_csv, BRAINTRUST_MEANS),
    "braintrust/fetch.json": (lambda path: braintrust(load(path)["events"]), BRAINTRUST_MEANS),
    "mlflow/eval_results_table.json": (mlflow_table, {"correct/v1": 1 / 3, "words": 1}),
    "mlflow/genai_result_df.json": (mlflow_genai, {"length": 13 / 3, "exact": 0.5}),
    "langfuse/experiment-items.json": (lambda path: langfuse(load(path)["data"]), {}),
    "langfuse/run-items.jsonl": (lambda path: langfuse(load_lines(path)), {}),
    "langfuse/experiment-result.json": (lambda path: langfuse(load(path)["item_results"]), {}),
    "parquet/ragas.parquet": (lambda path: ragas(parquet_rows(path)), RAGAS_MEANS),
    **{f"parquet/codec-{codec}.parquet": (parquet_table, {}) for codec in ["snappy", "gzip", "zstd", "brotli", "lz4", "none"]},
    "parquet/types.parquet": (parquet_types, {}),
}

total = means = 0
for file, (read, own_means) in FILES.items():
    path = os.path.join(FIXTURES, file)
    expected_rows = list(read(path))
    evaluation = "compare " + file.replace("/", " ")
    query = urllib.parse.urlencode({"name": os.path.basename(file), "evaluation": evaluation})
    with open(path, "rb") as content:
        report = request("POST", f"/api/imports?{query}", content.read())
    scenarios = request("GET", f"/api/evaluations/{urllib.parse.quote(evaluation, safe='')}/evaluation_scenarios?include=extra")
    if len(scenarios) != len(expected_rows):
        sys.exit(f"{file}: {len(scenarios)} rows are stored, the file has {len(expected_rows)}")
    for index, (scenario, expected) in enumerate(zip(scenarios, expected_rows)):
        compare_row(file, index, scenario, expected)
    count = compare_means(file, evaluation, expected_rows, own_means)
    print(f"{report['format']:<11} {file:<36} {len(expected_rows)} rows and {count} means are equal")
    total += len(expected_rows)
    means += count
print(f"{total} rows and {means} means of {len(FILES)} files are equal")
