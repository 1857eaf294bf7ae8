//! `export`: what the contract forbids is never sent, what it allows is sent literally, and files are whole.

use std::fs;

use ipspect::demo::{DemoRole, FaultSite};

use crate::service::{Home, Service};

/// Every forbidden combination, with a word of the rule that it breaks.
#[test]
fn what_the_contract_forbids_is_refused_before_anything_is_sent() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for (line, rule) in [
        ("anonymous --fields ip,network", "collapses"),
        ("anonymous --fields services,network", "collapses"),
        ("anonymous --fields network --diff", "diff"),
        ("anonymous-residential --diff", "no daily diff"),
        (
            "anonymous-residential-ipv6 --diff --diff-date 2026-11-19",
            "no daily diff",
        ),
        (
            "anonymous --callback-proxies WIDGET_PROXY",
            "anonymous-residential types only",
        ),
        (
            "anonymous-ipv6 --callback-proxies WIDGET_PROXY",
            "anonymous-residential types only",
        ),
        ("anonymous --limit 0", "outside 1 to 2,000,000"),
        ("anonymous --limit 2000001", "outside 1 to 2,000,000"),
        ("anonymous --limit -5", "outside 1 to 2,000,000"),
        ("anonymous --limit many", "a whole number"),
        ("anonymous --fields asn", "no field asn"),
        ("dch --fields ip", "no field ip"),
        ("anonymous --fields colour", "there is no field"),
        ("anonymous --output xml", "xml"),
        ("anonymous --ccs NLD", "two letters"),
        ("anonymous --ccs N1", "two letters"),
        ("anonymous --diff-date 2026-11-19", "needs diff"),
        ("anonymous --diff --diff-date 2026-02-30", "not a day"),
        ("anonymous --tags A/B", "not a service tag"),
        ("realtime", "no export"),
        ("ipsummary", "no export"),
        ("nonsense", "there is no feed"),
        ("dch --limit 5", "dch takes"),
        ("dch --tags ACME_VPN", "dch takes"),
        ("dch --ccs NL", "dch takes"),
        ("dch --attributed", "dch takes"),
        ("dch --diff", "dch takes"),
        ("anonymous --output json --spreadsheet-safe", "not CSV"),
    ] {
        let ran = home.run(&format!("export {line} -o out"));
        assert!(
            ran.ends(2).says(rule).err.lines().count() <= 5,
            "{line}: {ran:?}"
        );
        if !line.contains("spreadsheet") {
            home.run(&format!("export {line} --dry-run")).ends(2);
        }
    }
    assert_eq!(service.demo.requests(), []);
    assert!(!home.path("out").exists());
}

/// What is allowed, with the target that must be asked, written by hand from the contract.
#[test]
fn what_is_allowed_is_sent_literally() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let table = [
        ("anonymous", "/v1/feeds/anonymous?output=csv"),
        (
            "dch --output json --fields network,asn",
            "/v1/feeds/dch?output=json&fields=network,asn",
        ),
        (
            "anonymous --header --fields ip,tag --limit 10 --tags acme_vpn,CARGO_VPN --ccs nl,DE --attributed",
            "/v1/feeds/anonymous?output=csv&includeCSVHeader=true&fields=ip,tag&limit=10&tags=ACME_VPN,CARGO_VPN&ccs=NL,DE&attributed=true",
        ),
        (
            "anonymous --output json --header",
            "/v1/feeds/anonymous?output=json",
        ),
        (
            "anonymous --fields network,tag",
            "/v1/feeds/anonymous?output=csv&fields=network,tag",
        ),
        (
            "anonymous --diff",
            "/v1/feeds/anonymous?output=csv&diff=true",
        ),
        (
            "anonymous-residential --callback-proxies WIDGET_PROXY --fields ip,callbackProxy",
            "/v1/feeds/anonymous-residential?output=csv&fields=ip,callbackProxy&callbackProxies=WIDGET_PROXY",
        ),
        (
            "anonymous-ipv6 --output json --limit 1",
            "/v1/feeds/anonymous-ipv6?output=json&limit=1",
        ),
        (
            "anonymous --output mmdb --limit 50",
            "/v1/feeds/anonymous?output=mmdb&limit=50",
        ),
    ];
    for (number, (line, target)) in table.iter().enumerate() {
        home.run(&format!("export {line} -o file-{number}")).ends(0);
        assert_eq!(
            service.asked(FaultSite::Exports).last().map(String::as_str),
            Some(*target),
            "{line}"
        );
        assert!(
            fs::metadata(home.path(&format!("file-{number}")))
                .expect("file")
                .len()
                > 0,
            "{line}"
        );
    }
    assert_eq!(service.asked(FaultSite::Exports).len(), table.len());
}

