//! What a case keeps of a run: its texts, as tables.

use std::path;

use crate::{
    cli::{args::enrich::EnrichArgs, run::Run, text::InputText},
    engine::trail::{
        TrailEntry,
        kept_board::{BoardShape, KeptBoard},
    },
};

/// Keeps in the case that is open the tables of these texts, for the explorer to show them like that.
pub(super) fn remember(texts: &[InputText], args: &EnrichArgs, run: Run<'_>) {
    for text in texts {
        let InputText::File(path) = text else {
            continue;
        };
        let file = path::absolute(path).unwrap_or_else(|_| path.clone());
        let Ok(file) = file.into_os_string().into_string() else {
            continue;
        };
        let shape = BoardShape {
            zone: args.zone.clone(),
            by_day: args.at_time,
            filter: args.filter.clone().unwrap_or_default(),
            grouped_by: args.group.clone(),
            ..BoardShape::default()
        };
        let at = run.engine.settings.now();
        run.remember(|| TrailEntry::Board(Box::new(KeptBoard { file, at, shape })));
    }
}
