//! `login`, `logout`, `status` and `doctor`: who asks, and whether everything is in order.

use std::{fs, io::Write, os::unix::fs::PermissionsExt, process::Stdio};

use ipspect::{
    contract::Host,
    demo::{DemoRole, FaultSite},
};

use crate::{
    pty::Terminal,
    service::{Home, Ran, Service},
};

fn login(home: &Home, line: &str, input: &str) -> Ran {
    let mut child = home
        .command(line)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("start");
    // A run that refuses at once does not read.
    let _ = child
        .stdin
        .take()
        .expect("input")
        .write_all(input.as_bytes());
    Ran::of(child.wait_with_output().expect("wait"))
}

#[test]
fn a_token_is_checked_stored_for_its_owner_and_removed() {
    let service = Service::start();
    let home = service.home(DemoRole::Full).without_token();
    home.run("status").ends(3).says("ipspect login");
    let ran = login(
        &home,
        "login",
        &format!("{}\n", DemoRole::ContextOnly.token()),
    );
    ran.ends(0)
        .shows("config/token")
        .says("status: allowed")
        .says("feeds: token valid, no ");
    let file = home.path("config/token");
    assert_eq!(
        fs::metadata(&file).expect("file").permissions().mode() & 0o777,
        0o600
    );
    assert_eq!(
        home.read("config/token").trim(),
        DemoRole::ContextOnly.token()
    );
    home.run("status").ends(0).shows("active");
    home.run("logout").ends(0).shows("removed");
    assert!(!file.exists());
    home.run("logout")
        .ends(0)
        .shows("there was no stored token");
}

#[test]
fn a_token_that_the_service_calls_invalid_replaces_no_other() {
    let service = Service::start();
    let home = service.home(DemoRole::Full).without_token();
    login(&home, "login --offline", DemoRole::Full.token()).ends(0);
    assert_eq!(service.demo.requests(), []);
    login(&home, "login", DemoRole::Invalid.token())
        .ends(3)
        .says("not stored");
    assert_eq!(home.read("config/token").trim(), DemoRole::Full.token());
    for input in ["", "\n", "two\twords", "t\u{f6}ken"] {
        login(&home, "login --offline", input).ends(2);
    }
    assert_eq!(home.read("config/token").trim(), DemoRole::Full.token());
    // Spaces may be in a header value.
    login(&home, "login --offline", "two  words\n").ends(0);
    assert_eq!(home.read("config/token").trim(), "two  words");
}

#[test]
fn a_control_character_in_the_token_is_named_whatever_its_source() {
    const URL: &str = "base_url = \"https://context.example\"";
    let home = Home::empty();
    home.configure(&format!("[profiles.default]\n{URL}\n"));
    let tab = "the token contains a tab (U+0009)";
    login(&home, "login --offline", "a\tb").ends(2).says(tab);
    let home = home.with_token("a\tb");
    home.run("status").ends(3).says(tab);
    let home = home.without_token();
    fs::write(home.path("config/token"), "a\nb\n").expect("token");
    let file = home.path("config/token");
    fs::set_permissions(file, fs::Permissions::from_mode(0o600)).expect("mode");
    home.run("status")
        .ends(3)
        .says("the token contains a line feed (U+000A)");
    home.configure(&format!(
        "[profiles.default]\n{URL}\ntoken_command = [\"printf\", \"a\\u001bb\"]\n"
    ));
    home.run("status")
        .ends(3)
        .says("the token contains an ESC (U+001B)");
}

#[test]
fn profiles_keep_their_tokens_apart_and_other_sources_win() {
    let home = Home::empty();
    home.configure("[profiles.work]\n");
    login(&home, "login --profile work", "token-of-work").ends(0);
    assert_eq!(home.read("config/token-work").trim(), "token-of-work");
    assert!(!home.path("config/token").exists());
    let home = home.with_token("token-of-environment");
    login(&home, "login --profile work", "token-2-of-work")
        .ends(0)
        .says("IPSPECT_TOKEN");
    home.run("logout --profile work")
        .ends(0)
        .says("IPSPECT_TOKEN");
    home.run("login extra-argument").ends(2);
}

