#!/usr/bin/env bash
# Tool: journalctl and systemd-journal-remote, systemd 252 (Debian bookworm), fetched with apt-get download; version checked.
# Behaviour: --since and --until choose by the time of receipt (__REALTIME_TIMESTAMP), but the short, verbose and
#   short-unix forms print the sender's time (_SOURCE_REALTIME_TIMESTAMP) when the entry has one. An entry that
#   was delivered late is printed with a time before --since, and -o json has both, the receipt under the key that
#   most readers take. The two forms of one entry thus differ by the whole delay.
# Output seen: with --since "2026-11-25 10:00:00": `2026-11-25T09:10:30.000000+0000 web1 app[77]: login from 198.51.100.7`
# Why one guesses wrong: the printed time is taken for the one that was searched, and __REALTIME_TIMESTAMP for the
#   machine form of what the text form shows.
set -euo pipefail
export LC_ALL=C TZ=UTC
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
chmod 755 "$dir"
(cd "$dir" && apt-get download systemd libsystemd-shared libsystemd0 systemd-journal-remote libmicrohttpd12 libfdisk1 libkmod2 libip4tc2 libapparmor1 libseccomp2 > /dev/null 2>&1
 for d in *.deb; do dpkg-deb -x "$d" tree; done)
case $(dpkg-deb -f "$dir"/systemd_*.deb Version) in 252.*) ;; *) echo "another systemd"; exit 1;; esac
LD_LIBRARY_PATH=$(find "$dir/tree" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
export LD_LIBRARY_PATH
us=$(( $(date -d '2026-11-25 10:15:30 UTC' +%s) * 1000000 ))
{ printf '__REALTIME_TIMESTAMP=%s\n__MONOTONIC_TIMESTAMP=90000000\n_BOOT_ID=5f0c2a7e94b84d0d8c61e1b7a3c2d4e5\n' "$us"
  printf '_MACHINE_ID=1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f\n_HOSTNAME=web1\nSYSLOG_IDENTIFIER=app\n_PID=77\nPRIORITY=6\n'
  printf '_SOURCE_REALTIME_TIMESTAMP=%s\nMESSAGE=login from 198.51.100.7\n\n' "$((us - 3900000000))"; } > "$dir/in"
"$(find "$dir/tree" -name systemd-journal-remote -type f -perm -1)" -o "$dir/j.journal" - < "$dir/in" > /dev/null 2>&1
jc="$dir/tree/bin/journalctl"; [ -x "$jc" ] || jc="$dir/tree/usr/bin/journalctl"
"$jc" --file "$dir/j.journal" --no-pager -q -o short-iso-precise --since '2026-11-25 10:00:00' | tee "$dir/short"
"$jc" --file "$dir/j.journal" --no-pager -q -o json --since '2026-11-25 10:00:00' | tee "$dir/json"
grep -q '^2026-11-25T09:10:30.000000+0000 web1 app\[77\]: login from 198.51.100.7' "$dir/short"
grep -q "\"__REALTIME_TIMESTAMP\":\"$us\"" "$dir/json"
[ -z "$("$jc" --file "$dir/j.journal" --no-pager -q -o short --until '2026-11-25 09:30:00')" ]
echo "seen: a line of 09:10 answers --since 10:00, and is not found by --until 09:30"
