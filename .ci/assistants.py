"""Asks the server for assistants as clients do that we did not write, over a pipe, and compares its answers with the command line."""

import asyncio, json, os, pathlib, subprocess, sys, tempfile, time

import jsonschema
from mcp import Client, MCPError, StdioServerParameters, types

program = sys.argv[1]
home = tempfile.TemporaryDirectory()
own = os.environ | {f"IPSPECT_{name}_DIR": str(pathlib.Path(home.name) / name.lower()) for name in ("CONFIG", "CACHE", "STATE")}


def server(*options):
    return StdioServerParameters(command=program, args=["mcp", "--demo", *options], env=own)


# Each tool, with the command that answers the same. What differs from run to run is left out.
TASKS = [
    ("lookup", {"address": "198.51.100.77"}, "lookup --source=local --offline -- 198.51.100.77"),
    ("lookup", {"address": ["198.51[.]100.77", "198.51.100.78"]}, "lookup --source=local --offline -- 198.51[.]100.77 198.51.100.78"),
    ("history", {"subject": "198.51.100.77"}, "history --offline -- 198.51.100.77"),
    ("search", {"feed": "anonymous", "filter": "type:VPN -cc:NL", "limit": 7}, "search --offline -- anonymous type:VPN -cc:NL"),
    ("search", {"feed": "anonymous", "filter": "-type:VPN", "count": True}, "search --offline --count -- anonymous -type:VPN"),
    ("facets", {"feed": "anonymous", "field": "cc"}, "search --offline --facet=cc -- anonymous"),
    ("common", {"records": "anonymous:type:VPN"}, "common --offline -- anonymous:type:VPN"),
    ("explain", {"word": "CALLBACK_PROXY"}, "explain --offline -- CALLBACK_PROXY"),
    ("match", {"a": "anonymous:type:VPN", "b": "anonymous:cc:NL"}, "match --offline -- anonymous:type:VPN anonymous:cc:NL"),
    ("blocklist", {"feed": "anonymous", "filter": "type:VPN"}, "blocklist --check --offline -- anonymous type:VPN"),
    ("watch", {"what": "list"}, "watch list --offline"),
    ("tag", {"tag": "BRAVO_PROXY"}, "tag -- BRAVO_PROXY"),
    ("status", {}, "status"),
    ("feeds", {"feed": "anonymous"}, "feeds info -- anonymous"),
    # What fails, fails alike.
    ("diff", {"feed": "anonymous"}, "diff --offline -- anonymous"),
    ("search", {"feed": "dch"}, "search --offline -- dch"),
]
VARYING = {"elapsed_ms", "took_ms", "asked", "asked_at", "run", "at", "url", "balance", "free", "age_s"}


def same(value):
    """Without what differs from run to run."""
    if isinstance(value, dict):
        return {key: same(inner) for key, inner in value.items() if key not in VARYING}
    return [same(inner) for inner in value] if isinstance(value, list) else value


def typed(words, rows):
    """The rows that the command line prints."""
    ran = subprocess.run([program, "--demo", "--format=json", *words.split(" ")], env=own, capture_output=True, text=True, timeout=60)
    lines = [json.loads(line) for line in ran.stdout.splitlines() if line.strip()]
    lines = [line if isinstance(line, dict) else {"value": line} for line in lines]
    return ran.returncode, lines[:rows]


