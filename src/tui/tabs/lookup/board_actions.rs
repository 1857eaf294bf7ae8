//! Keys of the table of several addresses, and requests for its rows.

use std::net::IpAddr;

use super::{
    LookupFocus, LookupTab,
    actions::LookupAction,
    board::Board,
    case::EnterEffect,
    input::{AddressList, LookupInput},
};
use crate::{
    contract::{ExportQuery, Feed, LookupQuery},
    engine::{answers::BestAnswers, views::ViewQuery},
    report::{BoardFinding, count},
    tui::{
        ctx::{
            UpdateCtx,
            cmd::Cmd,
            destination::{Destination, OmittedConditions},
            intent::Gesture,
            marks::RANGE_BEGUN,
            request::{FromAnswer, Question},
            tab::TabReply,
            trail::TrailStop,
        },
        ui::theme::Tone,
    },
};

impl LookupTab {
    /// Handles a pasted text: a single address replaces the typed text; several open as a table at once, which is free. Returns
    /// whether the text was handled.
    pub(super) fn take_pasted(&mut self, text: &str, ctx: &mut UpdateCtx<'_>) -> bool {
        if self.calendar.is_some() || self.note.is_some() || self.part != LookupFocus::Field {
            return false;
        }
        match LookupInput::of(text) {
            LookupInput::List(list) => self.open_board(list, ctx),
            LookupInput::Address(address) if self.field.is_empty() || self.field.is_selected() => {
                self.field.set(&address.to_string());
                self.look_ahead(ctx);
            }
            _ => return false,
        }
        true
    }

    /// Opens the table of several addresses.
    pub(super) fn open_board(&mut self, list: AddressList, ctx: &mut UpdateCtx<'_>) {
        let old = self.board.take();
        let stopped = old.and_then(|mut board| board.stop());
        ctx.out.cmds.extend(stopped.map(Cmd::Cancel));
        self.leave_field(LookupFocus::Page, ctx);
        self.board = Some(Board::of(list, &ctx.facts.admission, self.date));
        self.fill_board(ctx);
    }

    /// Opens the table of addresses that were marked in a view; going back leads there.
    pub(super) fn open_marked(
        &mut self,
        addresses: Vec<IpAddr>,
        view: ViewQuery,
        ctx: &mut UpdateCtx<'_>,
    ) {
        let list = AddressList {
            addresses: addresses.into_iter().map(|address| (address, 1)).collect(),
            networks: 0,
        };
        self.open_board(list, ctx);
        if let Some(board) = &mut self.board {
            board.view = Some(view);
        }
    }

    fn fill_board(&mut self, ctx: &mut UpdateCtx<'_>) {
        if let Some(board) = &mut self.board
            && let Some(addresses) = board.next()
        {
            board.begin(ctx.ask(Question::BestAnswers(addresses, board.day)));
        }
    }

    /// Handles answers for rows of the table.
    pub(super) fn filled_board(&mut self, reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
        let rows = BestAnswers::<BoardFinding>::of_result(reply.result);
        if let Some(board) = &mut self.board
            && board.take(reply.job, rows)
        {
            self.fill_board(ctx);
        }
    }

    /// The table, if it is shown instead of a record.
    pub(super) fn open_table(&self) -> Option<&Board> {
        self.board.as_ref().filter(|board| board.open)
    }

    /// Returns to the table from an address that was opened from it; returns whether there was a table.
    pub(super) fn back_to_board(&mut self) -> bool {
        let is_from_board = self.is_from_board();
        if let Some(board) = self.board.as_mut().filter(|_| is_from_board) {
            board.open = true;
            self.compare = None;
        }
        is_from_board
    }

    /// Whether the current address was opened from the table.
    pub(super) fn is_from_board(&self) -> bool {
        let board = self.board.as_ref().filter(|board| !board.open);
        board.is_some_and(|board| board.visited.is_some() && board.visited == self.here)
    }

    /// Shows the table, or the record again.
    pub(super) fn switch_board(&mut self, ctx: &mut UpdateCtx<'_>) {
        match &mut self.board {
            Some(board) => board.open = !board.open,
            None => ctx
                .out
                .say(Tone::Info, "no table: paste a text with several addresses"),
        }
    }

