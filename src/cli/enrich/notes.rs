//! What is said of a text beside its answers.

use crate::{
    cli::console::Console,
    engine::MissingWhy,
    investigation::{
        event_answer::EventGaps,
        gather::{MOST_COLUMNS, TextTotals},
    },
    report::{count, counted, each, how_to_get, missing_in_words},
};

/// Days that are not local and are named.
const DAYS_NAMED: usize = 3;

/// What was set aside, and why.
pub(super) fn note(totals: &TextTotals, console: &Console) {
    if totals.unique() == 0 {
        console.note("the text has no address");
    }
    if let Some(words) = set_aside_in_words(totals) {
        console.note(&format!("set aside: {words}"));
    }
}

/// What was assumed of the times in the text, and what does not fit beside the addresses.
pub(super) fn note_times(totals: &TextTotals, zone: &str, console: &Console) {
    let of = |number: u64| format!("{} of {}", count(number), count(totals.timed));
    let assumed = &totals.assumed;
    for (name, number) in &assumed.names {
        let name = name.as_str();
        console.note(&format!(
            "{} times name {name}, taken for {zone}: --zone sets the place that has it",
            of(*number)
        ));
    }
    if assumed.twice > 0 {
        let twice = of(assumed.twice);
        console.note(&format!(
            "{twice} times are of the hour that comes twice in {zone}: the first one was taken"
        ));
    }
    if assumed.never > 0 {
        let never = of(assumed.never);
        console.note(&format!(
            "{never} times are of an hour that {zone} does not have: the offset before it was taken"
        ));
    }
    if assumed.in_future > 0 {
        let later = of(assumed.in_future);
        console.note(&format!("{later} times are in the future"));
    }
    if totals.assumed.without_zone > 0 {
        let without = of(totals.assumed.without_zone);
        console.note(&format!(
            "{without} times name no zone and are taken for {zone}: --zone sets another"
        ));
    }
    if totals.assumed.without_year > 0 {
        let without = of(totals.assumed.without_year);
        console.note(&format!(
            "{without} times have no year: the latest that is not in the future was assumed"
        ));
    }
    if totals.has_others {
        console.note("columns: of an address with many values the first 8 are kept, others are counted and not found by filters and groups");
    }
    if totals.is_cut {
        console.note("columns leaves out values: the text has more than are kept");
    }
    if totals.has_more_columns {
        console.note(&format!(
            "columns: the text has more than {MOST_COLUMNS}; others are kept where --filter or --group names them"
        ));
    }
}

/// The rows without a time, and the days of events that are not local.
pub(super) fn note_days(totals: &TextTotals, gaps: &EventGaps, console: &Console) {
    let without = totals.rows - totals.timed;
    if without > 0 {
        console.note(&format!(
            "{} of {} rows have no time: their addresses have no event day",
            count(without),
            count(totals.rows)
        ));
    }
    let Some(first) = gaps.not_here.values().next() else {
        return;
    };
    let named = gaps.not_here.keys().take(DAYS_NAMED);
    let mut days = each(named.map(|day| day.dashed()), ", ");
    if gaps.not_here.len() > DAYS_NAMED {
        let more = gaps.not_here.len() - DAYS_NAMED;
        days += &format!(" and {} more", count(more as u64));
    }
    let of = counted(gaps.not_here.len() as u64, "day");
    let (what, get) = (missing_in_words(first.why), how_to_get(first, "the first"));
    console.note(&match first.why {
        MissingWhy::NotAt(place) if place.elsewhere().is_none() => {
            format!("no local release for {of} of events: {days}\n  {get}")
        }
        _ => format!("{of} of events {what}: {days}\n  {get}"),
    });
}

/// What was set aside, in words; `None` for nothing.
fn set_aside_in_words(totals: &TextTotals) -> Option<String> {
    let aside = totals.set_aside.iter();
    let words = aside.map(|(reason, number)| format!("{} {reason}", count(*number)));
    let words: Vec<String> = words.collect();
    (!words.is_empty()).then(|| each(&words, ", "))
}
