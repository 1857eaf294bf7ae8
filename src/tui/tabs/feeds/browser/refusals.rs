//! Why a key has no effect on records, in words.

/// Why a record cannot be looked up.
pub(super) const NO_ADDRESS: &str = "this record has no address to look up";

/// Why there is no export.
pub(super) const NO_EXPORT: &str =
    "this feed has no export: exports filter the four anonymous types and dch";

/// Why marked records have no export.
pub(super) const NO_OPERATOR: &str = "no marked record has an operator that an export can ask for";

/// Why a key for a record does nothing while a value of the facets has the focus.
pub(super) const VALUE_IN_FOCUS: &str =
    "a value of the facets is selected: esc leads back to the records";
