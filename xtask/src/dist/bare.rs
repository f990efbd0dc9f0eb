//! The installation tried in a bare Debian system: no Rust, no compiler, no OpenCL, no network.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result, bail};

use super::distribution::{Distribution, copied, emptied, ending, files, name};
use crate::setup;
use crate::shell;

/// The oldest Debian whose Python the wheel runs on.
const SUITE: &str = "bookworm";

/// What the system has beside the least.
const PACKAGES: &str = "python3,python3-venv";

/// Where the distribution is put in it.
const PLACE: &str = "dist";

/// A folder that is the root of a system.
struct Bare {
    root: PathBuf,
}

impl Bare {
    /// Made by debootstrap once; later ones begin from it.
    fn made(distribution: &Distribution) -> Result<Self> {
        let root = distribution.target.join("bare").join(SUITE);
        if !root.join("usr/bin/python3").exists() {
            if shell::find_program("debootstrap").is_none() {
                setup::install(&["debootstrap"]);
            }
            emptied(&root)?;
            let mut command = shell::command("debootstrap");
            shell::run(command.args(["--variant=minbase", &format!("--include={PACKAGES}"), SUITE]).arg(&root))
                .context("a bare system (Debian: apt-get install debootstrap; it wants root)")?;
        }
        Ok(Self { root })
    }

    /// A command within, without the network where that can be hidden.
    fn command(&self, line: &str) -> Command {
        let mut command = if shell::succeeds(shell::command("unshare").args(["--net", "true"])) {
            let mut command = shell::command("unshare");
            command.args(["--net", "chroot"]);
            command
        } else {
            shell::command("chroot")
        };
        command.arg(&self.root).args(["/bin/sh", "-ec", line]).env_clear();
        command.env("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin").env("HOME", "/root");
        command.env("LC_ALL", "C.UTF-8");
        command
    }

    /// Runs a line of shell within; the output is what is expected, where something is.
    fn tried(&self, what: &str, line: &str, expected: Option<&str>) -> Result<()> {
        let begin = Instant::now();
        let told = shell::output(&mut self.command(line)).with_context(|| format!("{what}: {line}"))?;
        let seconds = begin.elapsed().as_secs_f64();
        if let Some(expected) = expected
            && told.trim() != expected
        {
            bail!("{what}: {line}\ntold {:?}, where {expected:?} is right", told.trim());
        }
        println!("{seconds:>7.2} s  {what}");
        Ok(())
    }
}

/// Lines of shell, with what each is for and what it prints.
const PROGRAM_TRIALS: &[(&str, &str, &str)] = &[
    ("a transform", "printf '1 0 1 0' | manycore spectrum walsh - | tr '\\n' ' '", "2 2 0 0"),
    ("devices, without OpenCL", "manycore devices | grep -c '^\\*  host'", "1"),
    ("a manual page", "zcat /usr/share/man/man1/manycore-spectrum-walsh.1.gz | grep -c '^.SH NAME'", "1"),
    ("a misspelt word", "manycore spectrum wlash - 2>&1 </dev/null | grep -c walsh", "1"),
];

/// What the README's commands read.
const DATA: &[&str] = &["README.md", "docs/data/house.csv", "docs/data/karate.mtx"];

/// The commands of the README's table of tasks.
fn readme_commands(readme: &str) -> Vec<String> {
    let rows = readme.lines().skip_while(|line| *line != "| task | command |").skip(2);
    let command = |row: &str| Some(row.strip_suffix("` |")?.split_once("| `")?.1.replace("\\|", "|"));
    rows.map_while(command).collect()
}

/// Lines of Python that print nothing where all is right.
const PYTHON_TRIAL: &str = "import numpy, manycore as mc
assert mc.fwht([1, 0, 1, 0]).tolist() == [2, 2, 0, 0]
f, g = mc.Poly([1, 2, 3], 97), mc.Poly([4, 5], 97)
assert repr(f * g) == '15*x^3 + 22*x^2 + 13*x + 4 (mod 97)', repr(f * g)
assert mc.IntegerMatrix([[1, 2], [3, 4]]).det() == -2
";