#[test]
fn status_tells_the_token_and_every_host() {
    let service = Service::start();
    let home = service.home(DemoRole::NoHistory);
    let line = home.run("status --format json").ends(0).line();
    assert_eq!(line["status"]["active"], true);
    assert!(line["status"]["queriesRemaining"].is_u64());
    let areas: Vec<&str> = line["hosts"]
        .as_array()
        .expect("list")
        .iter()
        .filter_map(|host| host["area"].as_str())
        .collect();
    assert_eq!(
        areas,
        [
            "status",
            "lookup",
            "history",
            "tags",
            "feeds",
            "feed-history",
            "realtime",
            "exports"
        ]
    );
    assert_eq!(line["hosts"][4]["status"], serde_json::Value::Null);

    home.run("status --below 1").ends(0);
    home.run("status --below 1000000 -q")
        .ends(4)
        .shows("queries left")
        .says("queries are left, below 1,000,000");

    let tested = home.run("status --test --format json").ends(0).line();
    assert_eq!(
        (&tested["hosts"][4]["status"], &tested["hosts"][5]["status"]),
        (&200.into(), &403.into())
    );
    assert!(
        tested["hosts"][5]["meaning"]
            .as_str()
            .is_some_and(|meaning| meaning.contains("no historical access"))
    );
    assert_eq!(service.demo.spent(DemoRole::NoHistory), 0);
    assert!(
        service
            .asked(FaultSite::Context)
            .iter()
            .all(|target| target == "/status")
    );

    service
        .home(DemoRole::Inactive)
        .run("status")
        .ends(3)
        .says("the token is not active")
        .shows("active        no");
    let invalid = service
        .home(DemoRole::Invalid)
        .run("status --test --format json");
    let object = invalid.ends(3).line();
    assert_eq!(
        (&object["status"], &object["error"]["status"]),
        (&serde_json::Value::Null, &401.into())
    );
    assert_eq!(
        object["hosts"][7]["meaning"],
        "the Context API rejected this token (401)"
    );
    let unreachable = Home::of(
        &[
            (Host::Context, service.demo.url(Host::Context)),
            (Host::Feeds, "http://127.0.0.1:9".into()),
        ],
        Some(DemoRole::Full.token()),
    );
    unreachable
        .run("status --test")
        .ends(1)
        .says("error: feeds");
}

#[test]
fn a_doctor_finds_everything_in_order() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull dch").ends(0);
    let ran = home.run("doctor");
    ran.ends(0)
        .shows("config.toml: read")
        .shows("environment variable IPSPECT_TOKEN")
        .shows("exports on exports: allowed")
        .shows("1 releases");
    let lines = home.run("doctor --format json").ends(0).lines();
    assert!(
        lines
            .iter()
            .all(|line| line["level"] != "fail" && line["about"].is_string()),
        "{lines:?}"
    );
    home.run("doctor --offline")
        .ends(0)
        .shows("not asked: --offline");
    assert_eq!(service.demo.spent(DemoRole::Full), 0);
    home.run("doctor --format csv")
        .ends(0)
        .shows("level,about,said,advice");
    home.run("doctor --format md")
        .ends(0)
        .shows("### Doctor\n\n")
        .shows(" checks")
        .shows("\n- **ok**");
    home.run("doctor --config --format md")
        .ends(0)
        .shows("### Configuration\n\n")
        .shows("| `network.attempts` | 5 | default |");
    let values = home.run("doctor --config --fields key,value --format csv --spreadsheet-safe");
    assert_eq!(values.ends(0).out.lines().next(), Some("key,value"));
    let levels = home.run("doctor --fields level,about");
    assert!(levels.ends(0).out.starts_with("LEVEL  ABOUT"), "{levels:?}");
}

#[test]
fn a_doctor_says_what_is_wrong_with_the_code_of_the_first() {
    Home::empty()
        .run("doctor")
        .ends(3)
        .shows("fail  token")
        .shows("ipspect login");
    let empty = Home::empty().with_token("some-token-1");
    empty
        .run("doctor")
        .ends(2)
        .shows("base_url, feeds_url and exports_url are not set");
    let service = Service::start();
    service
        .home(DemoRole::Invalid)
        .run("doctor")
        .ends(3)
        .shows("most likely invalid");
    service
        .home(DemoRole::ContextOnly)
        .run("doctor")
        .ends(0)
        .shows("warn  hosts");
    let home = service.home(DemoRole::Full).without_token();
    login(&home, "login --offline", DemoRole::Full.token()).ends(0);
    fs::set_permissions(home.path("config/token"), fs::Permissions::from_mode(0o644))
        .expect("chmod");
    home.run("doctor")
        .ends(3)
        .shows("mode 644")
        .shows("chmod 600");
    let gone = Home::of(
        &[(Host::Context, "http://127.0.0.1:9".to_owned())],
        Some("some-token-1"),
    );
    gone.run("doctor --retries 0").ends(5).shows("fail  hosts");
}

