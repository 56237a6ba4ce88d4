"""How evaluations and comparisons are displayed in notebooks."""
