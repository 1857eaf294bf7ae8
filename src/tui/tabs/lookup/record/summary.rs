//! What is at the head of a page: the verdict, how widely the address is shared, whose network it is, the day since which the verdict on a
//! local record is unchanged. Days that are unknown are named.

use ratatui::text::{Line, Span};

use crate::{
    engine::views::{EntryOf, Since, ViewQuery},
    model::{Context, Document, Field, visible},
    report::{Verdict, named_as_entry},
    store::index::Order,
    tui::{
        ctx::{Destination, Meaning, SheetWriter},
        tabs::lookup::{
            case::{CaseMark, LookupCase},
            sources::SourceAnswer,
        },
        ui::{SectionSide, Theme, cells, glyphs::SQUARED, words},
    },
};

/// Cells of a line on a small screen.
const LINE: u16 = 74;

/// Writes the head of the page.
pub(super) fn push(
    case: &LookupCase,
    shown: &SourceAnswer,
    is_narrow: bool,
    writer: &mut SheetWriter<'_>,
) {
    let theme = writer.theme;
    writer.begin("", "", SectionSide::Both);
    let Some(context) = shown.context() else {
        return without_record(case, writer);
    };
    let verdict = Verdict::beside(context, Some(case.query.address), case.entry_of());
    let mark = CaseMark::from(&verdict);
    let style = match mark {
        CaseMark::NotSeen => theme.title,
        mark => mark.style(theme),
    };
    let head = Line::from(vec![
        Span::styled(format!("{} {}", mark.sign(), verdict.line()), style),
        Span::raw(format!("     {}", verdict.clients)),
    ]);
    let value = format!("{}; {}", verdict.line(), verdict.clients);
    let lead = entries(case).filter(|_| context.tunnels.items().is_empty());
    writer.stop(head, Meaning::new("verdict", value).to(lead));
    if !verdict.also.is_empty() {
        let also = verdict.also.join("; ");
        let line = labelled("also: ", Line::raw(also.clone()), theme);
        writer.stop(line, Meaning::new("also", also));
    }
    let network = network(context);
    if is_narrow && !network.is_empty() {
        writer.stop(Line::raw(network.clone()), Meaning::new("network", network));
    }
    let risks = words::shown(&context.risks, theme, |risks| match risks.as_slice() {
        [] => "none".to_owned(),
        risks => risks.join(" "),
    });
    let meaning = Meaning::new("risks", risks.to_string());
    let mut line = labelled("risks ", risks, theme);
    let since = case.since.value().and_then(Option::as_ref);
    let since = since.filter(|_| shown.asked().is_none());
    let since = since.map_or_else(Line::default, |since| since_line(since, context, theme));
    let (taken, needed) = (cells::line_width(&line), cells::line_width(&since));
    let is_apart = is_narrow && needed > 0 && taken + 3 + needed > LINE;
    if needed > 0 && !is_apart {
        line.push_span("   ");
        line.extend(since.spans.clone());
    }
    writer.stop(line, meaning);
    if is_apart {
        let text = since.to_string();
        writer.stop(since, Meaning::new("since", text));
    }
}

/// Says that the service has no record, and which feeds name the address.
fn without_record(case: &LookupCase, writer: &mut SheetWriter<'_>) {
    let theme = writer.theme;
    let line = Line::from(vec![
        Span::styled(format!("{} ", CaseMark::NoRecord.sign()), theme.warn),
        Span::styled("the service has no record of this address", theme.title),
    ]);
    writer.stop(line, Meaning::new("verdict", "no record at the service"));
    writer.remark("That does not mean that it is harmless (404).");
    if let Some(named) = named_as_entry(case.entry_of()) {
        let meaning = Meaning::new("named as entry", named.clone()).to(entries(case));
        writer.stop(Line::styled(named, theme.warn), meaning);
    }
}

/// A line with a dim label before it.
fn labelled(label: &'static str, line: Line<'static>, theme: &Theme) -> Line<'static> {
    let spans = line.spans.into_iter();
    let spans = spans.map(|span| span.patch_style(line.style));
    let label = Span::styled(label, theme.dim);
    [label].into_iter().chain(spans).collect()
}

/// The records that name the address as an entry.
fn entries(case: &LookupCase) -> Option<Destination> {
    let entries = case.entry_of().iter().rev();
    let most = entries.max_by_key(|own| own.records)?;
    Some(Destination::Browse(ViewQuery {
        feed: most.feed,
        day: None,
        filter: EntryOf::filter(case.query.address),
        order: Order::Clients,
    }))
}

/// The parts that are not empty.
fn joined<const N: usize>(parts: [String; N], by: &str) -> String {
    let parts = parts.into_iter().filter(|part| !part.is_empty());
    parts.collect::<Vec<_>>().join(by)
}

fn text(field: &Field<String>) -> String {
    field.text().unwrap_or_default().to_owned()
}

