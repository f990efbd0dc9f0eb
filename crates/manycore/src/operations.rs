//! Every operation that is declared as data, by groups: what the program and packages for other languages are made from.

use manycore_operation::{Explain, Group, Operation};

/// The groups, in the order of help.
pub static GROUPS: [Group; 11] = [
    Group {
        word: "spectrum",
        title: "Compute the spectrum of a vector",
        has_languages: false,
        parts: &[
            &manycore_spectral::operations::ALL,
            &manycore_ntt::operations::ALL,
            &manycore_fourier::operations::ALL,
            &manycore_kronecker::operations::ALL,
        ],
        choices: &[
            &manycore_spectral::operations::CHOICES,
            &manycore_ntt::operations::CHOICES,
            &manycore_fourier::operations::CHOICES,
            &manycore_kronecker::operations::CHOICES,
        ],
    },
    Group {
        word: "characters",
        title: "Compute the character table of a finite Abelian group",
        has_languages: false,
        parts: &[&manycore_characters::operations::ALL],
        choices: &[&manycore_characters::operations::CHOICES],
    },
    Group {
        word: "boolean",
        title: "Properties of a Boolean function: spectrum, normal form, autocorrelation",
        has_languages: false,
        parts: &[&manycore_boolean::operations::FUNCTIONS],
        choices: &[],
    },
    Group {
        word: "sbox",
        title: "Compute the tables of an S-box",
        has_languages: false,
        parts: &[&manycore_boolean::operations::SBOXES],
        choices: &[&manycore_boolean::operations::CHOICES],
    },
    Group {
        word: "poly",
        title: "Compute with polynomials over a prime field",
        has_languages: true,
        parts: &[&manycore_poly::operations::ALL],
        choices: &[&manycore_poly::operations::CHOICES],
    },
    Group {
        word: "bivariate",
        title: "Solve systems of two polynomials in two variables over a prime field or the rationals",
        has_languages: false,
        parts: &[&manycore_bivariate::operations::ALL],
        choices: &[],
    },
    Group {
        word: "matrix",
        title: "Compute with matrices over a prime field, the integers, or in double precision",
        has_languages: true,
        parts: &[&manycore_linalg::operations::ALL],
        choices: &[&manycore_linalg::operations::CHOICES],
    },
    Group {
        word: "semiring",
        title: "Multiply matrices over a semiring: shortest, longest and widest paths",
        has_languages: false,
        parts: &[&manycore_semiring::operations::ALL],
        choices: &[&manycore_semiring::operations::CHOICES],
    },
    Group {
        word: "maxplus",
        title: "Longest paths, schedules and cycle means: max-plus algebra",
        has_languages: false,
        parts: &[&manycore_maxplus::operations::ALL],
        choices: &[&manycore_maxplus::operations::CHOICES],
    },
    Group {
        word: "sort",
        title: "Sort numbers, sparse words and lines of text",
        has_languages: false,
        parts: &[&manycore_sort::operations::ALL],
        choices: &[&manycore_sort::operations::CHOICES],
    },
    Group {
        word: "sparse",
        title: "Reorder, multiply and examine sparse matrices",
        has_languages: false,
        parts: &[&manycore_sparse::operations::ALL],
        choices: &[&manycore_sparse::operations::CHOICES],
    },
];

/// Every operation.
///
/// ```
/// let names: Vec<&str> = manycore::operations::all().map(|operation| operation.declaration().name).collect();
/// assert!(names.contains(&"matrix det") && names.contains(&"poly gcd"));
/// ```
pub fn all() -> impl Iterator<Item = &'static dyn Operation> {
    GROUPS.iter().flat_map(Group::operations)
}

/// The operation of a name, such as `poly gcd`.
pub fn named(name: &str) -> Option<&'static dyn Operation> {
    all().find(|operation| operation.declaration().name == name)
}

/// Every choice among candidates.
///
/// ```
/// let names: Vec<&str> = manycore::operations::choices().map(|choice| choice.declaration().name).collect();
/// assert!(names.contains(&"matrix-det") && names.contains(&"poly-gcd"));
/// ```
pub fn choices() -> impl Iterator<Item = &'static dyn Explain> {
    GROUPS.iter().flat_map(Group::choices)
}

/// The choice of a name, such as `poly-gcd`.
///
/// ```
/// use manycore::Device;
/// use manycore::operation::Task;
/// let choice = manycore::operations::choice("poly-gcd").unwrap();
/// let sizes = choice.declaration().arguments_of(&Task::of("poly-gcd", vec![("n", 1000)]))?;
/// let explained = choice.explain(&sizes, &Device::host())?;
/// assert!(explained.rows[0].estimate_seconds > 0.0);
/// # Ok::<(), manycore::operation::OperationError>(())
/// ```
pub fn choice(name: &str) -> Option<&'static dyn Explain> {
    choices().find(|choice| choice.declaration().name == name)
}

/// The declarations of all operations as a list in JSON, for packages of other languages.
pub fn json() -> String {
    manycore_operation::json::text(&all().map(Operation::declaration).collect::<Vec<_>>())
}

#[cfg(test)]
mod tests {
    use super::*;
    use manycore_operation::DeclaredOption;

    #[test]
    fn declarations_are_whole() {
        let mut names: Vec<&str> = Vec::new();
        for group in &GROUPS {
            for operation in group.operations() {
                let declaration = operation.declaration();
                let name = declaration.name;
                assert!(name == group.word || name.starts_with(&format!("{} ", group.word)), "{name}");
                assert!(!declaration.title.is_empty(), "{name}");
                assert!(declaration.about.is_empty() || declaration.about.contains("\n\n"), "{name}");
                assert!(declaration.help.contains("Examples:\n"), "{name}");
                let known = |option: &str| declaration.option(option).is_some();
                assert!(declaration.one_of.iter().all(|option| known(option)), "{name}");
                let of = |option: &DeclaredOption| option.requires.into_iter().chain(option.excludes).all(known);
                assert!(declaration.options.iter().all(of), "{name}");
                let whens = declaration.inputs.iter().filter_map(|input| input.when);
                let mut whens = whens.chain(declaration.options.iter().filter_map(|option| option.when));
                assert!(whens.all(|when| known(when.option)), "{name}");
                names.push(name);
            }
        }
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
