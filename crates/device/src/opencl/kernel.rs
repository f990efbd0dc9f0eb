//! Kernels: a signature declared once in Rust, checked against the built program and at every launch.

use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use manycore_kernels::{Param, ParamType, Passing, Unit};

use super::OpenCl;
use super::calls::failure;
use super::memory::Generation;
use super::object::Object;
use super::objects::{self, DeviceId, Program, Queue};
use super::program::Defines;
use crate::error::DeviceError;
use crate::launched;
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
    /// its groups. It cannot check what the kernel does with them: told of more elements than a buffer has, a kernel
    /// reads and writes past the buffer, which on some devices is memory of the process.
    ///
    /// So all code that can reach the spec, or a [`Kernel`] built from it, must launch the kernel only with defines,
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
/// The word `unsafe` of a declaration is the promise of [`KernelSpec::new`] for each launch in the crate: the numbers that
/// a kernel is told are true of its buffers.
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

/// What the compiler needs of the device's memory for a kernel, and of its registers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct KernelMemory {
    /// Bytes of a work-item beside its registers.
    pub(crate) private_bytes: u64,
    /// Bytes of local memory of a group.
    pub(crate) local_bytes: u64,
    /// Items of the largest group that the driver tells, by registers fewer than the device's limit; 0 where it tells fewer than the
    /// source requires, or nothing.
    pub(crate) group_limit: usize,
}

/// A built kernel, ready to launch from any thread.
#[derive(Debug)]
pub struct Kernel {
    /// Its name in its program.
    pub(crate) entry: &'static str,
    pub(crate) shapes: Vec<Shape>,
    pub(crate) group_limit: usize,
    pub(crate) required_group: Option<usize>,
    pub(crate) memory: KernelMemory,
    /// The device that it is built for.
    pub(crate) device: DeviceId,
    /// The device's name and label in messages.
    name: String,
    pub(crate) label: String,
    program: Arc<Program>,
    /// Kernel objects that no launch has at the moment, the one used last at the end: setting arguments is not
    /// thread-safe, so that each launch takes an object for itself.
    idle: Mutex<Vec<Object>>,
    /// The device's queue of kernels, and the number of times that blocks of its memory were freed.
    queue: Arc<Queue>,
    pub(crate) generation: Generation,
}

impl Kernel {
    /// The largest group that the device can launch it with.
    pub fn group_limit(&self) -> usize {
        self.group_limit
    }

    /// Enqueues the kernel once more, with the arguments of its last launch, and does nothing else: the bare call of
    /// the runtime, which benchmarks compare a [`Launch`](crate::Launch) with. Profiles do not see it; of launches on
    /// several threads at once, any may be the last one.
    ///
    /// # Safety
    /// The memory of the last launch is borrowed no more: nothing else may read or write it until the kernel has ended,
    /// and it must be there still where the caller gave it ([`Device::in_place`](crate::Device::in_place)). With the
    /// arguments of that launch and this grid the kernel must keep to the contract of [`KernelSpec::new`].
    ///
    /// # Errors
    /// [`DeviceError::Length`] and [`DeviceError::TooLarge`] for the sizes, as [`Launch::run`](crate::Launch::run);
    /// [`DeviceError::Argument`] where there was no launch, where one of its arguments was a part of a buffer, or where
    /// memory of the device was freed since; [`DeviceError::Api`] when the runtime refuses.
    pub unsafe fn enqueue_alone(&self, groups: usize, group: usize) -> Result<(), DeviceError> {
        let Some(global) = self.items(groups, group)? else { return Ok(()) };
        let object = self.take()?;
        let unset = object.first_unset(self.generation.now());
        let outcome = match unset {
            Some(_) => Ok(()),
            // SAFETY: no memory was freed since every argument was set, at this kernel's last launch; the caller vouches
            // for the grid, and for whoever holds that memory now.
            None => unsafe { self.queue.enqueue(&object.kernel, (1, [global, 1, 1]), Some([group, 1, 1]), None) },
        };
        self.give_back(object, false);
        if let Some(index) = unset {
            return Err(self.wrong_argument(index, "nothing".into()));
        }
        outcome.map_err(|code| failure(code, "clEnqueueNDRangeKernel", &self.name))
    }

