#!/usr/bin/env bash
# Tool: ulogd2 2.0.8 (Debian bookworm) with its GPRINT output, fed by conntrack events (NFCT); version checked.
# Behaviour: for an IPv6 flow GPRINT writes the raw key orig.ip.saddr with the first four of the sixteen bytes as
#   dotted IPv4: every peer in 2001:db8::/32 becomes 32.1.13.184, a valid public address nobody talked to. The true
#   address stands in the same line under orig.ip.saddr.str (only if IP2STR is in the stack).
# Output seen: orig.ip.saddr=32.1.13.184,orig.ip.daddr=32.1.13.184,... orig.ip.saddr.str=2001:db8:77::7,...
# Why one guesses wrong: the key is the right one for IPv4, the value is a well-formed address, and oob.family=10
#   is the only hint; one would expect the key to be left out or written in hexadecimal.
# Needs root (own network namespace, loopback only).
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
(cd "$dir" && apt-get download ulogd2 libnetfilter-log1 libnetfilter-conntrack3 libnetfilter-acct1 libnfnetlink0 libmnl0 \
   nftables libnftables1 libnftnl11 libjansson4 libxtables12 libedit2 > /dev/null 2>&1
 for d in *.deb; do dpkg-deb -x "$d" tree; done)
case $(dpkg-deb -f "$dir"/ulogd2_*.deb Version) in 2.0.8-*) ;; *) echo "another ulogd2"; exit 1;; esac
lib=$(dirname "$(find "$dir/tree" -name 'libnetfilter_conntrack.so.3')")
plug=$(dirname "$(find "$dir/tree" -name 'ulogd_inpflow_NFCT.so')")
cat > "$dir/ulogd.conf" <<CONF
[global]
logfile="$dir/ulogd.log"
plugin="$plug/ulogd_inpflow_NFCT.so"
plugin="$plug/ulogd_filter_IP2STR.so"
plugin="$plug/ulogd_output_GPRINT.so"
stack=ct1:NFCT,ip1:IP2STR,g1:GPRINT
[ct1]
[g1]
file="$dir/flows"
sync=1
CONF
cat > "$dir/call.py" <<'PY'
import socket
for src, dst, fam in (("198.51.100.7", "192.0.2.10", socket.AF_INET), ("2001:db8:77::7", "2001:db8:10::10", socket.AF_INET6)):
    s = socket.socket(fam); s.bind((src, 0))
    try: s.connect((dst, 9))
    except ConnectionRefusedError: pass
    s.close()
PY
cat > "$dir/in.sh" <<'SH'
set -e
export LD_LIBRARY_PATH=$2
ip link set lo up
ip addr add 198.51.100.7/32 dev lo; ip addr add 192.0.2.10/32 dev lo
ip -6 addr add 2001:db8:77::7/128 dev lo nodad; ip -6 addr add 2001:db8:10::10/128 dev lo nodad
"$1/tree/usr/sbin/nft" 'add table inet t; add chain inet t c { type filter hook input priority 0; }; add rule inet t c ct state new accept'
timeout 12 "$1/tree/usr/sbin/ulogd" -c "$1/ulogd.conf" > /dev/null 2>&1 &
u=$!
sleep 2; timeout 5 python3 "$1/call.py"; sleep 2
kill $u 2> /dev/null || true; wait $u 2> /dev/null || true
SH
timeout 40 unshare -n bash "$dir/in.sh" "$dir" "$lib"
cat "$dir/flows"
grep -q 'orig.ip.saddr=198.51.100.7,.*orig.ip.saddr.str=198.51.100.7' "$dir/flows"
grep -q 'orig.ip.saddr=32.1.13.184,orig.ip.daddr=32.1.13.184,.*orig.ip.saddr.str=2001:db8:77::7' "$dir/flows"
echo "seen: an IPv4 address made of the head of an IPv6 one"
