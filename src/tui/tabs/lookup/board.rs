//! A text with several addresses as a table: each address once, with its best local record or cached answer. Sends no queries.

mod address;
mod copies;
mod events;
mod facets;
mod focus;
mod groups;
mod lookups;
mod plan;
mod shape;
mod times;
mod view;

use std::{
    collections::{BTreeSet, HashMap, HashSet, VecDeque},
    net::IpAddr,
    path::PathBuf,
};

use self::address::{
    AGE, AS_IN_TEXT, AddressState, BESIDE, DAY, FIRST, LAST, LINES, OPERATOR, ROLE, SOURCE, TODAY,
};
pub(super) use self::{
    address::{BoardAddress, RowKey},
    groups::GROUPS,
};
use self::{events::BoardEvents, facets::BoardFacets, groups::BoardGroupList, times::BoardTimes};
use crate::{
    contract::LookupQuery,
    engine::{UnusableFeed, answers::BatchEnd, views::CommonQuery},
    investigation::{
        board::{BoardField, BoardGroups, StandingCounts},
        comparison::SideName,
        gather::{AssumedTimes, GatheredText, Occurrences},
        text::WORD,
    },
    model::{Day, Keyword},
    report::{BoardFindings, RowSource, count, counted},
    store::filter::written_terms,
    tui::{
        ctx::{
            Asked, Choice, Destination, Flow, Gesture, HeldRows, JobId, List, ListInFront, Outbox,
            Question, Rows, TabReply, UpdateCtx,
        },
        ui::{
            Motion, PaneId, PickerItem, Tone,
            widgets::facets::{FacetLine, FacetValue},
        },
    },
};

/// The least number of addresses that are requested at a time, so that the table fills from its top.
const AT_A_TIME: usize = 2048;
/// The most of them.
const MOST_AT_A_TIME: usize = 8192;

/// The number of the pane of the values beside the table in the tab.
pub(super) const FACET_PANE: PaneId = 3;
/// The number of the pane of the times above it.
pub(super) const TIME_PANE: PaneId = 4;

/// The fields of records by which rows are grouped.
const FIELDS: [Keyword; 7] = [
    Keyword::Tag,
    Keyword::Type,
    Keyword::Cc,
    Keyword::Asn,
    Keyword::Risk,
    Keyword::Infra,
    Keyword::Org,
];

/// The part of the table that has the focus.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum BoardPart {
    #[default]
    Rows,
    /// The values of fields beside the rows.
    Facets,
    /// The times of events above them.
    Times,
}

#[derive(Debug)]
pub(super) struct Board {
    pub(super) list: List<HeldRows<BoardAddress>>,
    /// What is asked of the addresses that may have a record and were not read yet, those of a day together.
    waiting: VecDeque<LookupQuery>,
    /// What is being read; its answer is the local feeds that could not be read.
    pub(super) reading: Asked<Question, Vec<UnusableFeed>>,
    /// The lookups that were asked for.
    asking: Asked<Question, BatchEnd>,
    /// Lookups that were answered.
    spent: u64,
    /// The day of the local feeds to read.
    pub(super) day: Option<Day>,
    /// The number of networks in the text, which have no rows.
    networks: u64,
    /// Whether an address has more values of a column than filters and groups find.
    has_others: bool,
    /// What the addresses were on days of their events.
    events: BoardEvents,
    /// How many rows had another verdict then.
    differing: u64,
    /// What was assumed of the times in the text.
    assumed: AssumedTimes,
    /// The zone of times that name none.
    zone: String,
    /// Whether an address has a row for each UTC day of its events, answered as of that day.
    pub(super) is_at_time: bool,
    /// The UTC day on which it was opened.
    today: Day,
    /// The file with the text, and whether a line of it has a time.
    file: Option<PathBuf>,
    has_times: bool,
    /// The profile, if it is not the default one.
    profile: Option<String>,
    /// The values of fields beside the table, while they are shown.
    facets: Option<BoardFacets>,
    /// The events of the shown rows by time.
    times: BoardTimes,
    part: BoardPart,
    /// How often what is known of the rows has changed.
    revision: u64,
    /// How many addresses are what.
    counts: StandingCounts,
    /// What is the same in all rows that have a source.
    shared: SharedSource,
    /// What it is called, where the name of its file says nothing.
    name: Option<String>,
    extent: TextExtent,
    /// What its rows were last grouped by.
    grouped_by: Option<BoardField>,
}

