//! Since which local day a feed has a value.

use ipspect::{
    contract::Feed,
    engine::{PullQuery, WantedRelease, progress::unheard},
    model::Keyword,
};

use super::{
    feed::{gz, of_day},
    fixture::{Fixture, today},
    wire::answer,
};

/// The operators of the only record of each day, so many days ago; the other days are not local.
const DAYS: [(i32, &str); 6] = [
    (6, "OLD_VPN"),
    (4, "ACME_VPN"),
    (3, "BRAVO_VPN"),
    (2, "BRAVO_VPN"),
    (1, "ACME_VPN"),
    (0, "ACME_VPN"),
];

#[tokio::test]
async fn a_value_is_as_old_as_the_days_without_one_that_lacks_it() {
    let fixture = Fixture::wire().await;
    let engine = &fixture.engine;
    for (back, operator) in DAYS {
        let day = today().plus(-back);
        let record = format!(
            r#"{{"ip":"198.51.100.7","tunnels":[{{"type":"VPN","operator":"{operator}"}}]}}"#
        );
        fixture
            .service
            .says(of_day(&day.to_string(), &gz(record + "\n")));
        // Of an earlier day no metadata is asked for.
        if back == 0 {
            fixture.service.says(answer(200, "", "{}"));
        }
        let query = PullQuery {
            wanted: WantedRelease::Day(day),
            ..PullQuery::latest(Feed::Anonymous)
        };
        engine
            .releases
            .pull(&query, unheard())
            .await
            .expect("a day");
    }
    let uses = async |value: &str| {
        let found = engine.views.value_uses(value).await.expect("an answer");
        assert!(found.unusable.is_empty());
        let found = found.found.into_iter();
        found
            .map(|value_use| {
                (
                    value_use.field,
                    value_use.count,
                    value_use.since,
                    value_use.or_earlier,
                )
            })
            .collect::<Vec<_>>()
    };
    let since = |back: i32| today().plus(-back);
    // Another operator stood between; days that are not local are passed over.
    let (tag, kind) = (Keyword::Tag, Keyword::Type);
    assert_eq!(uses("acme_vpn").await, [(tag, 1, since(1), false)]);
    assert_eq!(uses("VPN").await, [(kind, 1, since(6), true)]);
    assert_eq!(uses("BRAVO_VPN").await, []);
}
