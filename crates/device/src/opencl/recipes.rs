//! Recipes: which programs jobs build one after the other, as they were recorded on a GPU. Where the first of them is built for the first time,
//! the others are built beside it in threads, so that a job's first use waits for about one compiler's run.
//!
//! A program that was built ahead is in the driver's cache: whoever needs it loads it from there. The recipes are a file of blocks, a line a
//! program: its path and defines (`manycore-bench wait --recipes` writes them).

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, LazyLock, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use manycore_kernels::{UNITS, Unit};

use super::program::{Defines, options_of, program_hash, program_name};
use super::{OpenCl, all};
use crate::info::DeviceKind;
use crate::waits::{self, Waiting};

/// The programs of a job, in the order in which it asks for them.
type Recipe = Vec<&'static str>;

static RECIPES: LazyLock<Vec<Recipe>> = LazyLock::new(|| parse(include_str!("../../data/recipes.txt")));

/// Whether programs are built ahead.
static IS_ON: AtomicBool = AtomicBool::new(false);

/// What is built ahead and was.
#[derive(Default)]
struct Ahead {
    /// Programs that this process asked for or builds ahead, by name.
    begun: HashSet<String>,
    /// Those that are being built ahead.
    under_way: HashSet<String>,
    threads: Vec<JoinHandle<()>>,
}

/// A program that is built ahead; it ends also where that is a panic.
struct UnderWay(&'static str);

impl Drop for UnderWay {
    fn drop(&mut self) {
        AHEAD.lock().unwrap_or_else(PoisonError::into_inner).under_way.remove(self.0);
        ENDED.notify_all();
    }
}

static AHEAD: LazyLock<Mutex<Ahead>> = LazyLock::new(Mutex::default);
static ENDED: Condvar = Condvar::new();

fn parse(text: &'static str) -> Vec<Recipe> {
    text.split("\n\n").map(|block| block.lines().filter(|line| !line.starts_with('#')).collect()).collect()
}

/// From now on builds programs ahead of jobs whose recipe is known, in threads. A process that asks for it ends by [`end`].
pub fn begin() {
    IS_ON.store(true, Ordering::Relaxed);
}

/// Builds no more programs ahead, and waits for those that are being built: no driver likes the end of a process meanwhile.
pub fn end() {
    IS_ON.store(false, Ordering::Relaxed);
    let threads = std::mem::take(&mut AHEAD.lock().unwrap_or_else(PoisonError::into_inner).threads);
    for thread in threads {
        drop(thread.join());
    }
}

/// Before a program is built: waits for it where it is being built ahead, and begins with the others of its recipe where it is new.
pub(super) fn prepare(cl: &OpenCl, unit: &Unit, defines: &Defines) {
    if !IS_ON.load(Ordering::Relaxed) || cl.info.kind != DeviceKind::Gpu {
        return;
    }
    let name = program_name(unit, defines);
    let mut ahead = AHEAD.lock().unwrap_or_else(PoisonError::into_inner);
    while ahead.under_way.contains(&name) {
        ahead = ENDED.wait(ahead).unwrap_or_else(PoisonError::into_inner);
    }
    let is_begun = !ahead.begun.insert(name.clone());
    if is_begun || cl.startup.was_built(program_hash(unit, &name), &cl.info) {
        return;
    }
    let Some(recipe) = of(&RECIPES, &name, &ahead.begun) else { return };
    // Threads outlive the borrow: the list has the device for as long as the process.
    let Some(cl) = all().ok().and_then(|all| all.iter().find(|known| known.raw_id() == cl.raw_id())) else { return };
    for &next in recipe {
        let Some((unit, defines)) = program(next) else { continue };
        if cl.startup.was_built(program_hash(unit, next), &cl.info) || !ahead.begun.insert(next.to_owned()) {
            continue;
        }
        let build = move || {
            let _under_way = UnderWay(next);
            build(cl, unit, next, defines);
        };
        // Without a thread it is built when it is asked for.
        if let Ok(thread) = thread::Builder::new().spawn(build) {
            ahead.under_way.insert(next.to_owned());
            ahead.threads.push(thread);
        }
    }
}

/// The recipe of a program: of those that have it the one of which this process asked for most.
fn of<'a>(recipes: &'a [Recipe], name: &str, begun: &HashSet<String>) -> Option<&'a Recipe> {
    let having = recipes.iter().filter(|recipe| recipe.contains(&name));
    let known = |recipe: &&Recipe| recipe.iter().filter(|program| begun.contains(**program)).count();
    // Of as many the shortest: what is built in vain is waited for at the end.
    having.max_by_key(|recipe| (known(recipe), usize::MAX - recipe.len()))
}

/// The unit of a program and its defines.
fn program(name: &'static str) -> Option<(&'static Unit, &'static str)> {
    let (path, defines) = name.split_once(' ').unwrap_or((name, ""));
    Some((UNITS.iter().find(|unit| unit.path == path)?, defines))
}

fn build(cl: &OpenCl, unit: &Unit, name: &str, defines: &str) {
    let Some(options) = options_of(defines, cl.info.exact_quotients) else { return };
    let source = manycore_kernels::spliced(unit);
    let begun = Instant::now();
    let built = waits::note(Waiting::Building, || format!("{name}, ahead"), || cl.compiled(&source, &options));
    // What fails is told where it is asked for.
    if let Ok(Ok(_)) = built {
        cl.startup.built(begun.elapsed(), program_hash(unit, name), &cl.info);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recipes_name_units_that_there_are() {
        for name in RECIPES.iter().flatten() {
            assert!(program(name).is_some(), "{name}");
            assert!(name.split(' ').skip(1).all(|define| define.starts_with("-D")), "{name}");
        }
    }

    #[test]
    fn the_recipe_that_was_followed_so_far_is_taken() {
        let recipes = parse("# a\nx 1\ny 1\n\nz 1\nx 1\nw 1\n\ny 1\nx 1");
        let begun = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<HashSet<_>>();
        let found = |name: &str, names: &[&str]| of(&recipes, name, &begun(names)).map(|recipe| recipe[0]);
        assert_eq!(found("x 1", &["x 1", "z 1"]), Some("z 1"));
        assert_eq!(found("w 1", &[]), Some("z 1"));
        assert_eq!(found("v 1", &[]), None);
        assert_eq!(recipes[0], ["x 1", "y 1"]);
    }
}
