//! Draws the pictures in `screenshots/` with the real program in a real pseudo-terminal, on the embedded service, and records a session:
//!
//! ```sh
//! cargo test --test screenshots            # all; `cargo test --test screenshots -- lookup` draws those with the word in their name
//! ```

#[path = "it/pty.rs"]
mod pty;
#[path = "it/service.rs"]
#[expect(dead_code, reason = "the pictures use a part of it")]
mod service;

use std::{
    env,
    fmt::Write,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use ipspect::demo::DemoRole;
use pty::Terminal;
use service::Service;

const PROGRAM: &str = env!("CARGO_BIN_EXE_ipspect");
/// Cells of a usual screen and of a small one, and the size of a cell in pixels.
const USUAL: (u16, u16) = (120, 36);
const SMALL: (u16, u16) = (80, 24);
const CELL: (f64, f64) = (8.4, 18.0);
const MARGIN: f64 = 12.0;

/// The colours of a terminal: ground, text, and the sixteen of its palette.
#[derive(Clone, Copy)]
struct Colours {
    ground: (u8, u8, u8),
    text: (u8, u8, u8),
    palette: [(u8, u8, u8); 16],
}

#[rustfmt::skip]
const DARK: Colours = Colours {
    ground: (0x15, 0x17, 0x1e),
    text: (0xc8, 0xcc, 0xd8),
    palette: [
        (0x15, 0x17, 0x1e), (0xe5, 0x70, 0x7a), (0x93, 0xc4, 0x7d), (0xdf, 0xb2, 0x6a), (0x7a, 0xa6, 0xe8), (0xb4, 0x93, 0xe0), (0x5f, 0xc3, 0xc8), (0xc8, 0xcc, 0xd8),
        (0x6b, 0x70, 0x80), (0xf0, 0x8a, 0x93), (0xa9, 0xd8, 0x93), (0xef, 0xc6, 0x84), (0x94, 0xbb, 0xf2), (0xc8, 0xab, 0xef), (0x7a, 0xd6, 0xda), (0xff, 0xff, 0xff),
    ],
};

/// What is started: the embedded service with local feeds, or with nothing local, or one that fails.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    Local,
    Live,
    Failing,
}

/// Keys, and a text to wait for; with `!` until it is gone.
type Step = (&'static str, &'static str);

/// A picture: its name, its size, what is started, an environment variable, and the steps that lead to it.
type Picture = (
    &'static str,
    (u16, u16),
    Start,
    &'static [(&'static str, &'static str)],
    &'static [Step],
);

const RECORD: &[Step] = &[("enter", "VPN exit of"), ("", "!counting")];
const FORM: &[Step] = &[
    ("enter", "VPN exit of"),
    ("", "operator"),
    ("", "!~ counting"),
    ("enter", "/ tag:ACME_VPN"),
    ("", "exact"),
    ("E", "[5 Export]"),
    ("", "matches "),
];

#[rustfmt::skip]
const PICTURES: &[Picture] = &[
    ("lookup", USUAL, Start::Local, &[], RECORD),
    ("lookup-small", SMALL, Start::Local, &[], RECORD),
    ("lookup-no-color", USUAL, Start::Local, &[("NO_COLOR", "1")], RECORD),
    ("lookup-light", USUAL, Start::Local, &[], &[
        ("enter", "VPN exit of"), (": t h e m e space l i g h t enter", "!theme"), ("", "!counting"),
    ]),
    ("days", USUAL, Start::Local, &[], &[
        ("enter", "VPN exit of"), ("", "B ACME_VPN"), ("[ [ [ [ [", "is not local"),
    ]),
    ("compare", USUAL, Start::Live, &[], &[
        ("enter", "VPN exit of"), ("c", "Compare with"), ("- 9 enter", "equal rows hidden"),
    ]),
    ("table", USUAL, Start::Local, &[], &[("", "enter"), ("PASTE", "unknown 3"), ("", "!reading")]),
    ("tags", USUAL, Start::Local, &[], &[
        ("2", "service-metrics"), ("/ A C M E _ V P N enter", "Graph"), ("", "!counting"),
    ]),
    ("quota", USUAL, Start::Live, &[], &[
        ("enter", "VPN exit of"), ("3", "queries remaining"), ("t", "testing"), ("", "!testing"),
    ]),
    ("feeds", USUAL, Start::Local, &[], &[
        ("4", "anonymous-residential"), ("", "!~ fetching"),
    ]),
    ("browser", USUAL, Start::Local, &[], &[
        ("4", "indexed"), ("enter", "exact"), ("/ c c : N L space - i n f r a : M O B I L E enter", "-infra:MOBILE"), ("", "exact"),
    ]),
    ("export", USUAL, Start::Local, &[], FORM),
    ("export-small", SMALL, Start::Local, &[], FORM),
    ("help", USUAL, Start::Local, &[], &[("enter", "VPN exit of"), ("?", "type to search")]),
    ("error", USUAL, Start::Failing, &[], &[
        ("i 1 9 8 . 5 1 . 1 0 0 . 7 7 enter", "500"), ("", "!asking"),
    ]),
];

