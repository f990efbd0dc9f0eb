//! Failures without an error: defects of the program, and aborts of the libraries that it uses.

use std::any::Any;
use std::panic::{self, AssertUnwindSafe};

use crate::message;

/// Runs `work`. A panic in it, which is a defect of the program, is reported in one line, and the result is then `None`.
///
/// An abort by a library that cannot go on ends the program with exit status 1.
pub(crate) fn contained<T>(work: impl FnOnce() -> T) -> Option<T> {
    #[cfg(unix)]
    {
        // The message of an abort is printed by then.
        let always = std::sync::Arc::new(std::sync::atomic::AtomicBool::new(true));
        let _ = signal_hook::flag::register_conditional_shutdown(signal_hook::consts::SIGABRT, 1, always);
    }
    panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        message::tell(&format!("a defect of the program at {place}: {}", reason(panic.payload())));
    }));
    panic::catch_unwind(AssertUnwindSafe(work)).ok()
}

/// The text of a panic.
fn reason(payload: &(dyn Any + Send)) -> &str {
    let text = payload.downcast_ref::<&str>().copied();
    text.or_else(|| payload.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panics_are_contained() {
        let hook = panic::take_hook();
        let outcomes = (contained(|| 3), contained(|| -> i32 { panic!("a test of panics, number {}", 1) }));
        panic::set_hook(hook);
        assert_eq!(outcomes, (Some(3), None));
        assert_eq!((reason(&"text"), reason(&String::from("owned")), reason(&7)), ("text", "owned", "no reason"));
    }
}
