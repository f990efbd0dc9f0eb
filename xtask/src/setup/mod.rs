//! Finds the programs that tests and checks use beside Rust, and installs them where that is allowed.
//!
//! Nothing here is needed to build or to run on the host: an OpenCL device is PoCL where no other is installed,
//! oclgrind checks the memory accesses of kernels, clang lints them.

mod apt;
mod peers;

pub(crate) use apt::install;
pub(crate) use peers::set_up as peers;

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::shell;

/// Looks for OpenCL, oclgrind and clang, and installs what is missing.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Only look; install nothing
    #[arg(long)]
    check: bool,
}

/// The tools of this machine.
#[derive(Debug, Clone, Default)]
pub(crate) struct Tools {
    /// The OpenCL library and its drivers, where both are there and not hidden.
    pub(crate) opencl: Option<OpenCl>,
    /// oclgrind's runtime as an OpenCL driver.
    pub(crate) oclgrind: Option<PathBuf>,
    /// The clang program.
    pub(crate) clang: Option<PathBuf>,
}

/// What OpenCL finds at run time.
#[derive(Debug, Clone)]
pub(crate) struct OpenCl {
    /// The library, `libOpenCL.so.1` on Linux.
    pub(crate) library: PathBuf,
    /// The drivers named in the vendors' folder; empty where the system's library needs none.
    pub(crate) drivers: Vec<String>,
}

impl Tools {
    /// Looks without changing anything.
    pub(crate) fn detect() -> Self {
        Self { opencl: opencl(), oclgrind: oclgrind(), clang: clang() }
    }

    /// Looks, installs what is missing where that is allowed, and says both.
    pub(crate) fn set_up() -> Self {
        let mut tools = Self::detect();
        let missing = tools.missing();
        if !missing.is_empty() && hidden() {
            eprintln!("setup: OpenCL is hidden by MANYCORE_OPENCL_LIBRARY; nothing is installed");
        } else if !missing.is_empty() {
            apt::install(&missing);
            tools = Self::detect();
        }
        tools.describe();
        tools
    }

    /// Whether a device must be there: PoCL offers the processor itself, so it always has one.
    /// Other drivers may be installed on a machine without their device, which only a program can tell.
    pub(crate) fn device_expected(&self) -> bool {
        self.opencl.as_ref().is_some_and(|opencl| opencl.drivers.iter().any(|driver| driver.contains("pocl")))
    }

    /// The Debian packages of what is missing.
    fn missing(&self) -> Vec<&'static str> {
        let mut packages = Vec::new();
        if self.opencl.is_none() {
            packages.extend(["ocl-icd-libopencl1", "pocl-opencl-icd"]);
        }
        if self.oclgrind.is_none() {
            packages.push("oclgrind");
        }
        if self.clang.is_none() {
            packages.push("clang");
        }
        packages
    }

    fn describe(&self) {
        match &self.opencl {
            Some(opencl) => {
                let drivers =
                    if opencl.drivers.is_empty() { "of the system".into() } else { opencl.drivers.join(", ") };
                eprintln!("setup: OpenCL    {} (drivers: {drivers})", opencl.library.display());
            }
            None => eprintln!("setup: OpenCL    not found: tests and benches use the host only"),
        }
        match &self.oclgrind {
            Some(path) => eprintln!("setup: oclgrind  {}", path.display()),
            None => {
                eprintln!("setup: oclgrind  not found: kernels are not checked for memory errors");
            }
        }
        match &self.clang {
            Some(path) => eprintln!("setup: clang     {}", path.display()),
            None => eprintln!("setup: clang     not found: kernels are not linted"),
        }
    }
}

/// `cargo xtask setup`.
pub(crate) fn run(arguments: &Arguments) {
    if arguments.check {
        let tools = Tools::detect();
        tools.describe();
        let missing = tools.missing();
        if !missing.is_empty() {
            eprintln!("setup: missing packages on Debian and Ubuntu: {}", missing.join(" "));
        }
    } else {
        Tools::set_up();
    }
}

fn hidden() -> bool {
    std::env::var_os("MANYCORE_OPENCL_LIBRARY").is_some_and(|library| library == "none")
}

fn opencl() -> Option<OpenCl> {
    if hidden() {
        return None;
    }
    if cfg!(target_os = "macos") {
        let framework = PathBuf::from("/System/Library/Frameworks/OpenCL.framework");
        return framework.exists().then(|| OpenCl { library: framework, drivers: Vec::new() });
    }
    if cfg!(windows) {
        let system = PathBuf::from(std::env::var_os("SystemRoot")?).join("System32/OpenCL.dll");
        return system.is_file().then(|| OpenCl { library: system, drivers: Vec::new() });
    }
    let library = match std::env::var_os("MANYCORE_OPENCL_LIBRARY").filter(|path| !path.is_empty()) {
        Some(path) => PathBuf::from(path),
        None => find_library(&["libOpenCL.so.1", "libOpenCL.so"])?,
    };
    let drivers = drivers(std::env::var("OCL_ICD_VENDORS").ok().as_deref());
    (!drivers.is_empty()).then_some(OpenCl { library, drivers })
}

