//! Streams, exit codes and messages: what scripts rely on, across all commands.

use std::{fs, io::pipe, process::Stdio};

use ipspect::{
    cli::Args,
    contract::Host,
    demo::{DemoRole, DemoRole::*},
};

use crate::service::{Home, Ran, Service, files_below};

/// Every role with every kind of request: the code, and that the message is an instruction.
#[test]
fn each_role_gets_the_code_that_the_contract_states() {
    let day = ipspect::model::Day::of(jiff::Timestamp::now()).plus(-2);
    let commands = [
        "lookup 198.51.100.77".to_owned(),
        format!("lookup 198.51.100.77 --date {day}"),
        "tag ACME_VPN".to_owned(),
        "status".to_owned(),
        "feeds info anonymous".to_owned(),
        "feeds runs anonymous".to_owned(),
        "feeds pull dch".to_owned(),
        "feeds pull realtime".to_owned(),
        "export dch -o -".to_owned(),
    ];
    let table: [(DemoRole, [i32; 9]); 11] = [
        (Full, [0, 0, 0, 0, 0, 0, 0, 0, 0]),
        (NoHistory, [0, 3, 0, 0, 0, 3, 0, 0, 0]),
        (NoRealtime, [0, 0, 0, 0, 0, 0, 0, 3, 0]),
        (ContextOnly, [0, 3, 0, 0, 3, 3, 3, 3, 3]),
        (FeedsOnly, [3, 3, 3, 0, 0, 0, 0, 0, 3]),
        (ExportsOnly, [3, 3, 3, 0, 3, 3, 3, 3, 0]),
        (Throttled, [0, 0, 0, 0, 0, 0, 0, 0, 4]),
        (NearlySpent, [0, 0, 0, 0, 0, 0, 0, 0, 0]),
        (Spent, [4, 4, 0, 0, 0, 0, 0, 0, 0]),
        (Inactive, [3, 3, 3, 3, 3, 3, 3, 3, 3]),
        (Invalid, [3, 3, 3, 3, 3, 3, 3, 3, 3]),
    ];
    let service = Service::start();
    for (role, codes) in table {
        let home = service.home(role);
        for (command, code) in commands.iter().zip(codes) {
            // A limit is reported without waiting for it.
            let ran = home.run(&format!("{command} --retries 0"));
            assert_eq!(ran.code, Some(code), "{} {command}: {ran:?}", role.name());
            if code != 0 {
                assert!(
                    ran.err.starts_with("error: ") && ran.err.contains("\n  "),
                    "{} {command}: {ran:?}",
                    role.name()
                );
                assert!(ran.err.lines().count() <= 5, "{ran:?}");
            }
        }
    }
}

/// What a command prints with `-q` where all went well.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Quiet {
    /// Its results.
    Results,
    /// Nothing: a file or the exit code is the result.
    Nothing,
}

