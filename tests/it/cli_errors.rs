//! Failures in words: what failed, why and what to do, once; the service is quoted, and the code is that of what was at fault.

use std::{
    fs,
    io::{Read, Write},
    path::PathBuf,
    process::{Command, Stdio},
};

use ipspect::demo::DemoRole;

use crate::{
    fake::{Fake, answer},
    service::{Home, Ran, Service, files_below, until},
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

/// The index of the only release of a feed.
fn index_of(home: &Home, feed: &str) -> PathBuf {
    let mut files = files_below(&home.path(&format!("cache/feeds/{feed}")));
    files.retain(|file| file.extension().is_some_and(|ending| ending == "idx"));
    let [index] = files.as_slice() else {
        panic!("an index: {files:?}")
    };
    index.clone()
}

#[test]
fn an_index_that_is_no_file_is_not_opened_and_a_request_replaces_it() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull anonymous").ends(0);
    fs::write(home.path("log"), "198.51.100.77\n").expect("write");
    let elsewhere = home.path("elsewhere.idx");
    for (what, why) in [("fifo", "not a regular file"), ("link", "a link")] {
        let index = index_of(&home, "anonymous");
        let bytes = fs::read(&index).expect("index");
        fs::rename(&index, &elsewhere).expect("moved");
        if what == "fifo" {
            let made = Command::new("mkfifo").arg(&index).status();
            assert!(made.expect("mkfifo").success());
        } else {
            std::os::unix::fs::symlink(&elsewhere, &index).expect("link");
        }
        for line in [
            "search anonymous --count",
            "lookup 198.51.100.77 --source local",
            "enrich log",
            "feeds verify anonymous",
            "parquet anonymous --force -o a.parquet",
            "export anonymous --local --force -o a.csv",
        ] {
            let ran = home.run(line);
            assert!(matches!(ran.code, Some(7 | 8)), "{what}: {ran:?}");
            ran.says(why).says("feeds reindex anonymous");
        }
        home.run("feeds reindex anonymous").ends(0);
        home.run("search anonymous --count").ends(0);
        assert_eq!(fs::read(&elsewhere).expect("untouched"), bytes);
    }
}

/// Answers one address, cuts the index off, then asks for another.
#[test]
fn an_index_that_is_cut_off_under_a_command_ends_it_with_words() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull anonymous").ends(0);
    let index = index_of(&home, "anonymous");
    let bytes = fs::read(&index).expect("index");
    for format in ["json", "text"] {
        let mut command = home.command(&format!("enrich - --format {format}"));
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().expect("start");
        let (mut stdin, mut stdout) = (child.stdin.take(), child.stdout.take());
        let (stdin, stdout) = (
            stdin.as_mut().expect("input"),
            stdout.as_mut().expect("output"),
        );
        writeln!(stdin, "198.51.100.77").expect("write");
        let mut out = vec![0; 1];
        stdout.read_exact(&mut out).expect("an answer");
        let file = fs::File::options().write(true).open(&index);
        file.expect("index").set_len(0).expect("cut off");
        // In text, the head comes before the first answer, and the program may have ended by now.
        let _ = writeln!(stdin, "198.51.100.78");
        stdout.read_to_end(&mut out).expect("the rest");
        let mut ended = child.wait_with_output().expect("the end");
        ended.stdout = out;
        let ran = Ran::of(ended);
        ran.ends(7)
            .says("error: the index of anonymous for 2")
            .says("was cut off by another program while it was read")
            .says("feeds reindex anonymous");
        if format == "json" {
            let lines = ran.lines();
            assert_eq!(lines.len(), 2, "{lines:?}");
            assert_eq!(lines[0]["query"], "198.51.100.77");
            assert_eq!(lines[1]["error"]["kind"], "integrity");
        }
        fs::write(&index, &bytes).expect("as it was");
    }
    home.run("search anonymous --count").ends(0);
}

