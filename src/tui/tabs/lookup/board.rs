//! A text with several addresses as a table: each address once, with its best local record or cached answer. This module sends no
//! queries.

mod marks;
mod sort;

use std::{cmp::Reverse, net::IpAddr, sync::Arc};

pub(super) use self::sort::BoardSort;
use super::{case::CaseMark, input::AddressList};
use crate::{
    contract::LookupQuery,
    engine::{
        Error,
        answers::BestAnswers,
        views::{UnusableFeed, ViewQuery},
    },
    model::{Admission, Day, Reserved},
    report::{BoardFinding, BoardRow},
    tui::{
        ctx::{
            marks::RowMarks,
            orders::{OrderRow, Orders},
            request::JobId,
        },
        ui::{cursor::Cursor, widgets::text_field::TextField},
    },
};

/// The number of addresses that are requested at a time, so that the table fills from its top.
const AT_A_TIME: usize = 2048;

#[derive(Debug)]
pub(super) struct Board {
    rows: Vec<BoardAddress>,
    /// The rows that match the filter, in display order.
    order: Vec<usize>,
    /// The column that they are sorted by, and whether in reverse.
    pub(super) sort: (BoardSort, bool),
    /// The words that rows must contain.
    pub(super) filter: TextField,
    /// Whether the filter is being typed.
    pub(super) typing: bool,
    /// The row under the cursor.
    pub(super) cursor: Cursor,
    /// The rows whose addresses may have a record, in the order of the text.
    asked: Vec<usize>,
    /// The number of them that were answered.
    answered: usize,
    pending: Option<JobId>,
    /// The day of the local feeds to read.
    pub(super) day: Option<Day>,
    /// The local feeds that could not be read.
    pub(super) unusable: Vec<UnusableFeed>,
    /// Why the remaining rows have no answer.
    pub(super) error: Option<Error>,
    /// Whether the table is shown instead of a record.
    pub(super) open: bool,
    /// The address that was last opened from the table.
    pub(super) visited: Option<LookupQuery>,
    /// The number of networks in the text, which have no rows.
    pub(super) networks: usize,
    /// The marked rows, independent of the filter.
    pub(super) marks: RowMarks<IpAddr>,
    /// The view in which the addresses were marked; `None` for a text.
    pub(super) view: Option<ViewQuery>,
}

#[derive(Debug)]
pub(super) struct BoardAddress {
    pub(super) address: IpAddr,
    /// The number of occurrences in the text.
    pub(super) times: u32,
    pub(super) state: AddressState,
}

/// The state of an address.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum AddressState {
    /// The local feeds are being read.
    Waiting,
    /// It is not public, so no source has a record.
    Refused(Reserved),
    /// No local feed has a record of it.
    NotLocal,
    /// No readable feed has a record of it, and some local feeds could not be read.
    NotRead,
    /// It has no record, but records of other addresses name it as an entry; with the words for that.
    Named(String),
    /// The best local or cached answer.
    Known(Box<BoardRow>),
}

/// The numbers of addresses by state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct BoardCounts {
    /// Distinct addresses.
    pub(super) unique: usize,
    /// Those with a record.
    pub(super) known: usize,
    /// Those with only a netblock in the local feeds.
    pub(super) netblocks: usize,
    /// Those without a record at the service, by a cached answer.
    pub(super) no_record: usize,
    /// Those that are not public.
    pub(super) refused: usize,
    /// Those in no local feed.
    pub(super) not_local: usize,
    /// Those in no feed that could be read.
    pub(super) not_read: usize,
    /// Those whose feeds are being read.
    pub(super) waiting: usize,
    /// The number of repeated occurrences in the text.
    pub(super) repeated: u64,
}

impl Board {
    /// The table of the addresses in a text.
    pub(super) fn of(list: AddressList, admission: &Admission, day: Option<Day>) -> Self {
        let AddressList {
            addresses,
            networks,
        } = list;
        let row = |(address, times)| BoardAddress {
            address,
            times,
            state: match admission.refuses(address) {
                Some(reserved) => AddressState::Refused(reserved),
                None => AddressState::Waiting,
            },
        };
        let rows: Vec<BoardAddress> = addresses.into_iter().map(row).collect();
        let asked = (0..rows.len()).filter(|at| rows[*at].state == AddressState::Waiting);
        let mut board = Self {
            asked: asked.collect(),
            rows,
            order: Vec::new(),
            sort: (BoardSort::default(), false),
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
            marks: RowMarks::default(),
            view: None,
        };
        board.arrange();
        board
    }

    /// The addresses to request next; `None` if all are answered or a request is pending.
    pub(super) fn next(&self) -> Option<Arc<[IpAddr]>> {
        if self.pending.is_some() || self.error.is_some() {
            return None;
        }
        let rest = &self.asked[self.answered..];
        let some = &rest[..rest.len().min(AT_A_TIME)];
        let addresses = some.iter().map(|at| self.rows[*at].address);
        (!some.is_empty()).then(|| addresses.collect())
    }

    /// Records the job of the request.
    pub(super) fn begin(&mut self, job: JobId) {
        self.pending = Some(job);
    }

    /// Cancels the request; returns its job.
    pub(super) fn stop(&mut self) -> Option<JobId> {
        self.pending.take()
    }

