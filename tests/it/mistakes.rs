//! What people mistype: one mistake for each argument, option and key of the configuration. Each is one message of five lines at
//! most that names the mend; all of them are in one snapshot, to be read.

use std::{collections::BTreeSet, fmt::Write as _, fs, path::Path};

use clap::{Arg, Command, error::ErrorKind};
use ipspect::{cli::Args, demo::DemoRole};

use crate::service::{Home, Ran, Service};

/// Lines of the program, in single quotes what a shell would keep together.
const LINES: &[&str] = &[
    // The program itself.
    "lokup 198.51.100.77",
    "lookp",
    "nonsense",
    "nonsense --help",
    "lokup --version",
    "whois 198.51.100.77",
    "pull anonymous",
    "198.51.100.300",
    "www.example.com",
    "198.51.100.77 198.51.100.78",
    "198.51.100.77 status",
    "--frobnicate",
    "--token secret-1 status",
    "status --token=secret-1",
    "lookup 198.51.100.77 --api-key secret-1",
    // What every command understands.
    "status --demo=yes",
    "status --ofline",
    "status --profile wrok",
    "status --profile",
    "status --config missing.toml",
    "status --cache-dir",
    "feeds pull dch --cache-dir /proc/nowhere",
    "status --format yaml",
    "status --format jsonl",
    "status --json",
    "status --color sometimes",
    "status --no-color",
    "status --retries many",
    "status --retries -1",
    "status --retries 99999999999",
    "status --quiet=2",
    "status --verbose=2",
    "status --format json --format csv",
    "status -x",
    // demo, serve, help, man, completions.
    "demo 198.51.100",
    "serve --fault nowhere:500",
    "serve --fault",
    "help lokup",
    "help feeds pul",
    "help status all",
    "man lokup",
    "completions bsh",
    "completions",
    // lookup
    "lookup",
    "lookup ACME_VPN",
    "lookup 198.51.100.256",
    "lookup 198.051.100.007",
    "lookup 198.51.100.0/24",
    "lookup 198.51.100.0/33 --source local",
    "lookup 2001:db8::/129 --source local",
    "lookup https://198.51.100.77/path",
    "lookup 198.51.100.77:443",
    "lookup fe80::1%eth0",
    "lookup www.example.com",
    "lookup 10.0.0.1",
    "lookup 198.51.100.77 --date 2026-13-01",
    "lookup 198.51.100.77 --date 7d",
    "lookup 198.51.100.77 --date latest",
    "lookup 198.51.100.77 --date 2999-01-01",
    "lookup 198.51.100.77 --feed dch",
    "lookup 198.51.100.77 --mmgeo --source local",
    "lookup 198.51.100.77 --yes=1",
    "lookup 198.51.100.77 --spend",
    "lookup 198.51.100.77 --spend -1",
    "lookup 198.51.100.77 --spend 1,000",
    "lookup 198.51.100.77 --source loca",
    "lookup 198.51.100.77 --source api",
    "lookup 198.51.100.77 --source local --feed anonymus",
    "lookup 198.51.100.77 --source local --feed service-metrics",
    "lookup 198.51.100.77 --source local --day yesturday",
    "lookup 198.51.100.77 --source local --feed anonymous",
    "lookup 198.51.100.77 --filter cc:NL",
    "lookup 198.51.100.77 --fields ip,contry",
    "lookup 198.51.100.77 --spreadsheet-safe",
    // enrich
    "enrich missing.log",
    "enrich .",
    "enrich --feed tags",
    "enrich --feed dch --day soon",
    "enrich --mmgeo",
    "enrich --all --plan",
    "enrich --filter country:NL",
    "enrich --group tag --facet tag",
    "enrich --feed dch --filter cc:NL",
    "enrich --filter tag:ACME_VPN",
    "enrich --facet country",
    "enrich --feed dch --facet cc",
    "enrich --top ten",
    "enrich --plan=yes",
    "enrich --spend all",
    "enrich --yes",
    "enrich --resume missing.jsonl",
    "enrich access.log --resume missing.jsonl --format json",
    "enrich --resume out --top 5",
    "enrich --rest-anew=yes",
    "enrich access.log --set-aside --facet cc",
    "enrich access.log --memory 64",
    "enrich --at-time=yesterday",
    "enrich --at-time --all",
    "enrich --dates german",
    "enrich --zone Berlin",
    "enrich --fields query --format json",
    "enrich --spreadsheet-safe",
    // tag, tags
    "tag",
    "tag ACME/VPN",
    "tag 'ACME*'",
    "tag ACMEVPN",
    "tag ACMEVPN --source local",
    "tag ACME_VPN --source auto",
    "tag ACME_VPN --fields website,nmae",
    "tag ACME_VPN --spreadsheet-safe --format json",
    "tags --sort name",
    "tags acme vpn",
    "tags --fields tga",
    "tags --spreadsheet-safe --format md",
    // status, login, logout, doctor
    "status now",
    "status --tets",
    "status --below few",
    "status --below 1000000",
    "status --fields host,sttaus",
    "status --spreadsheet-safe",
    "login secret-1",
    "login --demo",
    "logout now",
    "doctor --smaple",
    "doctor --cnofig",
    "doctor --config --fields key,valeu",
    "doctor --config --spreadsheet-safe",
    "doctor --sample --fields key",
    "doctor --format ids",
    // feeds
    "feeds anonymous",
    "feeds pul anonymous",
    "feeds help",
    "feeds --fields feed,recrods",
    "feeds --spreadsheet-safe",
    "feeds info",
    "feeds info anonymous-residental",
    "feeds pull",
    "feeds pull Anonymus",
    "feeds pull anonymous dhc",
    "feeds pull realtime --from 1200",
    "feeds pull realtime --to 1200",
    "feeds pull realtime --from 1400 --to 1200",
    "feeds pull anonymous --date 01/11/2026",
    "feeds pull anonymous --date 1999-01-01",
    "feeds pull anonymous --at 2310",
    "feeds pull realtime --date 2026-11-20",
    "feeds pull realtime --at 25:00",
    "feeds pull realtime --at 1203",
    "feeds files realtime --date 1999-01-01",
    "feeds runs realtime",
    "feeds info dch --format ids",
    "feeds readme dch -o readme.pdf --fields feed",
    "feeds pull realtime --mmdb",
    "feeds pull anonymous --allow-shirnk",
    "feeds pull anonymous --wait 5",
    "feeds pull --stael",
    "feeds pull dch --stale",
    "feeds pull --stale --mmdb",
    "feeds runs ipgoe",
    "feeds files anonymous",
    "feeds files anonymous --date tomorow",
    "feeds readme anonymous",
    "feeds readme realtime -o readme.pdf",
    "feeds readme dch -o /nonexistent/readme.pdf",
    "feeds readme dch -o taken.pdf",
    "feeds readme dch -o readme.txt",
    "feeds readme dch -o readme.pdf --force=yes",
    "feeds health anonymus",
    "feeds health anonymous --days many",
    "feeds verify anonymous",
    "feeds verify dch --day 1999-01-01",
    "feeds rm dch --day latest --all",
    "feeds rm anonymous",
    "feeds rm dch --wait=5",
    "feeds reindex anonymous",
    "feeds reindex dch --wiat",
    "feeds reindex dch --day 1999-01-01",
    // search
    "search",
    "search annonymous",
    "search anonymous",
    "search dch cc:NL",
    "search dch 'asn:64500 OR asn:64501'",
    "search dch 'asn=64500 AND (org:a OR org:b)'",
    "search dch 'country:NL'",
    "search dch 'net:198.51.100.0/33'",
    "search dch 'asn:example'",
    "search dch 'org:\"example'",
    "search service-metrics 'tag:AC*ME'",
    "search service-metrics clients>5",
    "search dch ACME_VPN",
    "search dch --count --facet asn",
    "search dch --facet country",
    "search dch --facet tag",
    "search dch --facet",
    "search dch --top ten",
    "search dch --top 5 --limit 5",
    "search dch --limit 1.5",
    "search dch --on 2026-11-20",
    "search dch --day 1999-01-01",
    "search dch --fields nework,asn",
    "search dch --spreadsheet-safe",
    // diff
    "diff",
    "diff dch --from soon",
    "diff dch --to 2026-11-31",
    "diff dch --filter tag:ACME_VPN",
    "diff dch --count --summary",
    "diff dch --limit none",
    "diff dch --exit-code=yes",
    "diff dch --from 1999-01-01",
    "diff realtime --to 1999-01-01",
    "search realtime --day 1999-01-01",
    "diff dch --fields ip --format ids",
    "diff dch --spreadsheet-safe",
    "search dch --at cloud",
    "search dch --from -3d",
    "search dch --to -3d",
    "search dch --facet day",
    "search dch --at warehouse",
    "search dch --at warehouse --from 2026-11-20 --to 2026-11-18",
    "search dch --at warehouse --from -3d --day -2d",
    "search dch --at warehouse --from -3d --top 5",
    "search dch --at warehouse --sql duckdb",
    "lookup 198.51.100.77 --at warehouse",
    "lookup 198.51.100.77 --at warehouse --mmgeo",
    "lookup 198.51.100.77 --at warehouse --source auto",
    "lookup 198.51.100.77 --at warehouse --date -1d --day -1d",
    "lookup 198.51.100.77 --at here",
    "enrich log --at here",
    "enrich log --at warehouse",
    "diff dch --at here",
    "diff dch --at warehouse",
    "warehouse lod dch",
    "warehouse init",
    "warehouse init --fields warehouse",
    "warehouse load",
    "warehouse load annonymous",
    "warehouse load realtime",
    "warehouse load dch --day someday",
    "warehouse load dch --from 2026-11-20 --to 2026-11-18",
    "warehouse load dch --from -1d --new",
    "warehouse load dch --to someday",
    "warehouse load dch --new=1",
    "warehouse load dch",
    "warehouse days annonymous",
    "warehouse days --fields dya",
    "warehouse days --spreadsheet-safe",
    "warehouse drop",
    "warehouse drop dch",
    "warehouse drop annonymous --day -1d",
    "warehouse drop dch --stale",
    "warehouse drop --stale=1",
    "warehouse drop dch --day someday",
    "warehouse drop dch --from someday",
    "warehouse drop dch --to someday",
    "search dch --sql",
    "search dch --sql sqlite",
    "search dch --sql duckdb --facet asn",
    "search dch --sql duckdb --fields ip",
    "search dch --sql duckdb --format json",
    "parquet dch -o x.parquet --flat=yes",
    "parquet dch -o x.parquet --flat --raw",
    // compare
    "compare",
    "compare 198.51.100.77",
    "compare 198.51.100.77 198.51.100.256",
    "compare 198.51.100.77@soon 198.51.100.77",
    "compare 198.51.100.77 10.0.0.1",
    "compare access.log 198.51.100.77",
    "compare dch:operator:X dch",
    "compare dch:tag:ACME_VPN dch",
    "compare 198.51.100.77 dch:asn:64500",
    "compare 198.51.100.77 198.51.100.78 --date yesterday",
    "compare 198.51.100.77 198.51.100.78 --all=yes",
    "compare 198.51.100.77 198.51.100.78 --exit-code=yes",
    "compare 198.51.100.77 198.51.100.78 --fields ip",
    "compare anonymous@2999-01-01 anonymous",
    "compare 198.51.100.77 198.51.100.78 --spreadsheet-safe",
    // match
    "match",
    "match 198.51.100.77",
    "match 198.51.100.77 198.51.100.256",
    "match 198.51.100.77 198.51.100.077",
    "match 198.51.100.77@yesterday anonymous",
    "match 198.51.100.77/24 anonymous",
    "match access.log 198.51.100.77",
    "match - -",
    "match service-metrics anonymous",
    "match dch:tag:ACME_VPN dch",
    "match anonymous@2999-01-01 anonymous",
    "match anonymous anonymous --union --subtract",
    "match anonymous anonymous --union=yes",
    "match anonymous anonymous --intersect=yes",
    "match anonymous anonymous --subtract=yes",
    "match anonymous anonymous --fields ip",
    "match anonymous anonymous --spreadsheet-safe",
    "match anonymous anonymous --exit-code",
    // blocklist
    "blocklist",
    "blocklist anonymous",
    "blocklist anonymous -o vpn.nft",
    "blocklist anonymus --as nft -o vpn.nft",
    "blocklist service-metrics --as nft -o vpn.nft",
    "blocklist anonymous tpe:VPN --as nft -o vpn.nft",
    "blocklist anonymous --as iptables -o vpn.nft",
    "blocklist anonymous --as nft -o /nowhere/vpn.nft",
    "blocklist anonymous --as nft -o vpn.nft --name 4vpn",
    "blocklist anonymous --as nft -o vpn.nft --day someday",
    "blocklist anonymous --as nft -o vpn.nft --allow missing.txt",
    "blocklist anonymous --as nft -o vpn.nft --family ipv4",
    "blocklist anonymous --as nft -o vpn.nft --expires soon",
    "blocklist anonymous --as nft -o vpn.nft --split many",
    "blocklist anonymous --as nft -o vpn.nft --split 0",
    "blocklist anonymous --as nft -o vpn.nft --action DROP",
    "blocklist anonymous --as rpz -o vpn.rpz --action 'a b'",
    "blocklist anonymous --as postfix -o vpn.cidr --action ' '",
    "blocklist anonymous --as nginx -o vpn.conf --name vpn",
    "blocklist anonymous --as nft -o vpn.nft --name ip",
    "blocklist anonymous --as nft -o vpn.nft --expires 9999d",
    "blocklist anonymous --as nft -o - --split 9",
    "blocklist - --as nft -o vpn.nft --allow -",
    "blocklist anonymous --as nft -o vpn.nft --force all",
    "blocklist anonymous --as nft -o vpn.nft --fields ip",
    "blocklist anonymous --as nft -o vpn.nft --spreadsheet-safe",
    "blocklist - type:VPN --as nft -o vpn.nft",
    "blocklist anonymous --check --expires 3d",
    "blocklist anonymous --check --log missing.log",
    "blocklist anonymous --check --diff missing.txt",
    "blocklist anonymous --check --max-change 5",
    "blocklist anonymous --check --diff old.txt --max-change many",
    "blocklist anonymous --check --max-beyond 101%",
    "blocklist missing.nft --check",
    // watch
    "watch frobnicate",
    "watch add",
    "watch add office",
    "watch add off/ice --tag ACME_VPN",
    "watch add office --address 198.51.100.300",
    "watch add office --network office",
    "watch add office --as ACME",
    "watch add office --tag 'not a tag'",
    "watch add office --filter tpe:VPN",
    "watch add office --file missing.txt --feed anonymous",
    "watch add office --tag ACME_VPN --feed anonymus",
    "watch add office --tag ACME_VPN --feed realtime",
    "watch add office --tag ACME_VPN --at-least many",
    "watch add office --tag ACME_VPN --at-most many",
    "watch add office --tag ACME_VPN --at-least 9 --at-most 3",
    "watch rm",
    "watch rm ofice",
    "watch list office",
    "watch check office",
    "watch check --file missing.log",
    "watch check --told --file missing.log",
    "watch --fields nothing",
    "watch --spreadsheet-safe",
    // common
    "common",
    "common 198.51.100.77",
    "common nothing.log",
    "common annonymous:type:VPN",
    "common anonymous:tpye:VPN",
    "common anonymous:type:VPN --feed dch",
    "common ipgeo:type:VPN",
    "common anonymous@2999-01-01:type:VPN",
    "common - --feed service-metrics",
    "common - --feed annonymous",
    "common - --limit many",
    "common - --fields nothing",
    "common - --day yesterday",
    "common - --all=yes",
    "common - --spreadsheet-safe",
    // explain
    "explain",
    "explain WEB_SCRAPNG",
    "explain a value",
    "explain risks --fields nothing",
    "explain risks --spreadsheet-safe",
    // case
    "case nothing",
    "case show",
    "case show INC-1",
    "case forget INC-1",
    "case list a b",
    "case --fields nothing",
    "case show INC-1 --spreadsheet-safe",
    "lookup 198.51.100.77 --case=",
    "lookup 198.51.100.77 --case -",
    // history
    "history",
    "history 198.51.100.256",
    "history 198.51.100.77 198.51.100.78",
    "history 10.0.0.1",
    "history 198.51.100.77",
    "history 198.51.100.77 --day yesterday",
    "history 198.51.100.77 --from someday",
    "history 198.51.100.77 --to 2999-01-01",
    "history 198.51.100.77 --from 2026-11-02 --to 2026-11-01",
    "history 198.51.100.77 --from 2020-01-01 --to 2021-12-31",
    "history 198.51.100.77 --spend many",
    "history 198.51.100.0/24 --spend 5",
    "history 198.51.100.77 --feed annonymous",
    "history 198.51.100.77 --feed dch",
    "history 198.51.100.77 --at warehouse",
    "history 198.51.100.77 --at home",
    "history 198.51.100.77 --fields nothing",
    "history 198.51.100.77 --spreadsheet-safe",
    // export
    "export",
    "export anonymus",
    "export ipgeo -o out.csv",
    "export anonymous",
    "export anonymous --output parquet -o out.csv",
    "export anonymous --fields ip,country -o out.csv",
    "export anonymous --fields network,ip -o out.csv",
    "export dch --fields clientCount -o out.csv",
    "export anonymous --tags ACME* -o out.csv",
    "export anonymous --tags , -o out.csv",
    "export anonymous --callback-proxies BRAVO_PROXY -o out.csv",
    "export anonymous --ccs NLD -o out.csv",
    "export dch --attributed -o out.csv",
    "export anonymous --limit 0 -o out.csv",
    "export anonymous --limit lots -o out.csv",
    "export anonymous-residential --diff -o out.csv",
    "export anonymous --diff-date 2026-11-01 -o out.csv",
    "export anonymous --diff --diff-date 2999-01-01 -o out.csv",
    "export anonymous --local -o out.csv",
    "export anonymous --local=yes -o out.csv",
    "export anonymous --day 2026-11-01 -o out.csv",
    "export anonymous --filter cc:NL -o out.csv",
    "export dch --local --day 1999-01-01 -o out.csv",
    "export dch --local --filter cc:NL -o out.csv",
    "export anonymous --local --day 2026-11-20 --diff --diff-date 2026-11-20 -o out.csv",
    "export anonymous --output mmdb --mmdb-layout geoip -o out.mmdb",
    "export anonymous --local --mmdb-layout geoip -o out.csv",
    "export anonymous --local --mmdb-layout geo -o out.mmdb",
    "export anonymous --local --mmdb-layout geoip --fields tag -o out.mmdb",
    "export anonymous -o /nonexistent/out.csv",
    "export anonymous -o .",
    "export anonymous -o x.xlsx",
    "export anonymous --local -o taken.csv.gz",
    "export anonymous --force=1 -o out.csv",
    "export anonymous --output json --spreadsheet-safe -o out.json",
    "export anonymous --dryrun",
    "export anonymous --header=no -o out.csv",
    "export anonymous --out out.csv",
    // parquet
    "parquet dch",
    "parquet dch -o /nonexistent/dch.parquet",
    "parquet dch -o dch.parquet --day someday",
    "parquet dch -o dch.parquet --filter type:VPN",
    "parquet dch -o dch.parquet --raw=1",
    "parquet dch -o taken.parquet",
    "parquet dch -o dch.csv",
    "parquet dch -o dch.parquet --force=1",
    "parquet dch -o dch.parquet --fields feed,recrods",
    "parquet dch -o dch.parquet --spreadsheet-safe",
    "parquet anonymous -o anonymous.parquet",
];