#[test]
fn what_is_worth_knowing_is_noted_and_sent() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for (line, note) in [
        (
            "anonymous --output json --header",
            "a header row exists in CSV only",
        ),
        ("anonymous-ipv6 --fields ip", "network instead of ip"),
        ("anonymous --output mmdb", "filtering is advised"),
        ("anonymous --fields callbackProxy", "not documented"),
        ("anonymous --fields network", "longer"),
    ] {
        home.run(&format!("export {line} -o - -q --dry-run"))
            .ends(0);
        let ran = home.run(&format!("export {line} --dry-run"));
        ran.ends(0).says("note: ").says(note);
    }
}

#[test]
fn an_export_is_a_whole_file_that_replaces_nothing_unasked() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let done = home
        .run("export anonymous --header --limit 7 -o out.csv --format json")
        .ends(0)
        .line();
    let text = home.read("out.csv");
    assert_eq!(
        (&done["records"], &done["bytes"]),
        (&7.into(), &text.len().into())
    );
    assert_eq!(text.lines().count(), 8);
    assert!(done["url"].as_str().is_some_and(|url| {
        url.ends_with("/v1/feeds/anonymous?output=csv&includeCSVHeader=true&limit=7")
    }));
    let asked = service.asked(FaultSite::Exports).len();
    home.run("export dch -o out.csv").ends(2).says("--force");
    assert_eq!(
        (
            service.asked(FaultSite::Exports).len(),
            home.read("out.csv")
        ),
        (asked, text)
    );
    home.run("export dch -o out.csv --force")
        .ends(0)
        .shows("records");
    home.run("export dch").ends(2).says("-o FILE");
    home.run("export dch -o missing/out.csv").ends(8);
    home.run("export dch -o .").ends(2).says("folder");
    home.run("export dch -o first.csv --format md")
        .ends(0)
        .shows("### Export of dch");
    home.run("export dch -o second.csv --format csv")
        .ends(0)
        .shows("feed,output,file");
}

#[test]
fn standard_output_gets_all_of_it_or_nothing() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let ran = home.run("export anonymous --output json --limit 5 -o -");
    let records: serde_json::Value = serde_json::from_str(&ran.ends(0).out).expect("one document");
    assert_eq!(records.as_array().map(Vec::len), Some(5));
    for (fault, code) in [
        ("truncate", 5),
        ("cut=40", 5),
        ("html", 6),
        ("500", 6),
        ("reset", 5),
        ("short", 7),
        ("429=600", 4),
    ] {
        service.demo.faults().clear();
        service.arm(&format!("exports:{fault}"));
        let ran = home.run("export anonymous --output json --limit 5 -o -");
        assert_eq!(ran.ends(code).out, "", "{fault}");
        let ran = home.run("export anonymous --output json --limit 5 -o out.json");
        assert_eq!(ran.ends(code).out, "", "{fault}");
        assert!(!home.path("out.json").exists(), "{fault}");
    }
    home.run("export dch -o -").ends(4).says("wait until");
    let left: Vec<_> = crate::service::files_below(home.root.path())
        .into_iter()
        .filter(|path| path.to_string_lossy().contains(".part"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn a_spreadsheet_takes_no_cell_for_a_formula() {
    let body = b"ip,tag\n198.51.100.7,=1+1\n198.51.100.8,@x\n198.51.100.9,\"-a, b\"\n".to_vec();
    let fake = crate::fake::Fake::json("", body);
    let home = fake.home();
    home.run("export anonymous --header --spreadsheet-safe -o safe.csv")
        .ends(0)
        .shows("3 records");
    assert_eq!(
        home.read("safe.csv"),
        "ip,tag\n198.51.100.7,'=1+1\n198.51.100.8,'@x\n198.51.100.9,\"'-a, b\"\n"
    );
    home.run("export anonymous --header --spreadsheet-safe -o -")
        .ends(0)
        .shows("'=1+1");
    assert!(
        home.run("export anonymous --header -o -")
            .out
            .contains(",=1+1")
    );
}

#[test]
fn a_dry_run_shows_the_request_and_sends_nothing() {
    let service = Service::start();
    let home = service.home(DemoRole::Full).without_token();
    let url = format!(
        "{}/v1/feeds/anonymous?output=json&limit=5&ccs=NL,DE",
        service.demo.url(ipspect::contract::Host::Exports)
    );
    let ran = home.run_words(&[
        "export",
        "anonymous",
        "--output",
        "json",
        "--limit",
        "5",
        "--ccs",
        "nl,de",
        "--dry-run",
        "-o",
        "my file.json",
    ]);
    let curl = format!("curl -fsS -H \"Token: $IPSPECT_TOKEN\" '{url}' -o 'my file.json'");
    assert_eq!(ran.ends(0).out, format!("{url}\n{curl}\n"));
    home.run("export anonymous --dry-run")
        .ends(0)
        .shows("-o anonymous.csv");
    home.run("export anonymous --dry-run --format json")
        .ends(0)
        .shows("\"curl\":");
    assert_eq!(service.demo.requests(), []);
    Home::empty()
        .run("export anonymous --dry-run")
        .ends(2)
        .says("exports_url");
}
