//! Which record of an address is the best, and the record that each address gets.

use super::*;

fn day(text: &str) -> Day {
    text.parse().expect(text)
}

/// Records of an address 0, by release and subject, as they are found.
fn ranked(feeds: &[(Feed, &str)], records: &[(usize, &str)], wanted: WantedLines) -> Vec<String> {
    let merits: Vec<AnswerRank> = feeds
        .iter()
        .map(|(feed, text)| AnswerRank::of(*feed, day(text)))
        .collect();
    let mut found: Vec<FoundRow> = records
        .iter()
        .map(|(release, subject)| FoundRow {
            address: 0,
            release: *release,
            row: RowId(0),
            subject: Some(Subject::Network(subject.parse().expect(subject))),
        })
        .collect();
    rank(&mut found, &merits, wanted);
    found
        .iter()
        .map(|found| {
            let length = found.subject.map(|subject| subject.network().prefix_len());
            format!("{} /{}", feeds[found.release].0, length.unwrap_or_default())
        })
        .collect()
}

#[test]
fn the_best_record_is_a_context_then_specific_then_full_then_new() {
    let feeds = [
        (Feed::Anonymous, "20261119"),
        (Feed::AnonymousResidential, "20261120"),
        (Feed::Realtime, "20261120"),
        (Feed::Dch, "20261120"),
        (Feed::Ipsummary, "20261120"),
    ];
    let host = "198.51.100.7/32";
    let records = [
        (0, host),
        (1, host),
        (2, host),
        (3, host),
        (3, "198.51.100.0/24"),
        (4, host),
        (4, "198.51.100.0/25"),
    ];
    assert_eq!(
        ranked(&feeds, &records, WantedLines::Best),
        [
            "anonymous-residential /32",
            "ipsummary /32",
            "anonymous /32",
            "realtime /32",
            "ipsummary /25",
            "dch /32",
            "dch /24"
        ]
    );
    assert_eq!(
        ranked(&feeds, &records, WantedLines::All),
        [
            "anonymous /32",
            "anonymous-residential /32",
            "realtime /32",
            "dch /32",
            "ipsummary /32",
            "ipsummary /25",
            "dch /24"
        ]
    );
}

#[test]
fn each_address_has_its_lines_and_the_other_records() {
    let found = |address, release, subject: &str| FoundRow {
        address,
        release,
        row: RowId(0),
        subject: subject.parse().ok().map(Subject::Network),
    };
    let found = [
        found(0, 1, "198.51.100.7/32"),
        found(0, 0, "198.51.100.0/24"),
        found(0, 0, "198.51.100.0/24"),
        found(2, 0, "198.51.100.0/24"),
    ];
    let addresses: Vec<IpAddr> = ["198.51.100.7", "192.0.2.1", "198.51.100.9"]
        .map(|text| text.parse().expect(text))
        .to_vec();
    assert_eq!(
        chosen(&found, 0, WantedLines::Best).collect::<Vec<_>>(),
        [3]
    );
    assert_eq!(
        chosen(&found, 1, WantedLines::Best).collect::<Vec<_>>(),
        [0]
    );
    assert_eq!(chosen(&found, 0, WantedLines::All).count(), 3);
    let answers = LocalAnswers {
        addresses: addresses.into(),
        answered: 2,
        found: found.into(),
        bytes: vec![b"block".to_vec(), b"host".to_vec()],
        lines: vec![Some(0..4), None, None, Some(0..5)],
    };
    let mut told = Vec::new();
    answers.each(|known| {
        let lines = known.lines.iter();
        let lines: Vec<_> = lines
            .map(|line| String::from_utf8_lossy(line.line).into_owned())
            .collect();
        told.push(format!("{} {lines:?} {}", known.address, known.also.len()));
    });
    assert_eq!(told, [r#"198.51.100.7 ["host"] 1"#, "192.0.2.1 [] 0"]);
    assert_eq!(answers.rest().len(), 1);
}
