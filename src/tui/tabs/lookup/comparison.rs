//! Two records side by side: two days of one address, or its two geolocations.

use std::iter;

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect, Size},
    text::{Line, Span},
};

use super::{
    case::{CaseMark, Cases, LookupCase, aspect},
    days::ShownDays,
    record::{source, sources::cells_of},
    sources::{AnswerOrigin, SourceAnswer},
};
use crate::{
    contract::{Endpoint, LookupQuery},
    engine::Area,
    model::{
        Day,
        compare::{Difference, DifferenceKind, compare_named, weight},
        visible,
    },
    report::{
        Cell, Columns, ComparedSide, ComparedSource, TicketStamp, Verdict, comparison_ticket,
        same_verdict, same_verdict_line,
    },
    tui::{
        ctx::{Flow, Gesture, ListInFront, Scope, Surface, UpdateCtx, ViewCtx, failure},
        ui::{
            Column, Cursor, Focus, Motion, Page, PageRow, PageState, Pane, Popup, Section,
            SectionSide, Table, Theme, Width, cells, widgets::page, words,
        },
    },
};

/// A comparison of the records of two questions.
#[derive(Debug)]
pub(super) struct Comparison {
    pub(super) a: LookupQuery,
    pub(super) b: LookupQuery,
    /// Whether rows that are equal are shown.
    pub(super) equal_rows: bool,
    cursor: Cursor,
    /// Queries that were spent on it.
    pub(super) spent: u64,
    /// Whether the table is behind it.
    pub(super) is_from_table: bool,
}

/// Moves a question by days; today is no date at all, and nothing lies after it.
pub(super) fn step(query: &mut LookupQuery, days: i32, today: Day) {
    let moved = query.date.unwrap_or(today).plus(days);
    query.date = (moved < today).then_some(moved);
}

impl Comparison {
    #[must_use]
    pub(super) fn new(a: LookupQuery, b: LookupQuery) -> Self {
        Self {
            a,
            b,
            equal_rows: false,
            cursor: Cursor::default(),
            spent: 0,
            is_from_table: false,
        }
    }

    /// The first side, and the same with the other geolocation.
    pub(super) fn geolocations(&self) -> (LookupQuery, LookupQuery) {
        let geolocation = self.a.geolocation.other();
        let other = LookupQuery {
            geolocation,
            ..self.a
        };
        (self.a, other)
    }

    /// Whether the sides are two addresses.
    pub(super) fn is_of_two(&self) -> bool {
        self.a.address != self.b.address
    }

    /// A side in these words, with its address where they differ.
    fn label(&self, query: &LookupQuery, words: String) -> String {
        if self.is_of_two() {
            format!("{} {words}", query.address)
        } else {
            words
        }
    }

    /// What a side is called in a copy, which is read tomorrow, too: its day, and another geolocation.
    fn name(&self, query: &LookupQuery, today: Day) -> String {
        let date = query.date.or(Some(today));
        self.label(query, aspect(&LookupQuery { date, ..*query }))
    }

    /// What it is about.
    fn about(&self) -> String {
        let (a, b) = (self.a.address, self.b.address);
        if a == b {
            a.to_string()
        } else {
            format!("{a} and {b}")
        }
    }

    /// Whether one of its sides is the answer to this question.
    pub(super) fn has(&self, query: LookupQuery) -> bool {
        self.a == query || self.b == query
    }

    /// Every difference, where both records are known: what decides the verdict first, counts last.
    #[must_use]
    pub(super) fn differences(&self, cases: &Cases) -> Option<Vec<Difference>> {
        let record = |query| cases.shown(query).and_then(SourceAnswer::document);
        let (a, b) = (record(self.a)?, record(self.b)?);
        let mut all = compare_named(a.value(), b.value());
        // That two addresses differ is no finding.
        all.retain(|row| !self.is_of_two() || row.path != "ip");
        all.sort_by_key(|row| weight(&row.path));
        Some(all)
    }

    /// The sides of which nothing is shown.
    pub(super) fn missing(&self, cases: &Cases) -> impl Iterator<Item = LookupQuery> {
        let sides = [self.a, self.b].into_iter();
        sides.filter(|query| cases.shown(*query).is_none())
    }

