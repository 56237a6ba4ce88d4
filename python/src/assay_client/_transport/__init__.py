"""One request and its response: URLs, connections, bodies and errors."""
