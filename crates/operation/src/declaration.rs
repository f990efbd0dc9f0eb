//! Declarations: what an operation is called, takes and gives, as data from which every edge is made.

/// What an operation is.
#[derive(Debug, Clone, Copy)]
pub struct Declaration {
    /// The words of its command, such as `matrix rank`.
    pub name: &'static str,
    /// Another last word that it is known by.
    pub alias: Option<&'static str>,
    /// What it is called in the field, in one line.
    pub title: &'static str,
    /// What it computes and in which form it is written, of all sizes and edges: begins with a line of its own.
    pub about: &'static str,
    /// How it is checked, and examples.
    pub help: &'static str,
    /// What is done meanwhile, such as `computing the rank`.
    pub step: &'static str,
    /// What is read, in this order.
    pub inputs: &'static [Input],
    /// Its options.
    pub options: &'static [Choice],
    /// Options of which one has to be given, and no two.
    pub one_of: &'static [&'static str],
    /// What the result is, where no array holds it.
    pub no_array: Option<&'static str>,
}

impl Declaration {
    /// The last word of its name.
    pub fn word(&self) -> &'static str {
        self.name.rsplit(' ').next().unwrap_or(self.name)
    }

    /// The option of this name.
    pub fn option(&self, name: &str) -> Option<&'static Choice> {
        self.options.iter().find(|option| option.name == name)
    }
}

/// Something that is read.
#[derive(Debug, Clone, Copy)]
pub struct Input {
    /// Its name.
    pub name: &'static str,
    /// What help calls it.
    pub value_name: &'static str,
    /// What it is, and in which formats.
    pub help: &'static str,
}

/// An option.
#[derive(Debug, Clone, Copy)]
pub struct Choice {
    /// Its name, without dashes.
    pub name: &'static str,
    /// Another name.
    pub alias: Option<&'static str>,
    /// What it sets.
    pub help: &'static str,
    /// Its values.
    pub value: Setable,
    /// An option without which it means nothing.
    pub requires: Option<&'static str>,
    /// An option beside which it is not given.
    pub excludes: Option<&'static str>,
}

/// The values of an option.
#[derive(Debug, Clone, Copy)]
pub enum Setable {
    /// It is given or not.
    Flag,
    /// A modulus: a prime below `2^63`, or `2^64 - 2^32 + 1`.
    Modulus {
        /// Whether it has to be given.
        is_required: bool,
    },
    /// A whole number below `2^32`.
    Count {
        /// What help calls it.
        value_name: &'static str,
    },
    /// One of these words, each with what it means.
    Word {
        /// What help calls it.
        value_name: &'static str,
        /// The words.
        words: &'static [(&'static str, &'static str)],
        /// The word where none is given.
        default: &'static str,
    },
}
