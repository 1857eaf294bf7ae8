//! What the tests run: the real binary, in a home of its own, against the embedded service in this process.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    time::{Duration, Instant},
};

use ipspect::{
    contract::Host,
    demo::{Demo, DemoOptions, DemoRole, FaultSite, LoggedRequest, RANGES},
};
use serde_json::Value;
use tempfile::TempDir;
use tokio::runtime::Runtime;

/// About how much of the world is inhabited: little, so that its files are made quickly.
const BLOCKS: u16 = 8;

/// A running embedded service.
pub(crate) struct Service {
    pub(crate) demo: Demo,
    _runtime: Runtime,
}

impl Service {
    pub(crate) fn start() -> Self {
        Self::with(&[])
    }

    /// With faults, in the grammar of `serve --fault`.
    pub(crate) fn with(faults: &[&str]) -> Self {
        Self::of_blocks(BLOCKS, faults)
    }

    /// The same of a world of another size, whose releases are others.
    pub(crate) fn of_blocks(blocks: u16, faults: &[&str]) -> Self {
        let runtime = Runtime::new().expect("runtime");
        let faults = faults
            .iter()
            .map(|fault| fault.parse().expect("fault"))
            .collect();
        let options = DemoOptions {
            faults,
            blocks,
            ..DemoOptions::default()
        };
        let demo = runtime.block_on(Demo::start(options)).expect("service");
        Self {
            demo,
            _runtime: runtime,
        }
    }

    pub(crate) fn arm(&self, fault: &str) {
        self.demo.faults().add(fault.parse().expect("fault"));
    }

    /// The targets that a place was asked for.
    pub(crate) fn asked(&self, place: FaultSite) -> Vec<String> {
        self.seen(place)
            .into_iter()
            .map(|seen| seen.target)
            .collect()
    }

    /// The requests to the Context API that may cost a query: all but those for the balance.
    pub(crate) fn paid(&self) -> Vec<String> {
        let asked = self.asked(FaultSite::Context).into_iter();
        asked.filter(|target| target != "/status").collect()
    }

    pub(crate) fn seen(&self, place: FaultSite) -> Vec<LoggedRequest> {
        self.demo
            .requests()
            .into_iter()
            .filter(|seen| seen.place == place)
            .collect()
    }

    /// A home whose profile is this service, with the token of a role.
    pub(crate) fn home(&self, role: DemoRole) -> Home {
        let urls = Host::ALL.map(|host| (host, self.demo.url(host)));
        Home::of(&urls, Some(self.demo.token(role)))
    }
}

/// Configuration, cache and state of one user.
pub(crate) struct Home {
    pub(crate) root: TempDir,
    token: Option<String>,
}

impl Home {
    /// A home with these hosts in its profile. Retries do not wait.
    pub(crate) fn of(urls: &[(Host, String)], token: Option<&str>) -> Self {
        let home = Self {
            root: TempDir::new().expect("directory"),
            token: token.map(str::to_owned),
        };
        let keys: Vec<String> = urls
            .iter()
            .map(|(host, url)| format!("{} = {url:?}", host.key()))
            .collect();
        let keys = keys.join("\n");
        let ranges = RANGES.map(|range| format!("\"{range}\"")).join(", ");
        home.configure(&format!(
            "[profiles.default]\n{keys}\ntreat_as_public = [{ranges}]\n[network]\nretry_base_ms = 1\n"
        ));
        home
    }

    /// The home of a program that ran in this folder before.
    pub(crate) fn in_folder(root: TempDir) -> Self {
        Self { root, token: None }
    }

    /// Nothing configured, no token.
    pub(crate) fn empty() -> Self {
        Self {
            root: TempDir::new().expect("directory"),
            token: None,
        }
    }

    pub(crate) fn without_token(mut self) -> Self {
        self.token = None;
        self
    }

    pub(crate) fn with_token(mut self, token: &str) -> Self {
        self.token = Some(token.to_owned());
        self
    }

    pub(crate) fn configure(&self, text: &str) {
        fs::create_dir_all(self.path("config")).expect("directory");
        fs::write(self.path("config/config.toml"), text).expect("write");
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_default()
    }

    /// The binary with nothing of this process's environment.
    pub(crate) fn command(&self, line: &str) -> Command {
        self.command_of(&line.split_whitespace().collect::<Vec<_>>())
    }

    pub(crate) fn command_of(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ipspect"));
        command
            .args(words)
            .env_clear()
            .envs(crate::pty::clock())
            .env("HOME", self.root.path())
            .env("IPSPECT_CONFIG_DIR", self.path("config"))
            .env("IPSPECT_CACHE_DIR", self.path("cache"))
            .env("IPSPECT_STATE_DIR", self.path("state"))
            .current_dir(self.root.path())
            .stdin(Stdio::null());
        if let Some(token) = &self.token {
            command.env("IPSPECT_TOKEN", token);
        }
        command
    }

