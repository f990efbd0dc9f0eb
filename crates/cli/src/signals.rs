//! Signals: those that end the program remove the file that it writes first; a file past `ulimit -f` is an error of the write.

/// Makes a write past the largest file that the process may have (`ulimit -f`) an error instead of the end of the program.
#[cfg(unix)]
pub(crate) fn limit_files_by_errors() {
    // Any handler does that.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Removes unfinished files when a signal ends the program.
///
/// Signals that whoever started the program ignores, such as hang-ups under `nohup`, stay ignored. Where there is no thread
/// that could wait for signals, they end the program at once.
#[cfg(unix)]
pub(crate) fn discard_unfinished_files() {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;

    let (begins, begun) = std::sync::mpsc::channel();
    let wait = move || {
        let heard = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|&signal| !is_ignored(signal));
        let Ok(mut signals) = Signals::new(heard) else { return };
        let _ = begins.send(());
        for signal in &mut signals {
            manycore::files::discard_unfinished();
            let _ = signal_hook::low_level::emulate_default_handler(signal);
        }
    };
    if std::thread::Builder::new().name("signals".into()).spawn(wait).is_ok() {
        // An error says that the thread has ended.
        let _ = begun.recv();
    }
}

/// Whether the process ignores a signal.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let mut action = std::mem::MaybeUninit::<libc::sigaction>::zeroed();
    // SAFETY: a null new action changes nothing, and the old one is written to a place of its size; all zeros are a valid one.
    unsafe {
        libc::sigaction(signal, std::ptr::null(), action.as_mut_ptr()) == 0
            && action.assume_init().sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(not(unix))]
pub(crate) fn limit_files_by_errors() {}

#[cfg(not(unix))]
pub(crate) fn discard_unfinished_files() {}
