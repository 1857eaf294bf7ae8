#!/usr/bin/env bash
# mmdb-lib 3.0.3 from npm, which the package maxmind is built on.
#
# Behaviour: a field of the type uint64 is a BigInt, however small its value is; one of the type uint32 is a number. So JSON.stringify
# throws on the whole record, and `record.count === 7` is false.
#
# Seen:
#     uint32 7: number {"count":7}
#     uint64 7: bigint TypeError: Do not know how to serialize a BigInt
#
# Why a good engineer guesses wrong: the value is what the format is about, and integers are stored without their leading zero bytes, so
# the bytes of both are the same but for the type. Readers in Python, Rust and C give the same number for both, and a record that was just
# read is expected to be JSON: uint64 for every count, "to be safe", breaks each program that logs the record. So write the narrowest type
# that holds the value.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
npm install --silent --no-audit --no-fund --prefix "$folder" mmdb-lib@3.0.3 >/dev/null
cat >"$folder/read.js" <<'JAVASCRIPT'
const { Reader } = require("mmdb-lib");
const text = (string) => [2 << 5 | string.length, ...Buffer.from(string)];
// A database of one node: the lower half of all addresses has the record {"count": 7}.
const database = (seven) => Buffer.from([
    0, 0, 17, 0, 0, 1, ...Array(16).fill(0),
    7 << 5 | 1, ...text("count"), ...seven,
    0xab, 0xcd, 0xef, ...Buffer.from("MaxMind.com"), 7 << 5 | 9,
    ...text("node_count"), 6 << 5 | 1, 1,
    ...text("record_size"), 5 << 5 | 1, 24,
    ...text("ip_version"), 5 << 5 | 1, 6,
    ...text("database_type"), ...text("proof"),
    ...text("binary_format_major_version"), 5 << 5 | 1, 2,
    ...text("binary_format_minor_version"), 5 << 5,
    ...text("build_epoch"), 4, 2, 0x6a, 0xff, 0x8b, 0xf0,
    ...text("languages"), 1, 4, ...text("en"),
    ...text("description"), 7 << 5 | 1, ...text("en"), ...text("proof"),
]);
for (const [type, seven] of [["uint32", [6 << 5 | 1, 7]], ["uint64", [1, 2, 7]]]) {
    const record = new Reader(database(seven)).get("198.51.100.77");
    let json;
    try {
        json = JSON.stringify(record);
    } catch (error) {
        json = String(error);
    }
    console.log(`${type} 7: ${typeof record.count} ${json}`);
}
JAVASCRIPT
is=$(cd "$folder" && node read.js)
echo "$is"
[ "$is" = 'uint32 7: number {"count":7}
uint64 7: bigint TypeError: Do not know how to serialize a BigInt' ]
