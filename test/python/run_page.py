"""Runs the steps of one page: `python run_page.py STEPS PAGE`. STEPS is a JSON file, PAGE the path of the page for tracebacks.

A line with MARK and the number of the step comes before the output of each step.
"""

import json
import subprocess
import sys
from pathlib import Path

MARK = "\x1e"

with open(sys.argv[1], encoding="utf-8") as file:
    steps = json.load(file)
page = sys.argv[2]
variables = {"__name__": "__main__"}
for number, step in enumerate(steps):
    print(f"{MARK}{number}", flush=True)
    if step["kind"] == "file":
        Path(step["name"]).parent.mkdir(parents=True, exist_ok=True)
        Path(step["name"]).write_text(step["text"], encoding="utf-8")
    elif step["kind"] == "command":
        # Replaced by the exit code of the shell, which stops at the first command that fails.
        code = subprocess.run(["sh", "-ec", step["text"]]).returncode
        if code != 0:
            sys.exit(f"{page}:{step['line']} exits with {code}: {step['text']}")
    else:
        # Empty lines in front give the code the line numbers of the page.
        code = compile("\n" * (step["line"] - 1) + step["text"], page, "exec")
        exec(code, variables)
    sys.stdout.flush()