/// [`Ran::of`] refuses a run that prints a control character.
#[test]
fn a_path_from_the_command_line_is_shown_with_escapes() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let hostile = "a\x1b[31mb";
    for (words, code) in [
        ("feeds pull dch", 0),
        ("feeds info dch", 0),
        ("feeds reindex dch", 0),
        ("feeds verify dch", 0),
        ("doctor", 0),
        ("feeds rm dch", 0),
        ("search dch --count", 10),
    ] {
        let words = words.split_whitespace();
        let words: Vec<&str> = ["--cache-dir", hostile].into_iter().chain(words).collect();
        home.run_words(&words).ends(code);
    }
    let readme = format!("{hostile}.pdf");
    let saved = home.run_words(&["feeds", "readme", "anonymous", "-o", &readme]);
    saved.ends(0).shows(r"a\x1b[31mb.pdf: ");
    home.run_words(&["enrich", hostile]).ends(10);
    home.run_words(&["--config", &readme, "status"]).ends(2);
    home.run_words(&["--profile", hostile, "status"]).ends(2);
    let home = home.without_token();
    for (word, verb) in [("login", "stored in "), ("logout", "removed ")] {
        let mut command = home.command_of(&[word, "--offline"]);
        let folder = home.path(hostile);
        command
            .env("IPSPECT_CONFIG_DIR", folder)
            .stdin(Stdio::piped());
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("start");
        let mut input = child.stdin.take().expect("input");
        // `logout` does not read it.
        let _ = writeln!(input, "an-invented-token");
        drop(input);
        let ran = Ran::of(child.wait_with_output().expect("output"));
        ran.ends(0).shows(verb).shows(r"a\x1b[31mb");
    }
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
            let mut command = home.limited(&format!("-n {most}"), line);
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

/// With little memory a command answers, or ends with the code of this machine: never by a signal, and never blaming a release.
#[cfg(target_os = "linux")]
#[test]
fn too_little_memory_is_a_failure_of_this_machine() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull anonymous").ends(0);
    let starts = |limit: &str| home.limited(limit, "--version").output();
    let mut failed = 0;
    for mebibytes in (56..256).step_by(12) {
        let limit = format!("-v {}", mebibytes * 1024);
        // The program itself takes a part of it.
        if !starts(&limit).expect("run").status.success() {
            continue;
        }
        for line in [
            "search anonymous --count",
            "feeds reindex anonymous",
            "parquet anonymous --force -o a.parquet",
        ] {
            let mut command = home.limited(&limit, line);
            // Whoever asks where it failed gets no signal either: finding that out takes memory.
            let command = command.env("RUST_BACKTRACE", "1");
            let ran = Ran::of(command.output().expect("run"));
            if ran.code != Some(0) {
                failed += 1;
                ran.ends(8).says("ulimit -v");
            }
        }
    }
    assert!(failed > 0, "never");
    home.run("search anonymous --count").ends(0);
}

/// With fewer threads than usual a command answers, or says that it cannot; it never waits for a thread that was refused.
#[test]
fn too_few_threads_are_a_failure_of_this_machine() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("feeds pull dch").ends(0);
    home.run("feeds pull anonymous").ends(0);
    fs::write(home.path("log"), "198.51.100.77\n").expect("write");
    // The limit does not bind root, so then another user runs it, which has no other process.
    let user = rustix::process::geteuid()
        .is_root()
        .then(|| 100_000 + std::process::id());
    if let Some(user) = user {
        let mut chown = Command::new("chown");
        let chown = chown.args(["-R", &user.to_string()]).arg(home.root.path());
        assert!(chown.status().expect("chown").success());
    }
    let mut answered = 0;
    for line in [
        "search anonymous --facet cc",
        "lookup 198.51.100.77 --source local",
        "enrich log",
        "status",
        "feeds pull dch",
        "feeds reindex dch",
        "parquet anonymous --force -o a.parquet",
        "export anonymous --local --force -o a.csv",
    ] {
        for most in 0..5 {
            let mut command = home.limited(&format!("-u {most}"), line);
            if let Some(user) = user {
                std::os::unix::process::CommandExt::uid(&mut command, user);
            }
            let mut child = command.spawn().expect("run");
            until(&format!("the end of {line} with {most}"), || {
                child.try_wait().expect("wait").is_some()
            });
            let ran = Ran::of(child.wait_with_output().expect("output"));
            match ran.code {
                Some(0) => answered += 1,
                _ => drop(ran.ends(8).says("starts no more threads").says("ulimit -u")),
            }
        }
    }
    assert!(user.is_none() || answered > 10, "{answered} answered");
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
