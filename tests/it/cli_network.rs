//! What a company's network has: an issuer of its own, and a proxy. Each is a real server on loopback.

use std::{
    io::{Read, Write},
    net::{SocketAddr, TcpListener},
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

use ipspect::contract::Host;
use rcgen::{BasicConstraints, CertificateParams, CertifiedIssuer, IsCa, KeyPair};
use rustls::{
    ServerConfig, ServerConnection, StreamOwned,
    pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer},
};

use crate::service::Home;

/// A service behind TLS whose certificate is of an issuer that only this test knows. It answers each request for the status.
struct Company {
    url: String,
    issuer: String,
}

impl Company {
    fn start() -> Self {
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        let key = KeyPair::generate().expect("a key");
        let issuer = CertifiedIssuer::self_signed(params, key).expect("an issuer");
        let key = KeyPair::generate().expect("a key");
        let params = CertificateParams::new(["127.0.0.1".to_owned()]).expect("a name");
        let own = params.signed_by(&key, &issuer).expect("a certificate");
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(key.serialize_der()));
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .expect("versions")
            .with_no_client_auth()
            .with_single_cert(vec![own.der().clone()], key);
        let config = Arc::new(config.expect("a configuration"));
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address");
        thread::spawn(move || {
            for stream in listener.incoming().map_while(Result::ok) {
                let connection = ServerConnection::new(Arc::clone(&config)).expect("TLS");
                let mut stream = StreamOwned::new(connection, stream);
                // A client that does not trust the certificate ends the connection.
                if read_head(&mut stream).is_none() {
                    continue;
                }
                let body = r#"{"active":true,"queriesRemaining":7,"serviceTier":"demo"}"#;
                let length = body.len();
                let head =
                    "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nconnection: close\r\n";
                let answer = format!("{head}content-length: {length}\r\n\r\n{body}");
                stream.write_all(answer.as_bytes()).expect("an answer");
                stream.conn.send_close_notify();
                stream.flush().expect("an end");
            }
        });
        Self {
            url: format!("https://{address}"),
            issuer: issuer.pem(),
        }
    }

    fn home(&self) -> Home {
        let home = Home::of(&[(Host::Context, self.url.clone())], Some("a-demo-token"));
        std::fs::write(home.path("issuer.pem"), &self.issuer).expect("a file");
        home
    }
}

/// Reads the head of a request; nothing where the connection ends before it is whole.
fn read_head(stream: &mut impl Read) -> Option<String> {
    let (mut head, mut byte) = (Vec::new(), [0]);
    while !head.ends_with(b"\r\n\r\n") {
        match stream.read(&mut byte) {
            Ok(1) => head.push(byte[0]),
            _ => return None,
        }
    }
    String::from_utf8(head).ok()
}

/// Runs the program with these variables; the exit code, and all that it printed.
fn ran(home: &Home, line: &str, variables: &[(&str, &str)]) -> (Option<i32>, String) {
    let mut command = home.command(line);
    command.envs(variables.iter().copied());
    let output = command.output().expect("a run");
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).expect("text"))
}

#[test]
fn a_company_issuer_is_trusted_where_it_is_named() {
    let company = Company::start();
    let home = company.home();
    let (code, text) = ran(&home, "status", &[]);
    assert_eq!(code, Some(5), "{text}");
    for words in ["not trusted here", "SSL_CERT_FILE", "ca_file"] {
        assert!(text.contains(words), "{text}");
    }
    let folder = home.path("certificates");
    std::fs::create_dir(&folder).expect("a folder");
    std::fs::write(folder.join("0a1b2c3d.0"), &company.issuer).expect("a file");
    std::fs::write(folder.join("README"), "Certificates are here.").expect("a file");
    let (file, folder) = (home.path("issuer.pem"), folder.display().to_string());
    let file = file.display().to_string();
    let folders = format!("/nonexistent:{folder}");
    for (name, value) in [
        ("SSL_CERT_FILE", &file),
        ("SSL_CERT_DIR", &folder),
        ("SSL_CERT_DIR", &folders),
    ] {
        let (code, text) = ran(&home, "status --format json", &[(name, value)]);
        assert_eq!(code, Some(0), "{name}: {text}");
        assert!(text.contains("\"queriesRemaining\":7"), "{text}");
        let (_, text) = ran(&home, "doctor --offline", &[(name, value)]);
        assert!(
            text.contains(&format!("also 1 certificate of {value} ({name})")),
            "{text}"
        );
    }
    let config = home.read("config/config.toml");
    home.configure(&format!("{config}ca_file = {file:?}\n"));
    let (code, text) = ran(&home, "status", &[]);
    assert_eq!(code, Some(0), "{text}");
    let (_, text) = ran(&home, "doctor --config", &[]);
    assert!(
        text.contains("network.ca_file") && text.contains(&file),
        "{text}"
    );
}

