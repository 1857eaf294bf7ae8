//! What is kept of earlier runs: the log, the ledger, what the hosts said, the token. Nothing that was changed, belongs to
//! another or lies elsewhere is believed, and no query goes out that could not be noted.

use std::{
    fs,
    os::unix::fs::{PermissionsExt, symlink},
    process::Stdio,
};

use ipspect::demo::{DemoRole, FaultSite};

use crate::{
    fake::{Fake, answer},
    pty::Terminal,
    service::{Home, Ran, Service, signal, until},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ipspect");
const LOOKUP: &str = "lookup 198.51.100.77 --format json";

#[test]
fn a_query_that_was_under_way_when_the_process_was_killed_is_possibly_spent() {
    let fake = Fake::answering(|_| Vec::new());
    let home = fake.home();
    let child = home.start(LOOKUP);
    until("the request", || fake.asked().len() == 1);
    signal(&child, "KILL");
    child.wait_with_output().expect("wait");
    assert_eq!(home.spent(), (0, 1));
}

#[test]
fn nothing_is_sent_that_the_ledger_cannot_take() {
    let service = Service::start();
    // Without a folder.
    let home = service.home(DemoRole::Full);
    fs::write(home.path("state"), "a file").expect("write");
    home.run(LOOKUP).ends(8).shows("no query was sent");
    // A link that leads elsewhere.
    let linked = service.home(DemoRole::Full);
    let precious = linked.path("precious");
    fs::write(&precious, "precious\n").expect("write");
    fs::create_dir(linked.path("state")).expect("folder");
    symlink(&precious, linked.path("state/ledger")).expect("link");
    let ran = linked.run(LOOKUP);
    ran.ends(8).shows("it is a link");
    assert!(!ran.all().contains("possibly spent"), "{ran:?}");
    assert_eq!(fs::read(&precious).expect("as before"), b"precious\n");
    // What is free is not kept from anybody.
    linked.run("status").ends(0);
    assert_eq!(service.asked(FaultSite::Context), ["/status"]);
    assert_eq!(service.demo.spent(DemoRole::Full), 0);
}

#[test]
fn a_disk_that_is_full_is_an_error_before_anything_is_sent() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run(LOOKUP).ends(0);
    let length = fs::metadata(home.path("state/ledger"))
        .expect("ledger")
        .len();
    // No file may grow beyond what the ledger holds already, as on a disk that is full.
    let script = format!(
        "ulimit -f {}; exec \"$0\" lookup 198.51.100.78 --format json",
        length.div_ceil(512).max(1)
    );
    let command = home.command("");
    let mut limited = std::process::Command::new("sh");
    limited.args(["-c", &script, PROGRAM]);
    for (name, value) in command.get_envs() {
        limited.env(name, value.unwrap_or_default());
    }
    limited.stdin(Stdio::null());
    let filling = vec![b'\n'; usize::try_from(length.div_ceil(512) * 512 - length).expect("small")];
    let mut ledger = fs::read(home.path("state/ledger")).expect("ledger");
    ledger.extend(filling);
    fs::write(home.path("state/ledger"), ledger).expect("write");
    let ran = Ran::of(limited.output().expect("run"));
    ran.ends(8).shows("no query was sent");
    assert_eq!(service.demo.spent(DemoRole::Full), 1);
}

#[test]
fn folders_into_which_everybody_may_write_are_refused_with_what_to_do() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    for name in ["state", "cache"] {
        fs::create_dir(home.path(name)).expect("folder");
    }
    let set = |name: &str, mode| {
        let mode = fs::Permissions::from_mode(mode);
        fs::set_permissions(home.path(name), mode).expect("chmod");
    };
    for name in ["state", "cache"] {
        set(name, 0o777);
        home.run("lookup 198.51.100.77")
            .ends(8)
            .says("this folder is writable by everyone")
            .says("use a folder of mode 0700 in it");
        home.run("feeds --offline").ends(8);
        home.run("doctor --offline")
            .ends(8)
            .shows("writable by everyone");
        set(name, 0o1777);
        home.run("feeds --offline").ends(0);
        set(name, 0o770);
        home.run("feeds --offline").ends(0);
        home.run("doctor --offline")
            .ends(0)
            .shows("warn")
            .shows("chmod 700");
        set(name, 0o700);
    }
    assert_eq!(service.demo.spent(DemoRole::Full), 0);
}

#[test]
fn rights_of_one_token_are_not_told_of_another() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run("status --test").ends(0).shows("allowed");
    let home = home.with_token(service.demo.token(DemoRole::ContextOnly));
    let line = home.run("status --format json").ends(0).line();
    assert_eq!(line["hosts"][7]["meaning"], "not tried", "{line}");
    // Nothing kept gives a token away.
    for file in ["hosts.json", "key"] {
        let text = home.read(&format!("state/{file}"));
        assert!(!text.is_empty() && !text.contains(service.demo.token(DemoRole::Full)));
    }
    let home = home.with_token(service.demo.token(DemoRole::Full));
    let line = home.run("status --format json").ends(0).line();
    assert_eq!(line["hosts"][7]["meaning"], "allowed", "{line}");
    // A file that was changed says nothing, and that is said.
    let text = home.read("state/hosts.json").replace("200", "403");
    fs::write(home.path("state/hosts.json"), text).expect("write");
    let ran = home.run("status --format json");
    assert_eq!(ran.ends(0).line()["hosts"][7]["meaning"], "not tried");
    ran.says("set aside as hosts.json.aside");
}

