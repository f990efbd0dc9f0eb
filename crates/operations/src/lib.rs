#![doc = include_str!("../README.md")]

pub mod inputs;
mod list;

pub use list::ALL;

/// A public operation of the library, and where its parts are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Operation {
    /// Its name in the program, the benches and file names.
    pub name: &'static str,
    /// What it is called in the field.
    pub title: &'static str,
    /// What the library calls it in Rust: a type, a function or a method, which its tests name.
    pub item: &'static str,
    /// The folder of its implementation.
    pub folder: &'static str,
    /// The folder of its forms on the host and on devices and of their cost: its own, or that of an operation whose passes it
    /// takes.
    pub parts: &'static str,
    /// The names of its choices under `manycore explain` and `manycore tune`: none where it has one plan, or takes others' choices.
    /// Where there are any, a file counts the cost of its plans.
    pub choices: &'static [&'static str],
    /// Its page in the book, without the extension.
    pub page: &'static str,
    /// The file of its form in the program, without the extension.
    pub form: &'static str,
    /// The element types that it takes.
    pub elements: &'static str,
    /// The sizes that it takes.
    pub sizes: &'static str,
    /// How it runs on the host.
    pub host: &'static str,
    /// How it runs on an OpenCL device.
    pub opencl: &'static str,
    /// Its form in the `manycore` program.
    pub program: &'static str,
}

/// The operation with this name.
pub fn named(name: &str) -> Option<&'static Operation> {
    ALL.iter().find(|operation| operation.name == name)
}

/// The names of all choices under `manycore explain` and `manycore tune`, in the order of the list.
pub fn choices() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|operation| operation.choices.iter().copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_identifiers_and_differ() {
        let mut names: Vec<&str> = ALL.iter().map(|operation| operation.name).collect();
        let identifiers: Vec<String> = names.iter().map(|name| name.replace('-', "_")).collect();
        assert_eq!(identifiers, list::IDENTIFIERS);
        names.extend(choices().filter(|choice| named(choice).is_none()));
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
    }
}
