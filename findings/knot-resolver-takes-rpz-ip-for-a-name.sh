#!/usr/bin/env bash
# Tool: Knot Resolver 5.6.0 of Debian (bookworm, 5.6.0-1+deb12u1), fetched with apt-get download, laid over /usr in a mount namespace;
#   version checked.
# Behaviour: policy.rpz reads every owner of a response policy zone as the name that is asked for. A trigger by the address of an answer,
#   25.0.100.51.198.rpz-ip, is loaded as a name of that spelling: an answer within 198.51.100.0/25 passes, and nothing is logged. Record
#   types that it does not know are named in a warning, such owners are not.
# Output seen: `good.example 0 198.51.100.7` although the zone blocks that network, `bad.example 3 -`, and no line of the log with rpz-ip.
# Why one guesses wrong: BIND, Unbound and PowerDNS have the trigger, lists of resolvers that know such zones have Knot Resolver among
#   them, and a zone that loads in silence and blocks its names looks as if it worked.
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
(cd "$dir" && apt-get download knot-resolver libknot13 libdnssec9 libzscanner4 liblmdb0 libluajit-5.1-2 libluajit-5.1-common libjemalloc2 \
    libuv1 libnghttp2-14 libcap-ng0 libfstrm0 libprotobuf-c1 libbpf1 libelf1 libxdp1 libedit2 libbsd0 libmd0 dns-root-data lua-basexx lua-cqueues \
    > /dev/null 2>&1)
for package in "$dir"/*.deb; do dpkg-deb -x "$package" "$dir/tree"; done
case $(dpkg-deb -f "$dir"/knot-resolver_*.deb Version) in 5.6.0*) ;; *) echo "another Knot Resolver"; exit 1;; esac
cat > "$dir/zone.rpz" <<'ZONE'
$TTL 300
@ SOA localhost. hostmaster.localhost. 1 3600 600 86400 300
@ NS localhost.
25.0.100.51.198.rpz-ip CNAME .
bad.example CNAME .
ZONE
cat > "$dir/kresd.conf" <<CONF
net.ipv6 = false
net.listen('127.0.0.1', 5399, { kind = 'dns' })
modules = { 'policy', 'hints > iterate' }
log_level('debug')
hints['good.example'] = '198.51.100.7'
hints['bad.example'] = '203.0.113.7'
policy.add(policy.rpz(policy.DENY, '$dir/zone.rpz', false))
CONF
cat > "$dir/ask.py" <<'ASK'
import socket, struct, sys, time
def ask(name):
    labels = b"".join(bytes([len(part)]) + part.encode() for part in name.split("."))
    query = struct.pack(">HHHHHH", 7, 0x100, 1, 0, 0, 0) + labels + b"\0" + struct.pack(">HH", 1, 1)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asked:
        asked.settimeout(1)
        asked.sendto(query, ("127.0.0.1", 5399))
        answer = asked.recv(512)
    number = struct.unpack(">H", answer[6:8])[0]
    return name, answer[3] & 15, socket.inet_ntoa(answer[-4:]) if number else "-"
for name in ("good.example", "bad.example"):
    for _ in range(20):
        try:
            print(*ask(name))
            break
        except OSError:
            time.sleep(0.5)
ASK
mkdir "$dir/run"
cat > "$dir/inside.sh" <<'INSIDE'
mount -t overlay overlay -o "lowerdir=$1/tree/usr:/usr" /usr
ip link set lo up
ldconfig -n -C "$1/cache" /usr/lib/x86_64-linux-gnu 2> /dev/null || true
cd "$1/run"
export LD_LIBRARY_PATH=/usr/lib/x86_64-linux-gnu
timeout 30 /usr/sbin/kresd -n -c "$1/kresd.conf" . > "$1/log" 2>&1 &
python3 "$1/ask.py"
kill %1
INSIDE
unshare -Urmn bash "$dir/inside.sh" "$dir" > "$dir/seen" 2> "$dir/said" || true
cat "$dir/seen"
grep -qx 'good.example 0 198.51.100.7' "$dir/seen"
grep -qx 'bad.example 3 -' "$dir/seen"
[ "$(grep -ci 'rpz-ip' "$dir/log" || true)" = 0 ]
echo "seen: the trigger by address is loaded as a name, and blocks nothing"