/// `doctor --config` says of each value where it comes from, and what it overrides; never a token.
#[test]
fn a_doctor_names_each_value_with_its_place() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let text = home.read("config/config.toml").replace(
        "[network]",
        "[ui]\ntheme = \"light\"\n[network]\nattempts = 3",
    );
    home.configure(&text);
    let ran = home.run("doctor --config --retries 1 --format json");
    let lines = ran.ends(0).lines();
    let of = |key: &str| lines.iter().find(|line| line["key"] == key).expect(key);
    let attempts = of("network.attempts");
    assert_eq!(
        (&attempts["value"], &attempts["from"]),
        (&2.into(), &"--retries".into())
    );
    assert_eq!(attempts["overrode"][0]["value"], 3);
    let theme = of("ui.theme");
    assert_eq!(
        (&theme["value"], &theme["source"]),
        (&"light".into(), &"file".into())
    );
    let line = theme["from"]
        .as_str()
        .and_then(|from| from.rsplit_once(':'));
    let number = line.and_then(|(_, number)| number.parse::<usize>().ok());
    let text = home.read("config/config.toml");
    assert!(number.is_some_and(|at| text.lines().nth(at - 1) == Some("theme = \"light\"")));
    assert_eq!(of("guards.warn_below")["source"], "default");
    assert_eq!(of("token")["from"], "IPSPECT_TOKEN");
    let text = home.run("doctor --config").ends(0).out.clone();
    assert!(
        text.contains("environment variable IPSPECT_TOKEN"),
        "{text}"
    );
    assert!(!text.contains(DemoRole::Full.token()), "{text}");
    home.run("doctor --config --format csv")
        .ends(0)
        .shows("key,value,source,from,overrode");
    home.run("status --config")
        .ends(2)
        .says("--config needs a FILE");
}

#[test]
fn the_sample_is_a_configuration() {
    let home = Home::empty();
    let sample = home.run("doctor --sample").ends(0).out.clone();
    home.configure(&sample);
    home.run("status --offline").ends(2).says("--offline");
}

#[test]
fn a_token_command_is_asked_and_not_shown() {
    let service = Service::start();
    let home = Home::empty();
    let (url, token) = (service.demo.url(Host::Context), DemoRole::Full.token());
    home.configure(&format!("[profiles.default]\nbase_url = \"{url}\"\ntoken_command = [\"/bin/sh\", \"-c\", \"echo {token}\"]\n"));
    home.run("status").ends(0).shows("active");
    home.run("doctor").ends(0).shows("token_command (/bin/sh)");
    home.configure(&format!(
        "[profiles.default]\nbase_url = \"{url}\"\ntoken_command = [\"/bin/false\"]\n"
    ));
    home.run("status").ends(3).says("token_command");
}

#[test]
fn a_token_that_is_typed_does_not_show() {
    let home = Home::empty();
    let program = env!("CARGO_BIN_EXE_ipspect");
    let start = || {
        Terminal::start(
            (80, 10),
            program,
            &["login", "--offline"],
            home.root.path(),
            &[],
        )
    };
    let mut terminal = start();
    terminal.wait_for("not shown");
    terminal.type_text("typed-token-x");
    terminal.press("bksp 1 enter");
    terminal.wait_for("stored in");
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(home.read("config/token").trim(), "typed-token-1");
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(!raw.contains("typed"), "{raw}");

    for (end, code) in [("ctrl-c", 130), ("esc", 130), ("TERM", 143)] {
        let mut terminal = start();
        terminal.wait_for("not shown");
        terminal.type_text("another");
        match end {
            "TERM" => terminal.signal(end),
            key => terminal.press(key),
        }
        assert_eq!(terminal.exit_code(), code, "{end}");
        assert!(
            terminal.screen().contains("no token was stored"),
            "{end}: {}",
            terminal.screen()
        );
    }
    assert_eq!(home.read("config/token").trim(), "typed-token-1");
}
