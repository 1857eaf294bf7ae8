//! `mcp`: the protocol over a real pipe, without a library of our own choice at the other end.

use std::{io::Write as _, process::Stdio};

use ipspect::demo::{DemoRole, FaultSite};
use serde_json::{Value, json};

use crate::service::{Home, Ran, Service};

/// What a client of the revision with a handshake says first.
fn hello() -> [Value; 2] {
    let client = json!({"name": "test", "version": "1"});
    let params = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client});
    [
        json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": params}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    ]
}

fn call(id: u64, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

/// The answers to these messages, by their numbers. The server is asked one by one, as long as it is there.
fn answers(home: &Home, messages: &[Value]) -> (Ran, Vec<Value>) {
    let mut command = home.command("mcp");
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("started");
    let mut input = child.stdin.take().expect("a pipe");
    let mut output = std::io::BufReader::new(child.stdout.take().expect("a pipe"));
    let mut all = Vec::new();
    for message in messages {
        writeln!(input, "{message}").expect("written");
        if !message["id"].is_null() {
            let mut line = String::new();
            std::io::BufRead::read_line(&mut output, &mut line).expect("a line");
            all.push(serde_json::from_str(&line).expect(&line));
        }
    }
    drop(input);
    let ended = child.wait_with_output().expect("ended");
    (Ran::of(ended), all)
}

#[test]
fn tools_answer_as_commands_do_and_nothing_is_ever_paid_for() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull dch").ends(0);
    let known = json!({"feed": "dch", "limit": 3});
    let [first, second] = hello();
    let (ran, all) = answers(
        &home,
        &[
            first,
            second,
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/list"}),
            call(2, "search", &known),
            // The service would answer, for a query.
            call(3, "lookup", &json!({"address": "203.0.113.255"})),
            call(4, "history", &json!({"subject": "198.51.100.77"})),
            call(5, "tag", &json!({"tag": "ACME_VPN"})),
            call(
                6,
                "lookup",
                &json!({"address": "198.51.100.77", "spend": 1}),
            ),
            call(7, "nosuch", &json!({})),
            call(8, "lookup", &json!({"address": "-"})),
        ],
    );
    ran.ends(0);
    assert_eq!(ran.err, "");
    let [
        hello,
        tools,
        search,
        lookup,
        history,
        tag,
        spend,
        nosuch,
        input,
    ] = all.as_slice()
    else {
        panic!("{all:?}")
    };
    assert_eq!(hello["result"]["serverInfo"]["name"], "ipspect");
    let tools = tools["result"]["tools"].as_array().expect("tools");
    assert_eq!(tools.len(), 14);
    let answer = |of: &Value| of["result"]["structuredContent"].clone();
    let page = answer(search);
    let typed = home.run("search dch --offline --format json").lines();
    assert_eq!(
        page["rows"].as_array().expect("rows").as_slice(),
        &typed[..3]
    );
    assert_eq!((&page["next"], &page["code"]), (&json!(3), &json!(0)));
    let all = format!("{0} of {0} records of dch of ", typed.len());
    let note = page["notes"][0].as_str().expect("a note");
    assert!(note.starts_with(&all), "{note}");
    let unknown = answer(lookup);
    // It is in no local feed, which is no mistake and does not mean that it is clean.
    let row = &unknown["rows"][0];
    assert_eq!(lookup["result"]["isError"], false);
    assert_eq!(row["searched"][0]["feed"], "dch", "{row}");
    assert!(answer(history)["code"].is_u64());
    assert_eq!(answer(tag)["rows"][0]["record"]["tag"], "ACME_VPN", "{tag}");
    let refused = answer(spend)["rows"][0]["error"]["message"].clone();
    let why = "it would cost 1 query, and the server was started without --spend: nothing was sent";
    assert_eq!(refused, why);
    assert_eq!(nosuch["error"]["code"], -32602, "{nosuch}");
    assert_eq!(input["result"]["isError"], true);
    // The metadata of a tag costs no query.
    let asked = service.asked(FaultSite::Context);
    assert_eq!(asked, ["/v2/metadata/tags/ACME_VPN"]);
    assert_eq!(home.spent(), (0, 0));
}

