//! What records share and the rest of their feed does not, as a list to choose from: of marks, a table or a filter. Enter opens the records
//! of the feed that have the value.

use super::{
    Answer, Choice, Destination, Flow, FromAnswer as _, Question, Scope, TabReply, UpdateCtx,
};
use crate::{
    engine::views::{CommonQuery, ViewQuery},
    investigation::common::Common,
    report::{SharedRow, common_in_words, shared_rows},
    store::{Filter, index::Order},
    tui::ui::{PickerItem, Tone},
};

/// More than so many values are not listed: the first tell most.
const MOST: usize = 200;

/// Asks what records share. The list is there once that is known, with the actions of this scope.
pub fn shared_values(query: CommonQuery, actions: Option<Scope>, ctx: &mut UpdateCtx<'_>) -> Flow {
    ctx.ask(Question::Common(query));
    let title = match actions {
        Some(_) => "In common, unlike the rest of the feed; ctrl-space marks who has it",
        None => "In common, unlike the rest of the feed",
    };
    let choice = Choice::reading(title, |reply| match (reply.question, &reply.result) {
        (Question::Common(query), Ok(Answer::Common(common))) => Some(items(query, common)),
        (Question::Common(_), Err(_)) => Some(Vec::new()),
        _ => None,
    });
    Flow::Push(Box::new(match actions {
        Some(scope) => choice.with_actions(scope),
        None => choice,
    }))
}

/// Says among which records the values are counted, or why there are none.
pub fn say_shared(reply: TabReply<'_>, ctx: &mut UpdateCtx<'_>) {
    match <Box<Common>>::of_result(reply.result) {
        Ok(common) => {
            for feed in &common.unusable {
                ctx.out.say(Tone::Warn, feed.why.message.clone());
            }
            let among = common_in_words(&common);
            let text = match (shared_rows(&common, false).len(), common.among) {
                (0, ..2) => format!("mark two or more records: {among}"),
                (0, _) => format!("{among}: they share nothing that is more often there"),
                _ => among,
            };
            ctx.out.say(Tone::Info, text);
        }
        Err(error) => ctx.out.say(Tone::Error, error.message),
    }
}

fn items(query: &CommonQuery, common: &Common) -> Vec<PickerItem<Destination>> {
    let rows = shared_rows(common, false).into_iter();
    let items = rows.take(MOST).filter_map(|row| {
        let place = place(query, row)?;
        let count = &row.shared.count;
        let label = format!("{} {}", count.field.name(), count.value);
        Some(PickerItem::new(label, row.in_words(), place))
    });
    items.collect()
}

/// The records with the value, of those that a filter selects where one does.
fn place(query: &CommonQuery, row: SharedRow<'_>) -> Option<Destination> {
    let mut filter = match query {
        CommonQuery::Matching(.., filter) => filter.clone(),
        CommonQuery::Addresses(..) => Filter::default(),
    };
    filter.terms.extend(row.shared.count.filter()?.terms);
    let manifest = &row.common.release.manifest;
    let has_clients = manifest.feed.holds_contexts();
    Some(Destination::Browse(ViewQuery {
        feed: manifest.feed,
        day: Some(manifest.moment.day()),
        filter,
        order: if has_clients {
            Order::Clients
        } else {
            Order::Address
        },
    }))
}
