#!/usr/bin/env bash
# Tool: syslog-parse 2.0.0 (npm), a parser for BSD syslog rows.
# Behaviour: the row names whole seconds, but the returned time has a fraction.
#   The fraction is not from the row: it is the millisecond of the clock of the
#   machine at the moment of parsing. The same row parsed again later has
#   another time.
# Output seen: for the clock `Nov 25 10:15:30` times such as …10:15:30.453Z and
#   …10:15:30.557Z in two parses.
# Why a good engineer guesses wrong: parsing is expected to be a function of its
#   input. Rows that were stored and read twice no longer compare equal, and
#   sorting by time shuffles rows of one second, while a look at one result
#   shows nothing odd.
set -euo pipefail
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund syslog-parse@2.0.0 >/dev/null
cat > probe.js <<'JS'
const lib = require('syslog-parse');
const parse = lib.parseSyslog || lib.default;
const row = '<34>Nov 25 10:15:30 web1 su[12]: refused 198.51.100.7';
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
(async () => {
  const fractions = new Set();
  for (let i = 0; i < 8; i++) {
    const time = new Date(parse(row).time);
    if (time.getSeconds() !== 30) process.exit(1);
    fractions.add(time.getMilliseconds());
    await wait(37);
  }
  console.log('fractions of one and the same row:', [...fractions].join(' '));
  process.exit(fractions.size > 1 ? 0 : 1);
})();
JS
timeout 60 node probe.js