/// Every command with what it needs, whether its results name addresses, networks or tags, and what it prints with `-q`.
const COMMANDS: &[(&str, bool, Quiet)] = &[
    ("lookup 198.51.100.77", true, Quiet::Results),
    ("lookup 198.51.100.77 --source local", true, Quiet::Results),
    ("enrich log", true, Quiet::Results),
    ("enrich log --facet asn", true, Quiet::Results),
    ("enrich log --plan", false, Quiet::Results),
    ("tag ACME_VPN", true, Quiet::Results),
    ("tags", true, Quiet::Results),
    ("status", false, Quiet::Results),
    ("status --test", false, Quiet::Results),
    ("status --below 1", false, Quiet::Nothing),
    ("feeds", false, Quiet::Results),
    ("feeds info dch", false, Quiet::Results),
    ("feeds runs anonymous", false, Quiet::Results),
    ("feeds files anonymous --date -2d", false, Quiet::Results),
    ("feeds pull dch", false, Quiet::Nothing),
    ("feeds pull dch --date -2d", false, Quiet::Nothing),
    ("feeds pull --stale", false, Quiet::Nothing),
    ("feeds verify dch", false, Quiet::Nothing),
    ("feeds reindex dch", false, Quiet::Nothing),
    (
        "feeds readme anonymous -o r.pdf --force",
        false,
        Quiet::Nothing,
    ),
    ("search dch", true, Quiet::Results),
    ("search dch --count", false, Quiet::Results),
    ("search dch --facet asn", true, Quiet::Results),
    ("search dch asn:64500 --sql duckdb", false, Quiet::Results),
    ("diff anonymous --from -2d", true, Quiet::Results),
    ("diff anonymous --from -2d --count", false, Quiet::Results),
    ("diff anonymous --from -2d --summary", true, Quiet::Results),
    ("compare 198.51.100.77 198.51.100.78", true, Quiet::Results),
    ("compare log log --all", true, Quiet::Results),
    ("compare anonymous@-2d anonymous", true, Quiet::Results),
    (
        "blocklist anonymous type:VPN --as nft -o vpn.nft",
        false,
        Quiet::Nothing,
    ),
    ("match anonymous:type:PROXY anonymous", true, Quiet::Results),
    ("feeds health dch", false, Quiet::Results),
    ("watch add acme --tag ACME_VPN", true, Quiet::Nothing),
    ("watch", true, Quiet::Results),
    ("watch list", true, Quiet::Results),
    ("watch check", true, Quiet::Nothing),
    ("watch rm acme", true, Quiet::Nothing),
    ("common anonymous:type:PROXY", true, Quiet::Results),
    ("explain PROXY", true, Quiet::Results),
    ("case", false, Quiet::Results),
    ("case list", false, Quiet::Results),
    ("case show INC-1", false, Quiet::Results),
    ("case forget INC-2", false, Quiet::Nothing),
    ("history 198.51.100.77", true, Quiet::Results),
    ("export dch -o e.csv --force", false, Quiet::Nothing),
    (
        "export dch --local -o e.json --force",
        false,
        Quiet::Nothing,
    ),
    ("export dch --dry-run", false, Quiet::Results),
    ("export dch --local --dry-run", false, Quiet::Results),
    ("parquet dch -o d.parquet --force", false, Quiet::Nothing),
    ("export dch -o -", false, Quiet::Results),
    ("doctor", false, Quiet::Results),
    ("doctor --config", true, Quiet::Results),
    ("doctor --sample", false, Quiet::Results),
    ("login", false, Quiet::Nothing),
    ("logout", false, Quiet::Nothing),
    ("feeds rm dch --day -2d", false, Quiet::Nothing),
];

/// The commands that need a warehouse, with whether they name addresses.
const OF_WAREHOUSE: &[(&str, bool)] = &[
    ("warehouse init", false),
    ("warehouse load dch", false),
    ("warehouse days", false),
    ("warehouse drop dch --day -2d", false),
    ("search dch --at warehouse", true),
    ("lookup 198.51.100.77 --at warehouse", true),
    ("enrich log --at warehouse", true),
    ("diff anonymous --at warehouse", true),
];

/// A home in which each of [`COMMANDS`] can be done.
fn ready(service: &Service) -> Home {
    let home = service.home(Full);
    home.run("feeds pull service-metrics").ends(0);
    for feed in ["dch", "anonymous"] {
        home.run(&format!("feeds pull {feed}")).ends(0);
        home.run(&format!("feeds pull {feed} --date -2d")).ends(0);
    }
    for case in ["INC-1", "INC-2"] {
        home.run(&format!("tag ACME_VPN --case {case}")).ends(0);
    }
    fs::write(home.path("log"), "198.51.100.77").expect("write");
    fs::write(home.path("token"), Full.token()).expect("write");
    home
}

fn run_with_token(home: &Home, line: &str) -> Ran {
    let token = fs::File::open(home.path("token")).expect("open");
    let mut command = home.command(line);
    Ran::of(command.stdin(token).output().expect("run"))
}

