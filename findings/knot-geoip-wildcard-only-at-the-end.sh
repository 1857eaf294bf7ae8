#!/usr/bin/env bash
# Knot DNS 3.2.6 (Debian 12: knot and knot-module-geoip 3.2.6-1), with a database by mmdb_writer 0.2.7 from PyPI.
#
# Behaviour: with two keys in geodb-key, `*` stands for any value only where nothing definite follows: "NL;*" and "*;*" match, and
# "*;Amsterdam" is accepted by conf-check and by the server, and matches no client. A key that is a boolean in the database is accepted,
# too, as text and as (id), and matches none by `true` or by `1`.
#
# Seen, for a client at 198.51.100.7, of which the database says NL, Amsterdam, vpn true:
#     country, city NL;Amsterdam: match
#     country, city NL;*: match
#     country, city *;*: match
#     country, city *;Amsterdam: none
#     vpn true: none
#     (id)vpn 1: none
#
# Why a good engineer guesses wrong: a wildcard in a list of columns is read as "this column does not matter", in either column, and a rule
# that cannot match is expected to be refused where the configuration is checked. Here each rule is a path from the first key on, so the
# definite keys have to come first: to choose by the city alone, city must be the first (or the only) key. And what an anonymizer database
# is bought for, its flags, cannot steer answers; a text or a number can.
set -euo pipefail
folder=$(mktemp -d)
server=
trap '[ -z "$server" ] || kill "$server" 2>/dev/null || true; rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q knot=3.2.6-1 knot-module-geoip=3.2.6-1 libknot13=3.2.6-1 libdnssec9=3.2.6-1 libzscanner4=3.2.6-1 \
    libmaxminddb0 liburcu8 liblmdb0 libbpf1 libxdp1 libelf1 libcap-ng0 libedit2 libbsd0 libmd0 >/dev/null 2>&1
for package in ./*.deb; do dpkg -x "$package" debian; done
LD_LIBRARY_PATH=$(dirname "$(find "$folder/debian" -name libknot.so.13)"):$(dirname "$(find "$folder/debian" -name liblmdb.so.0)")
export LD_LIBRARY_PATH
python3 -m venv python
env -u LD_LIBRARY_PATH python/bin/pip install --quiet --disable-pip-version-check mmdb_writer==0.2.7
cat >make.py <<'PYTHON'
from mmdb_writer import MMDBWriter
from netaddr import IPSet

writer = MMDBWriter(6, "proof", languages=["en"], description="proof", ipv4_compatible=True)
writer.insert_network(IPSet(["198.51.100.0/24"]), {"country": "NL", "city": "Amsterdam", "vpn": True})
writer.to_db_file("geo.mmdb")
PYTHON
python/bin/python make.py
cat >ask.py <<'PYTHON'
"""Asks for TXT of geo.example with 198.51.100.7/32 as the client's subnet."""
import socket, struct, sys

name = b"\x03geo\x07example\x00"
subnet = struct.pack(">HHHBB4s", 8, 8, 1, 32, 0, socket.inet_aton("198.51.100.7"))
query = struct.pack(">6H", 7, 0, 1, 0, 0, 1) + name + struct.pack(">HH", 16, 1) + b"\0" + struct.pack(">HHIH", 41, 1232, 0, len(subnet)) + subnet
with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as client:
    client.settimeout(0.5)
    for _ in range(20):
        try:
            client.sendto(query, ("127.0.0.1", int(sys.argv[1])))
            answer = client.recv(4096)
            break
        except OSError:
            continue
    else:
        sys.exit("no answer")
print("match" if b"\x05match" in answer else "none" if b"\x05other" in answer else answer)
PYTHON
port=$(python3 -c 'import socket; s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
printf '$TTL 1\n@ SOA a. a. 1 1 1 1 1\n@ NS a.\ngeo TXT other\n' >zone
mkdir run storage
rule() { # the keys, and the one rule
    printf 'geo.example:\n  - geo: "%s"\n    TXT: match\n' "$2" >geo.conf
    cat >knot.conf <<KNOT
module:
  - id: mod-geoip
    file: $(find "$folder/debian" -name geoip.so)
server:
  rundir: $folder/run
  listen: 127.0.0.1@$port
  edns-client-subnet: on
database:
  storage: $folder/storage
mod-geoip:
  - id: geo
    config-file: $folder/geo.conf
    mode: geodb
    geodb-file: $folder/geo.mmdb
    geodb-key: [ $1 ]
zone:
  - domain: example.
    file: $folder/zone
    module: mod-geoip/geo
KNOT
    debian/usr/sbin/knotc -c knot.conf conf-check >/dev/null
    debian/usr/sbin/knotd -c knot.conf >log 2>&1 &
    server=$!
    echo "$1 $2: $(env -u LD_LIBRARY_PATH python3 ask.py "$port")" >>is
    kill "$server"
    wait "$server" || true
    server=
}
for pair in 'NL;Amsterdam' 'NL;*' '*;*' '*;Amsterdam'; do rule 'country, city' "$pair"; done
rule vpn true
rule '(id)vpn' 1
cat is
[ "$(cat is)" = 'country, city NL;Amsterdam: match
country, city NL;*: match
country, city *;*: match
country, city *;Amsterdam: none
vpn true: none
(id)vpn 1: none' ]