/// Configurations, and the variables of the environment.
const CONFIGURATIONS: &[&str] = &[
    "profil = \"work\"",
    "profile = \"wrok\"\n[profiles.work]",
    "profile = 1",
    "token = \"secret-1\"",
    "[profile.work]",
    "[profiles.default]\nbase = \"https://context.example\"",
    "[profiles.default]\nbase_url = \"context.example\"",
    "[profiles.default]\nfeeds_url = \"http://feeds.example\"",
    "[profiles.default]\nexports_url = \"https://me:secret-1@exports.example\"",
    "[profiles.default]\ntoken_command = \"pass show token\"",
    "[profiles.default]\ntreat_as_public = [\"198.51.100.0/33\"]",
    "[profiles.default]\ntreat_as_public = \"198.51.100.0/24\"",
    "[profiles.default.warehouse]\nurl = \"http://clickhouse.example:8123\"",
    "[profiles.default.warehouse]\nuser = 7",
    "[profiles.default.warehouse]\ndatabase = [\"ipspect\"]",
    "[profiles.default.warehouse]\npassword_command = \"pass show clickhouse\"",
    "[profiles.default.warehouse]\npassword = \"secret-1\"",
    "[network]\nattempts = \"five\"",
    "[network]\nattempts = 0",
    "[network]\nretry_base_ms = 0.5",
    "[network]\nconnect_timeout_s = -1",
    "[network]\nca_file = 5",
    "[network]\nheader_timeout_s = 0",
    "[network]\nsilence_timeout_s = true",
    "[network]\nexport_timeout_s = \"15 min\"",
    "[network]\ntimeout = 30",
    "[cache]\nkeep_realeases = 3",
    "[cache]\nkeep_releases = -3",
    "[cache]\nkeep_windows = \"all\"",
    "[cache]\nkeep_feed_files = \"yes\"",
    "[cache]\nmax_gb = 0.5",
    "[cache]\nanswer_max_age_h = \"24h\"",
    "[cache]\nlocal_max_age_h = []",
    "[guards]\nwarn_below = \"many\"",
    "[guards]\nstop_below = -1",
    "[blocklist]\nexempt_tags = [\"not a tag\"]",
    "[blocklist]\nallow = \"allow.txt\"",
    "[watch]\non_change = \"notify\"",
    "[guards]\nconfirm_over = 2.5",
    "[[guards]]\nstop_below = 1",
    "[guards",
    "[ui]\ntheme = \"drak\"",
    "[ui]\nanswers = \"local\"",
    "[ui]\nmouse = 1",
    "[ui]\nunicode = \"no\"",
    "[ui]\nscreen_reader = \"yes\"",
    "[keys]\nctrl-x = 3",
    "attempts = 3",
    "[network]\nattempts = 3\nattempts = 4",
];

