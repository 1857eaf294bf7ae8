//! Colours by role: what a thing means decides how it looks, and one accent is enough.
//!
//! Colour is never the only carrier: a sign or a word is beside it, the selected row has a `>`, and every theme works
//! without any colour at all.

mod palette;

use ratatui::style::{Color, Modifier, Style};

use palette::Palette;

/// What colour the ground of the terminal has, roughly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shade {
    /// Light text is on it.
    Dark,
    /// Dark text is on it.
    Light,
}

/// Whether a part of the screen has the focus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Focus {
    /// Keys go here.
    Here,
    /// Keys go to another part.
    Elsewhere,
}

impl Focus {
    /// The focus of a part, given whether keys go there.
    #[must_use]
    pub fn when(here: bool) -> Self {
        if here { Self::Here } else { Self::Elsewhere }
    }

    /// Whether keys go here.
    #[must_use]
    pub fn is_here(self) -> bool {
        self == Self::Here
    }
}

/// How good the news is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Tone {
    /// Done.
    Ok,
    /// Worth knowing.
    Info,
    /// Worth a second ctx.
    Warn,
    /// Failed.
    Error,
}

impl Tone {
    /// The sign that is beside the colour, at most two cells wide.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Info => "i",
            Self::Warn => "!",
            Self::Error => "x",
        }
    }
}

/// The style of every role.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The ground, set over the whole frame before anything is drawn.
    pub base: Style,
    /// Ordinary text, on any background.
    pub text: Style,
    /// What may be read past: units, ages, what is absent.
    pub dim: Style,
    /// The name beside a value.
    pub label: Style,
    /// The one colour that draws the eye: what is chosen, typed or active.
    pub accent: Style,
    /// Title of a pane or a section.
    pub title: Style,
    /// Title of the pane that has the focus.
    pub title_focus: Style,
    /// Lines around and between things.
    pub border: Style,
    /// Lines around the pane that has the focus.
    pub border_focus: Style,
    /// The selected row where the focus is; see [`Theme::row`].
    pub selected: Style,
    /// The selected row of a pane without the focus.
    pub selected_idle: Style,
    /// Heads of columns.
    pub header: Style,
    /// Good news.
    pub good: Style,
    /// Worth a second ctx.
    pub warn: Style,
    /// Bad news.
    pub bad: Style,
    pub key: Style,
    /// What a key does, in a hint.
    pub hint: Style,
    /// A small label such as `live`, `feed`, `DEMO`.
    pub badge: Style,
    /// Old content that stays until the new is there.
    pub stale: Style,
    /// The part of a text that was searched for.
    pub matched: Style,
    /// Whether the screen is read aloud: what only the eye understands is left out, and menus are numbered.
    pub spoken: bool,
}

impl Theme {
    /// The badge of a day that holds in place of today.
    #[must_use]
    pub fn day_badge(&self) -> Style {
        self.badge.patch(self.warn)
    }

    /// Every name that [`Theme::named`] knows, the default first.
    pub const NAMES: [&str; 6] = ["terminal", "auto", "dark", "light", "high-contrast", "none"];

    /// Marks the selected row where [`Theme::spoken`] holds. No terminal is ever sent it: [`super::look::take_marks`] takes it off.
    pub const MARK: Modifier = Modifier::SLOW_BLINK;

    /// Marks the cell that is typed into, in the same way.
    pub const TYPED: Modifier = Modifier::RAPID_BLINK;

    /// The theme of this name on this ground; with `no_color` the colourless one, if the name is known at all.
    ///
    /// Where the ground is not known, `auto` has the terminal's own colours, which are readable on any.
    #[must_use]
    pub fn named(name: &str, ground: Option<Shade>, no_color: bool) -> Option<Self> {
        let theme = match (name, ground) {
            ("terminal", _) | ("auto", None) => Self::terminal(),
            ("dark", _) | ("auto", Some(Shade::Dark)) => Self::painted(&palette::DARK),
            ("light", _) | ("auto", Some(Shade::Light)) => Self::painted(&palette::LIGHT),
            ("high-contrast", ground) => Self::high_contrast(ground.unwrap_or(Shade::Dark)),
            ("none", _) => Self::colourless(),
            _ => return None,
        };
        Some(if no_color { Self::colourless() } else { theme })
    }

    /// Whether the theme of this name is another one on another ground.
    #[must_use]
    pub fn depends_on_ground(name: &str) -> bool {
        matches!(name, "auto" | "high-contrast")
    }

