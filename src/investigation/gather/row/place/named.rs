//! What the name of a field says of the address in it.

use std::net::{IpAddr, SocketAddr};

use super::{
    super::{NameMeaning, RowReader},
    HitPlace, NoAddress,
};
use crate::{
    investigation::text::{
        AddressRole, FieldRole, FieldView, LISTENING, RowFields, WeakName, role_of_name,
    },
    model::scan::Hit,
};

/// What the name of a field says.
#[derive(Clone, Copy, Debug)]
pub(super) struct Named {
    pub(super) role: AddressRole,
    pub(super) aside: Option<NoAddress>,
}

impl RowReader {
    /// What the name of its field says of an address.
    pub(super) fn named(
        &self,
        row: &[u8],
        hit: &Hit,
        field: &FieldView<'_>,
        role: FieldRole,
    ) -> Named {
        let mut named = Named {
            role: AddressRole::Unknown,
            aside: None,
        };
        let (at, mut role) = (field.at.clone(), role);
        let pair = pair_of(&self.fields, field);
        if let Some(name) = pair {
            role = role_of_name(name);
        }
        // `host=198.51.100.7` is a client.
        if field.name.eq_ignore_ascii_case("host") && row[..at.start].ends_with(b"=") {
            role = FieldRole::Other;
        }
        // Behind the two ends of a connection those of the answer, as after a translation.
        if is_of_answer(&self.fields, field) {
            role = match role {
                FieldRole::Address(AddressRole::Source) => {
                    FieldRole::Address(AddressRole::Destination)
                }
                FieldRole::Address(AddressRole::Destination) => {
                    FieldRole::Address(AddressRole::Own)
                }
                other => other,
            };
        }
        match role {
            FieldRole::Address(role) => named.role = role,
            FieldRole::Version => named.aside = Some(NoAddress::Version),
            FieldRole::Agent => {
                let before = &row[at.start..hit.at.start];
                let is_version = before.ends_with(b"/") && !before.ends_with(b"//");
                named.aside = is_version.then_some(NoAddress::Version);
            }
            FieldRole::Forwarded => {
                let list = self.fields.list_of(field.group);
                let mut before = self
                    .fields
                    .iter()
                    .take_while(|view| view.at.start < at.start);
                let is_first = !row[at.start..hit.at.start].contains(&b',')
                    && !before.any(|view| {
                        view.name == field.name
                            && pair.is_none()
                            && list.is_some()
                            && self.fields.list_of(view.group) == list
                    });
                named.role = if is_first {
                    AddressRole::Source
                } else {
                    AddressRole::Proxy
                };
            }
            FieldRole::Time(_) | FieldRole::Zone | FieldRole::Other => {}
        }
        named
    }

    /// Weighs a name that tells little by itself against the rest of the event; returns whether nothing else is to be asked.
    pub(super) fn weigh_name(
        &mut self,
        row: &[u8],
        number: u32,
        ip: IpAddr,
        place: &mut HitPlace,
    ) -> bool {
        let weak = self.names.of(number, &self.fields).weak;
        // `msg="Listening for queries" address="192.0.2.10:53"`
        if weak == Some(WeakName::Plain) && !self.has_several && LISTENING.is_in(row) {
            place.role = AddressRole::Own;
            return true;
        }
        match weak.filter(|weak| self.has_client(place.event, ip, *weak)) {
            Some(WeakName::User) => place.aside = Some(NoAddress::UserName),
            Some(WeakName::Host) if place.role == AddressRole::Unknown => {
                place.role = AddressRole::Destination;
            }
            Some(WeakName::Plain) => place.role = AddressRole::Own,
            Some(WeakName::Host) | None => {}
        }
        // The host of an event without anybody else is whom it is about.
        let is_host = self.fields.name_of(number).eq_ignore_ascii_case("host");
        let is_lone = is_host && self.is_alone(place.event, ip);
        if is_lone {
            place.role = AddressRole::Unknown;
        }
        is_lone
    }

    /// Whether an event has the address of another client, under a name that says more than this one.
    fn has_client(&mut self, event: u32, ip: IpAddr, than: WeakName) -> bool {
        let (fields, names) = (&self.fields, &mut self.names);
        fields.iter().any(|field| {
            let NameMeaning { role, weak, .. } = *names.of(field.path_number, fields);
            let is_stronger = match weak {
                None => true,
                Some(WeakName::Plain) => than != WeakName::Plain,
                Some(WeakName::Host | WeakName::User) => false,
            };
            is_stronger
                && role == FieldRole::Address(AddressRole::Source)
                && fields.event_of(field.group) == event
                && address_of(field.value).is_some_and(|other| other != ip)
        })
    }

    /// Whether an event has no other address.
    fn is_alone(&self, event: u32, ip: IpAddr) -> bool {
        if !self.fields.is_divided() {
            return !self.has_several;
        }
        let mut others = self.fields.iter();
        !others.any(|field| {
            self.fields.event_of(field.group) == event
                && address_of(field.value).is_some_and(|other| other != ip)
        })
    }
}

/// The address that a value is, perhaps with a port.
fn address_of(value: &str) -> Option<IpAddr> {
    let socket = || value.parse::<SocketAddr>().ok().map(|addr| addr.ip());
    value.parse().ok().or_else(socket)
}

/// Whether a field is one of the second pair of `src=` and `dst=` in a line.
fn is_of_answer(fields: &RowFields, field: &FieldView<'_>) -> bool {
    if !matches!(field.name, "src" | "dst") {
        return false;
    }
    let mut before = fields
        .iter()
        .take_while(|view| view.at.start < field.at.start);
    before.any(|view| view.name == field.name && view.group == field.group)
}

/// The name that stands beside a value in the same object: `{"name":"Host","value":"203.0.113.5"}`, `{"type":"ip-dst","value":…}`.
fn pair_of<'f>(fields: &'f RowFields, field: &FieldView<'_>) -> Option<&'f str> {
    // CEF: `c6a2=2001:db8::7 c6a2Label=Source IPv6 Address`
    let is_label = |view: &FieldView<'_>| view.name.strip_suffix("Label") == Some(field.name);
    let is_numbered = field.name.ends_with(|last: char| last.is_ascii_digit());
    if is_numbered && let Some(label) = fields.iter().find(is_label) {
        return Some(label.value);
    }
    let is_last = |name: &str, words: &[&str]| {
        let last = name.rsplit('.').next().unwrap_or_default();
        words.iter().any(|word| last.eq_ignore_ascii_case(word))
    };
    if !is_last(field.name, &["value"]) {
        return None;
    }
    let mut beside = fields.iter().filter(|view| view.group == field.group);
    let view = beside.find(|view| is_last(view.name, &["name", "key", "type", "field"]));
    view.map(|view| view.value)
}
