//! A text with several addresses as a table: each address once, with what the best local record or cached answer has. Nothing here sends a query.

mod marks;

use std::{cmp::Reverse, net::IpAddr, sync::Arc};

use super::{case::Mark, typed::Several};
use crate::{
    contract::LookupQuery,
    engine::{
        Error,
        answers::BestAnswers,
        views::{UnusableFeed, ViewQuery},
    },
    model::{Admission, Day, Reserved},
    report::BoardRow,
    tui::{
        ctx::{
            marks::Marks,
            orders::{self, OrderRow, Orders},
            request::JobId,
        },
        ui::{cursor::Cursor, widgets::text_field::TextField},
    },
};

/// Addresses that are asked for at a time, so that the table fills from its top.
const AT_A_TIME: usize = 2048;

/// The table.
#[derive(Debug)]
pub(super) struct Board {
    rows: Vec<Row>,
    /// The rows that the filter leaves, in the order in which they are shown.
    order: Vec<usize>,
    /// The column by which they are sorted, and whether that is turned round.
    pub(super) sort: (SortBy, bool),
    /// What rows must have in them.
    pub(super) filter: TextField,
    /// Whether that is being typed.
    pub(super) typing: bool,
    /// The row that one stands on.
    pub(super) cursor: Cursor,
    /// The addresses of rows that may be known, in the order of the text.
    asked: Vec<usize>,
    /// How many of them were answered.
    answered: usize,
    pending: Option<JobId>,
    /// The day that the local feeds are asked about.
    pub(super) day: Option<Day>,
    /// The feeds that are local and could not be read.
    pub(super) unusable: Vec<UnusableFeed>,
    /// Why the rest is not answered.
    pub(super) error: Option<Error>,
    /// Whether it stands in the place of a record.
    pub(super) open: bool,
    /// The address that was opened from it last.
    pub(super) visited: Option<LookupQuery>,
    /// Networks of the text, which are no rows.
    pub(super) networks: usize,
    /// The marked rows, whatever the filter shows of them.
    pub(super) marks: Marks<IpAddr>,
    /// The view in which the addresses were marked; a text has none.
    pub(super) view: Option<ViewQuery>,
}

/// An address of the text.
#[derive(Debug)]
pub(super) struct Row {
    /// The address.
    pub(super) address: IpAddr,
    /// How often it stands in the text.
    pub(super) times: u32,
    /// What is known of it.
    pub(super) state: State,
}

/// What is known of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The local feeds are being read.
    Waiting,
    /// It is not public, so that nobody knows it.
    Refused(Reserved),
    /// No local feed has a record of it.
    NotLocal,
    /// No feed that was read has a record of it, and not all local ones could be read.
    NotRead,
    /// The best answer at hand.
    Known(Box<BoardRow>),
}

/// By what rows are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum SortBy {
    /// As they stand in the text.
    #[default]
    Text,
    /// By verdict, the most telling first, then by clients.
    Verdict,
    /// By address.
    Address,
    /// By operator.
    Operators,
    /// By infrastructure.
    Infrastructure,
    /// By country.
    Country,
    /// By autonomous system.
    System,
    /// By clients, the most first.
    Clients,
}

impl SortBy {
    /// All, in the order of the columns.
    const ALL: [Self; 8] = [
        Self::Address,
        Self::Operators,
        Self::Infrastructure,
        Self::Country,
        Self::System,
        Self::Clients,
        Self::Verdict,
        Self::Text,
    ];

    /// Its number among them.
    pub(super) fn place(self) -> Option<usize> {
        Self::ALL.iter().position(|own| *own == self)
    }

    /// What its two directions are called.
    fn directions(self) -> [&'static str; 2] {
        match self {
            Self::Text => ["", "reversed"],
            Self::Verdict => ["most telling first", "least telling first"],
            Self::Clients => orders::NUMBER,
            _ => orders::TEXT,
        }
    }

    /// Its name.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Text => "as in the text",
            Self::Verdict => "verdict",
            Self::Address => "address",
            Self::Operators => "operator",
            Self::Infrastructure => "infrastructure",
            Self::Country => "country",
            Self::System => "AS",
            Self::Clients => "clients",
        }
    }
}