    /// The same for a screen that is read aloud.
    #[must_use]
    pub fn spoken(self) -> Self {
        Self {
            selected: self.selected.add_modifier(Self::MARK),
            spoken: true,
            ..self
        }
    }

    /// What follows from a few styles where a theme does not say otherwise.
    fn of(text: Style, dim: Style, accent: Style, [good, warn, bad]: [Style; 3]) -> Self {
        let bold = text.add_modifier(Modifier::BOLD);
        Self {
            base: Style::reset(),
            text,
            dim,
            label: dim,
            accent,
            title: bold,
            title_focus: accent.add_modifier(Modifier::BOLD),
            border: dim,
            border_focus: accent,
            selected: text
                .add_modifier(Modifier::REVERSED)
                .remove_modifier(Modifier::DIM),
            selected_idle: bold,
            header: dim,
            good,
            warn,
            bad,
            key: accent,
            hint: dim,
            badge: accent,
            stale: dim.add_modifier(Modifier::ITALIC),
            matched: warn.add_modifier(Modifier::UNDERLINED),
            spoken: false,
        }
    }

    /// The terminal's own colours on its own ground, and one grey.
    #[must_use]
    pub fn terminal() -> Self {
        let text = Style::new();
        let news = [Color::Green, Color::Yellow, Color::Red].map(|colour| text.fg(colour));
        // The grey between black and white in the 256 colours: readable on both. Some terminals ignore the attribute for dim text, and
        // bright black is the ground itself in some palettes, such as Solarized.
        let dim = text.fg(Color::Indexed(244));
        let theme = Self::of(text, dim, text.fg(Color::Cyan), news);
        Self {
            // Over the reset colours, so that a row of many colours becomes one even bar.
            selected: theme.selected.fg(Color::Reset).bg(Color::Reset),
            ..theme
        }
    }

    /// Signs, words, weight and reverse video only.
    ///
    /// Every colour is left alone, so that nothing is ever written that changes one.
    #[must_use]
    pub fn colourless() -> Self {
        let text = Style::new();
        let bold = text.add_modifier(Modifier::BOLD);
        let dim = text.add_modifier(Modifier::DIM);
        Self {
            title: text,
            border_focus: text,
            matched: text.add_modifier(Modifier::UNDERLINED),
            ..Self::of(text, dim, bold, [text, bold, bold])
        }
    }

    /// White on black, or black on white where the ground is light; nothing dimmed.
    fn high_contrast(ground: Shade) -> Self {
        let (front, back, accent, good, bad) = match ground {
            Shade::Dark => (
                Color::White,
                Color::Black,
                Color::LightYellow,
                Color::LightGreen,
                Color::LightRed,
            ),
            // No green is dark enough on white: good news is as dark as text there, with its sign beside it.
            Shade::Light => (
                Color::Black,
                Color::White,
                Color::Blue,
                Color::Black,
                Color::Red,
            ),
        };
        let text = Style::new().fg(front);
        let bold = text.add_modifier(Modifier::BOLD);
        let news = [text.fg(good), text.fg(accent), bold.fg(bad)];
        Self {
            base: text.bg(back),
            selected: bold.fg(back).bg(accent),
            selected_idle: bold.add_modifier(Modifier::UNDERLINED),
            header: bold,
            ..Self::of(text, text, text.fg(accent), news)
        }
    }

    /// A ground of its own in true colour.
    fn painted(palette: &Palette) -> Self {
        let of = |colour| Style::new().fg(colour);
        let news = [palette.good, palette.warn, palette.bad].map(of);
        let text = of(palette.text);
        Self {
            base: text.bg(palette.ground),
            border: of(palette.line),
            selected: text.bg(palette.bar).add_modifier(Modifier::BOLD),
            ..Self::of(text, of(palette.dim), of(palette.accent), news)
        }
    }

    /// The style of the selected row.
    #[must_use]
    pub fn row(&self, focus: Focus) -> Style {
        match focus {
            Focus::Here => self.selected,
            Focus::Elsewhere => self.selected_idle,
        }
    }

    #[must_use]
    pub fn tone(&self, tone: Tone) -> Style {
        match tone {
            Tone::Ok => self.good,
            Tone::Info => self.accent,
            Tone::Warn => self.warn,
            Tone::Error => self.bad,
        }
    }
}

#[cfg(test)]
mod tests {
    use ratatui::{backend::CrosstermBackend, buffer::Buffer, layout::Rect, prelude::Backend};

