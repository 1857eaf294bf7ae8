#!/usr/bin/env bash
# Tool: haralyzer 2.4.0 (PyPI), reads HAR files of browsers.
# Behaviour: `HarEntry.port` is the member `connection` of the entry as a
#   number. In HAR that member is an id of the connection (a port is allowed
#   as such an id, but browsers write a running number); it need not have to do
#   with the port of the URL and may exceed 65535. The
#   address beside it, `serverAddress`, keeps its brackets for IPv6.
# Output seen: url https://web1.example/login (port 443), connection
#   "2125550123" -> port 2125550123; serverAddress '[2001:db8::9]'.
# Why a good engineer guesses wrong: `serverAddress` and `port` side by side look
#   like the two halves of an endpoint. Joined into a report they give an
#   endpoint that does not exist, and as the ids are often small or look like
#   client ports, nobody notices.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check haralyzer==2.4.0
timeout 120 "$dir/venv/bin/python" - <<'PY'
from haralyzer import HarEntry

entry = HarEntry({
    "startedDateTime": "2026-11-25T11:15:30.250+01:00",
    "time": 12.5,
    "request": {"method": "GET", "url": "https://web1.example/login", "httpVersion": "h2",
                "headers": [], "queryString": [], "cookies": [], "headersSize": -1, "bodySize": 0},
    "response": {"status": 200, "statusText": "", "httpVersion": "h2", "headers": [], "cookies": [],
                 "content": {"size": 0, "mimeType": "text/html"}, "redirectURL": "",
                 "headersSize": -1, "bodySize": 0},
    "cache": {}, "timings": {"send": 0, "wait": 12, "receive": 0.5},
    "serverIPAddress": "[2001:db8::9]",
    "connection": "2125550123",
})
print(entry.url, entry.serverAddress, entry.port)
assert entry.port == 2125550123
assert entry.serverAddress == "[2001:db8::9]"
PY
