//! `common`: what the records about some addresses share and the rest of their feed does not. Nothing is sent.

use super::{
    args::{ResultFormat, common::CommonArgs},
    console::CommandResult,
    exit::Exit,
    run::Run,
    text::InputText,
};
use crate::{
    engine::{at_home, off_thread, views::CommonQuery},
    investigation::{
        common::Common,
        comparison::{RecordSet, SideList, SideName},
    },
    report::{Results, Ticket, common_columns, common_in_words, counted, shared_rows},
};

/// Values that are printed where no number is asked for.
const USUAL: usize = 25;

/// The table of the values.
pub(super) fn table_of(_args: &CommonArgs) -> Vec<&'static str> {
    common_columns().names()
}

/// Prints what the records of a set share.
///
/// # Errors
/// A set that cannot be read; a release that is not downloaded.
pub(super) async fn run(args: &CommonArgs, run: Run<'_>) -> CommandResult {
    let Run { engine, console } = run;
    let settings = &engine.settings;
    let (set, feed) = args.set(settings.today())?;
    console.if_interrupted("nothing was printed");
    let (query, day) = match set {
        SideName::Records(RecordSet { feed, day, filter }) => {
            (CommonQuery::Matching(feed, day, filter), day)
        }
        SideName::Text(path, day) => {
            let admission = settings.admission.clone();
            let list = off_thread(move || {
                let text = InputText::named(&at_home(&path));
                SideList::read(text.open()?, &path, day, &admission)
            })
            .await?;
            for note in list.notes() {
                console.warn(note);
            }
            (
                CommonQuery::Addresses(list.addresses().into(), feed, day),
                day,
            )
        }
        SideName::Address(address, day) => {
            (CommonQuery::Addresses([address].into(), feed, day), day)
        }
    };
    let common = Common::of(engine, &query).await?;
    for feed in &common.unusable {
        console.complain(None, &feed.why);
    }
    // A day that was named is as old as it was meant to be.
    if day.is_none() {
        run.note_ages([&common.release]);
    }
    let all = shared_rows(&common, args.all);
    let usual = match console.format() {
        ResultFormat::Text | ResultFormat::Md => USUAL,
        _ => all.len(),
    };
    let limit = args.limit.unwrap_or(usual);
    let rows = &all[..limit.min(all.len())];
    let sentence = common_in_words(&common);
    console.note(&sentence);
    let ticket = Ticket::about(&args.set).sentence(&format!("{sentence}."));
    console.show(Results::table(common_columns(), rows, ticket))?;
    note_left(&common, rows.len(), all.len(), run);
    let why = common.unusable.first().map(|feed| &feed.why);
    Ok(Exit::DONE.or_of(why))
}

/// Names what is not shown.
fn note_left(common: &Common, shown: usize, told: usize, run: Run<'_>) {
    if told == 0 {
        let why = if common.among < 2 {
            "there are no two records to share something: name more addresses"
        } else {
            "they share nothing that is more often than in the rest of the feed"
        };
        run.console.note(why);
    }
    if shown < told {
        let more = counted((told - shown) as u64, "more value");
        run.console
            .note(&format!("{more}: --limit {told} shows them"));
    }
    let others = common.values.len() - told;
    if others > 0 {
        let others = counted(others as u64, "shared value");
        run.console.note(&format!(
            "{others} not certain to be more often than in the rest of the feed, or exits, which are not counted there: --all shows them"
        ));
    }
    if !common.has_read {
        run.console
            .note("networks and exits are not read of more than 100,000 records");
    }
}
