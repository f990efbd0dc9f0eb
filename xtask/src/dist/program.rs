//! The program with its manual pages and completions, as an archive and, on Linux, a Debian package.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use super::distribution::{Distribution, PACKAGE, PROFILE, commit_seconds, copied, emptied, files, name, written};
use super::tools;
use crate::{metadata, shell};

/// The program's name.
const PROGRAM: &str = "manycore";

/// Texts at the root that go with it.
const TEXTS: &[&str] = &["README.md", "CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT"];

/// Shells, and what each calls the program's completions; where Debian looks for them.
const SHELLS: &[(&str, &str, Option<&str>)] = &[
    ("bash", "manycore.bash", Some("usr/share/bash-completion/completions/manycore")),
    ("zsh", "_manycore", Some("usr/share/zsh/vendor-completions/_manycore")),
    ("fish", "manycore.fish", Some("usr/share/fish/vendor_completions.d/manycore.fish")),
    ("powershell", "_manycore.ps1", None),
    ("elvish", "manycore.elv", None),
];

/// Builds the program and packs it.
pub(super) fn make(distribution: &Distribution) -> Result<()> {
    let program = build(distribution)?;
    let folder = format!("{PROGRAM}-{}-{}", distribution.version, distribution.triple);
    let staged = distribution.target.join("dist-staged");
    emptied(&staged)?;
    let tree = staged.join(&folder);
    copied(&program, &tree.join(format!("{PROGRAM}{}", std::env::consts::EXE_SUFFIX)))?;
    for text in TEXTS {
        copied(&shell::root().join(text), &tree.join(text))?;
    }
    written(&tree.join("THIRD-PARTY.md"), third_parties()?.as_bytes())?;
    fs::create_dir_all(tree.join("man")).context("cannot make the folder of manual pages")?;
    shell::run(shell::command(&program).arg("man").arg("-o").arg(tree.join("man")))?;
    for (shell, name, _) in SHELLS {
        let text = shell::output(shell::command(&program).args(["completions", shell]))?;
        written(&tree.join("completions").join(name), text.as_bytes())?;
    }
    archive(&staged, &folder, &distribution.out.join(format!("{folder}.tar.gz")))?;
    if cfg!(target_os = "linux") {
        debian(distribution, &tree, &staged.join("debian"))?;
    }
    Ok(())
}

/// The program, optimized as a release and without symbols.
fn build(distribution: &Distribution) -> Result<PathBuf> {
    let Distribution { triple, tools, .. } = distribution;
    let mut command = if tools.zig {
        let mut zig = tools.command("cargo-zigbuild");
        zig.args(["zigbuild", "--target", &format!("{triple}.{}", tools::GLIBC)]);
        zig
    } else {
        let mut cargo = shell::cargo();
        cargo.args(["build", "--target", triple]);
        cargo
    };
    command.args(["--profile", PROFILE, "--package", PACKAGE, "--bin", PROGRAM, "--locked"]);
    let built = metadata::build_with(command)?;
    let program = built.into_iter().find(|program| program.target == PROGRAM);
    Ok(program.context("cargo built no program")?.path)
}

/// The crates that the program is linked from, with their licences, as a table.
fn third_parties() -> Result<String> {
    let mut tree = shell::cargo();
    tree.args(["tree", "--package", PACKAGE, "--edges", "normal", "--prefix", "none", "--no-dedupe"]);
    tree.args(["--format", "{p}|{l}|{r}"]);
    let told = shell::output(&mut tree)?;
    let mut rows: Vec<(&str, &str, &str)> = told
        .lines()
        .filter_map(|line| {
            let (package, rest) = line.split_once('|')?;
            let (licence, source) = rest.split_once('|')?;
            // A path behind the version: a package of this workspace.
            let package = package.trim_end_matches(" (proc-macro)");
            (!package.contains('(')).then_some((package, licence, source))
        })
        .collect();
    rows.sort_unstable();
    rows.dedup();
    let mut text = "The program contains these crates:\n\n| crate | licence | source |\n|---|---|---|\n".to_owned();
    for (package, licence, source) in rows {
        let _ = writeln!(text, "| {package} | {licence} | {source} |");
    }
    Ok(text)
}

