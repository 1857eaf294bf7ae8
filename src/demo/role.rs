//! Who may do what: each role has a token of its own, and the service knows no other tokens.

use std::{fmt, str::FromStr, sync::LazyLock};

use serde::Deserialize;

use super::table::rows;

/// An account of the service, by what its token may do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DemoRole {
    Full,
    /// No dates before today, anywhere.
    NoHistory,
    NoRealtime,
    /// Lookups alone.
    ContextOnly,
    FeedsOnly,
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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[expect(clippy::struct_excessive_bools, reason = "rights are given one by one")]
pub struct Rights {
    /// Whether the token is known at all.
    pub known: bool,
    /// Whether the account is switched on.
    pub active: bool,
    pub context: bool,
    pub feeds: bool,
    pub exports: bool,
    /// Past dates, of lookups and of feeds.
    pub history: bool,
    pub realtime: bool,
    /// Whether exports are answered with "too many requests".
    pub throttled: bool,
    pub queries: u64,
    /// `serviceTier` of the status.
    pub tier: &'static str,
}

/// A role's row of the table.
#[derive(Debug, Deserialize)]
struct RoleRow {
    name: &'static str,
    token: &'static str,
    rights: Rights,
}

/// The rows of all roles, in the order of [`DemoRole::ALL`].
static ROWS: LazyLock<Vec<RoleRow>> =
    LazyLock::new(|| rows(include_str!("../../assets/demo/roles.tsv")));

impl DemoRole {
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
        self.row().name
    }

    /// The role's token. It opens nothing but a service of this kind on this machine.
    #[must_use]
    pub fn token(self) -> &'static str {
        self.row().token
    }

    /// What the role may do.
    #[must_use]
    pub fn rights(self) -> Rights {
        self.row().rights
    }

    fn row(self) -> &'static RoleRow {
        &ROWS[self as usize]
    }

    /// The role that a token stands for, if the service knows it.
    pub(crate) fn of_token(token: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|role| role.token() == token && role.rights().known)
    }
}

impl fmt::Display for DemoRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A name that no role has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no role {0:?}; the roles are {names}", names = DemoRole::ALL.map(DemoRole::name).join(", "))]
pub struct UnknownRole(String);

impl FromStr for DemoRole {
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
        let names: BTreeSet<&str> = DemoRole::ALL.into_iter().map(DemoRole::name).collect();
        let tokens: BTreeSet<&str> = DemoRole::ALL.into_iter().map(DemoRole::token).collect();
        assert_eq!(
            (names.len(), tokens.len()),
            (DemoRole::ALL.len(), DemoRole::ALL.len())
        );
        for role in DemoRole::ALL {
            assert_eq!(role.name().parse(), Ok(role));
            assert_eq!(
                DemoRole::of_token(role.token()),
                (role != DemoRole::Invalid).then_some(role)
            );
        }
    }
}