#[test]
fn what_is_refused_is_refused_before_anything_is_sent_or_written() {
    let service = Service::start();
    let home = ready(&service);
    let of_warehouse = OF_WAREHOUSE.iter().copied();
    let lines = COMMANDS.iter().map(|(line, names, _)| (*line, *names));
    let lines = lines.chain(of_warehouse).flat_map(|(line, names)| {
        let safe = !line.starts_with("export");
        [
            ("--format ids", !names),
            ("--format csv --fields nonsense", true),
            ("--format json --fields nonsense", true),
            ("--spreadsheet-safe", safe),
        ]
        .map(|(options, refused)| (format!("{line} {options}"), refused))
    });
    for (line, _) in lines.filter(|(_, refused)| *refused) {
        let before = (service.demo.requests().len(), files_below(home.root.path()));
        let ran = run_with_token(&home, &line);
        ran.ends(2);
        assert_eq!(
            ran.out
                .lines()
                .filter(|line| !line.starts_with('{'))
                .count(),
            0,
            "{line}"
        );
        let after = (service.demo.requests().len(), files_below(home.root.path()));
        assert_eq!(before, after, "{line}: {ran:?}");
    }
    let program = Args::definition();
    let covered = |path: &[&str]| {
        let is_of = |line: &str| line.split(' ').take(path.len()).eq(path.iter().copied());
        let lines = COMMANDS.iter().map(|(line, ..)| *line);
        let mut lines = lines.chain(OF_WAREHOUSE.iter().map(|(line, _)| *line));
        lines.any(is_of)
    };
    for command in program
        .get_subcommands()
        .filter(|command| !command.is_hide_set())
    {
        let name = command.get_name();
        // They print a document whatever the format, or run until they are ended.
        let is_other = ["demo", "mcp", "serve", "help", "man", "completions"].contains(&name);
        assert!(is_other || covered(&[name]), "{name}");
        for inner in command.get_subcommands() {
            assert!(
                covered(&[name, inner.get_name()]),
                "{name} {}",
                inner.get_name()
            );
        }
    }
}

#[test]
fn quiet_leaves_results_and_failures_and_nothing_else() {
    let service = Service::start();
    let home = ready(&service);
    for (line, _, quiet) in COMMANDS {
        let ran = run_with_token(&home, &format!("{line} -q"));
        ran.ends(0);
        assert_eq!(
            ran.out.is_empty(),
            *quiet == Quiet::Nothing,
            "{line}: {ran:?}"
        );
        assert_eq!(ran.err, "", "{line}");
    }
    for (line, ..) in COMMANDS
        .iter()
        .filter(|(_, _, quiet)| *quiet == Quiet::Nothing)
    {
        // What a line deletes is there again.
        let again = [
            ("feeds rm", "feeds pull dch --date -2d"),
            ("case forget", "tag ACME_VPN --case INC-2"),
            ("watch rm", "watch add acme --tag ACME_VPN"),
        ];
        let again = again.iter().find(|(text, _)| line.contains(text));
        let ready = again.map(|(_, again)| home.run(again));
        assert!(ready.is_none_or(|ran| ran.code == Some(0)), "{line}");
        // An object that was asked for is a result; nothing is behind its cadence here, and nothing changed.
        let ran = run_with_token(&home, &format!("{line} -q --format json"));
        assert_eq!(
            ran.ends(0).out.is_empty(),
            line.contains("--stale") || *line == "watch check",
            "{line}"
        );
    }
    for (line, code) in [
        ("feeds pull anonymous --date 1999-01-01 -q", 10),
        ("parquet ipgeo -o a.parquet -q", 10),
    ] {
        let ran = home.run(line);
        assert_eq!(
            (ran.ends(code).out.as_str(), ran.err.lines().count()),
            ("", 2),
            "{ran:?}"
        );
    }
}

#[test]
fn nothing_configured_says_what_to_do() {
    let home = Home::empty();
    home.run("lookup 192.0.2.1").ends(2);
    let public = "lookup 1.1.1.1";
    home.run(public)
        .ends(2)
        .says("base_url is not set")
        .says("--demo");
    home.run("feeds pull anonymous").ends(2).says("feeds_url");
    home.run("feeds").ends(2).says("feeds_url");
    home.run("status").ends(2).says("base_url");
    home.run("export dch -o -").ends(2).says("exports_url");
    let without_token = Home::of(&[(Host::Context, "http://127.0.0.1:9".to_owned())], None);
    without_token
        .run(public)
        .ends(3)
        .says("ipspect login")
        .says("IPSPECT_TOKEN");
}

