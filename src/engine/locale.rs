//! What encoding the terminal reads, as the environment says it: the terminal itself is not asked.

/// What the environment says of the encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LocaleEncoding {
    /// UTF-8 is named.
    Utf8,
    /// No locale is set.
    Unset,
    /// Another locale is named, which is this.
    Other(String),
}

impl LocaleEncoding {
    /// Whether UTF-8 is read. Where nothing is said it is, as systemd has it: containers and services name no locale, and their terminals
    /// read UTF-8.
    #[must_use]
    pub fn is_utf8(&self) -> bool {
        !matches!(self, Self::Other(_))
    }
}

/// The encoding of the locale: the first variable of `LC_ALL`, `LC_CTYPE` and `LANG` that is set decides, as everywhere.
pub fn encoding(variable: impl Fn(&str) -> Option<String>) -> LocaleEncoding {
    let mut names = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter();
    match names.find_map(|name| variable(name).filter(|value| !value.is_empty())) {
        None => LocaleEncoding::Unset,
        Some(locale) => {
            let name = locale.to_ascii_lowercase();
            if name.contains("utf-8") || name.contains("utf8") {
                LocaleEncoding::Utf8
            } else {
                LocaleEncoding::Other(locale)
            }
        }
    }
}

/// Whether symbols beyond ASCII are drawn unless the configuration says otherwise.
pub fn draws_unicode(variable: impl Fn(&str) -> Option<String>) -> bool {
    encoding(&variable).is_utf8() && !is_console(variable)
}

/// Whether the terminal is the console of Linux, whose fonts lack most of what is drawn.
fn is_console(variable: impl Fn(&str) -> Option<String>) -> bool {
    variable("TERM").as_deref() == Some("linux")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(set: &[(&str, &str)]) -> LocaleEncoding {
        encoding(|name| {
            let found = set.iter().find(|(text, _)| *text == name);
            found.map(|(_, value)| (*value).to_owned())
        })
    }

    #[test]
    fn the_first_variable_that_is_set_names_the_encoding() {
        assert_eq!(of(&[("LANG", "de_DE.UTF-8")]), LocaleEncoding::Utf8);
        assert_eq!(
            of(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")]),
            LocaleEncoding::Utf8
        );
        assert!(!of(&[("LC_ALL", "POSIX"), ("LANG", "C.UTF-8")]).is_utf8());
        assert!(!of(&[("LANG", "ja_JP.eucJP")]).is_utf8());
        assert_eq!(of(&[("LC_ALL", "")]), LocaleEncoding::Unset);
        assert!(of(&[]).is_utf8());
        let draws = |term: &str| draws_unicode(|name| (name == "TERM").then(|| term.to_owned()));
        assert!(draws("xterm-256color") && !draws("linux"));
    }
}
