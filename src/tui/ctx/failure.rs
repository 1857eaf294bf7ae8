//! The view of a failed request: the reason, a hint, and the keys to refresh.

use ratatui::{
    Frame,
    layout::Rect,
    text::{Line, Span},
    widgets::Clear,
};

use crate::{
    engine::{Area, Error, Kind, UnusableFeed},
    model::visible,
    report::each,
    tui::ui::{Theme, cells},
};

use super::Facts;

/// The message of a failure, preceded by `asked`.
#[must_use]
pub fn line(asked: &str, error: &Error, theme: &Theme) -> Line<'static> {
    Line::from(vec![
        Span::styled("x ", theme.bad),
        Span::raw(format!("{asked}{}", visible(&error.message))),
    ])
}

/// The lines of a failure. `asked` precedes the message, `indent` precedes the hint and the keys.
#[must_use]
pub fn lines(
    asked: &str,
    error: &Error,
    indent: &str,
    keys: &str,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let aside = |text: &str| Line::styled(format!("{indent}{}", visible(text)), theme.dim);
    let hint = hint(error).as_deref().map(aside);
    let lines = [line(asked, error, theme)].into_iter().chain(hint);
    lines.chain([aside(keys)]).collect()
}

/// The lines that put a refusal of the token beside the last answers of the hosts in the other areas, and name the keys that look into
/// it. They follow [`lines`] and repeat neither its cause nor its keys. None where the failure is another, or was not the last answer in
/// its area.
#[must_use]
pub fn across(
    error: &Error,
    area: Area,
    indent: &str,
    facts: &Facts,
    theme: &Theme,
) -> Vec<Line<'static>> {
    let Some(said) = facts
        .refusal(area)
        .filter(|_| error.kind == Kind::Credentials)
    else {
        return Vec::new();
    };
    let mut lines = Vec::new();
    // The message of the last answer has its meaning.
    if error.status != facts.access.of(area).and_then(|heard| heard.status) {
        let said = format!("{indent}{} {said}", area.word());
        lines.push(Line::styled(said, theme.warn));
    }
    let (mut allowed, mut refused) = (Vec::new(), Vec::new());
    for other in Area::ALL.into_iter().filter(|other| *other != area) {
        if facts.refusal(other).is_some() {
            refused.push(other.word());
        } else if facts.access.meaning(other) == "allowed" {
            allowed.push(other.word());
        }
    }
    let others = [("allowed", allowed), ("refused", refused)].into_iter();
    let others = others.filter(|(_, areas)| !areas.is_empty());
    let others: Vec<String> = others
        .map(|(word, areas)| format!("{word}: {}", areas.join(", ")))
        .collect();
    if !others.is_empty() {
        let text = format!("{indent}elsewhere {}", others.join("; "));
        lines.push(Line::styled(text, theme.dim));
    }
    if !hint(error).is_some_and(|hint| hint.contains(KEYS_OF_ACCESS)) {
        let keys = format!("{indent}3 opens Quota: t there asks each host, no query");
        lines.push(Line::styled(keys, theme.dim));
    }
    lines
}

/// The keys that ask each host about the token.
const KEYS_OF_ACCESS: &str = "3 t asks each host what it may do";

/// What helps against an error, by the keys of the explorer where the command line has a command for it.
#[must_use]
pub fn hint(error: &Error) -> Option<String> {
    let hint = error.hint.as_deref()?;
    if error.kind == Kind::Locked && hint.contains("`--wait`") {
        return Some("wait for it to end".to_owned());
    }
    let is_of_command_line = |part: &&str| part.contains("`ipspect ") || part.contains("`--demo`");
    if !is_of_command_line(&hint) {
        return Some(hint.to_owned());
    }
    let keys = match error.kind {
        Kind::Credentials => format!("T enters a token, {KEYS_OF_ACCESS}"),
        Kind::Usage => "T enters the addresses of the service".to_owned(),
        _ => return Some(hint.to_owned()),
    };
    let others = hint.split("; ").filter(|part| !is_of_command_line(part));
    Some(each([keys.as_str()].into_iter().chain(others), "; "))
}

