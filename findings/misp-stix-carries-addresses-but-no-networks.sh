#!/usr/bin/env bash
# misp-stix 2026.10.12 and stix2-matcher 3.0.0 (PyPI).
#
# Behaviour: an address crosses between MISP and STIX in both directions, a network in neither. Into MISP, a pattern with ISSUBSET becomes an
# object stix2-pattern that holds it as text, and no attribute ip-dst. Out of MISP, an attribute ip-dst with a length becomes a pattern
# with `=`, which is true of the network as a value of its own, and of no address within. Both end without an error or a warning.
#
# Seen:
#     [ipv4-addr:value = '198.51.100.200'] -> ip-dst 198.51.100.200
#     [ipv4-addr:value ISSUBSET '198.51.100.0/25'] -> stix2-pattern
#     [ipv6-addr:value ISSUBSET '2001:db8::/33'] -> stix2-pattern
#     ip-dst 198.51.100.0/25 -> [network-traffic:dst_ref.type = 'ipv4-addr' AND network-traffic:dst_ref.value = '198.51.100.0/25']
#     traffic to 198.51.100.7: not matched by it; matched with ISSUBSET in place of its last `=`
#
# Why a good engineer guesses wrong: the library is MISP's own, both sides have networks (ip-dst takes a length, ISSUBSET is made for one),
# and the addresses of the same list arrive as attributes. The number of entries is right on the other side, too, so only who looks at
# their types, or asks for an address within, sees the difference. A list for MISP is therefore best written as a MISP event, and one
# for STIX as STIX, not one of them by way of the other.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check misp-stix==2026.10.12 pymisp==2.5.34.4 stix2==3.0.2 \
    stix2-matcher==3.0.0 stix2-patterns==2.1.2
cat >"$folder/cross.py" <<'PYTHON'
import json

import stix2
from misp_stix_converter import ExternalSTIX2toMISPParser, MISPtoSTIX21Parser
from pymisp import MISPEvent, MISPOrganisation
from stix2matcher.matcher import match

when = "2026-11-27T00:00:00Z"


def silent(parser):
    assert not any(parser.errors.values()) and not any(parser.warnings.values()), (parser.errors, parser.warnings)


for pattern in (
    "[ipv4-addr:value = '198.51.100.200']",
    "[ipv4-addr:value ISSUBSET '198.51.100.0/25']",
    "[ipv6-addr:value ISSUBSET '2001:db8::/33']",
):
    parser = ExternalSTIX2toMISPParser()
    parser.load_stix_bundle(stix2.Bundle(stix2.Indicator(name="listed", pattern=pattern, pattern_type="stix", valid_from=when)))
    parser.parse_stix_bundle()
    silent(parser)
    event = parser.misp_event
    print(pattern, "->", *(f"{one.type} {one.value}" for one in event.attributes), *(one.name for one in event.objects))

event = MISPEvent()
event.info = "list"
event.orgc = MISPOrganisation()
event.orgc.from_dict(name="proof", uuid="2b7b2b26-b37c-534b-9817-d77032bf471f")
event.add_attribute("ip-dst", "198.51.100.0/25", to_ids=True)
parser = MISPtoSTIX21Parser()
parser.parse_misp_event(event)
silent(parser)
(pattern,) = (one.pattern for one in parser.bundle.objects if one.type == "indicator")
print("ip-dst 198.51.100.0/25 ->", pattern)

address = stix2.IPv4Address(value="198.51.100.7")
traffic = stix2.NetworkTraffic(protocols=["tcp"], dst_ref=address)
seen = stix2.ObservedData(first_observed=when, last_observed=when, number_observed=1, object_refs=[address, traffic])
bundle = json.loads(stix2.Bundle(seen, address, traffic).serialize())
for form in (pattern, pattern.replace("value =", "value ISSUBSET")):
    print("traffic to 198.51.100.7:", "matched" if match(form, [bundle], stix_version="2.1") else "not matched")
PYTHON
is=$("$folder/python/bin/python" "$folder/cross.py")
echo "$is"
[ "$is" = "[ipv4-addr:value = '198.51.100.200'] -> ip-dst 198.51.100.200
[ipv4-addr:value ISSUBSET '198.51.100.0/25'] -> stix2-pattern
[ipv6-addr:value ISSUBSET '2001:db8::/33'] -> stix2-pattern
ip-dst 198.51.100.0/25 -> [network-traffic:dst_ref.type = 'ipv4-addr' AND network-traffic:dst_ref.value = '198.51.100.0/25']
traffic to 198.51.100.7: not matched
traffic to 198.51.100.7: matched" ]
