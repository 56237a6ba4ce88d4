"""Fixtures for tests against a running service with the sample data.

ASSAY_URL is its address, ASSAY_KEY a key that can read and write.
"""

from __future__ import annotations

import os

import pytest

from assay_client import Client


def _read_variable(name: str) -> str:
    value = os.environ.get(name)
    if not value:
        pytest.skip(f"{name} is not set: this test needs a running service with the sample data")
    return value


@pytest.fixture(scope="session")
def url() -> str:
    return _read_variable("ASSAY_URL")


@pytest.fixture(scope="session")
def key() -> str:
    return _read_variable("ASSAY_KEY")


@pytest.fixture(scope="session")
def client(url: str, key: str) -> Client:
    return Client(url, key)