async def asked(mode):
    async with Client(server(), mode=mode) as client:
        tools = {tool.name: tool for tool in (await client.list_tools()).tools}
        assert tools.keys() == {name for name, *_ in TASKS} | {"enrich"}, tools.keys()
        if mode == "auto":
            assert (await client.list_tools()).cache_scope == "private"
        for name, arguments, words in TASKS:
            result = await client.call_tool(name, arguments)
            answer = result.structured_content
            # Failures, too: the client itself looks at what succeeded alone.
            jsonschema.validate(answer, tools[name].output_schema)
            code, rows = typed(words, arguments.get("limit", 25))
            assert answer["code"] == code, (name, answer, code)
            assert same(answer["rows"]) == same(rows), (name, answer["rows"], rows)
            is_failed = code not in (0, 11) and all(row.get("error") for row in answer["rows"])
            assert result.is_error == is_failed, (name, answer)
        # Page after page is the whole.
        whole, offset = [], 0
        while offset is not None:
            page = (await client.call_tool("search", {"feed": "anonymous", "filter": "type:VPN", "limit": 100, "offset": offset})).structured_content
            whole += page["rows"]
            offset = page["next"]
        assert whole == typed("search --offline -- anonymous type:VPN", None)[1] and len(whole) > 100
        longest = await client.call_tool("search", {"feed": "anonymous", "limit": 500})
        assert len(longest.model_dump_json(by_alias=True, exclude_none=True)) < 64 << 10 and longest.structured_content["next"]
        # What can be mended is an answer that says how; what cannot is an error of the protocol.
        for name, arguments, why in [
            ("lookup", {"adress": "198.51.100.7"}, "address"),
            ("lookup", {"address": "/etc/hostname"}, "address"),
            ("search", {"feed": "anonymous", "filter": "nosuch:NL"}, "there are tag"),
            ("blocklist", {"feed": "-"}, "feed"),
        ]:
            result = await client.call_tool(name, arguments)
            jsonschema.validate(result.structured_content, tools[name].output_schema)
            [row] = result.structured_content["rows"]
            assert result.is_error and why in json.dumps(row["error"]), (name, result)
        try:
            await client.call_tool("lookups", {})
            raise AssertionError("there is no such tool")
        except MCPError as error:
            assert "lookup" in str(error)
        answers = await asyncio.gather(*(client.call_tool("facets", {"feed": "anonymous", "field": "tag"}) for _ in range(8)))
        assert len({json.dumps(answer.structured_content) for answer in answers}) == 1
        for _ in range(100):
            assert not (await client.call_tool("explain", {"word": "VPN"})).is_error


