#!/usr/bin/env bash
# Tool: nfdump 1.7.1 of Debian (bookworm), fetched with apt-get download and unpacked; version checked.
# Behaviour: the network lengths of `-A srcip4/24,srcip6/64` are not each for one family. All keys are applied to all flows: those of IPv4
#   see the last 32 bits of an IPv6 address, so /24 there is /120; those of IPv6 see an IPv4 address as zeros. Rows are grouped by all keys
#   and show the source address as the last key left it.
# Output seen, sources and flows, with 2 sources in 198.51.100.0/24, 1 in 203.0.113.0/24, 4 in 2001:db8:1:2::/64 and 1 in 2001:db8:1:3::/64:
#   srcip4/24                `198.51.100.0 2`, `203.0.113.0 1`, but `2001:db8:1:2::1:0 1`, `2001:db8:1:2:a:: 1`, `2001:db8:1:2:: 2`, `2001:db8:1:3:: 1`
#   srcip6/64                `2001:db8:1:2:: 4`, `2001:db8:1:3:: 1`, but all of IPv4 is `0.0.0.0 3`
#   srcip4/24,srcip6/64      `0.0.0.0 2`, `0.0.0.0 1`, and 2001:db8:1:2:: three times
#   srcip6/64,srcip4/24      the rows of srcip4/24 alone
# Why one guesses wrong: the manual calls the keys "IPv4 source IP address with applied netmask" and "IPv6 source IP address with applied
#   netmask". Naming both looks like the way to sum up mixed traffic, the order of keys looks free, and no row is marked. A row
#   2001:db8:1:2::1:0 reads as the address of a machine that nobody has, and 0.0.0.0 as traffic without a source.
set -euo pipefail
export LC_ALL=C TZ=UTC
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
(cd "$dir" && apt-get download nfdump libpcap0.8 libdbus-1-3 libbz2-1.0 > /dev/null 2>&1
 for deb in *.deb; do dpkg-deb -x "$deb" tree; done)
case $(dpkg-deb -f "$dir"/nfdump_*.deb Version) in 1.7.1-*) ;; *) echo "another nfdump"; exit 1;; esac
libs=$(find "$dir/tree" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
python3 - "$dir/flows.pcap" <<'PY'
import socket, struct, sys
def packet(second, source, target):
    udp = struct.pack("!HHHH", 5000, 123, 18, 0) + b"0123456789"
    if ":" in source:
        kind, head = 0x86DD, struct.pack("!IHBB", 6 << 28, len(udp), 17, 64)
        head += socket.inet_pton(socket.AF_INET6, source) + socket.inet_pton(socket.AF_INET6, target)
    else:
        kind, head = 0x0800, struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0)
        head += socket.inet_aton(source) + socket.inet_aton(target)
    frame = bytes.fromhex("020000000002020000000001") + struct.pack("!H", kind) + head + udp
    return struct.pack("<IIII", 1700000000 + second, 0, len(frame), len(frame)) + frame
sources = ["198.51.100.7", "198.51.100.9", "203.0.113.5", "2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:2::1:1", "2001:db8:1:2:a::1", "2001:db8:1:3::1"]
with open(sys.argv[1], "wb") as out:
    out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    for second, source in enumerate(sources):
        out.write(packet(second, source, "2001:db8:ffff::1" if ":" in source else "192.0.2.10"))
PY
mkdir "$dir/flows"
LD_LIBRARY_PATH=$libs timeout 60 "$dir/tree/usr/bin/nfpcapd" -r "$dir/flows.pcap" -l "$dir/flows" > "$dir/said" 2>&1
file=$(find "$dir/flows" -type f -name 'nfcapd.2*')
sums() { LD_LIBRARY_PATH=$libs timeout 60 "$dir/tree/usr/bin/nfdump" -r "$file" -q -6 -A "$1" -o 'fmt:%sa %fl' 2>&1 | awk '{ print $1, $2 }' | sort; }
show() { echo "$1"; sums "$1" | sed 's/^/  /'; }
show srcip4/24; show srcip6/64; show srcip4/24,srcip6/64; show srcip6/64,srcip4/24
[ "$(sums srcip4/24 | paste -sd,)" = "198.51.100.0 2,2001:db8:1:2:: 2,2001:db8:1:2::1:0 1,2001:db8:1:2:a:: 1,2001:db8:1:3:: 1,203.0.113.0 1" ]
[ "$(sums srcip6/64 | paste -sd,)" = "0.0.0.0 3,2001:db8:1:2:: 4,2001:db8:1:3:: 1" ]
[ "$(sums srcip4/24,srcip6/64 | paste -sd,)" = "0.0.0.0 1,0.0.0.0 2,2001:db8:1:2:: 1,2001:db8:1:2:: 1,2001:db8:1:2:: 2,2001:db8:1:3:: 1" ]
[ "$(sums srcip6/64,srcip4/24)" = "$(sums srcip4/24)" ]
echo "seen: a length for one family cuts both, and the last key of a pair names the rows"
