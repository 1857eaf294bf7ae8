#!/usr/bin/env bash
# GoAccess 1.7 (Debian 12: goaccess 1:1.7-1), with a country database by mmdb_writer 0.2.7 from PyPI.
#
# Behaviour: all visitors without a country are one row of the geolocation panel, "Unknown", and this row hangs under the continent of
# whichever of them came last in the log. One record that has a continent and no country (country databases have such records) moves
# all visitors that the database does not know to that continent; in another order of the same lines it moves to none.
#
# Seen, 192.0.2.1 and 192.0.2.2 are not in the database, 203.0.113.9 has the continent AS and no country, 198.51.100.7 is in NL:
#     203.0.113.9 last:  AS Asia 3, EU Europe 1
#     203.0.113.9 first: Unknown 3, EU Europe 1
#
# Why a good engineer guesses wrong: the panel is a tree of continents with their countries, each with a sum, so a visitor is expected to be
# counted under his own continent, and counts not to depend on the order of the lines. But rows are found by the country alone, and
# the last visitor sets the parent. The sums of continents are of use only where every record has a country.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q goaccess=1:1.7-1 libmaxminddb0 >/dev/null 2>&1
for package in ./*.deb; do dpkg -x "$package" debian; done
libraries=$(dirname "$(find "$folder/debian" -name libmaxminddb.so.0)")
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check mmdb_writer==0.2.7
cat >make.py <<'PYTHON'
from mmdb_writer import MMDBWriter
from netaddr import IPSet


def continent(code, name):
    return {"code": code, "names": {"en": name}}


writer = MMDBWriter(6, "proof-Country", languages=["en"], description="proof", ipv4_compatible=True)
country = {"iso_code": "NL", "names": {"en": "The Netherlands"}}
writer.insert_network(IPSet(["198.51.100.0/24"]), {"continent": continent("EU", "Europe"), "country": country})
writer.insert_network(IPSet(["203.0.113.0/24"]), {"continent": continent("AS", "Asia")})
writer.to_db_file("country.mmdb")
PYTHON
python/bin/python make.py
cat >sums.py <<'PYTHON'
import json

panel = json.load(open("report.json"))["geolocation"]["data"]
print(", ".join(sorted(f"{continent['data']} {continent['hits']['count']}" for continent in panel)))
PYTHON
sums() {
    for address in "$@"; do
        echo "$address - - [27/Nov/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 5 \"-\" \"Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0\""
    done >access.log
    LD_LIBRARY_PATH=$libraries TERM=xterm debian/usr/bin/goaccess access.log --no-global-config --log-format=COMBINED \
        --geoip-database=country.mmdb --output=report.json >/dev/null 2>&1
    python3 sums.py
}
is="last: $(sums 198.51.100.7 192.0.2.1 192.0.2.2 203.0.113.9)
first: $(sums 203.0.113.9 198.51.100.7 192.0.2.1 192.0.2.2)"
echo "$is"
[ "$is" = "last: AS Asia 3, EU Europe 1
first: EU Europe 1, Unknown 3" ]