    #[must_use]
    pub(super) fn rows(&self, cases: &Cases) -> Vec<Difference> {
        let all = self.differences(cases).unwrap_or_default();
        all.into_iter()
            .filter(|row| self.equal_rows || row.change() != DifferenceKind::Equal)
            .collect()
    }

    /// The rows as they are written to a file.
    pub(super) fn written(&self, cases: &Cases) -> Option<ListInFront<'static>> {
        self.differences(cases)?;
        let side = |text: &Option<String>| text.clone().map_or(Cell::Null, Cell::from);
        let columns = Columns::<Difference>::default()
            .column("field", "field", |difference| {
                Cell::from(difference.path.clone())
            })
            .column("a", "A", move |difference| side(&difference.a))
            .column("b", "B", move |difference| side(&difference.b));
        let name = |difference: &Difference| difference.path.clone();
        Some(ListInFront::made(
            "difference",
            columns,
            self.rows(cases),
            name,
        ))
    }

    pub(super) fn go(&mut self, motion: Motion, cases: &Cases) {
        let rows = self.rows(cases).len();
        self.cursor.step(motion, rows);
    }

    /// Both sides of the selected row, to be read whole.
    pub(super) fn whole_row(&self, cases: &Cases) -> Option<Box<WholeRow>> {
        let mut rows = self.rows(cases);
        let at = self.cursor.selected(rows.len())?;
        Some(Box::new(WholeRow {
            row: rows.swap_remove(at),
            page: PageState::default(),
        }))
    }

    /// The note for a ticket, where both records are known; else the rows that are shown.
    #[must_use]
    pub(super) fn ticket(&self, cases: &Cases, written: TicketStamp) -> Option<String> {
        let today = Day::of(written.at);
        let (a, b) = (self.name(&self.a, today), self.name(&self.b, today));
        let side = |name, query| {
            let shown = cases.shown(query)?;
            Some(ComparedSide {
                name,
                source: match &shown.origin {
                    AnswerOrigin::Live(answer) => ComparedSource::Live(&answer.provenance),
                    AnswerOrigin::Cached(answer) => ComparedSource::Cached(&answer.provenance),
                    AnswerOrigin::Local(record) => ComparedSource::Local(&record.release),
                },
                context: shown.context()?,
                days: cases.of(query).and_then(LookupCase::days_in_words),
            })
        };
        let sides = [side(&a, self.a)?, side(&b, self.b)?];
        let differences = self.differences(cases)?;
        Some(comparison_ticket(
            &self.about(),
            sides,
            &differences,
            written,
        ))
    }

    /// The rows that are shown, as text.
    #[must_use]
    pub(super) fn as_text(&self, cases: &Cases, today: Day) -> String {
        let (a, b) = (self.name(&self.a, today), self.name(&self.b, today));
        let mut text = format!("{}: A {a}, B {b}\n", self.about());
        for row in self.rows(cases) {
            let [a, b] = [&row.a, &row.b].map(|side| visible(side.as_deref().unwrap_or("-")));
            let (sign, path) = (row.change().sign(), visible(&row.path));
            text.push_str(&format!("{sign} {path}: {a} -> {b}\n"));
        }
        text
    }

    /// Since when the verdict is the same, as far as is known, or on how many days between it was another one.
    fn last_change(&self, cases: &Cases, theme: &Theme) -> Option<Line<'static>> {
        if self.is_of_two() {
            return None;
        }
        let [a, b] = [self.a, self.b].map(|query| cases.of(query)?.days.shown());
        let (a, b) = (a?, b.or(a)?);
        let later = if a.day > b.day { a } else { b };
        let (label, words) = same_verdict(&later.history, [a.day, b.day], later.words.as_ref()?);
        Some(Line::styled(same_verdict_line(label, &words), theme.text))
    }

    /// The days of the address with what their signs mean, and below them which is of which side.
    fn strip(&self, cases: &Cases, width: u16, theme: &Theme) -> Option<[Line<'static>; 2]> {
        const INDENT: u16 = 5;
        let [a, b] = [self.a, self.b].map(|query| cases.of(query)?.days.shown());
        // The answer of one side may have come after the days of the other were read.
        let most = [a, b].into_iter().flatten();
        let most = most.max_by_key(|days| days.history.findings.len());
        let days = most.filter(|_| !self.is_of_two())?;
        let marked = [("A", a), ("B", b)].into_iter();
        let marked: Vec<_> = marked
            .filter_map(|(name, days)| Some((name, days?.day)))
            .collect();
        let at: Vec<Day> = marked.iter().map(|(_, day)| *day).collect();
        let strip = days.strip(&at, self.a, width.saturating_sub(INDENT), theme)?;
        let mut below = vec![' '; usize::from(INDENT + strip.before)];
        for (name, day) in marked {
            let place = strip
                .cell_of(day)
                .map(|cell| cell + usize::from(INDENT + strip.before));
            if let Some(place) = place {
                below.resize(below.len().max(place + 1), ' ');
                below[place] = name.chars().next().unwrap_or(' ');
            }
        }
        let mut line: Line<'_> = [Span::raw("     ")]
            .into_iter()
            .chain(strip.line.spans)
            .collect();
        let legend = Span::styled(strip.legend, theme.dim);
        if cells::line_width(&line) + 3 + cells::width(&legend.content) <= width {
            line.extend([Span::raw("   "), legend]);
        }
        let below = if theme.spoken {
            String::new()
        } else {
            below.into_iter().collect()
        };
        Some([line, Line::styled(below, theme.label)])
    }

    pub(super) fn draw(
        &self,
        frame: &mut Frame<'_>,
        area: Rect,
        cases: &Cases,
        ctx: &ViewCtx<'_>,
        focus: Focus,
    ) {
        let theme = ctx.theme;
        let rows = self.rows(cases);
        let all = self.differences(cases);
        let hidden = all.as_ref().map_or(0, Vec::len) - rows.len();
        let mut hint = format!("cost so far: {}", words::queries(self.spent));
        if hidden > 0 {
            hint = format!("{hidden} equal rows hidden, . shows   {hint}");
        }
        let title = Line::from(vec![
            Span::raw(self.about()),
            Span::styled("   A ", theme.dim),
            Span::raw(asked(&self.a)),
            Span::styled("   B ", theme.dim),
            Span::raw(asked(&self.b)),
        ]);
        let inner = Pane::new(title, focus).hint(hint).draw(frame, area, theme);
        let sides = [("A", self.a), ("B", self.b)];
        let strip = self.strip(cases, inner.width.saturating_sub(3), theme);
        if all.is_none() {
            let lines = sides.map(|(name, query)| side_lines(name, query, cases, ctx));
            let lines = lines
                .into_iter()
                .flatten()
                .chain(strip.into_iter().flatten());
            return page::draw_lines(frame, inner, lines, theme);
        }
        let heads = Constraint::Length(if strip.is_some() { 4 } else { 2 });
        let [heads, inner] = Layout::vertical([heads, Constraint::Min(0)]).areas(inner);
        for (line, place) in strip.into_iter().flatten().zip(heads.rows().skip(2)) {
            frame.render_widget(cells::cut_line(line, place.width), place);
        }
        for ((name, query), place) in sides.into_iter().zip(heads.rows()) {
            let mut line = Line::styled(format!("  {name}  "), theme.dim);
            let case = cases.of(query);
            let context = cases.shown(query).and_then(SourceAnswer::context);
            if let Some((case, context)) = case.zip(context) {
                let verdict = Verdict::beside(context, Some(query.address), case.entry_of());
                let style = CaseMark::from(&verdict).style(theme);
                line.push_span(Span::styled(format!("{}   ", verdict.line()), style));
            }
            line.extend(case.map(|case| source(case, ctx).spans).unwrap_or_default());
            frame.render_widget(cells::cut_line(line, place.width), place);
        }
        if rows.is_empty() {
            let same = Line::styled("no difference; lists are compared as sets", theme.text);
            let lines = iter::once(same).chain(self.last_change(cases, theme));
            return page::draw_lines(frame, inner, lines, theme);
        }
        let columns = [
            Column::new("", Width::Fixed(1)),
            Column::new("FIELD", Width::Min(12)),
            Column::new(
                format!("A {}", self.label(&self.a, asked(&self.a))),
                Width::Fill(16),
            ),
            Column::new(
                format!("B {}", self.label(&self.b, asked(&self.b))),
                Width::Fill(16),
            ),
        ];
        let line = |index: usize| cells_of(&rows[index], theme);
        Table::new(&columns, &self.cursor, rows.len()).draw(frame, inner, line, ctx, focus);
    }
}

