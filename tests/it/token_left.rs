//! The token leaves no copy behind: not in a core of a process that was aborted, not in a temporary file of a `login` that was killed.

use std::{
    fs,
    io::Write,
    os::unix::{
        fs::{MetadataExt, PermissionsExt},
        process::{CommandExt, ExitStatusExt},
    },
    path::Path,
    process::{Child, Command, ExitStatus, Stdio},
};

use ipspect::demo::{DemoRole, FaultSite};

use crate::{
    pty::Terminal,
    service::{Home, Service, files_below, signal, until},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ipspect");

/// The ways to give the token to the program, each with what it needs in `home`.
fn homes(service: &Service) -> [Home; 3] {
    let token = service.demo.token(DemoRole::Full);
    let from_environment = service.home(DemoRole::Full);
    let from_file = service.home(DemoRole::Full).without_token();
    let file = from_file.path("config/token");
    fs::write(&file, token).expect("token");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).expect("mode");
    let from_command = service.home(DemoRole::Full).without_token();
    let config = from_command.read("config/config.toml");
    let command = format!("token_command = [\"echo\", \"{token}\"]\n[network]");
    from_command.configure(&config.replace("[network]", &command));
    [from_environment, from_file, from_command]
}

/// The program, started in a shell that lets it dump core into the folder in which it runs.
fn started(home: &Home, line: &str) -> Child {
    let program = home.command(line);
    let mut shell = Command::new("sh");
    shell
        .args(["-c", "ulimit -c unlimited; exec \"$0\" \"$@\"", PROGRAM])
        .args(program.get_args())
        .env_clear()
        .envs(
            program
                .get_envs()
                .filter_map(|(key, value)| Some((key, value?))),
        )
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .current_dir(home.root.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    if rustix::process::geteuid().is_root() {
        shell.gid(OTHER_GROUP);
    }
    shell.spawn().expect("start")
}

/// A group that is not root's.
const OTHER_GROUP: u32 = 65534;

/// That the limit of cores is 0.
#[track_caller]
fn assert_limited(process: u32) {
    let limits = fs::read_to_string(format!("/proc/{process}/limits")).expect("limits");
    let core = limits
        .lines()
        .find(|line| line.starts_with("Max core file size"));
    let values: Vec<&str> = core.expect("a limit").split_whitespace().skip(4).collect();
    assert_eq!(values[..2], ["0", "0"], "{limits}");
}

/// That a process of [`started`] is not dumpable: what `/proc` has of it belongs to root and its group.
#[track_caller]
fn assert_not_dumpable(process: u32) {
    let environment = fs::metadata(format!("/proc/{process}/environ")).expect("metadata");
    assert_eq!((environment.uid(), environment.gid()), (0, 0), "dumpable");
}

/// That no core was written, by what the system says of the end and by what is in the folder.
#[track_caller]
fn assert_no_core(home: &Path, ended: Option<ExitStatus>) {
    if let Some(ended) = ended {
        assert!(ended.signal().is_some() && !ended.core_dumped(), "{ended}");
    }
    let files = files_below(home);
    let cores = files.iter().filter(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        name.starts_with("core") || name.ends_with("core")
    });
    let cores: Vec<_> = cores.collect();
    assert!(cores.is_empty(), "{cores:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn an_aborted_process_leaves_no_core_with_the_token() {
    let service = Service::with(&["context:hang"]);
    for (home, name) in homes(&service).iter().zip(["ABRT", "TRAP", "SYS"]) {
        let asked = service.asked(FaultSite::Context).len();
        let child = started(home, "lookup 198.51.100.77");
        until("the request", || {
            service.asked(FaultSite::Context).len() > asked
        });
        assert_limited(child.id());
        assert_not_dumpable(child.id());
        signal(&child, name);
        let ended = child.wait_with_output().expect("wait");
        assert_no_core(home.root.path(), Some(ended.status));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn an_aborted_explorer_leaves_no_core_with_the_token() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let token = [("IPSPECT_TOKEN", service.demo.token(DemoRole::Full))];
    let script = format!("ulimit -c unlimited; exec '{PROGRAM}'");
    let folder = home.root.path();
    let mut terminal = Terminal::start((120, 36), "sh", &["-c", &script], folder, &token);
    terminal.wait_for("Who is behind an address");
    assert_limited(terminal.process());
    let quit = format!("kill -QUIT {}", terminal.process());
    let sent = Command::new("sh").args(["-c", &quit]).status();
    assert!(sent.expect("sh").success());
    assert_ne!(terminal.exit_code(), 0);
    assert_no_core(folder, None);
}

/// What the program starts can leave no core either: a `token_command` has the token in its memory.
#[cfg(target_os = "linux")]
#[test]
fn what_the_program_starts_has_no_cores() {
    let service = Service::start();
    let home = service.home(DemoRole::Full).without_token();
    let config = home.read("config/config.toml");
    let token = service.demo.token(DemoRole::Full);
    let script = format!("ulimit -Hc > limit; echo {token}");
    let command = format!("token_command = [\"sh\", \"-c\", \"{script}\"]\n[network]");
    home.configure(&config.replace("[network]", &command));
    let child = started(&home, "status");
    assert!(child.wait_with_output().expect("wait").status.success());
    assert_eq!(home.read("limit").trim(), "0");
}

/// What is left in the folder of the configuration, but for the configuration and the token itself.
fn left(home: &Home) -> Vec<String> {
    let names = fs::read_dir(home.path("config")).expect("folder");
    let names = names.map(|entry| entry.expect("entry").file_name());
    let names = names.map(|name| name.to_string_lossy().into_owned());
    names
        .filter(|name| name != "token" && name != "config.toml")
        .collect()
}

/// Kills `login` as soon as its temporary file is there: the token is the old or the new one, and the next start leaves nothing beside
/// it. Returns how many kills left a file.
fn kill_logins(rounds: usize) -> usize {
    const TOKENS: [&str; 2] = ["token-a", "token-b"];
    let home = Home::empty();
    home.configure("");
    let mut leftovers = 0;
    for round in 0..rounds {
        let mut child = home
            .command("login --offline")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("start");
        let mut input = child.stdin.take().expect("input");
        input
            .write_all(TOKENS[round % 2].as_bytes())
            .expect("token");
        drop(input);
        while left(&home).is_empty() && child.try_wait().expect("wait").is_none() {}
        child.kill().expect("kill");
        child.wait().expect("wait");
        leftovers += left(&home).len();
        home.run("feeds info anonymous --offline").ends(0);
        assert_eq!(left(&home), [""; 0], "round {round}");
        let stored = home.read("config/token");
        assert!(
            stored.is_empty() || TOKENS.contains(&stored.trim()),
            "{stored:?}"
        );
    }
    leftovers
}

#[test]
fn a_killed_login_leaves_nothing_for_longer_than_the_next_start() {
    let home = Home::empty();
    home.configure("");
    for name in [".ipspect-token", ".ipspect-token-work"] {
        fs::write(home.path("config").join(name), "an-invented-token\n").expect("left behind");
    }
    home.run("feeds info anonymous --offline").ends(0);
    assert_eq!(left(&home), [""; 0]);
    kill_logins(8);
}

#[test]
#[ignore = "minutes long"]
fn a_thousand_killed_logins_leave_nothing() {
    assert!(kill_logins(1_000) > 0, "no kill hit the file");
}
