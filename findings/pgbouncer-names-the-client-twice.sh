#!/usr/bin/env bash
# Tool: PgBouncer 1.18.0 (Debian bookworm), fetched with apt-get; version checked.
# Behaviour: with verbose=1 or more each new client that asks for TLS first (as psql does) and is told no has a line
#   `P: got connection: A:port -> B:port`. It is written as the two ends of the connection, but B is the client's
#   address again, with the port of the listener. Where the client really connected to stands nowhere in the line.
# Output seen: for a client 127.0.0.2 that connects to 127.0.0.3:16432:
#   `P: got connection: 127.0.0.2:48431 -> 127.0.0.2:16432`. Over IPv6 it is the same, and both ends stand without
#   square brackets, whereas the prefix of the same line has them.
# Why one guesses wrong: the arrow and the listener's port make the right end look whole and true. On a machine with
#   several addresses a client seems to talk to a PgBouncer on its own machine, and a reader that takes the right
#   end for the server lists each client as one. A test from the same machine never shows it, as both ends are
#   127.0.0.1 there.
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); pid=
trap 'if [ -n "$pid" ]; then kill "$pid" 2> /dev/null || true; wait "$pid" 2> /dev/null || true; fi; rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir "$dir/log"; chmod 777 "$dir/log"
(cd "$dir" && apt-get download pgbouncer libc-ares2 libevent-core-2.1-7 libevent-2.1-7 libpam0g libssl3 libsystemd0 > /dev/null 2>&1
 for d in *.deb; do dpkg-deb -x "$d" tree; done)
case $(dpkg-deb -f "$dir"/pgbouncer_*.deb Version) in 1.18.0-*) ;; *) echo "another pgbouncer"; exit 1;; esac
LD_LIBRARY_PATH=$(find "$dir/tree" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export LD_LIBRARY_PATH
cat > "$dir/pgb.ini" <<CONF
[databases]
app = host=127.0.0.4 port=5432
[pgbouncer]
listen_addr = 127.0.0.3
listen_port = 16432
unix_socket_dir =
auth_type = trust
logfile = $dir/log/pgb.log
verbose = 1
CONF
chmod 644 "$dir/pgb.ini"
setpriv --reuid=65534 --regid=65534 --clear-groups timeout 30 "$dir/tree/usr/sbin/pgbouncer" "$dir/pgb.ini" > /dev/null 2>&1 & pid=$!
env -u LD_LIBRARY_PATH python3 - <<'PY'
import socket, struct, time
for _ in range(50):
    try:
        s = socket.create_connection(("127.0.0.3", 16432), 3, source_address=("127.0.0.2", 0))
        break
    except OSError:
        time.sleep(0.1)
else:
    raise SystemExit("no pgbouncer")
s.sendall(struct.pack("!II", 8, 80877103))  # asks for TLS first, as psql does
assert s.recv(1) == b"N"
time.sleep(0.5)
print("the client's own view:", s.getsockname()[0], "->", s.getpeername()[0])
PY
grep 'got connection' "$dir/log/pgb.log" | sed 's/.*P: /P: /'
grep -Eq 'got connection: 127\.0\.0\.2:[0-9]+ -> 127\.0\.0\.2:16432' "$dir/log/pgb.log"
if grep 'got connection' "$dir/log/pgb.log" | grep -q '127\.0\.0\.3'; then exit 1; fi
echo "seen: both ends are the client"
