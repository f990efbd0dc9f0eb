#![doc = include_str!("../README.md")]

mod manifest;
mod tree;

use std::path::PathBuf;

use proc_macro::TokenStream;

/// The revision of the crate that is compiled, a `u64`: of its own sources and of the Manycore crates that it depends on.
///
/// A crate is compiled anew when a file of it changes, and with it this macro; a dependency's change compiles it anew as well.
///
/// # Errors
/// An error of the compiler where the package cannot be read.
#[proc_macro]
pub fn revision(_: TokenStream) -> TokenStream {
    let folder = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let text = match expression(&folder) {
        Ok(text) => text,
        Err(error) => format!("::core::compile_error!({:?})", format!("no revision of {}: {error}", folder.display())),
    };
    // What is written above and below is an expression.
    text.parse().unwrap_or_default()
}

/// The constant of the package in this folder, as an expression.
fn expression(folder: &std::path::Path) -> std::io::Result<String> {
    let own = tree::revision(folder)?;
    let manifest = std::fs::read_to_string(folder.join("Cargo.toml"))?;
    // Sums and differences alone would let a change cancel itself where it comes through two crates.
    let mixed = |name: &str| {
        let path = name.replace('-', "_");
        format!("let revision = (revision.rotate_left(29) ^ ::{path}::REVISION).wrapping_mul(0x9e37_79b9_7f4a_7c15);")
    };
    let mixed: Vec<String> = manifest::dependencies(&manifest).into_iter().map(mixed).collect();
    Ok(format!("{{ let revision = {own}u64; {} revision }}", mixed.concat()))
}

#[cfg(test)]
mod tests {
    use super::expression;

    #[test]
    fn own_sources_and_dependencies_count() {
        let folder = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| std::fs::write(folder.path().join(path), text).unwrap();
        write("Cargo.toml", "[dependencies]\nmanycore-field.workspace = true\n");
        write("lib.rs", "a");
        let text = expression(folder.path()).unwrap();
        assert!(text.contains("::manycore_field::REVISION"), "{text}");
        write("lib.rs", "b");
        assert_ne!(expression(folder.path()).unwrap(), text);
        std::fs::remove_file(folder.path().join("Cargo.toml")).unwrap();
        assert!(expression(folder.path()).is_err());
    }
}
