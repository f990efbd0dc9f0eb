//! The build system of Manycore: `cargo xtask COMMAND`.
//!
//! Every step of CI is a command here, so that it runs alike on any machine.

mod bench;
mod bundle;
mod ci;
mod cluster;
mod costs;
mod dist;
mod docs;
mod failures;
mod faults;
mod kernels;
mod layers;
mod metadata;
mod package;
mod pages;
mod python;
mod release;
mod report;
mod setup;
mod shell;
mod soak;
mod test;
mod test_programs;
mod tidy;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// The build system of Manycore.
#[derive(Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask", version, arg_required_else_help = true)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Looks for OpenCL, oclgrind and clang, and installs them with apt where it may
    Setup(setup::Arguments),
    /// Sets up, then runs every test and documentation example of the workspace
    Test(test::Arguments),
    /// Runs the benches on every device, or reads their lines from files, and writes one report
    Bench(bench::Arguments),
    /// Builds, lints and tests the OpenCL kernels on every device and under oclgrind
    Kernels(kernels::Arguments),
    /// Checks that crates stand in rows, and that no modules name each other in a circle
    Layers,
    /// Checks file lengths, launched kernels, the parts of each operation and generated text
    Tidy(tidy::Arguments),
    /// Builds the API documentation and the book
    Docs(docs::Arguments),
    /// Gathers test and bench programs into one folder for a machine with a device and no toolchain
    Bundle(bundle::Arguments),
    /// Runs each command of the program under thousands of injected faults of a device
    Faults(faults::Arguments),
    /// Does random operations on every device and compares each result with a second route
    Soak(soak::Arguments),
    /// Builds the Python package and runs its tests, or times it beside other packages
    Python(python::Arguments),
    /// Makes the program's pages and clicks through them in a headless browser
    Pages(pages::Arguments),
    /// Tests the operations over ranks of MPI, several on this machine
    Cluster,
    /// Makes what users install without Rust, tries it in a bare system, or type-checks it for other systems
    Dist(dist::Arguments),
    /// Goes through the checklist of a release: versions, changelog, oldest compiler, licences, advisories, interface, packages
    Release(release::Arguments),
    /// Runs what must hold before a change is taken, or everything
    Ci(ci::Arguments),
    /// Builds the book in this process (used by `docs`)
    #[cfg(feature = "book")]
    #[command(hide = true)]
    BuildBook,
}

fn main() -> ExitCode {
    if let Some(code) = costs::stand_before() {
        return code;
    }
    let done = match Arguments::parse().command {
        Command::Setup(arguments) => {
            setup::run(&arguments);
            Ok(())
        }
        Command::Test(arguments) => test::run(&arguments),
        Command::Bench(arguments) => bench::run(&arguments),
        Command::Kernels(arguments) => kernels::run(&arguments),
        Command::Layers => layers::run(),
        Command::Tidy(arguments) => tidy::run(&arguments),
        Command::Docs(arguments) => docs::run(&arguments),
        Command::Bundle(arguments) => bundle::run(&arguments),
        Command::Faults(arguments) => faults::run(&arguments),
        Command::Soak(arguments) => soak::run(&arguments),
        Command::Python(arguments) => python::run(&arguments),
        Command::Pages(arguments) => pages::run(&arguments),
        Command::Cluster => cluster::run(),
        Command::Dist(arguments) => dist::run(&arguments),
        Command::Release(arguments) => release::run(&arguments),
        Command::Ci(arguments) => ci::run(&arguments),
        #[cfg(feature = "book")]
        Command::BuildBook => docs::build_book(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("xtask: {error:#}");
            ExitCode::FAILURE
        }
    }
}
