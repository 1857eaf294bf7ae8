//! The warehouse on `ClickHouse` itself, as `chdb` behind an HTTP front in Python: each answer is that of the local index.

use std::{
    collections::BTreeSet,
    env, fs,
    io::{BufRead, BufReader, Write as _},
    process::{Child, Command, Stdio},
    sync::atomic::{AtomicU32, Ordering},
    time::Instant,
};

use ipspect::{demo::DemoRole, model::Day};
use serde_json::Value;
use tempfile::TempDir;

use crate::{
    fake::{Fake, answer},
    pty::Terminal,
    service::{Home, Ran, Service},
};

fn say(text: &str) {
    let mut err = std::io::stderr();
    err.write_all(text.as_bytes()).expect("write");
}

/// A database of a running server: of the one that `IPSPECT_CLICKHOUSE` names, else of a front over `chdb` with its data in a folder of
/// its own.
struct Warehouse {
    url: String,
    database: String,
    child: Option<(Child, TempDir)>,
}

impl Drop for Warehouse {
    fn drop(&mut self) {
        if let Some((child, _)) = &mut self.child {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Warehouse {
    /// `None` where it cannot be started here, which is said.
    fn start() -> Option<Self> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        if let Ok(url) = env::var("IPSPECT_CLICKHOUSE") {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let database = format!("ipspect_{}_{number}", std::process::id());
            let warehouse = Self {
                url,
                database,
                child: None,
            };
            let ran = warehouse.curl(
                "default",
                &format!("CREATE DATABASE {}", warehouse.database),
            );
            assert_eq!(ran, "", "no database");
            return Some(warehouse);
        }
        let python = env::var("IPSPECT_PYTHON").unwrap_or_else(|_| "python3".to_owned());
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/warehouse.py");
        let folder = TempDir::new().expect("a folder");
        let child = Command::new(&python)
            .arg(script)
            .arg(folder.path().join("data"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = match child {
            Ok(child) => child,
            Err(why) => {
                say(&format!("not run: {python}: {why}\n"));
                return None;
            }
        };
        let mut url = String::new();
        let out = child.stdout.take().expect("its output");
        BufReader::new(out).read_line(&mut url).expect("a line");
        if url.is_empty() {
            let said = child.wait_with_output().expect("its end").stderr;
            say(&format!("not run: {}\n", String::from_utf8_lossy(&said)));
            return None;
        }
        Some(Self {
            url: url.trim().to_owned(),
            database: "ipspect".to_owned(),
            child: Some((child, folder)),
        })
    }

    /// A home at this service and this warehouse.
    fn home(&self, service: &Service) -> Home {
        let home = service.home(DemoRole::Full);
        let text = home.read("config/config.toml");
        home.configure(&format!(
            "{text}\n[profiles.default.warehouse]\nurl = {:?}\ndatabase = {:?}\n\
            password_command = [\"echo\", \"invented\"]\n",
            self.url, self.database
        ));
        home
    }

    /// What a statement gives.
    fn curl(&self, database: &str, statement: &str) -> String {
        let mut command = Command::new("curl");
        for header in ["X-ClickHouse-User: default", "X-ClickHouse-Key: invented"] {
            command.args(["-H", header]);
        }
        let url = format!("{}/?database={database}", self.url);
        let given = format!("query={statement}");
        let out = command.args(["-s", "-F", &given, &url]).output();
        String::from_utf8(out.expect("curl").stdout).expect("text")
    }

    /// The rows of a statement, as texts.
    fn ask(&self, statement: &str) -> Vec<Vec<String>> {
        let statement = format!("{statement} FORMAT JSONCompactEachRow");
        let text = self.curl(&self.database, &statement);
        let rows = text.lines().filter(|line| !line.is_empty());
        let row = |line: &str| -> Vec<String> {
            let row: Vec<Value> = serde_json::from_str(line).unwrap_or_else(|_| panic!("{text}"));
            let text = |value: &Value| {
                value
                    .as_str()
                    .map_or_else(|| value.to_string(), str::to_owned)
            };
            row.iter().map(text).collect()
        };
        rows.map(row).collect()
    }
}

fn today() -> Day {
    Day::of(jiff::Timestamp::now())
}

/// Loads so many days of anonymous, and the newest of others.
fn loaded(home: &Home, days: i32) {
    home.run("warehouse init").ends(0);
    for back in 1..=days {
        home.run(&format!("feeds pull anonymous --date -{back}d -q"))
            .ends(0);
    }
    for feed in ["dch", "anonymous-ipv6", "anonymous-residential"] {
        home.run(&format!("feeds pull {feed} -q")).ends(0);
        home.run(&format!("warehouse load {feed} -q")).ends(0);
    }
    home.run("warehouse load anonymous --new -q").ends(0);
}

/// A line of results without what says where it is from and how long it took.
fn settled_line(line: &str) -> String {
    let mut line = line.replace("\"source\":\"warehouse\"", "\"source\":\"local\"");
    line = line
        .replace(",warehouse,", ",local,")
        .replace("  warehouse, ", "  local, ");
    line = line.replace("\"at\":\"warehouse\"", "\"at\":\"local\"");
    line = line.replace("in the loaded feeds", "in the local feeds");
    line = line.replace("searched loaded", "searched local");
    // The last local days are beside an answer of the local releases alone.
    if let Some(at) = line.find("\"recent\":{") {
        let end = line[at..].find("},").map_or(line.len(), |end| at + end + 2);
        line.replace_range(at..end, "");
    }
    if let Some(at) = line.find(", free; ") {
        line.truncate(at + ", free".len());
    }
    for key in ["\"elapsed_ms\":", "\"load\":"] {
        while let Some(at) = line.find(key) {
            let end = line[at..]
                .find([',', '}'])
                .map_or(line.len(), |end| at + end + 1);
            line.replace_range(at..end, "");
        }
    }
    line
}

/// A result, and what was said beside it, without what differs by place.
fn settled(ran: &Ran) -> (Option<i32>, String, String) {
    let out: Vec<String> = ran.out.lines().map(settled_line).collect();
    // How old a release is, and how to get another one, is a matter of the place.
    let of_place = |line: &&str| {
        !line.contains("old; `ipspect feeds pull")
            && !line.trim_start().starts_with("`ipspect ")
            // Which values a release has is told of local ones only.
            && !line.starts_with("note: no record of ")
    };
    let said = ran.err.lines().filter(of_place);
    let said: Vec<String> = said
        .map(
            |line| match line.strip_prefix("note: no local release for ") {
                Some(days) => format!(
                    "note: {}",
                    days.replacen("events:", "events not loaded:", 1)
                ),
                None => settled_line(&line.replace(", warehouse", "")),
            },
        )
        .collect();
    (ran.code, out.join("\n"), said.join("\n"))
}

/// A log with addresses of all kinds, of some days.
fn log(days: i32) -> String {
    let mut text = String::new();
    for number in 0_i32..600 {
        let day = today().plus(-1 - number % (days + 1)).dashed();
        let address = match number % 5 {
            0 => format!("198.51.100.{}", number % 256),
            1 => format!("2001:db8:{:x}::{:x}", number % 16, number),
            2 => format!("203.0.113.{}", number % 256),
            3 => format!("10.0.0.{}", number % 256),
            _ => format!("198.18.{}.{}", number % 3, number % 256),
        };
        text += &format!(
            "{day}T1{}:00:00Z user{} {address}\n",
            number % 10,
            number % 7
        );
    }
    text
}

/// Each command answers as it does from local releases.
#[test]
#[ignore = "needs Python with chdb: see CONTRIBUTING.md"]
#[expect(clippy::too_many_lines, reason = "a list of commands")]
fn answers_are_those_of_the_local_releases() {
    let Some(warehouse) = Warehouse::start() else {
        return;
    };
    let service = Service::start();
    let home = warehouse.home(&service);
    loaded(&home, 4);
    fs::write(home.path("log"), log(4)).expect("write");
    let (mut compared, mut said) = (0, 0);
    let mut same = |line: &str, place: &str| {
        let (local, loaded) = (
            home.run(line),
            home.run(&format!("{} --at warehouse", line.replace(place, ""))),
        );
        assert_eq!(
            settled(&loaded),
            settled(&local),
            "{line}\n{}\n{}",
            loaded.err,
            local.err
        );
        said += usize::from(!local.out.trim().is_empty());
        compared += 1;
    };
    for feed in [
        "anonymous",
        "anonymous-ipv6",
        "dch",
        "anonymous-residential",
    ] {
        for rest in [
            "",
            "cc:NL",
            "-cc:NL org:example",
            "net:198.51.100.0/24",
            "net:2001:db8::/32 cc:NL,DE",
            "type:VPN,PROXY -infra:MOBILE",
        ] {
            if feed == "dch" && (rest.contains("type") || rest.contains("cc")) {
                continue;
            }
            for form in [
                "--format json",
                "--format csv",
                "--count",
                "--top 7 --format json",
                "--limit 3",
                "--facet asn --format csv",
                "--facet org --limit 5",
                "--facet tag --format json",
                "--facet cc --limit 2",
                "--facet location.city --format json",
            ] {
                if feed == "dch" && form.contains("--top") {
                    // Without clients the first by address are taken: that order is tried by the others.
                    continue;
                }
                same(&format!("search {feed} {rest} {form}"), "");
            }
        }
    }
    same("search anonymous tag:nothing", "");
    for rest in [
        "--facet tag --limit 0",
        "tag:ACME* --facet tag --format json",
        "-tag:ACME* --facet service --limit 1",
    ] {
        same(&format!("search anonymous {rest}"), "");
    }
    // More than a form has fields for, and more words than a field of it takes.
    let networks: Vec<String> = (0..450)
        .map(|number| format!("198.51.{}.{}/31", 100 + number / 128, number % 128 * 2))
        .collect();
    let words: Vec<String> = (0..2_500)
        .map(|number| format!("INVENTED_{number}_VPN"))
        .collect();
    let prefixes: Vec<String> = (0..1_200)
        .map(|number| format!("INVENTED_{number}*"))
        .collect();
    for long in [
        format!("net:{} -tag:{}", networks.join(","), words.join(",")),
        format!("-net:{}", networks.join(",")),
        format!("tag:WICKET*,{}", prefixes.join(",")),
        format!("org:example,{}", words[..1_100].join(",")),
    ] {
        same(&format!("search anonymous {long} --format json"), "");
    }
    same("search anonymous --day -3d clients>5 --format json", "");
    let asked =
        "198.51.100.77 198.51.100.9 203.0.113.7 192.0.2.1 2001:db8::7 2001:db8:1::1 198.18.0.9";
    for rest in [
        "",
        "--feed anonymous",
        "--feed dch",
        "--feed anonymous --day -2d",
    ] {
        for form in ["--format json", "--format csv", "--format text"] {
            same(
                &format!("lookup {asked} --source local {rest} {form}"),
                " --source local",
            );
            same(
                &format!(
                    "lookup 198.51.100.0/24 2001:db8::/32 198.51.100.77/32 --source local {rest} {form}"
                ),
                " --source local",
            );
        }
    }
    for rest in [
        "--format json",
        "--format csv",
        "--facet tag --format csv",
        "--group type --format json",
        "--at-time --format json",
        "--at-time --format csv",
        "--at-time --group user --filter is:vpn --format csv",
        "--all --format json",
        "--top 5 --format json",
        "--filter is:unknown --format json",
        "--at-time --plan --format json",
        "--plan --format json",
    ] {
        same(&format!("enrich log {rest}"), "");
        same(&format!("enrich log --feed anonymous {rest}"), "");
    }
    for rest in [
        "--count",
        "--summary --format json",
        "--format json",
        "--format csv --filter tag:ACME_VPN",
        "--filter net:198.51.100.0/24 --format json",
        "--limit 5 --format json",
        "--from -4d --to -2d --format json",
    ] {
        same(&format!("diff anonymous {rest}"), "");
    }
    assert!(
        said * 3 > compared * 2,
        "{said} of {compared} say something"
    );
    say(&format!(
        "{compared} commands answer as from local releases, {said} of them with results\n"
    ));
    // The loads that answer are named.
    let ran = home.run("diff anonymous --at warehouse --format md --limit 1");
    ran.ends(0).shows("- **loads:** 20").says(", warehouse: ");
    // Several days at once: what the days say one by one.
    let days: Vec<Day> = (1..=4).map(|back| today().plus(-back)).collect();
    let range = format!(
        "search anonymous net:198.51.100.0/26 --at warehouse --from {} --to {}",
        days[3].dashed(),
        days[0].dashed()
    );
    let all = home.run(&format!("{range} --format json"));
    let mut expected = Vec::new();
    for day in days.iter().rev() {
        let ran = home.run(&format!(
            "search anonymous net:198.51.100.0/26 --day {} --format json",
            day.dashed()
        ));
        let lines: Vec<&str> = ran.out.lines().collect();
        expected.extend(
            lines
                .iter()
                .map(|line| format!("{{\"day\":\"{day}\",\"record\":{line}}}")),
        );
    }
    assert_eq!(all.out.lines().collect::<Vec<_>>(), expected);
    let counts = home.run(&format!("{range} --facet day --format json"));
    let counts: u64 = counts
        .lines()
        .iter()
        .map(|value| value["count"].as_u64().expect("a count"))
        .sum();
    assert_eq!(counts, expected.len() as u64);
    home.run(&format!("{range} --count"))
        .ends(0)
        .shows(&expected.len().to_string());
    // The history of an address from the warehouse alone is that of the local days.
    let elsewhere = warehouse.home(&service);
    for address in asked.split_whitespace() {
        let line = format!("history {address} --feed anonymous --format json");
        let local = home.run(&line);
        let loaded = elsewhere.run(&format!("{line} --at warehouse"));
        let as_local = loaded
            .out
            .replace("\"warehouse\"", "\"local\"")
            .replace("not-loaded", "not-local");
        assert_eq!((loaded.code, as_local), (local.code, local.out), "{line}");
    }
}

/// What the README says of a warehouse is so: its lines are run, but for the one that starts a server.
#[test]
#[ignore = "needs Python with chdb: see CONTRIBUTING.md"]
fn the_lines_of_the_readme_do_what_they_say() {
    let Some(warehouse) = Warehouse::start() else {
        return;
    };
    let service = Service::start();
    let home = warehouse.home(&service);
    let text = include_str!("../../README.md");
    let section = text.split("## A warehouse").nth(1).expect("a section");
    let block = section.split("```bash\n").nth(1).expect("lines");
    let lines: Vec<&str> = block.split("```").next().expect("an end").lines().collect();
    assert_eq!(lines.len(), 10);
    fs::write(home.path("access.log"), log(2)).expect("write");
    let program = env!("CARGO_BIN_EXE_ipspect");
    for line in lines {
        if line.starts_with("docker") {
            continue;
        }
        let line = line.replace("ipspect ", &format!("{program} "));
        let mut command = Command::new("sh");
        command.args(["-c", &line]).current_dir(home.root.path());
        for (name, value) in home.command("").get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        command.env("PATH", env::var_os("PATH").unwrap_or_default());
        let ran = Ran::of(command.output().expect("run"));
        assert_eq!(ran.code, Some(0), "{line}: {ran:?}");
    }
    let toml = section.split("```toml\n").nth(1).expect("a table");
    let toml = toml.split("```").next().expect("an end");
    home.configure(toml);
    home.run("doctor --config")
        .ends(0)
        .shows("http://127.0.0.1:8123");
}

/// A feeds host with a feed of so many days, which are those of the embedded service in turns.
fn many_days(service: &Service, last: Day, days: i32) -> Fake {
    let first = service.home(DemoRole::Full);
    let files: Vec<Vec<u8>> = (1..=6)
        .map(|back| {
            let day = today().plus(-back);
            first
                .run(&format!("feeds pull anonymous --date {day} -q"))
                .ends(0);
            let folder = first.path(&format!("cache/feeds/anonymous/{day}"));
            let mut names = fs::read_dir(folder)
                .expect("a release")
                .map(|result| result.expect("a name").path());
            let file = names.find(|path| path.to_string_lossy().ends_with(".json.gz"));
            fs::read(file.expect("a feed file")).expect("its bytes")
        })
        .collect();
    Fake::answering(move |target| {
        let day = (0..days)
            .map(|back| last.plus(-back))
            .find(|day| target.contains(&format!("/{day}/feed.json.gz")));
        let Some(day) = day else {
            return answer(404, "", b"");
        };
        let file = &files[usize::try_from(last.days_since(day)).expect("a number") % files.len()];
        answer(
            200,
            &format!("content-type: application/gzip\r\nx-feed-generation-date: {day}\r\n"),
            file,
        )
    })
}

/// A day of an analyst, from a fresh home: thirty days are loaded by one command, an address goes through them by another, a log is
/// answered at the days of its lines, and a day that is nowhere else is browsed.
#[test]
#[ignore = "needs Python with chdb: see CONTRIBUTING.md"]
fn a_day_of_an_analyst() {
    const DAYS: i32 = 30;
    let Some(warehouse) = Warehouse::start() else {
        return;
    };
    let service = Service::start();
    let last = today().plus(-1);
    let feeds = many_days(&service, last, DAYS);
    let home = warehouse.home(&service);
    let text = home.read("config/config.toml");
    let lines = text
        .lines()
        .map(|line| match line.strip_prefix("feeds_url = ") {
            Some(_) => format!("feeds_url = {:?}", feeds.url),
            None => line.to_owned(),
        });
    home.configure(&(lines.collect::<Vec<_>>().join("\n") + "\n"));
    for back in 0..DAYS {
        home.run(&format!(
            "feeds pull anonymous --date {} -q",
            last.plus(-back)
        ))
        .ends(0);
    }
    home.run("warehouse init").ends(0);
    let loaded = home.run("warehouse load anonymous --new --format json");
    assert_eq!(loaded.ends(0).lines().len(), 30);
    let history = home.run(&format!(
        "search anonymous net:198.51.100.77 --at warehouse --from {} --format json",
        last.plus(1 - DAYS).dashed()
    ));
    let history = history.ends(0).lines();
    assert_eq!(history.len(), 30);
    for (line, back) in history.iter().zip((0..DAYS).rev()) {
        assert_eq!(line["day"], last.plus(-back).to_string());
        assert_eq!(line["record"]["ip"], "198.51.100.77");
    }
    // Ten thousand lines at their days, as the local releases have it.
    let mut log = String::new();
    for number in 0_i32..10_000 {
        let day = last.plus(-(number % DAYS)).dashed();
        let (third, fourth) = (number / 30 % 3, number / 90 % 256);
        log += &format!("{day}T10:00:00Z 198.18.{third}.{fourth} 198.51.100.{fourth}\n");
    }
    fs::write(home.path("log"), log).expect("write");
    let line = "enrich log --at-time --feed anonymous --format json";
    let local = settled(&home.run(line));
    assert_eq!(settled(&home.run(&format!("{line} --at warehouse"))), local);
    for back in 2..DAYS {
        home.run(&format!(
            "feeds rm anonymous --day {} -q",
            last.plus(-back).dashed()
        ))
        .ends(0);
    }
    assert_eq!(settled(&home.run(&format!("{line} --at warehouse"))), local);
    // The explorer, on a day that is in the warehouse alone.
    let wanted = last.plus(-20).dashed();
    for size in [(120, 36), (80, 24)] {
        let set: Vec<(String, String)> = home
            .command("")
            .get_envs()
            .filter_map(|(name, value)| {
                Some((name.to_str()?.to_owned(), value?.to_str()?.to_owned()))
            })
            .collect();
        let set: Vec<(&str, &str)> = set
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str()))
            .collect();
        let program = env!("CARGO_BIN_EXE_ipspect");
        let mut terminal = Terminal::start(size, program, &[], home.root.path(), &set);
        terminal.wait_for("[1 Lookup]");
        terminal.press("4 d");
        terminal.wait_for("loaded");
        terminal.press("/");
        terminal.type_text(&wanted);
        terminal.press("enter enter");
        terminal.wait_for("WAREHOUSE");
        terminal.wait_for(&format!("anonymous {wanted}"));
        assert_counts_beyond_a_window(&home, &mut terminal, &wanted);
        terminal.press("f /");
        terminal.type_text("tag:ACME_VPN");
        terminal.press("enter");
        terminal.wait_for("tag:ACME_VPN");
        terminal.wait_until("only what matches", |screen| {
            screen.contains("VPN ACME_VPN") && !screen.contains("counting")
        });
        let count = home.run(&format!(
            "search anonymous tag:ACME_VPN --at warehouse --day {wanted} --count"
        ));
        terminal.wait_for(&format!("{} of ", count.ends(0).out.trim()));
        terminal.press("ctrl-c");
    }
}

/// The values of a field are counted in all records of the day, of which a window has only the first: beside the records, those that the
/// filter names, and those that are typed.
fn assert_counts_beyond_a_window(home: &Home, terminal: &mut Terminal, day: &str) {
    let counted = |field: &str| {
        let line =
            format!("search anonymous --facet {field} --at warehouse --day {day} --format json");
        let lines = home.run(&line).ends(0).lines();
        let of = |line: &serde_json::Value| {
            let value = line["value"].as_str().expect("a value").to_owned();
            (value, line["count"].as_u64().expect("a count"))
        };
        lines.iter().map(of).collect::<Vec<_>>()
    };
    let shows = |terminal: &Terminal, place: &str, (value, count): &(String, u64)| {
        terminal.wait_until(&format!("{count} of {value}"), |screen| {
            let screen = screen.replace(',', "");
            let mut lines = screen.lines();
            screen.contains(place)
                && lines.any(|line| line.contains(value) && line.contains(&format!(" {count} ")))
        });
    };
    let (tags, systems) = (counted("tag"), counted("asn"));
    let (frequent, rare) = (&tags[0], &tags[tags.len() - 1]);
    terminal.press("f");
    shows(terminal, "Facets", frequent);
    terminal.press("/");
    terminal.type_text(&format!("tag:{}", rare.0));
    terminal.press("enter");
    terminal.wait_for(&format!("/ tag:{}", rare.0));
    shows(terminal, "Facets", rare);
    shows(terminal, "Facets", frequent);
    // Hidden, so that the filter is the next thing to be undone.
    terminal.press("f esc");
    terminal.wait_for("/ all records");
    let system = &systems[systems.len() / 2];
    terminal.press("/");
    terminal.type_text(&format!("asn:{}", &system.0[..system.0.len() - 1]));
    shows(terminal, "asn:", system);
    terminal.press("esc");
    terminal.wait_for("/ all records");
}

/// A day that is not loaded is unknown: no address is said to have left a feed.
#[test]
#[ignore = "needs Python with chdb: see CONTRIBUTING.md"]
fn a_day_that_is_not_loaded_is_unknown() {
    let Some(warehouse) = Warehouse::start() else {
        return;
    };
    let service = Service::start();
    let home = warehouse.home(&service);
    loaded(&home, 2);
    home.run("search anonymous --at warehouse --day -9d")
        .ends(10)
        .says("is not loaded in the warehouse");
    home.run("lookup 198.51.100.77 --at warehouse --date -9d")
        .ends(10)
        .says("is loaded in the warehouse");
    home.run("diff anonymous --at warehouse --from -9d")
        .ends(10)
        .says("is not loaded in the warehouse");
    let ran = home.run("search anonymous net:198.51.100.77 --at warehouse --from -9d --to -1d");
    ran.ends(0)
        .says("7 of 9 days from")
        .says("not loaded, so unknown");
    let day = today().plus(-9).dashed();
    fs::write(home.path("log"), format!("{day}T10:00:00Z 198.51.100.77\n")).expect("write");
    let ran = home.run("enrich log --at warehouse --at-time --format json");
    let line = &ran.ends(0).lines()[0];
    assert_eq!(line["then"]["known"], Value::Bool(false), "{line}");
    assert_eq!(line["changed"], Value::Null, "{line}");
}

/// The same day twice is one, another release replaces it, and what is left of broken loads goes.
#[test]
#[ignore = "needs Python with chdb: see CONTRIBUTING.md"]
fn a_day_is_loaded_once_replaced_whole_and_dropped() {
    let Some(warehouse) = Warehouse::start() else {
        return;
    };
    let (service, other) = (Service::start(), Service::of_blocks(9, &[]));
    let home = warehouse.home(&service);
    home.run("feeds pull dch -q").ends(0);
    home.run("warehouse load dch")
        .ends(10)
        .says("`ipspect warehouse init` creates them");
    home.run("warehouse init").ends(0).shows("are created");
    home.run("warehouse init").ends(0).shows("there already");
    let first = home.run("warehouse load dch --format json").ends(0).lines()[0].clone();
    assert_eq!(
        (&first["replaced"], &first["was_there"]),
        (&Value::Bool(false), &Value::Bool(false))
    );
    let again = home.run("warehouse load dch --format json").ends(0).lines()[0].clone();
    assert_eq!(
        (&again["replaced"], &again["was_there"]),
        (&Value::Bool(false), &Value::Bool(true))
    );
    let rows = |feed: &str| {
        warehouse.ask(&format!(
            "SELECT count() FROM ipspect_records WHERE feed = '{feed}'"
        ))[0][0]
            .clone()
    };
    assert_eq!(rows("dch"), first["records"].to_string());
    // Another release of the same day.
    let second = warehouse.home(&other);
    second.run("feeds pull dch -q").ends(0);
    second.run("warehouse days --format json").ends(0);
    let replaced = second
        .run("warehouse load dch --format json")
        .ends(0)
        .lines()[0]
        .clone();
    assert_eq!(replaced["replaced"], Value::Bool(true), "{replaced}");
    assert_ne!(replaced["hash"], first["hash"]);
    assert_eq!(
        rows("dch"),
        replaced["records"].to_string(),
        "those before are deleted"
    );
    assert_eq!(
        settled(&second.run("search dch --at warehouse --format json")),
        settled(&second.run("search dch --format json"))
    );
    let days = home.run("warehouse days --format json").ends(0).lines();
    assert_eq!(days[0]["same"], Value::Bool(false), "{days:?}");
    home.run("doctor").ends(0).shows("dch: 1 day loaded");
    let day = first["day"].as_str().expect("a day").to_owned();
    home.run(&format!("warehouse drop dch --day {day}")).ends(0);
    assert_eq!(rows("dch"), "0");
    home.run("warehouse drop dch --to -1d").ends(10);
    home.run("warehouse drop --stale")
        .ends(0)
        .shows("nothing is left");
}

/// A load that is killed when some of its parts are there goes on with them, however it was killed.
#[test]
#[ignore = "needs Python with chdb: see CONTRIBUTING.md"]
fn a_load_goes_on_with_the_parts_that_are_there() {
    let Some(warehouse) = Warehouse::start() else {
        return;
    };
    let service = Service::of_blocks(24, &[]);
    let home = warehouse.home(&service);
    home.run("feeds pull anonymous -q").ends(0);
    home.run("warehouse init").ends(0);
    let rows = || warehouse.ask("SELECT count() FROM ipspect_records")[0][0].clone();
    let mut resumed = 0;
    for _ in 0..20 {
        let mut child = home.start("warehouse load anonymous");
        while rows() == "0" && child.try_wait().expect("its state").is_none() {}
        let _ = child.kill();
        let _ = child.wait();
        let asked = home.run("search anonymous --at warehouse --count");
        if asked.code == Some(0) {
            // It was faster.
            home.run("warehouse drop anonymous --to today").ends(0);
            home.run("warehouse drop --stale").ends(0);
            continue;
        }
        asked.ends(10);
        let ran = home.run("warehouse load anonymous --format json");
        resumed = ran.ends(0).lines()[0]["resumed_from"]
            .as_u64()
            .expect("a number");
        if resumed > 0 {
            break;
        }
        home.run("warehouse drop anonymous --to today").ends(0);
    }
    assert!(resumed > 0, "no load was caught in its parts");
    assert_eq!(
        settled(&home.run("search anonymous --at warehouse --format json")),
        settled(&home.run("search anonymous --format json"))
    );
}

/// A load that is killed leaves what was there; the next one goes on, and what is seen is always a whole release.
#[test]
#[ignore = "needs Python with chdb: see CONTRIBUTING.md"]
fn a_load_that_is_killed_is_invisible() {
    let Some(warehouse) = Warehouse::start() else {
        return;
    };
    let kills: u32 = env::var("IPSPECT_KILLS").map_or(6, |text| text.parse().expect("a number"));
    let (service, other) = (Service::start(), Service::of_blocks(9, &[]));
    let homes = [warehouse.home(&service), warehouse.home(&other)];
    let whole = homes.each_ref().map(|home| {
        home.run("feeds pull anonymous -q").ends(0);
        home.run("search anonymous --format json").out
    });
    homes[0].run("warehouse init").ends(0);
    let began = Instant::now();
    homes[0].run("warehouse load anonymous -q").ends(0);
    let takes = began.elapsed();
    let known: BTreeSet<&str> = whole.iter().map(String::as_str).collect();
    let (mut killed, mut resumed) = (0, 0);
    for number in 0..kills {
        // The two releases replace each other in turn, so that there is always something to send.
        let home = &homes[(number as usize + 1) % 2];
        let mut child = home.start("warehouse load anonymous --format json");
        let share = f64::from(fastrand::u32(0..1000)) / 1000.0;
        let until = Instant::now() + takes.mul_f64(share * 1.1);
        while Instant::now() < until && child.try_wait().expect("its state").is_none() {
            std::thread::yield_now();
        }
        killed += u32::from(child.try_wait().expect("its state").is_none());
        let _ = child.kill();
        let _ = child.wait();
        let seen = home.run("search anonymous --at warehouse --format json");
        assert!(
            known.contains(seen.ends(0).out.as_str()),
            "neither release is whole after kill {number}"
        );
        if number % 3 == 0 {
            let ran = home.run("warehouse load anonymous --format json");
            let line = &ran.ends(0).lines()[0];
            resumed += u32::from(line["resumed_from"].as_u64() > Some(0));
            let seen = home.run("search anonymous --at warehouse --format json");
            assert_eq!(
                seen.ends(0).out,
                whole[(number as usize + 1) % 2],
                "{number}"
            );
        }
        if number % 7 == 0 {
            home.run("warehouse drop --stale").ends(0);
        }
    }
    for home in &homes {
        home.run("warehouse load anonymous -q").ends(0);
        home.run("warehouse drop --stale").ends(0);
    }
    let rows = warehouse.ask("SELECT count(), uniqExact(load) FROM ipspect_records");
    let last = whole[1].lines().count();
    assert_eq!(
        rows,
        [[last.to_string(), "1".to_owned()]],
        "records of broken loads are left"
    );
    assert!(
        killed > kills / 4,
        "{killed} of {kills} were killed while they ran"
    );
    say(&format!(
        "{kills} loads, {killed} killed while they ran, {resumed} went on with parts that were there\n"
    ));
}
