use super::*;

pub(crate) fn day(text: &str) -> Day {
    text.parse().expect(text)
}

/// The first day of the histories of letters.
pub(crate) fn first() -> Day {
    day("20261001")
}

/// A day of a letter: an operator; `p` a proxy without operator, `n` a record that names nothing, `x` one of which a deciding field
/// cannot be read; `-` no record, `?` not local, `l` not loaded, `u` not read, `!` unreadable. The number of clients moves every day.
pub(crate) fn finding(letter: char, clients: usize) -> DayFinding {
    let tunnels = match letter {
        '-' => return DayFinding::Absent(DaySource::Feeds(ReleasePlace::Local)),
        '?' => return DayFinding::Unknown(UnknownDay::NotAt(ReleasePlace::Local, Feed::Anonymous)),
        'l' => {
            return DayFinding::Unknown(UnknownDay::NotAt(
                ReleasePlace::Warehouse,
                Feed::Anonymous,
            ));
        }
        'u' => return DayFinding::Unknown(UnknownDay::Unread(Feed::Anonymous)),
        '!' => return DayFinding::Unreadable,
        'n' => "[]".to_owned(),
        'x' => "7".to_owned(),
        'p' => r#"[{"type":"PROXY","anonymous":true}]"#.to_owned(),
        operator => format!(r#"[{{"type":"VPN","operator":"{operator}_VPN","anonymous":true}}]"#),
    };
    let text =
        format!(r#"{{"ip":"198.51.100.7","client":{{"count":{clients}}},"tunnels":{tunnels}}}"#);
    let document = Document::read(text.as_bytes()).expect("a record");
    DayFinding::of(&document, DaySource::Feeds(ReleasePlace::Local))
}

/// A history of a letter a day.
pub(crate) fn history(letters: &str) -> History {
    let findings = letters.chars().enumerate();
    History {
        from: first(),
        findings: findings.map(|(at, c)| finding(c, at)).collect(),
    }
}

/// A day by its kind, whatever its record is.
fn kind(finding: &DayFinding) -> String {
    let kind = match finding {
        DayFinding::Record(_) => "record",
        DayFinding::Absent(_) => "absent",
        DayFinding::Unknown(why) => return why.word(),
        DayFinding::Unreadable => "unreadable",
    };
    kind.to_owned()
}

#[test]
fn a_day_has_its_stretch_its_cell_and_the_last_day_with_another_verdict() {
    let history = history("AA?B-BB");
    let at = |number: i32| first().plus(number - 1);
    for (day, other, stretch) in [
        (1, None, 1..=2),
        (3, Some(2), 3..=3),
        (4, Some(2), 4..=4),
        (5, Some(4), 5..=5),
        (7, Some(5), 6..=7),
    ] {
        assert_eq!(history.last_other(at(day)), other.map(at), "{day}");
        let own = history.stretch_of(at(day)).expect("a stretch");
        assert_eq!(
            (own.from, own.to),
            (at(*stretch.start()), at(*stretch.end()))
        );
        assert_eq!(history.until(at(day)).to(), at(day));
    }
    assert_eq!(history.differing_between(at(1), at(7)), 2);
    assert_eq!(history.differing_between(at(4), at(7)), 1);
    assert!(history.stretch_of(at(8)).is_none() && history.on(at(0)).is_none());
    let strip = Strip::of(&history, 7);
    assert_eq!(
        [1, 7, 8].map(|day| strip.cell_of(at(day))),
        [Some(0), Some(6), None]
    );
    let weeks = Strip::of(&super::tests::history(&"A".repeat(30)), 10);
    assert_eq!(weeks.cells.len(), 5);
    assert_eq!(
        [1, 3, 23, 24, 30].map(|day| weeks.cell_of(at(day))),
        [0, 1, 3, 4, 4].map(Some)
    );
}

#[test]
fn what_the_service_knows_takes_the_place_of_a_feed_without_a_record() {
    let record = |source| match finding('A', 1) {
        DayFinding::Record(record) => DayFinding::of(&record.document, source),
        other => other,
    };
    let mut history = history("-A?-");
    let absent = DayFinding::Absent(DaySource::Cached);
    let at = |number: i32| first().plus(number - 1);
    for day in [1, 2, 3] {
        history.learn(at(day), record(DaySource::Cached));
    }
    history.learn(at(4), absent.clone());
    let sources = history
        .findings
        .iter()
        .map(|finding| finding.source().map(DaySource::word));
    let sources: Vec<_> = sources.flatten().collect();
    assert_eq!(sources, ["cache", "local", "cache", "local"]);
    // What the service says stays.
    history.set(at(4), absent);
    history.learn(at(4), record(DaySource::Feeds(ReleasePlace::Local)));
    assert!(
        history
            .on(at(4))
            .is_some_and(|finding| finding.record().is_none())
    );
}

#[test]
fn a_stretch_ends_where_the_verdict_or_the_knowledge_does() {
    for (letters, expected) in [
        ("AAAA", "1-4 record"),
        ("AABB", "1-2 record, 3-4 record"),
        ("AA--", "1-2 record, 3-4 absent"),
        ("A?A", "1-1 record, 2-2 not-local, 3-3 record"),
        ("A??B", "1-1 record, 2-3 not-local, 4-4 record"),
        (
            "A?lB",
            "1-1 record, 2-2 not-local, 3-3 not-loaded, 4-4 record",
        ),
        ("-u!-", "1-1 absent, 2-2 unread, 3-3 unreadable, 4-4 absent"),
        ("A!!A", "1-1 record, 2-3 unreadable, 4-4 record"),
        ("-?-", "1-1 absent, 2-2 not-local, 3-3 absent"),
        (
            "-!?-",
            "1-1 absent, 2-2 unreadable, 3-3 not-local, 4-4 absent",
        ),
        ("n-n", "1-1 record, 2-2 absent, 3-3 record"),
        ("nxp", "1-1 record, 2-2 record, 3-3 record"),
        ("?", "1-1 not-local"),
        ("", ""),
    ] {
        let history = history(letters);
        let stretches = history.stretches();
        let number = |day: Day| day.days_since(first()) + 1;
        let shown: Vec<String> = stretches
            .iter()
            .map(|stretch| {
                let days = (number(stretch.from), number(stretch.to));
                assert_eq!(
                    stretch.findings.len(),
                    usize::try_from(days.1 - days.0 + 1).expect("days")
                );
                format!("{}-{} {}", days.0, days.1, kind(stretch.newest))
            })
            .collect();
        assert_eq!(shown.join(", "), expected, "{letters}");
        let unknown = letters.chars().filter(|c| "?lu!".contains(*c)).count();
        assert_eq!(history.unknown_days(), unknown, "{letters}");
    }
}

#[test]
fn a_stretch_has_the_record_of_its_newest_day_and_all_sources() {
    let mut history = history("AA?");
    let live = DayFinding::of(
        &finding('A', 9).record().expect("a record").document.clone(),
        DaySource::Live,
    );
    history.learn(first().plus(2), live);
    let stretches = history.stretches();
    let [only] = stretches.as_slice() else {
        panic!("{stretches:?}");
    };
    assert_eq!(
        only.findings
            .iter()
            .filter_map(DayFinding::source)
            .collect::<Vec<_>>(),
        [
            DaySource::Feeds(ReleasePlace::Local),
            DaySource::Feeds(ReleasePlace::Local),
            DaySource::Live
        ]
    );
    let record = only.newest.record().expect("a record");
    assert_eq!(
        record
            .context
            .client
            .is()
            .and_then(|client| client.count.is()),
        Some(&9)
    );
}

#[test]
fn what_is_known_is_not_forgotten() {
    let not_answered = || DayFinding::Unknown(UnknownDay::NotAnswered);
    for (letter, more, kept) in [
        ('A', finding('B', 0), "A"),
        ('-', finding('B', 0), "-"),
        ('?', finding('B', 0), "B"),
        ('u', finding('B', 0), "B"),
        ('!', finding('B', 0), "B"),
        ('!', not_answered(), "!"),
        ('A', not_answered(), "A"),
    ] {
        let mut own = history(&letter.to_string());
        own.learn(first(), more);
        assert_eq!(own, history(kept), "{letter}");
    }
    let mut own = history("?");
    own.learn(first().plus(1), finding('A', 0));
    own.learn(first().plus(-1), finding('A', 0));
    assert_eq!(own, history("?"), "a day outside");
}

#[test]
fn the_strip_has_a_cell_a_day_or_weeks() {
    /// A letter an operator, in the order in which they come up; `~` mixed.
    fn drawn(strip: &Strip) -> String {
        let cells = strip.cells.iter().map(|cell| match cell {
            StripCell::Operators(at) => ['A', 'B', 'C'][*at],
            StripCell::Unattributed => 'p',
            StripCell::NothingSeen => 'n',
            StripCell::Undecided => 'x',
            StripCell::Absent => '-',
            StripCell::Unknown => '?',
            StripCell::Unreadable => '!',
            StripCell::Mixed => '~',
        });
        cells.collect()
    }
    let weeks = "A".repeat(7) + "AAA-AAA" + &"-".repeat(7) + &"?".repeat(7);
    for (letters, width, expected, days_per_cell) in [
        ("Z?Y!-pnxZ", 80, "A?B!-pnxA", 1),
        ("Z?Y!-pnxZ", 9, "A?B!-pnxA", 1),
        ("Z?Y!-pnxZ", 8, "~~", 7),
        (&weeks, 28, weeks.as_str(), 1),
        (&weeks, 27, "A~-?", 7),
        (&weeks, 4, "A~-?", 7),
        (&weeks, 3, "~~", 14),
        (&("A".to_owned() + &weeks), 5, "AA~-?", 7),
        ("AA", 0, "A", 7),
        ("", 9, "", 1),
    ] {
        let strip = Strip::of(&history(letters), width);
        assert_eq!(drawn(&strip), expected, "{letters} {width}");
        assert_eq!(strip.days_per_cell, days_per_cell, "{letters} {width}");
    }
    let strip = Strip::of(&history("ZYZ"), 9);
    assert_eq!(strip.operators, ["Z_VPN", "Y_VPN"]);
}

#[test]
fn the_last_known_days_are_counted() {
    let recent = |letters: &str| {
        let Recent {
            days,
            seen,
            first: from,
            last,
            types,
            operators,
            ..
        } = history(letters).recent();
        let number = |day: Option<Day>| day.map_or(0, |day| day.days_since(first()) + 1);
        let named = [types, operators].concat().join(" ");
        format!("{seen}/{days} {}-{} {named}", number(from), number(last))
            .trim_end()
            .to_owned()
    };
    for (letters, expected) in [
        ("-p-p-p-p-p-", "5/10 2-10 PROXY"),
        ("pppp--------", "2/10 3-4 PROXY"),
        ("A?B!-", "2/3 1-3 VPN B_VPN A_VPN"),
        ("A??????????????-", "1/2 1-1 VPN A_VPN"),
        ("nnx", "0/3 0-0"),
        ("??", "0/0 0-0"),
    ] {
        assert_eq!(recent(letters), expected, "{letters}");
    }
    assert_eq!(
        history("A-").recent().source,
        Some(DaySource::Feeds(ReleasePlace::Local))
    );
    let mut mixed = history("A?");
    mixed.learn(first().plus(1), DayFinding::Absent(DaySource::Cached));
    assert_eq!(mixed.recent().source, None);
}
