"""Ids of scenarios from ids of tests."""

from __future__ import annotations

import hashlib
import re

MAX_ID_LENGTH = 200


def to_scenario_id(node_id: str) -> str:
    """Returns a node id as the service accepts it: long ones are shortened with a hash."""
    id = re.sub(r"[\x00-\x1f\x7f-\x9f\ud800-\udfff]", lambda match: ascii(match[0])[1:-1], node_id)
    if len(id) <= MAX_ID_LENGTH:
        return id
    digest = hashlib.sha256(id.encode()).hexdigest()[:16]
    return f"{id[: MAX_ID_LENGTH - 17]}-{digest}"
