//! The options that a program is built with: values of preprocessor names, and hints for NVIDIA's compiler.

use std::borrow::Cow;
use std::ffi::CString;
use std::fmt;

use crate::word::WordType;

/// Most kernels have no more defines.
const MOST_USUAL: usize = 20;

/// The bytes of a cache's line.
const LINE_BYTES: usize = 128;
/// NVIDIA's first target whose reads can ask for whole lines (PTX ISA, `ld`).
const WHOLE_LINES_TARGET: u32 = 75;

/// Values of preprocessor names that a unit is built with.
///
/// ```
/// use manycore_device::{Defines, WordType};
/// let defines = Defines::new().element(WordType::F64).set("LOG_TILE", 12);
/// assert_eq!(defines.to_string(), "-DELEMENT=double -DELEMENT_BYTES=8 -DELEMENT_FLOATING=1 -DLOG_TILE=12");
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Defines {
    pub(crate) element: Option<WordType>,
    pub(crate) wishes: Wishes,
    values: Vec<(&'static str, DefineValue)>,
}

/// Hints for NVIDIA's compiler beside the names.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(crate) struct Wishes {
    registers: Option<u32>,
    whole_lines: bool,
}

/// The value of a preprocessor name, made from an integer or a text. Planners look kernels up by their defines at every launch, so an
/// integer is kept as one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct DefineValue(Value);

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
enum Value {
    /// Of any type: equal numbers are equal defines.
    Integer(i128),
    Text(Cow<'static, str>),
}

impl fmt::Display for DefineValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Value::Integer(value) => value.fmt(f),
            Value::Text(value) => value.fmt(f),
        }
    }
}

impl From<&'static str> for DefineValue {
    fn from(value: &'static str) -> Self {
        Self(Value::Text(value.into()))
    }
}

impl From<String> for DefineValue {
    fn from(value: String) -> Self {
        Self(Value::Text(value.into()))
    }
}

macro_rules! integers {
    ($($word:ty)*) => {$(
        impl From<$word> for DefineValue {
            fn from(value: $word) -> Self {
                Self(Value::Integer(value as i128))
            }
        }
    )*};
}

integers! { i8 i16 i32 i64 u8 u16 u32 u64 usize }

impl Defines {
    /// No values: the unit's defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets one name; a value with white space is refused when a kernel is built with it.
    #[must_use]
    pub fn set(mut self, name: &'static str, value: impl Into<DefineValue>) -> Self {
        if self.values.capacity() == 0 {
            self.values.reserve(MOST_USUAL);
        }
        self.values.push((name, value.into()));
        self
    }

    /// What an integer was set to last; `None` for texts, numbers below 0, and names that were not set.
    pub(crate) fn integer(&self, name: &str) -> Option<usize> {
        match self.values.iter().rev().find(|value| value.0 == name)?.1.0 {
            Value::Integer(value) => value.try_into().ok(),
            Value::Text(_) => None,
        }
    }

    /// What a text was set to last; `None` for integers, and names that were not set.
    pub(crate) fn text(&self, name: &str) -> Option<&str> {
        match &self.values.iter().rev().find(|value| value.0 == name)?.1.0 {
            Value::Integer(_) => None,
            Value::Text(text) => Some(text),
        }
    }

    /// Sets the element type: `ELEMENT`, `ELEMENT_BYTES` and `ELEMENT_FLOATING`; a kernel's `element` arguments have it.
    #[must_use]
    pub fn element(mut self, element: WordType) -> Self {
        self.element = Some(element);
        self.set("ELEMENT", element.opencl_name())
            .set("ELEMENT_BYTES", element.bytes())
            .set("ELEMENT_FLOATING", u8::from(element.is_floating()))
    }

    /// Limits a work-item to `most` registers of 32 bits, so that more groups share a compute unit. A hint: only
    /// NVIDIA's compiler gets it, and results do not depend on it.
    #[must_use]
    pub fn registers(mut self, most: u32) -> Self {
        self.wishes.registers = Some(most);
        self
    }

    /// Declares that a group reads runs of `bytes` bytes, and its neighbours the runs beside them: for runs shorter than a cache line,
    /// whole lines are prefetched. A hint, as for registers; on an H200 columns in runs of 64 bytes move 1.4 times as fast.
    #[must_use]
    pub fn runs(mut self, bytes: usize) -> Self {
        self.wishes.whole_lines = bytes < LINE_BYTES;
        self
    }
}

impl fmt::Display for Defines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, (name, value)) in self.values.iter().enumerate() {
            write!(f, "{}-D{name}={value}", if i == 0 { "" } else { " " })?;
        }
        Ok(())
    }
}

/// As the end of a program's name.
impl fmt::Display for Wishes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(registers) = self.registers {
            write!(f, " @registers={registers}")?;
        }
        if self.whole_lines { f.write_str(" @lines") } else { Ok(()) }
    }
}

