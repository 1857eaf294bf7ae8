//! The ticket of a board: how many addresses are what, who operates them, the most telling ones in a table, and what is unknown.

use std::path::Path;

use super::{TextCell, Ticket, TicketStamp, count, counted, each, markdown_table, shell_word};
use crate::{
    engine::Pastes,
    investigation::board::{BoardGroup, Standing, StandingCounts},
    model::Day,
};

/// The most rows of the table.
pub const TICKET_ROWS: usize = 10;

/// The most operators that are named.
const OPERATORS: usize = 5;

/// What is said of a board.
#[derive(Clone, Debug)]
pub struct BoardSummary<'b> {
    /// The number of different addresses, of rows, and how often they occur. A row is an address on a day where each is answered as of the
    /// days of its events.
    pub addresses: u64,
    pub rows: u64,
    pub lines: u64,
    pub counts: StandingCounts,
    /// Its operators, the most frequent first.
    pub operators: Vec<BoardGroup>,
    /// The filter by which others are left out; empty for none.
    pub filter: &'b str,
    /// How many rows have another verdict on a day of their events.
    pub differing: u64,
    /// Where the answers are from.
    pub source: String,
    /// Queries that were spent on it.
    pub cost: u64,
    /// The command that counts the same; empty for none.
    pub command: String,
}

impl BoardSummary<'_> {
    /// A number of its rows in words.
    fn counted(&self, rows: u64) -> String {
        let is_by_day = self.rows > self.addresses;
        counted(rows, if is_by_day { "address-day" } else { "address" })
    }
}

/// What a table of addresses shows, for the command that counts the same.
#[derive(Clone, Copy, Debug)]
pub struct EnrichCommand<'c> {
    pub file: &'c Path,
    pub profile: Option<&'c str>,
    /// Whether the data is that of the embedded service.
    pub is_invented: bool,
    /// Whether each address is answered as of the days of its events.
    pub at_time: bool,
    /// The day of the releases that answer.
    pub day: Option<Day>,
    pub answers: EnrichAnswers,
    pub filter: Option<&'c str>,
}

/// Where the answers of a table are from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EnrichAnswers {
    Local,
    /// Some of them are of the cache.
    Cached,
    /// This place alone.
    At(&'static str),
}

/// The command in words of a shell. The folders above the file stay out of a ticket.
#[must_use]
pub fn enrich_command(own: &EnrichCommand<'_>) -> String {
    let name = own.file.file_name().unwrap_or(own.file.as_os_str());
    // What was pasted is in no file that another person has.
    let name = if Pastes::is_of(own.file) {
        "-".into()
    } else {
        shell_word(&name.to_string_lossy())
    };
    let mut command = format!("ipspect enrich {name}");
    if own.at_time {
        command += " --at-time";
    }
    if let Some(day) = own.day {
        command += &format!(" --day {}", day.dashed());
    }
    command += &match own.answers {
        EnrichAnswers::Local => String::new(),
        EnrichAnswers::Cached => " --spend 0".to_owned(),
        EnrichAnswers::At(place) => format!(" --at {place}"),
    };
    if let Some(filter) = own.filter {
        command += &format!(" --filter {}", shell_word(filter));
    }
    command += " --group is";
    if let Some(profile) = own.profile {
        command += &format!(" --profile {}", shell_word(profile));
    }
    if own.is_invented {
        command += " --demo";
    }
    command
}

/// The ticket with the first rows of a table with these heads.
#[must_use]
pub fn board_ticket(
    board: &BoardSummary<'_>,
    heads: &[&str],
    rows: &[Vec<TextCell>],
    written: TicketStamp,
) -> String {
    let of = |wanted: Standing| {
        let mut counts = board.counts.iter();
        counts
            .find(|(standing, _)| *standing == wanted)
            .map_or(0, |(_, number)| number)
    };
    let counts = board.counts.iter();
    let counts = counts.map(|(standing, number)| format!("{} {}", standing.words(), count(number)));
    let addresses = counted(board.addresses, "address");
    let days = match board.rows {
        rows if rows > board.addresses => format!(", {}", counted(rows, "address-day")),
        _ => String::new(),
    };
    let sentence = format!(
        "{addresses}{days}, found {}: {}.",
        match board.lines {
            1 => "once".to_owned(),
            lines => format!("{} times", count(lines)),
        },
        each(counts, ", ")
    );
    let mut ticket = Ticket::written(&addresses, written).sentence(&sentence);
    if !board.filter.is_empty() {
        ticket = ticket.line("filter", board.filter);
    }
    let named = board
        .operators
        .iter()
        .filter_map(|group| Some((group.value.as_ref()?, group)));
    let named: Vec<String> = named
        .map(|(name, group)| format!("{name} {}", count(group.addresses)))
        .collect();
    let (first, rest) = named.split_at(named.len().min(OPERATORS));
    if !first.is_empty() {
        let more = match rest.len() {
            0 => String::new(),
            more => format!(" and {} more", count(more as u64)),
        };
        ticket = ticket.line("operators", &format!("{}{more}", each(first, ", ")));
    }
    if board.differing > 0 {
        let words = format!(
            "another verdict on the first or last day of their events: {}",
            count(board.differing)
        );
        ticket = ticket.line("days", &words);
    }
    let unknown = of(Standing::Unknown) + of(Standing::Reading);
    if unknown > 0 {
        let words = "no answer in what was read, which does not mean harmless";
        ticket = ticket.line("unknown", &format!("{}: {words}", board.counted(unknown)));
    }
    ticket = ticket
        .line("source", &board.source)
        .line("cost", &counted(board.cost, "query"));
    if !board.command.is_empty() {
        ticket = ticket.code("again", &board.command);
    }
    let shown = rows.len().min(TICKET_ROWS);
    if board.rows > shown as u64 {
        let words = format!("the first {shown} of {}", count(board.rows));
        ticket = ticket.line("rows", &words);
    }
    ticket.table(&markdown_table(heads, &rows[..shown]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::investigation::board::Standings;

    #[test]
    fn the_counts_come_first_and_ten_rows_at_most() {
        let standings = [Standing::Vpn, Standing::Unknown, Standing::Vpn];
        let group = |name: &str, addresses| BoardGroup {
            value: Some(name.to_owned()),
            addresses,
            ..BoardGroup::default()
        };
        let operators = (0..7).map(|at| group(&format!("ACME{at}_VPN"), 9 - at));
        let board = BoardSummary {
            addresses: 11,
            differing: 0,
            rows: 12,
            lines: 1_200,
            counts: standings.into_iter().map(Standings::from).collect(),
            operators: operators.collect(),
            filter: "is:vpn",
            source: "anonymous 2026-11-20".to_owned(),
            cost: 1,
            command: enrich_command(&EnrichCommand {
                file: Path::new("/cases/auth log"),
                profile: None,
                is_invented: false,
                at_time: false,
                day: "20261120".parse().ok(),
                answers: EnrichAnswers::Cached,
                filter: Some("is:vpn net:198.51.100.0/24"),
            }),
        };
        let row = |at: u8| vec![TextCell::known(format!("198.51.100.{at}"))];
        let rows: Vec<_> = (0..12).map(row).collect();
        let written = TicketStamp {
            at: "2026-11-22T05:09:00Z".parse().expect("a time"),
            invented: false,
        };
        insta::assert_snapshot!(board_ticket(&board, &["address"], &rows, written));
    }
}
