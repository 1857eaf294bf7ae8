//! Commands for a shell: a request as one that asks the same, with the token in the environment.

use crate::contract::{Endpoint, Host, Resource};

/// The command for a request whose URL is given.
///
/// curl carries a header of ours along when it follows a redirect, so it must not follow one: a download is two
/// commands, and the second one, to storage, knows no token.
#[must_use]
pub fn curl(endpoint: &Endpoint, url: &str) -> String {
    let redirected = matches!(
        endpoint,
        Endpoint::Feed(
            _,
            Resource::Latest(_) | Resource::Dated(_) | Resource::Window(_) | Resource::Located(_)
        )
    );
    let url = url.replace('\'', "%27");
    if endpoint.host() == Host::Feeds && redirected {
        let link = format!(
            "curl -fsS -o /dev/null -w '%{{redirect_url}}' -H \"Token: $IPSPECT_TOKEN\" '{url}'"
        );
        return format!("curl -fSO \"$({link})\"");
    }
    format!("curl -fsS -H \"Token: $IPSPECT_TOKEN\" '{url}'")
}

/// A word that no shell takes for more than itself, bare where it can be.
#[must_use]
pub fn shell_word(text: &str) -> String {
    let plain = |character: char| character.is_ascii_alphanumeric() || "-_./".contains(character);
    if !text.is_empty() && text.chars().all(plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::contract::{Feed, Format, LookupQuery};

    #[test]
    fn a_shell_reads_back_what_was_quoted() {
        assert_eq!(
            shell_word("https://x.example/?a=b&c=d"),
            "'https://x.example/?a=b&c=d'"
        );
        assert_eq!(shell_word("it's"), r"'it'\''s'");
        assert_eq!(shell_word("out/acme.csv"), "out/acme.csv");
        assert_eq!(shell_word("my file.csv"), "'my file.csv'");
    }

    #[test]
    fn the_token_goes_to_the_host_alone() {
        let lookup = Endpoint::Context(LookupQuery::now([198, 51, 100, 7].into()));
        assert_eq!(
            curl(&lookup, "https://context.example/x"),
            "curl -fsS -H \"Token: $IPSPECT_TOKEN\" 'https://context.example/x'"
        );
        let download = Endpoint::Feed(Feed::Dch, Resource::Latest(Format::Json));
        let command = curl(&download, "https://feeds.example/x");
        assert!(
            !command.contains("-L") && command.starts_with("curl -fSO \"$(curl "),
            "{command}"
        );
    }
}
