//! Declarations: what an operation is called, takes and gives, as data from which every edge is made.

use serde::Serialize;

/// What an operation is. In JSON it has these names.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Declaration {
    /// The words of its command, such as `matrix rank`.
    pub name: &'static str,
    /// Another last word that it is known by.
    pub alias: Option<&'static str>,
    /// What it is called in the field, in one line.
    pub title: &'static str,
    /// What it computes and in which form it is written, of all sizes and edges: begins with a line of its own; empty where its title
    /// says all.
    pub about: &'static str,
    /// How it is checked, and examples.
    pub help: &'static str,
    /// What is done meanwhile, such as `computing the rank`.
    pub step: &'static str,
    /// What is read, in this order.
    pub inputs: &'static [Input],
    /// Its options.
    pub options: &'static [DeclaredOption],
    /// Options of which one has to be given, and no two.
    pub one_of: &'static [&'static str],
    /// What the result is, where no array holds it.
    pub no_array: Option<&'static str>,
    /// An option with which an array holds it.
    pub array_with: Option<&'static str>,
    /// An option with which no array holds it, and what the result then is.
    pub no_array_with: Option<(&'static str, &'static str)>,
    /// What is said of a list without elements, where that is an answer.
    pub none: Option<&'static str>,
    /// Options with which the result depends on the device, such as by its plan and times.
    pub of_device: &'static [&'static str],
    /// How several processes share its work, where they can.
    pub splits: Option<Splits>,
    /// Whether the result is a page, which has no other form.
    pub is_page: bool,
    /// Why nothing of it is checked, where that is so.
    pub not_checked: Option<&'static str>,
    /// Whether neither the result nor its check draws random numbers: reports then have no seed.
    pub is_seedless: bool,
    /// The seed where none is given; a fresh one without it.
    pub seed: Option<u64>,
    /// What a device is to it.
    pub device: DeviceUse,
    /// What standard output is for alone, such as `the matrix`: a file that is written beside the result goes to another place.
    pub standard_output: Option<&'static str>,
}

/// What a device is to an operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum DeviceUse {
    /// The device computes: reports name it, and its seconds.
    Computes,
    /// The result describes the device, which computes nothing: reports do not name it.
    Described,
    /// None is asked for.
    Unused,
}

/// How the parts of an operation's work that several processes do make its result.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Splits {
    /// Runs of the values of the result, one after the other.
    Values,
    /// Rows of a matrix.
    Rows,
    /// Rows of a table of small integers.
    Table,
    /// In a form of its own.
    Own,
}

impl Declaration {
    /// One without a name, in which nothing is said of what few operations have.
    pub const BASE: Self = Self {
        name: "",
        alias: None,
        title: "",
        about: "",
        help: "",
        step: "computing",
        inputs: &[],
        options: &[],
        one_of: &[],
        no_array: None,
        array_with: None,
        no_array_with: None,
        none: None,
        of_device: &[],
        splits: None,
        is_page: false,
        not_checked: None,
        is_seedless: false,
        seed: None,
        device: DeviceUse::Computes,
        standard_output: None,
    };

    /// The last word of its name.
    pub fn word(&self) -> &'static str {
        self.name.rsplit(' ').next().unwrap_or(self.name)
    }

    /// The input that an option of a file is, where it is one.
    pub fn input_of(&self, name: &str) -> Option<usize> {
        let files = self.options.iter().filter(|option| matches!(option.value, OptionKind::File { .. }));
        files.map(|option| option.name).position(|known| known == name).map(|place| self.inputs.len() + place)
    }

    /// Whether the same input gives the same result on every device with these arguments.
    pub fn is_same_everywhere(&self, arguments: &crate::Arguments) -> bool {
        self.not_checked.is_none() && !self.of_device.iter().any(|option| arguments.is_given(option))
    }

    /// The option of this name.
    pub fn option(&self, name: &str) -> Option<&'static DeclaredOption> {
        self.options.iter().find(|option| option.name == name)
    }
}

/// Something that is read.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct Input {
    /// Its name.
    pub name: &'static str,
    /// What help calls it.
    pub value_name: &'static str,
    /// What it is, and in which formats.
    pub help: &'static str,
    /// Where it is read, if not always.
    pub when: Option<When>,
    /// What it holds.
    pub holds: Holds,
    /// Whether there may be more files of the kind behind it: of the last input.
    pub is_many: bool,
}

/// What an input holds.
#[derive(Debug, Clone, Copy, Serialize)]
pub enum Holds {
    /// Integers.
    Integers,
    /// Integers, a power of two of them.
    Vector,
    /// Values 0 and 1, a power of two of them.
    Bits,
    /// A matrix of integers.
    Matrix,
    /// A text of a form of its own, such as these.
    Text(&'static [&'static str]),
}

/// The option with the word for which an input is read, or another option means something.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct When {
    /// The option.
    pub option: &'static str,
    /// The word.
    pub word: &'static str,
    /// What is said where it is given without that: of an input what it is, of an option why.
    pub reason: &'static str,
}