    /// The command line of a shell under a limit.
    pub(crate) fn limited(&self, limit: &str, line: &str) -> Command {
        let script = format!("ulimit {limit}; exec \"$0\" {line} -q");
        let mut command = Command::new("bash");
        command
            .args(["-c", &script, env!("CARGO_BIN_EXE_ipspect")])
            .current_dir(self.root.path())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        for (name, value) in self.command("").get_envs() {
            command.env(name, value.unwrap_or_default());
        }
        command
    }

    pub(crate) fn run(&self, line: &str) -> Ran {
        Ran::of(self.command(line).output().expect("run"))
    }

    pub(crate) fn run_words(&self, words: &[&str]) -> Ran {
        Ran::of(self.command_of(words).output().expect("run"))
    }

    /// Queries surely and possibly spent, by the lines of the ledger: outcomes, and intents without one.
    pub(crate) fn spent(&self) -> (u64, u64) {
        let text = self.read("state/ledger");
        let lines: Vec<Value> = text
            .lines()
            .map(|line| serde_json::from_str(line).expect("a line of the ledger"))
            .collect();
        let outcome_of = |intent: &Value| {
            let is_its = |line: &&Value| line["kind"] == "outcome" && line["id"] == intent["id"];
            lines.iter().find(is_its)
        };
        let mut spent = (0, 0);
        for line in &lines {
            if line["kind"] == "intent" && outcome_of(line).is_some() {
                continue;
            }
            spent.0 += line["spent"].as_u64().unwrap_or(0);
            spent.1 += line["possibly"].as_u64().unwrap_or(0);
        }
        spent
    }

    /// Starts it and leaves it running.
    pub(crate) fn start(&self, line: &str) -> std::process::Child {
        self.command(line)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("start")
    }
}

/// The result of a run. What must hold of every run is checked here, whatever the test is about.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) code: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ran {
    pub(crate) fn of(output: Output) -> Self {
        let ran = Self {
            code: output.status.code(),
            out: String::from_utf8(output.stdout).expect("text on standard output"),
            err: String::from_utf8(output.stderr).expect("text on standard error"),
        };
        for role in DemoRole::ALL {
            assert!(!ran.all().contains(role.token()), "a token shows: {ran:?}");
        }
        let steers = |text: &str| {
            text.chars()
                .any(|c| c != '\n' && c != '\r' && c.is_control())
        };
        assert!(
            !steers(&ran.out) && !steers(&ran.err),
            "control characters: {ran:?}"
        );
        assert!(!ran.all().contains("panicked"), "{ran:?}");
        ran
    }

    pub(crate) fn all(&self) -> String {
        format!("{}\n{}", self.out, self.err)
    }

    /// It ended with this code.
    #[track_caller]
    pub(crate) fn ends(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{self:?}");
        self
    }

    /// Its standard error says this.
    #[track_caller]
    pub(crate) fn says(&self, text: &str) -> &Self {
        assert!(self.err.contains(text), "{text:?} is not in {self:?}");
        self
    }

    /// Its standard output holds this.
    #[track_caller]
    pub(crate) fn shows(&self, text: &str) -> &Self {
        assert!(self.out.contains(text), "{text:?} is not in {self:?}");
        self
    }

    /// Its standard output, one JSON value a line.
    #[track_caller]
    pub(crate) fn lines(&self) -> Vec<Value> {
        let read = |line: &str| {
            serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {self:?}"))
        };
        self.out.lines().map(read).collect()
    }

    /// The only JSON value on its standard output.
    #[track_caller]
    pub(crate) fn line(&self) -> Value {
        let lines = self.lines();
        assert_eq!(lines.len(), 1, "{self:?}");
        lines.into_iter().next().unwrap_or_default()
    }
}

/// Waits until something holds; a minute is for a machine that is busy with everything else.
#[track_caller]
pub(crate) fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let began = Instant::now();
    while !holds() {
        assert!(
            began.elapsed() < Duration::from_mins(1),
            "{what} did not come about"
        );
        std::thread::sleep(Duration::from_millis(2));
    }
}

/// Sends a signal to a process that a test started.
pub(crate) fn signal(child: &std::process::Child, name: &str) {
    let kill = format!("kill -{name} {}", child.id());
    let sent = Command::new("sh").args(["-c", &kill]).status().expect("sh");
    assert!(sent.success(), "{kill}");
}

/// All files below a folder, by their path in it.
pub(crate) fn files_below(root: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path)
            } else {
                found.push(path)
            }
        }
    }
    found.sort();
    found
}
