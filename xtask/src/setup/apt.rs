//! Installing Debian packages with apt, where this user may.

use std::process::Command;

use crate::shell;

/// How this process may install packages.
enum Rights {
    Root,
    Sudo,
    None,
}

fn rights() -> Rights {
    if shell::output(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0") {
        Rights::Root
    } else if shell::succeeds(Command::new("sudo").args(["-n", "true"])) {
        Rights::Sudo
    } else {
        Rights::None
    }
}

/// Installs packages with apt, or prints the commands; a failure is printed and is not an error.
pub(crate) fn install(packages: &[&str]) {
    let rights = if shell::find_program("apt-get").is_some() { rights() } else { Rights::None };
    if matches!(rights, Rights::None) {
        eprintln!("setup: some tools are missing, and this user may not install packages. To install them:");
        eprintln!("    sudo apt-get update && sudo apt-get install {}", packages.join(" "));
        eprintln!("setup: (other systems have packages of like names) going on without them");
        return;
    }
    let sudo = matches!(rights, Rights::Sudo);
    eprintln!("setup: installing {} with apt-get{}", packages.join(" "), if sudo { " through sudo" } else { "" });
    if apt_install(sudo, packages) {
        return;
    }
    if !apt(sudo, &["update"]) {
        eprintln!("setup: apt-get cannot reach its packages; going on without {}", packages.join(" "));
        return;
    }
    if apt_install(sudo, packages) {
        return;
    }
    // One package that this system does not have must not keep the others away.
    for package in packages {
        if !apt_install(sudo, &[package]) {
            eprintln!("setup: {package} could not be installed; going on without it");
        }
    }
}

fn apt_install(sudo: bool, packages: &[&str]) -> bool {
    let mut arguments = vec!["install", "--yes", "--no-install-recommends"];
    arguments.extend(packages);
    apt(sudo, &arguments)
}

fn apt(sudo: bool, arguments: &[&str]) -> bool {
    let mut command = if sudo { shell::command("sudo") } else { shell::command("env") };
    if sudo {
        command.args(["-n", "env"]);
    }
    command.args(["DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]);
    // Without a network, fail within a minute instead of waiting for every mirror.
    command.args(["-o", "Acquire::Retries=1", "-o", "Acquire::http::Timeout=20", "-o", "Acquire::https::Timeout=20"]);
    command.args(arguments);
    shell::run(&mut command).inspect_err(|error| eprintln!("setup: {error:#}")).is_ok()
}
