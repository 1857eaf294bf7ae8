//! Who may do what: each role has a token of its own, and the service knows no other tokens.

use std::{fmt, str::FromStr};

/// An account of the service, by what its token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything.
    Full,
    /// No dates before today, anywhere.
    NoHistory,
    /// No realtime feed.
    NoRealtime,
    /// Lookups alone.
    ContextOnly,
    /// Feeds alone.
    FeedsOnly,
    /// Exports alone.
    ExportsOnly,
    /// Everything, but the exports host is tired of it.
    Throttled,
    /// Three queries left.
    NearlySpent,
    /// No query left.
    Spent,
    /// Known, and switched off.
    Inactive,
    /// A token that the service does not know.
    Invalid,
}

/// What a role may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "rights are given one by one")]
pub struct Rights {
    /// Whether the token is known at all.
    pub known: bool,
    /// Whether the account is switched on.
    pub active: bool,
    /// The Context API.
    pub context: bool,
    /// The feeds host.
    pub feeds: bool,
    /// The exports host.
    pub exports: bool,
    /// Past dates, of lookups and of feeds.
    pub history: bool,
    /// The realtime feed.
    pub realtime: bool,
    /// Whether exports are answered with "too many requests".
    pub throttled: bool,
    /// Queries at the start.
    pub queries: u64,
    /// `serviceTier` of the status.
    pub tier: &'static str,
}

const ALL_RIGHTS: Rights = Rights {
    known: true,
    active: true,
    context: true,
    feeds: true,
    exports: true,
    history: true,
    realtime: true,
    throttled: false,
    queries: 48_120,
    tier: "enterprise",
};

const ONE_HOST: Rights = Rights {
    context: false,
    feeds: false,
    exports: false,
    history: false,
    realtime: false,
    queries: 5_000,
    tier: "single",
    ..ALL_RIGHTS
};

impl Role {
    /// All roles, the usual one first.
    pub const ALL: [Self; 11] = [
        Self::Full,
        Self::NoHistory,
        Self::NoRealtime,
        Self::ContextOnly,
        Self::FeedsOnly,
        Self::ExportsOnly,
        Self::Throttled,
        Self::NearlySpent,
        Self::Spent,
        Self::Inactive,
        Self::Invalid,
    ];

    /// The role's name on command lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().0
    }

    /// What the role is for, in one line.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        self.row().2
    }

    /// The role's token. It opens nothing but a service of this kind on this machine.
    #[must_use]
    pub fn token(self) -> &'static str {
        self.row().1
    }

    fn row(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Self::Full => ("full", "demo-token-full-9f2c", "everything is allowed"),
            Self::NoHistory => (
                "no-history",
                "demo-token-no-history-77ab",
                "no dt, no dated feeds, no listings",
            ),
            Self::NoRealtime => (
                "no-realtime",
                "demo-token-no-realtime-31de",
                "no realtime feed",
            ),
            Self::ContextOnly => (
                "context-only",
                "demo-token-context-only-c05e",
                "feeds and exports answer 403",
            ),
            Self::FeedsOnly => (
                "feeds-only",
                "demo-token-feeds-only-18b4",
                "context and exports answer 403",
            ),
            Self::ExportsOnly => (
                "exports-only",
                "demo-token-exports-only-e6a1",
                "context and feeds answer 403",
            ),
            Self::Throttled => (
                "throttled",
                "demo-token-throttled-40d9",
                "exports answer 429 with Retry-After",
            ),
            Self::NearlySpent => (
                "nearly-spent",
                "demo-token-nearly-spent-b7f3",
                "three queries are left, then 429",
            ),
            Self::Spent => (
                "spent",
                "demo-token-spent-2ac8",
                "no query is left: lookups answer 429",
            ),
            Self::Inactive => (
                "inactive",
                "demo-token-inactive-d91e",
                "status says so, all else answers 403",
            ),
            Self::Invalid => (
                "invalid",
                "demo-token-invalid-5e60",
                "unknown: 401 on context, 403 elsewhere",
            ),
        }
    }

    /// What the role may do.
    #[must_use]
    pub fn rights(self) -> Rights {
        match self {
            Self::Full => ALL_RIGHTS,
            Self::NoHistory => Rights {
                history: false,
                ..ALL_RIGHTS
            },
            Self::NoRealtime => Rights {
                realtime: false,
                ..ALL_RIGHTS
            },
            Self::ContextOnly => Rights {
                context: true,
                ..ONE_HOST
            },
            Self::FeedsOnly => Rights {
                feeds: true,
                history: true,
                realtime: true,
                ..ONE_HOST
            },
            Self::ExportsOnly => Rights {
                exports: true,
                ..ONE_HOST
            },
            Self::Throttled => Rights {
                throttled: true,
                ..ALL_RIGHTS
            },
            Self::NearlySpent => Rights {
                queries: 3,
                ..ALL_RIGHTS
            },
            Self::Spent => Rights {
                queries: 0,
                ..ALL_RIGHTS
            },
            Self::Inactive => Rights {
                active: false,
                ..ONE_HOST
            },
            Self::Invalid => Rights {
                known: false,
                active: false,
                queries: 0,
                tier: "",
                ..ONE_HOST
            },
        }
    }

    /// The role that a token stands for, if the service knows it.
    pub(crate) fn of_token(token: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|role| role.token() == token && role.rights().known)
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no role has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownRole(String);

impl fmt::Display for UnknownRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = Role::ALL.map(Role::name).join(", ");
        write!(f, "there is no role {:?}; the roles are {names}", self.0)
    }
}

impl std::error::Error for UnknownRole {}

impl FromStr for Role {
    type Err = UnknownRole;

    fn from_str(text: &str) -> Result<Self, UnknownRole> {
        let found = Self::ALL.into_iter().find(|role| role.name() == text);
        found.ok_or_else(|| UnknownRole(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn each_role_has_a_name_and_a_token_of_its_own() {
        let names: BTreeSet<&str> = Role::ALL.into_iter().map(Role::name).collect();
        let tokens: BTreeSet<&str> = Role::ALL.into_iter().map(Role::token).collect();
        assert_eq!(
            (names.len(), tokens.len()),
            (Role::ALL.len(), Role::ALL.len())
        );
        for role in Role::ALL {
            assert_eq!(role.name().parse(), Ok(role));
            assert_eq!(
                Role::of_token(role.token()),
                (role != Role::Invalid).then_some(role)
            );
        }
    }
}
