//! Work that lets other threads of Python go on, stops at Ctrl-C and at its time limit, tells its progress and keeps to its memory.

use std::cell::RefCell;
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, Instant};

use manycore::device::Control;
use pyo3::exceptions::{PyTimeoutError, PyValueError};
use pyo3::prelude::*;

/// How often Python is asked whether a signal has come, and told the progress.
const PERIOD: Duration = Duration::from_millis(50);

/// Limits of the work of a thread.
#[derive(Default)]
struct Limits {
    /// Bytes that the buffers of one call have together on a device.
    memory_bytes: Option<u64>,
    deadline: Option<Instant>,
    progress: Option<Py<PyAny>>,
}

thread_local! {
    /// The limits that this thread has set, each within those before it.
    static LIMITS: RefCell<Vec<Limits>> = const { RefCell::new(Vec::new()) };
}

/// What holds under all limits of this thread: the least memory, the first deadline, the innermost progress.
fn limits(py: Python<'_>) -> Limits {
    LIMITS.with_borrow(|all| Limits {
        memory_bytes: all.iter().filter_map(|limits| limits.memory_bytes).min(),
        deadline: all.iter().filter_map(|limits| limits.deadline).min(),
        progress: all.iter().rev().find_map(|limits| limits.progress.as_ref()).map(|progress| progress.clone_ref(py)),
    })
}

/// Limits all work of this thread until [`pop_limits`]: bytes of the buffers of a call on a device, seconds from now, and a function that is called with
/// the step that begins, its number, and the bytes and operations up to it.
#[pyfunction]
#[pyo3(signature = (memory_bytes, seconds, progress))]
pub(crate) fn push_limits(
    memory_bytes: Option<u64>,
    seconds: Option<f64>,
    progress: Option<Py<PyAny>>,
) -> PyResult<()> {
    let after = |seconds: f64| {
        let span = Duration::try_from_secs_f64(seconds).ok();
        span.and_then(|span| Instant::now().checked_add(span))
            .ok_or_else(|| PyValueError::new_err(format!("{seconds} seconds: a number from 0 on")))
    };
    let deadline = seconds.map(after).transpose()?;
    LIMITS.with_borrow_mut(|all| all.push(Limits { memory_bytes, deadline, progress }));
    Ok(())
}

/// Lifts the limits that were set last.
#[pyfunction]
pub(crate) fn pop_limits() {
    // What Python's function holds may run code of Python when it goes.
    drop(LIMITS.with_borrow_mut(Vec::pop));
}

/// What the watcher of a control has.
struct Watch {
    control: Weak<Control>,
    asked: Instant,
    raised: Option<PyErr>,
}

/// Does `work` while other threads of Python go on, under the limits of this thread. Between its steps Python's handlers of signals
/// run; where one raises an exception, as that of Ctrl-C does, the work is cancelled and the exception is the result.
pub(crate) fn run<R: Send>(py: Python<'_>, work: impl FnOnce() -> R + Send) -> PyResult<R> {
    let Limits { memory_bytes, deadline, progress } = limits(py);
    let watch = Arc::new(Mutex::new(Watch { control: Weak::new(), asked: Instant::now(), raised: None }));
    let asked = Arc::clone(&watch);
    let mut control = Control::watching(move |done| {
        let mut watch = asked.lock().unwrap_or_else(PoisonError::into_inner);
        let is_late = deadline.is_some_and(|deadline| Instant::now() >= deadline);
        if watch.raised.is_some() || (watch.asked.elapsed() < PERIOD && !is_late) {
            return;
        }
        watch.asked = Instant::now();
        let told = Python::attach(|py| {
            py.check_signals()?;
            if is_late {
                return Err(PyTimeoutError::new_err(format!(
                    "the time is over, at step {}: {}",
                    done.steps, done.step
                )));
            }
            match &progress {
                Some(progress) => progress.call1(py, (done.step, done.steps, done.bytes, done.operations)).map(drop),
                None => Ok(()),
            }
        });
        if let Err(raised) = told {
            watch.raised = Some(raised);
            if let Some(control) = watch.control.upgrade() {
                control.cancel();
            }
        }
    });
    if let Some(bytes) = memory_bytes {
        control = control.with_limit_bytes(bytes);
    }
    let control = Arc::new(control);
    watch.lock().unwrap_or_else(PoisonError::into_inner).control = Arc::downgrade(&control);
    let done = py.detach(|| control.run(work));
    let raised = watch.lock().unwrap_or_else(PoisonError::into_inner).raised.take();
    match raised {
        Some(raised) => Err(raised),
        None => Ok(done),
    }
}
