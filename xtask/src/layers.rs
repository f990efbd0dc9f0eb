//! `cargo xtask layers`: a crate depends on crates of lower rows only.
//!
//! The rows are those of the architecture page's table; a crate that is not in them fails the check.

use anyhow::{Result, bail};

use crate::metadata::{self, Package};

/// Where a package stands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Place {
    /// A row of the library: it may use lower rows.
    Row(u8),
    /// Under the library, at compile time alone: every package may use it, and it uses none.
    Macros,
    /// Beside the library: it may use every row, and no row may use it except where [`DEVELOPMENT`] says.
    Side,
}

/// Every package of the plan, also those that are not written yet.
const PLACES: &[(&str, Place)] = &[
    ("manycore-revision", Place::Macros),
    ("manycore-kernels", Place::Row(0)),
    ("manycore-opencl-loader", Place::Row(0)),
    ("manycore-model", Place::Row(0)),
    ("manycore-files", Place::Row(0)),
    ("manycore-pages", Place::Row(0)),
    ("manycore-device", Place::Row(1)),
    ("manycore-tuning", Place::Row(2)),
    ("manycore-arrays", Place::Row(2)),
    ("manycore-field", Place::Row(3)),
    ("manycore-expressions", Place::Row(3)),
    ("manycore-sort", Place::Row(4)),
    ("manycore-characters", Place::Row(4)),
    ("manycore-spectral", Place::Row(4)),
    ("manycore-kronecker", Place::Row(4)),
    ("manycore-transform", Place::Row(5)),
    ("manycore-verify", Place::Row(5)),
    ("manycore-boolean", Place::Row(7)),
    ("manycore-poly", Place::Row(7)),
    ("manycore-fourier", Place::Row(6)),
    ("manycore-sparse", Place::Row(6)),
    ("manycore-operation", Place::Row(6)),
    ("manycore-bivariate", Place::Row(8)),
    ("manycore-codes", Place::Row(8)),
    ("manycore-semiring", Place::Row(7)),
    ("manycore-linalg", Place::Row(8)),
    ("manycore-maxplus", Place::Row(8)),
    ("manycore-cluster", Place::Row(9)),
    ("manycore-operations", Place::Row(9)),
    ("manycore", Place::Row(10)),
    ("manycore-c", Place::Row(10)),
    ("manycore-cli", Place::Row(10)),
    ("manycore-python", Place::Row(10)),
    ("manycore-testkit", Place::Side),
    ("manycore-opencl-faults", Place::Side),
    ("manycore-benches", Place::Side),
    ("manycore-docs", Place::Side),
    ("manycore-soak", Place::Side),
    ("manycore-xtask", Place::Side),
];

/// Pairs of one row that are meant: the program, the library for C and the Python package are written over the facade.
const ALLOWED: &[(&str, &str)] =
    &[("manycore-c", "manycore"), ("manycore-cli", "manycore"), ("manycore-python", "manycore")];

/// Side packages that any package may use in its tests.
const DEVELOPMENT: &[&str] = &["manycore-testkit", "manycore-opencl-faults"];

/// Outside packages that only the named ones may use, tests apart: the device crate alone speaks OpenCL.
const RESERVED: &[(&str, &[&str])] =
    &[("ocl", &["manycore-device"]), ("ocl-core", &["manycore-device"]), ("cl-sys", &["manycore-device"])];

/// `cargo xtask layers`.
pub(crate) fn run() -> Result<()> {
    let workspace = metadata::workspace()?;
    let faults = check(&workspace.packages);
    for fault in &faults {
        eprintln!("layers: {fault}");
    }
    if !faults.is_empty() {
        bail!("{} dependencies break the layers", faults.len());
    }
    eprintln!("layers: {} packages depend on lower rows only", workspace.packages.len());
    Ok(())
}

fn place(name: &str) -> Option<Place> {
    PLACES.iter().find(|(package, _)| *package == name).map(|(_, place)| *place)
}

/// Every dependency that breaks a rule, as a sentence.
fn check(packages: &[Package]) -> Vec<String> {
    let mut faults = Vec::new();
    for package in packages {
        let Some(from) = place(&package.name) else {
            faults.push(format!("{} has no row: give it one in xtask/src/layers.rs", package.name));
            continue;
        };
        for dependency in &package.dependencies {
            let development = dependency.kind.as_deref() == Some("dev");
            if let Some((_, users)) = RESERVED.iter().find(|(name, _)| *name == dependency.name)
                && !development
                && !users.contains(&package.name.as_str())
            {
                faults.push(format!("{} uses {}, which is for {}", package.name, dependency.name, users.join(", ")));
            }
            let pair = (package.name.as_str(), dependency.name.as_str());
            if ALLOWED.contains(&pair) || (development && DEVELOPMENT.contains(&pair.1)) {
                continue;
            }
            let (Place::Row(row), Some(to)) = (from, place(&dependency.name)) else {
                continue;
            };
            match to {
                Place::Macros => {}
                Place::Row(lower) if lower < row || development => {}
                Place::Row(other) => faults.push(format!(
                    "{} (row {row}) depends on {} (row {other}): only lower rows are allowed",
                    pair.0, pair.1
                )),
                Place::Side => faults
                    .push(format!("{} (row {row}) depends on {}, which stands beside the library", pair.0, pair.1)),
            }
        }
    }
    faults
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::check;
    use crate::metadata::{Dependency, Package};

    fn package(name: &str, dependencies: &[(&str, Option<&str>)]) -> Package {
        let dependency = |(name, kind): &(&str, Option<&str>)| Dependency {
            name: (*name).to_owned(),
            kind: kind.map(str::to_owned),
        };
        Package {
            name: name.to_owned(),
            version: String::new(),
            rust_version: None,
            dependencies: dependencies.iter().map(dependency).collect(),
            publish: None,
            manifest_path: PathBuf::new(),
            readme: None,
        }
    }

    #[test]
    fn lower_rows_and_outside_packages_pass() {
        let packages = [
            package(
                "manycore-transform",
                &[("manycore-device", None), ("rayon", None), ("manycore-testkit", Some("dev"))],
            ),
            package("manycore-cli", &[("manycore", None)]),
            package("manycore-device", &[("ocl", None)]),
            package("manycore-opencl-loader", &[("ocl", Some("dev"))]),
            package("manycore-testkit", &[("manycore-transform", None)]),
        ];
        assert_eq!(check(&packages), Vec::<String>::new());
    }

    #[test]
    fn each_offence_names_the_pair() {
        let cases = [
            (package("manycore-device", &[("manycore-transform", None)]), "manycore-transform (row 5)"),
            (
                package("manycore-kernels", &[("manycore-opencl-loader", Some("build"))]),
                "manycore-opencl-loader (row 0)",
            ),
            (package("manycore", &[("manycore-cli", None)]), "manycore-cli (row 10)"),
            (package("manycore-device", &[("manycore-tuning", None)]), "manycore-tuning (row 2)"),
            (package("manycore-device", &[("manycore-testkit", None)]), "beside the library"),
            (package("manycore-device", &[("manycore-benches", Some("dev"))]), "beside the library"),
            (package("manycore-transform", &[("ocl", None)]), "which is for manycore-device"),
            (package("manycore-unheard-of", &[]), "has no row"),
        ];
        for (offender, expected) in cases {
            let faults = check(std::slice::from_ref(&offender));
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(faults[0].contains(expected) && faults[0].contains(&offender.name), "{faults:?}");
        }
    }
}