/// The recorded session: an address, its operator's records, the export of them, the ticket.
const SESSION: &[Step] = &[
    ("", "all data is invented"),
    ("enter", "VPN exit of"),
    ("", "records, local"),
    ("enter", "/ tag:ACME_VPN"),
    ("", "exact"),
    ("f", "DATACENTER"),
    ("esc", "enter look up"),
    ("bksp", "> operator"),
    ("c", "Compare with"),
    ("- 9", "9 days ago"),
    ("enter", "equal rows hidden"),
    ("esc", "Pivot"),
    ("2", "[2 Tags]"),
    ("3", "queries remaining"),
    ("4", "[4 Feeds]"),
    ("5", "[5 Export]"),
    ("1", "[1 Lookup]"),
    ("y", "ticket"),
    ("m", "copied"),
];

/// A text with several addresses, as somebody would paste it.
const LOG: &str = "Nov 20 10:41:07 deny src=198.51.100.77:443 len=60\nNov 20 10:41:09 deny src=198[.]51[.]100[.]9 len=60\n\
    allow 203.0.113.40, 198.51.100.20, 198.51.100.64 and 10.0.0.5\nallow 198.51.100.77 2001:db8:77:1::7 192.0.2.255\n";

/// The same with a morning of traffic, most of it at night from tunnels.
fn log() -> String {
    let line = |(hour, minute): (usize, usize)| {
        let from = match hour {
            2 | 3 => ["198.51.100.77", "198.51.100.20", "198.51.100.64"][minute % 3],
            _ => ["192.0.2.255", "2001:db8:77:1::7", "203.0.113.40"][minute % 3],
        };
        format!("Nov 20 {hour:02}:{minute:02}:07 deny src={from} len=60\n")
    };
    let often = [2, 1, 9, 12, 3, 1, 1, 2, 4, 6, 7, 5];
    let times = often.into_iter().enumerate();
    let times = times.flat_map(|(hour, often)| (0..often).map(move |at| (hour, at * 60 / often)));
    times.map(line).collect::<String>() + LOG
}

fn main() {
    let wanted: Vec<String> = env::args()
        .skip(1)
        .filter(|text| !text.starts_with('-'))
        .collect();
    let is_wanted = |name: &str| wanted.is_empty() || wanted.iter().any(|text| name.contains(text));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
    fs::create_dir_all(&folder).expect("the folder");
    let local = tempfile::tempdir().expect("a folder");
    download(local.path());
    for picture in PICTURES.iter().filter(|parts| is_wanted(parts.0)) {
        let (name, size, start, variables, steps) = *picture;
        let home = tempfile::tempdir().expect("a folder");
        let service = (start == Start::Failing).then(|| Service::with(&["context:500"]));
        let mut terminal = begin(
            home.path(),
            local.path(),
            size,
            start,
            service.as_ref(),
            variables,
        );
        for step in steps {
            take(&mut terminal, step, &mut |_| {});
        }
        terminal.settle();
        let svg = drawn(&terminal.cells(), size, DARK);
        fs::write(folder.join(format!("{name}.svg")), svg).expect("a picture");
    }
    if is_wanted("session") {
        let home = tempfile::tempdir().expect("a folder");
        let terminal = begin(home.path(), local.path(), USUAL, Start::Local, None, &[]);
        fs::write(folder.join("session.cast"), recorded(terminal, USUAL)).expect("a recording");
    }
}

