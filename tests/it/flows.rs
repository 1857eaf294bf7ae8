//! The flows of an investigation, key by key, and what the service saw of each: first run, an address and its pivots, two days, a log,
//! the quota.

use std::{fmt::Write, net::IpAddr, os::unix::fs::PermissionsExt};

use ipspect::{
    contract::Host,
    demo::{DemoRole, FaultSite},
    model::Day,
    report::count,
};

use crate::{
    explorer_requests::{ADDRESS, PROGRAM, copied, explorer, line_with, lookups, telling},
    home::{Here, subject},
    pty::Terminal,
    service::{Home, Service, files_below, until},
};

/// A side of the screen.
#[derive(Clone, Copy)]
pub(crate) enum Side {
    Left,
    Right,
}

/// The row under the cursor of the pane at a side: where it is, and its text.
pub(crate) fn marked(screen: &str, side: Side) -> Option<(usize, String)> {
    let in_pane = |line: &str| {
        let pane = match (side, line.split_once("││")) {
            (Side::Left, Some((pane, _))) | (Side::Right, Some((_, pane))) => pane,
            (_, None) => line,
        };
        let row = pane.trim_start_matches('│').trim_start();
        let row = row.strip_prefix("> ")?.trim_end_matches('│').trim();
        Some(row.to_owned())
    };
    // The line below the header is a field, whose sign is the same.
    let mut rows = screen.lines().enumerate().skip(2);
    rows.find_map(|(at, line)| Some((at, in_pane(line)?)))
}

/// What tells a row from those around it: in a form its label, in a record its first two columns, since counts and prices may come
/// at any time.
fn label(screen: &str, side: Side) -> String {
    let row = marked(screen, side).map_or_else(String::new, |(_, row)| row);
    match side {
        Side::Left => row.split(' ').next().unwrap_or_default().to_owned(),
        Side::Right => {
            let columns = row.split("  ").filter(|column| !column.is_empty());
            columns.take(2).collect::<Vec<_>>().join("  ")
        }
    }
}

/// Presses a key until the row under the cursor begins so.
#[track_caller]
pub(crate) fn go_to(terminal: &mut Terminal, key: &str, side: Side, beginning: &str) {
    for _ in 0..60 {
        let before = label(&terminal.screen(), side);
        if before.starts_with(beginning) {
            return;
        }
        terminal.press(key);
        terminal.wait_until(&format!("another row than {before:?}"), |screen| {
            label(screen, side) != before
        });
    }
    panic!("no row {beginning}\n{}", terminal.screen());
}

/// Looks an address up by its keys.
fn look_up(terminal: &mut Terminal, address: &str) {
    terminal.press("i");
    terminal.type_text(address);
    terminal.press("enter");
}

/// Leaves, with nothing under way.
#[track_caller]
fn leave(terminal: &mut Terminal) {
    terminal.press("ctrl-c");
    assert_eq!(terminal.exit_code(), 0);
}

