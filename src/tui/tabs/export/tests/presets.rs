//! Presets and past runs.

use super::*;
use crate::{
    engine::{PastRun, Preset, SavedExports},
    store::Moment,
};

fn preset() -> Preset {
    Preset {
        name: "crypto exits".to_owned(),
        query: query(|q| q.ccs = vec!["NL".to_owned()]),
    }
}

fn saved() -> SavedExports {
    SavedExports {
        presets: vec![preset()],
        runs: vec![PastRun {
            query: query(|q| q.attributed = true),
            at: harness::now(),
            file: PathBuf::from("/cases/anonymous.csv"),
            records: Some(43_291),
            is_local: false,
            release: None,
        }],
    }
}

/// Opens the list of what is kept.
fn listed() -> Harness {
    let mut script = script();
    script.keys("O");
    script.answer(&Question::SavedExports, Ok(Answer::SavedExports(saved())));
    script
}

#[test]
fn a_form_is_kept_under_a_name_and_loaded_again() {
    let mut script = script();
    script.keys("w");
    script.types("crypto exits");
    let save = Question::SavePreset("crypto exits".to_owned(), query(|_| ()));
    assert_eq!(questions(&script.keys("<enter>")), slice::from_ref(&save));
    let (kept, saved) = (preset().query, saved());
    script.answer(&save, Ok(Answer::SavedExports(saved.clone())));
    assert_eq!(script.notice(), "preset crypto exits saved; O loads (1)");
    assert_eq!(questions(&script.keys("O")), [Question::SavedExports]);
    script.answer(&Question::SavedExports, Ok(Answer::SavedExports(saved)));
    insta::assert_snapshot!(script.screen_at(120, 36));
    script.keys("<enter>");
    assert_eq!(asked(&script), kept);
    script.keys("u");
    assert_eq!(asked(&script), query(|_| ()));
}

#[test]
fn a_preset_is_deleted_by_its_own_key_and_undo_brings_it_back() {
    let mut script = listed();
    let delete = Question::DeletePreset(preset());
    assert_eq!(
        questions(&script.keys("<ctrl-x>")),
        slice::from_ref(&delete)
    );
    let rest = SavedExports {
        presets: Vec::new(),
        ..saved()
    };
    script.answer(&delete, Ok(Answer::SavedExports(rest)));
    assert_eq!(
        script.notice(),
        "preset crypto exits deleted; u in the form brings it back"
    );
    // A run is not deleted.
    assert_eq!(questions(&script.keys("<ctrl-x>")), []);
    assert_eq!(script.notice(), "this is a run: only presets are deleted");
    // A change of the form after that is undone first.
    script.keys("<esc><right>");
    assert_eq!(questions(&script.keys("u")), []);
    let Preset { name, query } = preset();
    let save = Question::SavePreset(name, query);
    assert_eq!(questions(&script.keys("u")), [save]);
    assert_eq!(questions(&script.keys("u")), []);
    assert_eq!(script.notice(), "nothing to undo");
}

#[test]
fn a_run_is_loaded_into_the_form_and_its_rows_are_shown() {
    let mut script = listed();
    script.keys("<down><enter>");
    assert_eq!(asked(&script), query(|q| q.attributed = true));
    let mut script = listed();
    script.keys("<ctrl-t>");
    assert_eq!(script.notice(), "this is a preset: only runs have rows");
    let cmds = script.keys("<down><ctrl-t>");
    let [Question::ExportRows(asked, _)] = &questions(&cmds)[..] else {
        panic!("{cmds:?}")
    };
    assert_eq!(asked.file, PathBuf::from("/cases/anonymous.csv"));
    let screen = script.screen();
    assert!(screen.contains("Rows of anonymous.csv"), "{screen}");
}

#[test]
fn rows_of_an_earlier_run_name_their_source_with_day_and_age() {
    for (is_local, release, words) in [
        (false, None, "LIVE anonymous, asked 2026-11-20, now"),
        (true, None, "LOCAL anonymous, asked 2026-11-20, now"),
        (
            true,
            Moment::parse("20261119"),
            "LOCAL anonymous 2026-11-19, ~47h old",
        ),
    ] {
        let mut script = script();
        script.keys("O");
        let mut saved = saved();
        saved.runs[0].is_local = is_local;
        saved.runs[0].release = release.map(|moment| (moment, moment.generation()));
        script.answer(&Question::SavedExports, Ok(Answer::SavedExports(saved)));
        script.keys("<down><ctrl-t>");
        let screen = script.screen_at(80, 24);
        assert!(screen.contains(words), "{words}\n{screen}");
    }
}
