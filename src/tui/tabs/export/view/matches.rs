//! How much of the local release the form asks for: a pane, or a line on a small screen.
//!
//! Every number names its release and its age. One that answers an older form is dimmed and says so; what could not be counted shows
//! why, and never an older number.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
};

use crate::{
    contract::{ExportQuery, Feed, Freshness, Output, Param},
    engine::{Area, Error, views::View},
    model::visible,
    report::each,
    store::{Moment, export::Changes, index::FacetBy},
    tui::{
        ctx::{ViewCtx, failure, meter},
        tabs::export::{
            ExportTab,
            local::{Expected, PreviewAge, SampleRows},
            vocabulary::keyword_of,
        },
        ui::{
            BarLine, BarPart, Focus, Page, PageRow, PageState, Pane, Section, SectionSide, Theme,
            Tone,
            words::{self, number},
        },
    },
};

/// Values of a field that are shown.
const VALUES: usize = 4;

/// What is counted of a form.
pub(super) struct Matches<'a> {
    tab: &'a ExportTab,
    query: ExportQuery,
    ctx: &'a ViewCtx<'a>,
    theme: &'a Theme,
}

/// A row with its rank: the highest gives way first.
type RankedRow = (u8, PageRow<'static>);

fn page(rows: &[RankedRow]) -> Page<'static> {
    let mut section = Section::new("", SectionSide::Both);
    for (_, row) in rows {
        section.push(row.clone());
    }
    Page::new().with(section)
}

impl<'a> Matches<'a> {
    pub(super) fn new(tab: &'a ExportTab, ctx: &'a ViewCtx<'a>) -> Self {
        Self {
            tab,
            query: tab.build.query(),
            ctx,
            theme: ctx.theme,
        }
    }

    /// Draws the pane.
    pub(super) fn draw(&self, frame: &mut Frame<'_>, area: Rect) {
        let theme = self.theme;
        let mut title = Line::raw("Matches");
        if let Some((view, _)) = self.tab.local.view(&self.query) {
            let moment = view.release.manifest.moment.dashed();
            title.push_span(Span::styled("  [local]", theme.badge));
            title.push_span(Span::raw(format!(" {} {moment}, ", self.query.feed)));
            title.push_span(self.age(view));
        }
        let inner = Pane::new(title, Focus::Elsewhere).draw(frame, area, theme);
        let mut rows = self.rows();
        // What matters least gives way first.
        while page(&rows).lines(inner.width) > inner.height && rows.len() > 1 {
            let least = (0..rows.len()).max_by_key(|at| rows[*at].0);
            rows.remove(least.unwrap_or_default());
        }
        let page = page(&rows);
        page.draw(frame, inner, &PageState::default(), theme, Focus::Elsewhere);
    }

    /// Lines that the pane needs for all that it has to say, its border included.
    pub(super) fn height(&self, width: u16) -> u16 {
        let inner = Pane::inner(Rect::new(0, 0, width, u16::MAX));
        page(&self.rows()).lines(inner.width).saturating_add(2)
    }

    /// What is counted. In a diff the rows that it will have come first; what counts the whole release says so.
    fn rows(&self) -> Vec<RankedRow> {
        let (local, theme) = (&self.tab.local, self.theme);
        let Some((view, age)) = local.view(&self.query) else {
            let lines = self.lines_without_matches().into_iter();
            return lines.map(|line| (0, PageRow::text(line))).collect();
        };
        let warning = |words: String| Some(Line::styled(words, theme.warn));
        let is_diff = self.query.diff;
        let changes = self.changes().filter(|_| age == PreviewAge::Current);
        let matches = match changes {
            Some((changes, _)) => self.changed_total(changes, view),
            None => self.total(view, age),
        };
        let differs = self.tab.shortfall().map(|words| format!("! {words}"));
        let values = local.values.error().map(|error| self.failed(error));
        let newer = view.newer.map(Moment::dashed);
        let newer = newer.map(|newer| format!("newer local release {newer}"));
        let is_stale = is_stale(view.release.manifest.moment, self.ctx);
        let note = is_stale.then(|| "! the service has a newer release".to_owned());
        let rows = [
            (0, "rows", is_diff.then(|| self.row_changes())),
            (if is_diff { 4 } else { 0 }, "matches", Some(matches)),
            (0, "differs", differs.and_then(warning)),
            (2, "values", values),
            (5, "by tag", self.values(Param::Tags)),
            (6, "by proxy", self.values(Param::CallbackProxies)),
            (6, "by cc", self.values(Param::Ccs)),
            (1, "limit", self.limit()),
            (2, "output", self.output()),
            (3, "release", newer.and_then(warning)),
            (3, "note", note.and_then(warning)),
        ];
        let row = |(rank, label, line): (u8, &'static str, Option<Line<'static>>)| {
            Some((rank, PageRow::field(label, line?)))
        };
        rows.into_iter().filter_map(row).collect()
    }