/// The first frame names what is missing and a key for each way on. The demo takes nothing from the service; a token is tested without a
/// query, and stored where that was asked for, with mode 0600.
#[test]
fn first_run_no_token() {
    let service = Service::start();
    let home = Home::empty();
    let root = home.root.path();
    let mut terminal = Terminal::start((120, 36), PROGRAM, &[], root, &[]);
    for told in [
        "No service is configured yet",
        "no token",
        "no base_url, feeds_url, exports_url",
        "T       enter token",
        "enter   open the demo",
        "IPSPECT_TOKEN, token_command",
        "config/token",
    ] {
        terminal.wait_for(told);
    }
    terminal.press("enter");
    terminal.wait_for("DEMO invented data");
    terminal.press("enter");
    terminal.wait_for("VPN exit of ACME_VPN");
    line_with(&terminal, &["DEMO invented data", "bal 48,119"]);
    assert_eq!(service.demo.requests().len(), 0);

    // The tour presses real keys.
    terminal.press("?");
    terminal.type_text("tour");
    terminal.press("enter");
    let steps = [
        ("4", "not local"),
        ("p", "  ok "),
        ("enter", "exact"),
        ("enter", "> operator"),
        ("enter", "exact"),
        ("bksp", "Pivot (enter)"),
    ];
    for (step, (key, then)) in steps.into_iter().enumerate() {
        terminal.wait_for(&format!("Tour {}/6", step + 1));
        terminal.press(key);
        terminal.wait_for(then);
    }
    terminal.wait_for("The tour is over");
    terminal.press("esc");
    terminal.gone("Tour 6/6");
    line_with(&terminal, &["DEMO invented data", "bal 48,119"]);

    // From the demo to a service of one's own, for now.
    let secret = service.demo.token(DemoRole::Full);
    terminal.press("T");
    terminal.wait_for("Token and hosts");
    terminal.type_text(secret);
    for host in Host::ALL {
        terminal.press("tab");
        terminal.type_text(&service.demo.url(host));
    }
    terminal.press("enter");
    terminal.wait_for("access tested, no query was spent");
    terminal.gone("DEMO invented data");
    terminal.wait_for("48,120 queries remaining");
    assert!(!home.path("config/token").exists());
    assert_eq!(telling(&service), [""; 0]);
    assert!(
        !service.asked(FaultSite::Feeds).is_empty()
            && !service.asked(FaultSite::Exports).is_empty()
    );

    // The same, to stay: with an empty field it is the token in use.
    terminal.press("T");
    terminal.wait_for("Token and hosts");
    terminal.press("s-tab space enter");
    until("the token file", || home.path("config/token").exists());
    leave(&mut terminal);
    let token = std::fs::metadata(home.path("config/token")).expect("the token file");
    assert_eq!(token.permissions().mode() & 0o777, 0o600);
    let raw = String::from_utf8_lossy(&terminal.raw()).into_owned();
    assert!(!raw.contains(secret), "the token is shown");
    assert_eq!(lookups(&service), 0);

    let mut again = Terminal::start((120, 36), PROGRAM, &[], root, &[]);
    again.wait_for("Who is behind an address");
    leave(&mut again);
}

