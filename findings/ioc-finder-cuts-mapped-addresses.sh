#!/usr/bin/env bash
# Tool: ioc-finder 9.4.1 (PyPI), finds addresses and other indicators in text.
# Behaviour: from an IPv6 address that ends in dotted IPv4 form it reports an
#   IPv6 address that was never written: `::ffff:198.51.100.20` gives
#   `::ffff:198`, the NAT64 form `64:ff9b::198.51.100.20` gives `64:ff9b::198`.
#   The decimal 198 has become the hexadecimal group 0198. The IPv4 tail is
#   reported beside it.
# Output seen: {'ipv4s': ['198.51.100.20'], 'ipv6s': ['::ffff:198']}
# Why a good engineer guesses wrong: one expects the mapped address, or its IPv4
#   part, or nothing. The result here is a valid address, so checks with an
#   address library pass, and every dual-stack server that logs mapped peers
#   fills the list with addresses of nobody.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
python3 -m venv "$dir/venv"
"$dir/venv/bin/pip" install --quiet --disable-pip-version-check ioc-finder==9.4.1 pyparsing==3.3.3
timeout 120 "$dir/venv/bin/python" - <<'PY'
import ipaddress
from ioc_finder import find_iocs

wrong = {
    "peer ::ffff:198.51.100.20 closed": "::ffff:198",
    "via 64:ff9b::198.51.100.20": "64:ff9b::198",
}
for text, invented in wrong.items():
    found = find_iocs(text)["ipv6s"]
    print(text, "->", found)
    assert found == [invented], found
    ipaddress.ip_address(invented)  # well-formed all the same
assert find_iocs("peer ::ffff:c633:6414 closed")["ipv6s"] == ["::ffff:c633:6414"]
PY