#[test]
fn a_ledger_or_a_key_that_was_changed_is_told_by_status_and_doctor() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run(LOOKUP).ends(0);
    let ran = home.run("status");
    assert!(!ran.ends(0).err.contains("ledger"), "{ran:?}");
    let text = home.read("state/ledger");
    fs::write(
        home.path("state/ledger"),
        text.replacen("spent", "spend", 1),
    )
    .expect("write");
    let fault = "1 line cannot be read and was set aside";
    home.run("status").ends(0).says("ledger: ").says(fault);
    home.run("doctor --offline").shows(fault);
    fs::write(home.path("state/ledger"), text).expect("write");
    fs::remove_file(home.path("state/key")).expect("a key");
    let fault = "written before the file `key` in the state folder was replaced";
    for _ in 0..2 {
        home.run("status").ends(0).says("ledger: ").says(fault);
    }
    home.run("doctor --offline").shows(fault);
}

#[test]
fn a_cached_answer_that_was_changed_is_removed_and_asked_for_again() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    home.run(LOOKUP).ends(0);
    let files = crate::service::files_below(&home.path("cache/answers"));
    let [file] = files.as_slice() else {
        panic!("{files:?}")
    };
    let text = fs::read_to_string(file).expect("answer");
    let changed = text.replace("ACME_VPN", "EVIL_VPN");
    assert_ne!(text, changed);
    fs::write(file, changed).expect("write");
    let ran = home.run("lookup 198.51.100.77 --source auto --format json");
    ran.ends(0).says("its checksum does not match");
    assert!(!ran.out.contains("EVIL_VPN") && ran.out.contains("ACME_VPN"));
    assert_eq!(service.demo.spent(DemoRole::Full), 2);
}

#[test]
fn an_operator_that_was_edited_in_the_trail_is_not_shown() {
    let home = tempfile::tempdir().expect("a folder");
    let start = || Terminal::start((120, 36), PROGRAM, &["demo"], home.path(), &[]);
    let mut first = start();
    first.wait_for("all data is invented");
    first.press("enter");
    first.wait_for("VPN exit of ACME_VPN");
    first.press("q");
    assert_eq!(first.exit_code(), 0);
    let log = home.path().join("state/demo/log");
    let text = fs::read_to_string(&log).expect("log");
    let changed = text.replace("ACME_VPN", "EVIL_VPN");
    assert_ne!(text, changed);
    fs::write(&log, changed).expect("write");
    let mut second = start();
    second.wait_for("1 line cannot be read and was set aside");
    assert!(!second.screen().contains("EVIL"), "{}", second.screen());
    second.press("q");
    assert_eq!(second.exit_code(), 0);
    let home = Home::in_folder(home);
    home.run("doctor --demo")
        .shows("log")
        .shows("1 line cannot be read");
}

#[test]
fn a_configuration_or_a_token_that_is_no_file_does_not_hang() {
    let service = Service::start();
    let home = service.home(DemoRole::Full).without_token();
    fs::create_dir_all(home.path("config")).expect("folder");
    let fifo = home.path("config/token");
    let made = std::process::Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo").success());
    home.run("status").ends(8).says("not a regular file");
    home.run(&format!("status --config {}", fifo.display()))
        .ends(8)
        .says("not a regular file");
    home.run("status --config /dev/zero").ends(8);
    fs::remove_file(&fifo).expect("remove");
    symlink("/dev/zero", &fifo).expect("link");
    home.run("status").ends(8).says("not a regular file");
}

#[test]
fn a_token_that_a_killed_login_left_is_named_and_removed() {
    let home = Home::empty();
    let left = home.path("config/.ipspect-token");
    fs::create_dir(home.path("config")).expect("folder");
    fs::write(&left, "left-token-1\n").expect("write");
    let ran = home.run("doctor --offline");
    ran.shows(".ipspect-token").shows("ipspect logout");
    assert!(!ran.all().contains("left-token-1"));
    home.run("logout").ends(0).shows("removed");
    assert!(!left.exists());
}

#[test]
fn nothing_follows_results_that_could_not_be_written() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let full = fs::File::options()
        .write(true)
        .open("/dev/full")
        .expect("a device");
    let ran = home.command(LOOKUP).stdout(full).output().expect("run");
    let ran = Ran::of(ran);
    ran.ends(8).says("standard output");
    assert_eq!(ran.err.matches("error:").count(), 1, "{ran:?}");
    let full = fs::File::options().write(true).open("/dev/full");
    let mut help = home.command("--help");
    let ran = help.stdout(full.expect("a device")).output().expect("run");
    Ran::of(ran).ends(8).says("standard output");
}

#[test]
fn a_trail_of_large_answers_stays_small_and_says_what_it_left_out() {
    let padding = "x".repeat(15 << 20);
    let body = format!("{{\"ip\":\"198.51.100.77\",\"padding\":\"{padding}\"}}");
    let fake = Fake::answering(move |_| answer(200, "", body.as_bytes()));
    let home = fake.home();
    let folder = home.root.path();
    let variables = [("IPSPECT_TOKEN", "fake-token-1")];
    let arguments = ["198.51.100.77"];
    let mut first = Terminal::start((120, 36), PROGRAM, &arguments, folder, &variables);
    first.press("enter");
    first.wait_for("LIVE");
    first.press("q");
    assert_eq!(first.exit_code(), 0);
    let length = fs::metadata(home.path("state/log")).expect("log").len();
    assert!(length < 4096, "{length}");
    let mut second = Terminal::start((120, 36), PROGRAM, &[], folder, &variables);
    second.wait_for("records too large to keep: 1");
    second.press("q");
    assert_eq!(second.exit_code(), 0);
}
