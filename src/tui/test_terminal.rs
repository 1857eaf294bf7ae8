//! A stage for tests: what a view shows, as text.

use proptest::{
    prelude::*,
    test_runner::{Config, RngAlgorithm, TestRng, TestRunner},
};
use ratatui::{
    Frame, Terminal,
    backend::TestBackend,
    buffer::{Buffer, Cell},
    layout::{Position, Rect},
};

/// Draws once on a screen of this size.
pub(crate) fn buffer(width: u16, height: u16, draw: impl FnOnce(&mut Frame<'_>)) -> Buffer {
    terminal(width, height, draw).backend().buffer().clone()
}

/// What is seen on a screen of this size, blanks at the ends of lines left out.
pub(crate) fn shown(width: u16, height: u16, draw: impl FnOnce(&mut Frame<'_>)) -> String {
    text(&buffer(width, height, draw))
}

/// Where the cursor is after drawing once, if it is shown.
pub(crate) fn cursor(
    width: u16,
    height: u16,
    draw: impl FnOnce(&mut Frame<'_>),
) -> Option<Position> {
    let terminal = terminal(width, height, draw);
    let backend = terminal.backend();
    backend.cursor_visible().then(|| backend.cursor_position())
}

/// The text of a buffer, a line for each row.
pub(crate) fn text(buffer: &Buffer) -> String {
    let width = usize::from(buffer.area.width).max(1);
    let lines: Vec<String> = buffer
        .content
        .chunks(width)
        .map(|row| {
            let mut line = String::new();
            let mut covered = 0;
            for cell in row {
                if covered == 0 {
                    line.push_str(cell.symbol());
                    covered = super::ui::cells::width(cell.symbol()).max(1);
                }
                covered -= 1;
            }
            line.trim_end().to_owned()
        })
        .collect();
    lines.join("\n")
}

/// Checks that `draw` takes any area, however small, and writes nothing outside of it.
pub(crate) fn fits_any_area(draw: impl Fn(&mut Frame<'_>, Rect)) {
    let areas = (0_u16..70, 0_u16..24, 0_u16..8, 0_u16..5);
    let config = Config {
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
        .run(&areas, |(width, height, left, top)| {
            let area = Rect::new(left, top, width, height);
            let drawn = buffer(width + 9, height + 6, |frame| draw(frame, area));
            for position in drawn.area.positions() {
                let cell = drawn.cell(position).cloned().unwrap_or_default();
                prop_assert!(
                    area.contains(position) || cell == Cell::default(),
                    "{position} is outside of {area}"
                );
            }
            Ok(())
        })
        .expect("every area");
    for (width, height) in [(0, 0), (1, 1), (0, 5), (5, 0), (120, 36)] {
        buffer(width, height, |frame| draw(frame, frame.area()));
    }
}

fn terminal(width: u16, height: u16, draw: impl FnOnce(&mut Frame<'_>)) -> Terminal<TestBackend> {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a test backend");
    terminal.draw(draw).expect("a test backend");
    terminal
}
