//! What a call came to: a status, and for the thread the words of its last error.

use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use manycore::device::{ErrorKind, LibraryError};
use manycore::operation::OperationError;

/// What a call came to.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ManycoreStatus {
    /// All went well.
    Ok = 0,
    /// Something that the caller gave was wrong.
    Invalid = 1,
    /// The device or the host has too little memory.
    Memory = 2,
    /// The device failed.
    Device = 3,
    /// A defect of the library; nothing is known of the result.
    Defect = 4,
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// What was wrong with the last call of this thread that did not go well, in words; empty before the first. The text stays until the
/// thread's next call that does not go well.
#[unsafe(no_mangle)]
pub extern "C" fn manycore_last_error() -> *const c_char {
    LAST.with_borrow(|text| text.as_ptr())
}

/// The version of the library, such as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn manycore_version() -> *const c_char {
    const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), "\0");
    VERSION.as_ptr().cast()
}

/// Why a call did not go well.
#[derive(Debug)]
pub(crate) struct Failure {
    status: ManycoreStatus,
    message: String,
}

impl Failure {
    pub(crate) fn invalid(message: String) -> Self {
        Self { status: ManycoreStatus::Invalid, message }
    }

    /// The failure of a declared operation, whose inputs have these names.
    pub(crate) fn of_operation(error: &OperationError, inputs: &[String]) -> Self {
        let status = if error.is_of_size() { ManycoreStatus::Memory } else { ManycoreStatus::of(error.kind()) };
        Self { status, message: error.told(inputs) }
    }
}

impl ManycoreStatus {
    fn of(kind: ErrorKind) -> Self {
        match kind {
            ErrorKind::Memory => Self::Memory,
            kind if kind.is_refusal() => Self::Invalid,
            _ => Self::Device,
        }
    }
}

impl<E: LibraryError> From<E> for Failure {
    fn from(error: E) -> Self {
        Self { status: ManycoreStatus::of(error.kind()), message: error.to_string() }
    }
}

/// Does the work of a call; nothing unwinds out of it.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> ManycoreStatus {
    let failure = match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(())) => return ManycoreStatus::Ok,
        Ok(Err(failure)) => failure,
        Err(panic) => {
            let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            let message = format!("a defect of the library: {}", text.unwrap_or("unknown"));
            Failure { status: ManycoreStatus::Defect, message }
        }
    };
    let text = failure.message.replace('\0', " ");
    LAST.with_borrow_mut(|last| *last = CString::new(text).unwrap_or_default());
    failure.status
}
