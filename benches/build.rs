//! Notes the commit that the benches are built from, so that every figure names the code that it measured; with the
//! features of other codes also which FLINT was compiled, and compiles the interface to NTL where NTL is installed.

use std::process::Command;

fn main() {
    // Sources too: a change of them changes whether the tree is that of the commit.
    for path in ["../.git/HEAD", "../.git/logs/HEAD", "../crates", "../kernels", "src", "Cargo.toml", "build.rs"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let commit = git(&["rev-parse", "--short", "HEAD"]).map_or_else(String::new, |commit| {
        let clean = git(&["status", "--porcelain", "--untracked-files=no"]).is_some_and(|changes| changes.is_empty());
        if clean { commit } else { format!("{commit} with changes") }
    });
    println!("cargo::rustc-env=MANYCORE_COMMIT={commit}");
    println!("cargo::rustc-check-cfg=cfg(manycore_ntl)");
    println!("cargo::rustc-check-cfg=cfg(manycore_ffpack)");
    println!("cargo::rustc-check-cfg=cfg(manycore_graphblas)");
    #[cfg(feature = "flint")]
    flint::note();
    #[cfg(feature = "ntl")]
    installed::compile("src/peers/ntl.cpp", "manycore_ntl", &["ntl"]);
    #[cfg(feature = "ffpack")]
    installed::compile("src/peers/ffpack.cpp", "manycore_ffpack", &["openblas", "givaro", "gmpxx", "gmp"]);
    #[cfg(feature = "graphblas")]
    installed::compile("src/peers/graphblas.c", "manycore_graphblas", &["graphblas"]);
}

/// What git prints, where there is git and a repository.
fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    String::from_utf8(output.stdout).ok().map(|text| text.trim().to_owned())
}

#[cfg(feature = "flint")]
mod flint {
    use std::path::{Path, PathBuf};

    /// The headers that the crate `flint3-sys` installed tell the version, and whether the processor that it was
    /// configured for has the fast transform, a part named `fft_small`.
    pub(super) fn note() {
        let folder = std::env::var_os("DEP_FLINT_INCLUDE_DIR").map(PathBuf::from).unwrap_or_default().join("flint");
        let version = defined(&folder.join("flint.h"), "FLINT_VERSION").unwrap_or_default();
        println!("cargo::rustc-env=MANYCORE_FLINT_VERSION={}", version.trim_matches('"'));
        let fast = defined(&folder.join("flint-config.h"), "FLINT_HAVE_FFT_SMALL").unwrap_or_default();
        println!("cargo::rustc-env=MANYCORE_FLINT_FFT_SMALL={fast}");
    }

    /// The value of a macro in a header; `None` where it is not defined.
    fn defined(header: &Path, name: &str) -> Option<String> {
        println!("cargo::rerun-if-changed={}", header.display());
        let text = std::fs::read_to_string(header).ok()?;
        text.lines().find_map(|line| {
            let mut words = line.split_whitespace();
            (words.next() == Some("#define") && words.next() == Some(name)).then(|| words.collect::<Vec<_>>().join(" "))
        })
    }
}

#[cfg(any(feature = "ntl", feature = "ffpack", feature = "graphblas"))]
mod installed {
    /// Compiles the interface to a library where the compiler finds the library's headers, sets the flag `name`, and links
    /// `libraries`.
    pub(super) fn compile(source: &str, name: &str, libraries: &[&str]) {
        println!("cargo::rerun-if-env-changed=CPLUS_INCLUDE_PATH");
        println!("cargo::rerun-if-env-changed=C_INCLUDE_PATH");
        let mut build = cc::Build::new();
        if source.ends_with(".cpp") {
            build.cpp(true).std("c++14");
        }
        // Templates of such a library are fast with the processor's instructions only; warnings are those of its headers.
        build.file(source).flag_if_supported("-march=native").opt_level(3).warnings(false);
        let Ok(compiler) = build.try_get_compiler() else { return };
        let preprocessed = compiler.to_command().args(["-E", source]).output();
        if preprocessed.is_ok_and(|output| output.status.success()) && build.try_compile(name).is_ok() {
            for library in libraries {
                println!("cargo::rustc-link-lib={library}");
            }
            println!("cargo::rustc-cfg={name}");
        }
    }
}
