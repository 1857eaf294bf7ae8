//! Token and addresses of the service, entered in place. The token is shown nowhere; an address that is left as it is, or empty, is
//! the one of the configuration.

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span},
};

use crate::{
    contract::{BaseUrl, Host, Token},
    tui::{
        ctx::{
            facts::{Facts, TokenState},
            request::{Entered, Keep},
        },
        ui::{
            spots::Pen,
            theme::Focus,
            widgets::{popup::Popup, text_field::TextField},
        },
    },
};

/// The row behind the token and the addresses.
const KEEP: usize = Host::ALL.len() + 1;

/// Token and addresses that are being typed.
#[derive(Debug)]
pub struct Setup {
    token: TextField,
    /// The address of each host, with what it is without this form.
    hosts: Vec<(Host, String, TextField)>,
    focus: usize,
    keep: Keep,
    /// Whether a token is there already: none needs to be typed then.
    has_token: bool,
    /// Whether the embedded service is left by it.
    leaves_demo: bool,
}

impl Setup {
    /// What is known so far, to be changed: the first thing that is missing has the focus.
    #[must_use]
    pub fn of(facts: &Facts) -> Self {
        let leaves_demo = facts.invented;
        let host = |host: Host| {
            let known = facts.url(host).filter(|_| !leaves_demo).unwrap_or_default();
            let mut field = TextField::new(match (leaves_demo, host) {
                (true, _) => "as configured",
                (false, Host::Context) => "https://...",
                (false, _) => "https://..., may be left empty",
            });
            field.set(known);
            (host, known.to_owned(), field)
        };
        let hosts: Vec<_> = Host::ALL.into_iter().map(host).collect();
        let has_token = facts.token == TokenState::There && !leaves_demo;
        let lacks_host = !leaves_demo && facts.url(Host::Context).is_none();
        Self {
            token: TextField::masked(if has_token {
                "paste or type another token; empty: the one in use"
            } else {
                "paste or type the token"
            }),
            hosts,
            focus: usize::from(lacks_host),
            keep: Keep::ForNow,
            has_token,
            leaves_demo,
        }
    }

    /// The field that takes what is typed.
    pub fn field(&mut self) -> Option<&mut TextField> {
        match self.focus {
            0 => Some(&mut self.token),
            focus => self.hosts.get_mut(focus - 1).map(|(.., field)| field),
        }
    }

    pub fn next(&mut self) {
        self.focus = (self.focus + 1) % (KEEP + 1);
    }

    /// To the row before.
    pub fn previous(&mut self) {
        self.focus = (self.focus + KEEP) % (KEEP + 1);
    }

    pub fn go_to(&mut self, row: usize) {
        self.focus = row.min(KEEP);
    }

    /// Keeps what is entered, or not.
    pub fn switch_keep(&mut self) {
        self.keep = match self.keep {
            Keep::ForNow => Keep::InFile,
            Keep::InFile => Keep::ForNow,
        };
    }

    /// What was entered.
    ///
    /// # Errors
    /// What is no token or no address; the row that is wrong gets the focus.
    pub fn entered(&mut self) -> Result<Entered, String> {
        let token = match self.token.value().trim() {
            "" if self.has_token || self.leaves_demo => None,
            text => Some(Token::new(text).map_err(|why| {
                self.focus = 0;
                why.to_string()
            })?),
        };
        let mut urls = Vec::new();
        for (row, (host, known, field)) in self.hosts.iter().enumerate() {
            let text = field.value().trim();
            // What is kept is kept whole, also what was entered before for that session alone.
            if text.is_empty() || (text == known && self.keep == Keep::ForNow) {
                continue;
            }
            match text.parse() {
                Ok(url) => urls.push((*host, url)),
                Err(why) => {
                    self.focus = row + 1;
                    return Err(format!("{}: {why}", host.key()));
                }
            }
        }
        Ok(Entered {
            token,
            urls,
            keep: self.keep,
        })
    }

    /// The origins, such as `https://context.example`, that would get the token in use although none was entered: those that no host
    /// of the current configuration has.
    #[must_use]
    pub fn new_recipients(&self, entered: &Entered) -> Vec<String> {
        if entered.token.is_some() {
            return Vec::new();
        }
        let known = self.hosts.iter().filter_map(|(_, known, _)| {
            let url: BaseUrl = known.parse().ok()?;
            Some(url.origin())
        });
        let known: Vec<String> = known.collect();
        let mut new: Vec<String> = Vec::new();
        for (_, url) in &entered.urls {
            let origin = url.origin();
            if !known.contains(&origin) && !new.contains(&origin) {
                new.push(origin);
            }
        }
        new
    }

    /// Whether the explorer restarts with the entered values, because the hosts differ.
    #[must_use]
    pub fn begins_anew(&self) -> bool {
        let mut hosts = self.hosts.iter();
        let is_other = |text: &str, known: &str| !text.is_empty() && text != known;
        self.leaves_demo || hosts.any(|(_, known, field)| is_other(field.value().trim(), known))
    }

    pub fn draw(&self, frame: &mut Frame<'_>, area: Rect, popup: Popup<'_>, pen: Pen<'_>) {
        let theme = pen.theme;
        let inner = popup.draw(frame, area, pen);
        let labelled = |row: usize, label: &'static str| {
            let style = if self.focus == row {
                theme.key
            } else {
                theme.dim
            };
            let sign = if self.focus == row { ">" } else { " " };
            Span::styled(format!("{sign} {label:<12}"), style)
        };
        let focus = |row: usize| {
            if self.focus == row {
                Focus::Here
            } else {
                Focus::Elsewhere
            }
        };
        let fields = [("token", &self.token)].into_iter();
        let fields = fields.chain(
            self.hosts
                .iter()
                .map(|(host, _, field)| (host.key(), field)),
        );
        let mut rows = inner.rows();
        for (row, (label, field)) in fields.enumerate() {
            let Some(line) = rows.next() else { return };
            pen.row(line, row, false);
            frame.render_widget(Line::from(labelled(row, label)), line);
            let left = line.width.min(14);
            let beside = Rect {
                x: line.x + left,
                width: line.width - left,
                ..line
            };
            field.draw(frame, beside, theme, focus(row));
        }
        let sign = if self.keep == Keep::InFile {
            "[x]"
        } else {
            "[ ]"
        };
        let keep = Line::from(vec![
            labelled(KEEP, sign),
            Span::raw("keep: token in its file (mode 0600), addresses in config.toml"),
        ]);
        let where_to = if self.leaves_demo {
            "enter leaves the demo and asks each host what the token may do, free"
        } else {
            "enter asks each host what the token may do: free; it goes nowhere else"
        };
        let lines = [Line::raw(""), keep, Line::styled(where_to, theme.dim)];
        for ((at, line), row) in lines.into_iter().enumerate().zip(rows) {
            if at == 1 {
                pen.row(row, KEEP, false);
            }
            frame.render_widget(line, row);
        }
    }

    /// The room that it takes.
    #[must_use]
    pub fn size() -> Size {
        let rows = u16::try_from(KEEP + 3).unwrap_or(u16::MAX);
        Size::new(78, rows)
    }
}
