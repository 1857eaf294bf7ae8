#!/usr/bin/env bash
# maxmind 5.0.7 from npm, with its default options; the file by mmdb_writer 0.2.7 from PyPI; maxminddb 3.2.0 from PyPI beside it.
#
# Behaviour: get() gives every address of a record the very same object, and networks with equal records share one as well. A field that a
# program adds to the answer for one address is in the answers for all others, those asked before and those asked later. Parts are shared,
# too: what is changed in the country of one record is changed in every record whose country the file stores once and points to.
#
# Seen, three addresses from two networks with equal records, each answer given its address as `ip` and kept; then a name that is
# changed in an answer for one operator, and read in one for another:
#     maxmind:   203.0.113.9 203.0.113.9 203.0.113.9, Niederlande
#     maxminddb: 198.51.100.7 198.51.100.8 203.0.113.9, The Netherlands
#
# Why a good engineer guesses wrong: a lookup is expected to answer with a value of its own, as the reader in Python does, and
# "cache" in the options is taken for blocks of the file or for answers by address. Here it holds decoded values by their place in the
# file, and hands them out uncopied. `{...record, ip}` is safe on the first level; an answer that is to be changed deeper needs
# structuredClone. A test with one address per record never shows it, and 10,000 values stay in the cache.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --prefix "$folder" maxmind@5.0.7 >/dev/null
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check mmdb_writer==0.2.7 maxminddb==3.2.0
cat >make.py <<'PYTHON'
import maxminddb
from mmdb_writer import MMDBWriter
from netaddr import IPSet


def record(operator):
    return {"operator": operator, "country": {"iso_code": "NL", "name": "The Netherlands"}}


writer = MMDBWriter(6, "proof", languages=["en"], description="proof", ipv4_compatible=True)
writer.insert_network(IPSet(["198.51.100.0/24"]), record("ACME_VPN"))
writer.insert_network(IPSet(["203.0.113.0/24"]), record("ACME_VPN"))
writer.insert_network(IPSet(["192.0.2.0/24"]), record("EXAMPLE_VPN"))
writer.to_db_file("file.mmdb")
rows = []
with maxminddb.open_database("file.mmdb") as reader:
    for address in ("198.51.100.7", "198.51.100.8", "203.0.113.9"):
        row = reader.get(address)
        row["ip"] = address
        rows.append(row)
    reader.get("198.51.100.7")["country"]["name"] = "Niederlande"
    print("maxminddb:", *(row["ip"] for row in rows), end="")
    print(",", reader.get("192.0.2.1")["country"]["name"])
PYTHON
cat >read.js <<'JAVASCRIPT'
require("maxmind").open("file.mmdb").then((reader) => {
    const rows = [];
    for (const address of ["198.51.100.7", "198.51.100.8", "203.0.113.9"]) {
        const row = reader.get(address);
        row.ip = address;
        rows.push(row);
    }
    reader.get("198.51.100.7").country.name = "Niederlande";
    console.log(`maxmind: ${rows.map((row) => row.ip).join(" ")}, ${reader.get("192.0.2.1").country.name}`);
});
JAVASCRIPT
is=$(python/bin/python make.py && node read.js)
echo "$is"
[ "$is" = "maxminddb: 198.51.100.7 198.51.100.8 203.0.113.9, The Netherlands
maxmind: 203.0.113.9 203.0.113.9 203.0.113.9, Niederlande" ]
