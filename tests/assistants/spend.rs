//! `mcp --spend`: queries that cost, asked for in both revisions of the protocol, and counted at the service.

use std::{
    io::{BufRead as _, BufReader, Write as _},
    process::{Child, ChildStdin, ChildStdout, Stdio},
};

use ipspect::demo::DemoRole;
use serde_json::{Value, json};

use crate::service::{Home, Service, signal, until};

/// How a client talks, and what its person says.
#[derive(Clone, Copy, Debug)]
struct Manner {
    /// With a handshake, and questions in the midst of a call; else the question ends the call.
    is_legacy: bool,
    /// What a person answers; `None` where the client cannot ask.
    says: Option<&'static str>,
}

/// A client on the pipes of a server.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    manner: Manner,
    last: u64,
    /// The questions that came.
    questions: Vec<String>,
}

impl Client {
    fn start(home: &Home, line: &str, manner: Manner) -> Self {
        let mut command = home.command(line);
        let pipes = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = pipes.stderr(Stdio::piped()).spawn().expect("started");
        let mut client = Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().expect("a pipe")),
            child,
            manner,
            last: 0,
            questions: Vec::new(),
        };
        if manner.is_legacy {
            let own = json!({"name": "test", "version": "1"});
            let params = json!({"protocolVersion": "2025-11-25", "capabilities": client.can(), "clientInfo": own});
            client.ask("initialize", params);
            client.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        }
        client
    }

    fn can(&self) -> Value {
        match self.manner.says {
            Some(_) => json!({"elicitation": {}}),
            None => json!({}),
        }
    }

    fn send(&mut self, message: &Value) {
        let input = self.input.as_mut().expect("open");
        writeln!(input, "{message}").expect("written");
    }

    /// Sends a request, and gives its number.
    fn begin(&mut self, method: &str, mut params: Value) -> u64 {
        self.last += 1;
        if !self.manner.is_legacy {
            params["_meta"] = json!({
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
                "io.modelcontextprotocol/clientCapabilities": self.can(),
            });
        }
        let id = self.last;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    fn message(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("a line");
        serde_json::from_str(&line).expect(&line)
    }

    /// The result of a request; questions that come meanwhile are answered.
    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        loop {
            let message = self.message();
            if message["method"] == "elicitation/create" {
                self.questions.push(text(&message["params"]["message"]));
                let result = json!({"action": self.manner.says, "content": {}});
                self.send(&json!({"jsonrpc": "2.0", "id": message["id"], "result": result}));
            } else if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    /// Calls a tool, again with the answer where it ends with a question.
    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        let result = self.ask("tools/call", params.clone());
        if result["resultType"] != "input_required" {
            return result;
        }
        let message = &result["inputRequests"]["spend"]["params"]["message"];
        self.questions.push(text(message));
        let again = self.answered(params, &result["requestState"]);
        self.ask("tools/call", again)
    }

    /// The same call with an answer.
    fn answered(&self, mut params: Value, state: &Value) -> Value {
        let answer = json!({"action": self.manner.says, "content": {}});
        params["inputResponses"] = json!({"spend": answer});
        params["requestState"] = state.clone();
        params
    }

    fn end(mut self) {
        drop(self.input.take());
        let ended = self.child.wait_with_output().expect("ended");
        assert!(ended.status.success(), "{ended:?}");
    }
}

fn text(value: &Value) -> String {
    value.as_str().expect("a text").to_owned()
}

fn answer(result: &Value) -> &Value {
    &result["structuredContent"]
}

/// Addresses that no feed of these homes has.
fn address(number: u8) -> String {
    format!("203.0.113.{number}")
}

const BOTH: [bool; 2] = [true, false];

