//! Kernels of generated text: each text is made a specification once and kept for the life of the program, as the programs and
//! kernels that are built of it are.

use std::collections::HashMap;
use std::sync::{Mutex, OnceLock, PoisonError};

use manycore_device::{KernelSpec, Launch, Param, ParamType, Passing, WordType};
use manycore_kernels::{Entry, Unit};

use crate::host::with_word;
use crate::scalar::Scalar;

/// An argument of a generated kernel.
fn param(name: impl Into<String>, passing: Passing, word: WordType) -> Param {
    Param { name: name.into().leak(), passing, words: ParamType::Fixed(word.opencl_name()), count: None }
}

/// The arguments of a kernel of generated text: as the text declares them, and as a launch passes them.
#[derive(Debug, Default)]
pub struct Arguments {
    declared: Vec<String>,
    params: Vec<Param>,
}

impl Arguments {
    /// One more. No other argument leads to the memory of a buffer.
    pub fn add(&mut self, name: impl Into<String>, passing: Passing, word: WordType) {
        let (name, kind) = (name.into(), word.opencl_name());
        self.declared.push(match passing {
            Passing::Input => format!("__global const {kind} *restrict {name}"),
            Passing::Buffer => format!("__global {kind} *restrict {name}"),
            _ => format!("const {kind} {name}"),
        });
        self.params.push(param(name, passing, word));
    }

    /// One more for each of these types: `name0`, `name1`, ...
    pub fn add_each(&mut self, name: &str, passing: Passing, words: impl IntoIterator<Item = WordType>) {
        words.into_iter().enumerate().for_each(|(i, word)| self.add(format!("{name}{i}"), passing, word));
    }

    /// One more, a buffer that is not `restrict`: other groups write to it what a group reads meanwhile.
    pub fn add_shared(&mut self, name: impl Into<String>, word: WordType) {
        let name = name.into();
        self.declared.push(format!("__global {} *{name}", word.opencl_name()));
        self.params.push(param(name, Passing::Buffer, word));
    }

    /// What the text has between brackets.
    pub fn declared(&self) -> String {
        self.declared.join(", ")
    }

    /// What a specification takes.
    pub fn into_params(self) -> Vec<Param> {
        self.params
    }
}

/// Gives a launch the value of these bits ([`Scalar::to_bits`]) as its next argument.
pub fn value(launch: Launch<'_>, word: WordType, bits: u64) -> Launch<'_> {
    with_word!(word, T => launch.value(<T as Scalar>::from_bits(bits)))
}

/// The specification of the kernel `entry` of a text that holds no other, by its text: the same one for the same text.
///
/// The text stays in memory, so that texts are to be made of types and plans, not of sizes or values without number.
///
/// # Safety
/// That of [`KernelSpec::new`]: whoever launches the kernel gives it what its text needs.
pub unsafe fn spec(entry: &'static str, source: String, params: Vec<Param>) -> &'static KernelSpec {
    static KEPT: OnceLock<Mutex<HashMap<(&'static str, String), &'static KernelSpec>>> = OnceLock::new();
    let mut kept = KEPT.get_or_init(Mutex::default).lock().unwrap_or_else(PoisonError::into_inner);
    let key = (entry, source);
    if let Some(spec) = kept.get(&key) {
        return spec;
    }
    let text: &'static str = key.1.clone().leak();
    let path: &'static str = format!("{entry}.cl").leak();
    let params: &'static [Param] = params.leak();
    let entries = vec![Entry { name: entry, params }].leak();
    let unit: &'static Unit =
        Box::leak(Box::new(Unit { path, source: text, parts: &[], entries, parameter_sets: &[&[]] }));
    // SAFETY: the caller's promise.
    let spec: &'static KernelSpec = Box::leak(Box::new(unsafe { KernelSpec::new(unit, entry, params) }));
    kept.insert(key, spec);
    spec
}
