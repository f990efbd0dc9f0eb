//! Work that lets other threads of Python go on, and stops at Ctrl-C.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use manycore::device::Control;
use pyo3::prelude::*;

/// How often Python is asked whether a signal has come.
const PERIOD: Duration = Duration::from_millis(50);

/// What the watcher of a control has.
struct Watch {
    control: Weak<Control>,
    asked: Instant,
    raised: Option<PyErr>,
}

/// Does `work` while other threads of Python go on. Between its steps Python's handlers of signals run; where one raises an
/// exception, as that of Ctrl-C does, the work is cancelled and the exception is the result.
pub(crate) fn run<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let watch = Arc::new(Mutex::new(Watch { control: Weak::new(), asked: Instant::now(), raised: None }));
    let asked = Arc::clone(&watch);
    let control = Arc::new(Control::watching(move |_| {
        let mut watch = asked.lock().unwrap_or_else(PoisonError::into_inner);
        if watch.raised.is_some() || watch.asked.elapsed() < PERIOD {
            return;
        }
        watch.asked = Instant::now();
        #[allow(clippy::redundant_closure_for_method_calls, reason = "the method is that of one lifetime")]
        if let Err(raised) = Python::attach(|py| py.check_signals()) {
            watch.raised = Some(raised);
            if let Some(control) = watch.control.upgrade() {
                control.cancel();
            }
        }
    }));
    watch.lock().unwrap_or_else(PoisonError::into_inner).control = Arc::downgrade(&control);
    let done = py.detach(|| control.run(work));
    let raised = watch.lock().unwrap_or_else(PoisonError::into_inner).raised.take();
    match raised {
        Some(raised) => Err(raised),
        None => Ok(done),
    }
}
