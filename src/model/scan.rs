//! Finds the addresses in any text: logs, CSV, JSON, firewall rules, chats, defanged lists.
//!
//! The text is bytes, of any encoding that contains ASCII. It is read once, in linear time, by looking for the signs
//! that join the parts of an address; what is around a sign is its *run*: hexadecimal digits and signs, nothing else.
//! A run is then read whole, since its beginning and its end decide: four numbers are an address, five are a version.
//!
//! | written as | is |
//! |---|---|
//! | `198.51.100.7`, `198.51.100.7:8080`, `[2001:db8::1]:443`, `::ffff:198.51.100.7` | an address |
//! | `198[.]51[.]100[.]7`, `198(.)51{.}100[dot]7`, `198\.51\.100\.7`, `2001[:]db8::1`, `http%3A%2F%2F198.51.100.7` | an address |
//! | `198.51.100.7/24`, `198.51.100.7/32` | an address: of an interface, of itself |
//! | `198.51.100.0/24` | a network |
//! | `198.051.100.007` | padded: programs read it differently |
//! | `1.2.3.4.5`, `7.100.51.198.in-addr.arpa`, `12:30:45`, `00:11:22:33:44:55`, `Cache::Add` | nothing |
//! | `v1.2.3.4`, `OpenSSH_9.6.0.1`, `Chrome/130.0.0.0` | a version, so nothing |
//!
//! A version is four numbers that a letter, `_` or `/` joins to a word before them. It is none where a port follows
//! (`eth0_198.51.100.7_443`, `server/198.51.100.7:443`), nor behind a `/` that ends a path, a host or a scheme (`/lookup/198.51.100.7`,
//! `host.example/198.51.100.7`, `https://198.51.100.7/`).
//!
//! It must never make an address up: where a text can be read in two ways, the longer reading wins or there is none.

mod context;
mod hit;
mod run;
mod signs;
mod version;

#[cfg(test)]
mod tests;

pub use self::{
    context::is_at_firewall,
    hit::{Found, Hit},
};
use self::{run::CharRun, signs::Separator};

/// Tells of everything found in a text, in its order.
pub fn scan(text: &[u8], hear: &mut impl FnMut(Hit)) {
    let mut at = 0;
    while let Some(sign) = next_sign(text, at) {
        let run = CharRun::around(text, sign);
        at = run.end();
        run.read(hear);
    }
}

/// The place of the next sign, from `at` on.
fn next_sign(text: &[u8], mut at: usize) -> Option<usize> {
    loop {
        let ahead = text.get(at..)?;
        at += ahead
            .iter()
            .position(|byte| MAY_BEGIN_A_SIGN[usize::from(*byte)])?;
        if Separator::at(text, at).is_some() {
            // ` [.] `
            let is_apart = at > 1 && text[at - 1] == b' ' && text[at - 2].is_ascii_digit();
            let is_apart = is_apart && Separator::at(text, at - 1).is_some();
            return Some(if is_apart { at - 1 } else { at });
        }
        at += 1;
    }
}

const MAY_BEGIN_A_SIGN: [bool; 256] = {
    let mut table = [false; 256];
    let signs = b".:[({\\%&";
    let mut index = 0;
    while index < signs.len() {
        table[signs[index] as usize] = true;
        index += 1;
    }
    table
};
