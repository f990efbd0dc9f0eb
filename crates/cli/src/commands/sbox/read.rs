//! S-boxes in files.

use manycore::{SBox, TableError};

use super::Arguments;
use crate::error::Error;
use crate::input::{self, InputError};

/// The S-box of a file.
pub(super) fn read(arguments: &Arguments) -> Result<SBox, Error> {
    let text = input::plain_text(&arguments.file)?;
    let wrong = |error| input::table_error(&arguments.file, &text, error);
    let base = if arguments.hex { 16 } else { 10 };
    if let Some(lines) = sboxes_by_lines(&text, base) {
        let file = input::name(&arguments.file);
        return Err(Error::Usage(format!(
            "{file}: each of its {lines} lines is a whole S-box: sbox compare reads one a line; write the outputs of one S-box in one line"
        )));
    }
    let sbox = SBox::parse(&text, base).map_err(|error| number_error(&text, arguments.hex, error, wrong))?;
    match arguments.output_bits {
        None => Ok(sbox),
        Some(bits) => Ok(SBox::new(bits, sbox.values().to_vec()).map_err(wrong)?),
    }
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
pub(super) fn number_error(
    text: &str,
    hexadecimal: bool,
    error: TableError,
    wrong: impl FnOnce(TableError) -> InputError,
) -> Error {
    match error {
        TableError::Number { .. } if !hexadecimal && SBox::parse(text, 16).is_ok() => {
            Error::Usage(format!("{}; --hex reads it as hexadecimal numbers", wrong(error)))
        }
        error => wrong(error).into(),
    }
}
