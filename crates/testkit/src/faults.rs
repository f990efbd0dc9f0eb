//! Faults of OpenCL commands, injected into a program by the library of `manycore-opencl-faults`.
//!
//! ```no_run
//! use manycore_testkit::faults::{Command, Counts, Fault, Injector};
//!
//! let mut program = std::process::Command::new("manycore");
//! let fault = Fault { command: Command::Read, index: 0, seed: Some(7) };
//! Injector::find()?.inject(&mut program, Some(fault), "counts.txt".as_ref());
//! program.status().unwrap();
//! assert!(Counts::read("counts.txt".as_ref())?.of(Command::Read) > 0);
//! # Ok::<(), String>(())
//! ```

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// The variable that names the injector's file, where it does not lie beside the test program.
pub const INJECTOR_VARIABLE: &str = "MANYCORE_FAULT_INJECTOR";

/// The kinds of commands that may fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Command {
    /// A buffer read to the host.
    Read,
    /// A buffer written from the host.
    Write,
    /// A buffer filled with a pattern.
    Fill,
    /// A copy between buffers.
    Copy,
    /// A launch of a kernel.
    Launch,
}

impl Command {
    /// All kinds.
    pub const ALL: [Self; 5] = [Self::Read, Self::Write, Self::Fill, Self::Copy, Self::Launch];

    /// The name in `MANYCORE_FAULT` and in the file of counts.
    pub fn name(self) -> &'static str {
        ["read", "write", "fill", "copy", "launch"][self as usize]
    }
}

/// One fault: the command of its kind that fails, counted from 0 in the order of enqueuing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// The kind of the command.
    pub command: Command,
    /// Its number among the commands of this kind.
    pub index: u64,
    /// What the change of its data or its grid is drawn from; `None` where the command is skipped.
    pub seed: Option<u64>,
}

impl fmt::Display for Fault {
    /// The form of the variable `MANYCORE_FAULT`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.command.name(), self.index)?;
        self.seed.map_or(Ok(()), |seed| write!(f, ":{seed}"))
    }
}

/// The library that injects faults.
#[derive(Debug, Clone)]
pub struct Injector {
    library: PathBuf,
    real: Option<OsString>,
}

impl Injector {
    /// The library that [`INJECTOR_VARIABLE`] names, or the one that cargo built beside this test program.
    ///
    /// # Errors
    /// There is no such file: the test's package must depend on `manycore-opencl-faults`.
    pub fn find() -> Result<Self, String> {
        let named = env::var_os(INJECTOR_VARIABLE).map(PathBuf::from);
        let beside = || {
            let name = format!("{}manycore_opencl_faults{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
            env::current_exe().map(|program| program.with_file_name(name)).map_err(|error| error.to_string())
        };
        let library = named.map_or_else(beside, Ok)?;
        if !library.is_file() {
            return Err(format!("the fault injector is not built: no file {}", library.display()));
        }
        let real = env::var_os("MANYCORE_OPENCL_LIBRARY").filter(|file| !file.is_empty());
        Ok(Self { library, real })
    }

    /// Lets a program, when it is started, meet this fault, or none, and keep its counts in a file.
    pub fn inject(&self, program: &mut std::process::Command, fault: Option<Fault>, counts: &Path) {
        program.env("MANYCORE_OPENCL_LIBRARY", &self.library).env("MANYCORE_FAULT_COUNT", counts);
        program.env("MANYCORE_FAULT", fault.map_or_else(|| "none".to_owned(), |fault| fault.to_string()));
        self.front(program);
    }

    /// Lets a program, when it is started, take every OpenCL device for a GPU whose kernels spill `spilled_bytes` bytes of each work-item,
    /// and whose clock runs a thousand times as fast: all work exceeds its estimate.
    pub fn pretend_gpu(&self, program: &mut std::process::Command, spilled_bytes: u64) {
        program.env("MANYCORE_OPENCL_LIBRARY", &self.library).env("MANYCORE_FAULT", "none");
        program.env("MANYCORE_FAULT_GPU_SPILLS", spilled_bytes.to_string()).env_remove("MANYCORE_FAULT_COUNT");
        self.front(program);
    }

    /// The library that the injector stands in front of.
    fn front(&self, program: &mut std::process::Command) {
        match &self.real {
            Some(real) => program.env("MANYCORE_FAULT_LIBRARY", real),
            None => program.env_remove("MANYCORE_FAULT_LIBRARY"),
        };
    }
}

/// A fault of the host: a flipped bit of the words that a primitive leaves; primitives count from 0 in the order in which they end.
/// Programs built with debug assertions have this fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HostFault {
    /// The number of the primitive: of an upload, a download, a copy, a fill or an operation in place.
    pub index: u64,
    /// Whether all later primitives have the fault, too, as with faulty arithmetic.
    pub lasts: bool,
    /// The seed of the bit's draw.
    pub seed: u64,
}

impl fmt::Display for HostFault {
    /// The form of the variable `MANYCORE_HOST_FAULT`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}:{}", self.index, if self.lasts { "+" } else { "" }, self.seed)
    }
}

impl HostFault {
    /// Lets a program, when it is started, meet this fault, or none, and keep the number of primitives in a file.
    pub fn inject(program: &mut std::process::Command, fault: Option<Self>, count: &Path) {
        program.env("MANYCORE_HOST_FAULT_COUNT", count);
        match fault {
            Some(fault) => program.env("MANYCORE_HOST_FAULT", fault.to_string()),
            None => program.env_remove("MANYCORE_HOST_FAULT"),
        };
    }

    /// The primitives that a program counted; 0 without its file.
    ///
    /// # Errors
    /// The file holds no number.
    pub fn count(file: &Path) -> Result<u64, String> {
        let Ok(text) = fs::read_to_string(file) else { return Ok(0) };
        text.trim().parse().map_err(|error| format!("{}: {error}", file.display()))
    }
}

/// What a program enqueued: nothing, by default.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Counts {
    commands: [u64; Command::ALL.len()],
    /// What the fault did; `None` where its command was not enqueued.
    pub fault: Option<String>,
}

impl Counts {
    /// Reads the file that a program left.
    ///
    /// # Errors
    /// The file is not there or not of the injector's form.
    pub fn read(file: &Path) -> Result<Self, String> {
        let told = |what: &dyn fmt::Display| format!("{}: {what}", file.display());
        let text = fs::read_to_string(file).map_err(|error| told(&error))?;
        let entry = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        let mut commands = [0; Command::ALL.len()];
        for (command, count) in Command::ALL.into_iter().zip(&mut commands) {
            let number = entry(command.name()).and_then(|number| number.parse().ok());
            *count = number.ok_or_else(|| told(&format_args!("no number of `{}`", command.name())))?;
        }
        Ok(Self { commands, fault: entry("fault").map(str::to_owned) })
    }

    /// The commands of a kind.
    pub fn of(&self, command: Command) -> u64 {
        self.commands[command as usize]
    }

    /// The commands of all kinds.
    pub fn total(&self) -> u64 {
        self.commands.iter().sum()
    }
}
