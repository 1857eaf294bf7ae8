//! What is local is looked after: downloads that are not complete, deletions that are undone, samples of records.

use ipspect::{
    contract::{ExportQuery, Feed},
    demo::DemoRole,
    engine::{DownloadPlan, ExportRun, Kind, PullQuery, WantedRelease, progress::unheard},
    store::{Deletable, Moment},
};

use super::{
    feed::{FEED, cut, records, whole},
    fixture::{Fixture, today},
};

#[tokio::test]
async fn what_is_partial_is_found_by_the_next_run_and_goes_on_once_where_that_was_asked_for() {
    let mut fixture = Fixture::wire_with(|settings| settings.network.attempts = 1).await;
    let file = records("a", 9);
    // It breaks off, and what comes next is no part of it.
    fixture.service.says(cut(whole("a", &file), 100));
    assert!(fixture.pull().await.is_err());
    fixture.restart();
    let releases = &fixture.engine.releases;
    let parts = releases.parts(FEED).expect("parts");
    let [part] = parts.as_slice() else {
        panic!("{parts:?}")
    };
    assert_eq!((part.query, part.bytes), (PullQuery::latest(FEED), 100));
    assert_eq!(part.total, Some(file.len() as u64));
    let unfinished = releases.take_unfinished().expect("unfinished");
    assert_eq!(
        (unfinished.parts, unfinished.going_on),
        (parts.clone(), vec![])
    );
    // Of what is to go on, only what is partial does.
    let [query, empty, paused] = [FEED, Feed::Anonymous, Feed::Ipgeo].map(PullQuery::latest);
    let plan = DownloadPlan {
        going_on: vec![query, empty],
        paused: vec![paused],
    };
    releases.save_download_plan(&plan).expect("noted");
    let unfinished = releases.take_unfinished().expect("unfinished");
    assert_eq!(unfinished.going_on, [query]);
    // Those without a received byte wait.
    assert_eq!(unfinished.waiting, [empty, paused]);
    let unfinished = releases.take_unfinished().expect("unfinished");
    assert_eq!((unfinished.going_on, unfinished.waiting), (vec![], vec![]));
}

#[tokio::test]
async fn what_has_come_of_a_stopped_download_stays_until_it_is_deleted() {
    let fixture = Fixture::wire_with(|settings| settings.network.attempts = 1).await;
    let file = records("a", 9);
    fixture.service.says(cut(whole("a", &file), 100));
    assert!(fixture.pull().await.is_err());
    let releases = &fixture.engine.releases;
    let query = PullQuery::latest(FEED);
    let left = releases.left_of(&query).await.expect("an answer");
    assert_eq!(left.as_ref().map(|part| part.bytes), Some(100));
    let other = PullQuery {
        wanted: WantedRelease::Day(today()),
        ..query
    };
    assert_eq!(releases.left_of(&other).await.expect("an answer"), None);
    assert_eq!(releases.delete_part(&other).await.expect("nothing"), None);
    assert_eq!(
        releases.parts(FEED).expect("parts").len(),
        1,
        "it is another's"
    );
    assert_eq!(releases.delete_part(&query).await.expect("deleted"), left);
    assert_eq!(releases.parts(FEED).expect("parts"), []);
    assert_eq!(releases.left_of(&query).await.expect("an answer"), None);
}

#[tokio::test]
async fn a_pinned_release_is_not_cleared_away() {
    let fixture =
        Fixture::demo_with(DemoRole::Full, |settings| settings.cache.keep_releases = 1).await;
    let releases = &fixture.engine.releases;
    let pull = async |back: i32| {
        let query = PullQuery {
            wanted: WantedRelease::Day(today().plus(-back)),
            ..PullQuery::latest(Feed::Dch)
        };
        releases.pull(&query, unheard()).await.expect("a day");
        Moment::Day(today().plus(-back))
    };
    let (old, newer) = (pull(3).await, pull(2).await);
    // What is asked for by its day is pinned: here both are left to the rule again, and one is pinned again.
    for (moment, is_pinned) in [(old, false), (newer, false), (old, true)] {
        let pinned = releases.pin(Feed::Dch, moment, is_pinned).await;
        let pinned = pinned.expect("pinned");
        assert_eq!((pinned.moment, pinned.is_pinned), (moment, is_pinned));
    }
    let latest = PullQuery::latest(Feed::Dch);
    releases.pull(&latest, unheard()).await.expect("the latest");
    let mut left = releases.moments(Feed::Dch).expect("moments");
    left.sort_unstable();
    assert_eq!(left, [old, Moment::Day(today())]);
    let missing = releases.pin(Feed::Dch, newer, true).await;
    assert_eq!(missing.map_err(|error| error.kind), Err(Kind::NotFound));
}