/// The lines about feeds that could not be read: what was not done with them, why, and the keys that mend it. Feeds in a row with one reason
/// share a line. None where all could.
#[must_use]
pub fn unusable(feeds: &[UnusableFeed], done: &str, theme: &Theme) -> Vec<Line<'static>> {
    let why = |same: &[UnusableFeed]| {
        let (names, why) = (same.iter().map(|feed| feed.feed.name()), &same[0].why);
        let (names, why) = (each(names, ", "), visible(&why.message));
        Line::styled(format!("! {names} not {done}: {why}"), theme.warn)
    };
    let same = feeds.chunk_by(|feed, next| feed.why == next.why);
    let keys = "  4 opens Feeds: P i indexes it again, p downloads it again";
    let keys = (!feeds.is_empty()).then(|| Line::styled(keys, theme.dim));
    same.map(why).chain(keys).collect()
}

/// The most lines of older content that a reason is written over.
const MOST: u16 = 3;

/// Writes over the last lines of older content why there is nothing newer.
pub fn over_last_lines(frame: &mut Frame<'_>, area: Rect, why: &str, theme: &Theme) {
    let lines = cells::wrap(Line::raw(why), area.width);
    let wanted = u16::try_from(lines.len()).unwrap_or(u16::MAX);
    let height = wanted.min(MOST).min(area.height.div_ceil(3));
    let last = Rect {
        y: area.bottom() - height,
        height,
        ..area
    };
    frame.render_widget(Clear, last);
    frame.buffer_mut().set_style(last, theme.base);
    let is_cut = wanted > height;
    for ((at, line), place) in lines.into_iter().enumerate().zip(last.rows()) {
        let is_end = is_cut && at + 1 == usize::from(height);
        let text = line.to_string() + if is_end { cells::ELLIPSIS } else { "" };
        let line = Line::styled(cells::cut(&text, place.width).into_owned(), theme.bad);
        frame.render_widget(line, place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{engine::AreaStatus, tui::harness};

    #[test]
    fn feeds_with_one_reason_share_a_line() {
        use crate::contract::Feed::{Anonymous, Dch, Ipgeo};
        let feeds = [(Anonymous, "cut off"), (Dch, "cut off"), (Ipgeo, "damaged")];
        let feeds = feeds.map(|(feed, why)| UnusableFeed {
            feed,
            why: Error::new(Kind::Network, why),
        });
        let lines = unusable(&feeds, "read", &Theme::terminal()).into_iter();
        let lines: Vec<String> = lines.map(|line| line.to_string()).collect();
        let told = [
            "! anonymous, dch not read: cut off",
            "! ipgeo not read: damaged",
        ];
        assert_eq!(lines[..2], told);
        assert!(unusable(&[], "read", &Theme::terminal()).is_empty());
    }

    #[test]
    fn a_refusal_is_put_beside_what_the_other_hosts_said() {
        let mut facts = harness::facts();
        let theme = Theme::terminal();
        let denied = Error::new(Kind::Credentials, "denied (403)");
        let told = |facts: &Facts, error: &Error| {
            let lines = across(error, Area::History, "  ", facts, &theme).into_iter();
            lines.map(|line| line.to_string()).collect::<Vec<_>>()
        };
        assert_eq!(told(&facts, &denied), [""; 0], "nothing was heard");
        for (area, status) in [
            (Area::Lookup, 200),
            (Area::History, 403),
            (Area::Exports, 403),
        ] {
            let heard = AreaStatus {
                at: harness::now(),
                status: Some(status),
                trouble: None,
            };
            facts.access.record(area, heard);
        }
        let keys = "  3 opens Quota: t there asks each host, no query";
        let elsewhere = "  elsewhere allowed: lookup; refused: exports";
        assert_eq!(
            told(&facts, &denied),
            [
                "  history 403: token valid, no historical access",
                elsewhere,
                keys
            ]
        );
        let said = Error::new(Kind::Credentials, "denied (403): no past days").status(403);
        assert_eq!(told(&facts, &said), [elsewhere, keys], "once is enough");
        let hinted = said.hint("`ipspect status --test` asks each host");
        assert_eq!(told(&facts, &hinted), [elsewhere], "and the keys once");
        let other = Error::new(Kind::Network, "cut off");
        assert_eq!(told(&facts, &other), [""; 0]);
    }
}
