//! The Manycore crates that a manifest names under `[dependencies]`, in the form that people write and in the one that cargo
//! packs.

/// Crates that compute nothing: this one, and two that are optional, the loader of the OpenCL library and operations as data.
const APART: [&str; 3] = ["manycore-revision", "manycore-opencl-loader", "manycore-operation"];

/// The names of the Manycore crates that the package cannot do without, in order: what is optional computes nothing.
pub(crate) fn dependencies(manifest: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut is_within, mut packed) = (false, None);
    for line in manifest.lines().map(str::trim) {
        if let Some(table) = line.strip_prefix('[') {
            let table = table.trim_end_matches(']');
            is_within = table == "dependencies";
            packed = table.strip_prefix("dependencies.");
            found.extend(packed);
        } else if is_optional(line) {
            // Of a packed dependency, whose table has begun.
            found.retain(|name| Some(*name) != packed);
        } else if is_within {
            found.extend(line.split(['.', '=', ' ']).next());
        }
    }
    found.retain(|name| name.starts_with("manycore-") && !APART.contains(name));
    found.sort_unstable();
    found.dedup();
    found
}

/// Whether a line says that a dependency is optional.
fn is_optional(line: &str) -> bool {
    line.replace(' ', "").contains("optional=true")
}

#[cfg(test)]
mod tests {
    use super::dependencies;

    #[test]
    fn written_and_packed_manifests_name_the_same_crates() {
        let written = "[package]\nname = \"manycore-poly\"\n[dependencies]\nmanycore-field.workspace = true\n\
            manycore-device = { workspace = true }\nmanycore-revision.workspace = true\nrayon.workspace = true\n\
            manycore-opencl-loader = { workspace = true, optional = true }\nmanycore-operation.workspace = true\n\
            manycore-verify = { workspace = true, optional = true }\n[dev-dependencies]\nmanycore-testkit.workspace = true\n";
        let packed = "[package]\nname = \"manycore-poly\"\n[dependencies.manycore-device]\nversion = \"0.1.0\"\n\
            [dependencies.manycore-field]\nversion = \"0.1.0\"\ndefault-features = false\n[dependencies.rayon]\nversion = \"1\"\n\
            [dependencies.manycore-verify]\nversion = \"0.1.0\"\noptional = true\n\
            [dev-dependencies.manycore-testkit]\nversion = \"0.1.0\"\n";
        assert_eq!(dependencies(written), ["manycore-device", "manycore-field"]);
        assert_eq!(dependencies(packed), dependencies(written));
        assert!(dependencies("").is_empty());
    }
}
