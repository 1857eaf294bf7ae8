//! The explorer, end to end: the real program in a real pseudo-terminal, on the embedded service.

use ipspect::{contract::Host, demo::DemoRole};

use crate::{home::Here, pty::Terminal, service::Service};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ipspect");

/// The explorer on the embedded service, with its first screen drawn.
fn demo(size: (u16, u16), home: &tempfile::TempDir) -> Terminal {
    let terminal = Terminal::start(size, PROGRAM, &["demo"], home.path(), &[]);
    terminal.wait_for("all data is invented");
    terminal
}

fn home() -> tempfile::TempDir {
    tempfile::tempdir().expect("a folder")
}

/// What the issue asks of the first command: look up, compare two dates, pivot, yank.
#[test]
fn an_address_is_looked_up_compared_pivoted_from_and_copied() {
    let home = home();
    let mut terminal = demo((120, 36), &home);
    terminal.press("i");
    terminal.type_text("198.51.100.77");
    terminal.press("enter");
    terminal.wait_for("Pivot (enter)");
    terminal.wait_for("bal 48,119");
    assert!(
        terminal.screen().contains("VPN exit of ACME_VPN"),
        "{}",
        terminal.screen()
    );

    terminal.press("c");
    terminal.wait_for("Compare with");
    terminal.type_text("-9");
    terminal.press("enter");
    terminal.wait_for("equal rows hidden");
    terminal.wait_for("BRAVO_PROXY");
    terminal.press("esc");
    terminal.wait_for("Pivot (enter)");

    terminal.press("enter");
    terminal.wait_for("[2 Tags]");
    terminal.press("bksp");
    terminal.wait_for("[1 Lookup]");
    terminal.wait_for("> operator");

    terminal.press("y i");
    terminal.wait_for("copied 198.51.100.77");
    let copied = b"\x1b]52;c;MTk4LjUxLjEwMC43Nw==";
    assert!(
        terminal
            .raw()
            .windows(copied.len())
            .any(|window| window == copied)
    );
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
}

/// The explorer asks for the balance before its first query, and sends none below the guard.
#[test]
fn the_balance_guard_holds() {
    let home = home();
    std::fs::create_dir(home.path().join("config")).expect("a folder");
    let config = "[guards]\nstop_below = 1000000\n";
    std::fs::write(home.path().join("config/config.toml"), config).expect("a file");
    let mut terminal = demo((120, 36), &home);
    terminal.press("i");
    terminal.type_text("198.51.100.77");
    terminal.press("enter");
    terminal.wait_for("below the guard");
    // As many as at the start: the status names them and costs none.
    terminal.wait_for("48,120");
    assert!(!terminal.screen().contains("ACME_VPN"));
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn the_trail_is_there_again_after_a_restart_without_a_query() {
    let home = home();
    let mut first = demo((120, 36), &home);
    first.press("enter");
    first.wait_for("Pivot (enter)");
    first.press("q");
    assert_eq!(first.exit_code(), 0);

    let mut second = demo((120, 36), &home);
    second.wait_for("! 198.51.100.77");
    second.press("ctrl-t enter");
    second.wait_for("CACHED");
    second.wait_for("bal 48,120");
    assert!(!second.screen().contains("(-1)"), "{}", second.screen());
}

/// With a feed pulled, an address of it costs no query until one is asked for.
#[test]
fn an_address_of_a_local_feed_is_shown_without_a_query() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let token = [("IPSPECT_TOKEN", service.demo.token(DemoRole::Full))];
    let home = here.home.root.path();
    let mut terminal = Terminal::start((120, 36), PROGRAM, &["198.51.100.77"], home, &token);
    terminal.wait_for("LOCAL anonymous 20");
    terminal.wait_for("VPN exit of ACME_VPN");
    assert!(service.paid().is_empty());
    terminal.press("R");
    terminal.wait_for("LIVE 20");
    assert_eq!(service.paid().len(), 1);
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_local_feed_is_browsed_filtered_and_looked_up_without_a_query() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let records = here.records("anonymous");
    let is_meant = |record: &&serde_json::Value| {
        let tunnels = record["tunnels"].as_array().into_iter().flatten();
        let mut operators = tunnels.map(|tunnel| &tunnel["operator"]);
        operators.any(|operator| operator == "ACME_VPN") && record["infrastructure"] == "DATACENTER"
    };
    let (all, meant) = (records.len(), records.iter().filter(is_meant).count());
    let result = |count| {
        let [count, all] = [count, all].map(|number| ipspect::report::count(number as u64));
        format!("{count} of {all} records")
    };
    let token = [("IPSPECT_TOKEN", service.demo.token(DemoRole::Full))];
    let home = here.home.root.path();
    let mut terminal = Terminal::start((120, 36), PROGRAM, &[], home, &token);
    terminal.wait_for("ipspect");
    terminal.press("4");
    terminal.wait_for("indexed");
    terminal.press("enter");
    terminal.wait_for(&result(all));
    terminal.wait_for("DATACENTER");
    terminal.press("/");
    terminal.type_text("tag:ACME_V");
    terminal.wait_for("tab completes");
    terminal.press("tab");
    terminal.type_text(" infra:DATACENTER");
    terminal.press("enter");
    terminal.wait_for(&result(meant));
    terminal.press("enter");
    terminal.wait_for("[1 Lookup]");
    terminal.press("bksp");
    terminal.wait_for(&result(meant));
    terminal.wait_for("/ tag:ACME_VPN infra:DATACENTER");
    assert!(service.paid().is_empty());
    terminal.press("q q");
    assert_eq!(terminal.exit_code(), 0);
}

