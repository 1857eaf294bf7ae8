//! The program itself in a home of its own, and a host of feeds for it on this machine.

use std::{
    collections::HashMap,
    fs::{self, File},
    io::{self, BufRead, BufReader, Write},
    net::{TcpListener, TcpStream},
    path::{Path, PathBuf},
    process::{Command, Stdio},
    sync::Arc,
};

use anyhow::Result;
use ipspect::{
    contract::{Feed, Host},
    engine::paths::Paths,
};

/// The days of the feeds that are served.
pub(crate) const DAYS: [&str; 2] = ["20261120", "20261121"];

/// Configuration, cache and state below one folder.
#[derive(Debug)]
pub(crate) struct Program {
    /// The folder of all of it.
    pub(crate) root: PathBuf,
    /// Another build, which is run in turns with this one.
    pub(crate) other: Option<PathBuf>,
}

impl Program {
    /// A home below `root` whose feeds come from the files of this host.
    pub(crate) fn at(root: PathBuf, host: &str) -> Result<Self> {
        let program = Self { root, other: None };
        fs::create_dir_all(program.root.join("config"))?;
        let keys = Host::ALL.map(|one| format!("{} = {host:?}", one.key()));
        let keys = keys.join("\n");
        // The blocks of the generator.
        let admitted = r#"treat_as_public = ["240.0.0.0/4", "2001:db8::/32"]"#;
        let text = format!("[profiles.default]\n{keys}\n{admitted}\n");
        fs::write(program.root.join("config/config.toml"), text)?;
        Ok(program)
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths {
            config: self.root.join("config"),
            cache: self.root.join("cache"),
            state: self.root.join("state"),
        }
    }

    /// Forgets all feeds.
    pub(crate) fn forget(&self) -> io::Result<()> {
        match fs::remove_dir_all(self.root.join("cache")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// The release build with these arguments.
    pub(crate) fn command(&self, words: &[&str]) -> Command {
        self.command_of(Path::new(env!("CARGO_BIN_EXE_ipspect")), words)
    }

    /// The other build with these arguments, if there is one.
    pub(crate) fn other_command(&self, words: &[&str]) -> Option<Command> {
        Some(self.command_of(self.other.as_deref()?, words))
    }

    fn command_of(&self, build: &Path, words: &[&str]) -> Command {
        let mut command = Command::new(build);
        command
            .args(words)
            .env("IPSPECT_CONFIG_DIR", self.root.join("config"))
            .env("IPSPECT_CACHE_DIR", self.root.join("cache"))
            .env("IPSPECT_STATE_DIR", self.root.join("state"))
            .env("IPSPECT_TOKEN", "benchmark-token")
            .stdin(Stdio::null());
        command
    }
}

/// Serves files as the feeds host does, until the process ends; returns its URL. Each file is that of a feed and a day; the
/// first day is the latest.
pub(crate) fn serve(files: &[(Feed, &str, &Path)]) -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let url = format!("http://{}", listener.local_addr()?);
    let mut known = HashMap::new();
    for (feed, day, path) in files {
        let path = path.to_path_buf();
        let served = (path, (*day).to_owned());
        if *day == DAYS[0] {
            known.insert(format!("/v2/{feed}/latest.json.gz"), served.clone());
        }
        known.insert(format!("/v2/{feed}/{day}/feed.json.gz"), served);
    }
    let known = Arc::new(known);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            // A download takes long, and other requests come meanwhile.
            let known = Arc::clone(&known);
            std::thread::spawn(move || {
                // Whoever hangs up sees to it.
                let _ = answer(&stream, &known);
            });
        }
    });
    Ok(url)
}

fn answer(mut stream: &TcpStream, known: &HashMap<String, (PathBuf, String)>) -> io::Result<()> {
    let mut lines = BufReader::new(stream).lines();
    let first = lines.next().transpose()?.unwrap_or_default();
    let target = first.split(' ').nth(1).unwrap_or_default();
    for line in lines {
        if line?.is_empty() {
            break;
        }
    }
    let Some((path, day)) = known.get(target) else {
        return stream
            .write_all(b"HTTP/1.1 404 X\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
    };
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    write!(
        stream,
        "HTTP/1.1 200 X\r\ncontent-type: application/gzip\r\ncontent-length: {length}\r\netag: \"{day}-{length}\"\r\n\
         x-feed-generation-date: {day}\r\nconnection: close\r\n\r\n"
    )?;
    io::copy(&mut file, &mut stream)?;
    Ok(())
}
