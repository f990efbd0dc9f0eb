//! Signatures of kernels, declared once in Rust.

use std::fmt;

use manycore_kernels::{Param, Passing, Unit};

use crate::word::WordType;

/// A kernel's signature: made by the macro [`kernel!`](crate::kernel).
///
/// A spec is a promise: whoever holds one may build and launch its kernel by safe calls.
#[derive(Debug)]
pub struct KernelSpec {
    unit: &'static Unit,
    entry: &'static str,
    params: &'static [Param],
}

impl KernelSpec {
    /// The signature of the kernel `entry` of `unit`, as [`kernel!`](crate::kernel) declares it.
    ///
    /// ```compile_fail,E0133
    /// // Only an unsafe block makes a spec.
    /// let spec = manycore_device::KernelSpec::new(&manycore_kernels::device::FILL, "fill", &[]);
    /// ```
    ///
    /// # Safety
    /// A launch checks the number and the types of its arguments, that their memory is on its device, and the sizes of
    /// its groups. It cannot check what the kernel does with them: given a number of elements above that of a buffer, a
    /// kernel reads and writes past the buffer, which on some devices is memory of the process.
    ///
    /// So all code that can reach the spec, or a [`Kernel`](crate::Kernel) built from it, must launch the kernel only with defines,
    /// arguments and a grid for which its work-items end, stay inside of the buffers given and of their local memory,
    /// write to none that is declared `input`, and write nothing that another work-item reads or writes unordered. A
    /// spec is therefore private to the module or the crate that keeps to this, and no public function gives it, or its
    /// kernel, away.
    pub const unsafe fn new(unit: &'static Unit, entry: &'static str, params: &'static [Param]) -> Self {
        Self { unit, entry, params }
    }

    /// The signature of the kernel `entry` of `unit`, as the unit's source declares it; the compiler stops where the unit has
    /// no such kernel.
    ///
    /// # Panics
    /// Without such a kernel in the unit.
    ///
    /// # Safety
    /// As [`KernelSpec::new`].
    pub const unsafe fn of(unit: &'static Unit, entry: &'static str) -> Self {
        let mut at = 0;
        while at < unit.entries.len() {
            if is_same(unit.entries[at].name, entry) {
                return Self { unit, entry, params: unit.entries[at].params };
            }
            at += 1;
        }
        panic!("the unit has no such kernel");
    }

    /// The unit that the kernel stands in.
    pub const fn unit(&self) -> &'static Unit {
        self.unit
    }

    /// The kernel's name in its unit.
    pub const fn entry(&self) -> &'static str {
        self.entry
    }

    /// The kernel's arguments in order.
    pub const fn params(&self) -> &'static [Param] {
        self.params
    }
}

/// Whether two names are the same, for the compiler.
const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