/// Whose network it is, where, and what runs there, in a line.
fn network(context: &Context) -> String {
    let system = context.autonomous_system.is().map(|own| {
        let number = own.number.is().map(|number| format!("AS{number}"));
        let name = text(&own.organization);
        joined([number.unwrap_or_default(), name], " ")
    });
    let place = context.location.is();
    let place = place.map(|own| joined([text(&own.city), text(&own.country)], " "));
    let parts = [
        text(&context.infrastructure),
        system.unwrap_or_default(),
        place.unwrap_or_default(),
        context.services.items().join(" "),
    ];
    visible(&joined(parts, "  ")).into_owned()
}

/// Writes who connects from the address, in a line.
pub(super) fn clients(context: &Context, writer: &mut SheetWriter<'_>) {
    let Field::Is(client) = &context.client else {
        return;
    };
    let spread = client.spread.is();
    let spread = spread.map(|spread| format!("{} km{SQUARED}", words::number(*spread)));
    let concentration = client.concentration.is().map(|found| {
        let skew = found.skew.is();
        let skew = skew.map(|skew| format!(" (skew {})", words::signed(*skew)));
        match joined([text(&found.city), text(&found.country)], " ") {
            place if place.is_empty() => place,
            place => format!("mostly {place}{}", skew.unwrap_or_default()),
        }
    });
    let parts = [
        client.types.items().join(" "),
        client.behaviors.items().join(" "),
        spread.unwrap_or_default(),
        concentration.unwrap_or_default(),
    ];
    let line = visible(&joined(parts, "  ")).into_owned();
    writer.begin("Clients", "", SectionSide::Both);
    if line.is_empty() {
        writer.remark("(only their number)");
    } else {
        writer.stop(Line::raw(line.clone()), Meaning::new("clients", line));
    }
}

/// `since 2026-11-18 (BRAVO_PROXY until 2026-11-17)`.
pub(in crate::tui::tabs::lookup) fn since_line(
    since: &Since,
    now: &Context,
    theme: &Theme,
) -> Line<'static> {
    let (told, unknown) = told(since, now);
    Line::from(vec![
        Span::styled("since ", theme.dim),
        Span::raw(since.day.dashed()),
        Span::styled(told, theme.dim),
        Span::styled(unknown, theme.warn),
    ])
}

/// What follows the day: what was before and where no record is, and what is not known.
fn told(since: &Since, now: &Context) -> (String, String) {
    let before = since.before.as_ref().map(|own| match &own.record {
        None => "no record before".to_owned(),
        Some(old) => format!("{} until {}", changed(old, now), own.day.dashed()),
    });
    let mut told = if before.is_none() { " or earlier" } else { "" }.to_owned();
    let parts: Vec<String> = before.into_iter().chain(absent(since)).collect();
    if !parts.is_empty() {
        told += &format!(" ({})", parts.join("; "));
    }
    let unknown = unknown(since);
    let unknown = unknown.iter().flat_map(|words| ["; ", words]);
    (told, unknown.collect())
}

/// What the verdict was: the operators that are no longer there, else the first finding that is another one.
fn changed(old: &Document, now: &Context) -> String {
    let Ok(old) = Context::decode(old.value()) else {
        return "another verdict".to_owned();
    };
    let only = |one: &Context, other: &Context| -> Vec<String> {
        let others = other.tunnel_operators();
        let own = one.tunnel_operators().into_iter();
        let own = own.filter(|own| !others.contains(own));
        own.map(|own| visible(own).into_owned()).collect()
    };
    let (gone, new) = (only(&old, now), only(now, &old));
    if !gone.is_empty() {
        return gone.join(" ");
    }
    let findings = |context: &Context| {
        let verdict = Verdict::of(context, None);
        let mut all = vec![verdict.headline];
        all.extend(verdict.also);
        all
    };
    let now = findings(now);
    let first = findings(&old).into_iter().find(|own| !now.contains(own));
    first.unwrap_or_else(|| match new.as_slice() {
        [] => "another verdict".to_owned(),
        new => format!("without {}", new.join(" ")),
    })
}

/// The local days without a record since then, with the last day before them that has one, and those after another verdict.
fn absent(since: &Since) -> Option<String> {
    let other = since.before.as_ref().filter(|own| own.record.is_some());
    // Where there was no record before, that is said.
    let before = other.map_or(&[][..], |_| &since.gaps_before.absent);
    let days = [&since.gaps.absent, before].concat();
    let seen = since.gaps.seen;
    let seen = seen.map(|day| format!("; seen {}", day.dashed()));
    let on = match &days[..] {
        [] => return None,
        [day] => day.dashed(),
        [last, ..] => format!("{} days, the last {}", days.len(), last.dashed()),
    };
    Some(format!("no record on {on}{}", seen.unwrap_or_default()))
}

