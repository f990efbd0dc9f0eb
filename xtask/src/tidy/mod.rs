//! `cargo xtask tidy`: what the architecture promises about the files of the project, checked.

mod files;
mod generated;
mod instances;
mod kernels;
mod messages;
mod operations;
mod source;
mod tables;

use anyhow::{Result, bail};

use source::{Findings, read_files};

/// Checks file lengths, shared instances, launched kernels, the parts of each operation, messages of errors and generated text.
#[derive(clap::Args)]
pub(crate) struct Arguments {
    /// Writes generated text again where it is not current
    #[arg(long)]
    write: bool,
}

impl Arguments {
    /// The run that changes nothing.
    pub(crate) fn check() -> Self {
        Self { write: false }
    }
}

/// `cargo xtask tidy`.
pub(crate) fn run(arguments: &Arguments) -> Result<()> {
    let files = read_files()?;
    let mut findings = Findings::default();
    files::check(&files, &mut findings);
    instances::check(&files, &mut findings);
    kernels::check(&files, &mut findings);
    operations::check(&files, &mut findings);
    messages::check(&files, &mut findings);
    generated::check(&files, arguments.write, &mut findings)?;
    for warning in &findings.warnings {
        eprintln!("tidy: warning: {warning}");
    }
    for fault in &findings.faults {
        eprintln!("tidy: {fault}");
    }
    if !findings.faults.is_empty() {
        bail!("tidy found {} faults", findings.faults.len());
    }
    eprintln!("tidy: {} files are in order", files.len());
    Ok(())
}
