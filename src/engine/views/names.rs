//! What records are about, by name: to mark many of them without holding them.

use std::ops::Range;

use super::{OpenView, ViewQuery, Views, read};
use crate::{
    engine::{error::Result, releases::OpenRelease},
    model::{Keyword, Subject, Terms},
    store::{StopFlag, index::QueryError},
};

/// What a record is called, and what is followed from it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RecordName {
    /// Its address or network, else its tag.
    pub name: String,
    pub subject: Option<Subject>,
    pub tags: Vec<String>,
}

impl RecordName {
    /// The name of this record; `None` if it has neither subject nor tag.
    #[must_use]
    pub fn of(terms: &Terms) -> Option<Self> {
        let tags: Vec<String> = terms.of_field(Keyword::Tag).map(str::to_owned).collect();
        let name = match terms.subject {
            Some(subject) => subject.to_string(),
            None => tags.first()?.clone(),
        };
        Some(Self {
            name,
            subject: terms.subject,
            tags,
        })
    }
}

impl Views {
    /// What the records of a view at these positions are called; those that cannot be read are left out.
    ///
    /// # Errors
    /// As [`Releases::open_local`](crate::engine::Releases::open_local).
    pub async fn names(&self, query: &ViewQuery, positions: Range<u64>) -> Result<Vec<RecordName>> {
        let (opened, _) = self.open(query).await?;
        let work = move |selected: &OpenView, opened: &OpenRelease, stop: &StopFlag| {
            let (index, positions) = (&opened.index, positions.clone());
            let mut names = Vec::new();
            for row in selected.ordered.page(index, positions, stop)? {
                stop.check()?;
                if let Ok(record) = read(opened, row)? {
                    names.extend(RecordName::of(&Terms::of(record.value())));
                }
            }
            Ok::<_, QueryError>(names)
        };
        Ok(self.on(opened, query, work).await?.1)
    }
}
