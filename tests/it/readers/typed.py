"""Reads one address of an MMDB file by types: [file, address] on standard input, what was found on standard output."""

import json
import sys

import geoip2.database

file, address = json.load(sys.stdin)
reader = geoip2.database.Reader(file)
city, system, flags = reader.city(address), reader.asn(address), reader.anonymous_ip(address)
found = {
    "country": reader.country(address).country.iso_code,
    "named": city.country.name,
    "continent": city.continent.code,
    "city": city.city.name,
    "subdivision": city.subdivisions.most_specific.name,
    "number": system.autonomous_system_number,
    "organization": system.autonomous_system_organization,
    "anonymous": flags.is_anonymous,
    "vpn": flags.is_anonymous_vpn,
    "hosting": flags.is_hosting_provider,
    "residential": flags.is_residential_proxy,
}
json.dump(found, sys.stdout)