#[test]
fn a_query_is_sent_after_a_person_agreed_and_never_beyond_the_budget() {
    for is_legacy in BOTH {
        let service = Service::start();
        let home = service.home(DemoRole::Full);
        let says = Some("accept");
        let mut client = Client::start(&home, "mcp --spend 3", Manner { is_legacy, says });
        let two = json!({"address": [address(1), address(2)], "spend": 5});
        let first = client.call("lookup", &two);
        assert_eq!(answer(&first)["budget"], 1, "{first}");
        assert_eq!(answer(&first)["rows"][1]["source"], "live", "{first}");
        assert_eq!(client.questions.len(), 1);
        let question = &client.questions[0];
        assert!(
            question.contains("2 paid queries")
                && question.contains("of 203.0.113.1, 203.0.113.2? After that 1 of --spend 3"),
            "{question}"
        );
        // The cache answers without a question.
        let again = client.call("lookup", &two);
        assert_eq!(answer(&again)["rows"][1]["source"], "cache", "{again}");
        assert_eq!(client.questions.len(), 1);
        // One is left for two.
        let log = json!({"text": format!("{} {}", address(3), address(4)), "spend": 5});
        let rest = client.call("enrich", &log);
        assert_eq!(answer(&rest)["budget"], 0, "{rest}");
        let none = client.call("lookup", &json!({"address": address(5), "spend": 1}));
        assert_eq!(none["isError"], true);
        let why = text(&answer(&none)["rows"][0]["error"]["message"]);
        assert!(why.contains("the 3 of --spend are used up"), "{why}");
        client.end();
        assert_eq!(service.paid().len(), 3, "{is_legacy}");
        assert_eq!(home.spent(), (3, 0));
    }
}

#[test]
fn without_a_budget_a_person_or_a_yes_nothing_is_sent() {
    for is_legacy in BOTH {
        let service = Service::start();
        let home = service.home(DemoRole::Full);
        for (line, says, why) in [
            ("mcp", Some("accept"), "started without --spend"),
            ("mcp --spend 0", Some("accept"), "started without --spend"),
            (
                "mcp --spend 3",
                None,
                "1 query of the 3 of --spend, and this client cannot ask a person",
            ),
            ("mcp --spend 3", Some("decline"), "declined"),
            ("mcp --spend 3", Some("cancel"), "declined"),
        ] {
            let mut client = Client::start(&home, line, Manner { is_legacy, says });
            for (tool, arguments) in [
                ("lookup", json!({"address": address(1), "spend": 1})),
                ("enrich", json!({"text": address(1), "spend": 1})),
            ] {
                let result = client.call(tool, &arguments);
                assert_eq!(result["isError"], true, "{line}: {result}");
                let row = &answer(&result)["rows"][0]["error"];
                assert_eq!(row["kind"], "guard", "{row}");
                assert!(text(&row["message"]).contains(why), "{row}");
                assert!(text(&row["hint"]).contains("free"), "{row}");
            }
            let free = client.call("lookup", &json!({"address": address(1)}));
            assert_ne!(answer(&free)["rows"][0]["source"], "live", "{free}");
            client.end();
        }
        assert_eq!(service.paid(), Vec::<String>::new());
    }
}

#[test]
fn an_answer_is_to_one_question_about_one_call() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let manner = Manner {
        is_legacy: false,
        says: Some("accept"),
    };
    let mut client = Client::start(&home, "mcp --spend 9", manner);
    let params = |numbers: &[u8]| {
        let addresses: Vec<String> = numbers.iter().copied().map(address).collect();
        json!({"name": "lookup", "arguments": {"address": addresses, "spend": 9}})
    };
    let refused = |client: &mut Client, params: Value| {
        let result = client.ask("tools/call", params);
        let why = text(&answer(&result)["rows"][0]["error"]["message"]);
        assert!(why.contains("no open question"), "{why}");
    };
    // What was asked about one address allows no others, and no state that this server did not give allows any.
    let asked = client.ask("tools/call", params(&[1]));
    let other = client.answered(params(&[1, 2, 3]), &asked["requestState"]);
    refused(&mut client, other);
    let invented = client.answered(params(&[1]), &json!("1-0000000000000000"));
    refused(&mut client, invented);
    assert_eq!(service.paid(), Vec::<String>::new());
    // Nor does an answer count twice.
    let asked = client.ask("tools/call", params(&[1]));
    let again = client.answered(params(&[1]), &asked["requestState"]);
    let first = client.ask("tools/call", again.clone());
    assert_eq!(answer(&first)["rows"][0]["source"], "live", "{first}");
    refused(&mut client, again);
    client.end();
    assert_eq!(service.paid().len(), 1);
}

