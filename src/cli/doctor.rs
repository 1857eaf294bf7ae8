//! `doctor`: what is right, what is not, and what to do about it. It reads and asks; it mends nothing and shows no token.

mod check;
mod disk;
mod hosts;
mod terminal;
mod values;

use self::{
    check::{Check, Level},
    values::Values,
};
use super::{
    args::DoctorArgs,
    console::{Console, Outcome},
    exit::Exit,
};
use crate::{
    engine::{Engine, Kind, Result, Settings, config::SAMPLE, origins::origins},
    model::visible,
    report::{Csv, Line, Paint, Results, escaped},
};

/// Looks at everything, or prints the sample of the configuration, or each of its values with where it comes from.
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
    if args.values {
        console.show(&Values(origins(&settings?)?))?;
        return Ok(Exit::DONE);
    }
    let checks = match settings {
        Ok(settings) => all(settings, console).await,
        Err(error) => vec![
            Check::failed("configuration", &error),
            terminal::check(console),
        ],
    };
    let report = Checks(checks);
    console.show(&report)?;
    let first = report.0.iter().find_map(|check| check.level.failure());
    Ok(first.map_or(Exit::DONE, Exit::of))
}

async fn all(settings: Settings, console: &Console) -> Vec<Check> {
    let engine = Engine::new(settings);
    let mut checks = vec![disk::configuration(&engine.settings)];
    checks.extend(disk::folders(&engine.settings));
    checks.extend(disk::files(&engine));
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

/// What was checked.
struct Checks(Vec<Check>);

impl Results for Checks {
    const CSV: Csv = Csv::of(&[&["level", "about", "said", "advice"]]);

    fn lines(&self) -> Vec<Line> {
        let line = |check: &Check| {
            Line::new()
                .key("level", check.level.word())
                .key("about", check.about)
                .key("said", &check.said)
                .key("advice", &check.advice)
                .key("kind", check.level.failure().map(Kind::word))
        };
        self.0.iter().map(line).collect()
    }

    fn text(&self, paint: Paint) -> String {
        let line = |check: &Check| {
            let word = format!("{:4}", check.level.word());
            let word = match check.level {
                Level::Fine => paint.faint(&word),
                Level::Warning => paint.notable(&word),
                Level::Failed(_) => paint.alarm(&word),
            };
            let advice = check.advice.as_ref();
            let advice = advice.map(|advice| format!("\n{:22}{}", "", visible(advice)));
            let (said, advice) = (visible(&check.said), advice.unwrap_or_default());
            format!("{word}  {:14}  {said}{advice}\n", check.about)
        };
        self.0.iter().map(line).collect()
    }

    fn markdown(&self) -> String {
        let line = |check: &Check| {
            let advice = check.advice.as_ref();
            let advice = advice.map(|advice| format!(" ({})", escaped(advice)));
            let (said, advice) = (escaped(&check.said), advice.unwrap_or_default());
            format!(
                "- **{}** {}: {said}{advice}\n",
                check.level.word(),
                check.about
            )
        };
        self.0.iter().map(line).collect()
    }
}
