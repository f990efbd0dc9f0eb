//! Writes the empty library that stands in for the library `OpenCL` when a program is linked.

use std::path::PathBuf;
use std::{env, fs, io};

/// An archive of no members.
const EMPTY: &[u8] = b"!<arch>\n";

/// An archive of one member, the table of no symbols: Microsoft's tools write and expect one.
/// The header's fields are name, date, owner, group, mode and size; the table is its count, 0.
const EMPTY_MSVC: &[u8] = b"!<arch>\n/               0           0     0     0       4         `\n\0\0\0\0";

/// A linker script without commands, which GNU's linkers, LLVM's and zig's read as nothing.
const EMPTY_SCRIPT: &[u8] = b"/* GNU ld script */\n";

fn main() -> io::Result<()> {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    // On macOS the framework is asked for, which is part of the system and no archive replaces.
    if target("OS") == "macos" {
        return Ok(());
    }
    let folder = env::var_os("OUT_DIR").map(PathBuf::from).ok_or(io::ErrorKind::NotFound)?;
    if target("ENV") == "msvc" {
        fs::write(folder.join("OpenCL.lib"), EMPTY_MSVC)?;
    } else {
        fs::write(folder.join("libOpenCL.a"), EMPTY)?;
        if target("OS") == "linux" {
            // Zig takes no archive for a library that is asked for as a shared one.
            fs::write(folder.join("libOpenCL.so"), EMPTY_SCRIPT)?;
        }
    }
    println!("cargo:rustc-link-search=native={}", folder.display());
    Ok(())
}