/// The unknown days: those that are not local, within the period and before it, where it may have begun; and local days that cannot
/// be read.
fn unknown(since: &Since) -> Vec<String> {
    let (gaps, gaps_before) = (&since.gaps, &since.gaps_before);
    let days = |number: u32| if number == 1 { "day" } else { "days" };
    let between = since.before.as_ref().map_or(0, |_| gaps_before.not_local);
    let not_local = match (between, gaps.not_local) {
        (0, 0) => None,
        (own, 0) => Some(format!("{own} {} between not local", days(own))),
        (0, own) => Some(format!("{own} {} since not local", days(own))),
        (one, other) => Some(format!(
            "{one} {} between, {other} since not local",
            days(one)
        )),
    };
    let unread = [&gaps.unread[..], &gaps_before.unread].concat();
    let unread = match &unread[..] {
        [] => None,
        [day] => Some(format!("{} cannot be read", day.dashed())),
        many => Some(format!("{} local days cannot be read", many.len())),
    };
    not_local.into_iter().chain(unread).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        engine::views::{EarlierRecord, Gaps},
        model::Day,
    };

    fn document(tunnels: &str) -> Document {
        let text = format!(r#"{{"ip":"198.51.100.77","tunnels":[{tunnels}]}}"#);
        Document::read(text.as_bytes()).expect("a record")
    }

    fn day(text: &str) -> Day {
        text.parse().expect(text)
    }

    fn days(text: &str) -> Vec<Day> {
        text.split_whitespace().map(day).collect()
    }

    const ACME: &str = r#"{"type":"VPN","operator":"ACME_VPN","anonymous":true}"#;

    /// The words behind the day of a record of `ACME_VPN`.
    fn words(before: Option<(&str, Option<&str>)>, gaps: Gaps, gaps_before: Gaps) -> String {
        let now = Context::decode(document(ACME).value()).expect("a record");
        let since = Since {
            day: day("20261121"),
            gaps,
            before: before.map(|(text, tunnels)| EarlierRecord {
                day: day(text),
                record: tunnels.map(document),
            }),
            gaps_before,
        };
        let (told, unknown) = told(&since, &now);
        told + &unknown
    }

    #[test]
    fn a_change_of_verdict_is_said_with_its_last_day() {
        let none = Gaps::default;
        let bravo = ACME.replace("ACME_VPN", "BRAVO_PROXY");
        let other_type = ACME.replace("\"VPN\"", "\"PROXY\"");
        let not_anonymous = ACME.replace("true", "false");
        for (before, expected) in [
            (Some(&*bravo), " (BRAVO_PROXY until 2026-11-20)"),
            (Some(&other_type), " (PROXY of ACME_VPN until 2026-11-20)"),
            (
                Some(&not_anonymous),
                " (VPN of ACME_VPN, not anonymous until 2026-11-20)",
            ),
            (Some(""), " (no tunnel or proxy seen until 2026-11-20)"),
            (None, " (no record before)"),
        ] {
            assert_eq!(words(Some(("20261120", before)), none(), none()), expected);
        }
        let both = format!("{ACME},{bravo}");
        let now = Context::decode(document(&both).value()).expect("a record");
        assert_eq!(changed(&document(ACME), &now), "without BRAVO_PROXY");
        assert_eq!(words(None, none(), none()), " or earlier");
    }

    #[test]
    fn gaps_and_what_is_not_known_are_named() {
        let absent = |text: &str, seen: Option<&str>| Gaps {
            absent: days(text),
            seen: seen.map(day),
            ..Gaps::default()
        };
        let unknown = |not_local: u32, unread: &str| Gaps {
            not_local,
            unread: days(unread),
            ..Gaps::default()
        };
        let before = Some(("20261112", None));
        let bravo = ACME.replace("ACME_VPN", "BRAVO_PROXY");
        for (before, gaps, gaps_before, expected) in [
            (
                None,
                absent("20261122", Some("20261121")),
                unknown(0, ""),
                " or earlier (no record on 2026-11-22; seen 2026-11-21)",
            ),
            (
                Some(("20261118", Some(&*bravo))),
                absent("20261124 20261122", Some("20261123")),
                absent("20261119", None),
                " (BRAVO_PROXY until 2026-11-18; no record on 3 days, the last 2026-11-24; seen 2026-11-23)",
            ),
            (
                before,
                unknown(0, ""),
                unknown(6, ""),
                " (no record before); 6 days between not local",
            ),
            (
                before,
                unknown(1, ""),
                unknown(1, ""),
                " (no record before); 1 day between, 1 since not local",
            ),
            (
                None,
                unknown(6, ""),
                unknown(0, ""),
                " or earlier; 6 days since not local",
            ),
            (
                None,
                unknown(0, ""),
                unknown(0, "20261119"),
                " or earlier; 2026-11-19 cannot be read",
            ),
            (
                before,
                unknown(0, "20261122"),
                unknown(0, "20261119"),
                " (no record before); 2 local days cannot be read",
            ),
        ] {
            assert_eq!(words(before, gaps, gaps_before), expected);
        }
    }
}