/// Local first, live where it is asked for; to a tag, to its reseller, and back to the same row. What was visited survives a restart and
/// is erased by name.
#[test]
fn a_suspicious_address_its_pivots_and_back() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous", "service-metrics"]);
    let root = here.home.root.path();
    let token = service.demo.token(DemoRole::Full);
    let variables = [("IPSPECT_TOKEN", token)];
    let mut terminal = Terminal::start((120, 36), PROGRAM, &[ADDRESS], root, &variables);
    line_with(&terminal, &[ADDRESS, "LOCAL anonymous", " old"]);
    terminal.wait_for("(absent)");
    assert_eq!(telling(&service), [""; 0]);

    // What is not public is refused before it is sent.
    terminal.press("i");
    terminal.type_text("10.0.0.5");
    terminal.wait_for("not sent: private");
    terminal.press("enter");
    terminal.wait_for("10.0.0.5 is not public (private): nothing was sent");
    terminal.press("bksp");
    line_with(&terminal, &[ADDRESS, "LOCAL anonymous"]);
    assert_eq!(telling(&service), [""; 0]);

    // To the tag of a tunnel, from there to a reseller, and back: the same row at the same height.
    go_to(&mut terminal, "down", Side::Right, "VPN ");
    let left = marked(&terminal.screen(), Side::Right);
    terminal.press("enter");
    terminal.wait_for("[2 Tags]");
    terminal.wait_for("local, service-metrics of ");
    assert_eq!(telling(&service), [""; 0]);
    terminal.press("R");
    terminal.gone("local, service-metrics of ");
    assert_eq!(telling(&service).len(), 1, "{:?}", telling(&service));
    go_to(&mut terminal, "down", Side::Right, "resold by ");
    terminal.press("enter");
    terminal.gone("Acme Virtual Private Network");
    terminal.press("bksp");
    terminal.wait_for("Acme Virtual Private Network");
    terminal.press("bksp");
    terminal.wait_for("[1 Lookup]");
    terminal.wait_until("the row that was left", |screen| {
        marked(screen, Side::Right) == left
    });
    assert_eq!(lookups(&service), 0);

    // Live beside local, for one query; what the contract does not name is in the raw tree.
    service.arm("context:oddx1");
    terminal.press("R");
    line_with(&terminal, &[ADDRESS, "LIVE ", "just now"]);
    terminal.wait_for("differs:");
    assert_eq!(lookups(&service), 1);
    terminal.press("r");
    terminal.wait_for("infrastructure: \"TWICE\"");
    terminal.press("r");
    terminal.gone("infrastructure: \"TWICE\"");
    leave(&mut terminal);

    // The trail after a restart: searched, shown again for nothing, erased.
    let mut terminal = explorer(&service, root, DemoRole::Full);
    terminal.wait_for(&format!("{ADDRESS} "));
    terminal.press("ctrl-t /");
    terminal.type_text("acme");
    terminal.wait_for("t ACME_VPN");
    terminal.gone("t BRAVO_PROXY");
    terminal.press("esc");
    terminal.wait_for("t BRAVO_PROXY");
    terminal.press("g enter");
    terminal.wait_for("Pivot (enter)");
    assert_eq!(lookups(&service), 1);
    for file in files_below(&root.join("state")) {
        let text = std::fs::read(&file).expect("a file of the state");
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(!text.contains(token), "{file:?} has the token");
    }
    terminal.press(":");
    terminal.type_text("forget");
    terminal.press("enter");
    terminal.wait_for("Erase the trail");
    terminal.press("y");
    terminal.wait_for("no lookups yet");
    leave(&mut terminal);
    let mut terminal = explorer(&service, root, DemoRole::Full);
    terminal.wait_for("no lookups yet");
    leave(&mut terminal);
    assert_eq!(lookups(&service), 1);
}

/// Each side is one query at most; what was shown before is free, also after a restart.
#[test]
fn two_dates() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let root = home.root.path();
    let today = Day::of(jiff::Timestamp::now());
    let [then, before] = [-9, -10].map(|days| today.plus(days).dashed());
    let mut terminal = explorer(&service, root, DemoRole::Full);
    look_up(&mut terminal, ADDRESS);
    line_with(&terminal, &[ADDRESS, "LIVE "]);
    assert_eq!(lookups(&service), 1);

    // The price is there before Enter.
    terminal.press("c");
    terminal.wait_for("Compare with");
    terminal.type_text("-9");
    terminal.wait_for("9 days ago");
    terminal.wait_for("1 query");
    assert_eq!(lookups(&service), 1);
    terminal.press("enter");
    terminal.wait_for("equal rows hidden, . shows");
    line_with(&terminal, &["A", &then, "LIVE"]);
    line_with(&terminal, &["BRAVO_PROXY"]);
    line_with(&terminal, &["client.count", " 3 ", " 14 "]);
    assert_eq!(lookups(&service), 2);

    // Equal rows, the other way round, and the differences as text.
    terminal.press(".");
    line_with(&terminal, &["=  as.number"]);
    terminal.press(". %");
    line_with(&terminal, &["client.count", " 14 ", " 3 "]);
    terminal.press("% y r");
    terminal.wait_for("copied");
    assert!(copied(&terminal).contains("client.count: 3 -> 14"));

    // A step to another day asks nothing by itself.
    terminal.press("[");
    terminal.wait_for("not shown yet");
    assert_eq!(lookups(&service), 2);
    terminal.press("enter");
    line_with(&terminal, &["A", &before, "LIVE"]);
    assert_eq!(lookups(&service), 3);
    terminal.press("]");
    line_with(&terminal, &["A", &then, "LIVE"]);
    assert_eq!(lookups(&service), 3);
    leave(&mut terminal);

    // In the next session both sides are there.
    let mut terminal = explorer(&service, root, DemoRole::Full);
    look_up(&mut terminal, ADDRESS);
    line_with(&terminal, &[ADDRESS, "CACHED ", "just now"]);
    terminal.press("c");
    terminal.wait_for("Compare with");
    terminal.type_text("-9");
    terminal.wait_for("shown before: free");
    terminal.press("enter");
    line_with(&terminal, &["client.count", " 3 ", " 14 "]);
    leave(&mut terminal);
    assert_eq!(lookups(&service), 3);
    assert_eq!(home.spent(), (3, 0));
}