    pub(super) fn on_board(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> bool {
        let Some(board) = self.board.as_mut().filter(|board| board.open) else {
            return false;
        };
        if board.typing {
            match gesture {
                Gesture::Open => board.typing = false,
                Gesture::Escape => {
                    board.typing = false;
                    board.filter.clear();
                    board.arrange();
                }
                Gesture::Go(motion) => {
                    board.cursor.step(motion, board.len());
                }
                _ => return false,
            }
            return true;
        }
        match gesture {
            Gesture::Go(motion) => {
                let len = board.len();
                board.cursor.step(motion, len);
            }
            Gesture::Find => board.typing = true,
            Gesture::Open => self.open_row(ctx),
            Gesture::Undo if board.marks.undo() => {}
            Gesture::Undo => ctx.out.say(Tone::Info, "nothing to undo"),
            Gesture::Redo if board.marks.redo() => {}
            Gesture::Redo => ctx.out.say(Tone::Info, "nothing to redo"),
            Gesture::Escape if board.marks.leave_range() => {}
            Gesture::Escape if board.marks.clear() => {
                ctx.out.say(Tone::Info, "marks cleared; u brings them back");
            }
            Gesture::Back => match &board.view {
                Some(view) => ctx.out.go = Some(Destination::Browse(view.clone())),
                None => return false,
            },
            Gesture::Escape | Gesture::Quit if !board.filter.is_empty() => {
                board.filter.clear();
                board.arrange();
            }
            Gesture::Escape | Gesture::Quit => {
                board.open = false;
                ctx.out.say(Tone::Info, "I shows the table again");
            }
            Gesture::Refresh => ctx.out.say(
                Tone::Info,
                "the table sends nothing: enter opens an address, R there fetches it (1 query)",
            ),
            _ => return false,
        }
        true
    }

    pub(super) fn mark_rows(&mut self, action: LookupAction, ctx: &mut UpdateCtx<'_>) {
        let Some(board) = self.board.as_mut().filter(|board| board.open) else {
            return;
        };
        match action {
            LookupAction::Mark => board.mark(),
            LookupAction::MarkRange if board.mark_range() => {
                ctx.out.say(Tone::Info, RANGE_BEGUN);
            }
            LookupAction::MarkAll => board.mark_all(false),
            LookupAction::InvertMarks => board.mark_all(true),
            _ => {}
        }
    }

    /// Opens an export with the operators of the marked rows; without marks, of all rows shown.
    pub(super) fn export_table(&self, ctx: &mut UpdateCtx<'_>) {
        let Some(board) = self.open_table() else {
            return;
        };
        let tags = board.operators();
        if tags.is_empty() {
            let words = "no row has an operator that an export can ask for";
            return ctx.out.say(Tone::Info, words);
        }
        let operators = match tags.len() {
            1 => "operator".to_owned(),
            more => format!("{} operators", count(more as u64)),
        };
        let rows = match board.marks.len() {
            0 => format!("the {} rows", count(board.len() as u64)),
            1 => "1 marked row".to_owned(),
            more => format!("{} marked rows", count(more as u64)),
        };
        let omitted = format!("an export has no addresses: it asks for the {operators} of {rows}");
        let query = ExportQuery {
            tags,
            ..ExportQuery::all_of(Feed::Anonymous)
        };
        let omitted = OmittedConditions {
            words: vec![omitted],
            wanted: None,
        };
        ctx.out.go = Some(Destination::Export(query, omitted));
    }

    /// Opens the address of a row with its local or cached answer. Never sends a query.
    fn open_row(&mut self, ctx: &mut UpdateCtx<'_>) {
        let Some(address) = self
            .open_table()
            .and_then(Board::here)
            .map(|row| row.address)
        else {
            return;
        };
        let day = self.open_table().and_then(|board| board.day);
        let query = LookupQuery {
            date: day,
            ..LookupQuery::now(address)
        };
        ctx.trail.visit(TrailStop::Address(query), ctx.out.now);
        self.show_case(query, ctx);
        if let Some(board) = &mut self.board {
            board.visited = Some(query);
        }
        if ctx.facts.admission.refuses(address).is_none() {
            self.read_at_hand(query, EnterEffect::Stop, ctx);
        }
    }
}
