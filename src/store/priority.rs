//! The priority of threads.

/// Lowers the priority of this thread and of the threads that it starts from now on. Each step of `niceness` reduces its share of
/// a contended processor by a fifth. This cannot be undone.
///
/// On systems other than Linux niceness applies to the whole process, so this does nothing.
#[cfg_attr(
    not(target_os = "linux"),
    expect(unused_variables, reason = "nothing is changed")
)]
pub fn come_after_others(niceness: i32) {
    #[cfg(target_os = "linux")]
    {
        let thread = Some(rustix::thread::gettid());
        if let Ok(own) = rustix::process::getpriority_process(thread) {
            // If this fails, the work is only slower.
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
