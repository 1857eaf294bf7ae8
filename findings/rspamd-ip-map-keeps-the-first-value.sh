#!/usr/bin/env bash
# Tool: rspamd 3.4 of Debian (bookworm), fetched with apt-get download and unpacked; version checked. It listens on a Unix socket only.
# Behaviour: where a network is twice in a map of addresses (type "radix"), its first value stays. Where a key is twice in a map of texts
#   (type "map"), its last value stays. The line in the log is the same for both: "duplicate ... entry found ... (old value: 'first', new: 'second')".
#   A map of addresses is one tree of IPv6 with IPv4 within as ::ffff:0:0/96, so the value of ::/0 is also that of all IPv4.
# Output seen, for 192.0.2.9 with the values first and second in both maps: `radix 192.0.2.9 first`, `map 192.0.2.9 second`; for
#   198.51.100.0/24 with a and then 198.51.100.77/24 with b: `radix 198.51.100.7 a`; for a map of ::/0 alone: `all 203.0.113.5 six`.
# Why one guesses wrong: "old value" and "new" read as a replacement, and for the other type of map they are one. So a correction that is
#   appended to a file of addresses has no effect, and a file that is moved from one type to the other changes its answers. Networks of IPv4
#   and IPv6 stand in one file, each in its own notation, and 0.0.0.0/0 is IPv4 only; a value meant for the rest of IPv6 ends up on IPv4.
set -euo pipefail
export LC_ALL=C
dir=$(mktemp -d); pid=
trap 'if [ -n "$pid" ]; then kill "$pid" 2> /dev/null || true; wait "$pid" 2> /dev/null || true; fi; rm -rf "$dir"' EXIT
chmod 755 "$dir"
(cd "$dir" && apt-get download rspamd libhyperscan5 libluajit-5.1-2 libglib2.0-0 libicu72 libpcre2-8-0 libsodium23 libsqlite3-0 libssl3 libunwind8 > /dev/null 2>&1
 for deb in *.deb; do dpkg-deb -x "$deb" tree; done)
case $(dpkg-deb -f "$dir"/rspamd_*.deb Version) in 3.4-*) ;; *) echo "another rspamd"; exit 1;; esac
libs=$(find "$dir/tree" -name '*.so*' -printf '%h\n' | sort -u | paste -sd:)
mkdir "$dir/run"; chmod 777 "$dir/run"
printf '192.0.2.9 first\n192.0.2.9 second\n198.51.100.0/24 a\n198.51.100.77/24 b\n0.0.0.0/0 four\n' > "$dir/radix.map"
printf '192.0.2.9 first\n192.0.2.9 second\n' > "$dir/map.map"
printf '::/0 six\n' > "$dir/all.map"
printf 'com\norg\n' > "$dir/suffixes"
cat > "$dir/rspamd.conf" <<CONF
options { filters = ""; pidfile = "$dir/run/pid"; url_tld = "$dir/suffixes"; hs_cache_dir = "$dir/run"; tempdir = "$dir/run"; dns { nameserver = ["127.0.0.1"]; } }
logging { type = "console"; level = "info"; }
actions { reject = 15; }
group "x" { symbols { X { score = 1; } } }
lua = "$dir/ask.lua";
worker "controller" { bind_socket = "$dir/run/controller mode=0600"; count = 1; }
worker "normal" { bind_socket = "$dir/run/normal mode=0600"; count = 1; }
CONF
cat > "$dir/ask.lua" <<LUA
local ip = require "rspamd_ip"
local function add(kind, name) return rspamd_config:add_map{type = kind, url = "$dir/" .. name .. ".map", description = name} end
local radix, map, all = add("radix", "radix"), add("map", "map"), add("radix", "all")
rspamd_config:add_on_load(function(_, _, worker)
  if worker:get_name() ~= "normal" then return end
  local out = io.open("$dir/run/answers.part", "w")
  for _, address in ipairs{"192.0.2.9", "198.51.100.7", "203.0.113.5", "2001:db8::1"} do
    out:write("radix ", address, " ", tostring(radix:get_key(ip.from_string(address))), "\n")
  end
  out:write("map 192.0.2.9 ", tostring(map:get_key("192.0.2.9")), "\n")
  for _, address in ipairs{"2001:db8::1", "203.0.113.5"} do
    out:write("all ", address, " ", tostring(all:get_key(ip.from_string(address))), "\n")
  end
  out:close()
  os.rename("$dir/run/answers.part", "$dir/run/answers")
end)
LUA
shared=$dir/tree/usr/share/rspamd
LD_LIBRARY_PATH=$libs SHAREDIR=$shared LUALIBDIR=$shared/lualib RULESDIR=$shared/rules PLUGINSDIR=$shared/plugins CONFDIR=$dir LOCAL_CONFDIR=$dir \
  DBDIR=$dir/run LOGDIR=$dir/run RUNDIR=$dir/run timeout 60 "$dir/tree/usr/bin/rspamd" -f -i -c "$dir/rspamd.conf" > "$dir/log" 2>&1 & pid=$!
for _ in $(seq 100); do [ -s "$dir/run/answers" ] && break; sleep 0.2; done
cat "$dir/run/answers"
grep -o "duplicate [a-z]* entry found.*" "$dir/log" | sed "s#$dir/##" | sort
diff - "$dir/run/answers" <<'ANSWERS'
radix 192.0.2.9 first
radix 198.51.100.7 a
radix 203.0.113.5 four
radix 2001:db8::1 false
map 192.0.2.9 second
all 2001:db8::1 six
all 203.0.113.5 six
ANSWERS
grep -q "duplicate radix entry found .*192.0.2.9 (old value: 'first', new: 'second')" "$dir/log"
grep -q "duplicate hash entry found .*192.0.2.9 (old value: 'first', new: 'second')" "$dir/log"
echo "seen: the first value in one type of map, the last in the other, and ::/0 for IPv4"
