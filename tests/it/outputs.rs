//! Files that are asked for by name: whole or not there, nothing left by a killed run, pipes written through, and memory
//! that does not grow with what comes.

use std::{
    fs,
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    os::unix::fs::FileTypeExt,
    process::{Command, Stdio},
    thread,
};

use ipspect::{contract::Host, demo::DemoRole};

use crate::{
    fake::Fake,
    service::{Home, Ran, Service, signal, until},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ipspect");

/// What lies beside configuration, cache and state.
fn names(home: &Home) -> Vec<String> {
    let entries = fs::read_dir(home.root.path()).expect("home");
    let mut names: Vec<String> = entries
        .map(|entry| {
            let name = entry.expect("entry").file_name();
            name.to_string_lossy().into_owned()
        })
        .filter(|name| !["config", "cache", "state"].contains(&name.as_str()))
        .collect();
    names.sort();
    names
}

#[test]
fn a_pipe_is_written_through_and_stays_a_pipe() {
    let service = Service::start();
    let home = service.home(DemoRole::Full);
    let fifo = home.path("pipe");
    let made = Command::new("mkfifo").arg(&fifo).status();
    assert!(made.expect("mkfifo").success());
    for force in ["", " --force"] {
        let reader = thread::spawn({
            let fifo = fifo.clone();
            move || fs::read_to_string(fifo).expect("read")
        });
        let line = format!("export anonymous --limit 3 --output csv -o pipe{force}");
        home.run(&line).ends(0).shows("3 records");
        assert_eq!(reader.join().expect("reader").lines().count(), 3);
    }
    assert!(fs::metadata(&fifo).expect("pipe").file_type().is_fifo());
    assert_eq!(names(&home), ["pipe"]);
}

#[test]
fn a_killed_export_leaves_nothing() {
    // The beginning of an answer that never ends.
    let fake = Fake::answering(|_| {
        b"HTTP/1.1 200 OK\r\ncontent-length: 99999\r\n\r\n198.51.100.1,a\n".to_vec()
    });
    let home = fake.home();
    fs::write(home.path("old.csv"), "old").expect("write");
    for file in ["new.csv", "old.csv --force"] {
        let before = fake.asked().len();
        let child = home.start(&format!("export anonymous --retries 9 -o {file}"));
        until("the request", || fake.asked().len() > before);
        signal(&child, "KILL");
        child.wait_with_output().expect("wait");
    }
    assert_eq!(names(&home), ["old.csv"]);
    assert_eq!(home.read("old.csv"), "old");
    let cached = crate::service::files_below(&home.path("cache"));
    assert!(cached.is_empty(), "{cached:?}");
}

/// A service that answers each request with a CSV of two rows, the first so many bytes long, without holding it.
fn long_line(length: usize) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("port");
    let url = format!("http://{}", listener.local_addr().expect("address"));
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let asked = BufReader::new(&stream).lines().map_while(Result::ok);
            asked.take_while(|line| !line.is_empty()).for_each(drop);
            let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\n\r\n", length + 4);
            let piece = vec![b'x'; 1 << 20];
            let mut left = length;
            let mut send = || -> std::io::Result<()> {
                stream.write_all(head.as_bytes())?;
                while left > 0 {
                    let count = left.min(piece.len());
                    stream.write_all(&piece[..count])?;
                    left -= count;
                }
                stream.write_all(b"\n=1\n")
            };
            // Whoever hung up has what was wanted.
            let _ = send();
        }
    });
    url
}

#[test]
fn a_line_of_any_length_takes_little_memory() {
    const LENGTH: usize = 400 << 20;
    let url = long_line(LENGTH);
    let home = Home::of(&[(Host::Exports, url)], Some("fake-token-1"));
    // Of what is written to: how much of the address space is set aside depends on how many threads there are at a time.
    let script = "ulimit -d 300000; exec \"$0\" export anonymous --spreadsheet-safe -o out.csv";
    let mut limited = Command::new("sh");
    limited
        .args(["-c", script, PROGRAM])
        .current_dir(home.root.path())
        .stdin(Stdio::null());
    for (name, value) in home.command("").get_envs() {
        limited.env(name, value.unwrap_or_default());
    }
    let ran = Ran::of(limited.output().expect("run"));
    ran.ends(0).shows("2 records");
    let length = fs::metadata(home.path("out.csv")).expect("file").len();
    assert_eq!(length, LENGTH as u64 + 5, "with the apostrophe");
}