#[test]
fn a_call_that_is_cancelled_sends_nothing_more_and_what_was_sent_is_kept() {
    for is_legacy in BOTH {
        let service = Service::with(&["context:delay=1"]);
        let home = service.home(DemoRole::Full);
        let says = Some("accept");
        let mut client = Client::start(&home, "mcp --spend 9", Manner { is_legacy, says });
        let many: Vec<String> = (1..=9).map(address).collect();
        let mut params = json!({"name": "lookup", "arguments": {"address": many, "spend": 9}});
        if !is_legacy {
            let asked = client.ask("tools/call", params.clone());
            params = client.answered(params, &asked["requestState"]);
        }
        let id = client.begin("tools/call", params);
        if is_legacy {
            let question = client.message();
            let result = json!({"action": "accept", "content": {}});
            client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}));
        }
        until("a query", || !service.paid().is_empty());
        let params = json!({"requestId": id, "reason": "enough"});
        client.send(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}),
        );
        // What was not begun is the budget's again.
        let mut budget = 0;
        until("what is left", || {
            let list = client.call("watch", &json!({"what": "list"}));
            budget = answer(&list)["budget"].as_u64().expect("a number");
            budget > 0
        });
        client.end();
        // The answers that came when nobody waited any longer are in the cache, and paid for once.
        let sent = service.paid().len() as u64;
        assert!(sent + budget <= 9, "{sent} sent, {budget} left");
        assert_eq!(home.spent(), (sent, 0));
        let known = home.run(&format!(
            "lookup {} --source auto --offline --format json",
            address(1)
        ));
        assert_eq!(known.line()["source"], "cache", "{known:?}");
    }
}

/// What a person agreed to is sent, on whichever page its rows are, and the pages that follow ask nobody.
#[test]
fn the_pages_of_a_paid_call_are_paid_for_once() {
    for is_legacy in BOTH {
        let service = Service::start();
        let home = service.home(DemoRole::Full);
        let says = Some("accept");
        let mut client = Client::start(&home, "mcp --spend 9", Manner { is_legacy, says });
        let many: Vec<String> = (1..=6).map(address).collect();
        let mut sources = Vec::new();
        for offset in [0, 2, 4, 6] {
            let page = json!({"address": many, "spend": 5, "limit": 2, "offset": offset});
            let result = client.call("lookup", &page);
            assert_eq!(answer(&result)["budget"], 4, "{result}");
            let rows = answer(&result)["rows"].as_array().expect("rows");
            sources.extend(rows.iter().map(|row| row["source"].clone()));
        }
        assert_eq!(
            sources,
            json!(["live", "live", "cache", "cache", "cache", null])
                .as_array()
                .expect("a list")
                .clone()
        );
        assert_eq!(client.questions.len(), 1, "{:?}", client.questions);
        client.end();
        assert_eq!(service.paid().len(), 5);
    }
}

#[test]
fn the_same_query_of_two_calls_is_sent_once_and_an_open_question_holds_nobody_up() {
    let service = Service::with(&["context:delay=1"]);
    let home = service.home(DemoRole::Full);
    let manner = Manner {
        is_legacy: true,
        says: Some("accept"),
    };
    let mut client = Client::start(&home, "mcp --spend 20", manner);
    let call = |number: u8, spend: u64| json!({"name": "lookup", "arguments": {"address": address(number), "spend": spend}});
    let ids: Vec<u64> = (0..12)
        .map(|_| client.begin("tools/call", call(1, 1)))
        .collect();
    let questions: Vec<Value> = ids.iter().map(|_| client.message()).collect();
    // Twelve wait for a person, and what is free is answered.
    let list = client.call("watch", &json!({"what": "list"}));
    assert_eq!(answer(&list)["budget"], 8, "{list}");
    let held = client.call(
        "lookup",
        &json!({"address": [address(2)], "spend": 1, "limit": 1}),
    );
    assert_eq!(held["isError"], false, "{held}");
    let paid = service.paid().len();
    for question in questions {
        assert_eq!(question["method"], "elicitation/create");
        let result = json!({"action": "accept", "content": {}});
        client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}));
    }
    for _ in ids {
        let message = client.message();
        assert_eq!(message["result"]["isError"], false, "{message}");
    }
    assert_eq!(service.paid().len(), paid + 1);
    let list = client.call("watch", &json!({"what": "list"}));
    assert_eq!(answer(&list)["budget"], 18, "{list}");
    client.end();
}