/// How much of a text a table has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextExtent {
    Whole,
    /// The rest of it is still being read.
    Beginning,
}

/// What the sources of rows have in common.
#[derive(Clone, Copy, Debug, Default)]
struct SharedSource {
    first: Option<RowSource>,
    last: Option<RowSource>,
    is_mixed: bool,
    is_of_days: bool,
}

impl SharedSource {
    fn add(&mut self, source: RowSource) {
        // Nearly all are as the one before: a table may have a million.
        if self.last == Some(source) {
            return;
        }
        self.last = Some(source);
        let first = *self.first.get_or_insert(source);
        self.is_of_days |= first.day() != source.day();
        self.is_mixed |= self.is_of_days || first.word() != source.word();
    }
}

impl FromIterator<RowSource> for SharedSource {
    fn from_iter<I: IntoIterator<Item = RowSource>>(sources: I) -> Self {
        let mut shared = Self::default();
        sources.into_iter().for_each(|source| shared.add(source));
        shared
    }
}

impl Board {
    /// The table of these addresses.
    pub(super) fn new(
        text: GatheredText,
        day: Option<Day>,
        name: Option<String>,
        ctx: &mut UpdateCtx<'_>,
    ) -> Self {
        let networks = text.networks();
        let has_others = text.totals.has_others;
        let assumed = text.totals.assumed.clone();
        let zone = text.zone.clone();
        let has = |of: fn(&Occurrences) -> bool| {
            text.addresses
                .iter()
                .any(|(.., occurrences)| of(occurrences))
        };
        let has_times = has(|occurrences| occurrences.times.is_some());
        let columns = text.values.columns().iter();
        let hidden = [
            (AS_IN_TEXT, true),
            (OPERATOR, true),
            (LINES, !has(|occurrences| occurrences.lines > 1)),
            (ROLE, !has(|occurrences| !occurrences.role.is_source())),
            (FIRST, !has_times),
            (LAST, !has_times),
            (TODAY, !text.by_day),
            (BESIDE, columns.filter(|text| *text != WORD).count() == 0),
        ];
        let row = |(place, (address, day, seen))| BoardAddress {
            key: RowKey { address, day },
            place,
            today: None,
            recent: None,
            seen,
            values: text.values.clone(),
            state: match ctx.facts.admission.refuses(address) {
                Some(reserved) => AddressState::Refused(reserved),
                None => AddressState::Waiting,
            },
        };
        let rows: Vec<BoardAddress> = (0..).zip(text.addresses).map(row).collect();
        let mut board = Self {
            waiting: VecDeque::new(),
            list: List::default(),
            reading: Asked::default(),
            asking: Asked::default(),
            spent: 0,
            day: day.filter(|_| !text.by_day),
            networks,
            has_others,
            events: BoardEvents::default(),
            differing: 0,
            assumed,
            zone,
            is_at_time: text.by_day,
            today: Day::of(ctx.out.now),
            file: text.file,
            profile: Some(ctx.facts.profile.clone()).filter(|text| text != "default"),
            has_times,
            facets: None,
            times: BoardTimes::default(),
            part: BoardPart::Rows,
            revision: 0,
            counts: StandingCounts::default(),
            shared: SharedSource::default(),
            name,
            extent: TextExtent::Whole,
            grouped_by: None,
        };
        for (column, is_hidden) in hidden {
            board.list.hide(column, is_hidden);
        }
        let waiting = rows.iter().filter(|row| row.state == AddressState::Waiting);
        board.waiting = board.questions(waiting).into();
        board.list.fill(rows);
        board.sum_up();
        board.read(ctx);
        board
    }

