//! The outcome of long work, in words.

use crate::{
    report::count,
    tui::{ctx::request::Answer, ui::words::bytes},
};

pub(super) fn words_of(answer: &Answer) -> String {
    match answer {
        Answer::Pulled(pulled) => {
            let manifest = &pulled.release.manifest;
            let records = manifest.records.map_or(String::new(), |records| {
                format!(", {} records", count(records))
            });
            let rejected = match manifest.rejected.count {
                0 => String::new(),
                count => format!(", {count} lines rejected"),
            };
            let resumed = match pulled.resumed_from {
                0 => String::new(),
                from => format!(", resumed at {}", bytes(from)),
            };
            let was_here = if pulled.was_here {
                " is local already"
            } else {
                ""
            };
            format!(
                "{}{was_here}{records}{resumed}{rejected}",
                manifest.moment.dashed()
            )
        }
        Answer::Exported(exported) => {
            let records = exported.records.map_or(String::new(), |records| {
                format!("{} records to ", count(records))
            });
            format!("{records}{}", exported.file.display())
        }
        Answer::Verified(forms) => {
            let index = if forms.iter().any(|form| form.index) {
                " and index"
            } else {
                ""
            };
            let days = forms
                .first()
                .map(|form| form.release.manifest.moment.dashed());
            format!("{}: file{index} as published", days.unwrap_or_default())
        }
        Answer::Reindexed(release) => {
            let records = release.manifest.records.unwrap_or_default();
            format!(
                "{}: {} records",
                release.manifest.moment.dashed(),
                count(records)
            )
        }
        Answer::Left(part) => match part {
            Some(part) => format!("{} deleted", bytes(part.bytes)),
            None => "there was nothing to delete".to_owned(),
        },
        _ => "done".to_owned(),
    }
}
