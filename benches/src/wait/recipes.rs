//! Recipes: which programs each command builds at its first use, from which `crates/cli/recipes.txt` is made.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::thread;

use anyhow::{Context as _, Result};

use super::cases::Case;
use super::process::Workplace;

/// The variable that names the file to which the program adds what it built.
const VARIABLE: &str = "MANYCORE_RECIPES";
/// Runs at a time: drivers use one processor each, or two.
const RUNS_AT_A_TIME: usize = 8;
/// Moduli of other lengths beside the one that the cases have.
const MODULUS: &str = "--modulus 469762049";
const MODULI: [&str; 2] = ["--modulus 9223372036737335297", "--modulus 18446744069414584321"];

type Recipes = BTreeMap<String, BTreeSet<String>>;

/// Runs every case in these sizes on the device with nothing kept, side by side, and gives the recipes of all, as the file has them. A run
/// that fails is told, and left out.
pub(crate) fn all(cases: &[&Case], sizes: &[usize], program: &Path, id: &str, scratch: &Path) -> Result<String> {
    let lines = |case: &Case| {
        let others = MODULI.iter().filter(|_| case.line.contains(MODULUS));
        others.map(|other| case.line.replace(MODULUS, other)).chain([case.line.to_owned()]).collect::<Vec<_>>()
    };
    // The longest ones first.
    let runs = sizes.iter().rev().flat_map(|&size| cases.iter().map(move |case| (case, size)));
    let runs =
        runs.flat_map(|(case, size)| lines(case).into_iter().map(move |line| (case, case.sizes[size - 1], line)));
    let left = Mutex::new(runs.enumerate().collect::<Vec<_>>().into_iter());
    let found: Mutex<Recipes> = Mutex::default();
    let work = || {
        while let Some((number, (case, size, line))) = { left.lock().unwrap_or_else(PoisonError::into_inner).next() } {
            match recipes(case, size, &line, program, id, &scratch.join(format!("recipe-{number}"))) {
                Ok(text) => add(&mut found.lock().unwrap_or_else(PoisonError::into_inner), &text),
                Err(error) => eprintln!("{line}, {size}: {error:#}"),
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..RUNS_AT_A_TIME {
            scope.spawn(work);
        }
    });
    let found = found.into_inner().unwrap_or_else(PoisonError::into_inner);
    let of_kind = |(kind, names): (&String, &BTreeSet<String>)| {
        let names: String = names.iter().map(|name| format!("\t{name}\n")).collect();
        format!("{kind}\n{names}")
    };
    Ok(found.iter().map(of_kind).collect())
}

/// What one run adds.
fn recipes(case: &Case, size: usize, line: &str, program: &Path, id: &str, folder: &Path) -> Result<String> {
    let place = Workplace::new(program, folder.to_owned())?;
    (case.files)(place.folder(), size).context("cannot write the input")?;
    place.forget()?;
    let file = folder.join("recipes");
    let mut words: Vec<&str> = line.split(' ').collect();
    words.extend(["--quiet", "--device", id]);
    if case.is_array {
        words.extend(["-o", "result.npy"]);
    }
    place.run_with(&words, false, &[(VARIABLE, file.as_os_str())])?;
    // A command that built nothing made no file.
    let text = fs::read_to_string(&file).unwrap_or_default();
    fs::remove_dir_all(folder).context("cannot remove the input")?;
    Ok(text)
}

/// Adds kinds with their programs to those that are known.
fn add(recipes: &mut Recipes, text: &str) {
    let mut kind = "";
    for line in text.lines() {
        match line.strip_prefix('\t') {
            Some(name) => {
                recipes.entry(kind.to_owned()).or_default().insert(name.to_owned());
            }
            None => kind = line,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_a_kind_come_together() {
        let mut recipes = Recipes::new();
        for text in ["a\n\t2\n\t1\n", "b\n\t3\n", "a\n\t1\n\t4\n"] {
            add(&mut recipes, text);
        }
        let of = |kind: &str| recipes[kind].iter().map(String::as_str).collect::<Vec<_>>();
        assert_eq!((of("a"), of("b")), (vec!["1", "2", "4"], vec!["3"]));
    }
}
