//! Signals: an interrupt cancels what goes by steps; those that end the program remove the file that it writes first; a file past
//! `ulimit -f` is an error of the write.

use manycore::Control;

/// Makes a write past the largest file that the process may have (`ulimit -f`) an error instead of the end of the program.
#[cfg(unix)]
pub(crate) fn limit_files_by_errors() {
    // Any handler does that.
    let _ = signal_hook::flag::register(signal_hook::consts::SIGXFSZ, std::sync::Arc::default());
}

/// Cancels the work of `control` at the first interrupt (Ctrl-C) while it `computes` by steps: [`end_if_cancelled`] then ends the
/// program. Any other signal that ends the program, and an interrupt at another time or once more, do so at once, after unfinished
/// files are removed.
///
/// Signals that whoever started the program ignores, such as hang-ups under `nohup`, stay ignored. Where there is no thread
/// that could wait for signals, they end the program at once.
#[cfg(unix)]
pub(crate) fn hear(control: Control, computes: fn() -> bool) {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGQUIT, SIGTERM};
    use signal_hook::iterator::Signals;

    let (begins, begun) = std::sync::mpsc::channel();
    let wait = move || {
        let heard = [SIGHUP, SIGINT, SIGQUIT, SIGTERM].into_iter().filter(|&signal| !is_ignored(signal));
        let Ok(mut signals) = Signals::new(heard) else { return };
        let _ = begins.send(());
        for signal in &mut signals {
            if signal == SIGINT && !control.is_cancelled() && computes() {
                control.cancel();
                crate::progress::cancelled();
            } else {
                end(signal);
            }
        }
    };
    if std::thread::Builder::new().name("signals".into()).spawn(wait).is_ok() {
        // An error says that the thread has ended.
        let _ = begun.recv();
    }
}

/// Ends the program by the signal of an interrupt where one has cancelled its work, whatever came of that.
#[cfg(unix)]
pub(crate) fn end_if_cancelled(control: &Control) {
    if control.is_cancelled() {
        end(signal_hook::consts::SIGINT);
    }
}

/// Ends the program by a signal, without unfinished files.
#[cfg(unix)]
fn end(signal: i32) {
    manycore::files::discard_unfinished();
    let _ = signal_hook::low_level::emulate_default_handler(signal);
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
pub(crate) fn hear(_: Control, _: fn() -> bool) {}

#[cfg(not(unix))]
pub(crate) fn end_if_cancelled(_: &Control) {}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn the_first_interrupt_cancels_what_goes_by_steps() {
        // A shell that starts the tests in the background lets them ignore interrupts.
        // SAFETY: the default action is no handler.
        unsafe { libc::signal(libc::SIGINT, libc::SIG_DFL) };
        let control = Control::new();
        hear(control.clone(), || true);
        let outcome = control.run(|| {
            signal_hook::low_level::raise(signal_hook::consts::SIGINT)?;
            let begin = std::time::Instant::now();
            while manycore::device::checkpoint().is_ok() {
                if begin.elapsed().as_secs() > 20 {
                    return Err(std::io::Error::other("the interrupt was not heard"));
                }
                std::thread::yield_now();
            }
            Ok(())
        });
        assert!(outcome.is_ok() && control.is_cancelled(), "{outcome:?}");
    }
}
