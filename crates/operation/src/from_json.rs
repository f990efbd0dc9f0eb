//! Arguments from JSON: what packages for other languages call operations with.

use serde_json::{Map, Value};

use crate::arguments::{Arguments, Setting};
use crate::choice::size;
use crate::declaration::{Declaration, DeclaredOption, OptionKind, Range};
use crate::failure::OperationError;

impl Declaration {
    /// The arguments of an object that has a member for each option that is given: `true` for one without a value, a number, a word or
    /// a text; `false` and `null` stand for one that is not given.
    ///
    /// ```
    /// use manycore_operation::{Declaration, DeclaredOption};
    /// const RANK: Declaration = Declaration { options: &[DeclaredOption::MODULUS], ..Declaration::BASE };
    /// let arguments = RANK.arguments(serde_json::json!({ "modulus": 7 }).as_object().unwrap()).unwrap();
    /// assert_eq!(arguments.number("modulus"), Some(7));
    /// let error = RANK.arguments(serde_json::json!({ "moduli": 7 }).as_object().unwrap()).unwrap_err();
    /// assert_eq!(error.to_string(), "moduli: no option of this operation, which has modulus");
    /// ```
    ///
    /// # Errors
    /// The option that is not known, has no such value, is missing, or means nothing beside the others.
    pub fn arguments(&self, given: &Map<String, Value>) -> Result<Arguments, OperationError> {
        let is_given = |value: &Value| !matches!(value, Value::Null | Value::Bool(false));
        if let Some(unknown) = given.keys().find(|name| self.known(name).is_none()) {
            let known: Vec<&str> = self.options.iter().map(|option| option.name).collect();
            let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
            return Err(OperationError::usage(format!("{unknown}: no option of this operation, which has {known}")));
        }
        let mut arguments = Arguments::new();
        for option in self.options {
            let names = [Some(option.name), option.alias];
            let value = names.into_iter().flatten().find_map(|name| given.get(name)).filter(|value| is_given(value));
            if let Some(value) = value {
                arguments = arguments.with(option.name, setting(option, value)?);
            }
        }
        self.refuse(&arguments)?;
        Ok(self.with_defaults(arguments))
    }

    /// The arguments of the text of such an object; an empty text has none.
    ///
    /// # Errors
    /// Those of [`Declaration::arguments`]; a text that is no object.
    pub fn arguments_of_text(&self, text: &str) -> Result<Arguments, OperationError> {
        if text.trim().is_empty() {
            return self.arguments(&Map::new());
        }
        let given: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| OperationError::usage(format!("options are no object of JSON: {error}")))?;
        self.arguments(&given)
    }

    /// The option of a name, or of another name.
    fn known(&self, name: &str) -> Option<&'static DeclaredOption> {
        self.options.iter().find(|option| option.name == name || option.alias == Some(name))
    }

    /// The arguments with the options that have a value where none is given.
    pub(crate) fn with_defaults(&self, arguments: Arguments) -> Arguments {
        self.options.iter().fold(arguments, |all, option| match option.default() {
            Some(setting) if !all.is_given(option.name) => all.with(option.name, setting),
            _ => all,
        })
    }

    /// Refuses arguments of which some are missing, exclude each other, or mean nothing beside the others.
    fn refuse(&self, arguments: &Arguments) -> Result<(), OperationError> {
        let all = self.with_defaults(arguments.clone());
        let usage = |message: String| Err(OperationError::usage(message));
        let kinds: Vec<&str> = self.one_of.iter().copied().filter(|name| arguments.is_given(name)).collect();
        if !self.one_of.is_empty() && kinds.len() != 1 {
            return usage(format!("one of {} has to be given, and no two", self.one_of.join(", ")));
        }
        for option in self.options {
            let name = option.name;
            if !arguments.is_given(name) {
                if option.is_required() {
                    return usage(format!("{name} is missing"));
                }
                continue;
            }
            if let Some(other) = option.requires.filter(|other| !arguments.is_given(other)) {
                return usage(format!("{name} goes with {other}"));
            }
            if let Some(other) = option.excludes.filter(|other| arguments.is_given(other)) {
                return usage(format!("{name} does not go with {other}"));
            }
            if let Some(when) = option.when.filter(|when| all.word(when.option) != Some(when.word)) {
                return usage(format!("{name} goes with {} {}: {}", when.option, when.word, when.reason));
            }
        }
        Ok(())
    }
}

impl DeclaredOption {
    /// Whether it has to be given.
    pub fn is_required(&self) -> bool {
        self.is_positional
            || self.is_required
            || match self.value {
                OptionKind::Modulus { is_required }
                | OptionKind::Size { is_required, .. }
                | OptionKind::Count { is_required, .. }
                | OptionKind::Text { is_required, .. } => is_required,
                OptionKind::Flag
                | OptionKind::ModulusOr { .. }
                | OptionKind::Word { .. }
                | OptionKind::List { .. }
                | OptionKind::File { .. }
                | OptionKind::Written { .. } => false,
            }
    }

    /// Its value where none is given.
    pub fn default(&self) -> Option<Setting> {
        match self.value {
            OptionKind::ModulusOr { default } => Some(Setting::Number(default)),
            OptionKind::Size { default, .. } | OptionKind::Count { default, .. } => default.map(Setting::Number),
            OptionKind::Word { default, .. } => default.map(Setting::Word),
            OptionKind::Text { default, .. } | OptionKind::List { default, .. } => {
                default.map(|text| Setting::Text(text.to_owned()))
            }
            OptionKind::Flag | OptionKind::Modulus { .. } | OptionKind::File { .. } | OptionKind::Written { .. } => {
                None
            }
        }
    }
}

