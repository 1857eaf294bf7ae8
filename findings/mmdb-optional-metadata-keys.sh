#!/usr/bin/env bash
# maxminddb 3.2.0 from pip (its C extension with libmaxminddb, and its reader in Python), mmdb-lib 3.0.3 from npm.
#
# Behaviour: a database without `description` or `languages` in its metadata is refused by libmaxminddb, and so by all that is built on it.
# The reader in Python refuses it too, with a TypeError instead of its own InvalidDatabaseError. mmdb-lib reads it.
#
# Seen, the same without either key:
#     C extension: InvalidDatabaseError: Error opening database file (…). Is this a valid MaxMind DB file?
#     Python:      TypeError: Metadata.__init__() missing 1 required keyword-only argument: 'languages'
#     mmdb-lib:    {"tag":"ACME_VPN"}
#
# Why a good engineer guesses wrong: the MaxMind DB format 2.0 says of both, "This is an optional key" and "This key is optional". A writer
# that leaves them out keeps to the format, passes its own tests and those of readers in Rust or JavaScript, and makes files that no
# program in C opens. So write both, and require neither.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check maxminddb==3.2.0
npm install --silent --no-audit --no-fund --prefix "$folder" mmdb-lib@3.0.3 >/dev/null
cat >"$folder/make.py" <<'PYTHON'
import sys


def text(string):
    return bytes([2 << 5 | len(string)]) + string.encode()


# One node: the lower half of all addresses has the record, the upper half has none.
tree = bytes([0, 0, 17, 0, 0, 1])
record = bytes([7 << 5 | 1]) + text("tag") + text("ACME_VPN")
metadata = {
    "node_count": bytes([6 << 5 | 1, 1]),
    "record_size": bytes([5 << 5 | 1, 24]),
    "ip_version": bytes([5 << 5 | 1, 6]),
    "database_type": text("proof"),
    "binary_format_major_version": bytes([5 << 5 | 1, 2]),
    "binary_format_minor_version": bytes([5 << 5]),
    "build_epoch": bytes([4, 2]) + (1_795_143_600).to_bytes(4, "big"),
    "languages": bytes([1, 4]) + text("en"),
    "description": bytes([7 << 5 | 1]) + text("en") + text("proof"),
}
metadata.pop(sys.argv[2], None)
with open(sys.argv[1], "wb") as file:
    file.write(tree + bytes(16) + record + b"\xab\xcd\xefMaxMind.com" + bytes([7 << 5 | len(metadata)]))
    for name, value in metadata.items():
        file.write(text(name) + value)
PYTHON
cat >"$folder/read.py" <<'PYTHON'
import sys

import maxminddb

mode = {"c": maxminddb.MODE_MMAP_EXT, "python": maxminddb.MODE_MEMORY}[sys.argv[2]]
try:
    print(maxminddb.open_database(sys.argv[1], mode).get("198.51.100.77")["tag"])
except Exception as error:
    print(type(error).__name__)
PYTHON
cat >"$folder/read.js" <<'JAVASCRIPT'
const { Reader } = require("mmdb-lib");
console.log(new Reader(require("fs").readFileSync(process.argv[2])).get("198.51.100.77").tag);
JAVASCRIPT
found() {
    "$folder/python/bin/python" "$folder/make.py" "$folder/file.mmdb" "$1"
    echo "$("$folder/python/bin/python" "$folder/read.py" "$folder/file.mmdb" c)" \
        "$("$folder/python/bin/python" "$folder/read.py" "$folder/file.mmdb" python)" \
        "$(node "$folder/read.js" "$folder/file.mmdb")"
}
changed=0
for case in "none=ACME_VPN ACME_VPN ACME_VPN" "languages=InvalidDatabaseError TypeError ACME_VPN" \
    "description=InvalidDatabaseError TypeError ACME_VPN"; do
    is=$(found "${case%%=*}")
    echo "without ${case%%=*}: $is"
    [ "$is" = "${case#*=}" ] || changed=1
done
exit "$changed"
