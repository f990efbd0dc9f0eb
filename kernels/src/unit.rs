//! Units of kernels, and the assembly of their texts.

/// Values of preprocessor names: one parameter set of a unit.
pub type Defines = &'static [(&'static str, &'static str)];

/// A file of functions that units share.
#[derive(Debug)]
pub struct Part {
    /// The file's path from the workspace's root, as build logs name it.
    pub path: &'static str,
    /// Its text.
    pub source: &'static str,
}

/// A file of kernels that is compiled alone.
#[derive(Debug)]
pub struct Unit {
    /// The file's path from the workspace's root, as build logs name it.
    pub path: &'static str,
    /// Its text.
    pub source: &'static str,
    /// The parts that stand before it, in this order.
    pub parts: &'static [&'static Part],
    /// Its kernels.
    pub entries: &'static [Entry],
    /// Parameter sets that the library uses, the empty one (all defaults) first.
    pub parameter_sets: &'static [Defines],
}

/// A kernel of a unit.
#[derive(Debug)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// Its arguments in order.
    pub params: &'static [Param],
}

impl Entry {
    /// A kernel whose arguments are declared where it is launched.
    #[must_use]
    pub const fn named(name: &'static str) -> Self {
        Self { name, params: &[] }
    }
}

/// One argument of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Param {
    /// Its name.
    pub name: &'static str,
    /// How it is passed.
    pub passing: Passing,
    /// Its words' type.
    pub words: ParamType,
    /// The define of the number of words of a struct.
    pub count: Option<&'static str>,
}

/// How an argument is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passing {
    /// A buffer that the kernel reads.
    Input,
    /// A buffer that the kernel writes, or reads and writes.
    Buffer,
    /// A number.
    Value,
    /// A few numbers in a struct, which compilers read from where the arguments stand, as they do constants.
    Words,
}

/// The type of an argument's words, by its name in OpenCL C.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ParamType {
    /// The element type that the unit is built with.
    Element,
    /// Always this type.
    Fixed(&'static str),
    /// The type that a define names, and the one where it is not set.
    Define(&'static str, &'static str),
}

/// The text that a compiler is given: each part and the unit itself, each behind a `#line` directive that names it.
///
/// ```
/// use manycore_kernels::{spectral, spliced};
/// assert!(spliced(&spectral::WALSH_TILE).contains("#line 1 \"kernels/spectral/walsh_tile.cl\""));
/// ```
#[must_use]
pub fn spliced(unit: &Unit) -> String {
    let parts = unit.parts.iter().map(|part| (part.path, part.source));
    parts
        .chain([(unit.path, unit.source)])
        .fold(String::new(), |text, (path, source)| text + "#line 1 \"" + path + "\"\n" + source + "\n")
}
