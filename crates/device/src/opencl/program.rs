//! Programs: units built under parameter sets, kept in memory.

use std::collections::HashSet;
use std::ffi::CStr;
use std::hash::Hasher as _;
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use manycore_kernels::Unit;

use super::defines::{Defines, Wishes, options};
use super::executor::OpenCl;
use super::objects::{Kernel, Program};
use super::room;
use super::spec::KernelSpec;
use crate::error::DeviceError;
use crate::waits::{self, Waiting};
use crate::word::WordType;

impl OpenCl {
    /// A unit built under `defines`; built once and kept.
    pub(crate) fn program(&self, unit: &'static Unit, defines: &Defines) -> Result<Arc<Program>, DeviceError> {
        let opened = self.opened()?;
        let key = (std::ptr::from_ref(unit).addr(), defines.clone());
        if let Some(program) = opened.programs.built.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
            return Ok(Arc::clone(program));
        }
        // Built outside the lock: two threads may build the same program once each; the first one kept wins.
        let program = Arc::new(self.noted(unit, named(unit, defines), || self.build(unit, defines))?);
        let mut built = opened.programs.built.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Arc::clone(built.entry(key).or_insert(program)))
    }

    /// Builds a program that is not kept, after the builder that may be at it, and notes how long that took.
    fn noted<R>(
        &self,
        unit: &Unit,
        name: String,
        build: impl FnOnce() -> Result<R, DeviceError>,
    ) -> Result<R, DeviceError> {
        let hash = program_hash(unit, &name);
        let what = if self.start.was_built(hash, &self.info) { Waiting::Loading } else { Waiting::Building };
        let (mut begun, mut by_builder) = (Instant::now(), false);
        let work = |name: &str| {
            by_builder = self.start.wait_for_builder(name);
            begun = Instant::now();
            build()
        };
        let built = waits::note_named(what, name, work)?;
        if self.is_whole() {
            self.start.built((!by_builder).then(|| begun.elapsed()), hash, &self.info);
        }
        Ok(built)
    }

    /// Builds the programs of several kernels before their first use; on NVIDIA's GPUs in several threads, since their compiler takes
    /// tenths of a second. A program that fails to build fails again at its first use.
    pub(crate) fn build_together(&self, kernels: &[(&'static KernelSpec, Defines)]) {
        // NVIDIA's compiler is known to take several threads; oclgrind's is known to crash.
        if self.info.compute_capability().is_none() || kernels.len() < 2 {
            return;
        }
        let mut kernels: Vec<_> = kernels.iter().map(|(spec, defines)| (spec.unit(), defines)).collect();
        let mut seen = HashSet::new();
        kernels.retain(|&(unit, defines)| {
            seen.insert((unit.path, defines)) && !self.start.has_builder(&named(unit, defines))
        });
        std::thread::scope(|scope| {
            for (unit, defines) in kernels {
                let build = move || drop(self.program(unit, defines));
                // If no thread starts, the program is built at its first use.
                let _ = std::thread::Builder::new().spawn_scoped(scope, build);
            }
        });
    }

    fn build(&self, unit: &Unit, defines: &Defines) -> Result<Program, DeviceError> {
        if let Some(feature) = self.missing(defines) {
            return Err(DeviceError::Unsupported { device: self.name().to_owned(), feature: feature.into() });
        }
        let failed = |(file, line), log| DeviceError::Build {
            unit: file,
            line,
            defines: defines.to_string(),
            device: self.name().to_owned(),
            log,
        };
        let Some(options) = options(defines, self.info.exact_quotients) else {
            return Err(failed((unit.path.to_owned(), None), "white space or a NUL stands in a define".to_owned()));
        };
        let source = manycore_kernels::spliced(unit);
        match self.compiled(&source, &options)? {
            Ok(program) => Ok(program),
            Err(log) => {
                let paths: Vec<&str> = unit.parts.iter().map(|part| part.path).chain([unit.path]).collect();
                let texts: Vec<(&str, &str)> =
                    unit.parts.iter().map(|part| (part.path, part.source)).chain([(unit.path, unit.source)]).collect();
                let place = first_error(&log, &paths)
                    .or_else(|| quoted_line(&log, &texts))
                    .unwrap_or((unit.path.to_owned(), None));
                Err(failed(place, log))
            }
        }
    }

    /// A text built with options; the inner `Err` holds the compiler's log.
    pub(crate) fn compiled(&self, source: &str, options: &CStr) -> Result<Result<Program, String>, DeviceError> {
        room::of_building(&self.info, source.len())?;
        let program = Program::from_source(&self.opened()?.context, source, self.name())?;
        let told = |(code, log): (i32, String)| {
            if log.is_empty() { format!("error {code}, and no log") } else { log }
        };
        Ok(program.build(self.raw_id(), options).map(|()| program).map_err(told))
    }

    /// What a program with these defines needs and the device lacks, or computes wrong.
    pub(crate) fn missing(&self, defines: &Defines) -> Option<&'static str> {
        const FLOATING: usize = 3; // `ARITHMETIC` of residues in double precision
        let residues = defines.integer("ARITHMETIC") == Some(FLOATING);
        if defines.element == Some(WordType::F64) && !self.info().fp64 {
            return Some(if self.info.fp64 {
                "double precision that passes its self-test"
            } else {
                "double precision"
            });
        }
        (residues && self.info.fp64 && !self.floating_residues())
            .then_some("residues in double precision that pass their self-test")
    }

    /// The program of a unit again with what is wished, made once and kept; `None` where its compiler takes no wishes, or there are
    /// none.
    pub(crate) fn wished(&self, unit: &'static Unit, defines: &Defines, program: &Program) -> Option<Arc<Program>> {
        if defines.wishes == Wishes::default() {
            return None;
        }
        let key = (std::ptr::from_ref(unit).addr(), defines.clone());
        // One thread at a time, lanes among them: PoCL's clGetProgramInfo frees a program's binary that another thread reads.
        let mut kept = self.opened().ok()?.programs.wished.lock().unwrap_or_else(PoisonError::into_inner);
        let made = || self.made_as_wished(unit, program, defines).map(Arc::new);
        kept.entry(key).or_insert_with(made).clone()
    }

    fn made_as_wished(&self, unit: &Unit, program: &Program, defines: &Defines) -> Option<Program> {
        let text = defines.wishes.written_into(&program.binary()?)?;
        let build = || {
            let wished = Program::from_binary(&self.opened()?.context, self.raw_id(), &text);
            Ok(wished.and_then(|wished| wished.build(self.raw_id(), c"").ok().map(|()| wished)))
        };
        self.noted(unit, named(unit, defines) + &defines.wishes.to_string(), build).ok()?
    }

    /// Builds a unit with its defaults changed by `values`, to see that it builds; nothing is kept.
    ///
    /// # Errors
    /// [`DeviceError::Build`] with the log, the file and the line; [`DeviceError::Unsupported`] for `double` where the
    /// device has none.
    pub fn try_build(&self, unit: &'static Unit, values: &[(&'static str, &'static str)]) -> Result<(), DeviceError> {
        let mut defines = values.iter().fold(Defines::new(), |d, &(name, value)| d.set(name, value));
        if values.contains(&("ELEMENT", "double")) {
            defines.element = Some(WordType::F64);
        }
        let program = self.build(unit, &defines)?;
        for entry in unit.entries {
            Kernel::of(&program, entry.name, self.name())?;
        }
        Ok(())
    }
}