/// Declares kernels as constants that launches are checked against. The library's kernels have the arguments of their
/// prototypes; those of a unit of one's own are declared with it, once each.
///
/// An argument is `buffer<W>` (written, or read and written), `input<W>` (read only), `words<W; COUNT>` (a struct of
/// numbers, as many as the define `COUNT` says, passed by value) or the type of a number, where a type is a
/// [`Word`](crate::Word) or `element`, the type that the unit is built with.
///
/// The word `unsafe` of a declaration is the promise of [`KernelSpec::new`] for each launch in the crate: the sizes among a kernel's
/// arguments are those of its buffers.
///
/// ```
/// manycore_device::kernel! {
///     /// Fills a buffer with a pattern of 16 bytes.
///     // SAFETY: nothing launches it.
///     unsafe FILL in manycore_kernels::device::FILL: fill
/// }
/// assert_eq!(FILL.params().len(), 6);
///
/// use manycore_kernels::{Entry, Unit};
/// static ONES: Unit = Unit {
///     path: "ones.cl",
///     source: "__kernel void ones(__global uint *data) { data[get_global_id(0)] = 1u; }",
///     parts: &[],
///     entries: &[Entry::named("ones")],
///     parameter_sets: &[&[]],
/// };
/// manycore_device::kernel! {
///     /// Ones everywhere.
///     // SAFETY: nothing launches it.
///     unsafe FILL_ONES in ONES: ones(data: buffer<u32>)
/// }
/// ```
///
/// Without the word there is no declaration:
///
/// ```compile_fail
/// manycore_device::kernel! {
///     FILL in manycore_kernels::device::FILL: fill(data: buffer<u32>, count: u64, x: u32, y: u32, z: u32, w: u32)
/// }
/// ```
#[macro_export]
macro_rules! kernel {
    () => {};
    (
        $(#[$doc:meta])* $vis:vis unsafe $name:ident in $unit:path : $entry:ident ( $($args:tt)* ) $($more:tt)*
    ) => {
        $(#[$doc])*
        $vis static $name: $crate::KernelSpec =
            // SAFETY: the word `unsafe` of the declaration says that its launches keep to the contract.
            unsafe { $crate::KernelSpec::new(&$unit, stringify!($entry), $crate::kernel_params!([] $($args)*)) };
        $crate::kernel! { $($more)* }
    };
    ($(#[$doc:meta])* $vis:vis unsafe $name:ident in $unit:path : $entry:ident $($more:tt)*) => {
        $(#[$doc])*
        $vis static $name: $crate::KernelSpec =
            // SAFETY: the word `unsafe` of the declaration says that its launches keep to the contract.
            unsafe { $crate::KernelSpec::of(&$unit, stringify!($entry)) };
        $crate::kernel! { $($more)* }
    };
}

/// The arguments of [`kernel!`](crate::kernel), one after the other.
#[doc(hidden)]
#[macro_export]
macro_rules! kernel_params {
    ([$($done:expr,)*]) => { &[$($done),*] };
    ([$($done:expr,)*] $arg:ident : buffer < $type:ident > $(, $($rest:tt)*)?) => {
        $crate::kernel_params!([$($done,)* $crate::kernel_param!($arg Buffer $type),] $($($rest)*)?)
    };
    ([$($done:expr,)*] $arg:ident : input < $type:ident > $(, $($rest:tt)*)?) => {
        $crate::kernel_params!([$($done,)* $crate::kernel_param!($arg Input $type),] $($($rest)*)?)
    };
    ([$($done:expr,)*] $arg:ident : words < $type:ident ; $count:ident > $(, $($rest:tt)*)?) => {
        $crate::kernel_params!([
            $($done,)*
            $crate::Param { count: Some(stringify!($count)), ..$crate::kernel_param!($arg Words $type) },
        ] $($($rest)*)?)
    };
    ([$($done:expr,)*] $arg:ident : $type:ident $(, $($rest:tt)*)?) => {
        $crate::kernel_params!([$($done,)* $crate::kernel_param!($arg Value $type),] $($($rest)*)?)
    };
}

/// One argument of [`kernel!`](crate::kernel).
#[doc(hidden)]
#[macro_export]
macro_rules! kernel_param {
    ($arg:ident $passing:ident element) => {
        $crate::Param {
            name: stringify!($arg),
            passing: $crate::Passing::$passing,
            words: $crate::ParamType::Element,
            count: None,
        }
    };
    ($arg:ident $passing:ident $type:ident) => {
        $crate::Param {
            name: stringify!($arg),
            passing: $crate::Passing::$passing,
            words: $crate::ParamType::Fixed(<$type as $crate::Word>::TYPE.opencl_name()),
            count: None,
        }
    };
}

/// How an argument is passed: as declared kernels have them, and local memory of users' kernels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pass {
    Input,
    Buffer,
    Value,
    Words,
    Local,
}

impl From<Passing> for Pass {
    fn from(passing: Passing) -> Self {
        match passing {
            Passing::Input => Self::Input,
            Passing::Buffer => Self::Buffer,
            Passing::Value => Self::Value,
            Passing::Words => Self::Words,
        }
    }
}

/// What an argument is, with its type filled in: what messages and comparisons speak of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) passing: Pass,
    pub(crate) words: WordType,
    /// The numbers of a struct, which runtimes do not all compare with what they are given; 0 for others.
    pub(crate) count: usize,
}

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.passing {
            Pass::Input => write!(f, "a buffer of {} to read", self.words.name()),
            Pass::Buffer => write!(f, "a buffer of {}", self.words.name()),
            Pass::Value => write!(f, "a value of {}", self.words.name()),
            Pass::Words => write!(f, "a struct of {} {}", self.count, self.words.name()),
            Pass::Local => write!(f, "local memory of {}", self.words.name()),
        }
    }
}
