//! Programs: units built under parameter sets, kept in memory.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ffi::{CStr, CString};
use std::fmt;
use std::hash::Hasher as _;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use manycore_kernels::Unit;

use super::OpenCl;
use super::builders::named;
use super::kernel::KernelSpec;
use super::objects::{Kernel, Program};
use crate::error::DeviceError;
use crate::waits::{self, Waiting};
use crate::word::WordType;

/// Most kernels have no more defines.
const MOST_USUAL: usize = 20;

/// The bytes of a cache's line.
const LINE_BYTES: usize = 128;
/// NVIDIA's first target whose reads can ask for whole lines (PTX ISA, `ld`).
const WHOLE_LINES_TARGET: u32 = 75;

/// Values of preprocessor names that a unit is built with.
///
/// ```
/// use manycore_device::{Defines, WordType};
/// let defines = Defines::new().element(WordType::F64).set("LOG_TILE", 12);
/// assert_eq!(defines.to_string(), "-DELEMENT=double -DELEMENT_BYTES=8 -DELEMENT_FLOATING=1 -DLOG_TILE=12");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Defines {
    pub(crate) element: Option<WordType>,
    pub(crate) wishes: Wishes,
    values: Vec<(&'static str, DefineValue)>,
}

/// What is asked of NVIDIA's compiler beside the names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Wishes {
    registers: Option<u32>,
    whole_lines: bool,
}

/// What a preprocessor name stands for: made from integers and texts. Planners look kernels up by their defines at every
/// launch, so an integer is kept as one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DefineValue(Value);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Value {
    /// Of any type: equal numbers are equal defines.
    Integer(i128),
    Text(Cow<'static, str>),
}

impl fmt::Display for DefineValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Value::Integer(value) => value.fmt(f),
            Value::Text(value) => value.fmt(f),
        }
    }
}

impl From<&'static str> for DefineValue {
    fn from(value: &'static str) -> Self {
        Self(Value::Text(value.into()))
    }
}

impl From<String> for DefineValue {
    fn from(value: String) -> Self {
        Self(Value::Text(value.into()))
    }
}

