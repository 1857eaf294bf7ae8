//! Goes over one object, field by field.

use std::{net::IpAddr, str::FromStr};

use ipnet::IpNet;
use jiff::Timestamp;
use serde_json::{Map, Value};

use super::{Field, scalar};

/// A value that is not an object, where a record belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the JSON is not an object, so it is no record")]
pub struct NotAnObject;

/// Reads the fields of one object and keeps account of what it could not read.
///
/// Paths are dotted, as in `client.concentration.density` and `tunnels[0].entries[2]`. They hold keys from outside, so
/// they are not safe for a screen as they are.
#[derive(Debug)]
pub struct ObjectReader<'a> {
    map: &'a Map<String, Value>,
    asked: Vec<&'static str>,
    unknown: Vec<String>,
    odd: Vec<String>,
}

impl<'a> ObjectReader<'a> {
    /// Opens the object of a record.
    ///
    /// # Errors
    /// [`NotAnObject`] for any other value.
    pub fn open(value: &'a Value) -> Result<Self, NotAnObject> {
        value.as_object().map(Self::over).ok_or(NotAnObject)
    }

    /// Reads the fields of this object.
    #[must_use]
    pub fn over(map: &'a Map<String, Value>) -> Self {
        Self {
            map,
            asked: Vec::new(),
            unknown: Vec::new(),
            odd: Vec::new(),
        }
    }