/// The drivers that the OpenCL library would load: each `.icd` file of the vendors' folder names one.
/// `vendors` (the variable `OCL_ICD_VENDORS`) is another folder, one `.icd` file, or a driver's library.
fn drivers(vendors: Option<&str>) -> Vec<String> {
    let place = vendors.filter(|place| !place.is_empty()).unwrap_or("/etc/OpenCL/vendors");
    let path = Path::new(place);
    let mut files = Vec::new();
    if path.is_dir() {
        let entries = std::fs::read_dir(path).into_iter().flatten().flatten();
        files.extend(entries.map(|entry| entry.path()).filter(|file| is_icd(file)));
        files.sort();
    } else if is_icd(path) {
        files.push(path.to_path_buf());
    } else if vendors.is_some() {
        return Vec::from_iter(driver_exists(place).then(|| place.to_owned()));
    }
    let names = files.iter().filter_map(|file| std::fs::read_to_string(file).ok());
    let names = names.filter_map(|text| text.lines().next().map(|name| name.trim().to_owned()));
    names.filter(|name| driver_exists(name)).collect()
}

fn is_icd(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "icd")
}

fn driver_exists(name: &str) -> bool {
    match Path::new(name) {
        _ if name.is_empty() => false,
        path if path.is_absolute() => path.exists(),
        _ => find_library(&[name]).is_some(),
    }
}

/// The first of these libraries in the loader's cache, in `LD_LIBRARY_PATH`, or in the usual folders.
fn find_library(names: &[&str]) -> Option<PathBuf> {
    let cache = ["ldconfig", "/sbin/ldconfig"]
        .iter()
        .find_map(|program| shell::output(Command::new(program).arg("-p")).ok())
        .unwrap_or_default();
    let mut folders: Vec<PathBuf> = Vec::new();
    if let Some(paths) = std::env::var_os("LD_LIBRARY_PATH") {
        folders.extend(std::env::split_paths(&paths));
    }
    folders.extend(["/usr/lib", "/usr/lib64", "/usr/local/lib"].map(PathBuf::from));
    folders.push(format!("/usr/lib/{}-linux-gnu", std::env::consts::ARCH).into());
    names.iter().find_map(|name| {
        let cached = cache.lines().find_map(|line| {
            let (library, path) = line.split_once("=>")?;
            (library.split_whitespace().next() == Some(name)).then(|| PathBuf::from(path.trim()))
        });
        cached.or_else(|| folders.iter().map(|folder| folder.join(name)).find(|path| path.exists()))
    })
}

fn oclgrind() -> Option<PathBuf> {
    let mut folders: Vec<PathBuf> = vec!["/usr/lib/oclgrind".into(), "/usr/local/lib/oclgrind".into()];
    folders.push(format!("/usr/lib/{}-linux-gnu/oclgrind", std::env::consts::ARCH).into());
    folders.extend(["/usr/lib64/oclgrind", "/usr/lib", "/usr/local/lib", "/usr/lib64"].map(PathBuf::from));
    if let Some(program) = shell::find_program("oclgrind").and_then(|path| path.parent().map(Path::to_path_buf)) {
        folders.push(program.join("../lib/oclgrind"));
        folders.push(program.join("../lib"));
    }
    folders.iter().map(|folder| folder.join("liboclgrind-rt-icd.so")).find(|path| path.is_file())
}

fn clang() -> Option<PathBuf> {
    let plain = shell::find_program("clang");
    plain.or_else(|| (11..40).rev().find_map(|version| shell::find_program(&format!("clang-{version}"))))
}

#[cfg(test)]
mod tests {
    use super::{OpenCl, Tools, drivers};

    #[test]
    fn drivers_of_a_folder_a_file_and_a_name() {
        let folder = std::env::temp_dir().join(format!("manycore-xtask-icd-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        let library = folder.join("libdriver.so");
        std::fs::write(&library, b"").unwrap();
        std::fs::write(folder.join("here.icd"), format!("{}\n", library.display())).unwrap();
        std::fs::write(folder.join("gone.icd"), "/nonexistent/libgone.so\n").unwrap();
        std::fs::write(folder.join("readme.txt"), "not a driver\n").unwrap();
        let expected = vec![library.display().to_string()];
        assert_eq!(drivers(folder.to_str()), expected);
        assert_eq!(drivers(folder.join("here.icd").to_str()), expected);
        assert_eq!(drivers(library.to_str()), expected);
        assert!(drivers(Some("/nonexistent/vendors")).is_empty());
        std::fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn only_pocl_promises_a_device() {
        let with = |driver: &str| Tools {
            opencl: Some(OpenCl { library: "libOpenCL.so.1".into(), drivers: vec![driver.into()] }),
            ..Tools::default()
        };
        assert!(with("libpocl.so.2").device_expected());
        assert!(!with("libnvidia-opencl.so.1").device_expected());
        assert!(!Tools::default().device_expected());
    }

    #[test]
    fn missing_tools_become_packages() {
        assert_eq!(Tools::default().missing(), ["ocl-icd-libopencl1", "pocl-opencl-icd", "oclgrind", "clang"]);
        let clang = Tools { clang: Some("clang".into()), ..Tools::default() };
        assert!(!clang.missing().contains(&"clang"));
    }
}
