#!/usr/bin/env bash
# lua-mmdb 0.1 (Debian 12: lua-mmdb 0.1-1.1, lua5.3 5.3.6-2), with files of mmdb_writer 0.2.7 from PyPI; maxminddb 3.2.0 beside it.
#
# Behaviour: search_ipv4 begins at ::ffff:0:0/96, the mapped addresses. Other readers begin at ::/96, where the format puts IPv4, and need
# no alias. A file without aliases, as mmdb_writer makes it, therefore has no record for any IPv4 address: the answer is nil, without an error.
#
# Seen, 198.51.100.7 and then 2001:db8::7 in a file with a record for 198.51.100.0/24 and for 2001:db8::/32:
#     maxminddb: {'country': 'NL'} {'country': 'NL'}
#     lua-mmdb:  nil NL
#
# Why a good engineer guesses wrong: the format's text calls the mapped network an alias that a writer may add, so a writer may leave it out
# and all readers in C, Python, Go, Perl and Ruby still find IPv4. MaxMind's own files have the alias, so lua-mmdb works with
# these; and a wrong nil looks like "not in the database". A writer that wants to be read by all adds the alias ::ffff:0:0/96.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q lua-mmdb=0.1-1.1 lua5.3=5.3.6-2 >/dev/null 2>&1
for package in ./*.deb; do dpkg -x "$package" debian; done
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check mmdb_writer==0.2.7 maxminddb==3.2.0
cat >make.py <<'PYTHON'
import maxminddb
from mmdb_writer import MMDBWriter
from netaddr import IPSet

writer = MMDBWriter(6, "proof", languages=["en"], description="proof", ipv4_compatible=True)
writer.insert_network(IPSet(["198.51.100.0/24", "2001:db8::/32"]), {"country": "NL"})
writer.to_db_file("file.mmdb")
with maxminddb.open_database("file.mmdb") as reader:
    print(reader.get("198.51.100.7"), reader.get("2001:db8::7"))
PYTHON
cat >read.lua <<'LUA'
local db = require("mmdb").open("file.mmdb")
local v4, v6 = db:search_ipv4("198.51.100.7"), db:search_ipv6("2001:db8::7")
print(tostring(v4 and v4.country) .. " " .. tostring(v6 and v6.country))
LUA
is=$(python/bin/python make.py && LUA_PATH="$folder/debian/usr/share/lua/5.3/?/init.lua" debian/usr/bin/lua5.3 read.lua)
echo "$is"
[ "$is" = "{'country': 'NL'} {'country': 'NL'}
nil NL" ]
