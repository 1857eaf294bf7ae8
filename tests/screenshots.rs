//! Draws the pictures in `screenshots/` with the real program in a real pseudo-terminal, on the embedded service:
//!
//! ```sh
//! cargo test --test screenshots
//! ```

#[path = "it/pty.rs"]
mod pty;

use std::{fmt::Write, fs, path::Path};

use pty::Terminal;

const PROGRAM: &str = env!("CARGO_BIN_EXE_ipspect");
/// Cells, and the size of one in pixels.
const SIZE: (u16, u16) = (120, 36);
const CELL: (f64, f64) = (8.4, 18.0);
const MARGIN: f64 = 12.0;
const GROUND: &str = "#15171e";
const TEXT: &str = "#c8ccd8";
const PALETTE: [&str; 16] = [
    "#15171e", "#e5707a", "#93c47d", "#dfb26a", "#7aa6e8", "#b493e0", "#5fc3c8", "#c8ccd8",
    "#6b7080", "#f08a93", "#a9d893", "#efc684", "#94bbf2", "#c8abef", "#7ad6da", "#ffffff",
];

/// A picture: its name, keys and texts to wait for in turn; with `!` until the text is gone.
type Picture = (&'static str, &'static [(&'static str, &'static str)]);

const PICTURES: &[Picture] = &[
    ("lookup", &[("enter", "VPN exit of")]),
    (
        "compare",
        &[
            ("enter", "VPN exit of"),
            ("d", "Compare with"),
            ("- 9 enter", "equal rows hidden"),
        ],
    ),
    ("tags", &[("enter", "VPN exit of"), ("enter", "Graph")]),
    (
        "quota",
        &[
            ("enter", "VPN exit of"),
            ("3", "queries remaining"),
            ("t", "testing"),
            ("", "!testing"),
        ],
    ),
    (
        "feeds",
        &[
            ("4", "anonymous-residential"),
            ("", "!~ fetching"),
            ("down p", " records"),
        ],
    ),
    ("export", &[("5", "Request"), ("S", "[server]")]),
];

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("screenshots");
    fs::create_dir_all(&folder).expect("the folder");
    for (name, steps) in PICTURES {
        let home = tempfile::tempdir().expect("a folder");
        let mut terminal = Terminal::start(SIZE, PROGRAM, &["demo"], home.path(), &[]);
        terminal.wait_for("all data is invented");
        for (keys, text) in *steps {
            terminal.press(keys);
            match text.strip_prefix('!') {
                Some(text) => terminal.gone(text),
                None => terminal.wait_for(text),
            }
        }
        terminal.settle();
        fs::write(
            folder.join(format!("{name}.svg")),
            picture(&terminal.cells()),
        )
        .expect("a picture");
    }
}

fn picture(screen: &vt100::Screen) -> String {
    let (columns, rows) = SIZE;
    let width = f64::from(columns) * CELL.0 + 2.0 * MARGIN;
    let height = f64::from(rows) * CELL.1 + 2.0 * MARGIN;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         font-family=\"'DejaVu Sans Mono',ui-monospace,Menlo,Consolas,monospace\" font-size=\"14\">\n\
         <rect width=\"100%\" height=\"100%\" rx=\"8\" fill=\"{GROUND}\"/>\n"
    );
    for row in 0..rows {
        let mut column = 0;
        while column < columns {
            let Some(first) = screen.cell(row, column) else {
                break;
            };
            let style = Style::of(first);
            let start = column;
            let mut text = String::new();
            while let Some(cell) = screen
                .cell(row, column)
                .filter(|cell| Style::of(cell) == style)
            {
                text.push_str(if cell.has_contents() {
                    cell.contents()
                } else {
                    " "
                });
                column += 1;
            }
            run(&mut svg, (row, start, column - start), &text, &style);
        }
    }
    svg + "</svg>\n"
}

/// How a cell looks.
#[derive(PartialEq)]
struct Style {
    front: &'static str,
    back: &'static str,
    bold: bool,
}

impl Style {
    fn of(cell: &vt100::Cell) -> Self {
        let colour = |colour: vt100::Color, usual| match colour {
            vt100::Color::Idx(index) => PALETTE.get(usize::from(index)).copied().unwrap_or(usual),
            _ => usual,
        };
        let (front, back) = (colour(cell.fgcolor(), TEXT), colour(cell.bgcolor(), GROUND));
        let (front, back) = if cell.inverse() {
            (back, front)
        } else {
            (front, back)
        };
        Self {
            front,
            back,
            bold: cell.bold(),
        }
    }
}

/// Cells of one style in a row.
fn run(svg: &mut String, (row, column, cells): (u16, u16, u16), text: &str, style: &Style) {
    let (x, y) = (
        MARGIN + f64::from(column) * CELL.0,
        MARGIN + f64::from(row) * CELL.1,
    );
    let width = f64::from(cells) * CELL.0;
    if style.back != GROUND {
        let _ = writeln!(
            svg,
            "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{:.1}\" fill=\"{}\"/>",
            CELL.1, style.back
        );
    }
    let weight = if style.bold {
        " font-weight=\"bold\""
    } else {
        ""
    };
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
                "<text x=\"{:.1}\" y=\"{:.1}\" textLength=\"{:.1}\" lengthAdjust=\"spacingAndGlyphs\" fill=\"{}\"{weight}>{word}</text>",
                x + f64::from(column) * CELL.0,
                y + CELL.1 * 0.74,
                f64::from(u16::try_from(cells).expect("a row")) * CELL.0,
                style.front
            );
        }
        column += i32::try_from(cells).expect("a row") + 1;
    }
}