/// Downloads what the pictures show as local, into a home.
fn download(home: &Path) {
    let latest = ["anonymous", "service-metrics", "dch"];
    let latest = latest.map(|feed| format!("feeds pull {feed}"));
    // Two days in a row are missing in the strip of an address.
    let earlier = (1..14).filter(|back| ![5, 6].contains(back));
    let earlier = earlier.map(|back| format!("feeds pull anonymous --date -{back}d"));
    for line in latest.into_iter().chain(earlier) {
        let mut command = Command::new(PROGRAM);
        command
            .args(line.split(' '))
            .arg("--demo")
            .env_clear()
            .env("HOME", home);
        for (variable, folder) in FOLDERS {
            command.env(variable, home.join(folder));
        }
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(status.expect("the program").success(), "{line}");
    }
}

const FOLDERS: [(&str, &str); 3] = [
    ("IPSPECT_CONFIG_DIR", "config"),
    ("IPSPECT_CACHE_DIR", "cache"),
    ("IPSPECT_STATE_DIR", "state"),
];

/// Starts the explorer in a new home.
fn begin(
    home: &Path,
    local: &Path,
    size: (u16, u16),
    start: Start,
    service: Option<&Service>,
    variables: &[(&str, &str)],
) -> Terminal {
    let arguments: &[&str] = match start {
        Start::Local | Start::Live => &["demo"],
        Start::Failing => &[],
    };
    let mut variables = variables.to_vec();
    if start == Start::Local {
        copy(&local.join("cache"), &home.join("cache"));
    }
    if let Some(service) = service {
        let urls = ipspect::contract::Host::ALL.map(|host| (host, service.demo.url(host)));
        let keys = urls
            .map(|(host, url)| format!("{} = {url:?}\n", host.key()))
            .concat();
        let ranges = ipspect::demo::RANGES
            .map(|range| format!("\"{range}\""))
            .join(", ");
        let text = format!(
            "[profiles.default]\n{keys}treat_as_public = [{ranges}]\n[network]\nretry_base_ms = 1\n"
        );
        fs::create_dir_all(home.join("config")).expect("a folder");
        fs::write(home.join("config/config.toml"), text).expect("a file");
        variables.push(("IPSPECT_TOKEN", service.demo.token(DemoRole::Full)));
    }
    let terminal = Terminal::start(size, PROGRAM, arguments, home, &variables);
    terminal.wait_for("[1 Lookup]");
    terminal
}

/// Copies a folder with all that is in it.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("a folder");
    for entry in fs::read_dir(from).expect("a folder").flatten() {
        let (path, target): (PathBuf, PathBuf) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &target);
        } else {
            fs::copy(&path, &target).expect("a file");
        }
    }
}

/// Presses the keys of a step, each told, and waits for what is to come of them.
fn take(terminal: &mut Terminal, (keys, text): &Step, told: &mut dyn FnMut(&Terminal)) {
    for key in keys.split_whitespace() {
        match key {
            "PASTE" => terminal.paste(&log()),
            key => terminal.press(key),
        }
        told(terminal);
    }
    match text.strip_prefix('!') {
        Some(text) => terminal.gone(text),
        None => terminal.wait_for(text),
    }
}

/// The session as a recording for terminals (asciicast, version 2). The pauses are invented: what is drawn after a key is until the next.
fn recorded(mut terminal: Terminal, (columns, rows): (u16, u16)) -> String {
    const KEY: f64 = 0.25;
    const LOOK: f64 = 2.0;
    let mut cast = format!(
        "{{\"version\": 2, \"width\": {columns}, \"height\": {rows}, \"title\": \"ipspect demo\"}}\n"
    );
    let (mut now, mut shown) = (0.0, 0);
    for step in SESSION {
        let mut draw = |terminal: &Terminal, pause: f64| {
            terminal.settle();
            let raw = terminal.raw();
            let text = String::from_utf8_lossy(&raw[shown..]).into_owned();
            if !text.is_empty() {
                let text = serde_json::to_string(&text).expect("a text");
                let _ = writeln!(cast, "[{now:.2}, \"o\", {text}]");
                now += pause;
            }
            shown = raw.len();
        };
        take(&mut terminal, step, &mut |terminal| draw(terminal, KEY));
        draw(&terminal, LOOK);
        now += LOOK;
    }
    cast
}

