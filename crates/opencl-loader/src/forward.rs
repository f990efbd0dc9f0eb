//! Forwarders of single functions: the pointer looked up once, and the answer where there is none.

use std::sync::OnceLock;

use crate::library;
use crate::types::{CL_INVALID_OPERATION, CL_PLATFORM_NOT_FOUND_KHR, Function, c_void, cl_int, cl_uint};

/// Why a call cannot be forwarded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Absent {
    /// There is no library.
    Library,
    /// The library, an older one, has no such function.
    Symbol,
}

impl Absent {
    /// The status that the caller gets.
    pub(crate) fn status(self) -> cl_int {
        match self {
            Absent::Library => CL_PLATFORM_NOT_FOUND_KHR,
            Absent::Symbol => CL_INVALID_OPERATION,
        }
    }
}

/// One function of the library, looked up at its first call.
pub(crate) struct Entry {
    name: &'static str,
    function: OnceLock<Result<Function, Absent>>,
}

impl Entry {
    pub(crate) const fn new(name: &'static str) -> Self {
        Self { name, function: OnceLock::new() }
    }

    /// The function; `is_forwarder` recognizes forwarders, which are not functions of a library.
    pub(crate) fn function(&self, is_forwarder: fn(Function) -> bool) -> Result<Function, Absent> {
        *self.function.get_or_init(|| match library::function(self.name, is_forwarder) {
            Ok(function) => function.ok_or(Absent::Symbol),
            Err(_) => Err(Absent::Library),
        })
    }
}

/// The address of a forwarder.
pub(crate) struct Forwarder(pub(crate) *const ());

// SAFETY: the address is that of code, which is never written.
unsafe impl Sync for Forwarder {}

/// Answers for a function that returns an object or a mapped pointer and a status beside it.
///
/// # Safety
///
/// `errcode_ret` is null or may be written.
pub(crate) unsafe fn absent_object(absent: Absent, errcode_ret: *mut cl_int) -> *mut c_void {
    if !errcode_ret.is_null() {
        // SAFETY: not null, so the caller vouches for it.
        unsafe { errcode_ret.write(absent.status()) };
    }
    std::ptr::null_mut()
}

/// Answers for a function that lists platforms or devices and counts them.
///
/// # Safety
///
/// `count` is null or may be written.
pub(crate) unsafe fn absent_list(absent: Absent, count: *mut cl_uint) -> cl_int {
    if !count.is_null() {
        // SAFETY: not null, so the caller vouches for it.
        unsafe { count.write(0) };
    }
    absent.status()
}

/// The answer of a forwarder without a function to forward to, by the kind of the function:
///
/// - `status`: returns a status;
/// - `list(count)`: returns a status, and sets `*count` to 0;
/// - `object(errcode_ret)`: returns null, and writes the status to `*errcode_ret`;
/// - `null`: returns null;
/// - `nothing`: returns nothing.
macro_rules! answer {
    (status $absent:ident) => {
        $absent.status()
    };
    (list($count:ident) $absent:ident) => {
        // SAFETY: OpenCL's contract for this argument: null or valid for a write.
        unsafe { $crate::forward::absent_list($absent, $count) }
    };
    (object($errcode_ret:ident) $absent:ident) => {
        // SAFETY: OpenCL's contract for this argument: null or valid for a write.
        unsafe { $crate::forward::absent_object($absent, $errcode_ret) }
    };
    (null $absent:ident) => {{
        let _ = $absent;
        ::std::ptr::null_mut()
    }};
    (nothing $absent:ident) => {{
        let _ = $absent;
    }};
}

/// Defines the forwarders of a table, its `is_forwarder`, which recognizes them, and `FORWARDERS`, which lists them.
///
/// A line is `kind fn name(arguments) -> type;`, with the kinds of [`answer`].
macro_rules! forwarders {
    ($($kind:ident $(($out:ident))? fn $name:ident($($argument:ident: $type:ty),*) $(-> $return:ty)?;)*) => {
        $(
            #[unsafe(no_mangle)]
            pub(crate) unsafe extern "system" fn $name($($argument: $type),*) $(-> $return)? {
                static ENTRY: $crate::forward::Entry =
                    $crate::forward::Entry::new(stringify!($name));
                match ENTRY.function(is_forwarder) {
                    Ok(function) => {
                        // SAFETY: OpenCL's standard fixes the signature of the function of this
                        // name, and the table repeats it.
                        let function = unsafe {
                            ::std::mem::transmute::<
                                $crate::types::Function,
                                unsafe extern "system" fn($($type),*) $(-> $return)?,
                            >(function)
                        };
                        // SAFETY: the caller keeps the contract of the function of this name.
                        unsafe { function($($argument),*) }
                    }
                    Err(absent) => answer!($kind $(($out))? absent),
                }
            }
        )*

        /// Every forwarder. The linker knows this name from the start and no other library defines it, so the object
        /// file with this table, and with it each forwarder, is linked even where a real OpenCL library stands earlier
        /// on the command line.
        #[used]
        #[unsafe(no_mangle)]
        static MANYCORE_OPENCL_FORWARDERS: [$crate::forward::Forwarder;
            [$(stringify!($name)),*].len()] = [
            $($crate::forward::Forwarder($name as *const ())),*
        ];
    };
}

pub(crate) use {answer, forwarders};

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;
    use crate::table::is_forwarder;

    const BOTH: [(Absent, cl_int); 2] = [(Absent::Library, -1001), (Absent::Symbol, -59)];

    #[test]
    fn a_status_tells_a_missing_library_from_a_missing_function() {
        for (absent, status) in BOTH {
            assert_eq!(answer!(status absent), status);
        }
    }

    #[test]
    fn a_list_is_counted_as_empty() {
        for (absent, status) in BOTH {
            let mut number: cl_uint = 7;
            let count = ptr::from_mut(&mut number);
            assert_eq!(answer!(list(count) absent), status);
            assert_eq!(number, 0);
            let count: *mut cl_uint = ptr::null_mut();
            assert_eq!(answer!(list(count) absent), status);
        }
    }

    #[test]
    fn an_object_is_null_with_its_status() {
        for (absent, status) in BOTH {
            let mut errcode: cl_int = 0;
            let errcode_ret = ptr::from_mut(&mut errcode);
            assert!(answer!(object(errcode_ret) absent).is_null());
            assert_eq!(errcode, status);
            let errcode_ret: *mut cl_int = ptr::null_mut();
            assert!(answer!(object(errcode_ret) absent).is_null());
        }
    }

    #[test]
    fn a_pointer_is_null_and_nothing_is_nothing() {
        for (absent, _) in BOTH {
            let pointer: *mut c_void = answer!(null absent);
            assert!(pointer.is_null());
            let () = answer!(nothing absent);
        }
    }

    #[test]
    fn a_function_of_no_library_is_absent_for_the_right_reason() {
        const NAME: &str = "clManycoreHasNoSuchFunction";
        let is_there = library::function(NAME, is_forwarder).is_ok();
        let expected = if is_there { Absent::Symbol } else { Absent::Library };
        assert_eq!(Entry::new(NAME).function(is_forwarder), Err(expected));
    }
}
