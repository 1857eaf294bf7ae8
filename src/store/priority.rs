//! Which threads come first where there are fewer processors than work.

/// Has this thread, and those that it starts from now on, come after others: each step of `niceness` gives it a fifth less of a
/// processor that several want. There is no way back.
///
/// Elsewhere than on Linux niceness is that of a whole process, and nothing is changed.
#[cfg_attr(
    not(target_os = "linux"),
    expect(unused_variables, reason = "nothing is changed")
)]
pub fn come_after_others(niceness: i32) {
    #[cfg(target_os = "linux")]
    {
        let thread = Some(rustix::thread::gettid());
        if let Ok(own) = rustix::process::getpriority_process(thread) {
            // Where it is refused, everything is as right, and not as fast.
            let _ = rustix::process::setpriority_process(thread, own + niceness);
        }
    }
}

#[cfg(test)]
#[cfg(target_os = "linux")]
mod tests {
    use rustix::{process::getpriority_process, thread::gettid};

    use super::*;

    #[test]
    fn a_thread_comes_after_others_with_all_that_it_starts() {
        let own = || getpriority_process(Some(gettid())).expect("known");
        let before = own();
        let later = std::thread::spawn(move || {
            come_after_others(2);
            let once = own();
            let started = std::thread::spawn(move || {
                come_after_others(1);
                own()
            });
            (once, started.join().expect("ended"))
        });
        let steps = later.join().expect("ended");
        assert_eq!(steps, ((before + 2).min(19), (before + 3).min(19)));
        assert_eq!(own(), before);
    }
}