    /// The items of a grid of so many groups; `None` for no groups.
    ///
    /// # Errors
    /// [`DeviceError::Length`] for a group of no items, or of another size than the kernel's source requires;
    /// [`DeviceError::TooLarge`] for a group past the kernel's limit, and a grid that no word counts.
    pub(crate) fn items(&self, groups: usize, group: usize) -> Result<Option<usize>, DeviceError> {
        if let Some(expected) = self.required_group.or((group == 0).then_some(1))
            && expected != group
        {
            return Err(DeviceError::Length { what: "items of a group", expected, given: group });
        }
        let too_large = |what: &str, size: usize, limit: usize| DeviceError::TooLarge {
            what: format!("items of {what} of kernel {}", self.entry),
            size: size as u64,
            limit: limit as u64,
            device: self.name.clone(),
        };
        if group > self.group_limit {
            return Err(too_large("a group", group, self.group_limit));
        }
        let items = groups.checked_mul(group).ok_or_else(|| too_large("the grid", groups, usize::MAX / group))?;
        Ok((items > 0).then_some(items))
    }

    /// The error that argument `index` was given as something else.
    pub(crate) fn wrong_argument(&self, index: usize, given: String) -> DeviceError {
        let expected = self.shapes.get(index).map_or_else(|| "no more arguments".into(), Shape::to_string);
        DeviceError::Argument { kernel: self.entry.to_owned(), index, expected, given }
    }

    /// A kernel object that no other launch has: an idle one, else a new one.
    pub(crate) fn take(&self) -> Result<Object, DeviceError> {
        let idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let make = || {
            let kernel = objects::Kernel::of(&self.program, self.entry, &self.name)?;
            Ok(Object::new(kernel, self.shapes.len()))
        };
        idle.map_or_else(make, Ok)
    }

    /// Makes an object idle; `has_parts` where some of its arguments may be parts of blocks.
    pub(crate) fn give_back(&self, mut object: Object, has_parts: bool) {
        if has_parts {
            object.drop_parts();
        }
        self.idle.lock().unwrap_or_else(PoisonError::into_inner).push(object);
    }
}

impl OpenCl {
    /// Builds a kernel and compares its declared signature with the program's.
    ///
    /// # Errors
    /// [`DeviceError::Build`] with the log; [`DeviceError::Argument`] where declaration and source differ;
    /// [`DeviceError::Unsupported`] for `double` where the device has none.
    pub fn kernel(&self, spec: &'static KernelSpec, defines: &Defines) -> Result<Kernel, DeviceError> {
        self.built(spec, defines).inspect_err(|_| launched::refuse())
    }

    fn built(&self, spec: &'static KernelSpec, defines: &Defines) -> Result<Kernel, DeviceError> {
        let mut program = self.program(spec.unit, defines)?;
        let mut object = objects::Kernel::of(&program, spec.entry, self.name())?;
        let wrong = |index, expected: String, given: String| DeviceError::Argument {
            kernel: spec.entry.to_owned(),
            index,
            expected,
            given,
        };
        let mut shapes = Vec::with_capacity(spec.params.len());
        for (index, param) in spec.params.iter().enumerate() {
            let words = match param.words {
                ParamType::Element => defines.element.ok_or("an element type"),
                ParamType::Fixed(name) => WordType::of_opencl(name).ok_or(name),
                ParamType::Define(name, default) => {
                    WordType::of_opencl(defines.text(name).unwrap_or(default)).ok_or(name)
                }
            };
            let words = words.map_err(|lacking| wrong(index, format!("{lacking} among the defines"), "none".into()))?;
            let count = match param.count.map(|name| (name, defines.integer(name))) {
                None => 0,
                Some((_, Some(count))) => count,
                Some((name, None)) => {
                    return Err(wrong(index, format!("{name} among the defines"), "none".into()));
                }
            };
            shapes.push(Shape { passing: param.passing.into(), words, count });
        }
        let count = object.arguments(self.name())?;
        if count != shapes.len() {
            return Err(wrong(
                count.min(shapes.len()),
                format!("{} arguments declared", shapes.len()),
                format!("{count} in {}", spec.unit.path),
            ));
        }
        for (index, shape) in shapes.iter().enumerate() {
            // Where the runtime keeps no record of types, the count above is all there is to compare.
            if let Some(found) = object.argument_type(index)
                && !same_type(&found, *shape)
            {
                return Err(wrong(index, shape.to_string(), format!("{found} in {}", spec.unit.path)));
            }
        }
        // The signature is checked by now: a program made from a binary keeps no record of types.
        if let Some(wished) = self.wished(spec.unit, defines, &program) {
            object = objects::Kernel::of(&wished, spec.entry, self.name())?;
            program = wished;
        }
        let required_group = object.required_group(self.raw_id(), self.name())?.map(|[items, ..]| items);
        self.ready(spec.entry, shapes, program, object, required_group)
    }

