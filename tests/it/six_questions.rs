//! The questions of an investigation, each in a fresh explorer and in one command: with how many keys, seconds and queries. Where a feed is
//! local it is none. `cargo test --test it six_questions -- --nocapture` prints them.

use std::{
    collections::BTreeMap,
    fs,
    io::{self, Write},
    path::Path,
    process::Command,
    time::Instant,
};

use ipspect::{demo::DemoRole, model::Day};
use serde_json::Value;

use crate::{
    explorer_requests::{PROGRAM, copied, explorer, line_with, lookups},
    home::Here,
    pty::Terminal,
    service::{Ran, Service, until},
};

const FEED: &str = "anonymous-residential";
const MOST_KEYS: usize = 12;

/// A home with a feed of three days, and a log of sign-ins.
struct Case {
    service: Service,
    here: Here,
    newest: Day,
    log: String,
}

/// A question that is being answered in the explorer. A typed text or a paste is one key.
struct Session<'c> {
    case: &'c Case,
    terminal: Terminal,
    keys: usize,
    began: Instant,
}

impl Case {
    fn new() -> Self {
        let service = Service::start();
        let here = Here::with(&service, &[FEED]);
        let newest: Day = here.day(FEED).parse().expect("a day");
        for back in [1, 4] {
            let day = newest.plus(-back);
            here.home
                .run(&format!("feeds pull {FEED} --date {day}"))
                .ends(0);
        }
        let addresses = here.some_addresses(240);
        let mut log = "time,user,src\n".to_owned();
        for place in 0..500_usize {
            // A prime beyond their number: all of them come, however many this day has.
            let address = &addresses[place * 241 % addresses.len()];
            let day = newest.plus(-[0, 1, 4][place % 3]);
            let user = place % 11;
            log += &format!(
                "{}T0{}:00:00Z,user{user},{address}\n",
                day.dashed(),
                place % 10
            );
        }
        fs::write(here.home.path("log"), log).expect("write");
        let log = here.home.path("log").display().to_string();
        Self {
            service,
            here,
            newest,
            log,
        }
    }

    fn run(&self, line: &str) -> Ran {
        let ran = self.here.home.run(line);
        ran.ends(0);
        ran
    }

    /// Asks a question in the explorer, within so many keys and without a query.
    fn ask(&self, question: &str, ask: impl FnOnce(&mut Session<'_>)) {
        let before = lookups(&self.service);
        let home = self.here.home.root.path();
        let mut session = Session {
            case: self,
            terminal: explorer(&self.service, home, DemoRole::Full),
            keys: 0,
            began: Instant::now(),
        };
        ask(&mut session);
        let Session {
            mut terminal,
            keys,
            began,
            ..
        } = session;
        let seconds = began.elapsed().as_secs_f64();
        terminal.press("ctrl-c");
        assert_eq!(terminal.exit_code(), 0);
        let queries = lookups(&self.service) - before;
        let text = format!("{question}: {keys} keys, {seconds:.1} s, {queries} queries\n");
        io::stderr().write_all(text.as_bytes()).expect("write");
        assert!(keys <= MOST_KEYS, "{text}");
        assert_eq!(queries, 0, "{text}");
    }
}

impl Session<'_> {
    fn press(&mut self, keys: &str) {
        self.keys += keys.split(' ').count();
        self.terminal.press(keys);
    }

    fn type_text(&mut self, text: &str) {
        self.keys += 1;
        self.terminal.type_text(text);
    }

    /// Opens the log as a table, which is read.
    fn open_log(&mut self) {
        self.open(&self.case.log);
    }

    /// Opens a text with several addresses as a table, which is read.
    fn open(&mut self, path: &str) {
        self.press(":");
        self.type_text(&format!("open {path}"));
        self.press("enter");
        self.terminal.wait_for("(a table;");
        self.terminal.gone("~ reading");
    }

    fn filter(&mut self, filter: &str) {
        self.press("/");
        self.type_text(filter);
        self.press("enter");
        self.terminal.wait_for(&format!("/ {filter}"));
    }
}

