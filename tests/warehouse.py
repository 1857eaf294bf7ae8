"""ClickHouse behind its HTTP interface, as far as ipspect asks for it, over chdb: for tests of `ipspect warehouse`.

Prints its address on a line and serves until it is ended. The users are `analyst` and `default`, with the password `invented`. Data lies in the folder that
is named, and is there again after a start.
"""

import email.parser
import email.policy
import http.server
import os
import re
import sys
import tempfile
import threading
import urllib.parse

from chdb import session

USERS, PASSWORD = ["analyst", "default"], "invented"
LOCK = threading.Lock()
STATUS = {60: 404, 81: 404, 516: 403, 497: 500, 62: 400, 381: 411}
# What a server takes in a field of a form, and how many of them (since version 26.4).
LONGEST_FIELD, MOST_FIELDS = 128 << 10, 1000


class Refused(Exception):
    def __init__(self, code, text):
        super().__init__(f"Code: {code}. DB::Exception: {text}")
        self.code = code


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    base = None

    def log_message(self, *_):
        pass

    def do_GET(self):
        self.reply(200, b"Ok.\n")

    def do_POST(self):
        try:
            self.reply(200, self.answer())
        except Refused as why:
            code = {"X-ClickHouse-Exception-Code": str(why.code)}
            self.reply(STATUS.get(why.code, 500), str(why).encode(), code)

    def reply(self, status, body, headers=()):
        self.send_response(status)
        self.send_header("X-ClickHouse-Query-Id", "invented")
        for name, value in dict(headers).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def body(self):
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            if "Content-Length" not in self.headers:
                raise Refused(381, "The Transfer-Encoding is not chunked and there is no Content-Length header for POST request")
            return self.rfile.read(int(self.headers["Content-Length"]))
        pieces = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            pieces.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(pieces)

    def answer(self):
        target = urllib.parse.urlsplit(self.path)
        fields = dict(urllib.parse.parse_qsl(target.query, keep_blank_values=True))
        body = self.body()
        who = self.headers.get("X-ClickHouse-User", "default"), self.headers.get("X-ClickHouse-Key", "")
        if who[0] not in USERS or who[1] != PASSWORD:
            raise Refused(516, f"{who[0]}: Authentication failed: password is incorrect, or there is no user with such name.")
        kind = self.headers.get("Content-Type", "")
        if kind.startswith("multipart/form-data"):
            head = f"Content-Type: {kind}\r\n\r\n".encode()
            parts = email.parser.BytesParser(policy=email.policy.HTTP).parsebytes(head + body)
            parts = list(parts.iter_parts())
            if len(parts) > MOST_FIELDS:
                raise Refused(1000, "Too many form fields")
            for part in parts:
                name = part.get_param("name", header="content-disposition")
                value = part.get_payload(decode=True)
                if len(value) > LONGEST_FIELD:
                    raise Refused(1000, f"Field value too long: {name}")
                fields[name] = value.decode()
            body = b""
        with LOCK:
            return self.run(fields, body)

    def run(self, fields, body):
        """Runs a statement; what is posted behind it is read from a file."""
        statement = fields.pop("query")
        base = type(self).base
        database = fields.get("database", "default")
        with tempfile.NamedTemporaryFile(suffix=".parquet") as posted:
            try:
                base.query(f"USE `{database}`")
                for name, value in fields.items():
                    if name.startswith("param_"):
                        quoted = value.replace("\\", "\\\\").replace("'", "\\'")
                        base.query(f"SET {name} = '{quoted}'")
                if "FORMAT Parquet" in statement:
                    posted.write(body)
                    posted.flush()
                    columns = re.search(r"\((.*)\)", statement, re.S)[1]
                    selected = f"SELECT {columns} FROM file('{posted.name}', Parquet)"
                    statement = statement.replace("FORMAT Parquet", selected)
                form = re.search(r"\sFORMAT (\w+)\s*$", statement)
                if not form:
                    return bytes(base.query(statement).bytes() or b"")
                return bytes(base.query(statement[: form.start()], form[1]).bytes() or b"")
            except Exception as why:
                text = str(why)
                code = re.search(r"Code: (\d+)", text)
                raise Refused(int(code[1]) if code else 1002, text) from why


def main(folder):
    os.makedirs(folder, exist_ok=True)
    Handler.base = session.Session(folder)
    Handler.base.query("CREATE DATABASE IF NOT EXISTS ipspect")
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main(sys.argv[1])
