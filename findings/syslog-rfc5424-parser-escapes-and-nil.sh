#!/usr/bin/env bash
# Tool: syslog-rfc5424-parser 0.3.2 (PyPI).
# Behaviour: two things within one parsed row.
#   1. Values of structured data keep the backslashes that RFC 5424 puts before
#      a quote, a bracket and a backslash: k="a\"b\]c\\d" is returned with
#      all its backslashes still in it.
#   2. The absent value `-` comes back in three shapes within one dictionary:
#      process id and message id are None, host and program are the text "-",
#      and the timestamp is a token object of the grammar library.
# Output seen: {'k': 'a\\"b\\]c\\\\d'} and {'timestamp': Token(NILVALUE, '-'),
#   'hostname': '-', 'appname': '-', 'procid': None, 'msgid': None}
# Why a good engineer guesses wrong: the parser is built on a grammar and rejects
#   malformed rows, so one trusts it to unescape too, and one test for None on
#   any absent field seems to settle all; a host named "-" then joins all rows
#   without a host.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check syslog-rfc5424-parser==0.3.2
timeout 120 "$dir/venv/bin/python" - <<'PY'
from syslog_rfc5424_parser import SyslogMessage

row = '<14>1 2026-11-25T10:15:30Z srx1 app - - [e@32473 k="a\\"b\\]c\\\\d"] refused 198.51.100.7'
value = SyslogMessage.parse(row).sd["e@32473"]["k"]
print(value)
assert value == 'a\\"b\\]c\\\\d' and value != 'a"b]c\\d'

nil = SyslogMessage.parse("<14>1 - - - - - - refused 198.51.100.7").as_dict()
print(nil)
assert nil["procid"] is None and nil["msgid"] is None
assert nil["hostname"] == "-" and nil["appname"] == "-"
assert nil["timestamp"] is not None and type(nil["timestamp"]) is not str
PY
