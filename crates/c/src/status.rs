//! What a call came to: a status, and for the thread the words of its last error.

use std::cell::RefCell;
use std::error::Error;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use manycore::boolean::BooleanError;
use manycore::codes::CodeError;
use manycore::device::DeviceError;
use manycore::fourier::FourierError;
use manycore::linalg::LinalgError;
use manycore::maxplus::MaxPlusError;
use manycore::ntt::NttError;
use manycore::operation::OperationError;
use manycore::poly::PolyError;
use manycore::sort::SortError;
use manycore::spectral::SpectralError;

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
        let status = match (error.is_refusal(), error.is_of_size()) {
            (_, true) => ManycoreStatus::Memory,
            (true, _) => ManycoreStatus::Invalid,
            (false, false) => ManycoreStatus::Device,
        };
        Self { status, message: error.told(inputs) }
    }
}

/// The error of the device in an error of an operation.
macro_rules! device_error_in {
    ($error:expr, $($operation:ident),*) => {
        $error.downcast_ref::<DeviceError>() $(.or_else(|| match $error.downcast_ref::<$operation>() {
            Some($operation::Device(error)) => Some(error),
            _ => None,
        }))*
    };
}

impl<E: Error + 'static> From<E> for Failure {
    fn from(error: E) -> Self {
        let any: &(dyn Error + 'static) = &error;
        let device = device_error_in!(
            any,
            BooleanError,
            CodeError,
            FourierError,
            LinalgError,
            MaxPlusError,
            NttError,
            PolyError,
            SortError,
            SpectralError
        );
        let is_faulty = matches!(any.downcast_ref::<MaxPlusError>(), Some(MaxPlusError::Faulty { .. }));
        let status = match device {
            None if is_faulty => ManycoreStatus::Device,
            Some(DeviceError::OutOfMemory { .. }) => ManycoreStatus::Memory,
            None
            | Some(DeviceError::NoDevice { .. } | DeviceError::Ambiguous { .. } | DeviceError::Variable { .. }) => {
                ManycoreStatus::Invalid
            }
            Some(_) => ManycoreStatus::Device,
        };
        Self { status, message: error.to_string() }
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