    /// Any field, by a rule of its own; what `read` refuses is odd.
    pub fn field<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&'a Value) -> Option<T>,
    ) -> Field<T> {
        self.asked.push(key);
        match self.map.get(key) {
            None => Field::Absent,
            Some(Value::Null) => Field::Null,
            Some(value) => read(value).map_or_else(
                || {
                    self.odd.push(key.to_owned());
                    Field::Odd
                },
                Field::Is,
            ),
        }
    }

    /// A value that is kept as it is.
    pub fn value(&mut self, key: &'static str) -> Field<Value> {
        self.field(key, |value| Some(value.clone()))
    }

    /// A text, which may be empty.
    pub fn text(&mut self, key: &'static str) -> Field<String> {
        self.field(key, |value| value.as_str().map(str::to_owned))
    }

    /// A whole number: 14, 14.0 and "14" are the same; what is too small or too large for `T` is odd.
    pub fn count<T: FromStr>(&mut self, key: &'static str) -> Field<T> {
        self.scalar(key, scalar::whole)
    }

    /// A finite number, as a number or as a text.
    pub fn decimal(&mut self, key: &'static str) -> Field<f64> {
        self.scalar(key, scalar::decimal)
    }

    /// A truth value, or one of the texts `true` and `false` in any case.
    pub fn flag(&mut self, key: &'static str) -> Field<bool> {
        self.scalar(key, scalar::flag)
    }

    /// An address; an IPv4-mapped IPv6 address is taken as its IPv4 address.
    pub fn address(&mut self, key: &'static str) -> Field<IpAddr> {
        self.field(key, |value| scalar::address(value.as_str()?))
    }

    /// A network, its host bits cleared. A lone address is the network that holds it alone.
    pub fn network(&mut self, key: &'static str) -> Field<IpNet> {
        self.field(key, |value| scalar::network(value.as_str()?))
    }

    /// An instant in ISO 8601; without an offset it is UTC, as all times of the service are.
    pub fn timestamp(&mut self, key: &'static str) -> Field<Timestamp> {
        self.scalar(key, scalar::timestamp)
    }

    /// What a number, a truth value or a text spells, read by `parse`. A blank text says nothing, like null.
    pub fn scalar<T>(
        &mut self,
        key: &'static str,
        parse: impl FnOnce(&str) -> Option<T>,
    ) -> Field<T> {
        if self.is_blank(key) {
            return Field::Null;
        }
        self.field(key, |value| parse(scalar::spelling(value)?))
    }

    /// A list of texts. Elements that are null are skipped, odd ones are left out; an object that names an `ip` or an
    /// `address` stands for it; a text by itself is a list of one, and an empty one a list of none.
    pub fn texts(&mut self, key: &'static str) -> Field<Vec<String>> {
        if self.is_blank(key) {
            return Field::Is(Vec::new());
        }
        self.list(key, |_, value, _| {
            ["ip", "address"]
                .iter()
                .find_map(|name| value.get(name)?.as_str())
                .or(value.as_str())
                .map(str::to_owned)
        })
    }

    /// A list of values that are kept as they are.
    pub fn values(&mut self, key: &'static str) -> Field<Vec<Value>> {
        self.field(key, Value::as_array).map(Clone::clone)
    }

    /// An object with fields of its own.
    pub fn object<T>(
        &mut self,
        key: &'static str,
        read: impl FnOnce(&mut ObjectReader<'a>) -> T,
    ) -> Field<T> {
        self.field(key, Value::as_object)
            .map(|map| self.nested(key, map, read))
    }

    /// A list of objects with fields of their own; elements are treated as by [`ObjectReader::texts`].
    pub fn objects<T>(
        &mut self,
        key: &'static str,
        read: impl Fn(&mut ObjectReader<'a>) -> T,
    ) -> Field<Vec<T>> {
        self.list(key, |reader, value, index| {
            let map = value.as_object()?;
            Some(reader.nested(&format!("{key}[{index}]"), map, &read))
        })
    }

    /// The paths of keys that were not asked for, here and in the objects read so far. Ask when all else is read.
    #[must_use]
    pub fn unknown(&self) -> Vec<String> {
        let own = self.left_over().map(|(key, _)| key.to_owned());
        self.unknown.iter().cloned().chain(own).collect()
    }

    /// The keys of this object that were not asked for, with what they hold.
    pub fn left_over(&self) -> impl Iterator<Item = (&'a str, &'a Value)> {
        self.map
            .iter()
            .map(|(key, value)| (key.as_str(), value))
            .filter(|(key, _)| !self.asked.iter().any(|asked| asked == key))
    }

    /// The paths of fields and elements that hold something else than the contract says.
    #[must_use]
    pub fn odd(&self) -> Vec<String> {
        self.odd.clone()
    }

    /// Whether the key holds a text that says nothing; it counts as asked for then.
    fn is_blank(&mut self, key: &'static str) -> bool {
        let value = self.map.get(key).and_then(Value::as_str);
        let blank = value.is_some_and(|text| text.trim().is_empty());
        if blank {
            self.asked.push(key);
        }
        blank
    }

    fn nested<T>(
        &mut self,
        path: &str,
        map: &'a Map<String, Value>,
        read: impl FnOnce(&mut ObjectReader<'a>) -> T,
    ) -> T {
        let mut inner = ObjectReader::over(map);
        let value = read(&mut inner);
        let below =
            |paths: Vec<String>| paths.into_iter().map(move |rest| format!("{path}.{rest}"));
        self.unknown.extend(below(inner.unknown()));
        self.odd.extend(below(inner.odd));
        value
    }

    /// A list whose elements are read one by one. It is odd as a whole when no element could be read though some
    /// say something.
    fn list<T>(
        &mut self,
        key: &'static str,
        mut read: impl FnMut(&mut Self, &'a Value, usize) -> Option<T>,
    ) -> Field<Vec<T>> {
        let elements = self.field(key, |value| match value {
            Value::Array(elements) => Some(elements.as_slice()),
            Value::String(_) | Value::Object(_) => Some(std::slice::from_ref(value)),
            _ => None,
        });
        let Field::Is(elements) = elements else {
            return elements.map(|_| Vec::new());
        };
        let said = |(_, value): &(usize, &Value)| !value.is_null();
        let mut good = Vec::new();
        let mut lost = false;
        for (index, value) in elements.iter().enumerate().filter(said) {
            if let Some(element) = read(self, value, index) {
                good.push(element);
            } else {
                self.odd.push(format!("{key}[{index}]"));
                lost = true;
            }
        }
        if good.is_empty() && lost {
            Field::Odd
        } else {
            Field::Is(good)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    /// A record whose field `it` holds this.
    fn with(value: impl Into<Value>) -> Value {
        Value::from_iter([("it", value.into())])
    }

    /// Reads the field `it`.
    fn one<'a, T>(
        record: &'a Value,
        read: impl FnOnce(&mut ObjectReader<'a>, &'static str) -> T,
    ) -> T {
        read(&mut ObjectReader::open(record).expect("an object"), "it")
    }

    #[test]
    fn absent_null_and_odd_are_three_things() {
        let record = json!({"null": null, "odd": 7, "is": ""});
        let mut reader = ObjectReader::open(&record).expect("an object");
        assert_eq!(reader.text("absent"), Field::Absent);
        assert_eq!(reader.text("null"), Field::Null);
        assert_eq!(reader.text("odd"), Field::Odd);
        assert_eq!(reader.text("is"), Field::Is(String::new()));
        assert_eq!(reader.odd(), ["odd"]);
        assert!(ObjectReader::open(&json!([])).is_err());
    }

    #[test]
    fn numbers_and_flags_may_be_texts() {
        for text in ["14", "14.0", "1.4e1", "\"14\"", "\" 14.0 \""] {
            let value = Value::from_str(text).expect(text);
            assert_eq!(
                one(&with(value), ObjectReader::count::<u64>),
                Field::Is(14),
                "{text}"
            );
        }
        assert_eq!(one(&with(1), ObjectReader::decimal), Field::Is(1.0));
        assert_eq!(one(&with("True"), ObjectReader::flag), Field::Is(true));
        assert_eq!(one(&with(false), ObjectReader::flag), Field::Is(false));
        for odd in [json!([14]), json!(true), json!(-1)] {
            assert_eq!(one(&with(odd), ObjectReader::count::<u64>), Field::Odd);
        }
        assert_eq!(one(&with(1), ObjectReader::flag), Field::Odd);
        assert_eq!(one(&with(" "), ObjectReader::flag), Field::Null);
    }

    #[test]
    fn lists_keep_what_is_good() {
        let texts = |value: Value| one(&with(value), ObjectReader::texts);
        let is = |texts: &[&str]| Field::Is(texts.iter().map(ToString::to_string).collect());
        assert_eq!(texts(json!(["A", 7, null, "B"])), is(&["A", "B"]));
        assert_eq!(texts(json!("A")), is(&["A"]));
        assert_eq!(
            texts(json!([{"ip": "192.0.2.1"}, {"ip": null, "address": "192.0.2.2"}])),
            is(&["192.0.2.1", "192.0.2.2"])
        );
        for nothing in [json!([]), json!([null]), json!("")] {
            assert_eq!(texts(nothing), is(&[]));
        }
        for odd in [json!([7, {}]), json!(7), json!({"a": "b"})] {
            assert_eq!(texts(odd), Field::Odd);
        }
    }

    #[test]
    fn what_was_not_asked_for_is_unknown_by_its_path() {
        let record = json!({
            "new": 1,
            "outer": {"inner": {"x": 1, "odd": []}, "y": 2},
            "list": [null, {"z": 3}, 4]
        });
        let mut reader = ObjectReader::open(&record).expect("an object");
        let _ = reader.object("outer", |outer| {
            outer.object("inner", |inner| inner.text("odd"))
        });
        let list = reader.objects("list", |element| element.text("a"));
        assert_eq!(list, Field::Is(vec![Field::Absent]));
        assert_eq!(
            reader.unknown(),
            ["outer.inner.x", "outer.y", "list[1].z", "new"]
        );
        assert_eq!(reader.odd(), ["outer.inner.odd", "list[2]"]);
    }

    proptest! {
        #[test]
        fn no_value_breaks_a_reader(text in "[-+0-9eE.:/a-fnityT ]{0,24}", number in any::<f64>()) {
            for value in [json!(text), json!(number), json!([text, number]), json!({"ip": text})] {
                let record = json!({ "it": value });
                let mut reader = ObjectReader::open(&record).expect("an object");
                let _ = (reader.text("it"), reader.count::<u64>("it"), reader.count::<i64>("it"));
                let _ = (reader.decimal("it"), reader.flag("it"), reader.texts("it"));
                let _ = (reader.address("it"), reader.network("it"), reader.timestamp("it"));
                let _ = reader.objects("it", |element| element.address("ip"));
                prop_assert!(reader.unknown().is_empty());
            }
        }
    }
}