/// The setting that a value of JSON is.
fn setting(option: &DeclaredOption, value: &Value) -> Result<Setting, OperationError> {
    let name = option.name;
    let refused = |expected: String| OperationError::usage(format!("{name} is {value}, and must be {expected}"));
    // Numbers past 2^53 are strings in JSON of some writers.
    let number = || value.as_u64().or_else(|| value.as_str()?.parse().ok());
    match option.value {
        OptionKind::Flag | OptionKind::File { .. } | OptionKind::Written { .. } => match value {
            Value::Bool(true) => Ok(Setting::Given),
            _ => Err(refused("true or false".to_owned())),
        },
        OptionKind::Modulus { .. } | OptionKind::ModulusOr { .. } => {
            number().map(Setting::Number).ok_or_else(|| refused("a prime below 2^64".to_owned()))
        }
        OptionKind::Size { .. } => match value.as_str() {
            Some(text) => {
                size(text).map(Setting::Number).map_err(|reason| OperationError::usage(format!("{name}: {reason}")))
            }
            None => number().map(Setting::Number).ok_or_else(|| refused("a size, such as 1024 or \"2^10\"".to_owned())),
        },
        OptionKind::Count { range, .. } => {
            number().filter(|&number| range.holds(number)).map(Setting::Number).ok_or_else(|| refused(range.text()))
        }
        OptionKind::Word { words, .. } => {
            let known = || words.iter().map(|(word, _)| *word).collect::<Vec<_>>();
            let given = value.as_str().and_then(|given| known().into_iter().find(|word| *word == given));
            given.map(Setting::Word).ok_or_else(|| refused(format!("one of {}", known().join(", "))))
        }
        OptionKind::List { .. } => match value {
            Value::String(text) => Ok(Setting::Text(text.clone())),
            Value::Array(texts) => {
                let texts: Option<Vec<&str>> = texts.iter().map(Value::as_str).collect();
                texts.map(|texts| Setting::Text(texts.join(","))).ok_or_else(|| refused("a list of texts".to_owned()))
            }
            _ => Err(refused("a list of texts".to_owned())),
        },
        OptionKind::Text { check, .. } => {
            // A number stands for its digits.
            let text = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            match check(&text) {
                Ok(()) => Ok(Setting::Text(text)),
                Err(reason) => Err(OperationError::usage(format!("{name}: {reason}"))),
            }
        }
    }
}

impl Range {
    /// Whether it has a number.
    pub fn holds(self, number: u64) -> bool {
        match self {
            Self::Short => u32::try_from(number).is_ok(),
            Self::Long => true,
            Self::Positive => number > 0,
            Self::PositiveShort => number > 0 && u32::try_from(number).is_ok(),
            Self::Within(first, last) => (u64::from(first)..=last.into()).contains(&number),
        }
    }

    /// The numbers, in words.
    fn text(self) -> String {
        match self {
            Self::Short => "a whole number below 2^32".to_owned(),
            Self::Long => "a whole number below 2^64".to_owned(),
            Self::Positive => "a whole number from 1 on, below 2^64".to_owned(),
            Self::PositiveShort => "a whole number from 1 on, below 2^32".to_owned(),
            Self::Within(first, last) => format!("a whole number from {first} to {last}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::declaration::When;

    const OPTIONS: &[DeclaredOption] = &[
        DeclaredOption::MODULUS,
        DeclaredOption::flag("exact", "Exact"),
        DeclaredOption { excludes: Some("exact"), ..DeclaredOption::flag("fast", "Fast") },
        DeclaredOption {
            value: OptionKind::Word { value_name: "W", words: &[("one", ""), ("two", "")], default: Some("one") },
            ..DeclaredOption::flag("way", "Which")
        },
        DeclaredOption {
            value: OptionKind::Count { value_name: "N", range: Range::Within(1, 9), is_required: false, default: None },
            when: Some(When { option: "way", word: "two", reason: "one has no rows" }),
            ..DeclaredOption::flag("rows", "Rows")
        },
    ];
    const DECLARATION: Declaration = Declaration { options: OPTIONS, ..Declaration::BASE };

    fn of(value: &Value) -> Result<Arguments, String> {
        DECLARATION.arguments(value.as_object().unwrap()).map_err(|error| error.to_string())
    }

    #[test]
    fn arguments_are_those_of_the_object() {
        let arguments =
            of(&json!({ "modulus": "18446744069414584321", "rows": 9, "way": "two", "exact": false })).unwrap();
        assert_eq!(arguments.number("modulus"), Some(u64::MAX - (1 << 32) + 2));
        assert_eq!((arguments.number("rows"), arguments.is_given("exact")), (Some(9), false));
        assert_eq!(of(&json!({ "modulus": 7 })).unwrap().word("way"), Some("one"));
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (value, message) in [
            (json!({}), "modulus is missing"),
            (json!({ "modulus": -7 }), "modulus is -7, and must be a prime below 2^64"),
            (json!({ "modulus": 7, "exact": 3 }), "exact is 3, and must be true or false"),
            (json!({ "modulus": 7, "exact": true, "fast": true }), "fast does not go with exact"),
            (json!({ "modulus": 7, "way": "three" }), "way is \"three\", and must be one of one, two"),
            (json!({ "modulus": 7, "rows": 2 }), "rows goes with way two: one has no rows"),
            (json!({ "modulus": 7, "way": "two", "rows": 10 }), "rows is 10, and must be a whole number from 1 to 9"),
        ] {
            assert_eq!(of(&value).unwrap_err(), message);
        }
    }
}
