use crossterm::event::{MouseButton, MouseEventKind};
use proptest::prelude::*;

use super::*;

/// Replies of terminals, each of which has keys in it that would do something.
const REPLIES: [&[u8]; 22] = [
    b"\x1bP>|XTerm(370)\x1b\\",
    b"\x1bP1$r0;1TqR\r\x1b\\",
    b"\x1bP1+r544e=7465726d\x1b\\",
    b"\x1bP!|7E565445\x1b\\",
    b"\x1b]lR 198.51.100.77\rT\x1b\\",
    b"\x1b]LqT\r\x07",
    b"\x1b]4;1;rgb:cdcd/0000/0000\x1b\\",
    b"\x1b]10;rgb:ffff/ffff/ffff\x07",
    b"\x1b]52;c;UQ==\x1b\\",
    b"\x1b_Gi=31;OK\x1b\\",
    b"\x1b^qTR\r\x1b\\",
    b"\x1bXqTR\r\x07\r\x1b\\",
    b"\x1bPq\r\x18",
    b"\x1b[?64;1;2;6;22c",
    b"\x1b[>41;370;0c",
    b"\x1b[24;80R",
    b"\x1b[?1;2R",
    b"\x1b[0n\x1b[?997;1n",
    b"\x1b[8;36;120t\x1b[4;700;1200t",
    b"\x1b[?2026;2$y\x1b[4;1$y",
    b"\x1b[?1;0;256S\x1b[2;1;1;112;112;1;0x",
    "\u{90}>|XTerm(370)\u{9c}\u{9b}24;80R".as_bytes(),
];

/// What terminals send for keys, and the keys, as crossterm names them.
fn keys() -> Vec<(&'static [u8], Vec<Event>)> {
    use KeyCode::{
        BackTab, Backspace, Char, Delete, Down, End, Enter, Esc, F, Home, Insert, Left, PageDown,
        PageUp, Right, Tab, Up,
    };
    const NONE: KeyModifiers = KeyModifiers::NONE;
    const SHIFT: KeyModifiers = KeyModifiers::SHIFT;
    const ALT: KeyModifiers = KeyModifiers::ALT;
    const CONTROL: KeyModifiers = KeyModifiers::CONTROL;
    let all: [(&[u8], KeyCode, KeyModifiers); 46] = [
        (b"a", Char('a'), NONE),
        (b"A", Char('A'), SHIFT),
        ("é".as_bytes(), Char('é'), NONE),
        ("€".as_bytes(), Char('€'), NONE),
        (b"\r", Enter, NONE),
        (b"\n", Char('j'), CONTROL),
        (b"\t", Tab, NONE),
        (b"\x7f", Backspace, NONE),
        (b"\x08", Char('h'), CONTROL),
        (b"\x03", Char('c'), CONTROL),
        (b"\0", Char(' '), CONTROL),
        (b"\x1f", Char('7'), CONTROL),
        (b"\x1ba", Char('a'), ALT),
        (b"\x1bQ", Char('Q'), ALT.union(SHIFT)),
        ("\x1bé".as_bytes(), Char('é'), ALT),
        (b"\x1b\r", Enter, ALT),
        (b"\x1b\x7f", Backspace, ALT),
        (b"\x1b\\", Char('\\'), ALT),
        (b"\x1b[A", Up, NONE),
        (b"\x1b[B", Down, NONE),
        (b"\x1b[C", Right, NONE),
        (b"\x1b[D", Left, NONE),
        (b"\x1b[H", Home, NONE),
        (b"\x1b[F", End, NONE),
        (b"\x1b[Z", BackTab, SHIFT),
        (b"\x1b[1;5A", Up, CONTROL),
        (b"\x1b[1;3D", Left, ALT),
        (b"\x1b[1;2P", F(1), SHIFT),
        (b"\x1b[1~", Home, NONE),
        (b"\x1b[2~", Insert, NONE),
        (b"\x1b[3~", Delete, NONE),
        (b"\x1b[3;5~", Delete, CONTROL),
        (b"\x1b[4~", End, NONE),
        (b"\x1b[5~", PageUp, NONE),
        (b"\x1b[6~", PageDown, NONE),
        (b"\x1b[11~", F(1), NONE),
        (b"\x1b[15~", F(5), NONE),
        (b"\x1b[24~", F(12), NONE),
        (b"\x1b[[A", F(1), NONE),
        (b"\x1bOA", Up, NONE),
        (b"\x1bOP", F(1), NONE),
        (b"\x1bOR", F(3), NONE),
        (b"\x1b[97;5u", Char('a'), CONTROL),
        (b"\x1b[27u", Esc, NONE),
        (b"\x1b[9;2u", BackTab, SHIFT),
        (b"\x1b[97;1:1u", Char('a'), NONE),
    ];
    let keys = all.map(|(bytes, code, modifiers)| {
        let key = KeyEvent::new(code, modifiers);
        (bytes, vec![Event::Key(key)])
    });
    keys.into()
}