    /// Handles the answer of a job; returns whether the job was pending.
    pub(super) fn take(
        &mut self,
        job: JobId,
        result: Result<BestAnswers<BoardFinding>, Error>,
    ) -> bool {
        if self.pending != Some(job) {
            return false;
        }
        self.pending = None;
        match result {
            Err(error) => self.error = Some(error),
            Ok(best) => {
                self.unusable = best.unusable;
                for finding in best.answers {
                    let Some(at) = self.asked.get(self.answered) else {
                        break;
                    };
                    self.rows[*at].state = match finding {
                        Some(BoardFinding::Row(row)) => AddressState::Known(row),
                        Some(BoardFinding::Named(words)) => AddressState::Named(words),
                        None if self.unusable.is_empty() => AddressState::NotLocal,
                        None => AddressState::NotRead,
                    };
                    self.answered += 1;
                }
                self.arrange();
            }
        }
        true
    }

    /// The numbers of addresses by state.
    pub(super) fn counts(&self) -> BoardCounts {
        let mut counts = BoardCounts {
            unique: self.rows.len(),
            ..BoardCounts::default()
        };
        for row in &self.rows {
            counts.repeated += u64::from(row.times - 1);
            match row.state {
                AddressState::Waiting => counts.waiting += 1,
                AddressState::Refused(_) => counts.refused += 1,
                AddressState::NotLocal | AddressState::Named(_) => counts.not_local += 1,
                AddressState::NotRead => counts.not_read += 1,
                AddressState::Known(ref own) if !own.has_record() => counts.no_record += 1,
                AddressState::Known(ref own) if own.verdict.is_none() => counts.netblocks += 1,
                AddressState::Known(_) => counts.known += 1,
            }
        }
        counts
    }

    /// The number of rows shown.
    pub(super) fn len(&self) -> usize {
        self.order.len()
    }

    /// A row, by its position on the screen.
    pub(super) fn row(&self, index: usize) -> Option<&BoardAddress> {
        self.rows.get(*self.order.get(index)?)
    }

    /// The row under the cursor.
    pub(super) fn here(&self) -> Option<&BoardAddress> {
        self.row(self.cursor.selected(self.len())?)
    }

    /// The orders for the sort menu.
    pub(super) fn orders(&self) -> Orders {
        let row = |own: &BoardSort| {
            let row = OrderRow::new(own.word(), own.directions());
            if *own == BoardSort::Text {
                row.aside()
            } else {
                row
            }
        };
        let (by, turned) = self.sort;
        let present = by.place();
        let rows = BoardSort::ALL.iter().map(row).collect();
        Orders::new(rows, present.map(|at| (at, turned)))
    }

    pub(super) fn sort_by(&mut self, order: usize, turned: bool) {
        if let Some(by) = BoardSort::ALL.get(order) {
            self.sort = (*by, turned);
            self.arrange();
        }
    }

    /// Applies the filter and the order again. The cursor stays on its address if it is still shown.
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
            BoardSort::Text => {}
            BoardSort::Verdict => order.sort_by_key(|at| {
                let known = rows[*at].known();
                (
                    rows[*at].state.rank(),
                    known.map(BoardRow::seen),
                    Reverse(known.and_then(|row| row.clients)),
                )
            }),
            BoardSort::Address => order.sort_by_key(|at| rows[*at].address),
            BoardSort::Operators => order.sort_by_key(text(|row| &row.operators)),
            BoardSort::Infrastructure => order.sort_by_key(text(|row| &row.infrastructure)),
            BoardSort::Country => order.sort_by_key(text(|row| &row.country)),
            BoardSort::System => order.sort_by_key(|at| {
                let system = rows[*at].known().and_then(|row| row.system);
                (system.is_none(), system)
            }),
            BoardSort::Clients => {
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

impl AddressState {
    /// The rank of a state when sorting by verdict.
    fn rank(&self) -> u8 {
        match self {
            Self::Known(_) => 0,
            Self::Named(_) => 1,
            Self::Waiting => 2,
            Self::NotLocal | Self::NotRead => 3,
            Self::Refused(_) => 4,
        }
    }

    /// The words for the column VERDICT.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Waiting => "reading".to_owned(),
            Self::Refused(reserved) => reserved.why(),
            Self::NotLocal => "not in local feeds".to_owned(),
            Self::NotRead => "not in feeds read".to_owned(),
            Self::Named(words) => words.clone(),
            Self::Known(row) => row.words(),
        }
    }

    /// The source of its record, or why there is none.
    pub(super) fn source(&self) -> &'static str {
        match self {
            Self::Waiting => "reading",
            Self::Refused(_) => "not public",
            Self::NotLocal | Self::Named(_) => "not local",
            Self::NotRead => "not read",
            Self::Known(row) => row.source.word(),
        }
    }

    pub(super) fn mark(&self) -> CaseMark {
        match self {
            Self::Waiting => CaseMark::Pending,
            Self::Refused(_) => CaseMark::Failed,
            Self::NotLocal | Self::NotRead => CaseMark::NoRecord,
            Self::Named(_) => CaseMark::Possible,
            Self::Known(row) => match (&row.verdict, &row.named) {
                (Some(verdict), _) => CaseMark::from(verdict),
                (None, Some(_)) => CaseMark::Possible,
                (None, None) => CaseMark::NoRecord,
            },
        }
    }
}

impl BoardAddress {
    pub(super) fn known(&self) -> Option<&BoardRow> {
        match &self.state {
            AddressState::Known(row) => Some(row),
            _ => None,
        }
    }

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

    /// Whether its text contains all these words, given in lower case.
    fn has(&self, words: &[&str]) -> bool {
        let text = self.text().to_lowercase();
        words.iter().all(|word| text.contains(word))
    }
}
