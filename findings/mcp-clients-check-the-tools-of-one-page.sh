#!/usr/bin/env bash
# @modelcontextprotocol/sdk 1.32.2 (npm) and mcp 2.3.0 (PyPI), as clients of the Model Context Protocol.
#
# Behaviour: where a server gives its tools in two pages, each client checks structured answers by the schemas of one page only, and lets
# the answers of the other tools pass as if these had none. The SDK for TypeScript goes by the page that was listed last: listing page 2
# forgets page 1. The one for Python, unless the program listed the pages itself, asks for page 1 after a call of a tool on page 2, does
# so after every call of it, and lets the answer pass with a warning in the log.
#
# Seen; each page has one tool, which declares an integer and answers with the text "many":
#     TypeScript, pages 1 and 2 listed:    first accepted, second refused
#     TypeScript, page 1 listed again:     first refused, second accepted
#     Python, nothing listed:              first refused, second accepted, second accepted, page 1 asked for 3 times
#     Python, pages 1 and 2 listed:        first refused, second refused
#
# Why a good engineer guesses wrong: a schema of the output is taken for a promise that the client checks for every tool, and following the
# cursor to its end, as the protocol has it, for the way to know them all. In the first client that is just what loses page 1. With
# one page, as nearly every server has, both check everything: a server that adds tools until its list is split changes what is checked
# of the tools that it had. So a server with few tools gives them in one page, and no server counts on the client to find its mistakes.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm init -y >/dev/null
npm install --silent --no-audit --no-fund @modelcontextprotocol/sdk@1.32.2 >/dev/null 2>&1
python3 -m venv python
python/bin/pip install --quiet --disable-pip-version-check mcp==2.3.0
cat >client.mjs <<'JAVASCRIPT'
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
const tool = (name) => ({
    name,
    inputSchema: { type: "object" },
    outputSchema: { type: "object", properties: { addresses: { type: "integer" } } },
});
const server = new Server({ name: "pages", version: "1" }, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, ({ params }) =>
    params?.cursor === "2" ? { tools: [tool("second")] } : { tools: [tool("first")], nextCursor: "2" });
server.setRequestHandler(CallToolRequestSchema, () => ({ content: [], structuredContent: { addresses: "many" } }));
const client = new Client({ name: "client", version: "1" });
const [here, there] = InMemoryTransport.createLinkedPair();
await Promise.all([server.connect(there), client.connect(here)]);
const call = (name) => client.callTool({ name }).then(() => `${name} accepted`, (error) => {
    if (!/does not match the tool's output schema/.test(error.message)) throw error;
    return `${name} refused`;
});
let page = await client.listTools();
while (page.nextCursor) page = await client.listTools({ cursor: page.nextCursor });
console.log(`TypeScript, pages 1 and 2 listed: ${await call("first")}, ${await call("second")}`);
await client.listTools();
console.log(`TypeScript, page 1 listed again: ${await call("first")}, ${await call("second")}`);
JAVASCRIPT
cat >client.py <<'PYTHON'
import logging

import anyio
from mcp import types
from mcp.client.client import Client
from mcp.server.lowlevel import Server

logging.disable(logging.WARNING)
asked = []


def tool(name):
    schema = {"type": "object", "properties": {"addresses": {"type": "integer"}}}
    return types.Tool(name=name, input_schema={"type": "object"}, output_schema=schema)


async def tools(context, params):
    asked.append(params.cursor if params else None)
    if asked[-1] == "2":
        return types.ListToolsResult(tools=[tool("second")])
    return types.ListToolsResult(tools=[tool("first")], next_cursor="2")


async def answer(context, params):
    return types.CallToolResult(content=[], structured_content={"addresses": "many"})


async def call(client, name):
    try:
        await client.call_tool(name, {})
    except RuntimeError as error:
        assert "Invalid structured content" in str(error), error
        return f"{name} refused"
    return f"{name} accepted"


async def main():
    server = Server("pages", on_list_tools=tools, on_call_tool=answer)
    async with Client(server) as client:
        seen = [await call(client, name) for name in ("first", "second", "second")]
        print("Python, nothing listed:", ", ".join(seen) + f", page 1 asked for {asked.count(None)} times")
    async with Client(server) as client:
        page = await client.list_tools()
        while page.next_cursor:
            page = await client.list_tools(cursor=page.next_cursor)
        print("Python, pages 1 and 2 listed:", ", ".join([await call(client, name) for name in ("first", "second")]))


anyio.run(main)
PYTHON
is=$(timeout 60 node client.mjs && timeout 60 python/bin/python client.py)
echo "$is"
[ "$is" = 'TypeScript, pages 1 and 2 listed: first accepted, second refused
TypeScript, page 1 listed again: first refused, second accepted
Python, nothing listed: first refused, second accepted, second accepted, page 1 asked for 3 times
Python, pages 1 and 2 listed: first refused, second refused' ]
