#!/usr/bin/env bash
# Tool: OpenVPN 2.6.14 (Debian bookworm), fetched with apt-get download; version checked.
# Behaviour: in the status file and as the log's client prefix a UDP client over IPv4 is ADDRESS:PORT, a client over
#   IPv6 is the bare address: its port is left out. In the same log, `Peer Connection Initiated with` writes the port
#   of the IPv6 client, glued on by a colon and without square brackets (which reads as one longer IPv6 address).
# Output seen: CLIENT_LIST,alice,198.51.100.7:50122,... and CLIENT_LIST,alice,2001:db8:77::7,... side by side, and
#   `[AF_INET6]2001:db8:77::7:50123`.
# Why one guesses wrong: the column Real Address is one form for IPv4; one expects [2001:db8:77::7]:50123. Splitting
#   at the last colon gives the address 2001:db8:77: and the port 7.
# Needs root and /dev/net/tun (own network namespace, loopback only).
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
(cd "$dir" && apt-get download openvpn liblzo2-2 liblz4-1 libpkcs11-helper1 libnl-3-200 libnl-genl-3-200 libcap-ng0 > /dev/null 2>&1
 for d in *.deb; do dpkg-deb -x "$d" tree; done)
case $(dpkg-deb -f "$dir"/openvpn_*.deb Version) in 2.6.14-*) ;; *) echo "another openvpn"; exit 1;; esac
LD_LIBRARY_PATH=$(find "$dir/tree" -name '*.so.*' -printf '%h\n' | sort -u | paste -sd:)
export LD_LIBRARY_PATH
cd "$dir"
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.k -out ca.c -days 2 -subj /CN=ca 2> /dev/null
for n in server alice; do
  openssl req -newkey rsa:2048 -nodes -keyout $n.k -out $n.r -subj /CN=$n 2> /dev/null
  openssl x509 -req -in $n.r -CA ca.c -CAkey ca.k -CAcreateserial -out $n.c -days 2 2> /dev/null
done
chmod 600 ./*.k
cat > in.sh <<'SH'
ip link set lo up
ip addr add 192.0.2.10/32 dev lo; ip addr add 198.51.100.7/32 dev lo
ip -6 addr add 2001:db8:10::10/128 dev lo nodad; ip -6 addr add 2001:db8:77::7/128 dev lo nodad
o=tree/usr/sbin/openvpn
timeout 20 $o --server 10.8.1.0 255.255.255.0 --topology subnet --dev-type tun --dev ovs --disable-dco --dh none --proto udp6 --port 1194 --multihome --duplicate-cn --ca ca.c --cert server.c --key server.k \
   --keepalive 5 30 --verb 3 --status status 1 --status-version 2 > server.log 2>&1 &
sleep 2
timeout 12 $o --client --dev null --proto udp4 --local 198.51.100.7 --lport 50122 --remote 192.0.2.10 1194 --ca ca.c --cert alice.c --key alice.k > c4.log 2>&1 &
timeout 12 $o --client --dev null --proto udp6 --local 2001:db8:77::7 --lport 50123 --remote 2001:db8:10::10 1194 --ca ca.c --cert alice.c --key alice.k > c6.log 2>&1 &
for i in 1 2 3 4 5 6 7 8; do sleep 1; [ "$(grep -c '^CLIENT_LIST' status)" = 2 ] && break; done
kill $(jobs -p) 2> /dev/null; wait 2> /dev/null; true
SH
timeout 40 unshare -n bash in.sh
cp status seen 2> /dev/null || true
grep '^CLIENT_LIST' seen || true
grep 'Peer Connection Initiated' server.log || true
grep -q '^CLIENT_LIST,alice,198.51.100.7:50122,' seen
grep -q '^CLIENT_LIST,alice,2001:db8:77::7,' seen
grep -q 'Initiated with \[AF_INET6\]2001:db8:77::7:50123' server.log
echo "seen: a port for IPv4, none for IPv6"
