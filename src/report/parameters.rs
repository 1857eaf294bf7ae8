//! The parameters of an export in words for people: the flags of the command line and the fields of the form.

use crate::contract::Param;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parameter {
    pub param: Param,
    /// Its flag on the command line, without the dashes.
    pub flag: &'static str,
    /// The name of the flag's value; empty for a flag without one.
    pub value: &'static str,
    /// What the flag does.
    pub help: &'static str,
    pub label: &'static str,
    /// What is in its field while that is empty; empty for what is not typed.
    pub usual: &'static str,
    /// What one of its values is called; empty where it is no list of names.
    pub noun: &'static str,
}

/// All parameters, in the order of a form.
#[rustfmt::skip]
pub const PARAMETERS: [Parameter; Param::ALL.len()] = [
    Parameter { param: Param::Output, flag: "output", value: "FORM", help: "The file's form; else what the name of FILE ends with, else csv",
        label: "output", usual: "", noun: "" },
    Parameter { param: Param::Header, flag: "header", value: "", help: "A header row, in CSV",
        label: "header", usual: "", noun: "" },
    Parameter { param: Param::Fields, flag: "fields", value: "FIELDS", help: "Only these fields, separated by commas",
        label: "fields", usual: "", noun: "" },
    Parameter { param: Param::Tags, flag: "tags", value: "TAGS", help: "Only these operators, separated by commas",
        label: "tags", usual: "all; for example ACME_VPN, BRAVO_PROXY", noun: "tag" },
    Parameter { param: Param::CallbackProxies, flag: "callback-proxies", value: "TAGS",
        help: "Only these callback proxies, separated by commas; residential feeds only",
        label: "callback", usual: "all; for example WIDGET_PROXY", noun: "callback proxy" },
    Parameter { param: Param::Ccs, flag: "ccs", value: "CODES", help: "Only these countries, two letters each, separated by commas",
        label: "ccs", usual: "all; for example NL, DE", noun: "country" },
    Parameter { param: Param::Attributed, flag: "attributed", value: "", help: "Only named and attributed VPN exits",
        label: "attributed", usual: "", noun: "" },
    Parameter { param: Param::Limit, flag: "limit", value: "N", help: "The most records, the busiest kept: 1 to 2,000,000",
        label: "limit", usual: "up to 2,000,000", noun: "" },
    Parameter { param: Param::Diff, flag: "diff", value: "", help: "Only changes versus the previous day; not for residential feeds",
        label: "diff", usual: "", noun: "" },
    Parameter { param: Param::DiffDate, flag: "diff-date", value: "DAY", help: "The day to compare with the one before it",
        label: "diffDate", usual: "latest, or YYYY-MM-DD", noun: "" },
];

impl Parameter {
    #[must_use]
    pub fn of(param: Param) -> Self {
        let parameter = PARAMETERS
            .into_iter()
            .find(|parameter| parameter.param == param);
        parameter.unwrap_or(PARAMETERS[0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_has_words() {
        for param in Param::ALL {
            assert_eq!(Parameter::of(param).param, param);
        }
    }
}