#[test]
fn environment_beats_file_and_flags_beat_environment() {
    let service = Service::start();
    let home = Home::of(
        &[(Host::Context, "http://127.0.0.1:9".to_owned())],
        Some(DemoRole::Full.token()),
    );
    let mut command = home.command("status --format json");
    command.env("IPSPECT_BASE_URL", service.demo.url(Host::Context));
    Ran::of(command.output().expect("run"))
        .ends(0)
        .shows("queriesRemaining");
    home.run("status --profile work")
        .ends(2)
        .says("no profile \"work\"")
        .says("default");
    home.run("status --config missing.toml")
        .ends(2)
        .says("missing.toml");
    home.run("status --retries 0").ends(5);
}

#[test]
fn a_mistake_in_the_configuration_is_named_with_its_place_and_without_its_text() {
    let home = Home::empty();
    home.configure("[network]\nattempts = 5\ntoken = \"secret-in-file\"\n");
    let ran = home.run("lookup 1.1.1.1");
    ran.ends(2)
        .says("config.toml")
        .says("line 3, column 1")
        .says("there is no key token in [network]")
        .says("ipspect login");
    assert!(!ran.all().contains("secret-in-file"), "{ran:?}");
    home.run("doctor").ends(2).shows("fail").shows("line 3");
}

#[test]
fn errors_are_objects_where_json_is_wanted() {
    let service = Service::start();
    let home = service.home(DemoRole::Invalid);
    for line in [
        "status",
        "feeds pull anonymous",
        "export dch -o -",
        "feeds runs anonymous",
        "tag ACME_VPN",
        "lookup 198.51.100.77",
    ] {
        let ran = home.run(&format!("{line} --format json"));
        let object = ran.ends(3).line();
        assert_eq!(object["error"]["kind"], "credentials", "{line}");
        assert!(
            object["error"]["hint"].is_string() && object["error"]["status"].is_u64(),
            "{line}: {object}"
        );
        assert!(object.get("query").is_some(), "{line}");
        // In words on standard error, too.
        ran.says("error:");
    }
    let usage = home.run("feeds pull --frobnicate --format json");
    assert_eq!(usage.ends(2).line()["error"]["kind"], "usage");
    home.run("feeds pull anonymous --date x --format json")
        .ends(2)
        .shows("\"kind\":\"usage\"");
}

#[test]
fn results_and_errors_keep_to_their_streams() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for line in [
        "lookup 198.51.100.77",
        "status",
        "status --test",
        "feeds",
        "feeds info anonymous",
        "feeds runs dch",
        "tag ACME_VPN",
    ] {
        for format in ["text", "json", "csv", "md"] {
            let ran = home.run(&format!("{line} --format {format}"));
            assert!(
                !ran.ends(0).out.is_empty() && ran.err.is_empty(),
                "{line} {format}: {ran:?}"
            );
        }
    }
    for line in [
        "lookup nonsense",
        "tag a/b",
        "feeds info nonsense",
        "export nonsense",
        "frobnicate",
        "feeds files anonymous",
    ] {
        let ran = home.run(line);
        assert!(
            ran.ends(2).out.is_empty() && !ran.err.is_empty(),
            "{line}: {ran:?}"
        );
    }
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for line in [
        "lookup 198.51.100.77",
        "feeds --format json",
        "status",
        "export dch -o -",
        "completions bash",
        "man",
        "doctor",
        "--help",
    ] {
        let (reader, writer) = pipe().expect("pipe");
        drop(reader);
        let child = home
            .command(line)
            .stdout(writer)
            .stderr(Stdio::piped())
            .spawn()
            .expect("start");
        let ran = Ran::of(child.wait_with_output().expect("wait"));
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{line}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_a_failure_of_this_machine() {
    let service = Service::start();
    let full = std::fs::OpenOptions::new()
        .write(true)
        .open("/dev/full")
        .expect("device");
    let home = service.home(DemoRole::Full);
    let child = home
        .command("status --format json")
        .stdout(full)
        .stderr(Stdio::piped())
        .spawn()
        .expect("start");
    Ran::of(child.wait_with_output().expect("wait"))
        .ends(8)
        .says("standard output");
}

#[test]
fn offline_touches_nothing() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for line in [
        "lookup 198.51.100.77",
        "tag ACME_VPN",
        "status",
        "status --test",
        "feeds pull dch",
        "feeds runs anonymous",
        "export dch -o x.csv",
    ] {
        home.run(&format!("{line} --offline"))
            .ends(2)
            .says("--offline");
    }
    home.run("feeds --offline").ends(0).shows("not asked");
    home.run("feeds info anonymous --offline").ends(0);
    assert_eq!(service.demo.requests(), []);
}