#[test]
fn a_question_is_withdrawn_with_its_call() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let manner = Manner {
        is_legacy: true,
        says: Some("accept"),
    };
    let mut client = Client::start(&home, "mcp --spend 3", manner);
    let params = json!({"name": "lookup", "arguments": {"address": address(1), "spend": 1}});
    let id = client.begin("tools/call", params);
    let question = client.message();
    let cancelled = json!({"requestId": id, "reason": "enough"});
    client
        .send(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": cancelled}));
    let withdrawn = loop {
        let message = client.message();
        if message["method"] == "notifications/cancelled" {
            break message;
        }
    };
    assert_eq!(withdrawn["params"]["requestId"], question["id"]);
    // An answer that comes all the same sends nothing.
    let result = json!({"action": "accept", "content": {}});
    client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}));
    let list = client.call("watch", &json!({"what": "list"}));
    assert_eq!(answer(&list)["budget"], 3, "{list}");
    client.end();
    assert_eq!(service.paid(), Vec::<String>::new());
}

#[test]
fn offline_is_the_reason_where_nothing_may_be_sent() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let manner = Manner {
        is_legacy: true,
        says: Some("accept"),
    };
    let mut client = Client::start(&home, "mcp --spend 3 --offline", manner);
    for (tool, arguments) in [
        ("lookup", json!({"address": address(1), "spend": 1})),
        ("enrich", json!({"text": address(1), "spend": 1})),
    ] {
        let result = client.call(tool, &arguments);
        let text = answer(&result).to_string();
        assert!(
            text.contains("nothing was sent") && !text.contains("used up"),
            "{text}"
        );
    }
    assert_eq!(client.questions, Vec::<String>::new());
    client.end();
}

#[test]
fn two_servers_and_kills_stay_within_their_budgets() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let manner = Manner {
        is_legacy: true,
        says: Some("accept"),
    };
    let mut sent = 0;
    for round in 0..4_u8 {
        let pair = [0, 1].map(|_| Client::start(&home, "mcp --spend 2", manner));
        let mut ends = Vec::new();
        for (number, mut client) in (0..).zip(pair) {
            let from = 1 + round * 20 + number * 10;
            ends.push(std::thread::spawn(move || {
                let many: Vec<String> = (from..from + 8).map(address).collect();
                if number == 0 {
                    let result = client.call("lookup", &json!({"address": many, "spend": 8}));
                    assert_eq!(answer(&result)["budget"], 0, "{result}");
                    return client.end();
                }
                // Killed in the midst of its queries.
                client.begin(
                    "tools/call",
                    json!({"name": "lookup", "arguments": {"address": many, "spend": 8}}),
                );
                let question = client.message();
                let result = json!({"action": "accept", "content": {}});
                client.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": result}));
                std::thread::yield_now();
                signal(&client.child, "KILL");
                client.child.wait().expect("ended");
            }));
        }
        for end in ends {
            end.join().expect("ended");
        }
        let all = service.paid().len();
        assert!((2..=4).contains(&(all - sent)), "{all} after {sent}");
        sent = all;
    }
    // What was sent without an answer is possibly spent: the ledger never counts too little.
    let (surely, possibly) = home.spent();
    assert!(
        surely + possibly >= sent as u64,
        "{surely} and {possibly} of {sent}"
    );
}
