//! The values in a filter that nothing local has: most are mistyped, and without a word an empty result looks like an answer.

use super::{LocalTag, LocalTags, OpenRelease, Releases};
use crate::{
    engine::error::{Kind, Result},
    model::{Keyword, meant},
    store::{Filter, StopFlag, filter::Test, index::QueryError},
};

/// More values than any vocabulary has.
const MOST: usize = 100_000;

/// A value in a filter that no local record has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownValue {
    pub field: Keyword,
    /// As it is in the filter.
    pub value: String,
    /// The value that was most likely meant.
    pub near: Option<String>,
}

impl Releases {
    /// The values of a filter that no record of these releases has, nor, for the tag of a service, the local service-metrics feed.
    /// Without a release only tags can be told.
    ///
    /// # Errors
    /// As [`Releases::with_local`] and [`Releases::local_tags`], except for a service-metrics feed that is not local.
    pub async fn unknown_values(
        &self,
        opened: &[OpenRelease],
        filter: &Filter,
    ) -> Result<Vec<UnknownValue>> {
        let mut missing = named(filter);
        for release in opened {
            if missing.is_empty() {
                return Ok(Vec::new());
            }
            let work = move |opened: &OpenRelease, stop: &StopFlag| {
                let mut missing = missing.clone();
                let mut failed = None;
                missing.retain(|(field, value)| {
                    let has = opened.index.has_value(*field, value, stop);
                    !has.unwrap_or_else(|error| {
                        failed = Some(error);
                        false
                    })
                });
                failed.map_or(Ok(missing), Err)
            };
            missing = self.with_local(release.clone(), work).await?;
        }
        let is_of_tags = |field: Keyword| matches!(field, Keyword::Tag | Keyword::Proxy);
        let tags = if missing.iter().any(|(field, _)| is_of_tags(*field)) {
            match self.local_tags().await {
                Err(error) if error.kind == Kind::NotFound => None,
                tags => Some(tags?),
            }
        } else {
            None
        };
        missing.retain(|(field, value)| match &tags {
            Some(tags) if is_of_tags(*field) => !is_tag(tags, *field, value),
            _ => !opened.is_empty(),
        });
        let mut unknown = Vec::new();
        for (field, value) in missing {
            let mut known = Vec::new();
            for release in opened {
                let work = move |opened: &OpenRelease, _: &StopFlag| -> Result<_, QueryError> {
                    opened.index.values(field, MOST)
                };
                known.extend(self.with_local(release.clone(), work).await?);
            }
            if let Some(tags) = tags.as_ref().filter(|_| is_of_tags(field)) {
                known.extend(tags.tags.iter().map(|tag| tag.name().to_owned()));
            }
            // Any two countries are near.
            let near = meant(&value, known.iter().map(String::as_str));
            let near = near.filter(|_| field != Keyword::Cc).map(str::to_owned);
            unknown.push(UnknownValue { field, value, near });
        }
        Ok(unknown)
    }

    /// Whether a record of these releases has a value at a path.
    ///
    /// # Errors
    /// As [`Releases::with_local`].
    pub async fn have_path(&self, opened: &[OpenRelease], path: &str) -> Result<bool> {
        for release in opened {
            let path = path.to_owned();
            let has =
                move |opened: &OpenRelease, stop: &StopFlag| opened.index.has_path(&path, stop);
            if self.with_local(release.clone(), has).await? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The values of vocabularies that a filter names, each once.
fn named(filter: &Filter) -> Vec<(Keyword, String)> {
    let mut named = Vec::new();
    for term in &filter.terms {
        if let Test::Is(field, values) = &term.test
            && field.has_vocabulary()
        {
            for value in values {
                let value = (*field, value.clone());
                if !named.contains(&value) {
                    named.push(value);
                }
            }
        }
    }
    named
}

/// Whether a tag of the service is meant by a value of a filter.
fn is_tag(tags: &LocalTags, field: Keyword, value: &str) -> bool {
    let test = Test::Is(field, vec![value.to_owned()]);
    let mut names = tags.tags.iter().flat_map(LocalTag::names);
    names.any(|name| test.accepts_word(field, name))
}