/// Variables, what they are set to, and what is run then.
const VARIABLES: &[(&str, &str, &str)] = &[
    ("IPSPECT_BASE_URL", "context.example", "status"),
    ("IPSPECT_FEEDS_URL", "ftp://feeds.example", "status"),
    (
        "IPSPECT_EXPORTS_URL",
        "https://exports.example/?key=1",
        "status",
    ),
    ("IPSPECT_TOKEN", "secret 1\u{e9}", "lookup 198.51.100.77"),
    (
        "IPSPECT_WAREHOUSE_PASSWORD",
        "secret 1\u{e9}",
        "warehouse days",
    ),
    ("IPSPECT_CONFIG_DIR", "/proc/nowhere", "status"),
    ("IPSPECT_CACHE_DIR", "/proc/nowhere", "feeds pull dch"),
    ("IPSPECT_STATE_DIR", "/proc/nowhere", "lookup 198.51.100.77"),
];

/// The words of a line.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut quoted) = (vec![String::new()], false);
    for letter in line.chars() {
        match letter {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            letter => {
                if let Some(word) = words.last_mut() {
                    word.push(letter);
                }
            }
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Standard error with what differs from run to run replaced.
fn settled(ran: &Ran, home: &Home, service: &Service) -> String {
    let mut text = ran.err.replace(&*home.root.path().to_string_lossy(), "~");
    for host in ipspect::contract::Host::ALL {
        text = text.replace(&service.demo.url(host), &format!("http://{host}.example"));
    }
    let today = ipspect::model::Day::of(jiff::Timestamp::now());
    for (day, name) in [(today, "TODAY"), (today.plus(-1), "YESTERDAY")] {
        // The newest release is yesterday's until that of the day is published.
        text = text
            .replace(&format!("feed of {}", day.dashed()), "feed of LATEST")
            .replace(&day.dashed(), name)
            .replace(&day.to_string(), name);
    }
    text
}

/// A value as `{:?}` prints it, such as `TagName("ACME_VPN")` or `Query { feed:`: the name of a type, and what is in it right behind.
fn debug_form(said: &str) -> Option<&str> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let opened = said.match_indices(['(', '{']);
    let mut names = opened.filter_map(|(at, sign)| {
        let before = &said[..at];
        let before = if sign == "{" {
            before.strip_suffix(' ')?
        } else {
            before
        };
        let begin = before.rfind(|c| !is_name(c)).map_or(0, |space| space + 1);
        Some(&before[begin..])
    });
    names.find(|name| {
        let rest = name.get(1..).unwrap_or_default();
        name.starts_with(|c: char| c.is_ascii_uppercase())
            && rest.contains(|c: char| c.is_ascii_lowercase())
    })
}

#[test]
fn forms_for_programmers_are_told_from_words() {
    for said in [
        "error: TagName(\"ACME_VPN\") is not an address",
        "the day is Some(Day)",
        "in PullQuery { feed: Dch }",
    ] {
        assert!(debug_form(said).is_some(), "{said}");
    }
    for said in [
        "the Context API (403)",
        "IPSPECT_TOKEN(S) or {\"feed\"}",
        "write f(x), \"Name\" or the name (Dch)",
    ] {
        assert_eq!(debug_form(said), None, "{said}");
    }
}

/// What was mistyped and said, and what is wrong with that.
#[derive(Default)]
struct Read {
    text: String,
    wrong: Vec<String>,
}

impl Read {
    /// Adds a mistake, with what must hold of each of them.
    fn add(&mut self, what: &str, ran: &Ran, said: &str) {
        let code = ran.code.expect("an end");
        for (holds, rule) in [
            (code != 0, "it passed"),
            (said.starts_with("error: "), "no error"),
            (said.lines().count() <= 5, "too long"),
            (said.matches("error:").count() == 1, "said twice"),
            (said.contains("\n  "), "no mend"),
            (!said.contains("secret"), "a secret shows"),
            (debug_form(said).is_none(), "a form for programmers"),
        ] {
            if !holds {
                self.wrong.push(format!("{rule}: {what}: {ran:?}"));
            }
        }
        let _ = writeln!(self.text, "$ {what}\n{}\n[{code}]\n", said.trim_end());
    }
}

#[test]
fn each_mistake_has_one_message_that_names_the_mend() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull dch").ends(0);
    home.run("feeds pull service-metrics").ends(0);
    for taken in ["taken.pdf", "taken.parquet"] {
        fs::write(home.path(taken), "").expect("write");
    }
    let mut read = Read::default();
    let mut hints = BTreeSet::new();
    for line in LINES {
        let words = words(line);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let ran = home.run_words(&words);
        hints.extend(commands_in(&ran.err).map(str::to_owned));
        read.add(
            &format!("ipspect {line}"),
            &ran,
            &settled(&ran, &home, &service),
        );
    }
    let other = Home::empty();
    for configuration in CONFIGURATIONS {
        other.configure(configuration);
        let ran = other.run("lookup 203.0.113.7");
        let what = configuration
            .replace("secret-1", "...")
            .replace('\n', "\n> ");
        read.add(
            &format!("config.toml:\n> {what}"),
            &ran,
            &settled(&ran, &other, &service),
        );
    }
    for (name, value, line) in VARIABLES {
        let mut command = home.command(line);
        let ran = Ran::of(command.env(name, value).output().expect("run"));
        let value = value.replace("secret", "...");
        read.add(
            &format!("{name}={value} ipspect {line}"),
            &ran,
            &settled(&ran, &home, &service),
        );
    }
    for hint in hints.iter().filter(|hint| can_run(hint)) {
        let filled = filled(hint);
        if home.run(&filled).code == Some(2) {
            read.wrong
                .push(format!("a hint names what is refused: {hint}"));
        }
    }
    assert!(read.wrong.is_empty(), "{}", read.wrong.join("\n"));
    insta::assert_snapshot!(read.text);
}

