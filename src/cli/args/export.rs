//! Arguments of `export`, and the request they make.

use std::{
    path::{Path, PathBuf},
    str::FromStr,
};

use clap::{
    Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches,
    builder::{PossibleValue, PossibleValuesParser},
};

use super::{
    diff::filter,
    fields::check_filter,
    value::{check_extension, day, feed, picked_day, tag, usage},
};
use crate::{
    contract::{ExportField, ExportQuery, Output, Param, ParamValue, Rule},
    engine::{Error, Kind, LocalChoice, Result},
    model::Day,
    report::Parameter,
    store::export::DatabaseLayout,
};

/// Arguments of `export`
#[derive(Debug, Args)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag")]
#[command(
    after_help = "FEED: anonymous, anonymous-residential, anonymous-ipv6, anonymous-residential-ipv6, dch\n\
    FIELDS: ip, network, tag, callbackProxy, infrastructure, services, clientCount, locationCity, locationState, \
    locationCountry; for dch network, organization, asn\n\
    LAYOUT geoip: operator, organization, autonomous_system_number, autonomous_system_organization, is_anonymous, \
    is_anonymous_vpn, is_hosting_provider, is_public_proxy, is_residential_proxy, is_tor_exit_node, continent.code, \
    continent.names.en, country.iso_code, country.names.en, city.names.en, subdivisions.0.names.en; a flag that is not \
    known is left out, and typed readers show it as false\n\
    JSON: {\"feed\",\"output\",\"file\",\"bytes\",\"records\",\"asked_at\",\"url\",\"source\":\"live|local\",\"day\"}\n\n\
    Examples:\n  ipspect export anonymous --tags ACME_VPN --ccs nl,de --header -o acme.csv\n  \
    ipspect export anonymous --local --output json --diff -o changes.json\n  \
    ipspect export anonymous --local --mmdb-layout geoip -o anonymous.mmdb\n  \
    ipspect export anonymous-residential --output json --limit 1000 --dry-run"
)]
pub struct ExportArgs {
    /// The feed
    pub feed: String,
    #[command(flatten)]
    params: ParamArgs,
    /// Answer from the local feed, with the same meaning: nothing is sent
    #[arg(long)]
    pub local: bool,
    /// With --local: the release of this day, instead of the latest: 2026-11-01, -7d, yesterday
    #[arg(long, value_name = "DAY", allow_hyphen_values = true)]
    pub day: Option<String>,
    /// With --local: only these records; the language is that of `search`
    #[arg(long, value_name = "FILTER", allow_hyphen_values = true)]
    pub filter: Option<String>,
    /// With --local and MMDB: the names of fields in the file
    #[arg(long, value_name = "LAYOUT", value_parser = layouts())]
    pub mmdb_layout: Option<String>,
    /// Where to; `-` is standard output
    #[arg(short = 'o', long = "output-file", value_name = "FILE")]
    pub file: Option<PathBuf>,
    /// Replace an existing file
    #[arg(long)]
    pub force: bool,
    /// Guard CSV cells that a spreadsheet would take for formulas
    #[arg(long)]
    pub spreadsheet_safe: bool,
    /// Send nothing: print the URL and a curl line, or with --local what would be read
    #[arg(long)]
    pub dry_run: bool,
}

/// The parameters of the contract, a flag each.
#[derive(Debug)]
struct ParamArgs(Vec<(Param, Vec<String>)>);