fn by_value(lines: &[Value]) -> BTreeMap<String, u64> {
    let group = |line: &Value| {
        let value = line["value"].as_str().unwrap_or("(none)").to_owned();
        (value, line["addresses"].as_u64().expect("a number"))
    };
    lines.iter().map(group).collect()
}

#[test]
fn ten_questions_are_answered_with_few_keys_and_no_query() {
    let case = Case::new();
    which_are_vpn(&case);
    who_came_through_a_proxy(&case);
    let address = the_busiest_operator(&case);
    was_it_so(&case, &address);
    since_when(&case, &address);
    what_they_share(&case);
    keep_it_over_a_restart(&case);
    write_the_vpn_rows(&case);
    what_changed(&case);
    the_ticket(&case);
}

fn since_when(case: &Case, address: &str) {
    let history = case.run(&format!("history {address}"));
    let since = history.out.split("since ").nth(1).expect("since when");
    let since = format!("since {}", &since[..10]);
    case.ask("since when is it so", |session| {
        session.press("i");
        session.type_text(address);
        session.press("enter");
        session.terminal.wait_for(&since);
    });
}

/// Forty addresses of one operator, and not those of the log: what is certain of a sample of all is another thing each day, or nothing.
fn what_they_share(case: &Case) {
    let busiest = case.run(&format!(
        "search {FEED} --facet tag --limit 1 --format json"
    ));
    let operator = busiest.line()["value"].clone();
    let operator = operator.as_str().expect("a tag");
    let theirs = case.run(&format!(
        "search {FEED} tag:{operator} --limit 40 --format ids"
    ));
    let log = case.here.home.path("theirs");
    fs::write(&log, theirs.out).expect("write");
    let shared = case.run(&format!("common theirs --feed {FEED} --format json"));
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let first = &shared.lines()[0];
    let value = format!("{} {}", text(&first["field"]), text(&first["value"]));
    case.ask("what do these addresses share", |session| {
        session.open(&log.display().to_string());
        session.press("C");
        session.terminal.wait_for(&value);
    });
}

/// A filtered table with a mark is there in the next run, whatever ends this one.
fn keep_it_over_a_restart(case: &Case) {
    let number = |line: &str| case.run(line).out.lines().count();
    let all = number("enrich log --format ids").to_string();
    let proxies = number("enrich log --filter is:proxy --format ids");
    let proxies = format!("proxy {proxies}");
    case.ask("keep it", |session| {
        session.open_log();
        session.filter("is:vpn");
        session.press("space");
        session.terminal.wait_for("1 marked");
    });
    case.ask("over a restart", |session| {
        line_with(&session.terminal, &["# log", &all, &proxies]);
        session.press("I");
        session.terminal.wait_for("(a table;");
        session.terminal.gone("~ reading");
        session.terminal.wait_for("/ is:vpn");
        session.terminal.wait_for("1 marked");
        session.press("esc esc");
        session.terminal.gone("/ is:vpn");
    });
}

/// The addresses of the file are those of the command line.
fn write_the_vpn_rows(case: &Case) {
    let vpn = case.run("enrich log --filter is:vpn --format ids").out;
    case.ask("write the VPN rows", |session| {
        session.open_log();
        session.filter("is:vpn");
        session.press("W");
        session.terminal.wait_for("Write rows to a file");
        session.type_text("vpn.txt");
        session.press("enter");
        session.terminal.wait_for("vpn.txt: ");
    });
    let written = fs::read_to_string(case.here.home.path("vpn.txt")).expect("a file");
    let sorted = |text: &str| {
        let mut lines: Vec<_> = text.lines().map(str::to_owned).collect();
        lines.sort_unstable();
        lines
    };
    assert_eq!(sorted(&written), sorted(&vpn));
}