impl Input {
    /// An input that is always read.
    pub const fn new(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        Self { name, value_name, help, when: None, holds: Holds::Text(&[]), is_many: false }
    }

    /// One of integers, such as coefficients, points or values.
    pub const fn integers(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        Self { holds: Holds::Integers, ..Self::new(name, value_name, help) }
    }

    /// A vector whose length is a power of two.
    pub const fn vector(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        Self { holds: Holds::Vector, ..Self::new(name, value_name, help) }
    }

    /// Values 0 and 1 of a function.
    pub const fn bits(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        Self { holds: Holds::Bits, ..Self::new(name, value_name, help) }
    }

    /// The option with examples of its texts.
    #[must_use]
    pub const fn such_as(self, texts: &'static [&'static str]) -> Self {
        Self { holds: Holds::Text(texts), ..self }
    }

    /// A matrix.
    pub const fn matrix(name: &'static str, value_name: &'static str, help: &'static str) -> Self {
        Self { holds: Holds::Matrix, ..Self::new(name, value_name, help) }
    }
}

/// An option.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct DeclaredOption {
    /// Its name, without dashes.
    pub name: &'static str,
    /// Another name.
    pub alias: Option<&'static str>,
    /// What it sets, in one paragraph; more of them stand in the long help alone.
    pub help: &'static str,
    /// Its values.
    pub value: OptionKind,
    /// An option without which it means nothing.
    pub requires: Option<&'static str>,
    /// An option beside which it is not given.
    pub excludes: Option<&'static str>,
    /// A word of another option that it goes with.
    pub when: Option<When>,
    /// Whether it stands before the inputs, without its name.
    pub is_positional: bool,
    /// Whether it has to be given, where its values do not say so.
    pub is_required: bool,
    /// The heading in help that it stands under, with others.
    pub heading: Option<&'static str>,
}

impl DeclaredOption {
    /// An option without a value that nothing else depends on.
    pub const fn flag(name: &'static str, help: &'static str) -> Self {
        Self {
            name,
            alias: None,
            help,
            value: OptionKind::Flag,
            requires: None,
            excludes: None,
            when: None,
            is_positional: false,
            is_required: false,
            heading: None,
        }
    }

    /// The modulus, which has to be given.
    pub const MODULUS: Self = Self {
        value: OptionKind::Modulus { is_required: true },
        ..Self::flag("modulus", "The modulus: a prime below 2^63, or 18446744069414584321 = 2^64 - 2^32 + 1")
    };
}

/// The values of an option.
#[derive(Debug, Clone, Copy, Serialize)]
pub enum OptionKind {
    /// It is given or not.
    Flag,
    /// A modulus: a prime below `2^63`, or `2^64 - 2^32 + 1`.
    Modulus {
        /// Whether it has to be given.
        is_required: bool,
    },
    /// A modulus, or this one where none is given.
    ModulusOr {
        /// The modulus.
        default: u64,
    },
    /// A size: a whole number, also as a power such as `2^20`.
    Size {
        /// What help calls it.
        value_name: &'static str,
        /// Whether it has to be given.
        is_required: bool,
        /// The size where none is given.
        default: Option<u64>,
    },
    /// A whole number.
    Count {
        /// What help calls it.
        value_name: &'static str,
        /// Which numbers.
        range: Range,
        /// Whether it has to be given.
        is_required: bool,
        /// The number where none is given.
        default: Option<u64>,
    },
    /// One of these words, each with what it means; nothing where the word says it.
    Word {
        /// What help calls it.
        value_name: &'static str,
        /// The words.
        words: &'static [(&'static str, &'static str)],
        /// The word where none is given.
        default: Option<&'static str>,
    },
    /// A text of a form of its own, such as `3,3,3`, `0x5` or `0.5`.
    Text {
        /// What help calls it.
        value_name: &'static str,
        /// Why a text has not the form.
        #[serde(skip)]
        check: fn(&str) -> Result<(), String>,
        /// The text where none is given.
        default: Option<&'static str>,
        /// Whether it has to be given.
        is_required: bool,
    },
    /// Several texts, with commas between them or each after a name of the option; as a setting, with commas between them.
    List {
        /// What help calls it.
        value_name: &'static str,
        /// The texts where none is given.
        default: Option<&'static str>,
    },
    /// A file that is read, too: the inputs go on with those of the options, in their order.
    File {
        /// What help calls it.
        value_name: &'static str,
    },
    /// A file that is written beside the result ([`Answer::files`](crate::Answer::files)).
    Written {
        /// What help calls it.
        value_name: &'static str,
        /// The ends that its name may have; any where there are none.
        ends: &'static [&'static str],
    },
}

/// Whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Range {
    /// Below `2^32`.
    Short,
    /// Below `2^64`.
    Long,
    /// From 1 on, below `2^64`.
    Positive,
    /// From 1 on, below `2^32`.
    PositiveShort,
    /// From the first to the last of them.
    Within(u32, u32),
}
