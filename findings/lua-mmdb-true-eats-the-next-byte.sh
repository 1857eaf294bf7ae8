#!/usr/bin/env bash
# lua-mmdb 0.1 (Debian 12: lua-mmdb 0.1-1.1, lua5.3 5.3.6-2).
#
# Behaviour: after a boolean that is true, one byte too many is taken as read, so all that follows it in the record is read from the wrong
# place. As the last value of a record, or as false, a boolean is read rightly. Mostly the reader raises an error of some other type
# ("double of non-8 length"), but where the bytes happen to be strings again the record comes back with other keys and other values.
#
# Seen, for the records {"ASN": "64500 Example", "vpn": true}, {"vpn": true, "ASN": "64500 Example"} and {"vpn": false, "ASN": "64500 Example"}:
#     true last:   ASN=64500 Example vpn=true
#     true first:  S=M64500 Example vpn=true
#     false first: ASN=64500 Example vpn=false
#
# Why a good engineer guesses wrong: in the control byte of every other scalar the lower five bits say how many bytes follow; in that of a
# boolean they are the value, and nothing follows. A reader that adds "the size" to its place is right for every false, for every
# boolean that a writer stores once and points to (as mmdb_writer from PyPI does), and in a test whose record ends with the flag. So a test
# of a reader needs a true, in line, with a field behind it.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get download -q lua-mmdb=0.1-1.1 lua5.3=5.3.6-2 >/dev/null 2>&1
for package in ./*.deb; do dpkg -x "$package" debian; done
cat >make.py <<'PYTHON'
import sys


def text(string):
    return bytes([2 << 5 | len(string)]) + string.encode()


# One node: the lower half of all addresses has the record, the upper half has none.
flag = {"true": b"\x01\x07", "false": b"\x00\x07"}
asn = text("ASN") + text("64500 Example")
fields = {"last": asn + text("vpn") + flag["true"], "first": text("vpn") + flag["true"] + asn, "false": text("vpn") + flag["false"] + asn}
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
for name, record in fields.items():
    with open(name + ".mmdb", "wb") as file:
        file.write(bytes([0, 0, 17, 0, 0, 1]) + bytes(16) + bytes([7 << 5 | 2]) + record)
        file.write(b"\xab\xcd\xefMaxMind.com" + bytes([7 << 5 | len(metadata)]))
        for key, value in metadata.items():
            file.write(text(key) + value)
PYTHON
python3 make.py
cat >read.lua <<'LUA'
local record = require("mmdb").open(arg[1]):search_ipv6("2001:db8::7")
local fields = {}
for key, value in pairs(record) do fields[#fields + 1] = key .. "=" .. tostring(value) end
table.sort(fields)
print(table.concat(fields, " "))
LUA
is=$(for file in last first false; do
    LUA_PATH="$folder/debian/usr/share/lua/5.3/?/init.lua" debian/usr/bin/lua5.3 read.lua "$file.mmdb"
done)
echo "$is"
[ "$is" = 'ASN=64500 Example vpn=true
S=M64500 Example vpn=true
ASN=64500 Example vpn=false' ]