/// Packs a folder; files have the time of the commit, so that the same tree gives the same archive.
fn archive(within: &Path, folder: &str, out: &Path) -> Result<()> {
    let mut tar = shell::command("tar");
    if cfg!(target_os = "linux") {
        tar.args(["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rw,go=rX"]);
        tar.arg(format!("--mtime=@{}", commit_seconds()));
    }
    shell::run(tar.arg("-C").arg(within).arg("-czf").arg(out).arg(folder))
}

/// The Debian package of the files that the archive has.
fn debian(distribution: &Distribution, tree: &Path, package: &Path) -> Result<()> {
    if shell::find_program("dpkg-deb").is_none() {
        eprintln!("dist: no dpkg-deb here: no Debian package is made");
        return Ok(());
    }
    copied(&tree.join(PROGRAM), &package.join("usr/bin").join(PROGRAM))?;
    for page in files(&tree.join("man"))? {
        copied(&page, &package.join("usr/share/man/man1").join(name(&page)))?;
    }
    for (_, name, place) in SHELLS {
        if let Some(place) = place {
            copied(&tree.join("completions").join(name), &package.join(place))?;
        }
    }
    let texts = package.join("usr/share/doc").join(PROGRAM);
    for text in ["README.md", "THIRD-PARTY.md"] {
        copied(&tree.join(text), &texts.join(text))?;
    }
    copied(&tree.join("CHANGELOG.md"), &texts.join("changelog"))?;
    let licence = tree.join("LICENSE-MIT");
    let licence = fs::read_to_string(&licence).with_context(|| format!("cannot read {}", licence.display()))?;
    let copyright = format!(
        "Manycore is under the Apache License 2.0 (/usr/share/common-licenses/Apache-2.0) or the following one, \
         as the user chooses.\n\n{licence}"
    );
    written(&texts.join("copyright"), copyright.as_bytes())?;
    for folder in [package.join("usr/share/man/man1"), texts.clone()] {
        let files = files(&folder)?;
        let packed = files.iter().filter(|file| name(file).ends_with(".1") || name(file) == "changelog");
        shell::run(shell::command("gzip").args(["-9n", "--force"]).args(packed))?;
    }
    let architecture = shell::output(shell::command("dpkg").arg("--print-architecture"))?;
    let architecture = architecture.trim();
    let written_bytes: u64 = bytes(&package.join("usr"))?;
    // Zig links what unwinds the stack into the program.
    let needed =
        if distribution.tools.zig { format!("libc6 (>= {})", tools::GLIBC) } else { "libc6, libgcc-s1".to_owned() };
    let control = format!(
        "Package: {PROGRAM}\nVersion: {}-1\nArchitecture: {architecture}\nMaintainer: The Manycore developers \
         <manycore@localhost>\nInstalled-Size: {}\nDepends: {needed}\nRecommends: ocl-icd-libopencl1 | \
         libopencl1\nSection: math\nPriority: optional\nDescription: exact algebra and spectral methods on many-core \
         devices\n Polynomials, matrices, spectra, sorting, scheduling and more on the host's processors\n and on OpenCL \
         devices, with checked results.\n",
        distribution.version,
        written_bytes.div_ceil(1024),
    );
    written(&package.join("DEBIAN/control"), control.as_bytes())?;
    let out = distribution.out.join(format!("{PROGRAM}_{}-1_{architecture}.deb", distribution.version));
    let mut build = shell::command("dpkg-deb");
    build.env("SOURCE_DATE_EPOCH", commit_seconds());
    shell::run(build.args(["--build", "--root-owner-group", "-Zxz"]).arg(package).arg(out))
}

/// The bytes of all files of a folder and its folders.
fn bytes(folder: &Path) -> Result<u64> {
    let mut sum = 0;
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        sum += if entry.file_type()?.is_dir() { bytes(&entry.path())? } else { entry.metadata()?.len() };
    }
    Ok(sum)
}