fn which_are_vpn(case: &Case) {
    let vpn = case.run("enrich log --filter is:vpn --format ids");
    let vpn = vpn.out.lines().count();
    assert!(vpn > 10, "{vpn}");
    case.ask("which of 500 are VPN", |session| {
        session.open_log();
        session.terminal.wait_for(&format!("VPN {vpn}"));
        session.filter("is:vpn");
        session.terminal.wait_for(&format!("1 of {vpn}"));
    });
}

/// By the records of that day: the users, and by how many addresses.
fn who_came_through_a_proxy(case: &Case) {
    let day = case.newest.plus(-4).dashed();
    let filter = format!("is:proxy day:{day}");
    let words = [
        "enrich",
        "log",
        "--at-time",
        "--filter",
        &filter,
        "--group",
        "user",
        "--format",
        "json",
    ];
    let users = case.here.home.run_words(&words);
    let users = by_value(&users.ends(0).lines());
    assert!(users.len() > 3, "{users:?}");
    case.ask(
        "who logged in through residential proxies on a day, as of then",
        |session| {
            session.open_log();
            session.press("@");
            session.terminal.wait_for("of each day, free");
            session.terminal.gone("~ reading");
            session.filter(&filter);
            session.press("b");
            session.terminal.wait_for("by what they are");
            for _ in 0..2 {
                if !session.terminal.screen().contains("addresses by user") {
                    session.press("left");
                    session.terminal.settle();
                }
            }
            session.terminal.wait_for("addresses by user");
            let screen = session.terminal.screen();
            for (user, addresses) in &users {
                let mut cells = screen.lines().flat_map(|line| line.split('│'));
                // A row of the groups; the table behind them names users as well.
                let shown = cells.find_map(|cell| {
                    let words: Vec<&str> = cell.split_whitespace().collect();
                    let at = words.iter().position(|word| word == user)?;
                    let number = words.get(at + 1)?;
                    number.parse::<u64>().is_ok().then_some(*number)
                });
                let shown = shown.unwrap_or_else(|| panic!("{user}\n{screen}"));
                assert_eq!(shown, addresses.to_string(), "{screen}");
            }
        },
    );
}

/// Returns one of its addresses.
fn the_busiest_operator(case: &Case) -> String {
    let busiest = case
        .run("enrich log --group tag --top 1 --format json")
        .line();
    let (operator, addresses) = (
        busiest["value"].as_str().expect("a tag"),
        &busiest["queries"],
    );
    let addresses = addresses.as_array().expect("addresses");
    assert_eq!(busiest["addresses"], addresses.len());
    case.ask(
        "the busiest operator of the log and its addresses",
        |session| {
            session.open_log();
            session.press("b");
            session.terminal.wait_for("by what they are");
            session.press("right");
            session.terminal.wait_for(operator);
            session.press("enter");
            session.terminal.wait_for(&format!("/ tag:{operator}"));
            session
                .terminal
                .wait_for(&format!("1 of {}", addresses.len()));
        },
    );
    addresses[0].as_str().expect("an address").to_owned()
}

fn was_it_so(case: &Case, address: &str) {
    let day = case.newest.plus(-4).dashed();
    let line = format!("lookup {address} --source local --day {day} --format json");
    case.run(&line);
    case.ask("was it so on a day", |session| {
        session.press("i");
        session.type_text(address);
        session.press("enter");
        session.terminal.wait_for("Pivot (enter)");
        session.press("d");
        session.type_text(&day);
        session.press("enter");
        session.terminal.wait_for(&format!("{FEED} {day}"));
    });
}

fn what_changed(case: &Case) {
    let newest = case.newest;
    let yesterday = newest.plus(-1);
    let line =
        format!("diff {FEED} --from {yesterday} --to {newest} --filter asn:64500 --format json");
    let changes = case.run(&line).lines().len();
    assert!(changes > 3, "{changes}");
    case.ask("what changed since yesterday for an AS", |session| {
        session.press("4");
        session.terminal.wait_for(FEED);
        session.press("down enter");
        session.terminal.wait_for("exact");
        session.filter("asn:64500");
        session.press("c");
        session.terminal.wait_for("Compare with");
        session.press("enter");
        session.terminal.wait_for("added");
    });
}

