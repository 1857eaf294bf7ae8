//! The two themes with their own background.

use ratatui::style::Color;

#[derive(Clone, Copy, Debug)]
pub(super) struct Palette {
    /// Behind everything.
    pub(super) ground: Color,
    pub(super) text: Color,
    /// Text that may be read past.
    pub(super) dim: Color,
    /// Borders and rules.
    pub(super) line: Color,
    /// The one colour that draws the eye.
    pub(super) accent: Color,
    /// Behind the selected row.
    pub(super) bar: Color,
    pub(super) good: Color,
    pub(super) warn: Color,
    pub(super) bad: Color,
}

/// Slate, with a clear blue.
pub(super) const DARK: Palette = Palette {
    ground: Color::Rgb(0x16, 0x19, 0x1f),
    text: Color::Rgb(0xd7, 0xda, 0xe0),
    dim: Color::Rgb(0x8b, 0x93, 0xa1),
    line: Color::Rgb(0x4a, 0x51, 0x5e),
    accent: Color::Rgb(0x6c, 0xb6, 0xe8),
    bar: Color::Rgb(0x2a, 0x3a, 0x4d),
    good: Color::Rgb(0x8c, 0xc2, 0x7a),
    warn: Color::Rgb(0xe2, 0xb8, 0x5f),
    bad: Color::Rgb(0xee, 0x7d, 0x77),
};

/// Paper, with a deep blue.
pub(super) const LIGHT: Palette = Palette {
    ground: Color::Rgb(0xfa, 0xfa, 0xf7),
    text: Color::Rgb(0x22, 0x26, 0x2d),
    dim: Color::Rgb(0x65, 0x6b, 0x76),
    line: Color::Rgb(0xa9, 0xae, 0xb6),
    accent: Color::Rgb(0x0b, 0x62, 0xa3),
    bar: Color::Rgb(0xd6, 0xe6, 0xf4),
    good: Color::Rgb(0x2d, 0x6f, 0x1f),
    warn: Color::Rgb(0x87, 0x58, 0x00),
    bad: Color::Rgb(0xb3, 0x26, 0x1e),
};

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance, as WCAG defines it.
    fn luminance(colour: Color) -> f64 {
        let Color::Rgb(red, green, blue) = colour else {
            return f64::NAN;
        };
        let linear = |channel: u8| {
            let value = f64::from(channel) / 255.0;
            if value <= 0.04045 {
                value / 12.92
            } else {
                ((value + 0.055) / 1.055).powf(2.4)
            }
        };
        0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue)
    }

    fn contrast(one: Color, other: Color) -> f64 {
        let (one, other) = (luminance(one), luminance(other));
        (one.max(other) + 0.05) / (one.min(other) + 0.05)
    }

    #[test]
    fn all_text_is_readable_on_its_ground() {
        for palette in [DARK, LIGHT] {
            for colour in [
                palette.dim,
                palette.accent,
                palette.good,
                palette.warn,
                palette.bad,
            ] {
                let on_ground = contrast(colour, palette.ground);
                let on_bar = contrast(colour, palette.bar);
                assert!(on_ground >= 4.5, "{colour}: {on_ground:.1} on the ground");
                assert!(on_bar >= 3.5, "{colour}: {on_bar:.1} on the bar");
            }
            assert!(contrast(palette.text, palette.ground) >= 10.0);
        }
    }
}