#[test]
fn colours_come_only_when_asked_for() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let coloured = |change: &[(&str, &str)], line: &str| {
        let mut command = home.command(line);
        command.envs(change.iter().copied());
        command.output().expect("run").stdout.contains(&b'\x1b')
    };
    assert!(!coloured(&[], "status"));
    assert!(coloured(&[], "status --color always"));
    assert!(coloured(&[("CLICOLOR_FORCE", "1")], "status"));
    assert!(!coloured(
        &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")],
        "status"
    ));
    assert!(!coloured(&[], "status --color always --format json"));
}

#[test]
fn any_command_runs_on_the_embedded_service() {
    let home = Home::empty();
    home.run("--demo lookup 198.51.100.77 --format json")
        .ends(0)
        .shows("ACME_VPN");
    home.run("status --demo").ends(0).shows("48,120");
    home.run("login --demo").ends(2);
    home.run("export anonymous --demo --dry-run")
        .ends(0)
        .shows("http://127.0.0.1:");
    assert_eq!(home.run("lookup 198.51.100.77").code, Some(2));
}

#[test]
fn pages_for_packagers_are_whole() {
    let home = Home::empty();
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        home.run(&format!("completions {shell}"))
            .ends(0)
            .shows("ipspect");
    }
    home.run("man")
        .ends(0)
        .shows(".TH IPSPECT 1")
        .shows("lookup");
    home.run("man feeds pull").ends(0).shows("allow\\-shrink");
    home.run("man nonsense").ends(2);
    home.run("--version")
        .ends(0)
        .shows(env!("CARGO_PKG_VERSION"));
    home.run("man lookup")
        .ends(0)
        .shows(".TH IPSPECT-LOOKUP 1")
        .shows("ipspect\\-lookup \\-");
    home.run("export --help").ends(0).shows("Examples:");
}

#[test]
fn help_is_short_or_long() {
    let home = Home::empty();
    for command in ["lookup", "enrich", "feeds pull", "search", "export"] {
        let short = home.run(&format!("{command} -h"));
        let long = home.run(&format!("{command} --help"));
        let asked = home.run(&format!("help {command}"));
        for ran in [&short, &long] {
            ran.ends(0).shows("Examples:").shows("Everywhere: --demo");
            assert!(!ran.out.contains("--cache-dir <DIR>"), "{command}: {ran:?}");
        }
        assert!(!short.out.contains("JSON:"), "{command}: {short:?}");
        assert!(long.out.contains("JSON:"), "{command}: {long:?}");
        assert_eq!(
            asked.ends(0).out.trim_end(),
            long.out.trim_end(),
            "{command}"
        );
    }
    let short = home.run("-h").ends(0).out.clone();
    assert!(!short.contains("--cache-dir <DIR>"), "{short}");
    home.run("help")
        .ends(0)
        .shows("--cache-dir <DIR>")
        .shows("Exit codes:");
    let ran = home.run("help lokup");
    ran.ends(2).says("did you mean `ipspect lookup`?");
}

#[test]
fn the_explorer_needs_a_terminal_and_says_so() {
    let home = Home::empty();
    let ran = home.run("");
    assert!(
        ran.code != Some(0) && !ran.err.is_empty() && ran.err.lines().count() <= 5,
        "{ran:?}"
    );
    home.run("lokup 198.51.100.77")
        .ends(2)
        .says("no command \"lokup\"");
    home.run("nonsense")
        .ends(2)
        .says("no command \"nonsense\"")
        .says("ipspect help");
}
