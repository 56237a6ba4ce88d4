"""The version of the package, which is that of the service."""

# Generated from openapi.json by `npm run openapi`; do not edit.

__version__ = "0.2.0"
