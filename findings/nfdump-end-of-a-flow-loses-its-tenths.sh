#!/usr/bin/env bash
# Tool: nfdump 1.7.1 of Debian (bookworm), fetched with apt-get download and unpacked; version checked.
# Behaviour: %tsr and %ter print the start and the end of a flow as seconds of the epoch with three digits after the point. In %ter the first
#   of the three is always 0: .987 becomes .087. The file holds the right time, and %te beside it prints it.
# Output seen, %tsr, %ter, %td and %te:
#   1700000000.100 1700000000.000 00:00:00.400 2023-11-14 22:13:20.500
#   1700000001.250 1700000002.050 00:00:01.500 2023-11-14 22:13:22.750
#   1700000003.000 1700000003.087 00:00:00.987 2023-11-14 22:13:23.987
#   1700000004.000 1700000004.042 00:00:00.042 2023-11-14 22:13:24.042
# Why one guesses wrong: the manual describes the end, like the start, as "in fractional seconds", and 087 is what a measured value looks
#   like: it has no row of zeros that gives away something rounded. Each value is a possible time, and one in ten is right. One takes the
#   two numbers for their difference: here the first flow ends 0.1 seconds before it starts, and others are up to 0.9 seconds too short.
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
def packet(milliseconds, source):
    udp = struct.pack("!HHHH", 5000, 123, 18, 0) + b"0123456789"
    head = struct.pack("!BBHHHBBH", 0x45, 0, 20 + len(udp), 1, 0, 64, 17, 0) + socket.inet_aton(source) + socket.inet_aton("192.0.2.10")
    frame = bytes.fromhex("020000000002020000000001") + struct.pack("!H", 0x0800) + head + udp
    return struct.pack("<IIII", 1700000000 + milliseconds // 1000, milliseconds % 1000 * 1000, len(frame), len(frame)) + frame
flows = [(100, 500), (1250, 2750), (3000, 3987), (4000, 4042)]
with open(sys.argv[1], "wb") as out:
    out.write(struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1))
    for number, both in enumerate(flows, 1):
        for milliseconds in both:
            out.write(packet(milliseconds, f"198.51.100.{number}"))
PY
mkdir "$dir/flows"
LD_LIBRARY_PATH=$libs timeout 60 "$dir/tree/usr/bin/nfpcapd" -r "$dir/flows.pcap" -l "$dir/flows" > "$dir/said" 2>&1
file=$(find "$dir/flows" -type f -name 'nfcapd.2*')
LD_LIBRARY_PATH=$libs timeout 60 "$dir/tree/usr/bin/nfdump" -r "$file" -q -o 'fmt:%tsr %ter %td %te' 2>&1 | awk '{ $1 = $1; print }' | sort > "$dir/rows"
cat "$dir/rows"
diff - "$dir/rows" <<'ROWS'
1700000000.100 1700000000.000 00:00:00.400 2023-11-14 22:13:20.500
1700000001.250 1700000002.050 00:00:01.500 2023-11-14 22:13:22.750
1700000003.000 1700000003.087 00:00:00.987 2023-11-14 22:13:23.987
1700000004.000 1700000004.042 00:00:00.042 2023-11-14 22:13:24.042
ROWS
echo "seen: the digit of the tenths is always 0"
