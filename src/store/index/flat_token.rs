//! The meaning of a token in a flattened record, by its column.

use std::{borrow::Cow, ops::Deref};

use serde::{Deserialize, de::IgnoredAny};

use super::value;

/// A text, borrowed from an index or owned.
pub(super) type FlatText<'a> = Cow<'a, str>;

/// Texts, owned or borrowed.
#[derive(Clone, Debug)]
pub enum FlatTexts<'a> {
    Owned(Vec<FlatText<'a>>),
    Borrowed(&'a [FlatText<'a>]),
}

impl Default for FlatTexts<'_> {
    fn default() -> Self {
        Self::Borrowed(&[])
    }
}

impl PartialEq for FlatTexts<'_> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl Eq for FlatTexts<'_> {}

impl<'a> Deref for FlatTexts<'a> {
    type Target = [FlatText<'a>];

    fn deref(&self) -> &[FlatText<'a>] {
        match self {
            Self::Owned(texts) => texts,
            Self::Borrowed(texts) => texts,
        }
    }
}

/// The place of an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
pub struct FlatLocation<'a> {
    #[serde(borrow)]
    pub city: Option<FlatText<'a>>,
    #[serde(borrow)]
    pub state: Option<FlatText<'a>>,
    #[serde(borrow)]
    pub country: Option<FlatText<'a>>,
}

/// The field of a flattened record that a column feeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum FlatColumn {
    Nothing,
    /// A key that may name the subject, by its rank in order of preference.
    Subject(usize),
    Tunnel,
    Operator,
    Proxies,
    Infrastructure,
    Services,
    Client,
    Clients,
    Location,
    City,
    State,
    Country,
    /// Only a parse of the whole record gives the value.
    Odd,
}

impl FlatColumn {
    pub(super) fn of(path: &str) -> Self {
        match path {
            "ip" => Self::Subject(0),
            "network" => Self::Subject(1),
            "tunnels[]" => Self::Tunnel,
            "tunnels[].operator" => Self::Operator,
            "client.proxies" => Self::Proxies,
            "infrastructure" => Self::Infrastructure,
            "services" => Self::Services,
            "client" => Self::Client,
            "client.count" => Self::Clients,
            "location" => Self::Location,
            "location.city" => Self::City,
            "location.state" => Self::State,
            "location.country" => Self::Country,
            _ => {
                let within = |above: &str| path.starts_with(above);
                let odd = [
                    "tunnels[][]",
                    "tunnels.",
                    "client[",
                    "client.proxies",
                    "services",
                    "infrastructure",
                    "location[",
                ];
                if path == "tunnels" || odd.into_iter().any(within) {
                    Self::Odd
                } else {
                    Self::Nothing
                }
            }
        }
    }

    /// Whether its tokens are texts, which need no parsing.
    pub(super) fn is_a_text(self) -> bool {
        !matches!(
            self,
            Self::Tunnel | Self::Services | Self::Client | Self::Location
        )
    }
}

/// A client object; with `proxies` it needs a parse of the whole record.
#[derive(Deserialize)]
struct PlainClient {
    count: Option<u64>,
    proxies: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct PlainTunnel<'a> {
    #[serde(borrow)]
    operator: Option<FlatText<'a>>,
}

#[derive(Clone, Debug)]
pub(super) enum FlatToken<'a> {
    Nothing,
    Text(FlatText<'a>),
    Number(u64),
    Texts(FlatTexts<'a>),
    Location(FlatLocation<'a>),
    /// Only a parse of the whole record gives the value.
    Odd,
}

impl<'a> FlatToken<'a> {
    /// The meaning of a token in its column.
    pub(super) fn of(part: FlatColumn, token: &'a [u8]) -> Self {
        if token == b"null" {
            return Self::Nothing;
        }
        Self::read(part, token).unwrap_or(Self::Odd)
    }

    fn read(part: FlatColumn, token: &'a [u8]) -> Option<Self> {
        let text = |text: Option<FlatText<'a>>| text.map_or(Self::Nothing, Self::Text);
        Some(match part {
            FlatColumn::Nothing => Self::Nothing,
            FlatColumn::Odd => return None,
            FlatColumn::Clients => Self::Number(value::whole(token)?),
            FlatColumn::Proxies => text(value::plain_list(token)?.next().map(Cow::Borrowed)),
            FlatColumn::Services => {
                let texts = value::plain_list(token)?.map(Cow::Borrowed);
                Self::Texts(FlatTexts::Owned(texts.collect()))
            }
            FlatColumn::Tunnel => text(object::<PlainTunnel<'_>>(token)?.operator),
            FlatColumn::Location => Self::Location(object(token)?),
            FlatColumn::Client => {
                let client: PlainClient = object(token)?;
                match (client.proxies, client.count) {
                    (Some(_), _) => return None,
                    (None, count) => count.map_or(Self::Nothing, Self::Number),
                }
            }
            FlatColumn::Subject(_)
            | FlatColumn::Operator
            | FlatColumn::Infrastructure
            | FlatColumn::City
            | FlatColumn::State
            | FlatColumn::Country => Self::Text(Cow::Borrowed(value::plain(token)?)),
        })
    }

    /// A copy that borrows the texts of this one.
    pub(super) fn lent(&self) -> FlatToken<'_> {
        fn lent<'a>(text: Option<&'a FlatText<'_>>) -> Option<FlatText<'a>> {
            text.map(|text| Cow::Borrowed(&**text))
        }
        match self {
            Self::Nothing => FlatToken::Nothing,
            Self::Odd => FlatToken::Odd,
            Self::Number(number) => FlatToken::Number(*number),
            Self::Text(text) => FlatToken::Text(Cow::Borrowed(text)),
            Self::Texts(texts) => FlatToken::Texts(FlatTexts::Borrowed(texts)),
            Self::Location(place) => FlatToken::Location(FlatLocation {
                city: lent(place.city.as_ref()),
                state: lent(place.state.as_ref()),
                country: lent(place.country.as_ref()),
            }),
        }
    }
}

/// Parses a token that is an object; `None` for any other token.
fn object<'a, T: Deserialize<'a>>(token: &'a [u8]) -> Option<T> {
    let is_object = token.first() == Some(&b'{');
    is_object.then(|| serde_json::from_slice(token).ok())?
}
