//! Every operation that is declared as data, by groups: what the program and packages for other languages are made from.

use manycore_operation::{Group, Operation};

/// The groups, in the order of help.
pub static GROUPS: [Group; 9] = [
    Group {
        word: "spectrum",
        title: "Compute the spectrum of a vector",
        has_languages: false,
        parts: &[
            &manycore_spectral::operations::ALL,
            &manycore_transform::operations::ALL,
            &manycore_fourier::operations::ALL,
            &manycore_kronecker::operations::ALL,
        ],
    },
    Group {
        word: "characters",
        title: "Compute the character table of a finite Abelian group",
        has_languages: false,
        parts: &[&manycore_characters::operations::ALL],
    },
    Group {
        word: "boolean",
        title: "Properties of a Boolean function: spectrum, normal form, autocorrelation",
        has_languages: false,
        parts: &[&manycore_boolean::operations::FUNCTIONS],
    },
    Group {
        word: "sbox",
        title: "Compute the tables of an S-box",
        has_languages: false,
        parts: &[&manycore_boolean::operations::SBOXES],
    },
    Group {
        word: "poly",
        title: "Compute with polynomials over a prime field",
        has_languages: true,
        parts: &[&manycore_poly::operations::ALL],
    },
    Group {
        word: "bivariate",
        title: "Solve systems of two polynomials in two variables over a prime field or the rationals",
        has_languages: false,
        parts: &[&manycore_bivariate::operations::ALL],
    },
    Group {
        word: "matrix",
        title: "Compute with matrices over a prime field, the integers, or in double precision",
        has_languages: true,
        parts: &[&manycore_linalg::operations::ALL],
    },
    Group {
        word: "maxplus",
        title: "Longest paths, schedules and cycle means: max-plus algebra",
        has_languages: false,
        parts: &[&manycore_maxplus::operations::ALL],
    },
    Group {
        word: "sort",
        title: "Sort numbers, sparse words and lines of text",
        has_languages: false,
        parts: &[&manycore_sort::operations::ALL],
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
