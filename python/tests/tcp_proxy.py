"""A TCP proxy in front of the service that can be stopped and started, to test lost connections."""

from __future__ import annotations

import socket
import threading
from contextlib import suppress
from urllib.parse import urlsplit


class TcpProxy:
    """Forwards connections to the service. While it is stopped, connections are refused."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self._target = (parts.hostname or "127.0.0.1", parts.port or 80)
        self._listener: socket.socket | None = None
        self._sockets: list[socket.socket] = []
        self.drops_responses = False
        self._port = 0
        self.start()
        self.url = f"http://127.0.0.1:{self._port}"

    def start(self) -> None:
        listener = socket.socket()
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", self._port))
        listener.listen()
        self._port = listener.getsockname()[1]
        self._listener = listener
        threading.Thread(target=self._accept, args=(listener,), daemon=True).start()

    def stop(self) -> None:
        if self._listener is not None:
            # shutdown ends the blocked accept, close alone does not.
            with suppress(OSError):
                self._listener.shutdown(socket.SHUT_RDWR)
            self._listener.close()
            self._listener = None
        for each in self._sockets:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
        self._sockets.clear()

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                client, _ = listener.accept()
                service = socket.create_connection(self._target)
            except OSError:
                return
            self._sockets += [client, service]
            for source, sink in ((client, service), (service, client)):
                threading.Thread(
                    target=self._forward, args=(source, sink, source is service), daemon=True
                ).start()

    def _forward(self, source: socket.socket, sink: socket.socket, is_response: bool) -> None:
        with suppress(OSError):
            while chunk := source.recv(65536):
                if is_response and self.drops_responses:
                    break
                sink.sendall(chunk)
        for each in (source, sink):
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