/// What is known of a side while one is missing.
fn side_lines(
    name: &'static str,
    query: LookupQuery,
    cases: &Cases,
    ctx: &ViewCtx<'_>,
) -> Vec<Line<'static>> {
    let theme = ctx.theme;
    let case = cases.of(query);
    let error = case.and_then(|case| case.live.error());
    let (words, style) = match (case, error) {
        (Some(case), _) if case.live.pending().is_some() => {
            ("~ asking the service".to_owned(), theme.warn)
        }
        (Some(case), _) if case.is_pending() => {
            ("~ reading the local feeds".to_owned(), theme.warn)
        }
        (Some(case), _) if case.shown().is_some() => (case.mark().word().to_owned(), theme.text),
        (_, Some(error)) => (format!("x {}", visible(&error.message)), theme.text),
        (Some(case), None) if case.days.shown().is_some_and(ShownDays::is_absent) => {
            let lack = ctx.facts.lack_in_short();
            let ask = lack.unwrap_or("enter asks the service, 1 query");
            (format!("no record in the local feeds; {ask}"), theme.text)
        }
        (_, None) => {
            let price = ctx.facts.price_now(query.geolocation);
            (format!("not shown yet: enter fetches, {price}"), theme.text)
        }
    };
    let mut lines = vec![Line::from(vec![
        Span::styled(format!("{name}  "), theme.dim),
        Span::raw(format!("{}   ", side_name(&query, cases, ctx))),
        Span::styled(words, style),
    ])];
    if let Some(error) = error {
        let hint = failure::hint(error);
        lines.extend(hint.map(|hint| Line::styled(format!("   {}", visible(&hint)), theme.dim)));
        let area = Area::of(&Endpoint::Context(query));
        lines.extend(failure::across(error, area, "   ", ctx.facts, theme));
    }
    lines
}

