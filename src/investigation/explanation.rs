//! What a field or a value means: what the contract says of it, and where the local feeds have it.

use crate::{
    contract::vocabulary::{ContractField, ContractObject, OBJECTS},
    engine::{Engine, Result, views::ValueUses},
    model::Keyword,
};

/// A field of an object of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedField {
    pub object: &'static ContractObject,
    pub field: &'static ContractField,
}

/// What is known of a word.
#[derive(Clone, Debug, PartialEq)]
pub struct Explanation {
    pub word: String,
    /// The fields of this name.
    pub fields: Vec<NamedField>,
    /// The fields of which the contract names it as a value.
    pub values: Vec<NamedField>,
    /// Where local feeds have it as a value.
    pub uses: ValueUses,
}

impl Explanation {
    /// Looks a word up. Sends nothing.
    ///
    /// # Errors
    /// [`Kind::Interrupted`](crate::engine::Kind::Interrupted).
    pub async fn of(engine: &Engine, word: &str) -> Result<Self> {
        let mut explanation = Self::by_contract(word);
        let word = bare(word);
        // The name of a field may be a value, too, but is not meant as one.
        if explanation.fields.is_empty() {
            explanation.uses = engine.views.value_uses(word).await?;
        }
        Ok(explanation)
    }

    /// What the contract says of a word.
    #[must_use]
    pub fn by_contract(word: &str) -> Self {
        let word = bare(word);
        Self {
            word: word.to_owned(),
            fields: fields(word),
            values: values(word),
            uses: ValueUses::default(),
        }
    }

    /// All that the contract has.
    #[must_use]
    pub fn of_contract() -> Self {
        Self {
            word: String::new(),
            fields: all().collect(),
            values: Vec::new(),
            uses: ValueUses::default(),
        }
    }

    /// Whether neither the contract nor a local feed has the word.
    #[must_use]
    pub fn is_unknown(&self) -> bool {
        self.fields.is_empty() && self.values.is_empty() && self.uses.found.is_empty()
    }
}

/// A value without the field of a filter before it: `tag:ACME_VPN`, `AS64500`.
fn bare(word: &str) -> &str {
    let number = word
        .strip_prefix("AS")
        .filter(|text| text.parse::<u32>().is_ok());
    let value = word.split_once(':').filter(|(field, value)| {
        !value.is_empty() && Keyword::named(field.trim_start_matches('-')).is_some()
    });
    number.or(value.map(|(_, value)| value)).unwrap_or(word)
}

fn all() -> impl Iterator<Item = NamedField> {
    OBJECTS.iter().flat_map(|object| {
        let fields = object.fields.iter();
        fields.map(move |field| NamedField { object, field })
    })
}

/// The fields that a word names: by the path, by its end, or as the filter language does.
fn fields(word: &str) -> Vec<NamedField> {
    let word = word.trim_end_matches(':');
    let as_filter: Vec<&str> = match Keyword::named(word) {
        Some(keyword) => keyword.paths().collect(),
        None => match word {
            "clients" => vec!["client.count"],
            "net" => vec!["ip", "network", "prefix"],
            "attributed" => vec!["tunnels.operator"],
            _ => Vec::new(),
        },
    };
    let is_named = |field: &NamedField| {
        let path = field.field.path;
        let end = path.rsplit('.').next().unwrap_or(path);
        as_filter.contains(&path)
            || [path, end]
                .iter()
                .any(|text| text.eq_ignore_ascii_case(word))
    };
    all().filter(is_named).collect()
}

/// The fields of which the contract names a word as a value.
fn values(word: &str) -> Vec<NamedField> {
    let names = |field: &NamedField| {
        let mut values = field.field.values.iter();
        values.any(|text| text.eq_ignore_ascii_case(word))
    };
    all().filter(names).collect()
}

/// All names of fields and values that the contract has.
pub fn words() -> impl Iterator<Item = &'static str> {
    let of = |field: &'static ContractField| {
        [field.path].into_iter().chain(field.values.iter().copied())
    };
    all().flat_map(move |field| of(field.field))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(of: &[NamedField]) -> Vec<&'static str> {
        of.iter().map(|field| field.field.path).collect()
    }

    #[test]
    fn a_field_is_named_by_its_path_its_end_or_the_filter() {
        for (word, expected) in [
            ("client.count", &["client.count"][..]),
            ("spread", &["client.spread"]),
            ("clientCount", &["clientCount"]),
            ("clients", &["client.count"]),
            // Of a context, and of an export.
            ("infra:", &["infrastructure", "infrastructure"]),
            ("DENSITY", &["client.concentration.density"]),
            ("nothing", &[]),
        ] {
            let found = paths(&fields(word));
            assert_eq!(found, expected, "{word}");
        }
    }

    #[test]
    fn a_value_may_stand_in_several_fields() {
        assert_eq!(paths(&values("mobile")), ["client.types", "infrastructure"]);
        assert_eq!(paths(&values("TUNNEL")), ["risks"]);
        assert_eq!(paths(&values("OPENVPN")), Vec::<&str>::new());
        assert!(words().any(|text| text == "WEB_SCRAPING"));
    }
}
