#!/usr/bin/env bash
# Tool: last and utmpdump of Debian's util-linux 2.38.1 (bookworm); the version is checked below.
# Behaviour: last cuts the remote address to 16 signs, with -i as well, and sets no mark. When the cut falls after a
#   whole group, what is left is another valid IPv6 address: 2001:db8:77::bad:cafe is printed as 2001:db8:77::bad,
#   and a login from 2001:db8:77::bad:f00d looks like one from the very same host.
# Output seen: `alice    pts/0        2001:db8:77::bad Wed Nov 25 08:15:30 2026 ...` for two different peers.
# Why one guesses wrong: -i says that it prints the address as numbers, the record itself holds all 16 bytes, and
#   a cut IPv6 is expected to be visibly broken. Only -w (full names) shows it whole.
set -euo pipefail
export LC_ALL=C TZ=UTC
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
case $(dpkg-query -W -f '${Version}' util-linux) in 2.38.1-*) ;; *) echo "another util-linux"; exit 1;; esac
row() { printf '[7] [%05d] [ts/%d] [%-8s] [%-12s] [%-20s] [%-15s] [2026-11-25T08:15:3%d,000000+00:00]\n' "$((4000 + $1))" "$1" alice "pts/$1" "$2" "$2" "$1"; }
{ row 0 2001:db8:77::bad:cafe; row 1 2001:db8:77::bad:f00d; } | utmpdump -r > "$dir/wtmp" 2> /dev/null
last -F -i -f "$dir/wtmp" | tee "$dir/cut"
last -F -i -w -f "$dir/wtmp" > "$dir/whole"
[ "$(grep -c '2001:db8:77::bad ' "$dir/cut")" -eq 2 ]
if grep -Eq 'cafe|f00d' "$dir/cut"; then exit 1; fi
grep -q '2001:db8:77::bad:cafe ' "$dir/whole"
grep -q '2001:db8:77::bad:f00d ' "$dir/whole"
echo "seen: two peers, one valid and wrong address"
