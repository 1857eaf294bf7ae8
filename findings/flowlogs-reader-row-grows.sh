#!/usr/bin/env bash
# Tool: flowlogs-reader 5.0.1 (PyPI), reads AWS VPC flow log rows.
# Behaviour: `FlowRecord.to_message()`, the way back from a record to its row,
#   does not give the row that was read. A row of the default form (version 2,
#   14 fields) comes back with 47 fields: a dash for each field of all later
#   forms, while the first field still says version 2. Its `start` and `end`
#   are times without a zone, though the row counts seconds in UTC.
# Output seen: 14 fields in, 47 out, ending in `REJECT OK - - - - …`; the time
#   has tzinfo None.
# Why a good engineer guesses wrong: reading, filtering and writing again seems
#   safe, and the first 14 fields are right. A reader that goes by the number of
#   fields or by a head of 14 names takes the result for another form; and
#   calling timestamp() on the times gives another moment on a machine that is
#   not set to UTC.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check flowlogs-reader==5.0.1
TZ=Europe/Berlin timeout 120 "$dir/venv/bin/python" - <<'PY'
from flowlogs_reader import FlowRecord

row = "2 212555012345 eni-0a1b 198.51.100.7 10.0.5.20 51234 22 6 20 4249 1795601730 1795601790 REJECT OK"
record = FlowRecord.from_cwl_event({"message": row})
back = record.to_message()
print(len(row.split()), len(back.split()), back)
assert back.split()[:14] == row.split()
assert len(back.split()) > 14 and set(back.split()[14:]) == {"-"}
print(record.start, record.start.tzinfo, int(record.start.timestamp()))
assert record.start.tzinfo is None
assert int(record.start.timestamp()) == 1795601730 - 3600
PY
