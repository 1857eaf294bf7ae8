//! Bars by eighths in one line of text.

use crate::tui::ui::glyphs::LEVELS;

/// Cells before the bars.
pub(super) const LABEL: usize = 8;

/// A bar for each value, each so wide; `most` is a full one. What is not nothing is an eighth at least.
pub(super) fn bars(values: &[u64], most: u64, width: usize) -> String {
    let full = LEVELS.len() as u64 - 1;
    let bar = |value: &u64| {
        let level = value.saturating_mul(full).div_ceil(most.max(1)).min(full);
        let level = LEVELS[usize::try_from(level).unwrap_or_default()];
        format!("{:<width$}", level.repeat(width.saturating_sub(1).max(1)))
    };
    let bars: String = values.iter().map(bar).collect();
    bars.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn little_is_not_nothing_and_the_highest_is_full() {
        assert_eq!(bars(&[0, 1, 50, 100], 100, 2), "  ▁ ▄ █");
        assert_eq!(bars(&[0, 7], 7, 3), "   ██");
        assert_eq!(bars(&[0], 0, 1), "");
        assert_eq!(bars(&[u64::MAX], u64::MAX, 1), "▁");
    }
}
