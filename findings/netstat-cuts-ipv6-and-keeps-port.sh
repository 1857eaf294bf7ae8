#!/usr/bin/env bash
# Tool: netstat of Debian's net-tools 2.10 (bookworm), fetched with apt-get download and unpacked; version checked.
# Behaviour: without -W netstat makes room for the port by cutting the end off an IPv6 address and then glues the
#   port to what is left. The cell still parses: the peer 2001:db8:77::beef:1 on port 40000 is printed as
#   2001:db8:77::beef:40000 (address 2001:db8:77::beef, wrong), with no mark for the cut.
# Output seen: `tcp6  0  0 2001:db8:77::beef:40000 2001:db8:77::beef:40000 ...` and, with -W, the address whole.
# Why one guesses wrong: the port is whole, so the cell looks whole; one expects the cut at the right margin,
#   where it would hit the port, or three dots.
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
(cd "$dir" && apt-get download net-tools > /dev/null 2>&1 && dpkg-deb -x net-tools_*.deb tree)
case $(dpkg-deb -f "$dir"/net-tools_*.deb Version) in 2.10-*) ;; *) echo "another net-tools"; exit 1;; esac
cat > "$dir/hold.py" <<'PY'
import socket, subprocess, sys
a, tool = "2001:db8:77::beef:1", sys.argv[1]
l = socket.socket(socket.AF_INET6); l.bind((a, 40000)); l.listen(1)
for flags in ("-tna", "-tnaW"):
    print(flags); print(subprocess.run([tool, flags], capture_output=True, text=True, timeout=10).stdout)
PY
cat > "$dir/in.sh" <<'SH'
ip link set lo up
ip -6 addr add 2001:db8:77::beef:1/128 dev lo nodad
timeout 20 python3 "$1/hold.py" "$1/tree/bin/netstat"
SH
timeout 30 unshare -n bash "$dir/in.sh" "$dir" | tee "$dir/out"
sed -n '/^-tna$/,/^-tnaW$/p' "$dir/out" > "$dir/cut"
grep -q '2001:db8:77::beef:40000' "$dir/cut"
if grep -q 'beef:1:40000' "$dir/cut"; then exit 1; fi
sed -n '/^-tnaW$/,$p' "$dir/out" | grep -q '2001:db8:77::beef:1:40000'
echo "seen: the address lost its last group, the port is whole"