#[tokio::test]
async fn a_deleted_release_answers_nothing_until_it_is_put_back() {
    let fixture = Fixture::demo().await;
    let releases = &fixture.engine.releases;
    let query = PullQuery::latest(Feed::Anonymous);
    releases.pull(&query, unheard()).await.expect("a release");
    let all = || releases.inventory(Feed::Anonymous).releases.len();
    let what = vec![Deletable::Release(Moment::Day(today()))];
    let deleted = releases.delete(Feed::Anonymous, what.clone()).await;
    let deleted = deleted.expect("deleted");
    assert_eq!(
        deleted.releases().collect::<Vec<_>>(),
        [Moment::Day(today())]
    );
    assert_eq!(all(), 0);
    let error = releases.open_local(Feed::Anonymous, None).await.map(drop);
    assert_eq!(error.map_err(|error| error.kind), Err(Kind::NotFound));
    let again = releases.delete(Feed::Anonymous, what.clone()).await;
    assert_eq!(again.map_err(|error| error.kind), Err(Kind::NotFound));
    releases.undelete(deleted).await.expect("back");
    assert_eq!(all(), 1);
    releases
        .open_local(Feed::Anonymous, None)
        .await
        .expect("answers");
    // What was deleted when the program ends is gone.
    let deleted = releases
        .delete(Feed::Anonymous, what)
        .await
        .expect("deleted");
    releases.empty_trash();
    let gone = releases.undelete(deleted).await;
    assert_eq!(gone.map_err(|error| error.kind), Err(Kind::NotFound));
}

#[tokio::test]
async fn a_release_in_the_way_keeps_only_its_own_day_from_being_put_back() {
    let fixture = Fixture::demo().await;
    let releases = &fixture.engine.releases;
    let (old, new) = (today().plus(-1), today());
    let pull = |day| PullQuery {
        wanted: WantedRelease::Day(day),
        ..PullQuery::latest(Feed::Dch)
    };
    for day in [old, new] {
        releases.pull(&pull(day), unheard()).await.expect("pulled");
    }
    let [old_release, new_release] = [old, new].map(|day| Deletable::Release(Moment::Day(day)));
    let both = releases.delete(Feed::Dch, vec![old_release, new_release]);
    let both = both.await.expect("deleted");
    releases.pull(&pull(old), unheard()).await.expect("again");
    let local = || releases.inventory(Feed::Dch).releases.len();
    for _ in 0..2 {
        let refused = releases.undelete(both.clone()).await;
        assert_eq!(refused.map_err(|error| error.kind), Err(Kind::Usage));
        assert_eq!(local(), 2);
    }
    let again = releases.delete(Feed::Dch, vec![old_release]).await;
    again.expect("deleted");
    assert_eq!(releases.undelete(both.clone()).await, Ok(both));
    assert_eq!(local(), 2);
}

#[tokio::test]
async fn a_feed_without_a_directory_has_nothing_to_delete() {
    let fixture = Fixture::demo().await;
    let what = vec![Deletable::Release(Moment::Day(today()))];
    let nothing = fixture.engine.releases.delete(Feed::Dch, what).await;
    assert_eq!(nothing.map_err(|error| error.kind), Err(Kind::NotFound));
}

#[tokio::test]
async fn presets_and_runs_are_kept_over_a_restart() {
    let mut fixture = Fixture::demo().await;
    let mut query = ExportQuery::all_of(Feed::Anonymous);
    (query.ccs, query.limit) = (vec!["NL".to_owned()], Some(100));
    fixture
        .engine
        .releases
        .pull(&PullQuery::latest(Feed::Anonymous), unheard())
        .await
        .expect("a release");
    let exports = &fixture.engine.exports;
    exports
        .save_preset("a", &ExportQuery::all_of(Feed::Dch))
        .expect("saved");
    exports.save_preset("a", &query).expect("saved again");
    let run = ExportRun {
        query: query.clone(),
        file: fixture.path("out.csv"),
        force: false,
        spreadsheet_safe: false,
    };
    let exported = exports.export_local(&run).await.expect("an export");
    exports.remember_run(&run, &exported).expect("remembered");
    fixture.restart();
    let saved = fixture.engine.exports.saved().expect("saved");
    let presets: Vec<_> = saved
        .presets
        .iter()
        .map(|preset| (preset.name.as_str(), &preset.query))
        .collect();
    assert_eq!(presets, [("a", &query)]);
    let [past] = saved.runs.as_slice() else {
        panic!("{saved:?}")
    };
    assert_eq!(
        (&past.query, past.records, past.is_local),
        (&query, exported.records, true)
    );
    let exports = &fixture.engine.exports;
    exports.delete_preset("a").expect("deleted");
    assert_eq!(exports.saved().expect("saved").presets, []);
    exports.save_preset("a", &query).expect("brought back");
    assert_eq!(exports.saved().expect("saved").presets.len(), 1);
}