/// A pasted log becomes a table of its public addresses with what is local and cached: sorted, filtered, opened, exported. Nothing is sent.
#[test]
fn five_hundred_addresses_of_a_log() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let of = |here: &Here, feed| {
        let all = here.records(feed).iter().filter_map(subject);
        let all: Vec<IpAddr> = all.map(|network| network.addr()).collect();
        all
    };
    let local = of(&here, "anonymous");
    let other = Here::of(service.home(DemoRole::Full), &["anonymous-residential"]);
    let mut unknown = of(&other, "anonymous-residential");
    unknown.retain(|address| here.known(&address.to_string()).is_empty());
    assert!(local.len() > 100 && unknown.len() > 10);
    let before = lookups(&service);

    // One of them is cached: it was looked up before.
    let mut terminal = explorer(&service, here.home.root.path(), DemoRole::Full);
    look_up(&mut terminal, &unknown[0].to_string());
    line_with(&terminal, &[&unknown[0].to_string(), "LIVE "]);
    assert_eq!(lookups(&service), before + 1);

    // 500 lines: each address once, some again, some defanged or with a port, some that are nobody's, some lines without any.
    let mut log = String::new();
    for (at, address) in local.iter().chain(&unknown).enumerate() {
        let address = address.to_string();
        let shown = match at % 3 {
            0 => address.replace('.', "[.]"),
            1 => format!("{address}:443"),
            _ => address,
        };
        let _ = writeln!(log, "Nov 20 10:41:{:02} deny src={shown} len=60", at % 60);
    }
    for address in &local[..77] {
        let _ = writeln!(log, "again {address}");
    }
    for last in 0..22 {
        let _ = writeln!(log, "from 10.0.0.{last}");
    }
    log += &"a line about nothing\n".repeat(500 - log.lines().count());
    terminal.paste(&log);
    let (known, others) = (local.len() + 1, unknown.len() - 1);
    for told in [
        format!("{} addresses", known + others + 22),
        format!("unknown {others}"),
        "+4 more".to_owned(),
    ] {
        terminal.wait_for(&told);
    }
    // Alone the table has room for all of its numbers.
    terminal.resize(119, 36);
    terminal.wait_for("not public 22");
    line_with(&terminal, &["[1 Lookup]", "bal "]);
    assert_eq!(lookups(&service), before + 1);

    // Filtered by words, a row opened and left again, the table for a ticket.
    terminal.press("/");
    terminal.type_text("ACME_VPN");
    terminal.press("enter");
    line_with(&terminal, &["/ ACME_VPN", "esc clears"]);
    terminal.press("down");
    terminal.wait_until("the second row", |screen| screen.contains(" 2 of "));
    let left = marked(&terminal.screen(), Side::Right);
    let back_at_it = |terminal: &Terminal| {
        terminal.wait_until("the row that was left", |screen| {
            marked(screen, Side::Right) == left
        });
    };
    terminal.press("enter");
    terminal.wait_for("Pivot (enter)");
    terminal.press("bksp");
    back_at_it(&terminal);
    terminal.press("y m");
    terminal.wait_for("copied");
    let ticket = copied(&terminal);
    assert!(ticket.contains("- **filter:** ACME_VPN"), "{ticket}");
    assert!(ticket.contains("| address | verdict |"), "{ticket}");

    // An export with the operators found.
    terminal.press("E");
    terminal.wait_for("[5 Export]");
    line_with(&terminal, &["tags", "ACME_VPN"]);
    terminal.wait_for("an export has no addresses");
    terminal.press("bksp");
    back_at_it(&terminal);
    terminal.press("esc");
    terminal.gone("esc clears");
    assert_eq!(lookups(&service), before + 1);
    assert_eq!(service.asked(FaultSite::Exports), [""; 0]);

    // What is unknown is looked up after the plan and a question: each address once.
    terminal.press("$");
    terminal.wait_for(&format!("enter sends {others} queries"));
    terminal.press("enter");
    terminal.wait_for(&format!("Send {others} queries?"));
    assert_eq!(lookups(&service), before + 1);
    terminal.press("y");
    terminal.wait_for(&format!("{others} looked up"));
    terminal.gone("  unknown ");
    terminal.gone("~ reading");
    assert_eq!(lookups(&service), before + 1 + others);
    terminal.press("$");
    terminal.wait_for("every row has an answer");
    leave(&mut terminal);
    assert_eq!(lookups(&service), before + 1 + others);
}

