//! S-boxes as texts: outputs as decimal or hexadecimal numbers, one S-box or one a line.

use manycore_operation::{Arguments, Files, OperationError};

use super::read::{TextError, plain_text, table_error};
use crate::error::TableError;
use crate::sbox::SBox;

/// How an S-box was written.
pub(super) struct Names {
    pub(super) file: String,
    /// Whether all numbers of the file are hexadecimal.
    pub(super) hex: bool,
}

/// The S-box of a file.
pub(super) fn read(arguments: &Arguments, files: &mut dyn Files) -> Result<SBox, OperationError> {
    let text = plain_text(files, 0)?;
    let file = files.name(0);
    let wrong = |error| table_error(&file, &text, error);
    if let Some(lines) = sboxes_by_lines(&text, base(arguments)) {
        return Err(OperationError::usage(format!(
            "{file}: each of its {lines} lines is a whole S-box: sbox compare reads one a line; write the outputs of one S-box in one line"
        )));
    }
    let sbox = SBox::parse(&text, base(arguments)).map_err(|error| number_error(&text, arguments, error, wrong))?;
    match output_bits(arguments) {
        None => Ok(sbox),
        Some(bits) => Ok(SBox::new(bits, sbox.values().to_vec()).map_err(wrong)?),
    }
}

/// The S-boxes of a file, one a line, and the line of each, from 1.
pub(super) fn read_lines(
    arguments: &Arguments,
    files: &mut dyn Files,
) -> Result<(Vec<SBox>, Vec<usize>), OperationError> {
    let text = plain_text(files, 0)?;
    let file = files.name(0);
    let (mut sboxes, mut lines) = (Vec::new(), Vec::new());
    for (line, words) in (1..).zip(text.lines()).filter(|(_, words)| !words.trim().is_empty()) {
        let wrong = |error| TextError::Table { place: format!("{file}:{line}"), error };
        let sbox = SBox::parse(words, base(arguments)).map_err(|error| number_error(words, arguments, error, wrong))?;
        sboxes.push(match output_bits(arguments) {
            None => sbox,
            Some(bits) => SBox::new(bits, sbox.values().to_vec()).map_err(wrong)?,
        });
        lines.push(line);
    }
    if sboxes.is_empty() {
        return Err(TextError::Empty { file }.into());
    }
    Ok((sboxes, lines))
}

/// The base of numbers.
fn base(arguments: &Arguments) -> u32 {
    if arguments.is_given("hex") { 16 } else { 10 }
}

/// The output bits that were asked for.
pub(super) fn output_bits(arguments: &Arguments) -> Option<u32> {
    u32::try_from(arguments.number("output-bits")?).ok()
}

/// The number of lines of a text where there are several, and each is a permutation of as many bits as any other.
fn sboxes_by_lines(text: &str, base: u32) -> Option<usize> {
    let lines = text.lines().map(|line| line.split_once('#').map_or(line, |(numbers, _)| numbers));
    let sboxes: Option<Vec<SBox>> =
        lines.filter(|line| !line.trim().is_empty()).map(|line| SBox::parse(line, base).ok()).collect();
    let sboxes = sboxes.filter(|sboxes| sboxes.len() > 1)?;
    let is_whole = |sbox: &SBox| sbox.is_permutation() && sbox.input_bits() == sboxes[0].input_bits();
    sboxes.iter().all(is_whole).then_some(sboxes.len())
}

/// The error of a text that is no S-box, with a word on `--hex` where that would read it.
fn number_error(
    text: &str,
    arguments: &Arguments,
    error: TableError,
    wrong: impl FnOnce(TableError) -> TextError,
) -> OperationError {
    match error {
        TableError::Number { .. } if !arguments.is_given("hex") && SBox::parse(text, 16).is_ok() => {
            OperationError::usage(format!("{}; --hex reads it as hexadecimal numbers", wrong(error)))
        }
        error => wrong(error).into(),
    }
}