impl Args for ParamArgs {
    fn augment_args(command: Command) -> Command {
        let flags = Param::ALL.into_iter().map(flag_of);
        command.args(flags)
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ParamArgs {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = Param::ALL.into_iter().filter_map(|param| {
            let flag = Parameter::of(param).flag;
            if let ParamValue::Truth(_) = param.default_value() {
                return matches.get_flag(flag).then(|| (param, Vec::new()));
            }
            let values = matches.get_many::<String>(flag)?;
            Some((param, values.cloned().collect()))
        });
        Ok(Self(given.collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

fn flag_of(param: Param) -> Arg {
    let words = Parameter::of(param);
    let arg = Arg::new(words.flag).long(words.flag).help(words.help);
    if words.value.is_empty() {
        return arg.action(ArgAction::SetTrue);
    }
    let arg = arg.value_name(words.value);
    match param.default_value() {
        ParamValue::Output(_) => {
            let forms = Output::ALL.map(|form| PossibleValue::new(form.name()).help(about(form)));
            arg.value_parser(PossibleValuesParser::new(forms))
        }
        ParamValue::Number(_) => arg.allow_negative_numbers(true),
        ParamValue::Day(_) => arg.allow_hyphen_values(true),
        _ => arg.action(ArgAction::Append),
    }
}

fn layouts() -> PossibleValuesParser {
    PossibleValuesParser::new([
        PossibleValue::new("service").help("As in the service's exports (default)"),
        PossibleValue::new("geoip").help(
            "As web servers, DNS servers and SIEMs know them: country.iso_code, is_anonymous_vpn",
        ),
    ])
}

fn about(form: Output) -> &'static str {
    match form {
        Output::Csv => "Comma-separated values",
        Output::Json => "JSON",
        Output::Mmdb => "A database indexed by address",
    }
}

impl ExportArgs {
    /// The request that is asked for. Whether the contract forbids it is not looked at here.
    ///
    /// # Errors
    /// [`Kind::Usage`] for an invalid feed, field, tag, number or day.
    pub fn query(&self, today: Day) -> Result<ExportQuery> {
        let mut query = ExportQuery::all_of(feed(&self.feed)?);
        let is_named = self
            .params
            .0
            .iter()
            .any(|(param, _)| *param == Param::Output);
        if let Some(file) = self.file.as_deref().filter(|_| !is_named) {
            let hint = "end FILE with .csv, .json or .mmdb, or name its format with --output";
            let [csv, json, mmdb] = Output::ALL.map(Output::name);
            check_extension(file, &[csv, json, mmdb, "txt"], hint)?;
            query.output = form_of(file).unwrap_or(query.output);
        }
        for (param, given) in &self.params.0 {
            query.set(*param, read(*param, given, today)?);
        }
        Ok(query)
    }
}

impl ExportArgs {
    /// Which local records the export is made from.
    ///
    /// # Errors
    /// [`Kind::Usage`] for an invalid day or filter, for a field that the feed does not have, and for a choice of local records
    /// in a request to the service.
    pub fn choice(&self, today: Day) -> Result<LocalChoice> {
        let given = [
            ("--day", &self.day),
            ("--filter", &self.filter),
            ("--mmdb-layout", &self.mmdb_layout),
        ];
        let given = given.into_iter().find(|(_, value)| value.is_some());
        if let Some((option, _)) = given.filter(|_| !self.local) {
            let error = usage(format!("{option} needs --local"));
            return Err(error.hint(if option == "--mmdb-layout" {
                "add --local; the service's files have the service's layout"
            } else {
                "add --local; the service filters by --tags, --ccs and --attributed"
            }));
        }
        let names_a_day = |(param, _): &(Param, Vec<String>)| *param == Param::DiffDate;
        if self.day.is_some() && self.params.0.iter().any(names_a_day) {
            let error = usage("--day and --diff-date name the same release");
            return Err(error.hint("leave one of them out"));
        }
        let filter = filter(self.filter.as_deref())?;
        check_filter(&[feed(&self.feed)?], &filter)?;
        Ok(LocalChoice {
            layout: self.layout(today)?,
            day: picked_day(self.day.as_deref(), today)?,
            filter,
        })
    }
}

impl ExportArgs {
    /// The layout of a database.
    fn layout(&self, today: Day) -> Result<DatabaseLayout> {
        let Some(layout) = &self.mmdb_layout else {
            return Ok(DatabaseLayout::Service);
        };
        let query = self.query(today)?;
        if query.output != Output::Mmdb {
            let error = usage(format!(
                "--mmdb-layout is about MMDB, and this export is {}",
                query.output.name()
            ));
            return Err(error.hint("add --output mmdb, or leave --mmdb-layout out"));
        }
        if layout == "service" {
            return Ok(DatabaseLayout::Service);
        }
        if !query.fields.is_empty() {
            let error = usage("--fields chooses fields of the service's layout");
            return Err(error.hint("leave --fields out, or take --mmdb-layout service"));
        }
        Ok(DatabaseLayout::Geoip)
    }
}

/// The form that the name of a file ends with.
fn form_of(file: &Path) -> Option<Output> {
    let ending = file.extension()?.to_str()?.to_ascii_lowercase();
    ending.parse().ok()
}

/// The value of a parameter as it was given; a flag without a value was given none.
fn read(param: Param, given: &[String], today: Day) -> Result<ParamValue> {
    let last = || given.last().map(String::as_str);
    Ok(match param.default_value() {
        ParamValue::Truth(_) => ParamValue::Truth(true),
        ParamValue::Output(default) => {
            let form = last().map(|text| text.parse().map_err(usage));
            ParamValue::Output(form.transpose()?.unwrap_or(default))
        }
        ParamValue::Fields(_) => ParamValue::Fields(list(given, |text| {
            ExportField::from_str(text).map_err(|unknown| usage(&unknown).hint(unknown.instead()))
        })?),
        ParamValue::Number(_) => ParamValue::Number(last().map(limit).transpose()?),
        ParamValue::Tags(_) => ParamValue::Tags(list(given, tag)?),
        ParamValue::Countries(_) => {
            ParamValue::Countries(list(given, |text| Ok(text.to_uppercase()))?)
        }
        ParamValue::Day(_) => ParamValue::Day(last().map(|text| day(text, today)).transpose()?),
    })
}

/// The items of lists separated by commas, each once, in the order given.
fn list<T: PartialEq>(lists: &[String], read: impl Fn(&str) -> Result<T>) -> Result<Vec<T>> {
    let items = lists.iter().flat_map(|list| list.split(','));
    let mut found = Vec::new();
    for item in items.map(str::trim).filter(|item| !item.is_empty()) {
        let item = read(item)?;
        if !found.contains(&item) {
            found.push(item);
        }
    }
    if found.is_empty() && !lists.is_empty() {
        // An empty filter would ask for everything, which is not what an empty variable in a script means.
        return Err(Error::new(Kind::Usage, "a list is empty")
            .hint("name something in it, or leave the option out"));
    }
    Ok(found)
}

fn limit(text: &str) -> Result<u64> {
    let digits = text.replace(['_', ','], "");
    if digits.starts_with('-') && digits.parse::<i128>().is_ok() {
        return Err(usage(Rule::LimitOutOfRange(0))
            .hint(format!("{text} was given; set limit to 1 or more")));
    }
    // Whether it is within bounds is a rule of the contract, and told with the other rules.
    digits.parse().map_err(|_| {
        usage(format!("--limit takes a whole number, not {text:?}"))
            .hint("for example --limit 1000")
    })
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;
    use crate::contract::Feed;

    #[derive(Debug, Parser)]
    struct ExportCommand {
        #[command(flatten)]
        args: ExportArgs,
    }

    fn query(line: &str) -> Result<ExportQuery> {
        ExportCommand::try_parse_from(format!("export {line}").split_whitespace())
            .expect(line)
            .args
            .query(Day::new(2026, 11, 20).expect("a day"))
    }

    #[test]
    fn all_options_make_one_request() {
        let query = query(
            "anonymous --output json --header --fields ip,tag --fields services,ip --limit 1,000 --tags acme_vpn,CARGO_VPN \
             --ccs nl,DE --attributed --diff --diff-date 20261119",
        )
        .expect("query");
        let parameters = query.parameters();
        let parameters: Vec<String> = parameters
            .iter()
            .map(|(param, value)| format!("{}={value}", param.name()))
            .collect();
        assert_eq!(query.feed, Feed::Anonymous);
        assert_eq!(query.diff_date, Day::new(2026, 11, 19));
        assert_eq!(
            parameters.join("&"),
            "output=json&fields=ip,tag,services&limit=1000&tags=ACME_VPN,CARGO_VPN&ccs=NL,DE&attributed=true&diff=true&diffDate=2026-11-19"
        );
    }

    #[test]
    fn the_form_is_what_the_name_of_the_file_ends_with_unless_it_is_given() {
        for (line, output) in [
            ("anonymous", Output::Csv),
            ("anonymous -o x.json", Output::Json),
            ("anonymous -o x.y.MMDB", Output::Mmdb),
            ("anonymous -o x.csv", Output::Csv),
            ("anonymous -o json", Output::Csv),
            ("anonymous -o x.txt", Output::Csv),
            ("anonymous -o -", Output::Csv),
            ("anonymous -o x.json --output csv", Output::Csv),
            ("anonymous -o x.2026 --output json", Output::Json),
        ] {
            assert_eq!(query(line).expect(line).output, output, "{line}");
        }
    }

    #[test]
    fn what_is_no_request_is_named() {
        for (line, expected) in [
            ("anonymus", "no feed"),
            ("anonymous -o x.xlsx", "end FILE with .csv"),
            ("anonymous -o x.csv.gz", "end FILE with .csv"),
            ("anonymous --fields ipp", "ipp"),
            ("anonymous --limit many", "a whole number"),
            ("anonymous --limit -1", "outside 1 to 2,000,000"),
            ("anonymous --tags A/B", "not a service tag"),
            ("anonymous --tags ,", "a list is empty"),
            ("anonymous --diff --diff-date 2026-13-01", "not a day"),
            ("anonymous --diff --diff-date 2026-11-22", "in the future"),
        ] {
            let error = query(line).expect_err(line);
            assert_eq!(error.kind, Kind::Usage);
            assert!(error.to_string().contains(expected), "{error}");
        }
    }
}