    /// A built kernel whose signature was compared, with its first object.
    pub(crate) fn ready(
        &self,
        entry: &'static str,
        shapes: Vec<Shape>,
        program: Arc<Program>,
        object: objects::Kernel,
        required_group: Option<usize>,
    ) -> Result<Kernel, DeviceError> {
        // A kernel with a required group was compiled for it; some drivers then still report a smaller general limit.
        let told = object.group_limit(self.raw_id(), self.name());
        let (private_bytes, local_bytes) = (object.private_bytes(self.raw_id()), object.local_bytes(self.raw_id()));
        let memory = KernelMemory {
            private_bytes,
            local_bytes,
            group_limit: told.as_ref().ok().copied().filter(|&told| told >= required_group.unwrap_or(0)).unwrap_or(0),
        };
        let group_limit = match required_group {
            Some(group) => group,
            None => told?,
        };
        let (device, name, label) = (self.raw_id(), self.name().to_owned(), self.info().label());
        let idle = Mutex::new(vec![Object::new(object, shapes.len())]);
        let opened = self.opened()?;
        let (queue, generation) = (Arc::clone(&opened.queue), opened.pool.generation().clone());
        Ok(Kernel {
            entry,
            shapes,
            group_limit,
            required_group,
            memory,
            device,
            name,
            label,
            program,
            idle,
            queue,
            generation,
        })
    }
}

/// Whether the type in the source (`uint`, `float*`, `uint4*`) is the one declared; a buffer of vectors holds words of
/// the vector's element.
pub(crate) fn same_type(found: &str, shape: Shape) -> bool {
    let found = found.replace(' ', "");
    match found.strip_suffix('*') {
        Some(pointee) => {
            let word = pointee.trim_end_matches(|c: char| c.is_ascii_digit());
            matches!(shape.passing, Pass::Input | Pass::Buffer | Pass::Local) && word == shape.words.opencl_name()
        }
        // The compiler knows what is in a struct, and the runtime how long it is.
        None if shape.passing == Pass::Words => found != shape.words.opencl_name(),
        None => shape.passing == Pass::Value && found == shape.words.opencl_name(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_the_source_are_compared_with_the_declared_ones() {
        let shape = |passing, words| Shape { passing, words, count: 4 };
        assert!(same_type("uint4*", shape(Pass::Buffer, WordType::U32)));
        assert!(same_type("uchar16*", shape(Pass::Input, WordType::U8)));
        assert!(same_type("float *", shape(Pass::Input, WordType::F32)));
        assert!(same_type("ulong", shape(Pass::Value, WordType::U64)));
        assert!(!same_type("ulong", shape(Pass::Value, WordType::U32)));
        assert!(!same_type("uint*", shape(Pass::Value, WordType::U32)));
        assert!(!same_type("uint", shape(Pass::Buffer, WordType::U32)));
        assert!(!same_type("int*", shape(Pass::Buffer, WordType::U32)));
        assert!(same_type("constants", shape(Pass::Words, WordType::U32)));
        assert!(!same_type("uint", shape(Pass::Words, WordType::U32)));
        assert!(!same_type("uint*", shape(Pass::Words, WordType::U32)));
    }
}
