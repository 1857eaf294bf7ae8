//! The table that is printed: one row a measurement, columns aligned, plain text.

use std::{
    fmt::Write as _,
    io::{self, Write},
};

use super::earlier::{Earlier, times};

/// Whether a measurement is within its goal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Within it.
    Ok,
    /// Beyond it.
    Over,
    /// There is none, or nothing could be measured.
    None,
}

/// One measurement.
#[derive(Clone, Debug)]
struct Row {
    what: String,
    measured: String,
    beside: String,
    /// The measurement of an earlier run, and how many times that this one is.
    before: String,
    goal: String,
    verdict: Verdict,
}

/// All measurements.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Row>,
}

impl Table {
    /// A measurement with a goal: `value` and `bar` in one unit, less is better.
    pub(crate) fn at_most(
        &mut self,
        what: &str,
        measured: String,
        goal: &str,
        value: f64,
        bar: f64,
    ) {
        let verdict = if value <= bar {
            Verdict::Ok
        } else {
            Verdict::Over
        };
        self.push(what, measured, String::new(), goal, verdict);
    }

    /// The same where more is better.
    pub(crate) fn at_least(
        &mut self,
        what: &str,
        measured: String,
        goal: &str,
        value: f64,
        bar: f64,
    ) {
        self.at_most(what, measured, goal, -value, -bar);
    }

    /// A measurement without a goal.
    pub(crate) fn noted(&mut self, what: &str, measured: String) {
        self.push(what, measured, String::new(), "", Verdict::None);
    }

    /// Says beside the last measurement what it compares to.
    pub(crate) fn beside(&mut self, text: String) {
        if let Some(row) = self.rows.last_mut() {
            row.beside = text
        }
    }

    /// A measurement that could not be made.
    pub(crate) fn missing(&mut self, what: &str, why: &str) {
        let why = why.lines().next().unwrap_or_default();
        self.push(what, format!("- ({why})"), String::new(), "", Verdict::None);
    }

    /// A measurement that failed where it must not.
    pub(crate) fn failed(&mut self, what: &str, why: &str) {
        let why = why.lines().next().unwrap_or_default();
        self.push(what, format!("- ({why})"), String::new(), "", Verdict::Over);
    }

    fn push(&mut self, what: &str, measured: String, beside: String, goal: &str, verdict: Verdict) {
        self.rows.push(Row {
            what: what.to_owned(),
            measured,
            beside,
            before: String::new(),
            goal: goal.to_owned(),
            verdict,
        });
    }

    /// Puts the measurements of an earlier run beside these.
    pub(crate) fn compare(&mut self, mut earlier: Earlier) {
        for row in &mut self.rows {
            let before = earlier.take(&row.what).unwrap_or("new".to_owned());
            row.before = match times(&row.measured, &before) {
                Some(times) => format!("{before}, now x{times:.2}"),
                None => before,
            };
        }
    }

    /// Prints it; returns how many measurements are over their goal.
    pub(crate) fn print(&self) -> io::Result<usize> {
        let head = Row {
            what: "what".to_owned(),
            measured: "measured".to_owned(),
            beside: "beside".to_owned(),
            before: if self.rows.iter().all(|row| row.before.is_empty()) {
                String::new()
            } else {
                "before".to_owned()
            },
            goal: "goal".to_owned(),
            verdict: Verdict::None,
        };
        let all: Vec<&Row> = std::iter::once(&head).chain(&self.rows).collect();
        let width = |of: fn(&Row) -> &str| {
            let widths = all.iter().map(|row| of(row).chars().count());
            widths.max().unwrap_or_default()
        };
        let (what, measured) = (width(|row| &row.what), width(|row| &row.measured));
        let (beside, goal) = (width(|row| &row.beside), width(|row| &row.goal));
        let before = width(|row| &row.before);
        let mut text = String::new();
        for row in &all {
            let verdict = match row.verdict {
                Verdict::Ok => "ok",
                Verdict::Over => "OVER",
                Verdict::None => "",
            };
            let before = match before {
                0 => String::new(),
                width => format!("{:width$}  ", row.before),
            };
            let line = format!(
                "{:what$}  {:measured$}  {before}{:beside$}  {:goal$}  {verdict}",
                row.what, row.measured, row.beside, row.goal
            );
            let _ = writeln!(text, "{}", line.trim_end());
        }
        io::stdout().write_all(text.as_bytes())?;
        let over = self.rows.iter().filter(|row| row.verdict == Verdict::Over);
        Ok(over.count())
    }
}