    /// The rows of the beginning of a text. What is asked of the days of events waits for the whole of it.
    pub(super) fn beginning(text: GatheredText, day: Option<Day>, ctx: &mut UpdateCtx<'_>) -> Self {
        Self {
            extent: TextExtent::Beginning,
            has_times: false,
            ..Self::new(text, day, None, ctx)
        }
    }

    /// Whether it is the one that asked this.
    pub(super) fn awaits(&self, job: JobId) -> bool {
        self.reading.pending() == Some(job)
    }

    /// What is asked of these rows, by day and in the order of the text; with the days of events what is known today, too.
    fn questions<'r>(&self, rows: impl Iterator<Item = &'r BoardAddress>) -> Vec<LookupQuery> {
        let mut rows: Vec<&BoardAddress> = rows.collect();
        rows.sort_by_key(|row| (row.key.day, row.place));
        let then: Vec<LookupQuery> = rows.iter().map(|row| self.query_of(row)).collect();
        if !self.is_at_time {
            return then;
        }
        let mut asked: HashSet<LookupQuery> = then.iter().copied().collect();
        let today = rows
            .iter()
            .map(|row| LookupQuery::now(row.key.address))
            .filter(|query| asked.insert(*query));
        let today: Vec<LookupQuery> = today.collect();
        then.into_iter().chain(today).collect()
    }

    /// Whether this is a table of the same text.
    pub(super) fn is_of(&self, text: &GatheredText) -> bool {
        self.file.is_some() && self.file == text.file
    }

    /// Why rows cannot be answered as of the days of events, where they cannot.
    pub(super) fn lacks_times(&self) -> Option<&'static str> {
        match &self.file {
            Some(_) if self.has_times => None,
            Some(_) => Some("no line of the text has a time"),
            None => Some("these addresses are from no text: they have no times"),
        }
    }

    /// The path of the file with the text.
    pub(super) fn path(&self) -> Option<&str> {
        self.file.as_ref()?.to_str()
    }

    /// Reads what is local or cached about the next addresses.
    fn read(&mut self, ctx: &mut UpdateCtx<'_>) {
        // Each answer moves all rows: it has as many as are answered already, so that there are few, and no more than keys wait for.
        let all = self.list.rows().all().count();
        let answered = all.saturating_sub(self.waiting.len());
        let most = answered.clamp(AT_A_TIME, MOST_AT_A_TIME);
        if let Some(LookupQuery { date, .. }) = self.waiting.front().copied() {
            let of_day = self.waiting.iter().take_while(|query| query.date == date);
            let addresses = of_day.take(most).map(|query| query.address).collect();
            let question = Question::BestAnswers(addresses, date);
            self.reading.ask(question, ctx);
        }
    }

    /// Takes what was read, and reads on.
    pub(super) fn settle(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let Some(reply) = self.events.settle(reply, ctx) else {
            return self.count_differing();
        };
        let (list, waiting, is_at_time) = (&mut self.list, &mut self.waiting, self.is_at_time);
        // A table may have a million rows, and most answers are few: what they change of the sums is counted with them.
        let (mut counts, mut shared) = (self.counts, self.shared);
        let mut is_summed = !is_at_time;
        let fill = |mut best: BoardFindings| {
            let is_all_read = best.unusable.is_empty();
            let read = waiting.drain(..best.answers.len().min(waiting.len()));
            let states = best.answers.into_iter();
            let states = states.map(|finding| AddressState::of(finding, is_all_read));
            let mut then = Vec::new();
            let mut today: HashMap<IpAddr, AddressState> = HashMap::new();
            for (query, state) in read.zip(states) {
                let key = RowKey::of(&query, is_at_time);
                if is_at_time && query.date.is_none() {
                    today.insert(query.address, state);
                } else {
                    then.push((key, (state, best.recent.remove(&query.address))));
                }
            }
            let of_today = |key: RowKey| Some((key, today.get(&key.address)?.clone()));
            let of_today: Vec<_> = if today.is_empty() {
                Vec::new()
            } else {
                let rows = list.rows().all();
                rows.filter_map(|row| of_today(row.key)).collect()
            };
            list.edit(then, |row, (state, recent)| {
                counts.replace(row.state.standings(), state.standings());
                is_summed &= row.known().is_none();
                (row.state, row.recent) = (state, recent);
                row.known().iter().for_each(|row| shared.add(row.source));
            });
            if !of_today.is_empty() {
                list.edit(of_today, BoardAddress::take_today);
            }
            best.unusable
        };
        if self.reading.settle_with(reply, fill).is_none() && self.reading.error().is_none() {
            self.read(ctx);
            let is_wanted = self.has_times && !self.is_at_time && self.day.is_none();
            if is_wanted && self.waiting.is_empty() {
                self.events.ask(self.list.rows().all(), self.today, ctx);
            }
        }
        if is_summed {
            (self.counts, self.shared) = (counts, shared);
            self.summed_up();
        } else {
            self.sum_up();
        }
    }

    /// Counts the rows that had another verdict on a day of their events.
    fn count_differing(&mut self) {
        self.differing = if self.events.is_empty() {
            0
        } else {
            let rows = self.list.rows().all();
            rows.filter(|row| self.events.differ(row)).count() as u64
        };
    }

    /// Counts what the head and the title say of all rows.
    fn sum_up(&mut self) {
        let rows = self.list.rows();
        self.counts = rows.all().map(|row| row.state.standings()).collect();
        let sources = rows.all().filter_map(|row| Some(row.known()?.source));
        self.shared = sources.collect();
        self.summed_up();
    }

    /// What is the same in all rows needs no column.
    fn summed_up(&mut self) {
        self.revision += 1;
        self.count_differing();
        let is_said = self.source().is_some() || self.shared.first.is_none();
        let is_same_day = is_said || self.same_day().is_some();
        // With the days of events each row is of its day, whatever answers.
        let differs = |row: &BoardAddress| row.today_in_words().is_some();
        let differs = self.is_at_time && self.list.rows().all().any(differs);
        self.list.hide(TODAY, !differs);
        self.list.hide(DAY, !self.is_at_time && is_same_day);
        for column in [AGE, SOURCE] {
            self.list.hide(column, is_said || self.is_at_time);
        }
    }

    /// The source of all rows that have one, if it is the same.
    fn source(&self) -> Option<RowSource> {
        self.shared.first.filter(|_| !self.shared.is_mixed)
    }

    /// The day of all answers, if it is the same.
    fn same_day(&self) -> Option<String> {
        let first = self.shared.first.filter(|_| !self.shared.is_of_days);
        first.map(RowSource::day)
    }

    /// What the shown rows can be grouped by.
    pub(super) fn fields(&self) -> Vec<BoardField> {
        let records = FIELDS.into_iter().map(BoardField::Record);
        let columns = self.list.rows().all().next();
        let columns = columns.map_or(&[][..], |row| row.values.columns());
        let columns = columns.iter().cloned().map(BoardField::Column);
        [BoardField::Is]
            .into_iter()
            .chain(records)
            .chain([BoardField::Net, BoardField::Role])
            .chain(columns)
            .collect()
    }

    /// The shown rows by a field.
    pub(super) fn grouped(&mut self, by: &BoardField) -> Box<BoardGroupList> {
        self.grouped_by = Some(by.clone());
        let fields = self.fields();
        let at = fields
            .iter()
            .position(|field| field == by)
            .unwrap_or_default();
        let beside = [at + fields.len() - 1, at + 1].map(|at| fields[at % fields.len()].clone());
        let mut groups = BoardGroups::new(by.clone());
        let shown = 0..self.len();
        for row in shown.filter_map(|at| self.row(at)) {
            groups.add(&row.entry());
        }
        let addresses = self.len() as u64;
        Box::new(BoardGroupList::new(
            by.clone(),
            beside,
            addresses,
            groups.ranked(),
        ))
    }

    /// Shows the groups; where they are shown, the fields to choose from.
    pub(super) fn group(&mut self, is_shown: bool) -> Flow {
        if !is_shown {
            let by = self.grouped_by.clone().unwrap_or(BoardField::Is);
            return Flow::Push(self.grouped(&by));
        }
        let item = |field: BoardField| {
            let heading = field.heading().to_owned();
            PickerItem::new(heading, "", Destination::BoardBy(field))
        };
        let items = self.fields().into_iter().map(item);
        Flow::Push(Box::new(Choice::new("Group by", items.collect())))
    }

    /// The selected value, if a value beside the table has the focus and the filter can have one more.
    pub(super) fn value_in_focus(&self) -> Option<&FacetValue<BoardField>> {
        let facets = self.facets.as_ref().filter(|_| self.is_in_facets());
        facets?.selected(&self.list)
    }

    /// The values beside the table, as they are written to a file.
    pub(super) fn written_values(&self) -> ListInFront<'static> {
        let lines = self.facets.iter().flat_map(|facets| &facets.lines);
        let values = lines.filter_map(FacetLine::value);
        let row = |value: &FacetValue<BoardField>| {
            (
                value.field.heading().to_owned(),
                value.name.clone(),
                value.count,
            )
        };
        ListInFront::of_values("rows", values.map(row).collect())
    }

    /// The values beside the table, field by field.
    #[cfg(test)]
    pub(super) fn facet_lines(&self) -> &[FacetLine<BoardField>] {
        self.facets.as_ref().map_or(&[], |facets| &facets.lines)
    }

    /// Whether the values of fields are shown.
    pub(super) fn has_facets(&self) -> bool {
        self.facets.is_some()
    }

    /// Counts the values beside the table, and the events above it, if other rows are shown.
    pub(super) fn count_rows(&mut self) {
        // While answers come, each changes the rows; the events are the same, whoever they are from.
        let is_busy = self.asking.is_pending() && self.len() > AT_A_TIME;
        let is_filled = !self.waiting.is_empty() && self.len() > AT_A_TIME;
        if self.has_times && !is_busy && !(is_filled && self.times.is_counted(self.list.filter())) {
            self.times.count(&self.list, self.revision);
        }
        if self.facets.is_some() && !is_busy {
            let fields = self.fields();
            let facets = self.facets.get_or_insert_default();
            facets.count(&fields, &self.list, self.revision);
        }
    }

    /// Filters by the selected value: by it alone, or by it as well as others of its field.
    pub(super) fn choose_value(&mut self, is_alone: bool) {
        let facets = self.facets.as_mut();
        if let Some(filter) = facets.and_then(|facets| facets.choose(is_alone, &self.list)) {
            self.list.filter_by(&filter);
        }
    }

    /// Shows the rows that match one more term.
    pub(super) fn narrow(&mut self, term: &str) {
        let mut terms: Vec<&str> = written_terms(self.list.filter()).collect();
        if !terms.contains(&term) {
            terms.push(term);
        }
        let filter = terms.join(" ");
        self.list.filter_by(&filter);
    }

    /// Marks the rows that have what a filter says, of those that are marked or else shown.
    pub(super) fn mark_sharers(&mut self, filter: &str, out: &mut Outbox) {
        let among: BTreeSet<RowKey> = self.chosen().map(|row| row.key).collect();
        let with_it = self.list.rows().matching(filter).map(|row| row.key);
        let with_it: Vec<RowKey> = with_it.filter(|key| among.contains(key)).collect();
        let text = format!(
            "{} of {}: marked; u undoes it",
            count(with_it.len() as u64),
            counted(among.len() as u64, "row")
        );
        self.list.marks_mut().become_these(with_it);
        out.say(Tone::Info, text);
    }

    /// The number of rows shown.
    pub(super) fn len(&self) -> usize {
        self.list.rows().len()
    }

    /// A row, by its position on the screen.
    pub(super) fn row(&self, at: usize) -> Option<&BoardAddress> {
        self.list.rows().row(at)
    }

    /// The row under the cursor.
    pub(super) fn here(&self) -> Option<&BoardAddress> {
        self.row(self.list.position()?)
    }

    /// What is asked about a row.
    pub(super) fn query_of(&self, row: &BoardAddress) -> LookupQuery {
        LookupQuery {
            date: row.key.day.or(self.day),
            ..LookupQuery::now(row.key.address)
        }
    }

    /// The two rows that are marked, if they are two.
    pub(super) fn pair(&self) -> Option<[LookupQuery; 2]> {
        let mut marked = self.list.marks().iter();
        let (Some(one), Some(other), None) = (marked.next(), marked.next(), marked.next()) else {
            return None;
        };
        let mut pair = [one, other].map(|key| self.list.rows().find(key));
        // The one that is shown first is the first.
        pair.sort_by_key(|row| {
            row.and_then(|row| self.list.rows().position(&row.key))
                .unwrap_or(usize::MAX)
        });
        let [one, other] = pair.map(|row| row.map(|row| self.query_of(row)));
        Some([one?, other?])
    }

    /// The question what the marked rows share, else all that are shown.
    pub(super) fn common(&self) -> CommonQuery {
        let addresses = self.chosen().map(|row| self.query_of(row).address);
        CommonQuery::Addresses(addresses.collect(), None, self.day)
    }

    /// What names it as a side of a comparison.
    pub(super) fn side(&self) -> Option<SideName> {
        Some(SideName::Text(self.path()?.to_owned(), self.day))
    }

    /// The marked rows, those that are shown first; without marks all rows shown.
    fn chosen(&self) -> impl Iterator<Item = &BoardAddress> {
        let rows = self.list.rows();
        let has_marks = !self.list.marks().is_empty();
        let marked = if has_marks {
            self.list.marked_keys()
        } else {
            Vec::new()
        };
        let shown = 0..if has_marks { 0 } else { rows.len() };
        let marked = marked.into_iter().filter_map(|key| rows.find(key));
        shown.filter_map(|at| rows.row(at)).chain(marked)
    }

    /// Handles a gesture that means something in the table alone; returns whether it did.
    pub(super) fn on(&mut self, gesture: Gesture, out: &mut Outbox) -> bool {
        let is_marked_alone = gesture == Gesture::Mark && self.list.range().is_none();
        match gesture {
            gesture if self.is_in_times() && self.on_times(gesture) => {}
            Gesture::Escape | Gesture::Go(Motion::Left) if self.is_in_facets() => {
                self.part = BoardPart::Rows;
            }
            Gesture::Escape
                if !self.list.is_typing()
                    && self.list.range().is_none()
                    && self.list.clear_marks() =>
            {
                out.say(Tone::Info, "marks cleared; u brings them back");
            }
            Gesture::NextPane | Gesture::PreviousPane if !self.list.is_typing() => {
                return self.focus_beside(gesture == Gesture::PreviousPane);
            }
            Gesture::Find => {
                self.part = BoardPart::Rows;
                self.list.on(gesture, out);
            }
            Gesture::Go(motion) if self.is_in_facets() => {
                self.facets
                    .iter_mut()
                    .for_each(|facets| facets.step(motion));
            }
            Gesture::Open if self.is_in_facets() => self.choose_value(true),
            Gesture::Refresh => out.say(
                Tone::Info,
                "the table sends nothing by itself: $ looks up what is unknown, its price first",
            ),
            gesture if !self.list.on(gesture, out) => return false,
            _ if is_marked_alone => {
                self.list.on(Gesture::Go(Motion::Down), out);
            }
            _ => {}
        }
        true
    }
}
