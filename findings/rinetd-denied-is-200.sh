#!/usr/bin/env bash
# Tool: rinetd 0.73 (Debian bookworm), fetched with apt-get; version checked.
# Behaviour: with `logcommon` (the web server's form of log) a client that a deny rule turned away is logged with the
#   status 200, like one that was let through. All that tells them apart is the last part of an invented path, which
#   is the text (null) in place of the reason. The time has two blanks before the zone, so it is not quite that form.
# Output seen: `127.0.0.2 - - [28/Nov/2026:05:47:17  +0000] "GET /rinetd-services/127.0.0.3/18081/127.0.0.4/18082/(null) HTTP/1.0" 200 0 - - - 0`
# Why one guesses wrong: rinetd has a word for each outcome (opened, done-local-closed, …), also one for a denied
#   client, and a web log has 403 for that. One who looks for status 4xx, or sums up 200s per client,
#   takes every denied client for a served one; one who looks for a word such as "denied" finds none.
set -euo pipefail
export LC_ALL=C TZ=UTC
dir=$(mktemp -d); pid=
trap 'if [ -n "$pid" ]; then kill "$pid" 2> /dev/null || true; wait "$pid" 2> /dev/null || true; fi; rm -rf "$dir"' EXIT
(cd "$dir" && apt-get download rinetd > /dev/null 2>&1 && dpkg-deb -x rinetd_*.deb tree)
case $(dpkg-deb -f "$dir"/rinetd_*.deb Version) in 0.73-*) ;; *) echo "another rinetd"; exit 1;; esac
cat > "$dir/conf" <<CONF
deny 127.0.0.2
127.0.0.3 18081 127.0.0.4 18082
logfile $dir/log
logcommon
CONF
timeout 30 "$(find "$dir/tree" -name rinetd -path '*bin*')" -f -c "$dir/conf" > /dev/null 2>&1 & pid=$!
python3 - <<'PY'
import socket, time
back = socket.create_server(("127.0.0.4", 18082))
def visit(source):
    for _ in range(50):
        try:
            return socket.create_connection(("127.0.0.3", 18081), 3, source_address=(source, 0))
        except OSError:
            time.sleep(0.1)
    raise SystemExit("no rinetd")
for source in ("127.0.0.5", "127.0.0.2"):
    s = visit(source)
    time.sleep(0.5)
    s.close()
time.sleep(0.5)
PY
cat "$dir/log"
grep -Eq '^127\.0\.0\.2 - - .*/\(null\) HTTP/1\.0" 200 0 ' "$dir/log"
grep -Eq '^127\.0\.0\.5 - - .*/opened HTTP/1\.0" 200 0 ' "$dir/log"
echo "seen: the denied client has the status of the one that was let through"
