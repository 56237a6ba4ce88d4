"""A program that writes an evaluation and kills itself. The tests of restarts start it.

Its argument is a JSON object: `evaluation`, `count` (rows), `attempt`, `kill_at` (a row and
seconds, or null), `has_ids`, `skips` (stored rows), `varies` (outputs differ by attempt).
"""

from __future__ import annotations

import json
import os
import signal
import sys
import threading
import time
from typing import Any

from assay_client import Client, _batches


def kill_after(seconds: float) -> None:
    time.sleep(seconds)
    os.kill(os.getpid(), signal.SIGKILL)


def cases(count: int) -> list[dict[str, Any]]:
    """Every fifth question repeats an earlier one."""
    return [
        {"id": f"case-{n}", "question": f"question {n - 3 if n % 5 == 4 else n}"}
        for n in range(count)
    ]


def main() -> None:
    options = json.loads(sys.argv[1])
    _batches.BATCH_ROWS = 7
    kill_row, seconds = options["kill_at"] or (None, 0)
    # Outputs alternate, so that a third attempt writes the outputs of the first one again.
    output = options["attempt"] % 2 if options["varies"] else 0
    with Client().evaluation(
        options["evaluation"], variant=options["evaluation"], config={"a": 1}
    ) as active:
        added = 0
        for number, case in enumerate(cases(options["count"])):
            if number == kill_row:
                # The process continues until then, so that it ends anywhere in a batch.
                threading.Thread(target=kill_after, args=(seconds,), daemon=True).start()
            if options["skips"] and case["id"] in active:
                continue
            added += 1
            active.add(
                id=case["id"] if options["has_ids"] else None,
                inputs={"question": case["question"]},
                output=f"{case['question']}: {output}",
                scores={"correct": output == 1, "n": 0.5},
                reasons={"n": "half"},
                expected=case["question"],
            )
    print(added)


if __name__ == "__main__":
    main()