/// How many addresses there are of which kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// Different addresses.
    pub(super) unique: usize,
    /// Those with a record of their own.
    pub(super) known: usize,
    /// Those of which local feeds have the netblock alone.
    pub(super) netblocks: usize,
    /// Those of which the service has no record, by a cached answer.
    pub(super) no_record: usize,
    /// Those that are not public.
    pub(super) refused: usize,
    /// Those that no local feed has.
    pub(super) not_local: usize,
    /// Those that no feed has which could be read.
    pub(super) not_read: usize,
    /// Those that are being read.
    pub(super) waiting: usize,
    /// How often an address stood in the text once more.
    pub(super) repeated: u64,
}

impl Board {
    /// The table of a text.
    pub(super) fn of(several: Several, admission: &Admission, day: Option<Day>) -> Self {
        let Several {
            addresses,
            networks,
        } = several;
        let row = |(address, times)| Row {
            address,
            times,
            state: match admission.refuses(address) {
                Some(reserved) => State::Refused(reserved),
                None => State::Waiting,
            },
        };
        let rows: Vec<Row> = addresses.into_iter().map(row).collect();
        let asked = (0..rows.len()).filter(|at| rows[*at].state == State::Waiting);
        let mut board = Self {
            asked: asked.collect(),
            rows,
            order: Vec::new(),
            sort: (SortBy::default(), false),
            filter: TextField::new("words that a row must have: ACME NL DATACENTER"),
            typing: false,
            cursor: Cursor::default(),
            answered: 0,
            pending: None,
            day,
            unusable: Vec::new(),
            error: None,
            open: true,
            visited: None,
            networks,
            marks: Marks::default(),
            view: None,
        };
        board.arrange();
        board
    }

    /// The addresses to be asked for next; none where all are answered or some are under way.
    pub(super) fn next(&self) -> Option<Arc<[IpAddr]>> {
        if self.pending.is_some() || self.error.is_some() {
            return None;
        }
        let rest = &self.asked[self.answered..];
        let some = &rest[..rest.len().min(AT_A_TIME)];
        let addresses = some.iter().map(|at| self.rows[*at].address);
        (!some.is_empty()).then(|| addresses.collect())
    }

    /// They are asked for by this job.
    pub(super) fn begin(&mut self, job: JobId) {
        self.pending = Some(job);
    }

    /// Stops reading; gives the job.
    pub(super) fn stop(&mut self) -> Option<JobId> {
        self.pending.take()
    }

    /// The answer of a job; says whether it was waited for.
    pub(super) fn take(
        &mut self,
        job: JobId,
        result: Result<BestAnswers<BoardRow>, Error>,
    ) -> bool {
        if self.pending != Some(job) {
            return false;
        }
        self.pending = None;
        match result {
            Err(error) => self.error = Some(error),
            Ok(best) => {
                self.unusable = best.unusable;
                for row in best.answers {
                    let Some(at) = self.asked.get(self.answered) else {
                        break;
                    };
                    self.rows[*at].state = match row {
                        Some(row) => State::Known(Box::new(row)),
                        None if self.unusable.is_empty() => State::NotLocal,
                        None => State::NotRead,
                    };
                    self.answered += 1;
                }
                self.arrange();
            }
        }
        true
    }

    /// How many addresses there are of which kind.
    pub(super) fn counts(&self) -> Counts {
        let mut counts = Counts {
            unique: self.rows.len(),
            ..Counts::default()
        };
        for row in &self.rows {
            counts.repeated += u64::from(row.times - 1);
            match row.state {
                State::Waiting => counts.waiting += 1,
                State::Refused(_) => counts.refused += 1,
                State::NotLocal => counts.not_local += 1,
                State::NotRead => counts.not_read += 1,
                State::Known(ref own) if !own.has_record() => counts.no_record += 1,
                State::Known(ref own) if own.verdict.is_none() => counts.netblocks += 1,
                State::Known(_) => counts.known += 1,
            }
        }
        counts
    }

    /// How many rows are shown.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// A row as it is shown.
    pub(super) fn row(&self, index: usize) -> Option<&Row> {
        self.rows.get(*self.order.get(index)?)
    }

    /// The row that one stands on.
    pub(super) fn here(&self) -> Option<&Row> {
        self.row(self.cursor.selected(self.len())?)
    }

    /// By what rows can be sorted.
    pub(super) fn orders(&self) -> Orders {
        let row = |own: &SortBy| {
            let row = OrderRow::new(own.word(), own.directions());
            if *own == SortBy::Text {
                row.aside()
            } else {
                row
            }
        };
        let (by, turned) = self.sort;
        let present = by.place();
        let rows = SortBy::ALL.iter().map(row).collect();
        Orders::new(rows, present.map(|at| (at, turned)))
    }

