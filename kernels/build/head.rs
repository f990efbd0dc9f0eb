//! The head of a source: lines `// parts:`, `// unit:`, `// set:` and `// words:` among the comments before its code.

/// What the head of a file says.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Head {
    /// The first sentence of the file.
    pub(crate) title: String,
    /// The units that the file is built as, each with its parts; one without a name where no line `// unit:` stands.
    pub(crate) units: Vec<UnitHead>,
    /// Structs that are arguments: name, type of the words, and the define of their number.
    pub(crate) words: Vec<[String; 3]>,
}

/// What the head says of a unit.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct UnitHead {
    /// What is added to the file's name; empty where nothing is.
    pub(crate) name: String,
    /// Parts in order.
    pub(crate) parts: Vec<String>,
    /// Parameter sets beside the empty one: names with values, and types of elements without a name.
    pub(crate) sets: Vec<Vec<(String, String)>>,
}

impl Head {
    /// Reads the comments before the first line of code.
    ///
    /// # Errors
    /// The line that is not of its form.
    pub(crate) fn read(text: &str) -> Result<Self, String> {
        let mut head = Self { units: vec![UnitHead::default()], ..Self::default() };
        let comments = text.lines().take_while(|line| line.is_empty() || line.starts_with("//"));
        for (number, line) in (1..).zip(comments) {
            let content = line.trim_start_matches('/').trim();
            let wrong = |what: &str| format!("line {number}: {what}: {line}");
            if number == 1 || (!head.title.is_empty() && !head.title.ends_with(['.', ':']) && !content.is_empty()) {
                let (sentence, _) = content.split_once(". ").unwrap_or((content.trim_end_matches('.'), ""));
                head.title += if number == 1 { "" } else { " " };
                head.title += sentence;
                if content.ends_with('.') || content.contains(". ") {
                    head.title.push('.');
                }
            }
            let Some((key, values)) = content.split_once(": ").filter(|(key, _)| KEYS.contains(key)) else { continue };
            let mut values = values.split_whitespace().map(str::to_owned);
            if key == "unit" {
                let name = values.next().ok_or_else(|| wrong("a unit without a name"))?;
                if head.units == [UnitHead::default()] {
                    head.units.clear();
                }
                head.units
                    .push(UnitHead { name: if name == "-" { String::new() } else { name }, ..UnitHead::default() });
                continue;
            }
            let unit = head.units.last_mut().ok_or_else(|| wrong("no unit"))?;
            match key {
                "parts" => unit.parts.extend(values),
                "set" => unit.sets.push(values.map(|value| value_of(&value)).collect()),
                _ => {
                    let three: Vec<String> = values.collect();
                    let three = three.try_into().map_err(|_| wrong("not a struct, a type and a define"))?;
                    head.words.push(three);
                }
            }
        }
        Ok(head)
    }
}

const KEYS: [&str; 4] = ["parts", "unit", "set", "words"];

/// `NAME=value`, or a type of elements.
fn value_of(text: &str) -> (String, String) {
    text.split_once('=').map_or_else(|| (String::new(), text.to_owned()), |(name, value)| (name.into(), value.into()))
}
