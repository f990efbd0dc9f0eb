//! Recipes: which programs each command builds at its first use, from which `crates/cli/recipes.txt` is made.

use std::cmp::Reverse;
use std::collections::BTreeMap;
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

/// Programs of a kind that are listed: more are not built in a second.
const MOST: usize = 24;

/// Of each kind the programs: how many runs needed each, and the sum of its places in these.
type Recipes = BTreeMap<String, BTreeMap<String, (usize, usize)>>;

/// Runs every case in these sizes on the device without a cache, side by side, and returns all recipes in the form of the file. A run that
/// fails is reported and left out.
pub(crate) fn all(cases: &[&Case], sizes: &[usize], program: &Path, id: &str, scratch: &Path) -> String {
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
    found.iter().flat_map(|(kind, names)| [kind.clone(), "\n".to_owned(), listed(names)]).collect()
}

/// The programs of a kind: those that most runs need, in the order in which they need them.
fn listed(names: &BTreeMap<String, (usize, usize)>) -> String {
    let mut names: Vec<_> = names.iter().map(|(name, &(runs, places))| (Reverse(runs), places / runs, name)).collect();
    names.sort();
    names.iter().take(MOST).flat_map(|(.., name)| ["\t", name, "\n"]).collect()
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

/// Adds the programs of a run to those of its kind.
fn add(recipes: &mut Recipes, text: &str) {
    let mut lines = text.lines();
    let Some(kind) = lines.next() else { return };
    let names = recipes.entry(kind.to_owned()).or_default();
    for (place, name) in lines.filter_map(|line| line.strip_prefix('\t')).enumerate() {
        let known = names.entry(name.to_owned()).or_default();
        *known = (known.0 + 1, known.1 + place);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_most_runs_come_first() {
        let mut recipes = Recipes::new();
        for text in ["a\n\t2\n\t3\n\t1\n", "b\n\t3\n", "a\n\t1\n\t4\n\t3\n", ""] {
            add(&mut recipes, text);
        }
        let of = |kind: &str| listed(&recipes[kind]);
        assert_eq!((of("a"), of("b")), ("\t1\n\t3\n\t2\n\t4\n".to_owned(), "\t3\n".to_owned()));
        assert_eq!(recipes.len(), 2);
    }
}