/// The name of a program.
pub(crate) fn named(unit: &Unit, defines: &Defines) -> String {
    format!("{} {defines}", unit.path)
}

/// The identity of a program across processes: the kernels' texts of this revision, and the names' values.
pub(crate) fn program_hash(unit: &Unit, name: &str) -> u64 {
    let mut hash = fnv::FnvHasher::default();
    hash.write(name.as_bytes());
    hash.write(unit.source.as_bytes());
    hash.write_u64(crate::REVISION);
    hash.finish()
}

/// File and line of the first error of one of these files in a build log, whose lines read
/// `kernels/x.cl:12:3: error: ...`.
fn first_error(log: &str, paths: &[&str]) -> Option<(String, Option<u32>)> {
    log.lines().filter(|line| line.contains("error")).find_map(|line| {
        paths.iter().find_map(|&path| {
            let mut fields = line[line.find(path)?..].strip_prefix(path)?.strip_prefix(':')?.split(':');
            Some((path.to_owned(), fields.next().and_then(|number| number.trim().parse().ok())))
        })
    })
}

/// The place of the first error in a log that names no file: some compilers count the lines of the whole text, with
/// lines of their own before it, but quote the wrong line below the message. Only a line that occurs once determines the place.
fn quoted_line(log: &str, texts: &[(&str, &str)]) -> Option<(String, Option<u32>)> {
    let quoted = log.lines().skip_while(|line| !line.contains("error")).nth(1)?.trim();
    let mut places = texts.iter().flat_map(|(path, text)| {
        let same = text.lines().zip(1u32..).filter(|(line, _)| line.trim() == quoted);
        same.map(|(_, number)| ((*path).to_owned(), Some(number)))
    });
    let place = places.next()?;
    places.next().is_none().then_some(place)
}

#[cfg(test)]
mod tests {
    use super::{first_error, quoted_line};

    #[test]
    fn a_quoted_line_tells_the_place_where_the_log_names_no_file() {
        let log = "<kernel>:11:12: error: use of undeclared identifier 'y'\n    x[1] = y;\n           ^\n";
        let texts = [("a.clh", "uint twice;\n"), ("b.cl", "void f()\n{\n    x[1] = y;\n    x[2] = 0;\n}\n")];
        assert_eq!(quoted_line(log, &texts), Some(("b.cl".to_owned(), Some(3))));
        assert_eq!(quoted_line(log, &[texts[1], texts[1]]), None, "it occurs twice");
        assert_eq!(quoted_line("no such word", &texts), None);
    }

    #[test]
    fn the_first_error_of_a_log_is_found() {
        let log = "kernels/a.cl:3:1: warning: w\n1 error in all\n<kernel>: kernels/b.clh:12:7: error: use of x\n\
                   kernels/a.cl:1: error";
        let paths = ["kernels/a.cl", "kernels/b.clh"];
        assert_eq!(first_error(log, &paths), Some(("kernels/b.clh".to_owned(), Some(12))));
        assert_eq!(first_error("nothing to see", &paths), None);
    }
}
