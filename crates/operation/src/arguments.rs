//! Arguments: the options of one call.

use std::fmt;

/// The value of an option.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Setting {
    /// It is given, and has no value.
    Given,
    /// A number.
    Number(u64),
    /// A word of those that it is declared with.
    Word(&'static str),
    /// A text.
    Text(String),
}

/// The options of a call.
///
/// ```
/// use manycore_operation::{Arguments, Setting};
/// let arguments = Arguments::new().with("modulus", Setting::Number(7)).with("transforms", Setting::Given);
/// assert!(arguments.is_given("transforms") && !arguments.is_given("exact"));
/// assert_eq!((arguments.number("modulus"), arguments.word("pivoting")), (Some(7), None));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Arguments(Vec<(&'static str, Setting)>);

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Given => f.write_str("given"),
            Self::Number(number) => number.fmt(f),
            Self::Word(word) => f.write_str(word),
            Self::Text(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> = self.0.iter().map(|(name, setting)| format!("{name}={setting}")).collect();
        f.write_str(&words.join(" "))
    }
}

impl Arguments {
    /// No option.
    pub fn new() -> Self {
        Self::default()
    }

    /// The arguments with one more setting.
    #[must_use]
    pub fn with(mut self, name: &'static str, setting: Setting) -> Self {
        self.0.push((name, setting));
        self
    }

    /// What an option was set to last.
    pub fn get(&self, name: &str) -> Option<&Setting> {
        self.0.iter().rev().find(|(known, _)| *known == name).map(|(_, setting)| setting)
    }

    /// Whether an option was given.
    pub fn is_given(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// The number that an option was set to.
    pub fn number(&self, name: &str) -> Option<u64> {
        match self.get(name)? {
            Setting::Number(number) => Some(*number),
            Setting::Given | Setting::Word(_) | Setting::Text(_) => None,
        }
    }

    /// The number that an option was set to as a size, the largest where it is larger.
    pub fn size(&self, name: &str) -> Option<usize> {
        self.number(name).map(|number| usize::try_from(number).unwrap_or(usize::MAX))
    }

    /// The word that an option was set to.
    pub fn word(&self, name: &str) -> Option<&'static str> {
        match self.get(name)? {
            Setting::Word(word) => Some(word),
            Setting::Given | Setting::Number(_) | Setting::Text(_) => None,
        }
    }

    /// The text that an option was set to.
    pub fn text(&self, name: &str) -> Option<&str> {
        match self.get(name)? {
            Setting::Text(text) => Some(text),
            Setting::Given | Setting::Number(_) | Setting::Word(_) => None,
        }
    }
}
