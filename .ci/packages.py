"""Types into a program in a pseudo-terminal, as a person would. Each step is `wait:TEXT` (until the screen has shown it) or `type:TEXT` (with \\t, \\r
and \\x15), then `--` and the command. Ends with 0 where every text came and the program ended with 0 by itself."""

import fcntl, os, pty, re, select, struct, sys, termios, time

words = sys.argv[1:]
steps, command = words[: words.index("--")], words[words.index("--") + 1 :]
child, terminal = pty.fork()
if child == 0:
    os.environ.update(TERM="xterm-256color", LANG="C.UTF-8")
    os.execvp(command[0], command)
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 36, 120, 0, 0))
raw, seen = b"", 0


def read(seconds):
    """What came within this time; nothing at the end of the program."""
    global raw
    if not select.select([terminal], [], [], seconds)[0]:
        return None
    try:
        piece = os.read(terminal, 65536)
    except OSError:
        piece = b""
    raw += piece
    return piece


def shown():
    """The text without what moves the cursor and colours it."""
    text = re.sub(rb"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]*[0-~])", b"", raw)
    return text.decode("utf-8", "replace")


def failed(why):
    os.kill(child, 9)
    sys.exit(f"{' '.join(command)}: {why}; the screen had: {shown()[-600:]!r}")


for step in steps:
    kind, text = step.split(":", 1)
    if kind == "type":
        os.write(terminal, text.encode().decode("unicode_escape").encode())
        continue
    until = time.monotonic() + 30
    while text not in shown()[seen:]:
        if time.monotonic() > until:
            failed(f"{text!r} did not come in 30 seconds")
        if read(0.2) == b"":
            failed(f"it ended before {text!r} came")
    seen += shown()[seen:].index(text) + len(text)
until = time.monotonic() + 30
while read(0.2) != b"":
    if time.monotonic() > until:
        failed("it did not end in 30 seconds")
code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
# Who switched to the other screen switched back, and showed the cursor again.
for on, off in ((b"\x1b[?1049h", b"\x1b[?1049l"), (b"\x1b[?25l", b"\x1b[?25h")):
    if raw.rfind(on) > raw.rfind(off):
        sys.exit(f"{' '.join(command)}: it left the terminal changed by {on!r}")
if code != 0:
    sys.exit(f"{' '.join(command)}: it ended with {code}; the screen had: {shown()[-600:]!r}")
