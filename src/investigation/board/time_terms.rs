//! What the filter of a board asks of the time of events, and what it asks beside that.

use super::{BoardFilter, time_span::TimeSpan};
use crate::{investigation::board::field::TIME, store::filter::written_terms};

/// A filter by what it asks of the time of events.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TimeTerms {
    /// The time that all terms about it have in common.
    pub span: Option<TimeSpan>,
    /// The other terms.
    rest: Vec<String>,
}

impl TimeTerms {
    /// Those of a board with these columns; `None` where they are not known.
    #[must_use]
    pub fn of(filter: &str, columns: Option<&[String]>) -> Self {
        let mut terms = Self::default();
        for term in written_terms(filter) {
            let read = BoardFilter::read(term, columns).ok();
            match read.as_ref().and_then(BoardFilter::span) {
                None => terms.rest.push(term.to_owned()),
                Some(span) => {
                    let before = terms.span.take();
                    terms.span =
                        Some(before.map_or_else(|| span.clone(), |before| before.and(span)));
                }
            }
        }
        terms
    }

    /// The filter with this span of time in place of its own.
    #[must_use]
    pub fn with(mut self, span: Option<&TimeSpan>) -> String {
        self.rest.extend(span.map(|span| format!("{TIME}:{span}")));
        self.rest.join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_span_takes_the_place_of_another() {
        for (filter, span, word, then) in [
            ("is:vpn", Some("2026-11-25"), None, "is:vpn time:2026-11-25"),
            (
                "time:2026-11-25 is:vpn",
                Some("2026-11-25T03"),
                Some("2026-11-25"),
                "is:vpn time:2026-11-25T03",
            ),
            (
                "time:2026-11-25..27 time:2026-11-26..28",
                None,
                Some("2026-11-26..27"),
                "",
            ),
            // It asks for what is not there, which no strip shows.
            (
                "-time:2026-11-25",
                Some("2026-11-26"),
                None,
                "-time:2026-11-25 time:2026-11-26",
            ),
        ] {
            let terms = TimeTerms::of(filter, Some(&[]));
            let span_of = |text: &str| text.parse::<TimeSpan>().expect(text);
            assert_eq!(terms.span, word.map(span_of), "{filter}");
            assert_eq!(terms.with(span.map(span_of).as_ref()), then, "{filter}");
        }
    }
}
