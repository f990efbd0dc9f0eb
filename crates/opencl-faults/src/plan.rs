//! The plan of the fault: the command that it meets, by the environment, and counts of commands, in a file.

use std::env;
use std::fs::File;
use std::io::{Seek, Write};
use std::num::ParseIntError;
use std::sync::{Mutex, PoisonError};

/// The variable that chooses the fault.
const FAULT_VARIABLE: &str = "MANYCORE_FAULT";
/// The variable that names the file of counts.
const COUNT_VARIABLE: &str = "MANYCORE_FAULT_COUNT";

/// A kind of command that is counted and may be interfered with.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Command {
    /// `clEnqueueReadBuffer`.
    Read,
    /// `clEnqueueWriteBuffer`.
    Write,
    /// `clEnqueueFillBuffer`.
    Fill,
    /// `clEnqueueCopyBuffer`.
    Copy,
    /// `clEnqueueNDRangeKernel`.
    Launch,
}

impl Command {
    /// All kinds, each at its own discriminant.
    const ALL: [Self; 5] = [Self::Read, Self::Write, Self::Fill, Self::Copy, Self::Launch];

    fn name(self) -> &'static str {
        ["read", "write", "fill", "copy", "launch"][self as usize]
    }
}

/// What is done to the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Interference {
    /// Nothing of it happens, and it reports success.
    Skip,
    /// It happens with other data, or in part, as the seed chooses.
    Change(u64),
}

/// The fault: command `index` of its kind, counted from 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Fault {
    command: Command,
    index: u64,
    interference: Interference,
}

/// Why the environment describes no fault.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum PlanError {
    #[error("MANYCORE_FAULT={0}: neither `none` nor COMMAND:INDEX nor COMMAND:INDEX:SEED")]
    Form(String),
    #[error("MANYCORE_FAULT={fault}: `{command}` is none of read, write, fill, copy and launch")]
    Command { fault: String, command: String },
    #[error("MANYCORE_FAULT={fault}: `{number}`: {reason}")]
    Number { fault: String, number: String, reason: ParseIntError },
    #[error("MANYCORE_FAULT_COUNT={file}: {reason}")]
    File { file: String, reason: String },
}

/// Reads a fault; `None` for none.
fn parse(text: &str) -> Result<Option<Fault>, PlanError> {
    if text.is_empty() || text == "none" {
        return Ok(None);
    }
    let fault = || text.to_owned();
    let parts: Vec<&str> = text.split(':').collect();
    let (name, index, seed) = match parts[..] {
        [name, index] => (name, index, None),
        [name, index, seed] => (name, index, Some(seed)),
        _ => return Err(PlanError::Form(fault())),
    };
    let number = |number: &str| {
        number.parse().map_err(|reason| PlanError::Number { fault: fault(), number: number.to_owned(), reason })
    };
    let command = Command::ALL.into_iter().find(|command| command.name() == name);
    let command = command.ok_or_else(|| PlanError::Command { fault: fault(), command: name.to_owned() })?;
    let interference = seed.map(number).transpose()?.map_or(Interference::Skip, Interference::Change);
    Ok(Some(Fault { command, index: number(index)?, interference }))
}

/// The fault and the commands met so far.
pub(crate) struct Plan {
    fault: Option<Fault>,
    met: Mutex<Met>,
}

/// Counts of the commands met, and the file that records them.
struct Met {
    counts: [u64; Command::ALL.len()],
    file: Option<File>,
    done: Option<String>,
}

impl Plan {
    /// The plan of the environment.
    ///
    /// # Errors
    /// A fault that cannot be read, or a file of counts that cannot be made.
    pub(crate) fn from_environment() -> Result<Self, PlanError> {
        let text = env::var_os(FAULT_VARIABLE).unwrap_or_default();
        let fault = parse(&text.to_string_lossy())?;
        let file = env::var_os(COUNT_VARIABLE).filter(|file| !file.is_empty());
        let file = file.map(|file| {
            File::create(&file).map_err(|error| PlanError::File {
                file: file.to_string_lossy().into_owned(),
                reason: error.to_string(),
            })
        });
        let mut met = Met { counts: [0; Command::ALL.len()], file: file.transpose()?, done: None };
        met.write();
        Ok(Self { fault, met: Mutex::new(met) })
    }

    /// Counts a command, and returns the interference with it if it is the chosen one.
    pub(crate) fn meet(&self, command: Command) -> Option<Interference> {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        let index = met.counts[command as usize];
        met.counts[command as usize] += 1;
        met.write();
        self.fault.filter(|fault| (fault.command, fault.index) == (command, index)).map(|fault| fault.interference)
    }

    /// Keeps what was done to the command.
    pub(crate) fn done(&self, what: String) {
        let mut met = self.met.lock().unwrap_or_else(PoisonError::into_inner);
        met.done = Some(what);
        met.write();
    }
}

impl Met {
    /// Writes the file anew: at every command, since nothing runs for certain at the end of a process. The text only grows.
    fn write(&mut self) {
        let text = self.text();
        if let Some(file) = &mut self.file
            && let Err(error) = file.rewind().and_then(|()| file.write_all(text.as_bytes()))
        {
            eprintln!("manycore-opencl-faults: {COUNT_VARIABLE}: {error}");
            self.file = None;
        }
    }

    fn text(&self) -> String {
        let counts = Command::ALL.map(|command| format!("{} {}\n", command.name(), self.counts[command as usize]));
        let done = self.done.as_ref().map(|done| format!("fault {done}\n"));
        counts.concat() + &done.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(fault: &str) -> Plan {
        let met = Met { counts: [0; Command::ALL.len()], file: None, done: None };
        Plan { fault: parse(fault).unwrap(), met: Mutex::new(met) }
    }

    #[test]
    fn faults_are_read() {
        assert_eq!((parse("none"), parse("")), (Ok(None), Ok(None)));
        for command in Command::ALL {
            let name = command.name();
            let fault = |index, interference| Ok(Some(Fault { command, index, interference }));
            assert_eq!(parse(&format!("{name}:3")), fault(3, Interference::Skip));
            assert_eq!(parse(&format!("{name}:0:18446744073709551615")), fault(0, Interference::Change(u64::MAX)));
        }
    }

    #[test]
    fn what_is_no_fault_is_told() {
        for (text, reason) in [
            ("read", "neither `none` nor COMMAND:INDEX nor COMMAND:INDEX:SEED"),
            ("read:1:2:3", "neither `none` nor COMMAND:INDEX nor COMMAND:INDEX:SEED"),
            ("map:1:2", "`map` is none of read, write, fill, copy and launch"),
            ("read:x", "`x`: invalid digit found in string"),
            ("write:1:-1", "`-1`: invalid digit found in string"),
            ("write::1", "``: cannot parse integer from empty string"),
        ] {
            assert_eq!(parse(text).unwrap_err().to_string(), format!("MANYCORE_FAULT={text}: {reason}"));
        }
    }

    #[test]
    fn one_command_is_met_and_all_are_counted() {
        let plan = plan("write:2:9");
        let met: Vec<_> = (0..4).map(|_| (plan.meet(Command::Read), plan.meet(Command::Write))).collect();
        let change = Some(Interference::Change(9));
        assert_eq!(met, [(None, None), (None, None), (None, change), (None, None)]);
        plan.done("write 2".to_owned());
        let text = plan.met.lock().unwrap().text();
        assert_eq!(text, "read 4\nwrite 4\nfill 0\ncopy 0\nlaunch 0\nfault write 2\n");
    }
}
