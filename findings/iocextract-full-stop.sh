#!/usr/bin/env bash
# Tool: iocextract 1.16.1 (PyPI), extracts indicators from reports and mails.
# Behaviour: an IPv4 address at the end of a sentence is lost, because a full
#   stop behind it rules it out; a comma, a bracket or the end of the text does
#   not. The same rule makes it slide to the right in longer dotted numbers: of
#   an OID it reports the last four parts as an address. And a clock with a
#   blank on each side is reported as IPv6.
# Output seen: "Blocked 198.51.100.30." gives nothing, "Blocked 198.51.100.30"
#   gives the address, "OID 1.3.6.1.4.1" gives 6.1.4.1, and
#   "at 10:15:30 from" gives 10:15:30 as IPv6.
# Why a good engineer guesses wrong: the tool is made for prose, where addresses
#   stand before full stops every day, and it accepts far stranger spellings
#   (198[.51[.100[.9). A test with lists or log rows never shows the loss.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check iocextract==1.16.1 requests==2.32.3 regex==2024.11.6
timeout 120 "$dir/venv/bin/python" - <<'PY'
import iocextract


def v4(text):
    return list(iocextract.extract_ipv4s(text, refang=True))


for text in ("Blocked 198.51.100.30", "Blocked 198.51.100.30, again", "seen 198[.51[.100[.30 twice"):
    print(repr(text), v4(text))
    assert v4(text) == ["198.51.100.30"], text
for text in ("Blocked 198.51.100.30.", "Blocked 198.51.100.30. Closed.", "seen 198[.]51[.]100[.]30."):
    print(repr(text), v4(text))
    assert v4(text) == [], text
print(v4("OID 1.3.6.1.4.1"))
assert v4("OID 1.3.6.1.4.1") == ["6.1.4.1"]
clock = list(iocextract.extract_ipv6s("refused at 10:15:30 from web1"))
print(clock)
assert clock == ["10:15:30"]
PY
