//! What is at hand about an address on a past day: never "no record" while a release that may have one is not local.

use std::{net::IpAddr, sync::Arc};

use ipspect::{
    contract::Feed,
    demo::{Demo, FaultSite},
    engine::{
        Missing, MissingWhy, PullQuery, Pulled, WantedRelease,
        answers::{BestAnswer, DayAnswer},
        progress::unheard,
    },
    model::Day,
    store::ReleasePlace,
};

use super::{
    fixture::{Fixture, today},
    views::{gzip_text, records},
};

async fn pull(fixture: &Fixture<Demo>, feed: Feed, day: Day) -> Pulled {
    let query = PullQuery {
        wanted: WantedRelease::Day(day),
        ..PullQuery::latest(feed)
    };
    let pulled = fixture.engine.releases.pull(&query, unheard()).await;
    pulled.expect("a day")
}

/// What is at hand about one address on a day in these feeds.
async fn on(fixture: &Fixture<Demo>, feeds: &[Feed], day: Day, address: IpAddr) -> DayAnswer {
    let answers = &fixture.engine.answers;
    let releases = answers.open_day(feeds, Some(day)).await.expect("releases");
    let addresses: Arc<[IpAddr]> = Arc::new([address]);
    let found = answers.answer_on(&releases, addresses).await;
    found.expect("an answer").remove(0)
}

/// The feed of a local record.
fn feed_of(answer: &DayAnswer) -> Option<Feed> {
    match answer {
        DayAnswer::Known(Some(BestAnswer::Local(record))) => Some(record.release.manifest.feed),
        _ => None,
    }
}

#[tokio::test]
async fn netblocks_of_a_day_answer_only_where_the_contexts_of_that_day_are_local() {
    let fixture = Fixture::demo().await;
    let [first, second] = [2, 1].map(|back| today().plus(-back));
    let contexts = pull(&fixture, Feed::Anonymous, first).await;
    pull(&fixture, Feed::Dch, first).await;
    let blocks = pull(&fixture, Feed::Dch, second).await;
    let networks = |pulled: &Pulled| -> Vec<ipnet::IpNet> {
        let records = records(&gzip_text(&pulled.release.data));
        let subjects = records.into_iter().filter_map(|(_, terms)| terms.subject);
        subjects.map(|subject| subject.network()).collect()
    };
    let (contexts, blocks) = (networks(&contexts), networks(&blocks));
    let known = contexts[0].addr();
    let block = blocks.iter().find_map(|block| {
        let last = block.broadcast();
        (!contexts.iter().any(|network| network.contains(&last))).then_some(last)
    });
    let block = block.expect("a netblock without a context at its end");
    let both = [Feed::Anonymous, Feed::Dch];
    let found = on(&fixture, &both, first, known).await;
    assert_eq!(feed_of(&found), Some(Feed::Anonymous));
    assert_eq!(
        feed_of(&on(&fixture, &both, first, block).await),
        Some(Feed::Dch)
    );
    for address in [known, block] {
        let found = on(&fixture, &both, second, address).await;
        let missing = Missing {
            feed: Feed::Anonymous,
            day: Some(second),
            why: MissingWhy::NotAt(ReleasePlace::Local),
        };
        assert_eq!(found, DayAnswer::Unknown(missing), "{address}");
    }
    let found = on(&fixture, &[Feed::Dch], second, block).await;
    assert_eq!(feed_of(&found), Some(Feed::Dch));
    let none: IpAddr = "192.0.2.255".parse().expect("an address");
    let found = on(&fixture, &both, first, none).await;
    assert_eq!(found, DayAnswer::Known(None));
    assert_eq!(fixture.seen(FaultSite::Context).len(), 0);
}
