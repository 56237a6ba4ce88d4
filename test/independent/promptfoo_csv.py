"""Compares an imported promptfoo CSV file with the CSV and JSON files of the same run, cell by cell.

Usage: promptfoo_csv.py CSV JSON < STORED, where STORED is a JSON array with a member per evaluation. Prints every
difference and exits with 1 if there is one. It uses only Python's own CSV and JSON readers.
"""
import csv
import json
import sys

csv_path, json_path = sys.argv[1:]
with open(csv_path, newline="", encoding="utf-8") as file:
    header, *rows = csv.reader(file)
with open(json_path, encoding="utf-8") as file:
    run = json.load(file)
stored = json.load(sys.stdin)
results = {(r["promptIdx"], r["testIdx"]): r for r in run["results"]["results"]}
prompts = run["results"]["prompts"]
differences = []


def check(where, what, actual, expected):
    if actual != expected:
        differences.append(f"{where}: {what} is {actual!r}, expected {expected!r}")


def without_mark(cell):
    return cell[1:] if cell.startswith("'=") else cell


starts = [i for i, name in enumerate(header[:-1]) if header[i + 1] == "Status"]
variables = header[1 : starts[0]]
check("header", "number of columns", len(stored), len(starts))
for column, start in enumerate(starts):
    evaluation = stored[column]
    prompt = prompts[column]
    check(column, "header", header[start], f"[{prompt['provider']}] {prompt['label']}")
    check(column, "label", evaluation["revision"]["config"]["config_name"], prompt["label"])
    check(column, "number of rows", len(evaluation["scenarios"]), len(rows))
    counts = {"PASS": 0, "FAIL": 0, "ERROR": 0}
    for test, (cells, scenario) in enumerate(zip(rows, evaluation["scenarios"])):
        where = f"column {column}, row {test}"
        source = results[column, test]
        output, status, score, named = cells[start : start + 4]
        reason, comment = cells[header.index("Comment", start) - 1 : header.index("Comment", start) + 1]
        counts[status] += 1
        inputs = {i["name"]: i["value"] for i in scenario["inputs"]}
        check(where, "inputs", inputs, {n: without_mark(v) for n, v in zip(variables, cells[1:]) if v})
        check(where, "inputs of the JSON file", inputs, source["vars"])
        result = scenario["outputs"][0]["result"]
        check(where, "error", result["type"] == "error", status == "ERROR")
        if status != "ERROR":
            check(where, "output", result["value"], output)
            value = source["response"]["output"]
            text = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
            check(where, "output of the JSON file", result["value"], text)
        values = {r["evaluator_config"]: r["result"]["value"] for r in scenario["results"]}
        check(where, "verdict", values.pop("pass"), {"PASS": True, "FAIL": False, "ERROR": None}[status])
        check(where, "verdict of the JSON file", status == "PASS", source["success"])
        check(where, "named scores", values, json.loads(named) if named else {})
        details = scenario["extra"]["results"][-1]
        check(where, "score", f"{details['score']:.2f}", score)
        check(where, "reason", details.get("reason", ""), reason)
        check(where, "pin", bool(scenario["is_pinned"]), comment.startswith("!highlight"))
        check(where, "note", scenario["note"] or "", comment.removeprefix("!highlight").strip())
        description = scenario["extra"].get("testCase", {}).get("description", "")
        check(where, "description", description, cells[0])
    metrics = prompt["metrics"]
    own = {"PASS": metrics["testPassCount"], "FAIL": metrics["testFailCount"], "ERROR": metrics["testErrorCount"]}
    check(column, "counts of promptfoo", counts, own)
print("\n".join(differences))
sys.exit(1 if differences else 0)
