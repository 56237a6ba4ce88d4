"""Opens connections with the proxies and certificates of the environment."""

from __future__ import annotations

import http.client
import ssl
import urllib.request
from typing import Any


def build_opener() -> urllib.request.OpenerDirector:
    return urllib.request.build_opener(_HttpHandler, _HttpsHandler, _AllStatusesProcessor)


class _EarlyResponseMixin(http.client.HTTPConnection):
    """Reads an error response that the service sends before it has received the whole body."""

    _is_closed_by_peer = False

    def send(self, data: Any) -> None:
        if self._is_closed_by_peer:
            return
        try:
            super().send(data)
        except (BrokenPipeError, ConnectionResetError):
            self._is_closed_by_peer = True


class _HttpConnection(_EarlyResponseMixin):
    pass


class _HttpsConnection(_EarlyResponseMixin, http.client.HTTPSConnection):
    pass


class _HttpHandler(urllib.request.HTTPHandler):
    def http_open(self, req: urllib.request.Request) -> Any:
        return self.do_open(_HttpConnection, req)


class _HttpsHandler(urllib.request.HTTPSHandler):
    _shared_context: ssl.SSLContext | None = None

    def https_open(self, req: urllib.request.Request) -> Any:
        if self._shared_context is None:
            self._shared_context = ssl.create_default_context()
        return self.do_open(_HttpsConnection, req, context=self._shared_context)


class _AllStatusesProcessor(urllib.request.HTTPErrorProcessor):
    """Returns responses with any status. A redirect is not followed: it would leak the key."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response
