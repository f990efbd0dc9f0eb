//! Rows of crates: the longest path of dependencies below each.

use std::collections::{BTreeMap, BTreeSet};

use crate::metadata::Package;

/// Side packages: what tests share, tests, benches, the book and the build system. They may use every crate, and crates use them in tests
/// alone, those that [`SHARED`] names.
const SIDE: &[&str] = &[
    "manycore-testkit",
    "manycore-opencl-faults",
    "manycore-benches",
    "manycore-docs",
    "manycore-soak",
    "manycore-xtask",
];

/// Side packages that tests of any crate may use.
pub(super) const SHARED: &[&str] = &["manycore-testkit", "manycore-opencl-faults"];

/// Macros that every crate may use at compile time: under the rows.
const UNDER: &[&str] = &["manycore-revision"];

/// Where a package stands.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Place {
    /// Under the rows.
    Under,
    /// In a row: it uses lower ones.
    Row(usize),
    /// Beside the rows.
    Side,
}

/// The place of every package: a row is one more than the highest row that it depends on, tests apart.
pub(crate) fn places(packages: &[Package]) -> BTreeMap<&str, Place> {
    let by_name: BTreeMap<&str, &Package> = packages.iter().map(|package| (package.name.as_str(), package)).collect();
    let mut places = BTreeMap::new();
    for name in by_name.keys() {
        place(name, &by_name, &mut places, &mut BTreeSet::new());
    }
    places
}

fn place<'a>(
    name: &str,
    packages: &BTreeMap<&'a str, &'a Package>,
    places: &mut BTreeMap<&'a str, Place>,
    open: &mut BTreeSet<&'a str>,
) -> Option<Place> {
    let (&name, package) = packages.get_key_value(name)?;
    if let Some(place) = places.get(name) {
        return Some(*place);
    }
    // cargo refuses circles; of a list that has one there is no row.
    if !open.insert(name) {
        return None;
    }
    let found = if SIDE.contains(&name) {
        Place::Side
    } else if UNDER.contains(&name) {
        Place::Under
    } else {
        let used = package.dependencies.iter().filter(|dependency| dependency.kind.as_deref() != Some("dev"));
        let rows = used.filter_map(|dependency| match place(&dependency.name, packages, places, open) {
            Some(Place::Row(row)) => Some(row + 1),
            _ => None,
        });
        Place::Row(rows.max().unwrap_or(0))
    };
    places.insert(name, found);
    Some(found)
}
