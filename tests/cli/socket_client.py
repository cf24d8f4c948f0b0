"""A WebSocket client (RFC 6455), just enough to drive `cordage view` from tests."""
import base64
import hashlib
import json
import os
import socket
import struct

GUID = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Refused(Exception):
    """The server did not let us in."""


class Client:
    def __init__(self, port, host=None, origin=None, path="/socket", protocol="cordage.1", timeout=1000):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=timeout)
        self.rest = b""
        key = base64.b64encode(os.urandom(16)).decode()
        lines = [f"GET {path} HTTP/1.1", f"Host: {host or f'127.0.0.1:{port}'}", "Upgrade: websocket",
                 "Connection: Upgrade", f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13"]
        if origin is not None:
            lines.append(f"Origin: {origin}")
        if protocol:
            lines.append(f"Sec-WebSocket-Protocol: {protocol}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        head = b""
        while b"\r\n\r\n" not in head:
            try:
                data = self.socket.recv(4096)
            except ConnectionError:
                data = b""
            if not data:
                self.socket.close()
                raise Refused(head.decode(errors="replace"))
            head += data
        head, self.rest = head.split(b"\r\n\r\n", 1)
        expected = base64.b64encode(hashlib.sha1((key + GUID).encode()).digest())
        if b" 101 " not in head.split(b"\r\n")[0] or expected not in head:
            self.socket.close()
            raise Refused(head.decode(errors="replace"))

    def close(self):
        self.socket.close()

    def take(self, count):
        while len(self.rest) < count:
            data = self.socket.recv(1 << 16)
            if not data:
                raise ConnectionError("the server closed the connection")
            self.rest += data
        taken, self.rest = self.rest[:count], self.rest[count:]
        return taken

    def frame(self):
        first, second = self.take(2)
        size = second & 127
        if size == 126:
            size, = struct.unpack(">H", self.take(2))
        elif size == 127:
            size, = struct.unpack(">Q", self.take(8))
        return first & 128, first & 15, self.take(size)

    def receive(self):
        """The next message: a dict from JSON, or a Picture."""
        whole, kind = b"", None
        while True:
            is_last, code, data = self.frame()
            if code == CLOSE:
                raise ConnectionError("the server closed the connection")
            if code == PING:
                self.send_frame(PONG, data)
                continue
            kind = kind or code
            whole += data
            if is_last:
                return Picture(whole) if kind == BINARY else json.loads(whole)

    def send_frame(self, code, data, is_last=True):
        mask = os.urandom(4)
        size = len(data)
        head = bytes([(128 if is_last else 0) | code])
        if size < 126:
            head += bytes([128 | size])
        elif size < 65536:
            head += struct.pack(">BH", 128 | 126, size)
        else:
            head += struct.pack(">BQ", 128 | 127, size)
        masked = bytes(byte ^ mask[i & 3] for i, byte in enumerate(data))
        self.socket.sendall(head + mask + masked)

    def send(self, kind, **members):
        self.send_frame(TEXT, json.dumps({"type": kind, **members}).encode())

    def wait_for(self, kind, acknowledge=True, check=lambda message: True):
        """The next message of a kind ("picture" for pictures) that passes the check; pictures are acknowledged."""
        while True:
            message = self.receive()
            is_picture = isinstance(message, Picture)
            if is_picture and acknowledge:
                self.send("ack", index=message.index)
            if (kind == "picture" if is_picture else message["type"] == kind) and check(message):
                return message


class Picture:
    def __init__(self, data):
        magic, self.epoch, self.index, count = struct.unpack_from("<4I", data)
        assert magic == 0x31474443
        self.time, = struct.unpack_from("<d", data, 16)
        self.blocks, at = {}, 24
        for _ in range(count):
            block, size = struct.unpack_from("<2I", data, at)
            self.blocks[block] = struct.unpack_from(f"<{size}f", data, at + 8)
            at += 8 + 4 * size
        assert at == len(data)

    def node(self, index):
        return self.blocks[1][3 * index:3 * index + 3]
