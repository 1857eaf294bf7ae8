//! `doctor`: what is right, what is not, and what to do about it. It reads and asks; it mends nothing and shows no token.

mod check;
mod disk;
mod hosts;
mod terminal;

use self::check::{Check, Level};
use super::{
    args::{DoctorArgs, Format},
    console::{Console, Outcome},
    exit::Exit,
};
use crate::{
    engine::{Engine, Result, Settings, config::SAMPLE},
    model::visible,
    report::{Csv, Line, Paint, escaped},
};

const CSV: Csv = Csv::of(&["level", "about", "said", "advice"]);

/// Looks at everything, or prints the sample of the configuration.
///
/// # Errors
/// What went wrong with standard output; what is wrong otherwise is in the lines and in the code.
pub(super) async fn run(
    args: &DoctorArgs,
    settings: Result<Settings>,
    console: &Console,
) -> Outcome {
    if args.sample {
        console.results(SAMPLE)?;
        return Ok(Exit::DONE);
    }
    let checks = match settings {
        Ok(settings) => all(settings, console).await,
        Err(error) => vec![
            Check::failed("configuration", &error),
            terminal::check(console),
        ],
    };
    let results: String = match console.format() {
        Format::Json => checks.iter().map(|check| json(check) + "\n").collect(),
        Format::Csv => CSV.header() + &checks.iter().map(csv).collect::<String>(),
        Format::Text => checks
            .iter()
            .map(|check| text(check, console.paint()))
            .collect(),
        Format::Md => checks.iter().map(markdown).collect(),
    };
    console.results(&results)?;
    let first = checks.iter().find_map(|check| match check.level {
        Level::Failed(kind) => Some(kind),
        _ => None,
    });
    Ok(first.map_or(Exit::DONE, Exit::of))
}

async fn all(settings: Settings, console: &Console) -> Vec<Check> {
    let engine = Engine::new(settings);
    let mut checks = vec![disk::configuration(&engine.settings)];
    checks.extend(disk::folders(&engine.settings));
    let token = hosts::token(&engine.settings).await;
    let has_token = !matches!(token.level, Level::Failed(_));
    checks.push(token);
    checks.extend(disk::leftover_token(&engine.settings));
    checks.extend(disk::state(&engine));
    checks.extend(hosts::all(&engine, has_token).await);
    checks.extend(disk::cache(&engine));
    checks.push(terminal::check(console));
    checks
}

fn json(check: &Check) -> String {
    let kind = match check.level {
        Level::Failed(kind) => Some(kind.word()),
        _ => None,
    };
    Line::new()
        .key("level", check.level.word())
        .key("about", check.about)
        .key("said", &check.said)
        .key("advice", &check.advice)
        .key("kind", kind)
        .end()
}

fn csv(check: &Check) -> String {
    CSV.row(&[
        check.level.word(),
        check.about,
        &check.said,
        check.advice.as_deref().unwrap_or_default(),
    ])
}

fn text(check: &Check, paint: Paint) -> String {
    let word = format!("{:4}", check.level.word());
    let word = match check.level {
        Level::Fine => paint.faint(&word),
        Level::Warning => paint.notable(&word),
        Level::Failed(_) => paint.alarm(&word),
    };
    let advice = check
        .advice
        .as_ref()
        .map(|advice| format!("\n{:22}{}", "", visible(advice)))
        .unwrap_or_default();
    format!(
        "{word}  {:14}  {}{advice}\n",
        check.about,
        visible(&check.said)
    )
}

fn markdown(check: &Check) -> String {
    let advice = check
        .advice
        .as_ref()
        .map(|advice| format!(" ({})", escaped(advice)))
        .unwrap_or_default();
    format!(
        "- **{}** {}: {}{advice}\n",
        check.level.word(),
        check.about,
        escaped(&check.said)
    )
}
