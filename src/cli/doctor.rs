//! `doctor`: checks the setup and says what to do. It changes nothing and shows no token.

mod check;
mod disk;
mod hosts;
mod values;

use self::check::{CheckLevel, DoctorCheck};
use super::{
    args::DoctorArgs,
    console::{CommandResult, Console},
    exit::Exit,
};
use crate::{
    engine::{Engine, Kind, Result, Settings, config::SAMPLE, origins::origins},
    model::visible,
    report::{Columns, Results, Ticket, counted, each, escaped, hanging},
};

/// The table of the checks, or of the values.
pub(super) fn table_of(args: &DoctorArgs) -> Vec<&'static str> {
    if args.values {
        values::columns().names()
    } else {
        check_columns().names()
    }
}

/// Looks at everything, or prints the sample of the configuration, or each of its values with where it comes from.
///
/// # Errors
/// Failures of standard output; all other findings are in the lines and in the exit code.
pub(super) async fn run(
    args: &DoctorArgs,
    settings: Result<Settings>,
    console: &Console,
) -> CommandResult {
    if args.sample {
        console.results(SAMPLE)?;
        return Ok(Exit::DONE);
    }
    if args.values {
        values::show(&origins(&settings?)?, console)?;
        return Ok(Exit::DONE);
    }
    let checks = match settings {
        Ok(settings) => all(settings, console).await,
        Err(error) => vec![
            DoctorCheck::failed("configuration", &error),
            disk::terminal(console),
        ],
    };
    show(&checks, console)?;
    let first = checks.iter().find_map(|check| check.level.failure());
    Ok(first.map_or(Exit::DONE, Exit::of))
}

async fn all(settings: Settings, console: &Console) -> Vec<DoctorCheck> {
    let engine = Engine::new(settings);
    let mut checks = vec![disk::configuration(&engine.settings)];
    checks.extend(disk::folders(&engine.settings));
    checks.extend(disk::files(&engine));
    let token = hosts::token(&engine.settings).await;
    let has_token = !matches!(token.level, CheckLevel::Failed(_));
    checks.push(token);
    checks.extend(disk::leftover_token(&engine.settings));
    checks.extend(disk::state(&engine));
    checks.extend(hosts::network(&engine.settings));
    checks.extend(hosts::all(&engine, has_token).await);
    checks.extend(hosts::warehouse(&engine).await);
    checks.extend(disk::cache(&engine));
    checks.push(disk::terminal(console));
    checks
}

/// Prints the checks: for people a line each, with the advice under its finding.
fn show(checks: &[DoctorCheck], console: &Console) -> CommandResult<()> {
    /// Where findings begin in a line.
    const ADVICE: usize = 22;
    let style = console.style();
    let line = |check: &DoctorCheck| {
        let word = format!("{:4}", check.level.word());
        let word = match check.level {
            CheckLevel::Fine => style.faint(&word),
            CheckLevel::Warning => style.notable(&word),
            CheckLevel::Failed(_) => style.alarm(&word),
        };
        let hung = |text: &String| hanging(&visible(text), ADVICE, style);
        let advice = check.advice.as_ref().map(hung);
        let advice = advice.map(|advice| format!("\n{:ADVICE$}{advice}", ""));
        let (finding, advice) = (hung(&check.finding), advice.unwrap_or_default());
        format!("{word}  {:14}  {finding}{advice}\n", check.about)
    };
    let item = |check: &DoctorCheck| {
        let advice = check.advice.as_ref();
        let advice = advice.map(|advice| format!(" ({})", escaped(advice)));
        let (finding, advice) = (escaped(&check.finding), advice.unwrap_or_default());
        let (level, about) = (check.level.word(), check.about);
        format!("- **{level}** {about}: {finding}{advice}\n")
    };
    let ticket = Ticket::about("Doctor").sentence(&sentence(checks));
    let markdown = ticket.clone().end() + &each(checks.iter().map(item), "");
    let results = Results::table(check_columns(), checks, ticket);
    console.show(
        results
            .text(each(checks.iter().map(line), ""))
            .markdown(markdown),
    )
}

fn sentence(checks: &[DoctorCheck]) -> String {
    let number =
        |is: fn(&CheckLevel) -> bool| checks.iter().filter(|check| is(&check.level)).count();
    let failed = number(|level| matches!(level, CheckLevel::Failed(_)));
    let warned = number(|level| matches!(level, CheckLevel::Warning));
    let all = checks.len();
    if failed + warned == 0 {
        return format!("All {all} checks are fine.");
    }
    let warnings = counted(warned as u64, "warning");
    format!("{all} checks: {failed} failed, {warnings}.")
}

fn check_columns() -> Columns<DoctorCheck> {
    Columns::<DoctorCheck>::default()
        .data("level", |check| check.level.word())
        .data("about", |check| check.about)
        .data("said", |check| check.finding.clone())
        .data("advice", |check| check.advice.clone())
        .json("kind", |check| check.level.failure().map(Kind::word))
}