/// The balance is in the header with its last change; what others spend is told apart; guards hold; each refusal is explained by what
/// the other hosts said.
#[test]
fn watching_the_quota() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let mut terminal = explorer(&service, home.root.path(), DemoRole::Full);
    terminal.wait_for("bal 48,120");
    look_up(&mut terminal, ADDRESS);
    line_with(&terminal, &["[1 Lookup]", "bal 48,119"]);
    look_up(&mut terminal, "198.51.100.9");
    line_with(&terminal, &["[1 Lookup]", "bal 48,118 (last -1)"]);

    // Somebody else uses the token: the balance falls by more than this machine spent.
    let others = service.home(DemoRole::Full);
    for last in 78..81 {
        let line = format!("lookup 198.51.100.{last} --source live");
        others.run(&line).ends(0);
    }
    let spent = lookups(&service);
    terminal.press("3");
    terminal.wait_for("queries remaining");
    terminal.press("R");
    terminal.wait_for("48,115 queries remaining");
    terminal.wait_for("balance fell by 3 since ");
    terminal.wait_for("somebody else uses this token");
    terminal.press("t");
    terminal.wait_for("access tested, no query was spent");
    assert_eq!(lookups(&service), spent);

    // A hard stop, set in place.
    terminal.press("a");
    terminal.wait_for("Guards");
    terminal.press("tab ctrl-u");
    terminal.type_text("48115");
    terminal.press("tab enter");
    terminal.wait_for("guards kept in");
    terminal.press("1");
    look_up(&mut terminal, "198.51.100.82");
    terminal.wait_until("a query although the balance is not below", |screen| {
        screen.contains("bal 48,114 (last -1)")
    });
    terminal.press("R");
    terminal.wait_for("below the guard");
    assert_eq!(lookups(&service), spent + 1);
    leave(&mut terminal);
    assert_eq!(home.spent(), (3, 0));

    for (role, meanings) in [
        (
            DemoRole::ContextOnly,
            &["no feed access", "no export access"][..],
        ),
        (DemoRole::Throttled, &["slow down, try again later"]),
        (
            DemoRole::Invalid,
            &["token most likely invalid", "rejected this token"],
        ),
    ] {
        let home = service.home(role);
        let mut terminal = explorer(&service, home.root.path(), role);
        terminal.press("3 t");
        terminal.wait_for("access tested");
        for meaning in meanings {
            terminal.wait_for(meaning);
        }
        leave(&mut terminal);
        assert_eq!(home.spent(), (0, 0));
    }
    let home = service.home(DemoRole::Spent);
    let mut terminal = explorer(&service, home.root.path(), DemoRole::Spent);
    look_up(&mut terminal, ADDRESS);
    terminal.wait_for("x ");
    terminal.press("3");
    terminal.wait_for("token valid, no queries left");
    leave(&mut terminal);
    assert_eq!(home.spent(), (0, 0));
    assert_eq!(count(lookups(&service) as u64), count(spent as u64 + 2));
}
