//! Draws the table of several addresses: counts at its head, then a row for each address.

use ratatui::{
    Frame,
    layout::{Constraint, Layout, Rect},
    text::{Line, Span},
};

use crate::{
    model::{Day, visible},
    tui::{
        ctx::{ViewCtx, failure},
        tabs::lookup::{
            board::{AddressState, Board, BoardAddress, BoardSort},
            case::CaseMark,
        },
        ui::{
            cells,
            theme::{Focus, Theme},
            widgets::{
                bar::{BarLine, BarPart},
                columns::{Column, Width},
                pane::Pane,
                table::Table,
            },
            words,
        },
    },
};

pub(super) fn draw(
    frame: &mut Frame<'_>,
    area: Rect,
    board: &Board,
    ctx: &ViewCtx<'_>,
    focus: Focus,
) {
    let theme = ctx.theme;
    let counts = board.counts();
    let title = format!("{} addresses", words::number(counts.unique as u64));
    let day = board.day.map(Day::dashed);
    let day = day.unwrap_or_else(|| "newest releases".to_owned());
    let source = Line::styled(format!("LOCAL feeds and cache, {day}, free"), theme.badge);
    let mut pane = Pane::new(title, focus).source(source);
    if board.len() > 0 {
        let at = board.cursor.selected(board.len()).unwrap_or_default() + 1;
        let of = words::number(board.len() as u64);
        let chosen = match (board.range(), board.marks.len()) {
            (Some(range), _) => format!("{} in the range   ", words::number(range.len() as u64)),
            (None, 0) => String::new(),
            (None, marked) => format!("{} marked   ", words::number(marked as u64)),
        };
        pane = pane.hint(format!("{chosen}{} of {of}", words::number(at as u64)));
    }
    let inner = pane.draw(frame, area, theme);
    let has_filter = board.typing || !board.filter.is_empty();
    let unusable = failure::unusable(&board.unusable, "read", theme);
    let lines = u16::try_from(unusable.len()).unwrap_or(u16::MAX);
    let [head, warnings, filter, table] = Layout::vertical([
        Constraint::Length(1),
        Constraint::Length(lines.min(inner.height / 2)),
        Constraint::Length(u16::from(has_filter)),
        Constraint::Min(0),
    ])
    .areas(inner);
    head_line(frame, head, board, theme);
    for (line, place) in unusable.into_iter().zip(warnings.rows()) {
        frame.render_widget(cells::cut_line(line, place.width), place);
    }
    if board.typing {
        board.filter.draw_behind("/", frame, filter, theme);
    } else if has_filter {
        let line = Line::from(vec![
            Span::styled("/ ", theme.accent),
            Span::raw(board.filter.value().to_owned()),
            Span::styled("  esc clears", theme.dim),
        ]);
        frame.render_widget(line, filter);
    }
    if board.len() == 0 {
        let line = Line::styled("no row has these words", theme.dim);
        return frame.render_widget(line, table);
    }
    rows(frame, table, board, ctx, focus);
}

/// Draws the numbers by state, and the order.
fn head_line(frame: &mut Frame<'_>, area: Rect, board: &Board, theme: &Theme) {
    let counts = board.counts();
    let number = |count: usize| words::number(count as u64);
    let part = |count: usize, what: &'static str| {
        Line::from(vec![
            Span::raw(number(count)),
            Span::styled(format!(" {what}"), theme.dim),
        ])
    };
    let mut bar = BarLine::new().left(BarPart::new(part(counts.known, "answered"), 0));
    if counts.waiting > 0 {
        let line = Line::styled(format!("~ {} reading", number(counts.waiting)), theme.warn);
        bar = bar.left(BarPart::new(line, 1));
    }
    if counts.netblocks > 0 {
        let netblocks = part(counts.netblocks, "netblock only");
        bar = bar.left(BarPart::new(netblocks, 2));
    }
    if counts.no_record > 0 {
        let no_record = part(counts.no_record, "without a record");
        bar = bar.left(BarPart::new(no_record, 2));
    }
    if counts.not_local > 0 {
        let not_local = part(counts.not_local, "not in local feeds");
        bar = bar.left(BarPart::new(not_local, 1));
    }
    if counts.not_read > 0 {
        let not_read = part(counts.not_read, "not in the feeds read");
        bar = bar.left(BarPart::new(not_read, 1));
    }
    if counts.refused > 0 {
        bar = bar.left(BarPart::new(part(counts.refused, "not public"), 2));
    }
    if counts.repeated > 0 {
        let repeated = format!("{} repeated", words::number(counts.repeated));
        bar = bar.left(BarPart::new(Line::styled(repeated, theme.dim), 4));
    }
    if board.networks > 0 {
        let networks = format!("networks left out: {}", number(board.networks));
        bar = bar.left(BarPart::new(Line::styled(networks, theme.dim), 5));
    }
    if let Some(error) = &board.error {
        let line = Line::styled(format!("x {}", visible(&error.message)), theme.bad);
        bar = bar.left(BarPart::new(line, 0));
    }
    let (by, is_turned) = board.sort;
    if by != BoardSort::Text || is_turned {
        let turned = if is_turned { ", reversed" } else { "" };
        let line = Line::styled(format!("by {}{turned}", by.word()), theme.dim);
        bar = bar.right(BarPart::new(line, 3));
    }
    bar.draw(frame, area);
}

