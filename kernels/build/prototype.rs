//! Signatures of kernels, read from their prototypes.

/// A kernel as its prototype declares it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Prototype {
    pub(crate) name: String,
    pub(crate) arguments: Vec<Argument>,
}

/// An argument: the name of its type in OpenCL C without qualifiers and width, whether it is memory, and read only.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Argument {
    pub(crate) name: String,
    pub(crate) word: String,
    pub(crate) is_memory: bool,
    pub(crate) is_read_only: bool,
}

/// The kernels of a text in their order.
///
/// # Errors
/// What of a prototype is not understood.
pub(crate) fn prototypes(text: &str) -> Result<Vec<Prototype>, String> {
    let text: String = text.lines().map(|line| line.split("//").next().unwrap_or_default().to_owned() + "\n").collect();
    text.split("__kernel").skip(1).map(prototype).collect()
}

/// The prototype at the start of a text, behind the word `__kernel`.
fn prototype(text: &str) -> Result<Prototype, String> {
    let wrong = |what: &str| format!("{what}: __kernel {}", text.lines().next().unwrap_or_default());
    let (before, after) = text.split_once("void ").ok_or_else(|| wrong("no `void`"))?;
    let before = before.trim();
    if !(before.is_empty() || before.starts_with("__attribute__((") && before.ends_with("))")) {
        return Err(wrong("something other than an attribute before `void`"));
    }
    let (name, after) = after.split_once('(').ok_or_else(|| wrong("no arguments"))?;
    let (arguments, _) = after.split_once(')').ok_or_else(|| wrong("arguments without an end"))?;
    let arguments = arguments.split(',').map(|text| argument(text).ok_or_else(|| wrong(text.trim())));
    Ok(Prototype { name: name.trim().to_owned(), arguments: arguments.collect::<Result<_, _>>()? })
}

fn argument(text: &str) -> Option<Argument> {
    let text = text.replace('*', " * ");
    let mut words: Vec<&str> = text.split_whitespace().filter(|&word| word != "restrict").collect();
    let name = words.pop()?.to_owned();
    let is_memory = words.contains(&"*");
    let is_read_only = words.contains(&"const");
    if is_memory != (words.first() == Some(&"__global")) {
        return None;
    }
    words.retain(|word| !["__global", "const", "*"].contains(word));
    let [word] = words[..] else { return None };
    // A vector's words are its elements; `ELEMENT` and other names of defines have no width.
    let plain = word.trim_end_matches(|c: char| c.is_ascii_digit());
    let word = if is_memory && TYPES.contains(&plain) { plain } else { word };
    Some(Argument { name, word: word.to_owned(), is_memory, is_read_only })
}

/// The types of words.
pub(crate) const TYPES: [&str; 10] =
    ["uchar", "char", "ushort", "short", "uint", "int", "ulong", "long", "float", "double"];
