use super::*;

#[tokio::test]
async fn a_lookup_costs_one_query_and_says_what_is_left() {
    let demo = demo().await;
    let answer = context(&demo, "/v2/context/198.51.100.77").await;
    assert_eq!(
        (answer.status, answer.header("content-type")),
        (200, Some("application/json"))
    );
    assert_eq!(answer.header("x-balance-remaining"), Some("48119"));
    assert_eq!(answer.header("x-result-dt"), Some("20261120"));
    assert_eq!(answer.json()["tunnels"][0]["operator"], "ACME_VPN");
    let status = context(&demo, "/status").await;
    assert_eq!(
        status.json(),
        serde_json::json!({"active": true, "queriesRemaining": 48_119, "serviceTier": "enterprise"})
    );
    assert_eq!(demo.spent(DemoRole::Full), 1);
    // Nothing but an answer to a lookup costs a query.
    for target in [
        "/v2/context/10.0.0.1",
        "/v2/context/nonsense",
        "/v2/metadata/tags/ACME_VPN",
        "/status",
        "/",
    ] {
        assert_eq!(
            context(&demo, target).await.header("x-balance-remaining"),
            None,
            "{target}"
        );
    }
    assert_eq!(demo.spent(DemoRole::Full), 1);
}

#[tokio::test]
async fn refusals_are_those_of_the_contract() {
    let demo = demo().await;
    let lookup = "/v2/context/203.0.113.9";
    let history = "/v2/context/203.0.113.9?dt=20261115";
    for (role, target, status) in [
        (DemoRole::Full, lookup, 200),
        (DemoRole::Full, history, 200),
        (DemoRole::Full, "/v2/context/8.8.8.8.8", 400),
        (DemoRole::Full, "/v2/context/127.0.0.1", 400),
        (DemoRole::Full, "/v2/context/2001:db9::1", 400),
        (DemoRole::Full, "/v2/context/203.0.113.9?dt=2026-11-15", 400),
        (DemoRole::Full, "/v2/context/203.0.113.9?dt=20261121", 400),
        (DemoRole::Full, "/v2/context/203.0.113.9?dt=20261106", 404),
        (DemoRole::Full, "/v2/context/203.0.113.9?dt=20261107", 200),
        (DemoRole::Full, "/v2/metadata/tags/NOBODY_VPN", 404),
        (DemoRole::Full, "/v1/context/203.0.113.9", 404),
        (DemoRole::NoHistory, lookup, 200),
        (DemoRole::NoHistory, history, 403),
        (DemoRole::ContextOnly, lookup, 200),
        (DemoRole::FeedsOnly, lookup, 403),
        (DemoRole::FeedsOnly, "/v2/metadata/tags/ACME_VPN", 403),
        (DemoRole::FeedsOnly, "/status", 200),
        (DemoRole::Inactive, lookup, 403),
        (DemoRole::Inactive, "/status", 200),
        (DemoRole::Invalid, lookup, 401),
        (DemoRole::Invalid, "/status", 401),
        (DemoRole::Spent, lookup, 429),
        (DemoRole::Spent, "/v2/metadata/tags/ACME_VPN", 200),
    ] {
        let answer = ask_as(&demo, role, Host::Context, target).await;
        assert_eq!(answer.status, status, "{role} {target}: {}", answer.text());
    }
    assert_eq!(ask(&demo.url(Host::Context), lookup, "").await.status, 401);
    // The token may be in the query for downloads only (contract, part 5.2).
    let in_query = format!("{lookup}?Token={}", DemoRole::Full.token());
    assert_eq!(
        ask(&demo.url(Host::Context), &in_query, "").await.status,
        401
    );
}

#[tokio::test]
async fn three_queries_are_three_queries() {
    let demo = demo().await;
    for left in ["2", "1", "0"] {
        let answer = ask_as(
            &demo,
            DemoRole::NearlySpent,
            Host::Context,
            "/v2/context/192.0.2.1",
        )
        .await;
        assert_eq!(answer.header("x-balance-remaining"), Some(left));
    }
    let refused = ask_as(
        &demo,
        DemoRole::NearlySpent,
        Host::Context,
        "/v2/context/192.0.2.1",
    )
    .await;
    assert_eq!(refused.status, 429);
    assert_eq!(demo.spent(DemoRole::NearlySpent), 3);
}

#[tokio::test]
async fn a_date_gives_that_days_record() {
    let demo = demo().await;
    let then = context(&demo, "/v2/context/198.51.100.77?dt=20261110").await;
    assert_eq!(then.header("x-result-dt"), Some("20261110"));
    assert_eq!(then.json()["tunnels"][0]["operator"], "BRAVO_PROXY");
    // Before the morning's release the current data is yesterday's.
    let early = demo_at("2026-11-20T02:00:00Z").await;
    let answer = context(&early, "/v2/context/198.51.100.77").await;
    assert_eq!(answer.header("x-result-dt"), Some("20261119"));
    assert_eq!(
        context(&early, "/v2/context/198.51.100.77?dt=20261120")
            .await
            .status,
        404
    );
}

#[tokio::test]
async fn nothing_known_is_an_answer_with_four_fields() {
    let demo = demo().await;
    let answer = context(&demo, "/v2/context/203.0.113.9").await.json();
    let keys: Vec<&String> = answer.as_object().expect("object").keys().collect();
    assert_eq!(keys, ["as", "ip", "location", "organization"]);
}

#[tokio::test]
async fn the_other_geolocation_changes_the_location_alone() {
    let demo = demo().await;
    let mut moved = 0;
    for host in 0..40 {
        let target = format!("/v2/context/198.18.{}.1", host * 12);
        let own = context(&demo, &target).await.json();
        let other = context(&demo, &format!("{target}?mmgeo=1")).await.json();
        moved += usize::from(own["location"] != other["location"]);
        assert_eq!(
            (&own["as"], &own["client"]),
            (&other["as"], &other["client"])
        );
    }
    assert!((1..40).contains(&moved), "{moved}");
}