fn rows(frame: &mut Frame<'_>, area: Rect, board: &Board, ctx: &ViewCtx<'_>, focus: Focus) {
    let by = |order: BoardSort, head, width| Column::new(head, width).sorts(order.place());
    let columns = [
        Column::new("", Width::Fixed(1)),
        by(BoardSort::Address, "ADDRESS", Width::Min(15)),
        by(BoardSort::Operators, "OPERATORS", Width::Fill(7)),
        by(BoardSort::Infrastructure, "INFRA", Width::Fixed(10)).rank(5),
        by(BoardSort::Country, "CC", Width::Fixed(2)).rank(3),
        by(BoardSort::System, "AS", Width::Min(7)).rank(6),
        by(BoardSort::Clients, "CLIENTS", Width::Fixed(7))
            .right()
            .rank(2),
        by(BoardSort::Verdict, "VERDICT", Width::Fill(20)).rank(4),
        Column::new("DAY", Width::Min(10)).rank(1),
        Column::new("AGE", Width::Fixed(4)).right(),
        Column::new("SOURCE", Width::Min(9)),
    ];
    let line = |index: usize| {
        board
            .row(index)
            .map_or_else(Vec::new, |row| row_cells(row, ctx))
    };
    Table::new(&columns, &board.cursor, board.len()).draw(frame, area, line, ctx, focus);
    let height = usize::from(area.height.saturating_sub(1));
    let window = board.cursor.window(board.len(), height);
    let range = board.range();
    for (at, place) in window.zip(area.rows().skip(1)) {
        let is_in_range = range.as_ref().is_some_and(|range| range.contains(&at));
        let row = board.row(at);
        let is_marked = row.is_some_and(|row| board.marks.contains(&row.address));
        if (is_in_range || is_marked) && place.width > 1 {
            frame.buffer_mut()[(place.x + 1, place.y)]
                .set_symbol("*")
                .set_style(ctx.theme.accent);
        }
    }
}

fn row_cells(row: &BoardAddress, ctx: &ViewCtx<'_>) -> Vec<Line<'static>> {
    let theme = ctx.theme;
    let mark = row.state.mark();
    let style = match mark {
        CaseMark::Anonymising => theme.bad,
        CaseMark::Shared | CaseMark::Possible | CaseMark::Pending => theme.warn,
        _ => theme.dim,
    };
    let mut address = vec![Span::raw(row.address.to_string())];
    if row.times > 1 {
        address.push(Span::styled(format!(" x{}", row.times), theme.dim));
    }
    let sign = Line::styled(mark.sign().to_string(), style);
    let address = Line::from(address);
    let source = Line::styled(row.state.source(), theme.dim);
    let AddressState::Known(own) = &row.state else {
        let mut cells = vec![sign, address];
        cells.resize_with(7, Line::default);
        // An address that other records name is as relevant as one with a record, so it is not dimmed.
        let style = match row.state {
            AddressState::Named(_) => style,
            _ => theme.dim,
        };
        cells.push(Line::styled(row.state.words(), style));
        cells.extend([Line::default(), Line::default(), source]);
        return cells;
    };
    vec![
        sign,
        address,
        Line::raw(own.operators.clone()),
        Line::raw(own.infrastructure.clone()),
        Line::raw(own.country.clone()),
        Line::raw(
            own.system
                .map_or_else(String::new, |own| format!("AS{own}")),
        ),
        Line::raw(own.clients.map_or_else(String::new, words::number)),
        Line::styled(own.words(), style),
        Line::styled(own.source.day(), theme.dim),
        Line::styled(ctx.age(own.source.since()), theme.dim),
        source,
    ]
}
