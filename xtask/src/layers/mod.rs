//! `cargo xtask layers`: crates stand in rows, by the longest path of dependencies below each; tests use lower rows only, and what stands
//! beside the library is used by tests alone. Modules of a crate name each other in no circle.

mod circles;
mod rows;

use anyhow::{Result, bail};

use crate::metadata::{self, Package};
use rows::SHARED;
pub(crate) use rows::{Place, places};

/// Crates whose tests compare with definitions of crates over them: checks, with those of the transforms that they are of.
const DEFINITIONS: &[(&str, &[&str])] =
    &[("manycore-verify", &["manycore-fourier", "manycore-kronecker", "manycore-spectral"])];

/// Outside packages that only the named ones may use, tests apart: the device crate alone speaks OpenCL.
const RESERVED: &[(&str, &[&str])] =
    &[("ocl", &["manycore-device"]), ("ocl-core", &["manycore-device"]), ("cl-sys", &["manycore-device"])];

/// `cargo xtask layers`.
pub(crate) fn run() -> Result<()> {
    let workspace = metadata::workspace()?;
    let mut faults = check(&workspace.packages);
    for package in &workspace.packages {
        let Some(folder) = package.manifest_path.parent().map(|folder| folder.join("src")) else { continue };
        if !folder.is_dir() {
            continue;
        }
        for circle in circles::of(&folder)? {
            let modules = circle.modules.join(", ");
            faults.push(format!("modules of {} name each other in a circle: {modules}", package.name));
        }
    }
    for fault in &faults {
        eprintln!("layers: {fault}");
    }
    if !faults.is_empty() {
        bail!("{} faults of layers", faults.len());
    }
    eprintln!("layers: {} packages depend on lower rows only, and no modules on each other", workspace.packages.len());
    Ok(())
}

/// Every dependency that breaks a rule, as a sentence.
fn check(packages: &[Package]) -> Vec<String> {
    let places = places(packages);
    let mut faults = Vec::new();
    for package in packages {
        let from = places.get(package.name.as_str()).copied();
        for dependency in &package.dependencies {
            let (from_name, to_name) = (&package.name, &dependency.name);
            let is_of_tests = dependency.kind.as_deref() == Some("dev");
            if let Some((_, users)) = RESERVED.iter().find(|(name, _)| name == to_name)
                && !is_of_tests
                && !users.contains(&from_name.as_str())
            {
                faults.push(format!("{from_name} uses {to_name}, which is for {}", users.join(", ")));
            }
            if from == Some(Place::Side) || (is_of_tests && SHARED.contains(&to_name.as_str())) {
                continue;
            }
            if is_of_tests && DEFINITIONS.iter().any(|(from, to)| from == from_name && to.contains(&to_name.as_str())) {
                continue;
            }
            match (from, places.get(to_name.as_str()).copied()) {
                (_, Some(Place::Side)) => {
                    faults.push(format!("{from_name} depends on {to_name}, which stands beside the library"));
                }
                // Dependencies of the library make the rows; those of its tests follow them.
                (Some(Place::Row(row)), Some(Place::Row(other)))
                    if is_of_tests && other >= row && from_name != to_name =>
                {
                    faults.push(format!(
                        "tests of {from_name} (row {row}) use {to_name} (row {other}): only lower rows are allowed"
                    ));
                }
                (Some(Place::Under), Some(Place::Row(_))) => {
                    faults.push(format!("{from_name} depends on {to_name}, which stands over it"));
                }
                _ => {}
            }
        }
    }
    faults
}

/// The table of the architecture page: rows of crates, with what their manifests say of them.
pub(crate) fn table(packages: &[Package]) -> String {
    let places = places(packages);
    let mut lines: Vec<(Place, &str, String)> = Vec::new();
    for package in packages {
        let Some(&place) = places.get(package.name.as_str()) else { continue };
        let row = match place {
            Place::Under => "under".to_owned(),
            Place::Row(row) => row.to_string(),
            Place::Side => "side".to_owned(),
        };
        let (name, what) = (&package.name, package.description.as_deref().unwrap_or_default());
        lines.push((place, name, format!("| {row} | `{name}` | {what} |\n")));
    }
    lines.sort();
    let lines = lines.into_iter().map(|(_, _, line)| line);
    ["| row | crate | what it is |\n|---|---|---|\n".to_owned()].into_iter().chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::{Place, check, places, table};
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
            description: None,
        }
    }

    #[test]
    fn rows_are_longest_paths() {
        let packages = [
            package("manycore-sort", &[("manycore-device", None), ("manycore-files", None), ("rayon", None)]),
            package("manycore-device", &[("manycore-files", None), ("ocl", None), ("manycore-testkit", Some("dev"))]),
            package("manycore-files", &[("manycore-revision", Some("build")), ("ocl", Some("dev"))]),
            package("manycore-revision", &[]),
            package("manycore-testkit", &[("manycore-sort", None)]),
        ];
        assert_eq!(check(&packages), Vec::<String>::new());
        let places = places(&packages);
        let of = |name: &str| places[name];
        assert_eq!([of("manycore-files"), of("manycore-device")], [Place::Row(0), Place::Row(1)]);
        assert_eq!([of("manycore-sort"), of("manycore-testkit")], [Place::Row(2), Place::Side]);
        assert!(table(&packages).contains("| 2 | `manycore-sort` |"));
        assert_eq!(of("manycore-revision"), Place::Under);
    }

    #[test]
    fn each_offence_names_the_pair() {
        let sort = || package("manycore-sort", &[("manycore-files", None)]);
        let cases = [
            (package("manycore-files", &[("manycore-sort", Some("dev"))]), "manycore-sort (row 1)"),
            (package("manycore-files", &[("manycore-testkit", None)]), "beside the library"),
            (package("manycore-files", &[("manycore-benches", Some("dev"))]), "beside the library"),
            (package("manycore-files", &[("ocl", None)]), "which is for manycore-device"),
        ];
        for (offender, expected) in cases {
            let others = [package("manycore-testkit", &[]), package("manycore-benches", &[]), sort()];
            let faults = check(&[&[offender][..], &others].concat());
            assert_eq!(faults.len(), 1, "{faults:?}");
            assert!(faults[0].contains(expected) && faults[0].contains("manycore-files"), "{faults:?}");
        }
    }
}
