#!/usr/bin/env bash
# Tool: ocserv 1.1.6 (Debian bookworm), fetched with apt-get; version checked.
# Behaviour: when an IPv6 client connects, the row about its points names it by its /64 with the rest set to zeros, in
#   quotes, with the words `for IP` and without a prefix length. All other rows about the same client have its true address,
#   also the row about the points that it gets later for a wrong password, in the same words.
# Output seen: for a client 2001:db8:77::bad:cafe: `added 1 points (total 1) for IP '2001:db8:77::' to ban list`, and
#   then `2001:db8:77::bad:cafe accepted connection`.
# Why one guesses wrong: it is a valid address, no network, to every parser, and for IPv4 the same words name the
#   client. A list of clients made from these rows holds an address that never sent a packet, and a search for the
#   client's address misses the row. Clients of one /64 share the points, which no row says.
# Needs root (own network namespace, loopback only).
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"; mkdir -p "$dir/debs/partial"
apt-get -y -qq --no-install-recommends --download-only -o Debug::NoLocking=1 -o APT::Sandbox::User=root \
  -o Dir::State::status=/dev/null -o Dir::Cache::archives="$dir/debs" install ocserv > /dev/null 2>&1
for d in "$dir"/debs/*.deb; do
  case ${d##*/} in libc6_*|base-*|dpkg_*|perl*) ;; *) dpkg-deb -x "$d" "$dir/tree";; esac
done
case $(dpkg-deb -f "$dir"/debs/ocserv_*.deb Version) in 1.1.6-*) ;; *) echo "another ocserv"; exit 1;; esac
libs=$(find "$dir/tree" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
cd "$dir"
openssl req -x509 -newkey rsa:2048 -nodes -keyout key -out cert -days 2 -subj /CN=vpn.example 2> /dev/null
printf 'alice:*:!\n' > users
cat > conf <<CONF
auth = "plain[passwd=$dir/users]"
tcp-port = 4443
udp-port = 0
run-as-user = nobody
run-as-group = nogroup
socket-file = $dir/socket
server-cert = $dir/cert
server-key = $dir/key
isolate-workers = false
device = vpns
ipv4-network = 198.18.0.0
ipv4-netmask = 255.255.255.0
max-ban-score = 20
ban-reset-time = 60
log-level = 3
CONF
cat > knock.py <<'PY'
import socket, ssl, time
context = ssl.create_default_context(); context.check_hostname = False; context.verify_mode = ssl.CERT_NONE
def knock(source, target):
    for _ in range(50):
        try:
            s = socket.create_connection((target, 4443), 3, source_address=(source, 0))
            break
        except OSError:
            time.sleep(0.1)
    else:
        raise SystemExit("no ocserv")
    with context.wrap_socket(s) as t:
        t.sendall(b"GET / HTTP/1.1\r\nHost: vpn.example\r\n\r\n")
        time.sleep(0.5)
knock("2001:db8:77::bad:cafe", "2001:db8:10::10")
PY
cat > in.sh <<'SH'
set -euo pipefail
ip link set lo up
for a in 2001:db8:10::10/128 2001:db8:77::bad:cafe/128; do ip -6 addr add "$a" dev lo nodad; done
LD_LIBRARY_PATH=$1 timeout 20 "$2" -f -d 3 -c conf > log 2>&1 & pid=$!
python3 knock.py || true
sleep 1
kill "$pid" 2> /dev/null || true
wait "$pid" 2> /dev/null || true
SH
unshare -n bash in.sh "$libs" "$(find "$dir/tree" -name ocserv -path '*bin*' -type f)"
grep -E 'to ban list|accepted connection' log | sed 's/^ocserv\[[0-9]*\]: //'
grep -q "for IP '2001:db8:77::' to ban list" log
grep -q '2001:db8:77::bad:cafe accepted connection' log
if grep 'to ban list' log | grep -q 'bad:cafe'; then exit 1; fi
echo "seen: an address nobody has"