/// Everything that is not a key.
fn others() -> Vec<(&'static [u8], Vec<Event>)> {
    let mouse = |kind, column, row, modifiers| {
        vec![Event::Mouse(MouseEvent {
            kind,
            column,
            row,
            modifiers,
        })]
    };
    let (none, left) = (KeyModifiers::NONE, MouseButton::Left);
    let paste = |text: &str| vec![Event::Paste(text.to_owned())];
    vec![
        (b"\x1b[I", vec![Event::FocusGained]),
        (b"\x1b[O", vec![Event::FocusLost]),
        (
            b"\x1b[<0;3;4M",
            mouse(MouseEventKind::Down(left), 2, 3, none),
        ),
        (b"\x1b[<0;3;4m", mouse(MouseEventKind::Up(left), 2, 3, none)),
        (
            b"\x1b[<65;1;1M",
            mouse(MouseEventKind::ScrollDown, 0, 0, none),
        ),
        (
            b"\x1b[<35;300;9M",
            mouse(MouseEventKind::Moved, 299, 8, none),
        ),
        (
            b"\x1b[<48;1;1M",
            mouse(MouseEventKind::Drag(left), 0, 0, KeyModifiers::CONTROL),
        ),
        (
            b"\x1b[32;3;4M",
            mouse(MouseEventKind::Down(left), 2, 3, none),
        ),
        (
            b"\x1b[M !\xff",
            mouse(MouseEventKind::Down(left), 0, 222, none),
        ),
        (b"\x1b[200~a\r\nb\x1b[201~", paste("a\r\nb")),
        // What is pasted comes as it is.
        (
            b"\x1b[200~\x1bP>|XTerm(370)\x1b\\\x1b[24;80R\x1b[201~",
            paste("\x1bP>|XTerm(370)\x1b\\\x1b[24;80R"),
        ),
    ]
}

fn key(letter: char) -> Event {
    Event::Key(keys::character(letter))
}

fn alt(letter: char) -> Event {
    Event::Key(with_alt(keys::character(letter)))
}

fn escape() -> Event {
    Event::Key(keys::plain(KeyCode::Esc))
}

/// The events of some reads, and after each of them whether the rest was waited for.
fn read(decoder: &mut Decoder, reads: &[(&[u8], bool)]) -> Vec<Event> {
    let mut out = VecDeque::new();
    for (bytes, is_settled) in reads {
        decoder.feed(bytes, &mut out);
        if *is_settled {
            decoder.pause().expect("something has begun");
            decoder.settle(&mut out);
        }
    }
    let events = out.into_iter().map(|input| match input {
        Input::Event(event) => event,
        Input::Ground(_) => panic!("{input:?}"),
    });
    events.collect()
}

fn decoded(bytes: &[u8]) -> Vec<Event> {
    read(&mut Decoder::default(), &[(bytes, false)])
}

