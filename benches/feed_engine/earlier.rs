//! The table of an earlier run, saved as it was printed, to compare with: `cargo bench --bench feed_engine > before.txt`, later
//! `-- --compare before.txt`. Runs of different machines do not compare.

use std::{fs, path::Path};

use anyhow::{Context, Result, bail};

/// The measurements of an earlier run, by name, in its order.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Earlier(Vec<(String, String)>);

impl Earlier {
    /// Reads a saved table.
    ///
    /// # Errors
    /// The file cannot be read, or holds no table.
    pub(crate) fn read(path: &Path) -> Result<Self> {
        let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let earlier = Self::of(&text);
        if earlier.0.is_empty() {
            bail!("{} holds no table of this benchmark", path.display());
        }
        Ok(earlier)
    }

    /// The measurements below the head of a table.
    pub(crate) fn of(text: &str) -> Self {
        let lines = text.lines().skip_while(|line| !line.starts_with("what "));
        let rows = lines.skip(1).filter_map(|line| {
            let mut cells = line.trim().split("  ").filter(|cell| !cell.is_empty());
            let (what, measured) = (cells.next()?, cells.next()?);
            Some((what.to_owned(), measured.trim().to_owned()))
        });
        Self(rows.collect())
    }

    /// What was measured under this name; of several the first that was not taken yet.
    pub(crate) fn take(&mut self, what: &str) -> Option<String> {
        let at = self.0.iter().position(|(text, _)| text == what.trim())?;
        Some(self.0.remove(at).1)
    }
}

/// How many times the earlier measurement the later one is, where both are numbers of one kind.
pub(crate) fn times(now: &str, before: &str) -> Option<f64> {
    let ((now, kind), (before, other)) = (quantity(now)?, quantity(before)?);
    (kind == other && before > 0.0).then(|| now / before)
}

/// A number in the smallest unit of its kind, and that kind.
fn quantity(text: &str) -> Option<(f64, &str)> {
    let (number, unit) = text.split_once(' ').unwrap_or((text, ""));
    let number: f64 = number.replace(',', "").parse().ok()?;
    let (factor, kind) = match unit {
        "ns" => (1.0, "time"),
        "µs" => (1e3, "time"),
        "ms" => (1e6, "time"),
        "s" => (1e9, "time"),
        other => (1.0, other),
    };
    Some((number * factor, kind))
}
