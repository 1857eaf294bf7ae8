#!/usr/bin/env bash
# Tool: fastify 5.12.8 (npm) with its own logger (pino), installed in a temporary folder.
# Behaviour: with trustProxy the logged request pairs two ends that never belonged together: req.remoteAddress is
#   the client out of X-Forwarded-For, req.remotePort beside it is the port of the connection from the proxy.
# Output seen: the proxy connects from 127.0.0.1:41999 and names the client 198.51.100.99; the row has
#   "remoteAddress":"198.51.100.99","remotePort":41999. Without trustProxy the pair is 127.0.0.1 and 41999.
# Why one guesses wrong: both members share the prefix "remote" and change together without a proxy, so one takes
#   them for one end. Whoever asks a provider with CGNAT who had 198.51.100.99:41999 at that time gets nobody, or a
#   bystander. Other servers write 0 or no port once they take the address from the header.
set -euo pipefail
dir=$(mktemp -d); trap 'rm -rf "$dir"' EXIT
cd "$dir"
npm init -y > /dev/null
npm install --silent --no-audit --no-fund fastify@5.12.8 > /dev/null 2>&1
cat > run.js <<'JS'
const http = require('http');
if (require('fastify/package.json').version !== '5.12.8') throw new Error('another fastify');
const get = (port, localPort) => new Promise((done, fail) => http.get(
  { host: '127.0.0.1', port, localPort, agent: false, headers: { 'X-Forwarded-For': '198.51.100.99' } },
  r => { r.resume(); r.on('end', done); }).on('error', fail));
(async () => {
  for (const [trustProxy, localPort] of [[false, 41998], [true, 41999]]) {
    const rows = [];
    const app = require('fastify')({ trustProxy, logger: { stream: { write: row => rows.push(JSON.parse(row)) } } });
    app.get('/', async () => 'hello');
    await app.listen({ host: '127.0.0.1', port: 0 });
    await get(app.server.address().port, localPort);
    await app.close();
    const { remoteAddress, remotePort } = rows.find(row => row.req).req;
    console.log(JSON.stringify({ trustProxy, remoteAddress, remotePort }));
  }
})().catch(e => { console.error(e); process.exit(1); });
JS
timeout 30 node run.js | tee out
grep -q '"trustProxy":false,"remoteAddress":"127.0.0.1","remotePort":41998' out
grep -q '"trustProxy":true,"remoteAddress":"198.51.100.99","remotePort":41999' out
echo "seen: the address of the forwarded client beside the port of the proxy"