async def read(mode):
    """Texts, resources, and the tasks for a person."""
    async with Client(server(), mode=mode) as client:
        log = "10:00 deny 198.51.100.77 user=alice\n10:01 deny 198.51.100.78\n10:02 deny 203.0.113.9\n" * 40
        # A text that is there whole is answered as a file is: with its counts.
        file = pathlib.Path(home.name) / "log"
        file.write_text(log)
        _, rows = typed(f"--offline enrich {file}", None)
        answer = (await client.call_tool("enrich", {"text": log})).structured_content
        assert same(answer["rows"]) == same(rows) and len(rows) == 3, (answer, rows)
        # As long as may be, and a byte more.
        for length, code in ((1 << 20, 0), ((1 << 20) + 1, 2)):
            text = ("198.51.100.77 " * (length // 14 + 1))[:length]
            answer = (await client.call_tool("enrich", {"text": text, "group": "is"})).structured_content
            assert answer["code"] == code, (length, answer)
        assert {resource.uri for resource in (await client.list_resources()).resources} == {"ipspect://vocabulary", "ipspect://feeds"}
        for uri, has in (("vocabulary", "client.spread"), ("feeds", "anonymous"), ("record/198.51.100.77", "198.51.100.77"), ("record/2001%3Adb8%3A%3A7", "2001:db8::7")):
            [content] = (await client.read_resource(f"ipspect://{uri}")).contents
            assert has in content.text and json.loads(content.text)["code"] in (0, 1, 10), (uri, content)
        for wrong in (client.read_resource("ipspect://record/x"), client.read_resource("file:///etc/hostname"), client.get_prompt("meaning", {}), client.get_prompt("nosuch", {})):
            try:
                await wrong
                raise AssertionError("it is not there")
            except MCPError:
                pass
        prompts = (await client.list_prompts()).prompts
        for prompt in prompts:
            given = {argument.name: "X" for argument in prompt.arguments or []}
            [message] = (await client.get_prompt(prompt.name, given)).messages
            assert "`" in message.content.text and "{" not in message.content.text, message
        assert len(prompts) == 10


async def paid(mode, number):
    """Consent by the client's own way of asking, and the word of the budget."""
    questions, progress = [], []

    def says(action):
        async def answer(context, params):
            questions.append(params.message)
            return types.ElicitResult(action=action, content={} if action == "accept" else None)

        return answer

    async def hears(done, total, message):
        progress.append((done, message))

    addresses = [f"203.0.113.{number + at}" for at in range(5)]
    for action, sent in (("decline", 0), ("cancel", 0), ("accept", 3)):
        async with Client(server("--spend", "3"), mode=mode, elicitation_callback=says(action)) as client:
            answer = await client.call_tool("lookup", {"address": addresses, "spend": 5}, progress_callback=hears)
            rows = answer.structured_content["rows"]
            live = [row for row in rows if row.get("source") == "live"]
            assert len(live) == sent and answer.structured_content["budget"] == 3 - sent, (action, answer)
            assert answer.is_error == (sent == 0), answer
            known = [row["query"] for row in live]
    assert len(questions) == 3 and all("3 paid queries" in question for question in questions), questions
    assert [done for done, _ in progress] == sorted(done for done, _ in progress), progress
    # Who cannot ask sends nothing, and what is cached is free.
    async with Client(server("--spend", "3"), mode=mode) as client:
        answer = await client.call_tool("lookup", {"address": [own for own in addresses if own not in known], "spend": 2})
        assert answer.is_error and "cannot ask" in json.dumps(answer.structured_content), answer
        answer = await client.call_tool("lookup", {"address": known, "spend": 3})
        assert [row["source"] for row in answer.structured_content["rows"]] == ["cache"] * 3, answer


def ended():
    """The end of standard input ends the server, whatever it was asked or not asked; nothing but the protocol is on its output."""
    hello = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "explain", "arguments": {"word": "VPN"}}}
    ping = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"}, "io.modelcontextprotocol/clientCapabilities": {}}
    discover = {"jsonrpc": "2.0", "id": 1, "method": "server/discover", "params": {"_meta": meta}}
    for messages in ([], [hello], [ping], [discover], [hello, {"jsonrpc": "2.0", "method": "notifications/initialized"}, call]):
        began = time.monotonic()
        text = "".join(json.dumps(message) + "\n" for message in messages)
        ran = subprocess.run([program, "mcp", "--demo"], input=text, env=own, capture_output=True, text=True, timeout=30)
        assert ran.returncode == 0, (messages, ran)
        assert all(json.loads(line)["jsonrpc"] == "2.0" for line in ran.stdout.splitlines()), ran.stdout
        assert time.monotonic() - began < 10
    # What waits when the client leaves is for nobody: it is not done.
    search = {"name": "search", "arguments": {"feed": "anonymous", "limit": 500}}
    calls = [call | {"id": number, "params": search} for number in range(10, 1500)]
    text = "".join(json.dumps(message) + "\n" for message in [hello, *calls])
    began = time.monotonic()
    ran = subprocess.run([program, "mcp", "--demo"], input=text, env=own, capture_output=True, text=True, timeout=60)
    took = time.monotonic() - began
    answered = sum(1 for line in ran.stdout.splitlines() if json.loads(line).get("result", {}).get("structuredContent", {}).get("code") == 0)
    print(f"{answered} of {len(calls)} calls of a client that left were answered, in {took:.1f} s")
    assert ran.returncode == 0 and answered < len(calls), (ran.returncode, answered)


subprocess.run([program, "--demo", "feeds", "pull", "anonymous", "-q"], env=own, check=True, timeout=120)
for number, mode in ((101, "auto"), (151, "legacy")):
    asyncio.run(asked(mode))
    asyncio.run(read(mode))
    asyncio.run(paid(mode, number))
    print(f"{mode}: {len(TASKS) + 1} tasks answered as on the command line, 3 paid queries after a yes and none without one")
ended()