#[test]
fn keys_the_mouse_and_pastes_are_events() {
    for (bytes, events) in keys().into_iter().chain(others()) {
        assert_eq!(decoded(bytes), events, "{}", bytes.escape_ascii());
        // Nothing is left of it.
        let again = decoded(&[bytes, b"x", bytes].concat());
        let expected = [events.clone(), vec![key('x')], events].concat();
        assert_eq!(again, expected, "{}", bytes.escape_ascii());
    }
}

#[test]
fn replies_are_no_events() {
    for reply in REPLIES {
        let all = [b"a", reply, b"b"].concat();
        assert_eq!(
            decoded(&all),
            [key('a'), key('b')],
            "{}",
            reply.escape_ascii()
        );
    }
}

#[test]
fn the_colour_of_the_background_is_passed_on() {
    for (bytes, colour) in [
        ("\x1b]11;rgb:1c1c/1c1c/1c1c\x07", "rgb:1c1c/1c1c/1c1c"),
        ("\x1b]11;rgb:ff/ff/f0\x1b\\", "rgb:ff/ff/f0"),
    ] {
        for cut in 0..bytes.len() {
            let (mut decoder, mut out) = (Decoder::default(), VecDeque::new());
            let (before, after) = bytes.as_bytes().split_at(cut);
            decoder.feed(before, &mut out);
            assert_eq!(decoder.is_within_string(), cut >= 2, "{cut}");
            decoder.feed(after, &mut out);
            assert_eq!(out, [Input::Ground(colour.to_owned())]);
            assert!(!decoder.is_within_string());
        }
    }
}

#[test]
fn a_key_that_begins_like_a_sequence_is_a_key_when_nothing_follows() {
    for (bytes, event) in [
        (&b"\x1b"[..], escape()),
        (b"\x1b[", alt('[')),
        (b"\x1bO", alt('O')),
        (b"\x1bP", alt('P')),
        (b"\x1b]", alt(']')),
        (b"\x1b_", alt('_')),
        (b"\x1b^", alt('^')),
        (b"\x1bX", alt('X')),
    ] {
        let mut decoder = Decoder::default();
        // It waits for the rest, and what is typed next is typed.
        assert_eq!(decoder.pause(), None);
        let typed = read(&mut decoder, &[(bytes, true), (b"q", false), (b"w", false)]);
        assert_eq!(typed, [event.clone(), key('q'), key('w')]);
        assert_eq!(decoder.pause(), None);
        let arrow = read(&mut decoder, &[(bytes, true), (b"\x1b[A", false)]);
        assert_eq!(arrow, [event.clone(), Event::Key(keys::plain(KeyCode::Up))]);
        // After a longer pause, whatever comes was typed or pasted.
        let mut out = VecDeque::new();
        decoder.feed(bytes, &mut out);
        while decoder.pause().is_some() {
            decoder.settle(&mut out);
        }
        let late = read(&mut decoder, &[(b"11;x", false)]);
        assert_eq!(late.len(), 4, "{late:?}");
    }
    let mut decoder = Decoder::default();
    let twice = read(&mut decoder, &[(b"\x1b\x1b", true)]);
    assert_eq!(twice, [escape(), escape()]);
}

#[test]
fn a_reply_that_stalls_is_no_key() {
    // After each byte but the first, which may be the key.
    for reply in REPLIES.into_iter().filter(|reply| reply[0] == 0x1b) {
        for cut in 3..reply.len().saturating_sub(1) {
            let mut decoder = Decoder::default();
            let mut out = VecDeque::new();
            decoder.feed(&reply[..cut], &mut out);
            if decoder.pause().is_some() {
                decoder.settle(&mut out);
            }
            decoder.feed(&reply[cut..], &mut out);
            // `ESC` or alt and a character, which have begun the next reply.
            let is_start = |input: &&Input| match input {
                Input::Event(Event::Key(key)) => {
                    key.code == KeyCode::Esc || key.modifiers.contains(KeyModifiers::ALT)
                }
                _ => false,
            };
            let keys: Vec<&Input> = out.iter().filter(|input| !is_start(input)).collect();
            assert!(
                keys.is_empty(),
                "{keys:?} of {} at {cut}",
                reply.escape_ascii()
            );
        }
    }
    // The first two may be a key, the others are none.
    let mut decoder = Decoder::default();
    let late = [(&b"\x1b"[..], true), (b"P>|XTerm(370)\x1b\\", false)];
    assert_eq!(read(&mut decoder, &late), [escape()]);
    let late = [(&b"\x1bP"[..], true), (b">|XTerm(370)\x1b\\", false)];
    assert_eq!(read(&mut decoder, &late), [alt('P')]);
}