#[test]
fn a_client_that_leaves_ends_the_server_whatever_it_said() {
    let home = Home::empty();
    let [first, second] = hello();
    for messages in [vec![], vec![first.clone()], vec![first, second]] {
        let (ran, _) = answers(&home, &messages);
        ran.ends(0);
        assert_eq!(ran.err, "", "{messages:?}");
    }
}

#[test]
fn the_configuration_for_a_client_starts_the_same_server_and_has_no_secret() {
    let home = Home::empty().with_token("a-token-that-stays-here");
    let printed = home.run("mcp --profile default --print-config --spend 2");
    printed.ends(0).says("IPSPECT_TOKEN is left out");
    let config: Value = serde_json::from_str(&printed.out).expect("JSON");
    let server = &config["mcpServers"]["ipspect"];
    assert_eq!(
        server["args"],
        json!(["mcp", "--profile", "default", "--spend", "2"])
    );
    let program = server["command"].as_str().expect("a path");
    assert!(std::path::Path::new(program).is_absolute());
    for name in [
        "IPSPECT_CONFIG_DIR",
        "IPSPECT_CACHE_DIR",
        "IPSPECT_STATE_DIR",
    ] {
        assert!(server["env"][name].is_string(), "{server}");
    }
    assert!(
        !printed.out.contains("a-token") && !printed.out.contains("TOKEN"),
        "{printed:?}"
    );
}

/// What a model is told steers no screen, and what it sent comes back in part only; a text is a text, whatever it begins with.
#[test]
fn answers_are_short_and_clean_whatever_was_sent() {
    let home = Home::empty();
    let [first, second] = hello();
    let long = "x".repeat(1 << 20);
    let packed = "PAR1 198.51.100.77\u{0} user=al\u{1b}[2Jice";
    let (ran, all) = answers(
        &home,
        &[
            first,
            second,
            call(1, &long, &json!({})),
            call(2, "explain", &json!({long.clone(): 1})),
            json!({"jsonrpc": "2.0", "id": 3, "method": "resources/read", "params": {"uri": long}}),
            json!({"jsonrpc": "2.0", "id": 4, "method": "prompts/get", "params": {"name": long}}),
            call(5, "enrich", &json!({"text": packed})),
            call(6, "search", &json!({"feed": "dch", "limit": 0})),
        ],
    );
    ran.ends(0);
    for answer in &all {
        let text = answer.to_string();
        assert!(text.len() < 64 << 10, "{} bytes", text.len());
        assert!(!text.contains("\\u001b"), "{text}");
    }
    let said = all[5]["result"]["structuredContent"].to_string();
    assert!(
        !said.contains("Parquet") && !said.contains("binary"),
        "{said}"
    );
    let number = &all[6]["result"]["structuredContent"]["rows"][0]["error"];
    assert!(number["hint"].is_string(), "{number}");
}

#[test]
fn options_that_are_wrong_start_nothing() {
    let home = Home::empty();
    for options in [
        "--spend -1",
        "--spend x",
        "--spend 18446744073709551616",
        "--print-config=yes",
    ] {
        home.run(&format!("mcp {options}")).ends(2);
    }
}

#[test]
fn a_client_that_no_longer_reads_is_left() {
    let home = Home::empty();
    let mut command = home.command("mcp");
    let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = pipes.stderr(Stdio::piped()).spawn().expect("started");
    let mut input = child.stdin.take().expect("a pipe");
    let output = child.stdout.take();
    for message in hello() {
        writeln!(input, "{message}").expect("written");
    }
    for id in 1..200 {
        writeln!(
            input,
            "{}",
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/list"})
        )
        .expect("written");
    }
    drop(input);
    // Its answers fill the pipe, which nobody reads.
    let mut ended = None;
    crate::service::until("the end", || {
        ended = child.try_wait().expect("asked");
        ended.is_some()
    });
    assert!(ended.expect("ended").success());
    drop(output);
}
