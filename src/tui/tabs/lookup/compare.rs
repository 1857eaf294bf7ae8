//! Two records side by side: two days of one address, or its two geolocations.

use super::{at_hand::Origin, case, cases::Cases};
use crate::{
    contract::LookupQuery,
    model::{
        Day,
        compare::{Change, Difference, compare_named},
        visible,
    },
    report::{Compared, Written, comparison_ticket},
    tui::ui::{cursor::Cursor, widgets::page::PageState},
};

/// A comparison.
#[derive(Debug)]
pub(super) struct Compare {
    /// The first question.
    pub(super) a: LookupQuery,
    /// The second one.
    pub(super) b: LookupQuery,
    /// Whether rows that are equal are shown.
    pub(super) equal_rows: bool,
    /// Where one is.
    pub(super) cursor: Cursor,
    /// How far one has scrolled in the row that is shown whole; none is while this is empty.
    pub(super) whole: Option<PageState<u16>>,
}

/// Moving a question to another day.
pub(super) trait Step {
    /// Moves by days; today is no date at all, and nothing lies after it.
    fn step(&mut self, days: i32, today: Day);
}

impl Step for LookupQuery {
    fn step(&mut self, days: i32, today: Day) {
        let moved = self.date.unwrap_or(today).plus(days);
        self.date = (moved < today).then_some(moved);
    }
}

impl Compare {
    /// A comparison of two questions.
    #[must_use]
    pub(super) fn new(a: LookupQuery, b: LookupQuery) -> Self {
        Self {
            a,
            b,
            equal_rows: false,
            cursor: Cursor::default(),
            whole: None,
        }
    }

    /// Every difference, where both records are known.
    #[must_use]
    pub(super) fn differences(&self, cases: &Cases) -> Option<Vec<Difference>> {
        let record = |query| cases.of(query)?.shown()?.record;
        Some(compare_named(
            record(self.a)?.document.value(),
            record(self.b)?.document.value(),
        ))
    }

    /// The rows that are shown.
    #[must_use]
    pub(super) fn rows(&self, cases: &Cases) -> Vec<Difference> {
        let all = self.differences(cases).unwrap_or_default();
        all.into_iter()
            .filter(|row| self.equal_rows || row.change() != Change::Equal)
            .collect()
    }

    /// The note for a ticket, where both records are known.
    #[must_use]
    pub(super) fn ticket(&self, cases: &Cases, written: Written) -> Option<String> {
        let side = |query| {
            Some(match cases.of(query)?.shown()?.origin {
                Origin::Live(asked) => Compared::Live(asked),
                Origin::Cached(asked, _) => Compared::Cached(asked),
                Origin::Local(release, _) => Compared::Local(release),
            })
        };
        let (a, b) = (name(&self.a), name(&self.b));
        let sides = [(a.as_str(), side(self.a)?), (b.as_str(), side(self.b)?)];
        let differences = self.differences(cases)?;
        let address = self.a.address.to_string();
        Some(comparison_ticket(&address, sides, &differences, written))
    }

    /// The rows that are shown, as text.
    #[must_use]
    pub(super) fn as_text(&self, cases: &Cases) -> String {
        let mut text = format!(
            "{}: A {}, B {}\n",
            self.a.address,
            name(&self.a),
            name(&self.b)
        );
        for row in self.rows(cases) {
            let side = |side: &Option<String>| visible(side.as_deref().unwrap_or("-")).into_owned();
            text.push_str(&format!(
                "{} {}: {} -> {}\n",
                row.change().sign(),
                visible(&row.path),
                side(&row.a),
                side(&row.b)
            ));
        }
        text
    }
}

/// What a side is called.
fn name(query: &LookupQuery) -> String {
    let aspect = case::aspect(query);
    if aspect.is_empty() {
        "today".to_owned()
    } else {
        aspect
    }
}