    /// Sorts by one of them.
    pub(super) fn sort_by(&mut self, order: usize, turned: bool) {
        if let Some(by) = SortBy::ALL.get(order) {
            self.sort = (*by, turned);
            self.arrange();
        }
    }

    /// Filters and sorts anew. Whoever stands on an address stays on it while it is there.
    pub(super) fn arrange(&mut self) {
        let here = self.here().map(|row| row.address);
        let words = self.filter.value().to_lowercase();
        let words: Vec<&str> = words.split_whitespace().collect();
        let rows = &self.rows;
        let mut order: Vec<usize> = (0..rows.len())
            .filter(|at| words.is_empty() || rows[*at].has(&words))
            .collect();
        let text = |of: fn(&BoardRow) -> &str| {
            move |at: &usize| {
                let text = rows[*at].known().map_or("", of);
                (text.is_empty(), text)
            }
        };
        match self.sort.0 {
            SortBy::Text => {}
            SortBy::Verdict => order.sort_by_key(|at| {
                let known = rows[*at].known();
                (
                    rows[*at].state.rank(),
                    known.map(BoardRow::seen),
                    Reverse(known.and_then(|row| row.clients)),
                )
            }),
            SortBy::Address => order.sort_by_key(|at| rows[*at].address),
            SortBy::Operators => order.sort_by_key(text(|row| &row.operators)),
            SortBy::Infrastructure => order.sort_by_key(text(|row| &row.infrastructure)),
            SortBy::Country => order.sort_by_key(text(|row| &row.country)),
            SortBy::System => order.sort_by_key(|at| {
                let system = rows[*at].known().and_then(|row| row.system);
                (system.is_none(), system)
            }),
            SortBy::Clients => {
                order.sort_by_key(|at| Reverse(rows[*at].known().and_then(|row| row.clients)));
            }
        }
        if self.sort.1 {
            order.reverse();
        }
        let stays = here.and_then(|here| order.iter().position(|at| rows[*at].address == here));
        self.order = order;
        if let Some(stays) = stays {
            self.cursor.select(stays, self.order.len());
        }
    }
}

impl State {
    /// Where rows without a record come, sorted by verdict.
    fn rank(&self) -> u8 {
        match self {
            Self::Known(_) => 0,
            Self::Waiting => 1,
            Self::NotLocal | Self::NotRead => 2,
            Self::Refused(_) => 3,
        }
    }

    /// Its words where there is no record.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Waiting => "reading".to_owned(),
            Self::Refused(reserved) => format!("not public: {}", reserved.word()),
            Self::NotLocal => "not in local feeds".to_owned(),
            Self::NotRead => "not in feeds read".to_owned(),
            Self::Known(row) => row.words(),
        }
    }

    /// Whence its record comes, or why there is none.
    pub(super) fn source(&self) -> &'static str {
        match self {
            Self::Waiting => "reading",
            Self::Refused(_) => "not public",
            Self::NotLocal => "not local",
            Self::NotRead => "not read",
            Self::Known(row) => row.source.word(),
        }
    }

    /// Its sign.
    pub(super) fn mark(&self) -> Mark {
        match self {
            Self::Waiting => Mark::Pending,
            Self::Refused(_) => Mark::Failed,
            Self::NotLocal | Self::NotRead => Mark::NoRecord,
            Self::Known(row) => row.verdict.as_ref().map_or(Mark::NoRecord, Mark::from),
        }
    }
}

impl Row {
    /// Its record.
    pub(super) fn known(&self) -> Option<&BoardRow> {
        match &self.state {
            State::Known(row) => Some(row),
            _ => None,
        }
    }

    /// Its cells as text.
    pub(super) fn text(&self) -> String {
        let Some(row) = self.known() else {
            return format!("{} {}", self.address, self.state.words());
        };
        let system = row
            .system
            .map_or_else(String::new, |own| format!("AS{own}"));
        let clients = row.clients.map_or_else(String::new, |own| own.to_string());
        [
            self.address.to_string(),
            row.words(),
            row.operators.clone(),
            row.infrastructure.clone(),
            row.country.clone(),
            system,
            clients,
            row.source(),
        ]
        .join(" ")
    }

    /// Whether it has each of these words, given in lower case.
    fn has(&self, words: &[&str]) -> bool {
        let text = self.text().to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}
