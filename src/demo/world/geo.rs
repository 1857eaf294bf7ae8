//! The geolocation feed (contract, part 2.10): by netblock, with names in several languages.

use ipnet::{IpNet, Ipv4Net};
use serde_json::{Value, json};

use super::{
    World,
    place::{DemoCountry, Locality, place},
    seed::RngExt,
    site::network_of,
    system::{SYSTEMS, System},
};

impl World {
    /// All netblocks with where they are, by address. A record has no `prefix` yet: only JSON has one.
    pub(crate) fn locations(&self) -> Vec<(IpNet, Value)> {
        let mut located = Vec::new();
        for block in self.blocks() {
            let Ok(network) = Ipv4Net::new(block.base, 24) else {
                continue;
            };
            let mut dice = self.seed.dice("geo", &[block.number()]);
            if dice.percent(15) {
                let halves = network.subnets(25).into_iter().flatten();
                for (half, place) in halves.zip([block.place, block.elsewhere]) {
                    located.push((half.into(), self.located(half.into(), place, block.system)));
                }
            } else {
                located.push((
                    network.into(),
                    self.located(network.into(), block.place, block.system),
                ));
            }
        }
        for (third, system) in (0x100..).zip(SYSTEMS.iter()) {
            let network = network_of(third).into();
            located.push((network, self.located(network, place(system.city), system)));
        }
        located
    }

    fn located(&self, network: IpNet, place: &Locality, system: &System) -> Value {
        let mut dice = self.seed.dice(
            "radius",
            &[network.prefix_len().into(), system.number.into()],
        );
        let radius = dice.pick(&[5, 10, 20, 50, 200]);
        let country = country(place.country);
        let (code, geoname_id, name) = place.country.continent;
        let mut record = json!({
            "continent": {"code": code, "geoname_id": geoname_id, "names": {"en": name}},
            "country": country,
            "registered_country": country,
            "location": {
                "accuracy_radius": radius,
                "latitude": place.latitude,
                "longitude": place.longitude,
                "time_zone": place.time_zone,
            },
            "vendor": {"as": system},
        });
        if dice.percent(90) {
            record["city"] = json!({"geoname_id": place.geoname_id, "names": {"en": place.city, "de": place.city}});
            if let Some(state) = place.state {
                record["subdivisions"] = json!([{"names": {"en": state}}]);
            }
        }
        record
    }
}

fn country(country: &DemoCountry) -> Value {
    let [en, de, ru] = country.names;
    json!({
        "geoname_id": country.geoname_id,
        "iso_code": country.code,
        "names": {"de": de, "en": en, "ru": ru},
    })
}
