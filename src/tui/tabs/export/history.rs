//! Undo and redo of the form.

/// The states of something. Changes in one run, such as the letters of a word, are one step.
#[derive(Clone, Debug)]
pub(super) struct History<T, R> {
    past: Vec<T>,
    now: T,
    future: Vec<T>,
    run: Option<R>,
}

impl<T: Clone + PartialEq, R: PartialEq> History<T, R> {
    const KEPT: usize = 200;

    pub(super) fn new(now: T) -> Self {
        Self {
            past: Vec::new(),
            now,
            future: Vec::new(),
            run: None,
        }
    }

    /// What is.
    pub(super) fn now(&self) -> &T {
        &self.now
    }

    /// A change; one of the same run as the change before belongs to its step.
    pub(super) fn record(&mut self, next: T, run: Option<R>) {
        if next == self.now {
            return;
        }
        let before = std::mem::replace(&mut self.now, next);
        if run.is_none() || run != self.run {
            self.past.push(before);
            if self.past.len() > Self::KEPT {
                self.past.remove(0);
            }
        }
        self.run = run;
        self.future.clear();
    }

    /// The run ends: the next change is a step of its own.
    pub(super) fn rest(&mut self) {
        self.run = None;
    }

    /// How many steps can be undone.
    pub(super) fn changes(&self) -> usize {
        self.past.len()
    }

    /// Undoes the last step; returns what is now, if there was one.
    pub(super) fn undo(&mut self) -> Option<&T> {
        let before = self.past.pop()?;
        self.run = None;
        self.future.push(std::mem::replace(&mut self.now, before));
        Some(&self.now)
    }

    /// Redoes the last step; returns what is now, if there was one.
    pub(super) fn redo(&mut self) -> Option<&T> {
        let after = self.future.pop()?;
        self.run = None;
        self.past.push(std::mem::replace(&mut self.now, after));
        Some(&self.now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_back_and_forth() {
        let mut history = History::new(0);
        for next in 1..=3 {
            history.record(next, None::<()>);
        }
        assert_eq!(history.undo(), Some(&2));
        assert_eq!(history.undo(), Some(&1));
        assert_eq!(history.redo(), Some(&2));
        history.record(9, None);
        assert_eq!(history.redo(), None);
        assert_eq!(history.undo(), Some(&2));
        assert_eq!(history.undo(), Some(&1));
        assert_eq!(history.undo(), Some(&0));
        assert_eq!(history.undo(), None);
    }

    #[test]
    fn a_word_is_one_step() {
        let mut history = History::new(String::new());
        for text in ["A", "AC", "ACM"] {
            history.record(text.to_owned(), Some('t'));
        }
        history.rest();
        history.record("ACME".to_owned(), Some('t'));
        assert_eq!(history.undo().map(String::as_str), Some("ACM"));
        assert_eq!(history.undo().map(String::as_str), Some(""));
        assert_eq!(history.undo(), None);
    }
}