fn the_ticket(case: &Case) {
    let mut ticket = String::new();
    case.ask("the ticket", |session| {
        session.open_log();
        session.press("y m");
        session.terminal.wait_for("copied");
        ticket = copied(&session.terminal);
    });
    case.run("enrich log --format md");
    assert_command_repeats(case, &ticket);
}

/// The command of a ticket, run by a shell, gives the figures of its sentence.
fn assert_command_repeats(case: &Case, ticket: &str) {
    let (_, command) = ticket.split_once("**again:** `").expect("a command");
    let (command, _) = command.split_once('`').expect("its end");
    let command = command.replacen("ipspect", PROGRAM, 1) + " --format json";
    let mut shell = Command::new("sh");
    // It names the file alone: a ticket tells nobody where it was.
    let folder = Path::new(&case.log).parent().expect("a folder");
    shell.args(["-c", &command]).current_dir(folder);
    for (name, value) in case.here.home.command("").get_envs() {
        shell.env(name, value.unwrap_or_default());
    }
    let ran = Ran::of(shell.output().expect("run"));
    let words = [
        ("vpn", "VPN"),
        ("proxy", "proxy"),
        ("tor", "Tor"),
        ("tunnel", "other tunnel"),
        ("hosting", "hosting"),
        ("entry", "entry of a tunnel"),
        ("nothing", "nothing noted"),
        ("unknown", "unknown"),
    ];
    let (_, counts) = ticket.split_once(" times: ").expect("the sentence");
    let (counts, _) = counts.split_once('.').expect("its end");
    let told: BTreeMap<String, u64> = counts
        .split(", ")
        .filter_map(|part| {
            let (name, number) = part.rsplit_once(' ')?;
            let (word, _) = words.into_iter().find(|(_, text)| *text == name)?;
            Some((word.to_owned(), number.replace(',', "").parse().ok()?))
        })
        .collect();
    assert!(told.len() > 3, "{ticket}");
    assert_eq!(by_value(&ran.ends(0).lines()), told, "{command}\n{ticket}");
}

/// Whatever answers: local records of several days, cached answers, entries of tunnels; filtered, and as of the days of events.
#[test]
fn the_command_of_a_ticket_gives_the_same_figures() {
    let case = Case::new();
    let home = case.here.home.root.path();
    case.run("feeds pull dch");
    let unknown = case.here.unknown_address("198.18");
    case.run(&format!("lookup {unknown}"));
    let log = fs::read_to_string(&case.log).expect("the log");
    fs::write(
        &case.log,
        format!("{log}2026-11-20T00:00:00Z,eve,{unknown}\n"),
    )
    .expect("write");
    let mut terminal = explorer(&case.service, home, DemoRole::Full);
    let mut last = String::new();
    let mut ticket = |keys: &[&str], then: &str| {
        for key in keys {
            match key.strip_prefix("text ") {
                Some(text) => terminal.type_text(text),
                None => terminal.press(key),
            }
        }
        terminal.wait_for(then);
        terminal.gone("~ reading");
        terminal.press("y m");
        terminal.wait_for("copied");
        until("another ticket", || copied(&terminal) != last);
        last = copied(&terminal);
        last.clone()
    };
    let open = format!("text open {}", case.log);
    let first = ticket(&[":", &open, "enter"], "(a table;");
    assert!(first.contains("--spend 0"), "{first}");
    assert_command_repeats(&case, &first);
    let filtered = ticket(
        &["/", "text is:vpn,unknown lines>1", "enter"],
        "/ is:vpn,unknown lines>1",
    );
    assert!(filtered.contains("--filter"), "{filtered}");
    assert_command_repeats(&case, &filtered);
    let at_time = ticket(&["@"], "of each day, free");
    assert!(at_time.contains("--at-time"), "{at_time}");
    assert_command_repeats(&case, &at_time);
}