impl Wishes {
    /// The hints of the words behind a name; `None` for other words.
    pub(crate) fn parse<'a>(words: impl IntoIterator<Item = &'a str>) -> Option<Self> {
        let mut wishes = Self::default();
        for word in words {
            match word.strip_prefix("registers=") {
                Some(registers) => wishes.registers = Some(registers.parse().ok()?),
                None if word == "lines" => wishes.whole_lines = true,
                None => return None,
            }
        }
        Some(wishes)
    }

    /// The assembly text of NVIDIA's compiler with a limit of registers before each kernel's required group, and with reads
    /// of whole lines; `None` for other binaries, and where nothing changes.
    pub(crate) fn written_into(self, binary: &[u8]) -> Option<Vec<u8>> {
        let text = std::str::from_utf8(binary).ok()?.trim_end_matches('\0');
        let target = text.split_once(".target sm_")?.1;
        let digits = target.find(|c: char| !c.is_ascii_digit()).unwrap_or(target.len());
        let target: u32 = target[..digits].parse().ok()?;
        let mut wished = text.to_owned();
        if let Some(registers) = self.registers {
            wished = wished.replace("\n.reqntid", &format!("\n.maxnreg {registers}\n.reqntid"));
        }
        if self.whole_lines && target >= WHOLE_LINES_TARGET {
            // Types follow the space, or the path that is not coherent.
            for space in ["ld.global.", "ld.global.nc."] {
                for kind in ["v", "u", "s", "b", "f"] {
                    wished = wished.replace(&format!("{space}{kind}"), &format!("{space}L2::128B.{kind}"));
                }
            }
        }
        (wished != text).then(|| wished.into_bytes())
    }
}

/// The compiler's options; `None` where a define would be read as something else than it is.
///
/// Compilers make a quotient of `float` of one of `double` that is rounded to `float`, and divide with an error of 2.5 units
/// unless an option forbids it.
pub(crate) fn options(defines: &Defines, exact_quotients: bool) -> Option<CString> {
    let odd = |text: &str| text.contains(|c: char| c.is_whitespace() || c == '\0');
    if defines.values.iter().any(|(name, value)| odd(name) || odd(&value.to_string())) {
        return None;
    }
    CString::new(option_text(&defines.to_string(), exact_quotients)).ok()
}

/// The compiler's options with these defines.
pub(crate) fn option_text(defines: &str, exact_quotients: bool) -> String {
    let quotients = if exact_quotients { "-cl-fp32-correctly-rounded-divide-sqrt " } else { "" };
    format!("-cl-std=CL1.2 -cl-kernel-arg-info {quotients}{defines}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_of_registers_stands_before_each_required_group() {
        let text = b".version 9.0\n.target sm_90\n.entry f(\n)\n.reqntid 128, 1, 1\n{\n}\n\0";
        let most = |registers| Wishes { registers: Some(registers), whole_lines: false };
        let limited = most(64).written_into(text).map(|bytes| String::from_utf8(bytes).unwrap_or_default());
        let expected = ".version 9.0\n.target sm_90\n.entry f(\n)\n.maxnreg 64\n.reqntid 128, 1, 1\n{\n}\n";
        assert_eq!(limited.as_deref(), Some(expected));
        assert_eq!(most(64).written_into(b"\x7fELF"), None);
        assert_eq!(most(64).written_into(&[0xff, 0xfe]), None);
    }

    #[test]
    fn reads_from_memory_are_of_whole_lines() {
        let text = ".target sm_90\n\tld.global.u32 %r1, [%rd1];\n\tld.global.nc.v4.u32 {}, [%rd2];\n\tld.shared.u32 %r2, [%r3];\n\tst.global.f64 [%rd4], %fd1;\n";
        let whole = Wishes { registers: None, whole_lines: true };
        let wished = whole.written_into(text.as_bytes()).map(|bytes| String::from_utf8(bytes).unwrap_or_default());
        let expected = text.replace("global.u32", "global.L2::128B.u32").replace("nc.v4", "nc.L2::128B.v4");
        assert_eq!(wished, Some(expected));
        assert!(whole.written_into(text.replace("sm_90", "sm_90a").as_bytes()).is_some());
        assert_eq!(whole.written_into(text.replace("sm_90", "sm_70").as_bytes()), None);
        assert_eq!(whole.written_into(b".target sm_90\n\tst.global.f64 [%rd4], %fd1;\n"), None);
        assert_eq!(Wishes::default().written_into(text.as_bytes()), None);
    }

    #[test]
    fn options_are_what_the_defines_say() {
        assert!(options(&Defines::new().set("N", "3 -DM=4"), false).is_none());
        assert!(options(&Defines::new().set("N", "3\0"), true).is_none());
        assert_eq!(Defines::new().set("N", 3u8), Defines::new().set("N", 3i64));
        let text = options(&Defines::new().set("N", 3), true).unwrap();
        assert!(text.to_str().unwrap().ends_with(" -DN=3"), "{text:?}");
    }
}
