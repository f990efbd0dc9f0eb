//! Groups: operations that stand together, by the first word of their names.

use crate::choice::Explain;
use crate::job::Operation;

/// Operations whose names begin with the same word.
#[derive(Clone, Copy)]
pub struct Group {
    /// The word.
    pub word: &'static str,
    /// What they are about.
    pub title: &'static str,
    /// Whether results are written in the language of a computer algebra system, too.
    pub has_languages: bool,
    /// The operations, of each crate that has some.
    pub parts: &'static [&'static [&'static dyn Operation]],
    /// What they choose among candidates, of each crate that has some.
    pub choices: &'static [&'static [&'static dyn Explain]],
}

impl Group {
    /// All operations, in the order of help.
    pub fn operations(&self) -> impl Iterator<Item = &'static dyn Operation> + use<> {
        self.parts.iter().flat_map(|part| part.iter().copied())
    }

    /// All choices among candidates.
    pub fn choices(&self) -> impl Iterator<Item = &'static dyn Explain> + use<> {
        self.choices.iter().flat_map(|part| part.iter().copied())
    }

    /// The operation whose name ends with this word, or is it.
    pub fn operation(&self, word: &str) -> Option<&'static dyn Operation> {
        self.operations().find(|operation| operation.declaration().word() == word)
    }
}
