//! Two records side by side: two days of one address, or its two geolocations.

use super::{
    case::{self, LookupCase},
    cases::Cases,
    free_answers::AnswerOrigin,
};
use crate::{
    contract::LookupQuery,
    model::{
        Day,
        compare::{Difference, DifferenceKind, compare_named},
        visible,
    },
    report::{ComparedSide, ComparedSource, TicketStamp, comparison_ticket},
    tui::ui::{cursor::Cursor, widgets::page::PageState},
};

#[derive(Debug)]
pub(super) struct CompareView {
    /// The first question.
    pub(super) a: LookupQuery,
    pub(super) b: LookupQuery,
    /// Whether rows that are equal are shown.
    pub(super) equal_rows: bool,
    pub(super) cursor: Cursor,
    /// Queries that were spent on it.
    pub(super) spent: u64,
    /// How far one has scrolled in the row that is shown whole; none is while this is empty.
    pub(super) whole: Option<PageState<u16>>,
}

/// Moving a question to another day.
pub(super) trait DayStep {
    /// Moves by days; today is no date at all, and nothing lies after it.
    fn step(&mut self, days: i32, today: Day);
}

impl DayStep for LookupQuery {
    fn step(&mut self, days: i32, today: Day) {
        let moved = self.date.unwrap_or(today).plus(days);
        self.date = (moved < today).then_some(moved);
    }
}

impl CompareView {
    /// A comparison of two questions.
    #[must_use]
    pub(super) fn new(a: LookupQuery, b: LookupQuery) -> Self {
        Self {
            a,
            b,
            equal_rows: false,
            cursor: Cursor::default(),
            spent: 0,
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

    /// The sides of which nothing is shown.
    pub(super) fn missing(&self, cases: &Cases) -> impl Iterator<Item = LookupQuery> {
        let lacks = |query: &LookupQuery| cases.of(*query).and_then(LookupCase::shown).is_none();
        [self.a, self.b].into_iter().filter(lacks)
    }

    #[must_use]
    pub(super) fn rows(&self, cases: &Cases) -> Vec<Difference> {
        let all = self.differences(cases).unwrap_or_default();
        all.into_iter()
            .filter(|row| self.equal_rows || row.change() != DifferenceKind::Equal)
            .collect()
    }

    /// The note for a ticket, where both records are known.
    #[must_use]
    pub(super) fn ticket(&self, cases: &Cases, written: TicketStamp) -> Option<String> {
        let source = |query| {
            Some(match cases.of(query)?.shown()?.origin {
                AnswerOrigin::Live(asked) => ComparedSource::Live(asked),
                AnswerOrigin::Cached(asked, _) => ComparedSource::Cached(asked),
                AnswerOrigin::Local(release, _) => ComparedSource::Local(release),
            })
        };
        let today = Day::of(written.at);
        let (a, b) = (name(&self.a, today), name(&self.b, today));
        let side = |name, query| {
            Some(ComparedSide {
                name,
                source: source(query)?,
                context: &cases.of(query)?.shown()?.record?.context,
            })
        };
        let sides = [side(&a, self.a)?, side(&b, self.b)?];
        let differences = self.differences(cases)?;
        let address = self.a.address.to_string();
        Some(comparison_ticket(&address, sides, &differences, written))
    }

    /// The rows that are shown, as text.
    #[must_use]
    pub(super) fn as_text(&self, cases: &Cases, today: Day) -> String {
        let mut text = format!(
            "{}: A {}, B {}\n",
            self.a.address,
            name(&self.a, today),
            name(&self.b, today)
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

/// What a side is called: its day, and another geolocation. It is read tomorrow, too.
fn name(query: &LookupQuery, today: Day) -> String {
    let date = query.date.or(Some(today));
    case::aspect(&LookupQuery { date, ..*query })
}
