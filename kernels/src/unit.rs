//! What a unit is, and how its text is put together.

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

/// A file of kernels that is built by itself.
#[derive(Debug)]
pub struct Unit {
    /// The file's path from the workspace's root, as build logs name it.
    pub path: &'static str,
    /// Its text.
    pub source: &'static str,
    /// The parts that stand before it, in this order.
    pub parts: &'static [&'static Part],
    /// The names of its kernels.
    pub entries: &'static [&'static str],
    /// Parameter sets that the library uses, the empty one (all defaults) first.
    pub parameter_sets: &'static [Defines],
}

/// The text that a compiler is given: each part and the unit itself, each behind a `#line` directive that names it.
///
/// ```
/// use manycore_kernels::{WALSH_TILE, spliced};
/// assert!(spliced(&WALSH_TILE).contains("#line 1 \"kernels/spectral/walsh_tile.cl\""));
/// ```
#[must_use]
pub fn spliced(unit: &Unit) -> String {
    let parts = unit.parts.iter().map(|part| (part.path, part.source));
    parts
        .chain([(unit.path, unit.source)])
        .fold(String::new(), |text, (path, source)| text + "#line 1 \"" + path + "\"\n" + source + "\n")
}
