//! Replies of the terminal that nobody asked for, in a real pseudo-terminal: none of them is a key.

use ipspect::demo::DemoRole;

use crate::{
    home::Here,
    pty::Terminal,
    service::{Home, Service},
};

const PROGRAM: &str = env!("CARGO_BIN_EXE_ipspect");

/// Replies with keys in them that open the token's form, query the service, leave or copy.
const REPLIES: [&[u8]; 9] = [
    b"\x1bP>|XTerm(370)\x1b\\",
    b"\x1b]lR 198.51.100.77\rTq\x1b\\",
    b"\x1b]LRT\r\x07",
    b"\x1b_Gi=31;RT\r\x1b\\",
    b"\x1b^RT\r\x1b\\",
    b"\x1bXRT\r\x1b\\",
    b"\x1b[>41;370;0c\x1b[24;80R\x1b[?64;1c",
    b"\x1b[?2026;2$y\x1b[8;36;120t\x1b[0n",
    b"\x1b]11;rgb:ffff/ffff/ffff\x07",
];

/// What `?` shows.
const KEYS: &str = "Keys of this place";

#[test]
fn a_reply_is_no_key_in_any_theme() {
    let service = Service::start();
    let here = Here::with(&service, &["anonymous"]);
    let home = &here.home;
    let config = home.read("config/config.toml");
    let token = [("IPSPECT_TOKEN", service.demo.token(DemoRole::Full))];
    for (round, theme) in ["terminal", "dark", "light", "high-contrast", "auto"]
        .into_iter()
        .enumerate()
    {
        home.configure(&format!("{config}\n[ui]\ntheme = \"{theme}\"\n"));
        let folder = home.root.path();
        let mut terminal = Terminal::start((120, 36), PROGRAM, &["198.51.100.77"], folder, &token);
        terminal.wait_for("VPN exit of ACME_VPN");
        // In pieces of one length, which is another one in each theme.
        let all = REPLIES.concat();
        for piece in all.chunks([2, 3, 7, 64, all.len()][round]) {
            terminal.send(piece);
        }
        let long = [
            b"\x1b]l".to_vec(),
            b"RT\r".repeat(40_000),
            b"\x1b\\".to_vec(),
        ];
        terminal.send(&long.concat());
        // The keys after them are keys: the first one is shown when all of that was read.
        terminal.press("?");
        terminal.wait_for(KEYS);
        terminal.press("esc");
        terminal.gone(KEYS);
        // Without an end: a pause, or `ESC`, gives the keyboard back.
        terminal.send(b"\x1bP>|RT\r");
        terminal.press("up");
        terminal.press("?");
        terminal.wait_for(KEYS);
        terminal.press("esc");
        terminal.gone(KEYS);
        assert!(!terminal.screen().contains("Token and hosts"));
        assert_eq!(service.paid().len(), 0, "{theme}");
        terminal.press("q");
        assert_eq!(terminal.exit_code(), 0);
    }
}

#[test]
fn a_reply_is_no_part_of_a_token() {
    let home = Home::empty();
    home.configure("");
    let mut terminal = Terminal::start(
        (80, 24),
        PROGRAM,
        &["login", "--offline"],
        home.root.path(),
        &[],
    );
    terminal.wait_for("Token (not shown):");
    terminal.type_text("an-invented");
    for reply in REPLIES {
        terminal.send(reply);
    }
    terminal.type_text("-token\r");
    assert_eq!(terminal.exit_code(), 0);
    assert_eq!(home.read("config/token"), "an-invented-token\n");
}
