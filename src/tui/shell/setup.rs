//! Token and addresses of the service, entered in place. The token is shown nowhere; an address that is left as it is, or empty, is
//! the one of the configuration.

use ratatui::{
    Frame,
    layout::{Rect, Size},
    text::{Line, Span},
};

use super::overlays::{before_leaving, leave, popup};
use crate::{
    contract::{BaseUrl, Host, Token},
    tui::{
        ctx::{
            Cmd, Confirm, Destination, Entered, Facts, Flow, Gesture, Keep, Scope, Surface,
            TokenState, UpdateCtx, ViewCtx,
        },
        ui::{Focus, Motion, Pen, TextField, Tone},
    },
};

/// The row behind the token and the addresses.
const KEEP: usize = Host::ALL.len() + 1;

/// Token and addresses that are being typed.
#[derive(Debug)]
pub(super) struct Setup {
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
    pub(super) fn of(facts: &Facts) -> Self {
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

    /// Keeps what is entered, or not.
    pub(super) fn switch_keep(&mut self) {
        self.keep = match self.keep {
            Keep::ForNow => Keep::InFile,
            Keep::InFile => Keep::ForNow,
        };
    }

    /// What was entered.
    ///
    /// # Errors
    /// What is no token or no address; the row that is wrong gets the focus.
    fn entered(&mut self) -> Result<Entered, String> {
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
    fn new_recipients(&self, entered: &Entered) -> Vec<String> {
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
    fn begins_anew(&self) -> bool {
        let mut hosts = self.hosts.iter();
        let is_other = |text: &str, known: &str| !text.is_empty() && text != known;
        self.leaves_demo || hosts.any(|(_, known, field)| is_other(field.value().trim(), known))
    }

    /// Applies the entered values. Other hosts restart the explorer; a token alone is tested in place.
    fn take(&mut self, ctx: &mut UpdateCtx<'_>) -> Flow {
        let entered = match self.entered() {
            Ok(entered) => entered,
            Err(why) => {
                ctx.out.say(Tone::Error, why);
                return Flow::Done;
            }
        };
        if !self.begins_anew() {
            ctx.out.go = Some(Destination::Access(entered));
            return Flow::Close;
        }
        let recipients = self.new_recipients(&entered);
        let restart = Cmd::OpenService(entered);
        if recipients.is_empty() {
            leave(restart, ctx.jobs, ctx.out);
            return Flow::Close;
        }
        let leaving = before_leaving(restart.clone(), ctx.jobs);
        let (leaving, then) = leaving.map_or((String::new(), vec![restart]), |confirm| {
            (format!(" {}", confirm.question), confirm.then)
        });
        let to = recipients.join(" and ");
        Flow::Push(Box::new(Confirm {
            question: format!("No token was entered. Send the stored token to {to}?{leaving}"),
            then,
            go: None,
            erases: true,
        }))
    }
}

impl Surface for Setup {
    fn scope(&self) -> Scope {
        Scope::Setup
    }

    fn field(&mut self) -> Option<&mut TextField> {
        match self.focus {
            0 => Some(&mut self.token),
            focus => self.hosts.get_mut(focus - 1).map(|(.., field)| field),
        }
    }

    fn on(&mut self, gesture: Gesture, ctx: &mut UpdateCtx<'_>) -> Flow {
        self.focus = match gesture {
            Gesture::NextPane => (self.focus + 1) % (KEEP + 1),
            Gesture::PreviousPane => (self.focus + KEEP) % (KEEP + 1),
            Gesture::Go(Motion::To(row)) => row.min(KEEP),
            Gesture::Open => return self.take(ctx),
            _ => return Flow::Ignored,
        };
        Flow::Done
    }

    fn draw(&self, frame: &mut Frame<'_>, area: Rect, ctx: &ViewCtx<'_>) {
        let pen = Pen::from(ctx);
        let theme = ctx.theme;
        let rows = u16::try_from(KEEP + 3).unwrap_or(u16::MAX);
        let popup = popup("Token and hosts", Size::new(78, rows), Scope::Setup, ctx);
        let inner = popup.draw(frame, area, ctx);
        let focus = |row: usize| Focus::when(self.focus == row);
        let labelled = |row: usize, label: &'static str| {
            let (sign, style) = match focus(row) {
                Focus::Here => (">", theme.key),
                Focus::Elsewhere => (" ", theme.dim),
            };
            Span::styled(format!("{sign} {label:<12}"), style)
        };
        let fields = [("token", &self.token)].into_iter();
        let hosts = self.hosts.iter();
        let fields = fields.chain(hosts.map(|(host, _, field)| (host.key(), field)));
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
}
