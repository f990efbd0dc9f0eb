//! Calls of operations for tests: every way that their options give, and random input of what they read.

use manycore_verify::SplitMix;

use crate::arguments::{Arguments, Setting};
use crate::declaration::{Declaration, DeclaredOption, Holds, OptionKind};
use crate::given::Given;

/// Texts to try for options that are required and have a form of their own: the first text of that form is taken.
const TEXTS: [&str; 2] = ["walsh", "2,3"];

/// The moduli of ways: of words of every length, and 2.
const MODULI: [u64; 5] = [2, 7, 2_147_483_647, 9_223_372_036_854_775_783, u64::MAX - (1 << 32) + 2];

impl Declaration {
    /// Ways of calling it: of the options of which one has to be given each, with every modulus and word; and each other option in each of
    /// its ways, once.
    ///
    /// ```
    /// use manycore_operation::{Arguments, Declaration, DeclaredOption, Setting};
    /// const RANK: Declaration = Declaration { options: &[DeclaredOption::MODULUS], ..Declaration::BASE };
    /// assert_eq!(RANK.ways()[1], Arguments::new().with("modulus", Setting::Number(7)));
    /// ```
    pub fn ways(&self) -> Vec<Arguments> {
        let kinds: Vec<Arguments> = if self.one_of.is_empty() {
            vec![Arguments::new()]
        } else {
            let of_kind = |option: &'static DeclaredOption| {
                settings(option).into_iter().map(|setting| Arguments::new().with(option.name, setting))
            };
            let given = self.one_of.iter().filter_map(|name| self.option(name)).flat_map(of_kind);
            given.collect()
        };
        let required = self.options.iter().filter(|option| option.is_required());
        let bases = required.fold(kinds, |bases, option| {
            let with = |base: &Arguments| {
                let way = |setting| base.clone().with(option.name, setting);
                settings(option).into_iter().map(way).collect::<Vec<_>>()
            };
            bases.iter().flat_map(with).collect()
        });
        let others =
            || self.options.iter().filter(|option| !option.is_required() && !self.one_of.contains(&option.name));
        let mut ways = bases.clone();
        for base in &bases {
            for option in others() {
                let taken = base.clone();
                ways.extend(
                    settings(option).into_iter().filter_map(|setting| self.beside(taken.clone(), option, setting)),
                );
            }
        }
        ways.into_iter().map(|way| self.with_defaults(way)).collect()
    }

    /// The way with one more option and what it goes with; `None` where they exclude each other.
    fn beside(&self, way: Arguments, option: &DeclaredOption, setting: Setting) -> Option<Arguments> {
        if option.excludes.is_some_and(|other| way.is_given(other)) {
            return None;
        }
        let way = match option.requires {
            Some(other) if !way.is_given(other) => way.with(self.option(other)?.name, Setting::Given),
            _ => way,
        };
        let way = match option.when {
            Some(when) if way.word(when.option) != Some(when.word) => {
                way.with(self.option(when.option)?.name, Setting::Word(when.word))
            }
            _ => way,
        };
        Some(way.with(option.name, setting))
    }

    /// Random input of about this size: lists of `size` numbers, of which the first is 0 or 1 where that is the size modulo 3, and matrices
    /// of `size` rows and columns. Inputs that other settings alone read are left out.
    pub fn input(&self, way: &Arguments, size: usize, random: &mut SplitMix) -> Given {
        let is_read = |when: Option<crate::When>| when.is_none_or(|when| way.word(when.option) == Some(when.word));
        let inputs = self.inputs.iter().filter(|input| is_read(input.when));
        inputs.fold(Given::new(), |given, input| {
            given.with(format!("{}.txt", input.name), text(input.holds, size, random))
        })
    }
}

/// The settings of an option that are tried.
fn settings(option: &DeclaredOption) -> Vec<Setting> {
    match option.value {
        OptionKind::Flag => vec![Setting::Given],
        OptionKind::Modulus { .. } | OptionKind::ModulusOr { .. } => MODULI.map(Setting::Number).into(),
        OptionKind::Size { .. } => [8, 1].map(Setting::Number).into(),
        OptionKind::Count { .. } => [1, 5].map(Setting::Number).into(),
        OptionKind::Word { words, .. } => words.iter().map(|&(word, _)| Setting::Word(word)).collect(),
        OptionKind::Text { check, default: None, is_required: true, .. } => {
            let text = TEXTS.into_iter().find(|text| check(text).is_ok());
            text.map(|text| Setting::Text(text.to_owned())).into_iter().collect()
        }
        OptionKind::Text { default, .. } | OptionKind::List { default, .. } => {
            default.map(|text| Setting::Text(text.to_owned())).into_iter().collect()
        }
        OptionKind::File { .. } | OptionKind::Written { .. } => Vec::new(),
    }
}

/// A text of what an input holds.
fn text(holds: Holds, size: usize, random: &mut SplitMix) -> String {
    let mut below = |most: u64| random.next_word() % most.max(1);
    match holds {
        Holds::Integers => {
            // Series that begin with 0 or 1 have powers that others have not.
            let number = |place: usize| match (place, size % 3) {
                (0, first @ (0 | 1)) => first as u64,
                _ => below(40),
            };
            (0..size).map(number).map(|number| number.to_string()).collect::<Vec<_>>().join(" ")
        }
        Holds::Vector | Holds::Bits => {
            let most = if matches!(holds, Holds::Bits) { 2 } else { 200 };
            let numbers = (0..size.next_power_of_two()).map(|_| below(most).to_string());
            numbers.collect::<Vec<_>>().join(" ")
        }
        Holds::Matrix => {
            let mut row = |_| (0..size).map(|_| (below(19) as i64 - 9).to_string()).collect::<Vec<_>>().join(" ");
            (0..size).map(&mut row).collect::<Vec<_>>().join("\n")
        }
        Holds::Text(texts) => {
            texts.get(size.checked_rem(texts.len()).unwrap_or(0)).copied().unwrap_or_default().to_owned()
        }
    }
}