    use super::*;

    fn every_style(theme: &Theme) -> [Style; 20] {
        [
            theme.base,
            theme.text,
            theme.dim,
            theme.label,
            theme.accent,
            theme.title,
            theme.title_focus,
            theme.border,
            theme.border_focus,
            theme.selected,
            theme.selected_idle,
            theme.header,
            theme.good,
            theme.warn,
            theme.bad,
            theme.key,
            theme.hint,
            theme.badge,
            theme.stale,
            theme.matched,
        ]
    }

    #[test]
    fn every_name_is_known_and_no_color_wins() {
        for name in Theme::NAMES {
            assert!(Theme::named(name, None, false).is_some(), "{name}");
            assert_eq!(
                Theme::named(name, None, true),
                Some(Theme::colourless()),
                "{name}"
            );
        }
        assert_eq!(Theme::named("neon", None, true), None);
        assert_eq!(
            Theme::named(Theme::NAMES[0], None, false),
            Some(Theme::terminal())
        );
    }

    #[test]
    fn the_colourless_theme_has_no_colour() {
        for style in every_style(&Theme::colourless()) {
            assert!(matches!(style.fg, None | Some(Color::Reset)), "{style:?}");
            assert!(matches!(style.bg, None | Some(Color::Reset)), "{style:?}");
        }
    }

    #[test]
    fn the_selection_differs_from_text_in_every_theme() {
        for name in Theme::NAMES {
            let theme = Theme::named(name, None, false).expect(name);
            assert_ne!(theme.row(Focus::Here), theme.text, "{name}");
            assert_ne!(theme.row(Focus::Elsewhere), theme.text, "{name}");
            assert_ne!(
                theme.row(Focus::Here),
                theme.row(Focus::Elsewhere),
                "{name}"
            );
        }
    }

    /// What crossterm writes for a row that is selected in the second and third of four cells.
    fn bytes_of_a_selection(theme: &Theme) -> String {
        let area = Rect::new(0, 0, 4, 1);
        let before = Buffer::empty(area);
        let mut after = before.clone();
        after.set_style(area, theme.base);
        after.set_string(0, 0, "abcd", theme.text);
        after.set_style(Rect::new(1, 0, 2, 1), theme.selected);
        let mut bytes = Vec::new();
        CrosstermBackend::new(&mut bytes)
            .draw(before.diff_iter(&after))
            .expect("a vector");
        String::from_utf8(bytes).expect("text")
    }

    #[test]
    fn reverse_video_survives_to_the_terminal_without_colour() {
        let bytes = bytes_of_a_selection(&Theme::colourless());
        assert!(bytes.contains("a\u{1b}[7mbc\u{1b}[27md"), "{bytes:?}");
    }

    #[test]
    fn no_theme_writes_text_in_bright_black() {
        for name in Theme::NAMES {
            let theme = Theme::named(name, None, false).expect(name);
            for style in every_style(&theme) {
                assert_ne!(style.fg, Some(Color::DarkGray), "{name}");
            }
        }
    }

    #[test]
    fn labels_are_fainter_than_values_where_the_terminal_ignores_dim() {
        for name in ["terminal", "dark", "light"] {
            let theme = Theme::named(name, None, false).expect(name);
            for faint in [theme.label, theme.dim, theme.header, theme.hint] {
                assert_ne!(faint.fg, theme.text.fg, "{name}");
            }
        }
    }

    #[test]
    fn the_ground_decides_where_a_theme_leaves_it_open() {
        let on = |name, ground| Theme::named(name, Some(ground), false).expect(name);
        for name in Theme::NAMES {
            let differs = on(name, Shade::Dark) != on(name, Shade::Light);
            assert_eq!(differs, Theme::depends_on_ground(name), "{name}");
        }
        assert_eq!(
            on("high-contrast", Shade::Light).base.bg,
            Some(Color::White)
        );
    }

    #[test]
    fn what_is_selected_is_not_dimmed() {
        for theme in [Theme::terminal(), Theme::colourless()] {
            let covered = theme.dim.patch(theme.selected);
            assert!(!covered.add_modifier.contains(Modifier::DIM), "{covered:?}");
        }
    }

    #[test]
    fn an_even_bar_covers_coloured_text() {
        let theme = Theme::terminal();
        let covered = theme.bad.patch(theme.selected);
        assert_eq!(covered.fg, Some(Color::Reset));
    }
}