fn drawn(screen: &vt100::Screen, (columns, rows): (u16, u16), colours: Colours) -> String {
    let width = f64::from(columns) * CELL.0 + 2.0 * MARGIN;
    let height = f64::from(rows) * CELL.1 + 2.0 * MARGIN;
    let ground = screen
        .cell(0, 0)
        .map_or(colours.ground, |cell| Style::of(cell, colours).back);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" viewBox=\"0 0 {width:.0} {height:.0}\" \
         font-family=\"'DejaVu Sans Mono',ui-monospace,Menlo,Consolas,monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{}\"/>\n",
        hex(ground)
    );
    for row in 0..rows {
        let mut column = 0;
        while column < columns {
            let Some(first) = screen.cell(row, column) else {
                break;
            };
            let style = Style::of(first, colours);
            let start = column;
            let mut text = String::new();
            while let Some(cell) = screen
                .cell(row, column)
                .filter(|cell| Style::of(cell, colours) == style)
            {
                text.push_str(if cell.has_contents() {
                    cell.contents()
                } else {
                    " "
                });
                column += 1;
            }
            run(
                &mut svg,
                (row, start, column - start),
                &text,
                &style,
                ground,
            );
        }
    }
    svg + "</svg>\n"
}

type Colour = (u8, u8, u8);

fn hex((red, green, blue): Colour) -> String {
    format!("#{red:02x}{green:02x}{blue:02x}")
}

/// How a cell looks.
#[derive(PartialEq)]
struct Style {
    front: Colour,
    back: Colour,
    bold: bool,
    italic: bool,
    underlined: bool,
}

impl Style {
    fn of(cell: &vt100::Cell, colours: Colours) -> Self {
        let colour = |colour: vt100::Color, usual| match colour {
            // The greys of the 256 colours.
            vt100::Color::Idx(index @ 232..) => {
                let level = 8 + 10 * (index - 232);
                (level, level, level)
            }
            vt100::Color::Idx(index) => colours
                .palette
                .get(usize::from(index))
                .copied()
                .unwrap_or(usual),
            vt100::Color::Rgb(red, green, blue) => (red, green, blue),
            vt100::Color::Default => usual,
        };
        let front = colour(cell.fgcolor(), colours.text);
        let back = colour(cell.bgcolor(), colours.ground);
        let (front, back) = if cell.inverse() {
            (back, front)
        } else {
            (front, back)
        };
        Self {
            front: if cell.dim() {
                dimmed(front, back)
            } else {
                front
            },
            back,
            bold: cell.bold(),
            italic: cell.italic(),
            underlined: cell.underline(),
        }
    }
}

/// Two parts of the text, one of the ground, as terminals dim.
fn dimmed(front: Colour, back: Colour) -> Colour {
    let mix = |front: u8, back: u8| {
        u8::try_from((u16::from(front) * 2 + u16::from(back)) / 3).expect("a mean")
    };
    (
        mix(front.0, back.0),
        mix(front.1, back.1),
        mix(front.2, back.2),
    )
}

/// Cells of one style in a row.
fn run(
    svg: &mut String,
    (row, column, cells): (u16, u16, u16),
    text: &str,
    style: &Style,
    ground: Colour,
) {
    let (x, y) = (
        MARGIN + f64::from(column) * CELL.0,
        MARGIN + f64::from(row) * CELL.1,
    );
    let width = f64::from(cells) * CELL.0;
    if style.back != ground {
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
            CELL.1,
            hex(style.back)
        );
    }
    let mut look = String::new();
    for (is_so, attribute) in [
        (style.bold, " font-weight=\"bold\""),
        (style.italic, " font-style=\"italic\""),
        (style.underlined, " text-decoration=\"underline\""),
    ] {
        look += if is_so { attribute } else { "" };
    }
    let mut column = 0;
    // Word by word, each at its place: no viewer agrees with another on how wide blanks are.
    for word in text.split(' ') {
        let cells = word.chars().count();
        if cells > 0 {
            let word = word
                .replace('&', "&amp;")
                .replace('<', "&lt;")
                .replace('>', "&gt;");
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" textLength=\"{:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\"{look}>{word}</text>",
                x + f64::from(column) * CELL.0,
                y + CELL.1 * 0.74,
                f64::from(u16::try_from(cells).expect("a row")) * CELL.0,
                hex(style.front)
            );
        }
        column += i32::try_from(cells).expect("a row") + 1;
    }
}
