use fastrand::Rng;

use super::{
    super::{
        DayFinding, UnknownDay,
        tests::{finding, first, history},
    },
    *,
};

/// Searches with an oracle that knows the truth, and gives how often it was asked. A day of `failing` has no answer.
fn search(known: &mut History, truth: &str, mut search: Bisection, failing: &BTreeSet<Day>) -> u64 {
    let truth: Vec<char> = truth.chars().collect();
    let (most, mut asked) = (search.left(), BTreeSet::new());
    loop {
        let days = search.next(known);
        if days.is_empty() {
            break;
        }
        for day in days {
            assert!(asked.insert(day), "{day} is asked about twice");
            let at = usize::try_from(day.days_since(first())).expect("a day of it");
            let answer = if failing.contains(&day) {
                DayFinding::Unknown(UnknownDay::NotAnswered)
            } else {
                finding(truth[at], at)
            };
            known.learn(day, answer);
        }
    }
    let calls = asked.len() as u64;
    assert_eq!(calls, most - search.left(), "the cost is what was asked");
    calls
}

#[test]
fn queries_go_between_known_days_that_differ() {
    for (letters, needed) in [
        ("A?B", 1),
        ("A??B", 2),
        ("A???B", 2),
        ("A????B", 3),
        ("A???????B", 3),
        ("A????????B", 4),
        ("A?B??-", 3),
        ("A?!B", 2),
        ("A!B", 1),
        // The same on both sides: what is between stays unknown.
        ("A???A", 0),
        // The feeds lack addresses of which the service has a record without a finding.
        ("-??n", 0),
        ("-?A", 1),
        ("p?A", 1),
        ("n?x", 1),
        ("AB", 0),
        ("??A??", 0),
        ("???", 0),
        ("", 0),
    ] {
        let history = history(letters);
        let search = Bisection::new(&history, u64::MAX, BTreeSet::new());
        assert_eq!(search.left(), needed, "{letters}");
        assert_eq!(
            Bisection::new(&history, 1, BTreeSet::new()).left(),
            needed.min(1)
        );
    }
}

#[test]
fn the_cost_that_is_announced_is_reached_and_never_passed() {
    for unknown in 1..=64 {
        let letters = format!("A{}B", "?".repeat(unknown));
        let mut most = 0;
        for change in 1..=unknown + 1 {
            let truth = "A".repeat(change) + &"B".repeat(unknown + 2 - change);
            let mut known = history(&letters);
            let plan = Bisection::new(&known, u64::MAX, BTreeSet::new());
            let announced = plan.left();
            let asked = search(&mut known, &truth, plan, &BTreeSet::new());
            assert!(asked <= announced, "{truth}");
            most = most.max(asked);
            let found = known.days().zip(known.days().skip(1));
            let found = found
                .filter(|((_, a), (_, b))| a.differs(b))
                .map(|((_, _), (day, _))| day.days_since(first()));
            let found: Vec<i32> = found.collect();
            assert_eq!(found, [i32::try_from(change).expect("small")], "{truth}");
        }
        let plan = Bisection::new(&history(&letters), u64::MAX, BTreeSet::new());
        assert_eq!(most, plan.left(), "{unknown}: the worst case happens");
    }
}

#[test]
fn the_newest_change_is_found_first() {
    let mut known = history("A???????B???????C");
    let truth = "AAAABBBBBBBBBBBCC";
    let plan = Bisection::new(&known, 4, BTreeSet::new());
    assert_eq!(plan.left(), 4);
    assert_eq!(search(&mut known, truth, plan, &BTreeSet::new()), 4);
    let gaps = Bisection::new(&known, 0, BTreeSet::new()).gaps(&known);
    let [older] = gaps.as_slice() else {
        panic!("{gaps:?}");
    };
    assert!(older.len() == 3 && older[0] < first().plus(8), "{older:?}");
}

#[test]
fn days_that_are_refused_are_not_asked_about() {
    let refused: BTreeSet<Day> = [1, 3].map(|at| first().plus(at)).into();
    let mut known = history("A???B");
    let plan = Bisection::new(&known, 9, refused);
    assert_eq!(plan.left(), 1);
    assert_eq!(search(&mut known, "AAABB", plan, &BTreeSet::new()), 1);
    assert_eq!(known, {
        let mut own = history("A?A?B");
        own.findings[2] = finding('A', 2);
        own
    });
}

/// What is true of an address: a verdict a day, some of which come back.
fn truth(random: &mut Rng) -> String {
    let mut verdict = 'A';
    let mut before = '-';
    let stay = random.usize(2..40);
    let days = (0..60).map(|_| {
        if random.usize(0..stay) == 0 {
            let other = if random.bool() {
                before
            } else {
                random
                    .choice(['A', 'B', 'C', 'p', 'n', 'x', '-'])
                    .expect("a letter")
            };
            (before, verdict) = (verdict, other);
        }
        verdict
    });
    days.collect()
}

