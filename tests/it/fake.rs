//! A service of a few lines that says exactly what a test wants, byte for byte: for what the embedded one cannot say.

use std::{
    io::{BufRead, BufReader, Read, Write},
    net::{TcpListener, TcpStream},
    sync::{Arc, Mutex},
};

use ipspect::contract::Host;

use crate::service::Home;

/// A request as it came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Asked {
    pub(crate) target: String,
    /// The header lines, names in lower case.
    pub(crate) headers: Vec<String>,
    /// What was posted.
    pub(crate) body: String,
}

impl Asked {
    pub(crate) fn has(&self, name: &str) -> bool {
        self.headers
            .iter()
            .any(|line| line.starts_with(&format!("{name}:")))
    }
}

/// A running fake. Its thread ends with the test process.
pub(crate) struct Fake {
    pub(crate) url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Fake {
    /// Answers every request with the bytes that `answer` gives for its target, then closes the connection; without any
    /// it never answers.
    pub(crate) fn answering(answer: impl Fn(&str) -> Vec<u8> + Send + 'static) -> Self {
        Self::answering_all(move |asked| answer(&asked.target))
    }

    /// The same of the whole request.
    pub(crate) fn answering_all(answer: impl Fn(&Asked) -> Vec<u8> + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("port");
        let url = format!("http://{}", listener.local_addr().expect("address"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let log = Arc::clone(&asked);
        std::thread::spawn(move || {
            let mut kept = Vec::new();
            for stream in listener.incoming().flatten() {
                if let Some(request) = read(&stream) {
                    let bytes = answer(&request);
                    log.lock().expect("log").push(request);
                    let _ = (&stream).write_all(&bytes);
                    kept.extend(bytes.is_empty().then_some(stream));
                }
            }
        });
        Self { url, asked }
    }

    /// Answers 200 with this body as JSON, and with these headers.
    pub(crate) fn json(headers: &'static str, body: impl Into<Vec<u8>>) -> Self {
        let body = body.into();
        Self::answering(move |_| {
            answer(
                200,
                &format!("content-type: application/json\r\n{headers}"),
                &body,
            )
        })
    }

    /// What was asked so far.
    pub(crate) fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("log").clone()
    }

    /// A home for which this is all three hosts.
    pub(crate) fn home(&self) -> Home {
        Home::of(
            &Host::ALL.map(|host| (host, self.url.clone())),
            Some("fake-token-1"),
        )
    }
}

/// An answer with a length. Header lines end with CRLF each.
pub(crate) fn answer(status: u16, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-length: {}\r\nconnection: close\r\n{headers}\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

fn read(stream: &TcpStream) -> Option<Asked> {
    let mut reader = BufReader::new(stream);
    let mut lines = reader.by_ref().lines().map_while(Result::ok);
    let target = lines.next()?.split(' ').nth(1)?.to_owned();
    let headers = lines.take_while(|line| !line.is_empty());
    let lower = |line: String| match line.split_once(':') {
        Some((name, value)) => format!("{}:{value}", name.to_ascii_lowercase()),
        None => line,
    };
    let headers: Vec<String> = headers.map(lower).collect();
    let length = headers
        .iter()
        .find_map(|line| line.strip_prefix("content-length:"));
    let length = length.map_or(0, |text| text.trim().parse().expect("a length"));
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    Some(Asked {
        target,
        headers,
        body: String::from_utf8_lossy(&body).into_owned(),
    })
}
