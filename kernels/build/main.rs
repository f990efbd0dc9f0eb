//! Makes the table of units from the sources: their parts, parameter sets and signatures stand in the files themselves.

#[path = "head.rs"]
mod head;
#[path = "prototype.rs"]
mod prototype;
#[path = "table.rs"]
mod table;

use std::collections::BTreeMap;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let root = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").ok_or("cargo names no folder")?);
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo names no folder for what is made")?);
    let mut files = BTreeMap::new();
    for folder in fs::read_dir(&root)? {
        let folder = folder?;
        let name = folder.file_name().to_string_lossy().into_owned();
        if folder.file_type()?.is_dir() && !["src", "build", "tests", "target"].contains(&name.as_str()) {
            read(&folder.path(), &name, &mut files)?;
        }
    }
    // A folder that is new is noticed as well.
    println!("cargo::rerun-if-changed=.");
    fs::write(out.join("units.rs"), table::text(&files)?)?;
    Ok(())
}

/// Reads the kernel sources of a folder, by their paths from the package's root.
fn read(folder: &Path, name: &str, files: &mut BTreeMap<String, String>) -> Result<(), Box<dyn Error>> {
    for file in fs::read_dir(folder)? {
        let path = file?.path();
        if matches!(path.extension().and_then(|ending| ending.to_str()), Some("cl" | "clh")) {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            files.insert(format!("{name}/{file}"), fs::read_to_string(&path)?);
        }
    }
    Ok(())
}