/// What is known of it: with gaps, and days that cannot be read.
fn known(truth: &str, random: &mut Rng) -> String {
    let mut is_gap = random.bool();
    let stay = random.usize(2..16);
    let days = truth.chars().map(|c| {
        if random.usize(0..stay) == 0 {
            is_gap = !is_gap;
        }
        match random.usize(0..20) {
            0 => '!',
            _ if is_gap => '?',
            _ => c,
        }
    });
    days.collect()
}

#[test]
fn each_change_is_found_or_its_days_are_unknown_within_the_announced_cost() {
    let mut random = Rng::with_seed(35);
    let (mut found, mut hidden, mut spent, mut single) = (0, 0, 0, 0);
    for number in 0..2000 {
        let truth = truth(&mut random);
        let letters = known(&truth, &mut random);
        let fails = random.usize(0..4) == 0;
        let days = (0..60).map(|at| first().plus(at));
        let failing: BTreeSet<Day> = days.filter(|_| fails && random.usize(0..5) == 0).collect();
        let most = [0, 3, 8, u64::MAX][random.usize(0..4)];
        let before = history(&letters);
        let plan = Bisection::new(&before, most, BTreeSet::new());
        let (announced, gaps) = (plan.left(), plan.gaps(&before));
        assert!(announced <= most);
        let mut after = before.clone();
        let asked = search(&mut after, &truth, plan.clone(), &failing);
        assert!(asked <= announced, "{number}: {asked} of {announced}");
        spent += asked;
        let shown = format!("{number}\n{truth}\n{letters}");
        let days: Vec<(Day, &DayFinding)> = after.days().collect();
        let mut answered = 0;
        for (((_, day_finding), was), letter) in days.iter().zip(letters.chars()).zip(truth.chars())
        {
            let expected = if day_finding.is_known() { letter } else { was };
            answered += u64::from(day_finding.is_known() && "?!".contains(was));
            // What is known is true, and what is unknown is of its kind.
            let kind = finding(expected, 0);
            assert!(
                day_finding.continues(&kind) || matches!(day_finding, DayFinding::Unknown(_)),
                "{shown}"
            );
            assert_eq!(day_finding.is_known(), kind.is_known(), "{shown}");
            assert!(
                was == '?' || !matches!(day_finding, DayFinding::Unknown(_)),
                "{shown}"
            );
        }
        assert!(answered <= asked && (fails || answered == asked), "{shown}");
        let unknown = days
            .iter()
            .filter(|(_, finding)| !finding.is_known())
            .count();
        assert_eq!(after.unknown_days(), unknown, "{shown}");
        // Each change is the beginning of a stretch, or one of its two days is in an unknown one.
        let letters_of_truth: Vec<char> = truth.chars().collect();
        let stretches = after.stretches();
        assert_eq!(
            stretches
                .iter()
                .map(|stretch| stretch.findings.len())
                .sum::<usize>(),
            60
        );
        for (at, pair) in letters_of_truth.windows(2).enumerate() {
            let (last, next) = (days[at], days[at + 1]);
            let begins = stretches.iter().any(|stretch| stretch.from == next.0);
            let is_known = last.1.is_known() && next.1.is_known();
            if is_known {
                assert_eq!(begins, pair[0] != pair[1], "{shown}");
                found += usize::from(begins);
            } else if pair[0] != pair[1] {
                let own = stretches
                    .iter()
                    .filter(|stretch| !stretch.newest.is_known());
                let mut own = own.map(|stretch| stretch.from..=stretch.to);
                assert!(
                    own.any(|range| range.contains(&last.0) || range.contains(&next.0)),
                    "{shown}"
                );
                hidden += 1;
            }
        }
        // Where each gap has one change and nothing fails, all are found at no more than was announced.
        let at = |day: Day| usize::try_from(day.days_since(first())).expect("a day of it");
        let is_single = |gap: &Vec<Day>| {
            let (from, to) = (at(gap[0]) - 1, at(gap[gap.len() - 1]) + 1);
            let cs = &letters_of_truth[from..=to];
            cs.windows(2).filter(|pair| pair[0] != pair[1]).count() == 1
        };
        if most == u64::MAX && !fails && gaps.iter().all(is_single) {
            single += usize::from(!gaps.is_empty());
            assert_eq!(plan.gaps(&after), Vec::<Vec<Day>>::new(), "{shown}");
        }
    }
    // The generator makes what the test is about.
    assert!(
        found > 2000 && hidden > 2000 && spent > 1000 && single > 100,
        "{found} {hidden} {spent} {single}"
    );
}