    /// The age of the release; one that is behind its cadence is marked by a colour, and by a sign for people who see none.
    fn age(&self, view: &View) -> Span<'static> {
        let manifest = &view.release.manifest;
        let old = self.ctx.age(manifest.generation());
        if is_stale(manifest.moment, self.ctx) {
            Span::styled(format!("! {old} old"), self.theme.warn)
        } else {
            Span::styled(format!("{old} old"), self.theme.dim)
        }
    }

    /// A line as it is, or dimmed where it answers an older form.
    fn aged(&self, line: Line<'static>, age: PreviewAge) -> Line<'static> {
        if age == PreviewAge::Current {
            return line;
        }
        let words = format!("{}  ~ older form", line.to_string().trim_end());
        Line::styled(words, self.theme.stale)
    }

    /// What was asked about the values and the rows and did not come.
    fn failed(&self, error: &Error) -> Line<'static> {
        failure::line("not counted: ", error, self.theme)
    }

    /// In a diff: a number that counts the records of the whole release, not those that changed.
    fn of_release(&self, mut line: Line<'static>) -> Line<'static> {
        if self.query.diff {
            let mark = Span::styled("release: ", self.theme.dim);
            line.spans.insert(0, mark);
        }
        line
    }

    fn noun(&self) -> &'static str {
        if self.query.feed.is_ipv6() || self.query.feed == Feed::Dch {
            "networks"
        } else {
            "IPs"
        }
    }

    fn total(&self, view: &View, age: PreviewAge) -> Line<'static> {
        let theme = self.theme;
        let counted = format!("{} {}", number(view.count), self.noun());
        let mut line = Line::from(Span::styled(counted, theme.accent));
        line.push_span(Span::raw(format!("  of {}", number(view.records))));
        if age == PreviewAge::Current && !self.query.diff {
            let state = format!("  exact, {} ms", view.took.as_millis());
            line.push_span(Span::styled(state, theme.dim));
        }
        self.of_release(self.aged(line, age))
    }

    /// The changes of the diff that the form asks for, and the rows they were counted with.
    fn changes(&self) -> Option<(Changes, &'a SampleRows)> {
        let rows = self.tab.local.rows_of(&self.query)?;
        let is_current = rows.shown.query == self.query;
        Some((rows.changes?, rows)).filter(|_| is_current)
    }

    /// The rows that a diff will have.
    fn row_changes(&self) -> Line<'static> {
        if let Some(error) = self.tab.local.rows.error() {
            return self.failed(error);
        }
        let Some((changes, rows)) = self.changes() else {
            return Line::styled("~ comparing two days", self.theme.warn);
        };
        let before = rows.shown.before();
        let since = before.map(|before| format!(" since {}", before.dashed()));
        Line::raw(in_words(changes) + &since.unwrap_or_default())
    }

    /// How many records changed of those that match.
    fn changed_total(&self, changes: Changes, view: &View) -> Line<'static> {
        let rows = number(changes.added + changes.removed);
        let of = number(view.count);
        Line::from(vec![
            Span::styled(format!("{rows} {}", self.noun()), self.theme.accent),
            Span::raw(format!("  beside {of} in the release")),
        ])
    }

    /// The values of a field with their counts: those that are asked for, else the most frequent ones.
    fn values(&self, param: Param) -> Option<Line<'static>> {
        let by = FacetBy::Keyword(keyword_of(param)?);
        // In a diff the records that changed are counted; until they are, those of the release, which is said.
        let changed = self.changes();
        let (facets, age) = match changed {
            Some((_, rows)) => (rows.changed.as_slice(), PreviewAge::Current),
            None => self.tab.local.facets(&self.query)?,
        };
        let is_of_release = self.query.diff && changed.is_none();
        let counts = facets.iter().find(|counts| counts.by == by)?;
        let asked = self.query.value(param).sent().unwrap_or_default();
        let is_asked = |value: &str| {
            asked.is_empty()
                || asked
                    .split(',')
                    .any(|text| text.eq_ignore_ascii_case(value))
        };
        let values = counts.values.iter();
        let chosen: Vec<_> = values.filter(|facet| is_asked(&facet.value)).collect();
        if chosen.is_empty() {
            return None;
        }
        let (mut line, dim) = (Line::default(), self.theme.dim);
        let most = if is_of_release { VALUES / 2 } else { VALUES };
        for facet in chosen.iter().take(most) {
            line.push_span(Span::raw(format!("{} ", visible(&facet.value))));
            line.push_span(Span::styled(format!("{}   ", number(facet.count)), dim));
        }
        if chosen.len() > most {
            let more = format!("+{}", number((chosen.len() - most) as u64));
            line.push_span(Span::styled(more, dim));
        }
        let line = self.aged(line, age);
        Some(if is_of_release {
            self.of_release(line)
        } else {
            line
        })
    }

    /// What the output comes to, where there is any and it answers the form or is about to: a form that is refused has none.
    fn expected(&self) -> Option<(Expected, PreviewAge)> {
        let local = &self.tab.local;
        let is_coming = local.rows.is_pending();
        let expected = local.expected(&self.query);
        expected.filter(|(expected, age)| {
            expected.matches > 0 && (*age == PreviewAge::Current || is_coming)
        })
    }

    fn limit(&self) -> Option<Line<'static>> {
        let (expected, age) = self.expected()?;
        let dropped = expected.matches - expected.kept;
        let line = if dropped == 0 {
            Line::styled("nothing is cut", self.theme.dim)
        } else {
            let (kept, dropped) = (number(expected.kept), number(dropped));
            let words = format!("! keeps the busiest {kept}, drops {dropped}");
            Line::styled(words, self.theme.warn)
        };
        Some(self.aged(line, age))
    }

    fn output(&self) -> Option<Line<'static>> {
        let error = self.tab.local.rows.error();
        if let Some(error) = error.filter(|_| !self.query.diff) {
            return Some(self.failed(error));
        }
        let (expected, age) = self.expected()?;
        let bytes = expected.bytes?;
        let form = match self.query.output {
            Output::Csv => "CSV",
            Output::Json => "JSON",
            Output::Mmdb => return None,
        };
        let words = format!("about {} of {form}", words::bytes(bytes));
        Some(self.aged(Line::raw(words), age))
    }

    /// What a key does about a feed that is not local, or how far its download is; one that was refused is no offer.
    fn download(&self) -> String {
        if let Some(job) = self.ctx.jobs.running_pull(self.query.feed) {
            return format!("~ downloading: {}", meter::words(job));
        }
        match self.ctx.facts.refusal(Area::Feeds) {
            Some(_) => "no feed access: p tries again".to_owned(),
            None => "p downloads it".to_owned(),
        }
    }

    /// Shown where nothing is counted: why, and what to do about it.
    fn lines_without_matches(&self) -> Vec<Line<'static>> {
        let (local, feed, theme) = (&self.tab.local, self.query.feed, self.theme);
        if local.page.is_pending() {
            return vec![Line::styled("~ counting", theme.warn)];
        }
        let ask = "S asks the service for 12 rows: free";
        let ask = self.ctx.facts.lack_of_exports().is_none().then_some(ask);
        let pull = self.ctx.facts.lack_of_feeds();
        let pull = pull.unwrap_or_else(|| self.download());
        let words = [Some(pull.as_str()), ask].into_iter().flatten();
        let keys = Line::styled(each(words, "; "), theme.dim);
        let day = self.query.diff_date.filter(|_| self.query.diff);
        let why = local.page.error().map(|error| match day {
            _ if !local.is_missing() => failure::line("", error, theme),
            Some(day) => Line::raw(format!("{feed} {} is not local", day.dashed())),
            None => Line::raw(format!("{feed} is not local: nothing is counted")),
        });
        why.into_iter().chain([keys]).collect()
    }

    /// Draws the line: what matches, and how many checks there are of each kind.
    pub(super) fn draw_line(&self, frame: &mut Frame<'_>, area: Rect) {
        let (tab, theme) = (self.tab, self.theme);
        let mut bar = BarLine::new();
        if let Some((view, age)) = tab.local.view(&self.query) {
            let is_older = age == PreviewAge::Older;
            let style = if is_older { theme.stale } else { theme.text };
            let mut counted = match self.changes() {
                Some((changes, _)) => format!(" diff {}", in_words(changes)),
                None if self.query.diff => " diff ~ comparing".to_owned(),
                None => format!(" matches {} {}", number(view.count), self.noun()),
            };
            if let Some((expected, _)) = tab.local.expected(&self.query)
                && expected.kept < expected.matches
            {
                counted += &format!(", {} kept", number(expected.kept));
            }
            if is_older {
                counted += " ~ older form";
            }
            bar = bar.left(BarPart::new(Span::styled(counted, style), 0));
            let wanted = tab
                .build
                .omitted()
                .and_then(|conditions| conditions.wanted.as_ref());
            if let Some(wanted) = wanted.filter(|_| !is_older) {
                let words = Span::styled(format!("! {wanted}"), theme.warn);
                bar = bar.left(BarPart::new(words, 0));
            }
            let age = self.age(view);
            let moment = view.release.manifest.moment.dashed();
            let source = Span::styled(format!(" local {moment}, "), age.style);
            bar = bar.left(BarPart::new(source + age, 2));
        } else {
            let mut line = Line::raw(" ");
            let why = self.lines_without_matches().into_iter().next();
            line.spans.extend(why.unwrap_or_default().spans);
            if tab.local.is_missing() {
                let keys = format!("; {}", self.download());
                line.push_span(Span::styled(keys, theme.dim));
            }
            bar = bar.left(BarPart::new(line, 0));
        }
        bar.right(BarPart::new(self.checks(), 1)).draw(frame, area);
    }

    /// How many checks there are of each kind.
    fn checks(&self) -> Line<'static> {
        let (build, theme) = (&self.tab.build, self.theme);
        let mut line = Line::styled("checks: ", theme.dim);
        let mut push = |tone, word, gap, style| {
            let words = format!("{word} {}{gap}", build.count(tone));
            line.push_span(Span::styled(words, style));
        };
        push(Tone::Ok, "ok", "  ", theme.text);
        match build.count(Tone::Warn) {
            0 => push(Tone::Info, "info", "  ", theme.text),
            _ => push(Tone::Warn, "warn", "  ", theme.warn),
        }
        let has_errors = build.count(Tone::Error) > 0;
        let style = if has_errors { theme.bad } else { theme.text };
        push(Tone::Error, "error", " ", style);
        line
    }
}

/// Whether a release is behind its cadence.
fn is_stale(moment: Moment, ctx: &ViewCtx<'_>) -> bool {
    moment.freshness(ctx.now) != Freshness::Current
}

fn in_words(changes: Changes) -> String {
    let (added, removed) = (number(changes.added), number(changes.removed));
    format!("{added} added, {removed} removed")
}
