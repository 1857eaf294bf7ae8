//! Times that are numbers.

use std::ops::Range;

use jiff::Timestamp;

use super::digits::{digits, nanoseconds, number};

/// Seconds of the beginning of 2000 and of 2100: other numbers are no epoch times.
const EPOCH: Range<i64> = 946_684_800..4_102_444_800;

/// Seconds between the epochs of Windows and Unix.
const WINDOWS: i64 = 11_644_473_600;

/// The head of a line.
pub(super) struct Head;

impl Head {
    /// The digits with which a line begins, behind the signs that may be before them.
    pub(super) fn of_line(line: &[u8]) -> Option<Range<usize>> {
        let mut start = 0;
        if line.first() == Some(&b'<') {
            // The priority of syslog.
            let end = line.iter().take(6).position(|byte| *byte == b'>')?;
            start = end + 1;
        }
        let signs = line[start..].iter().take(4);
        start += signs
            .take_while(|byte| b" \t[(\"'#@{".contains(byte))
            .count();
        let end = start + digits(&line[start..]);
        if end > start {
            return Some(start..end);
        }
        // The audit log of Linux.
        let audit = line.get(..line.len().min(120))?;
        let mut brackets = memchr::memchr_iter(b'(', audit);
        let at = brackets.find(|at| audit[..*at].ends_with(b"audit"))? + 1;
        Some(at..at + digits(&line[at..]))
    }
}

/// The epoch time at these digits, which must be a word of their own, and its place. Where a key means a time, also that of Windows.
pub(super) fn epoch(
    line: &[u8],
    place: Range<usize>,
    is_of_time: bool,
) -> Option<(Timestamp, Range<usize>)> {
    let Range { start, end } = place;
    let scale = match end - start {
        10 => 1,
        13 => 1_000,
        16 => 1_000_000,
        18 if is_of_time => 10_000_000,
        19 => 1_000_000_000,
        _ => return None,
    };
    let is_apart = |byte: &u8| byte.is_ascii_whitespace() || b"\"'=:,;()[]{}|<>@&".contains(byte);
    let fraction = match line.get(end..) {
        Some([b'.', rest @ ..]) if scale <= 1_000 => digits(rest),
        _ => 0,
    };
    let whole_end = if fraction > 0 {
        end + 1 + fraction
    } else {
        end
    };
    if line.get(whole_end).is_some_and(|byte| !is_apart(byte)) {
        return None;
    }
    let whole = number(&line[start..end])?;
    let mut seconds = whole / scale;
    let mut nanos = whole % scale * (1_000_000_000 / scale);
    if end - start == 18 {
        seconds -= WINDOWS;
    }
    if fraction > 0 {
        nanos += i64::from(nanoseconds(&line[end + 1..whole_end])) / scale;
    }
    let at = Timestamp::new(seconds, i32::try_from(nanos).ok()?).ok()?;
    EPOCH.contains(&seconds).then_some((at, start..whole_end))
}

/// The time that begins a line of `multilog`: `@400000006b0707cc1dcd6500`, seconds of TAI from 2^62 on and nanoseconds.
pub(super) fn tai64n(line: &[u8]) -> Option<Timestamp> {
    /// Seconds by which that clock was ahead of UTC in 1970; leap seconds since then are not counted, as in the tools that read it.
    const AHEAD: i64 = 10;
    let digits = line.strip_prefix(b"@40000000")?.get(..16)?;
    let digits = std::str::from_utf8(digits).ok()?;
    let seconds = i64::from_str_radix(digits.get(..8)?, 16).ok()? - AHEAD;
    let nanos = i32::from_str_radix(digits.get(8..)?, 16).ok()?;
    Timestamp::new(seconds, nanos)
        .ok()
        .filter(|_| EPOCH.contains(&seconds))
}
