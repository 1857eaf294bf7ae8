#!/usr/bin/env bash
# Tool: iprange 1.0.4 of Debian (bookworm, 1.0.4+ds-2), fetched with apt-get download and unpacked; version checked.
# Behaviour: a network written by its leading parts is read as inet_aton reads an address, the last part as all bits that are left:
#   198.51.100/24 is 198.51.0.100/24 and becomes 198.51.0.0/24, in silence. A line of IPv6 is taken for a name up to its first colon: 2001 is
#   the number of an IPv4 address, so 2001:db8::/32 becomes 0.0.7.209, with a note about "text after hostname" on standard error.
#   Both end with 0 and are counted.
# Output seen: `198.51.0.0/24`, and `0.0.7.209` with "Ignoring text after hostname '2001' on line 1".
# Why one guesses wrong: routers, pf and many lists write 198.51.100/24 for 198.51.100.0/24, and a tool that aggregates networks is
#   expected to read it so or to refuse it; that it has no IPv6 suggests an error, not an entry.
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
(cd "$dir" && apt-get download iprange > /dev/null 2>&1 && dpkg-deb -x iprange_*.deb tree)
case $(dpkg-deb -f "$dir"/iprange_*.deb Version) in 1.0.4*) ;; *) echo "another iprange"; exit 1;; esac
iprange=$dir/tree/usr/bin/iprange
printf '198.51.100/24\n' | "$iprange" > "$dir/short" 2> "$dir/said"
cat "$dir/short"
[ "$(cat "$dir/short")" = 198.51.0.0/24 ]
[ ! -s "$dir/said" ]
printf '2001:db8::/32\n' | "$iprange" > "$dir/six" 2> "$dir/said"
cat "$dir/six" "$dir/said"
[ "$(cat "$dir/six")" = 0.0.7.209 ]
grep -q "Ignoring text after hostname '2001' on line 1" "$dir/said"
printf '198.51.100.0/24\n' | "$iprange" | grep -qx 198.51.100.0/24
echo "seen: another network and an IPv4 address of IPv6, both with exit code 0"