/// The command lines that a text names in backticks, without the name of the program.
fn commands_in(text: &str) -> impl Iterator<Item = &str> {
    let parts = text.split("`ipspect ").skip(1);
    parts.filter_map(|part| part.split_once('`').map(|(line, _)| line))
}

/// Whether a hint can be followed without a token to store or more than it says.
fn can_run(hint: &str) -> bool {
    let line = filled(hint);
    // Neither a terminal nor a warehouse is there.
    let is_elsewhere = line.starts_with("login") || line.starts_with("warehouse");
    !is_elsewhere && parsed(&line).is_ok_and(|is_whole| is_whole)
}

/// A hint with something in the place of what a person would put there.
fn filled(hint: &str) -> String {
    const PLACES: [(&str, &str); 8] = [
        ("DAY", "2026-11-20"),
        ("HHMM", "2310"),
        ("ADDRESS", "198.51.100.77"),
        ("FEED", "dch"),
        ("TAG", "ACME_VPN"),
        ("PART", "ACME"),
        ("FILE", "file.csv"),
        ("N", "3"),
    ];
    let mut words: Vec<String> = Vec::new();
    for word in hint.split_whitespace() {
        let place = PLACES.iter().find(|(place, _)| *place == word);
        let is_day = words
            .last()
            .is_some_and(|last| ["--day", "--date"].contains(&&**last));
        words.push(match place {
            Some((_, value)) => (*value).to_owned(),
            None if word.starts_with('{') && is_day => "2026-11-20".to_owned(),
            None if word.starts_with('{') => match words.first().map(String::as_str) {
                Some("lookup") => "198.51.100.77".to_owned(),
                _ => "dch".to_owned(),
            },
            None => word.to_owned(),
        });
    }
    words.join(" ")
}