#[test]
fn a_reply_without_an_end_does_not_take_the_keyboard_away() {
    for reply in [
        &b"\x1bP>|XTerm(370)"[..],
        b"\x1b]lR\r",
        b"\x1b[?64;1",
        b"\x1b[<0;3",
    ] {
        let mut decoder = Decoder::default();
        let typed = read(&mut decoder, &[(reply, true), (b"q", false), (b"w", false)]);
        assert_eq!(typed, [key('q'), key('w')], "{}", reply.escape_ascii());
        // At once with a key that begins with `ESC`, or with any key after `ESC`.
        let arrow = read(&mut decoder, &[(reply, false), (b"\x1b[A", false)]);
        assert_eq!(arrow, [Event::Key(keys::plain(KeyCode::Up))]);
        // The rest of it may come late.
        let rest = read(&mut decoder, &[(reply, true), (b"TqR\r", false)]);
        assert!(!rest.contains(&key('T')), "{rest:?}");
        decoder = Decoder::default();
        decoder.feed(reply, &mut VecDeque::new());
        let typed = read(&mut decoder, &[(b"\x1b", true), (b"q", false)]);
        assert!(typed.ends_with(&[key('q')]), "{typed:?}");
    }
}

#[test]
fn a_long_reply_is_swallowed_in_constant_memory() {
    let mut decoder = Decoder::default();
    let mut out = VecDeque::new();
    for start in [&b"\x1b]l"[..], b"\x1bP", b"\x1b[?"] {
        decoder.feed(start, &mut out);
        for _ in 0..1_000 {
            decoder.feed(&b"1;".repeat(512), &mut out);
        }
        assert!(decoder.bytes.capacity() <= 2 * LONGEST);
        decoder.feed(b"c\x1b\\", &mut out);
    }
    // The last ended with `c`; what follows it is alt-\, which has no meaning.
    assert_eq!(out, [Input::Event(alt('\\'))]);
}

proptest! {
    /// However the bytes are cut into reads, the events are the same.
    #[test]
    fn reads_may_end_anywhere(
        picks in prop::collection::vec(any::<prop::sample::Index>(), 1..12),
        cuts in prop::collection::vec(1usize..9, 1..40),
    ) {
        let mut all = [keys(), others()].concat();
        all.extend(REPLIES.map(|reply| (reply, Vec::new())));
        let picked: Vec<_> = picks.iter().map(|pick| pick.get(&all)).collect();
        let bytes: Vec<u8> = picked.iter().flat_map(|(bytes, _)| bytes.to_vec()).collect();
        let expected: Vec<Event> = picked.iter().flat_map(|(_, events)| events.clone()).collect();
        let mut decoder = Decoder::default();
        let (mut rest, mut events) = (&bytes[..], Vec::new());
        for cut in cuts.iter().cycle() {
            if rest.is_empty() {
                break;
            }
            let (read_now, after) = rest.split_at((*cut).min(rest.len()));
            events.extend(read(&mut decoder, &[(read_now, false)]));
            rest = after;
        }
        prop_assert_eq!(events, expected);
    }

    /// No bytes are too odd.
    #[test]
    fn any_bytes_are_decoded(reads in prop::collection::vec((any::<Vec<u8>>(), any::<bool>()), 0..9)) {
        let mut decoder = Decoder::default();
        let mut out = VecDeque::new();
        for (bytes, settles) in reads {
            decoder.feed(&bytes, &mut out);
            if settles && decoder.pause().is_some() {
                decoder.settle(&mut out);
            }
        }
    }
}