macro_rules! integers {
    ($($word:ty)*) => {$(
        impl From<$word> for DefineValue {
            fn from(value: $word) -> Self {
                Self(Value::Integer(value as i128))
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 usize }

impl Defines {
    /// No values: the unit's defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets one name; a value with white space is refused when a kernel is built with it.
    #[must_use]
    pub fn set(mut self, name: &'static str, value: impl Into<DefineValue>) -> Self {
        if self.values.capacity() == 0 {
            self.values.reserve(MOST_USUAL);
        }
        self.values.push((name, value.into()));
        self
    }

    /// What an integer was set to last; `None` for texts, numbers below 0, and names that were not set.
    pub(crate) fn integer(&self, name: &str) -> Option<usize> {
        match self.values.iter().rev().find(|value| value.0 == name)?.1.0 {
            Value::Integer(value) => value.try_into().ok(),
            Value::Text(_) => None,
        }
    }

    /// What a text was set to last; `None` for integers, and names that were not set.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match &self.values.iter().rev().find(|value| value.0 == name)?.1.0 {
            Value::Integer(_) => None,
            Value::Text(text) => Some(text),
        }
    }

    /// Sets the element type: `ELEMENT`, `ELEMENT_BYTES` and `ELEMENT_FLOATING`; a kernel's `element` arguments have it.
    #[must_use]
    pub fn element(mut self, element: WordType) -> Self {
        self.element = Some(element);
        self.set("ELEMENT", element.opencl_name())
            .set("ELEMENT_BYTES", element.bytes())
            .set("ELEMENT_FLOATING", u8::from(element.is_floating()))
    }

    /// Asks for at most so many 32-bit registers a work-item, so that more groups share a compute unit. A wish: only
    /// NVIDIA's compiler is told, and results do not depend on it.
    #[must_use]
    pub fn registers(mut self, most: u32) -> Self {
        self.wishes.registers = Some(most);
        self
    }

    /// Tells that groups read runs of so many bytes, and their neighbours those beside them: of runs shorter than a line of a
    /// cache, whole lines are asked for. A wish as for registers; on an H200 columns in runs of 64 bytes move 1.4 times as fast.
    #[must_use]
    pub fn runs(mut self, bytes: usize) -> Self {
        self.wishes.whole_lines = bytes < LINE_BYTES;
        self
    }
}

impl fmt::Display for Defines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.values.iter().enumerate() {
            write!(f, "{}-D{name}={value}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// The unit's address (paths need not be unique) and its defines.
type Key = (usize, Defines);

/// The programs built so far.
#[derive(Debug, Default)]
pub(crate) struct Programs {
    built: Mutex<HashMap<Key, Arc<Program>>>,
    /// Those made again with what is wished; none where that makes no difference.
    wished: Mutex<HashMap<Key, Option<Arc<Program>>>>,
}

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
        let what = if self.startup.was_built(hash, &self.info) { Waiting::Loading } else { Waiting::Building };
        let (mut begun, mut by_builder) = (Instant::now(), false);
        let work = |name: &str| {
            by_builder = self.builders.wait(name);
            begun = Instant::now();
            build()
        };
        let built = waits::note_named(what, name, work)?;
        if self.is_whole() {
            self.startup.built((!by_builder).then(|| begun.elapsed()), hash, &self.info);
        }
        Ok(built)
    }

    /// Builds the programs of several kernels before they are asked for, of NVIDIA's GPUs in threads side by side, since their compiler takes tenths
    /// of a second. What fails to build fails again where it is asked for.
    pub(crate) fn build_together(&self, kernels: &[(&'static KernelSpec, Defines)]) {
        // NVIDIA's compiler is known to take several threads; oclgrind's is known to crash.
        if self.info.compute_capability().is_none() || kernels.len() < 2 {
            return;
        }
        let mut kernels: Vec<_> = kernels.iter().map(|(spec, defines)| (spec.unit(), defines)).collect();
        let mut seen = HashSet::new();
        kernels
            .retain(|&(unit, defines)| seen.insert((unit.path, defines)) && !self.builders.has(&named(unit, defines)));
        std::thread::scope(|scope| {
            for (unit, defines) in kernels {
                let build = move || drop(self.program(unit, defines));
                // Where there is no thread, it is built when it is asked for.
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
        self.room_of_building(source.len())?;
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

/// What tells programs apart from process to process: the kernels' texts of this revision, and the names' values.
pub(crate) fn program_hash(unit: &Unit, name: &str) -> u64 {
    let mut hash = fnv::FnvHasher::default();
    hash.write(name.as_bytes());
    hash.write(unit.source.as_bytes());
    hash.write_u64(crate::REVISION);
    hash.finish()
}

/// As the end of a program's name.
impl fmt::Display for Wishes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(registers) = self.registers {
            write!(f, " @registers={registers}")?;
        }
        if self.whole_lines { f.write_str(" @lines") } else { Ok(()) }
    }
}

impl Wishes {
    /// What the words behind a name wish; `None` for other words.
    pub(crate) fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut wishes = Self::default();
        for word in words {
            match word.strip_prefix("registers=") {
                Some(registers) => wishes.registers = Some(registers.parse().ok()?),
                None if word == "lines" => wishes.whole_lines = true,
                None => return None,
            }
        }
        Some(wishes)
    }

    /// The assembly text of NVIDIA's compiler with a limit of registers before each kernel's required group, and with reads
    /// of whole lines; `None` for other binaries, and where nothing changes.
    pub(crate) fn written_into(self, binary: &[u8]) -> Option<Vec<u8>> {
        let text = std::str::from_utf8(binary).ok()?.trim_end_matches('\0');
        let target = text.split_once(".target sm_")?.1;
        let digits = target.find(|c: char| !c.is_ascii_digit()).unwrap_or(target.len());
        let target: u32 = target[..digits].parse().ok()?;
        let mut wished = text.to_owned();
        if let Some(registers) = self.registers {
            wished = wished.replace("\n.reqntid", &format!("\n.maxnreg {registers}\n.reqntid"));
        }
        if self.whole_lines && target >= WHOLE_LINES_TARGET {
            // Types follow the space, or the path that is not coherent.
            for space in ["ld.global.", "ld.global.nc."] {
                for kind in ["v", "u", "s", "b", "f"] {
                    wished = wished.replace(&format!("{space}{kind}"), &format!("{space}L2::128B.{kind}"));
                }
            }
        }
        (wished != text).then(|| wished.into_bytes())
    }
}

/// The compiler's options; `None` where a define would be read as something else than it is.
///
/// Compilers make a quotient of `float` of one of `double` that is rounded to `float`, and divide with an error of 2.5 units
/// unless they are told not to.
pub(crate) fn options(defines: &Defines, exact_quotients: bool) -> Option<CString> {
    let odd = |text: &str| text.contains(|c: char| c.is_whitespace() || c == '\0');
    if defines.values.iter().any(|(name, value)| odd(name) || odd(&value.to_string())) {
        return None;
    }
    CString::new(option_text(&defines.to_string(), exact_quotients)).ok()
}

/// The compiler's options with these defines.
pub(crate) fn option_text(defines: &str, exact_quotients: bool) -> String {
    let quotients = if exact_quotients { "-cl-fp32-correctly-rounded-divide-sqrt " } else { "" };
    format!("-cl-std=CL1.2 -cl-kernel-arg-info {quotients}{defines}")
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
/// lines of their own before it, but quote the wrong line below the message. Only a line that occurs once tells the place.
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
    use super::{Defines, Wishes, first_error, options, quoted_line};

    #[test]
    fn a_limit_of_registers_stands_before_each_required_group() {
        let text = b".version 9.0\n.target sm_90\n.entry f(\n)\n.reqntid 128, 1, 1\n{\n}\n\0";
        let most = |registers| Wishes { registers: Some(registers), whole_lines: false };
        let limited = most(64).written_into(text).map(|bytes| String::from_utf8(bytes).unwrap_or_default());
        let expected = ".version 9.0\n.target sm_90\n.entry f(\n)\n.maxnreg 64\n.reqntid 128, 1, 1\n{\n}\n";
        assert_eq!(limited.as_deref(), Some(expected));
        assert_eq!(most(64).written_into(b"\x7fELF"), None);
        assert_eq!(most(64).written_into(&[0xff, 0xfe]), None);
    }

    #[test]
    fn reads_from_memory_are_of_whole_lines() {
        let text = ".target sm_90\n\tld.global.u32 %r1, [%rd1];\n\tld.global.nc.v4.u32 {}, [%rd2];\n\tld.shared.u32 %r2, [%r3];\n\tst.global.f64 [%rd4], %fd1;\n";
        let whole = Wishes { registers: None, whole_lines: true };
        let wished = whole.written_into(text.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap_or_default());
        let expected = text.replace("global.u32", "global.L2::128B.u32").replace("nc.v4", "nc.L2::128B.v4");
        assert_eq!(wished, Some(expected));
        assert!(whole.written_into(text.replace("sm_90", "sm_90a").as_bytes()).is_some());
        assert_eq!(whole.written_into(text.replace("sm_90", "sm_70").as_bytes()), None);
        assert_eq!(whole.written_into(b".target sm_90\n\tst.global.f64 [%rd4], %fd1;\n"), None);
        assert_eq!(Wishes::default().written_into(text.as_bytes()), None);
    }

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

    #[test]
    fn options_are_what_the_defines_say() {
        assert!(options(&Defines::new().set("N", "3 -DM=4"), false).is_none());
        assert!(options(&Defines::new().set("N", "3\0"), true).is_none());
        assert_eq!(Defines::new().set("N", 3u8), Defines::new().set("N", 3i64));
        let text = options(&Defines::new().set("N", 3), true).unwrap();
        assert!(text.to_str().unwrap().ends_with(" -DN=3"), "{text:?}");
    }
}