/// Whether the program understands a line, and has all that it needs.
fn parsed(line: &str) -> Result<bool, String> {
    let words = std::iter::once("ipspect").chain(line.split_whitespace());
    match Args::definition().try_get_matches_from(words) {
        Ok(matches) => match matches.subcommand() {
            Some(_) => Ok(true),
            None => Err(format!("no command: {line}")),
        },
        Err(error) => match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Ok(true),
            ErrorKind::MissingRequiredArgument => Ok(false),
            _ => Err(error.to_string()),
        },
    }
}

#[test]
fn no_hint_names_a_command_that_is_refused() {
    let mut folders = vec![Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let (mut found, mut wrong) = (0, Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).expect("folder") {
            let path = entry.expect("entry").path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let text = fs::read_to_string(&path).expect("source");
            // A command of a feature is one where the feature is built.
            let is_built = |hint: &&str| cfg!(feature = "mcp") || !hint.starts_with("mcp ");
            let hints = commands_in(&text).filter(|hint| !hint.starts_with(['{', '"']));
            for hint in hints.filter(is_built) {
                found += 1;
                // A line that is continued.
                let hint = hint.replace('\\', "");
                if let Err(why) = parsed(&filled(&hint)) {
                    wrong.push(format!("{}: `{hint}`: {why}", path.display()));
                }
            }
        }
    }
    assert!(found > 50, "{found}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The command that the words of a line reach.
fn command_of<'a>(program: &'a Command, line: &[String]) -> (&'a Command, String) {
    let (mut command, mut path) = (program, Vec::new());
    for word in line.iter().filter(|word| !word.starts_with('-')) {
        if let Some(inner) = command.find_subcommand(word) {
            (command, path) = (inner, [path, vec![word.clone()]].concat());
        }
    }
    (command, path.join(" "))
}

/// How an argument is named in a line or in a message about it.
fn names(arg: &Arg) -> Vec<String> {
    let long = arg.get_long().map(|long| format!("--{long}"));
    let short = arg.get_short().map(|short| format!("-{short}"));
    let names: Vec<String> = long.into_iter().chain(short).collect();
    if !names.is_empty() {
        return names;
    }
    let values = arg.get_value_names().into_iter().flatten();
    values.map(ToString::to_string).collect()
}

/// A mistake of the snapshot: the line, and what was said of it.
fn read_back(snapshot: &str) -> Vec<(Vec<String>, String)> {
    let mistakes = snapshot.split("$ ipspect ").skip(1);
    let mistakes = mistakes.filter_map(|mistake| mistake.split_once('\n'));
    mistakes
        .map(|(line, said)| (words(line), said.to_owned()))
        .collect()
}

/// Whether a text has a word, as a name or as the beginning of a pair such as `--date=`.
fn has_word(text: &str, word: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '-' || c == '_';
    text.match_indices(word).any(|(at, _)| {
        let (before, behind) = (&text[..at], &text[at + word.len()..]);
        !before.ends_with(is_part) && !behind.starts_with(is_part)
    })
}

/// The arguments of a command and of those in it for which no mistake stands in the snapshot.
fn without_mistake(
    program: &Command,
    path: &str,
    command: &Command,
    mistakes: &[(Vec<String>, String)],
) -> Vec<String> {
    let mut missing = Vec::new();
    let own = command.get_arguments().filter(|arg| {
        let id = arg.get_id().as_str();
        // What every command understands is mistyped once, with any of them.
        let is_told_above = arg.is_global_set() && path.contains(' ');
        let is_everywhere = arg.get_help_heading() == Some("Everywhere") && !path.is_empty();
        !["help", "version"].contains(&id) && !is_told_above && !is_everywhere
    });
    for arg in own {
        let found = mistakes.iter().any(|(line, said)| {
            let (_, reached) = command_of(program, line);
            let is_here = reached == path || arg.is_global_set() && reached.starts_with(path);
            let operands = || {
                let operands = line.iter().filter(|word| !word.starts_with('-'));
                operands.filter(|word| !path.split(' ').any(|name| name == *word))
            };
            is_here
                && (names(arg).iter().any(|name| {
                    has_word(said, name) || line.iter().any(|word| has_word(word, name))
                }) || arg.is_positional() && operands().any(|word| said.contains(word)))
        });
        if !found {
            missing.push(format!("ipspect {path} {}", names(arg).join(" ")));
        }
    }
    for inner in command
        .get_subcommands()
        // What a feature adds is tested with it (tests/assistants).
        .filter(|inner| !inner.is_hide_set() && inner.get_name() != "mcp")
    {
        let path = format!("{path} {}", inner.get_name());
        missing.extend(without_mistake(program, path.trim(), inner, mistakes));
    }
    missing
}

#[test]
fn each_argument_has_a_mistake() {
    let snapshots = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/snapshots");
    let name = "it__mistakes__each_mistake_has_one_message_that_names_the_mend.snap";
    let snapshot = fs::read_to_string(snapshots.join(name)).expect("the snapshot");
    let program = Args::definition();
    let missing = without_mistake(&program, "", &program, &read_back(&snapshot));
    assert!(
        missing.is_empty(),
        "add a line to LINES for each of these:\n{}",
        missing.join("\n")
    );
}

#[test]
fn each_key_and_variable_has_a_mistake() {
    let home = Home::empty();
    let sample = home.run("doctor --sample");
    let lines = sample.ends(0).out.lines();
    let assigned = |line: &str| {
        let (key, _) = line.trim_start_matches(['#', ' ']).split_once(" = ")?;
        let is_key = !key.is_empty() && key.chars().all(|c| c.is_ascii_lowercase() || c == '_');
        is_key.then(|| key.to_owned())
    };
    let mut keys: BTreeSet<String> = lines.filter_map(assigned).collect();
    let values = home.run("doctor --config --format json");
    for value in values.ends(0).lines() {
        let key = value["key"].as_str().expect("a key");
        keys.extend(key.rsplit_once('.').map(|(_, key)| key.to_owned()));
    }
    assert!(keys.len() > 25, "{keys:?}");
    keys.retain(|key| !CONFIGURATIONS.iter().any(|text| has_word(text, key)));
    assert!(keys.is_empty(), "add a line to CONFIGURATIONS: {keys:?}");

    let manual = home.run("man").out.replace("\\fB", " ");
    let is_name = |c: char| c.is_ascii_uppercase() || c == '_';
    let names = manual.split(|c: char| !is_name(c));
    let mut names: BTreeSet<&str> = names.filter(|name| name.starts_with("IPSPECT_")).collect();
    assert!(names.len() >= 7, "{names:?}");
    names.retain(|name| !VARIABLES.iter().any(|(text, ..)| text == name));
    assert!(names.is_empty(), "add a pair to VARIABLES: {names:?}");
}