fn asked(query: &LookupQuery) -> String {
    match aspect(query) {
        today if today.is_empty() => "today".to_owned(),
        aspect => aspect,
    }
}

/// What was asked, and the answer's source, its day where that is another, and its age: `today (local 2026-11-22, 14h)`.
fn side_name(query: &LookupQuery, cases: &Cases, ctx: &ViewCtx<'_>) -> String {
    let asked = asked(query);
    let Some(shown) = cases.shown(*query) else {
        return asked;
    };
    let other = shown.day().filter(|day| query.date != Some(*day));
    let other = other.map_or_else(String::new, |day| format!(" {}", day.dashed()));
    let source = match shown.local() {
        Some(_) => "local",
        None => shown.source(),
    };
    format!("{asked} ({source}{other}, {})", ctx.age(shown.since()))
}

/// A row in full, over the table: each side by itself, wrapped.
#[derive(Debug)]
pub(super) struct WholeRow {
    row: Difference,
    page: PageState,
}

impl Surface for WholeRow {
    fn scope(&self) -> Scope {
        Scope::Reading
    }

    fn on(&mut self, gesture: Gesture, _ctx: &mut UpdateCtx<'_>) -> Flow {
        match gesture {
            Gesture::Go(motion) => {
                self.page.step(motion);
                Flow::Done
            }
            Gesture::Open | Gesture::Escape | Gesture::Quit | Gesture::Back => Flow::Close,
            _ => Flow::Ignored,
        }
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let theme = ctx.theme;
        let mut content = Page::new();
        for (name, side) in [("A", &self.row.a), ("B", &self.row.b)] {
            let text = side.as_deref().map_or_else(
                || Line::styled("(absent, or nothing that the other side lacks)", theme.dim),
                |text| Line::raw(visible(text).into_owned()),
            );
            content.push(Section::new(name, SectionSide::Both).row(PageRow::text(text)));
        }
        let width = area.width.saturating_sub(8);
        let size = Size::new(width, content.lines(width));
        let inner = Popup::new(visible(&self.row.path).into_owned(), size)
            .key(theme, "up down", "scroll", 1)
            .key(theme, "esc", "close", 0)
            .draw(frame, area, ctx);
        content.draw(frame, inner, &self.page, theme, Focus::Here);
    }
}
