//! The header is that of the sources, and a program in C that is compiled with it runs.

use std::path::{Path, PathBuf};
use std::process::Command;

const FOLDER: &str = env!("CARGO_MANIFEST_DIR");

/// `MANYCORE_WRITE_HEADER=1` writes the header anew.
#[test]
fn the_header_is_that_of_the_sources() {
    let config = cbindgen::Config::from_file(format!("{FOLDER}/cbindgen.toml")).unwrap();
    let sources = std::fs::read_dir(format!("{FOLDER}/src")).unwrap().map(|entry| entry.unwrap().path());
    let mut sources: Vec<PathBuf> = sources.filter(|path| !path.ends_with("lib.rs")).collect();
    sources.sort();
    let builder = sources.iter().fold(cbindgen::Builder::new().with_config(config), cbindgen::Builder::with_src);
    let mut text = Vec::new();
    builder.generate().unwrap().write(&mut text);
    let (text, path) = (String::from_utf8(text).unwrap(), format!("{FOLDER}/include/manycore.h"));
    if std::env::var_os("MANYCORE_WRITE_HEADER").is_some() {
        std::fs::write(&path, &text).unwrap();
    }
    let kept = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(
        kept == text,
        "include/manycore.h is not current: MANYCORE_WRITE_HEADER=1 cargo test -p manycore-c writes it"
    );
    for function in
        ["manycore_walsh_i32", "manycore_poly_gcd_u64", "manycore_matrix_inverse_u32", "manycore_erasure_recover"]
    {
        assert!(text.contains(function), "{function}");
    }
}

/// The folder that cargo built the library into.
fn libraries() -> PathBuf {
    let program = std::env::current_exe().unwrap();
    program.parent().unwrap().to_path_buf()
}

#[cfg(target_os = "linux")]
#[test]
fn the_example_in_c_runs() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("tour");
    let libraries = libraries();
    assert!(libraries.join("libmanycore_c.so").is_file(), "{}", libraries.display());
    let status = Command::new("cc")
        .args(["-std=c11", "-Wall", "-Wextra", "-Werror"])
        .arg(format!("{FOLDER}/examples/tour.c"))
        .arg(format!("-I{FOLDER}/include"))
        .arg(format!("-L{}", libraries.display()))
        .arg("-lmanycore_c")
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .arg("-o")
        .arg(&program)
        .status();
    assert!(status.expect("a C compiler, which the linker of Rust needs too").success());
    for device in devices() {
        let output = Command::new(Path::new(&program)).arg(&device).output().unwrap();
        let (text, errors) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success() && text.contains("all results are right"), "{device}: {text}{errors}");
    }
}

/// The host and every OpenCL device.
fn devices() -> Vec<String> {
    manycore::Device::all().iter().map(|device| device.info().id.clone()).collect()
}
