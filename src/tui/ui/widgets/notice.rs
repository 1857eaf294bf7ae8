//! Notices of one line: the latest is above the keys for a while, all are in the log.

use std::collections::VecDeque;

use jiff::{SignedDuration, Timestamp};
use ratatui::text::{Line, Span};

use crate::tui::ui::{Theme, Tone};

/// One piece of news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Notice {
    pub tone: Tone,
    /// What happened, in one line.
    pub text: String,
    /// When it was last said.
    pub at: Timestamp,
    /// How often it was said in a row.
    pub times: u32,
    /// The number of the tab that it is about: it leaves the screen with the place that was shown there.
    pub about: Option<usize>,
    /// The text that it is about, such as a note that was copied.
    pub body: Option<String>,
}

impl Notice {
    /// The news as it is in the status line: the sign, then the text.
    #[must_use]
    pub fn line(&self, theme: &Theme) -> Line<'_> {
        let mut spans = vec![
            Span::styled(format!("{:<2} ", self.tone.sign()), theme.tone(self.tone)),
            Span::styled(self.text.as_str(), theme.text),
        ];
        if self.times > 1 {
            spans.push(Span::styled(format!("  ({} times)", self.times), theme.dim));
        }
        Line::from(spans)
    }

    /// When it leaves the screen; an error stays until something else is said, or its place is left.
    fn expires(&self) -> Option<Timestamp> {
        let seconds = match self.tone {
            Tone::Ok | Tone::Info => 8,
            Tone::Warn => 20,
            Tone::Error => return None,
        };
        self.at.checked_add(SignedDuration::from_secs(seconds)).ok()
    }
}

/// The news so far, the oldest first, at most [`NoticeLog::MOST`] of them.
#[derive(Clone, Debug, Default)]
pub struct NoticeLog {
    log: VecDeque<Notice>,
    dismissed: bool,
}

impl NoticeLog {
    /// What the log holds at most.
    pub const MOST: usize = 500;

    /// Says something. The same thing again counts up instead of filling the log.
    pub fn push(&mut self, tone: Tone, text: impl Into<String>, now: Timestamp) {
        let text = text.into();
        self.dismissed = false;
        if let Some(last) = self.log.back_mut()
            && last.tone == tone
            && last.text == text
        {
            last.times = last.times.saturating_add(1);
            last.at = now;
            (last.about, last.body) = (None, None);
            return;
        }
        if self.log.len() == Self::MOST {
            self.log.pop_front();
        }
        self.log.push_back(Notice {
            tone,
            text,
            at: now,
            times: 1,
            about: None,
            body: None,
        });
    }

    /// The latest is about the tab of this number, if about any.
    pub fn tie(&mut self, tab: Option<usize>) {
        if let Some(last) = self.log.back_mut() {
            last.about = tab;
        }
    }

    /// The latest is about this text.
    pub fn attach(&mut self, body: String) {
        if let Some(last) = self.log.back_mut() {
            last.body = Some(body);
        }
    }

    /// Drops the texts that news is about.
    pub fn drop_bodies(&mut self) {
        for notice in &mut self.log {
            notice.body = None;
        }
    }

    /// Another place is shown than before in the tab of this number: what was said about that one leaves the screen.
    pub fn leave(&mut self, tab: usize) {
        let last = self.log.back();
        self.dismissed |= last.is_some_and(|last| last.about == Some(tab));
    }

    /// What is shown now.
    #[must_use]
    pub fn latest(&self, now: Timestamp) -> Option<&Notice> {
        let last = self.log.back().filter(|_| !self.dismissed)?;
        let over = last.expires().is_some_and(|end| end <= now);
        (!over).then_some(last)
    }

    /// When it leaves the screen by itself: the moment to draw once more.
    #[must_use]
    pub fn expires(&self, now: Timestamp) -> Option<Timestamp> {
        self.latest(now)?.expires()
    }

    /// Takes the latest news off the screen; the log keeps it.
    pub fn dismiss(&mut self) {
        self.dismissed = true;
    }

    /// All news, the oldest first.
    #[must_use]
    pub fn log(&self) -> impl DoubleEndedIterator<Item = &Notice> + ExactSizeIterator {
        self.log.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(second: i64) -> Timestamp {
        Timestamp::from_second(second).expect("a second")
    }

    fn latest(notices: &NoticeLog, now: i64) -> Option<String> {
        notices
            .latest(at(now))
            .map(|notice| notice.line(&Theme::colourless()).to_string())
    }

    #[test]
    fn news_stands_for_a_while_and_errors_stay() {
        let mut notices = NoticeLog::default();
        assert_eq!(latest(&notices, 0), None);
        notices.push(Tone::Ok, "copied 198.51.100.77 via OSC 52", at(0));
        assert_eq!(
            latest(&notices, 7).as_deref(),
            Some("ok copied 198.51.100.77 via OSC 52")
        );
        assert_eq!(notices.expires(at(7)), Some(at(8)));
        assert_eq!(latest(&notices, 8), None);
        assert_eq!(notices.expires(at(8)), None);
        notices.push(Tone::Error, "the link was refused", at(9));
        assert_eq!(
            latest(&notices, 9999).as_deref(),
            Some("x  the link was refused")
        );
        notices.dismiss();
        assert_eq!(latest(&notices, 9999), None);
        assert_eq!(notices.log().len(), 2);
    }

    #[test]
    fn the_same_again_counts_up_and_stands_anew() {
        let mut notices = NoticeLog::default();
        for second in [0, 5, 10] {
            notices.push(Tone::Warn, "no answer yet", at(second));
        }
        assert_eq!(
            latest(&notices, 29).as_deref(),
            Some("!  no answer yet  (3 times)")
        );
        assert_eq!(notices.log().len(), 1);
    }

    #[test]
    fn the_same_again_is_of_its_own_place_and_has_its_own_text() {
        let mut notices = NoticeLog::default();
        notices.push(Tone::Ok, "copied a ticket note", at(0));
        notices.tie(Some(1));
        notices.attach("a note".to_owned());
        notices.push(Tone::Ok, "copied a ticket note", at(1));
        notices.leave(1);
        assert!(latest(&notices, 2).is_some());
        assert_eq!(
            notices.log().next().and_then(|notice| notice.body.as_ref()),
            None
        );
        notices.attach("another".to_owned());
        notices.drop_bodies();
        assert!(notices.log().all(|notice| notice.body.is_none()));
    }

    #[test]
    fn the_log_is_bounded() {
        let mut notices = NoticeLog::default();
        for second in 0..600 {
            notices.push(Tone::Info, format!("{second}"), at(second));
        }
        assert_eq!(notices.log().len(), NoticeLog::MOST);
        assert_eq!(
            notices.log().next().map(|notice| notice.text.as_str()),
            Some("100")
        );
    }
}
