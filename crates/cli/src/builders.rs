//! Programs that a command is going to need on a GPU, as earlier runs of its kind did: other processes build them side by side at the first use.
//!
//! `recipes.txt` has them by kinds of commands; `manycore-bench wait --recipes` makes it anew on a GPU. Surplus programs of a recipe are
//! built in vain, and missing ones are built on demand.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{self, Write as _};
use std::process::ExitCode;

use manycore::device::builders;
use manycore::device::waits::{self, Waiting};

use crate::jobs;

/// The first argument of a builder, before the device.
const WORD: &str = "--build-programs";
/// The variable that names a file to which a command adds its recipe.
const RECORD_VARIABLE: &str = "MANYCORE_RECIPES";

/// Kinds of commands, each before the names of its programs, which have a tab before them.
const RECIPES: &str = include_str!("../recipes.txt");

/// Does the work of a builder, where the arguments ask for one.
pub(crate) fn serve(arguments: &[OsString]) -> Option<ExitCode> {
    let [_, word, device] = arguments else { return None };
    if word != WORD {
        return None;
    }
    let served = builders::serve(&device.to_string_lossy(), io::stdin().lock(), io::stdout().lock());
    Some(if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Tells the library of builders, and what the command is going to need.
pub(crate) fn begin(arguments: &[OsString]) {
    if let Ok(program) = std::env::current_exe() {
        let names = programs(RECIPES, &kind(arguments)).map(str::to_owned).collect();
        builders::set(program, vec![WORD.into()], names);
    }
}

/// Adds the recipe of this process to the file that the variable names.
pub(crate) fn record(arguments: &[OsString]) {
    let Some(path) = std::env::var_os(RECORD_VARIABLE).filter(|path| !path.is_empty()) else { return };
    let is_built = |what| matches!(what, Waiting::Building | Waiting::Loading);
    let all = waits::all();
    let names =
        all.iter().filter(|wait| is_built(wait.what) && builders::is_known(&wait.of)).map(|wait| wait.of.as_str());
    // Without the programs of self-tests, which every builder knows; in the order in which they were needed.
    let names: Vec<&str> = names.filter(|name| !name.starts_with("kernels/device/")).collect();
    if names.is_empty() {
        return;
    }
    let text: String = names.iter().flat_map(|&name| ["\t", name, "\n"]).collect();
    let file = OpenOptions::new().create(true).append(true).open(path);
    let written = file.and_then(|mut file| file.write_all(format!("{}\n{text}", kind(arguments)).as_bytes()));
    if let Err(error) = written {
        crate::message::tell(&format!("{RECORD_VARIABLE}: {error}"));
    }
}

/// The names of a kind's programs.
fn programs<'a>(recipes: &'a str, kind: &str) -> impl Iterator<Item = &'a str> {
    let of_kind = recipes.lines().skip_while(move |line| *line != kind);
    of_kind.skip(1).map_while(|line| line.strip_prefix('\t'))
}

/// The kind of a command: its words except files and numbers, and the length of the modulus.
fn kind(arguments: &[OsString]) -> String {
    let mut words = Vec::new();
    let mut is_modulus = false;
    for word in jobs::words(arguments) {
        let text = word.to_string_lossy();
        let (option, value) = text.split_once('=').map_or((&*text, None), |(option, value)| (option, Some(value)));
        if std::mem::take(&mut is_modulus) || option == "--modulus" && value.is_some() {
            words.push(modulus(value.unwrap_or(&text)).to_owned());
        } else if option == "--modulus" {
            is_modulus = true;
        } else if text.parse::<f64>().is_err() && !text.contains(['.', '/']) && text != "--verify" && text != "--json" {
            words.push(text.into_owned());
        }
    }
    // The command stays before its options, in whatever order these are.
    let command = words.iter().take_while(|word| !word.starts_with('-')).count();
    words[command..].sort();
    words.join(" ")
}

/// The moduli for which kernels are the same.
fn modulus(text: &str) -> &'static str {
    match text.parse::<u64>() {
        Ok(2) => "mod:2",
        Ok(modulus) if modulus >> 31 == 0 => "mod:31",
        Ok(modulus) if modulus >> 32 == 0 => "mod:32",
        Ok(modulus) if modulus >> 63 == 0 => "mod:63",
        _ => "mod:64",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(line: &str) -> String {
        kind(&line.split(' ').map(OsString::from).collect::<Vec<_>>())
    }

    #[test]
    fn commands_of_a_kind_need_the_same_programs() {
        let kind = "matrix det mod:31";
        for line in
            ["m matrix det a.npy --modulus 7", "m --device gpus matrix det ./b --modulus=469762049 --json -o c.txt"]
        {
            assert_eq!(kind_of(line), kind, "{line}");
        }
        assert_eq!(kind_of("m matrix det a.npy --exact"), "matrix det --exact");
        assert_eq!(kind_of("m poly mul a.npy b.npy --modulus 18446744069414584321"), "poly mul mod:64");
        assert_eq!(
            kind_of("m spectrum walsh --wrap x.npy --type i32"),
            kind_of("m spectrum walsh x.npy --type i32 --wrap")
        );
    }

    #[test]
    fn a_recipe_ends_at_the_next_kind() {
        let recipes = "a b\n\tone -DX=1\n\ttwo \na\n\tthree \n";
        assert_eq!(programs(recipes, "a b").collect::<Vec<_>>(), ["one -DX=1", "two "]);
        assert_eq!(programs(recipes, "a").collect::<Vec<_>>(), ["three "]);
        assert_eq!(programs(recipes, "b").count(), 0);
    }

    #[test]
    fn recipes_name_programs_that_there_are() {
        let unknown: Vec<&str> = RECIPES
            .lines()
            .filter_map(|line| line.strip_prefix('\t'))
            .filter(|name| !builders::is_known(name))
            .collect();
        assert!(unknown.is_empty(), "make recipes.txt anew: {unknown:?}");
    }
}