/// A place that was named and is of no use is said; nothing is sent with other certificates instead.
#[test]
fn a_named_place_without_certificates_is_an_error() {
    let company = Company::start();
    let home = company.home();
    std::fs::write(home.path("empty.pem"), "no certificate\n").expect("a file");
    let empty = home.path("empty.pem").display().to_string();
    for (name, value, code, words) in [
        (
            "SSL_CERT_FILE",
            empty.as_str(),
            2,
            "no certificate can be read",
        ),
        (
            "SSL_CERT_FILE",
            "/nonexistent/ca.pem",
            8,
            "/nonexistent/ca.pem",
        ),
        (
            "SSL_CERT_DIR",
            "/nonexistent",
            2,
            "no certificate can be read",
        ),
    ] {
        let (own, text) = ran(&home, "status", &[(name, value)]);
        assert_eq!(own, Some(code), "{text}");
        assert!(text.contains(words) && text.contains(name), "{text}");
    }
}

/// A proxy that answers each request for a tunnel with this status, and counts them.
fn proxy(status: &'static str) -> (SocketAddr, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = listener.local_addr().expect("an address");
    let asked = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&asked);
    thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            if read_head(&mut stream).is_some_and(|head| head.starts_with("CONNECT ")) {
                counted.fetch_add(1, Ordering::SeqCst);
                let answer = format!("HTTP/1.1 {status}\r\ncontent-length: 0\r\n\r\n");
                stream.write_all(answer.as_bytes()).expect("an answer");
            }
        }
    });
    (address, asked)
}

#[test]
fn the_refusal_of_a_proxy_is_its_own_and_asked_for_once() {
    let urls = Host::ALL.map(|host| (host, format!("https://{host}.example")));
    let home = Home::of(&urls, Some("a-demo-token"));
    for (status, words) in [
        ("407 Proxy Authentication Required", "refused: 407"),
        (
            "403 Forbidden",
            "opens no connection to https://feeds.example",
        ),
    ] {
        let (address, asked) = proxy(status);
        let secret = format!("http://someone:s3cret@{address}");
        let (code, text) = ran(&home, "feeds pull anonymous", &[("HTTPS_PROXY", &secret)]);
        assert_eq!(code, Some(5), "{text}");
        assert!(
            text.contains(&format!("the proxy at {address} refused")),
            "{text}"
        );
        assert!(text.contains(words) && !text.contains("s3cret"), "{text}");
        assert_eq!(asked.load(Ordering::SeqCst), 1, "{text}");
    }
    // A proxy that is not there is not the host.
    let (address, _) = proxy("407 Proxy Authentication Required");
    let gone = TcpListener::bind("127.0.0.1:0")
        .expect("a port")
        .local_addr()
        .expect("an address");
    let (code, text) = ran(
        &home,
        "feeds pull anonymous",
        &[("HTTPS_PROXY", &format!("http://{gone}"))],
    );
    assert_eq!(code, Some(5), "{text}");
    assert!(
        text.contains(&format!("through the proxy at {gone}")),
        "{text}"
    );
    let variables = [
        ("HTTPS_PROXY", format!("http://{address}")),
        ("NO_PROXY", "exports.example".to_owned()),
    ];
    let variables = variables
        .each_ref()
        .map(|(name, value)| (*name, value.as_str()));
    let (_, text) = ran(&home, "doctor --offline", &variables);
    assert!(
        text.contains(&format!("the feeds host through the proxy at {address}")),
        "{text}"
    );
    assert!(text.contains("the exports host without a proxy"), "{text}");
}