/// A pasted log becomes a table that local feeds fill; its rows are opened and left again. No query is sent.
#[test]
fn a_pasted_log_is_a_table_that_costs_nothing() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let token = [("IPSPECT_TOKEN", service.demo.token(DemoRole::Full))];
    let home = here.home.root.path();
    let mut terminal = Terminal::start((120, 36), PROGRAM, &[], home, &token);
    terminal.wait_for("Who is behind an address");
    terminal.paste("deny 198.51.100.77:443\nallow 198[.]51[.]100[.]9, 10.0.0.5 2001:db8:ffff::1\n");
    terminal.wait_for("VPN 2");
    terminal.wait_for("unknown 1");
    terminal.press("enter");
    terminal.wait_for("records, local 20");
    terminal.press("bksp");
    terminal.wait_for("4 addresses");
    terminal.press("G up enter");
    terminal.wait_for("R asks the service: 1 query");
    assert!(service.paid().is_empty());
    terminal.press("bksp");
    terminal.wait_for("4 addresses");
    terminal.press("$");
    terminal.wait_for("enter sends 1 query");
    // It is looked up elsewhere while the plan is open: that answer is in the cache.
    here.home
        .command("lookup 2001:db8:ffff::1 --source live")
        .output()
        .expect("looked up");
    assert_eq!(service.paid().len(), 1);
    terminal.press("enter");
    terminal.wait_for("1 looked up");
    terminal.wait_for("nothing noted 1");
    assert_eq!(service.paid().len(), 1, "it is not paid for again");
    terminal.press("q q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn what_is_not_public_is_refused_before_anything_is_sent() {
    let home = home();
    let mut terminal = demo((120, 36), &home);
    terminal.press("i");
    terminal.paste("10.0.0.5\n");
    terminal.press("enter");
    terminal.wait_for("not public (private): nothing was sent");
    terminal.wait_for("bal 48,120");
    assert!(!terminal.screen().contains("(-1)"), "{}", terminal.screen());
}

#[test]
fn the_terminal_is_left_as_it_was_found() {
    let restored: [&[u8]; 4] = [b"\x1b[?1049l", b"\x1b[?2004l", b"\x1b[?1004l", b"\x1b[?25h"];
    for (ending, code) in [("q", 0), ("TERM", 143), ("HUP", 129)] {
        let home = home();
        let mut terminal = demo((80, 24), &home);
        if ending == "q" {
            terminal.press("q");
        } else {
            terminal.signal(ending);
        }
        assert_eq!(terminal.exit_code(), code, "{ending}");
        let raw = terminal.raw();
        for mode in restored {
            assert!(
                raw.windows(mode.len()).any(|window| window == mode),
                "{ending}: {mode:?}"
            );
        }
    }
}

