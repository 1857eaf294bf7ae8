#!/usr/bin/env bash
# Tool: dnsdist 1.7.3 (Debian bookworm), fetched with apt-get download together with its libraries; version checked.
# Behaviour: the timestamp that LogResponseAction writes before "Answer to" is the time of the query, to the
#   nanosecond the one that LogAction wrote before "Packet from". It says nothing about when the answer came or left.
# Output seen, with a server that takes 0.7 s:
#   [1795844000.123456789] Packet from 127.0.0.1:50123 for www.corp.example. A with id 13330
#   [1795844000.123456789] Answer to 127.0.0.1:50123 for www.corp.example. A (No Error) with id 13330
# Why one guesses wrong: each row of a log usually has the time at which it was written, and here each file has an
#   action and a flag "include timestamp" of its own. Latency computed from the two is always zero, and an answer
#   that came late is filed under the second in which its question came.
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); pids=; trap 'kill $pids 2> /dev/null || true; rm -rf "$dir"' EXIT
chmod 755 "$dir"
cd "$dir"
apt-get download dnsdist libluajit2-5.1-2 libfstrm0 libsodium23 libcdb1 libedit2 libre2-9 liblmdb0 libsnmp40 libsnmp-base \
  libh2o-evloop0.13 libwslay1 libnghttp2-14 libbsd0 libmd0 libperl5.36 libwrap0 libcap2 > /dev/null 2>&1
case $(dpkg-deb -f dnsdist_*.deb Version) in 1.7.3-*) ;; *) echo "another dnsdist"; exit 1;; esac
for deb in *.deb; do dpkg-deb -x "$deb" tree; done
cat > slow.py <<'PY'
import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 15391)); s.settimeout(25)
while True:
    q, peer = s.recvfrom(2000)
    if b"\3www" in q: time.sleep(0.7)
    end = q.index(b"\0", 12) + 5
    s.sendto(q[:2] + b"\x85\x80\0\1\0\1\0\0\0\0" + q[12:end] + b"\xc0\x0c\0\1\0\1\0\0\0\x3c\0\4\xcb\0\x71\x50", peer)
PY
cat > conf.lua <<LUA
setLocal("127.0.0.1:15390"); setSecurityPollSuffix("")
newServer({address="127.0.0.1:15391", healthCheckMode="up"})
addAction(AllRule(), LogAction("$dir/questions", false, false, false, false, true))
addResponseAction(AllRule(), LogResponseAction("$dir/answers", false, false, false, true))
LUA
timeout 30 python3 slow.py & pids=$!
lib=$(echo "$dir"/tree/usr/lib/*-linux-gnu):$(echo "$dir"/tree/lib/*-linux-gnu)
LD_LIBRARY_PATH=$lib timeout 30 "$dir/tree/usr/bin/dnsdist" --supervised -C conf.lua > out 2>&1 & pids="$pids $!"
sleep 2
python3 - <<'PY'
import socket, time
s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.settimeout(5)
began = time.time()
s.sendto(b"\x12\x34\1\0\0\1\0\0\0\0\0\0\3www\4corp\7example\0\0\1\0\1", ("127.0.0.1", 15390)); s.recv(2000)
took = time.time() - began
print("the client waited %.1f s" % took)
assert took > 0.6
PY
sleep 2
cat questions answers
grep -q 'Packet from 127.0.0.1' questions
grep -q 'Answer to 127.0.0.1' answers
[ "$(grep -o '^\[[0-9.]*\]' questions | tail -1)" = "$(grep -o '^\[[0-9.]*\]' answers | tail -1)" ]
echo "seen: the answer has the timestamp of its question"