/// Installs and tries all that the distribution has.
pub(super) fn try_out(distribution: &Distribution) -> Result<()> {
    let bare = Bare::made(distribution)?;
    let place = bare.root.join(PLACE);
    emptied(&place)?;
    for file in files(&distribution.out)? {
        copied(&file, &place.join(name(&file)))?;
    }
    bare.tried("checksums", &format!("cd /{PLACE}; sha256sum --quiet --check SHA256SUMS"), Some(""))?;
    bare.tried(
        "no Rust, no compiler, no OpenCL",
        "for program in cargo rustc cc gcc clang; do command -v $program || true; done; ldconfig -p | grep OpenCL || true",
        Some(""),
    )?;
    program(&bare, distribution)?;
    python(&bare, distribution, &place)
}

fn program(bare: &Bare, distribution: &Distribution) -> Result<()> {
    let package = ending(distribution, ".deb")?;
    let install = format!("dpkg --purge manycore 2>/dev/null; dpkg --install /{PLACE}/{}", name(&package));
    bare.tried("the Debian package, installed", &install, None)?;
    for (what, line, expected) in PROGRAM_TRIALS {
        bare.tried(what, line, Some(expected))?;
    }
    let place = bare.root.join(PLACE);
    for file in DATA {
        copied(&shell::root().join(file), &place.join(file))?;
    }
    let readme = shell::root().join("README.md");
    let readme = fs::read_to_string(&readme).with_context(|| format!("cannot read {}", readme.display()))?;
    let commands = readme_commands(&readme);
    if commands.is_empty() {
        bail!("the README has no table of commands");
    }
    for command in commands {
        bare.tried(&format!("README: {command}"), &format!("cd /{PLACE}; {command}"), None)?;
    }
    let archive = ending(distribution, &format!("{}.tar.gz", distribution.triple))?;
    let folder = name(&archive).trim_end_matches(".tar.gz");
    let version = format!("manycore {}", distribution.version);
    let unpack =
        format!("rm -rf /opt/archive; mkdir /opt/archive; tar -C /opt/archive -xzf /{PLACE}/{}", name(&archive));
    bare.tried("the archive, unpacked", &unpack, Some(""))?;
    bare.tried("its program", &format!("/opt/archive/{folder}/manycore --version"), Some(&version))
}

fn python(bare: &Bare, distribution: &Distribution, place: &Path) -> Result<()> {
    // NumPy's own wheel is fetched here, since there is no network within.
    let version = shell::output(&mut bare.command("python3 -c 'import sys; print(\"%d.%d\" % sys.version_info[:2])'"))?;
    let architecture = distribution.triple.split('-').next().unwrap_or_default();
    let mut fetch = distribution.tools.command("python");
    fetch.args(["-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--python-version", version.trim()]);
    for platform in ["manylinux_2_28", "manylinux_2_27", "manylinux_2_17", "manylinux2014"] {
        fetch.args(["--platform", &format!("{platform}_{architecture}")]);
    }
    shell::run(fetch.arg("--dest").arg(place).arg("numpy"))?;
    bare.tried("an environment of Python", "rm -rf /opt/python; python3 -m venv /opt/python", None)?;
    let pip = "/opt/python/bin/pip --disable-pip-version-check install --quiet --no-index --find-links";
    bare.tried("NumPy, installed", &format!("{pip} /{PLACE} numpy"), None)?;
    // By its name alone pip would have to choose between the wheel and the sources.
    bare.tried("the wheel, installed", &format!("{pip} /{PLACE} --only-binary :all: manycore"), None)?;
    let trial = place.join("trial.py");
    fs::write(&trial, PYTHON_TRIAL).with_context(|| format!("cannot write {}", trial.display()))?;
    bare.tried("the package, used", &format!("/opt/python/bin/python /{PLACE}/trial.py"), Some(""))
}

#[cfg(test)]
mod tests {
    use super::readme_commands;

    #[test]
    fn commands_of_the_readme_are_found() {
        let table = "a\n| task | command |\n|---|---|\n| do | `a b \\| c -` |\n| and | `d` |\n\n| no | `e` |\n";
        assert_eq!(readme_commands(table), ["a b | c -", "d"]);
    }
}