#[test]
fn any_size_will_do() {
    let home = home();
    let mut terminal = demo((120, 36), &home);
    for (columns, rows) in [(58, 14), (1, 1), (20, 200), (300, 3), (80, 24)] {
        terminal.resize(columns, rows);
        terminal.press("down up");
    }
    terminal.wait_for("[1 Lookup]");
    terminal.resize(58, 14);
    terminal.wait_for("too small (58x14), need 60x16");
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn without_a_service_the_first_screen_says_what_is_missing_and_opens_the_demo() {
    let home = home();
    let mut terminal = Terminal::start((100, 30), PROGRAM, &[], home.path(), &[]);
    terminal.wait_for("No service is configured yet");
    terminal.wait_for("no token");
    terminal.press("enter");
    terminal.wait_for("all data is invented");
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn a_feed_is_downloaded_and_an_export_is_written_from_the_keyboard() {
    let home = home();
    let mut terminal = demo((120, 36), &home);
    terminal.press("4");
    terminal.wait_for("service-metrics");
    terminal.press("enter");
    terminal.wait_for("anonymous latest: ");
    let feeds = home.path().join("cache/demo/feeds/anonymous");
    let manifests = std::fs::read_dir(feeds)
        .expect("releases")
        .flatten()
        .map(|entry| entry.path().join("feed.json"));
    assert_eq!(manifests.filter(|path| path.is_file()).count(), 1);

    terminal.press("5");
    terminal.wait_for("?output=csv");
    terminal.press("ctrl-s");
    terminal.wait_for(".csv");
    terminal.press("enter");
    terminal.wait_for("records to ");
    let written = std::fs::read_dir(home.path())
        .expect("home")
        .flatten()
        .map(|entry| entry.path());
    let files: Vec<_> = written
        .filter(|path| path.extension().is_some_and(|ending| ending == "csv"))
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
}

#[test]
fn every_tab_can_be_used_on_a_small_screen() {
    let home = home();
    let mut terminal = demo((80, 24), &home);
    terminal.press("enter");
    terminal.wait_for("> operator");
    terminal.press("enter");
    terminal.wait_for("Acme Virtual Private Network");
    terminal.press("3");
    terminal.wait_for("queries remaining");
    terminal.press("t");
    terminal.wait_for("asking each host what it allows");
    terminal.press("4");
    terminal.wait_for("anonymous-residential-ipv6");
    terminal.press("5");
    terminal.wait_for("Build");
    terminal.press("1");
    terminal.wait_for("VPN exit of ACME_VPN");
    terminal.press("?");
    terminal.wait_for("type to search");
    terminal.type_text("quit");
    terminal.wait_for("else quit");
    terminal.press("esc");
    terminal.gone("type to search");
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
}

/// What is picked goes down the pipe, and nothing else does: the screen is on the terminal beside it.
#[test]
fn in_a_pipe_the_explorer_prints_what_was_picked() {
    let home = home();
    let line = format!("'{PROGRAM}' demo 198.51.100.77 > picked");
    let size = (120, 36);
    let mut terminal = Terminal::start(size, "sh", &["-c", &line], home.path(), &[]);
    terminal.wait_for("Pivot (enter)");
    terminal.press("Q");
    assert_eq!(terminal.exit_code(), 0);
    let picked = std::fs::read_to_string(home.path().join("picked")).expect("a file");
    assert_eq!(picked, "198.51.100.77\n");
}

/// The token of the embedded service is entered in place with its addresses, tested, and kept where that was asked.
#[test]
fn token_and_addresses_are_entered_in_place_tested_and_kept() {
    let service = Service::start();
    let home = home();
    let mut terminal = Terminal::start((120, 36), PROGRAM, &[], home.path(), &[]);
    terminal.wait_for("No service is configured yet");
    terminal.press("T");
    terminal.wait_for("Token and hosts");
    for host in Host::ALL {
        terminal.type_text(&service.demo.url(host));
        terminal.press("tab");
    }
    terminal.press("space tab");
    let secret = service.demo.token(DemoRole::Full);
    terminal.type_text(secret);
    terminal.press("enter");
    terminal.wait_for("access tested");
    terminal.wait_for("48,120");
    let seen = String::from_utf8_lossy(&terminal.raw()).contains(secret);
    assert!(!seen, "the token is shown");
    terminal.press("q");
    assert_eq!(terminal.exit_code(), 0);
    let token = home.path().join("config/token");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &std::fs::metadata(&token)
            .expect("the token file")
            .permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
    let config = std::fs::read_to_string(home.path().join("config/config.toml")).expect("a file");
    assert!(
        config.contains("[profiles.default]") && config.contains("exports_url"),
        "{config}"
    );
}
