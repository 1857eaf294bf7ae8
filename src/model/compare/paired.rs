//! Which objects of two lists belong together: those that are equal, then those that are alike in what names them.

use std::collections::{BTreeSet, HashMap, VecDeque};

use serde_json::Value;

/// Objects of two lists side by side: equal ones first, then those that are alike in what names them, the rest alone.
pub(super) fn paired<'v>(
    a: &'v [Value],
    b: &'v [Value],
) -> Vec<(Option<&'v Value>, Option<&'v Value>)> {
    let mut partners: Vec<Option<usize>> = vec![None; a.len()];
    let mut free: BTreeSet<usize> = (0..b.len()).collect();
    let likenesses: [fn(&Value) -> Option<String>; 4] = [
        |value| Some(whole(value)),
        operator_and_type,
        type_of_unnamed,
        |value| Some(type_alone(value)),
    ];
    for likeness in likenesses {
        // A list may hold thousands: each is compared by what names it, not with all others.
        let mut named: HashMap<String, VecDeque<usize>> = HashMap::new();
        for other in &free {
            if let Some(name) = likeness(&b[*other]) {
                named.entry(name).or_default().push_back(*other);
            }
        }
        for (value, partner) in a.iter().zip(&mut partners) {
            if partner.is_none()
                && let Some(alike) = likeness(value).and_then(|name| named.get_mut(&name))
                && let Some(first) = alike.pop_front()
            {
                free.remove(&first);
                *partner = Some(first);
            }
        }
    }
    let both = a
        .iter()
        .zip(partners)
        .map(|(value, partner)| (Some(value), partner.map(|other| &b[other])));
    both.chain(free.into_iter().map(|index| (None, Some(&b[index]))))
        .collect()
}

/// The same text for values between which no difference is found.
fn whole(value: &Value) -> String {
    let all = |values: &mut dyn Iterator<Item = String>| {
        let mut all: Vec<String> = values.collect();
        all.sort_unstable();
        all.join(",")
    };
    match value {
        Value::Array(items) if holds_objects(value) => {
            format!("[{}]", all(&mut items.iter().map(whole)))
        }
        Value::Object(map) => {
            let member = |(key, value): (&String, &Value)| format!("{key:?}:{}", whole(value));
            format!("{{{}}}", all(&mut map.iter().map(member)))
        }
        other => canonical(other),
    }
}

fn type_alone(value: &Value) -> String {
    value.get("type").map(Value::to_string).unwrap_or_default()
}

fn operator(value: &Value) -> Option<&Value> {
    value.get("operator").filter(|name| !name.is_null())
}

fn operator_and_type(value: &Value) -> Option<String> {
    Some(format!("{} {}", operator(value)?, type_alone(value)))
}

fn type_of_unnamed(value: &Value) -> Option<String> {
    operator(value).is_none().then(|| type_alone(value))
}

/// Whether a value is a list with at least one object in it.
pub(super) fn holds_objects(value: &Value) -> bool {
    value
        .as_array()
        .is_some_and(|items| items.iter().any(Value::is_object))
}

/// A value as one text that is the same for equal values only: lists are sets, keys have no order.
pub(super) fn canonical(value: &Value) -> String {
    match value {
        Value::Array(items) => {
            let items: BTreeSet<String> = items.iter().map(canonical).collect();
            format!("[{}]", items.into_iter().collect::<Vec<_>>().join(","))
        }
        Value::Object(map) => {
            let members = map.iter();
            let members: BTreeSet<String> = members
                .map(|(key, value)| format!("{key:?}:{}", canonical(value)))
                .collect();
            format!("{{{}}}", members.into_iter().collect::<Vec<_>>().join(","))
        }
        scalar => scalar.to_string(),
    }
}
