//! Failures in words: what failed, why and what to do, once; the service is quoted, and the code is that of what was at fault.

use std::{fs, process::Command, process::Stdio};

use ipspect::demo::DemoRole;

use crate::{
    fake::{Fake, answer},
    service::{Ran, Service, files_below},
};

/// A service that refuses everything with this body.
fn refusing(body: &'static str) -> Fake {
    Fake::answering(move |_| {
        let body = format!("{{\"error\":\"{body}\"}}");
        answer(400, "content-type: application/json\r\n", body.as_bytes())
    })
}

#[test]
fn a_refused_day_is_not_called_an_address() {
    let home = refusing("no data for that date").home();
    home.run("lookup 198.51.100.77 --date 1999-01-01")
        .ends(10)
        .says("no data for 1999-01-01 (the service: 'no data for that date')");
    let home = refusing("dt: not a public address").home();
    home.run("lookup 198.51.100.77 --date 1999-01-01")
        .ends(6)
        .says("the service refused 198.51.100.77 on 1999-01-01 (400: 'dt: not a public address')");
    home.run("lookup 198.51.100.77")
        .ends(6)
        .says("the service refused 198.51.100.77 (400: 'dt: not a public address')");
}

#[test]
fn a_refused_export_has_the_reason_of_the_service() {
    let home = refusing("unknown tag ACME_VPN").home();
    let ran = home.run("export anonymous --tags ACME_VPN -o out.csv");
    ran.ends(6)
        .says("the exports host refused the export (400: 'unknown tag ACME_VPN')")
        .says("--dry-run");
    assert!(!home.path("out.csv").exists());
}

#[test]
fn a_missing_folder_is_named() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for line in [
        "export anonymous -o gone/out.csv",
        "feeds readme anonymous -o gone/readme.pdf",
    ] {
        let ran = home.run(line);
        ran.ends(8)
            .says("there is no folder gone")
            .says("mkdir -p gone");
        assert_eq!(ran.err.lines().count(), 2, "{ran:?}");
    }
    assert_eq!(service.demo.requests(), [], "nothing is asked for nothing");
}

#[test]
fn an_empty_release_is_called_empty() {
    let gzip = crate::cli_records::gzip(b"");
    let fake = Fake::answering(move |target| {
        if target.ends_with("latest.json.gz") {
            return answer(200, "x-feed-generation-date: 20261118\r\n", &gzip);
        }
        answer(404, "", b"")
    });
    let home = fake.home();
    home.run("feeds pull anonymous")
        .ends(7)
        .says("the release of anonymous is empty: it was not published")
        .says("--allow-shrink");
}

#[test]
fn an_index_that_cannot_be_read_is_named_as_itself() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull dch").ends(0);
    let files = files_below(&home.path("cache/feeds/dch"));
    let index = files
        .iter()
        .find(|file| file.extension().is_some_and(|ending| ending == "idx"))
        .or_else(|| {
            files
                .iter()
                .find(|file| file.to_string_lossy().contains("index"))
        });
    let index = index.unwrap_or_else(|| panic!("an index: {files:?}"));
    fs::remove_file(index).expect("remove");
    fs::create_dir(index).expect("a folder in its place");
    let ran = home.run("search dch --count");
    ran.ends(8)
        .says(&index.display().to_string())
        .says("could not read the index")
        .says("feeds reindex dch");
}

/// However few files a process may open, that is its own fault, and never that of a release or of the network.
#[test]
fn too_few_files_are_a_failure_of_this_machine() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull dch").ends(0);
    let mut named = 0;
    for line in ["search dch --count", "status", "export dch -o -"] {
        for most in 6..26 {
            let script = format!("ulimit -n {most}; exec \"$0\" {line} -q");
            let mut command = Command::new("bash");
            command
                .args(["-c", &script, env!("CARGO_BIN_EXE_ipspect")])
                .current_dir(home.root.path())
                .stdin(Stdio::null());
            for (name, value) in home.command("").get_envs() {
                command.env(name, value.unwrap_or_default());
            }
            let ran = Ran::of(command.output().expect("run"));
            assert!(
                matches!(ran.code, Some(0 | 8)),
                "{line} with {most}: {ran:?}"
            );
            if ran.code == Some(8) {
                named += usize::from(ran.err.contains("too many files are open"));
                ran.says("ulimit -n");
            }
        }
    }
    assert!(named > 0, "never");
}

#[test]
fn an_unknown_tag_leads_to_the_list_and_to_the_near_one() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("tag ACMEVPN").ends(10).says("ipspect tags");
    home.run("feeds pull service-metrics").ends(0);
    home.run("tag ACMEVPN")
        .ends(10)
        .says("did you mean ACME_VPN?")
        .says("ipspect tags");
}
