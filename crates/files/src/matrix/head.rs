//! The heads of matrix files.

/// A format of matrices as text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatrixFormat {
    /// Matrix Market: a head `%%MatrixMarket matrix FORM KIND SYMMETRY`, sizes, then entries; indices from 1.
    MatrixMarket,
    /// SMS: `ROWS COLUMNS M`, then `ROW COLUMN VALUE` with integers, indices from 1, and `0 0 0` at the end.
    Sms,
    /// Harwell-Boeing: compressed columns in fixed columns of characters.
    HarwellBoeing,
}

impl MatrixFormat {
    /// The format that a text begins like, by its first lines; `None` for other texts. Matrix Market begins with `%%`, with
    /// blanks and empty lines before it; Harwell-Boeing has a type such as `RUA` at the beginning of line 3; the first line of SMS that is no comment has three
    /// words, of which the last is `M`.
    pub fn of(text: &str) -> Option<Self> {
        if text.trim_start().starts_with("%%") {
            return Some(Self::MatrixMarket);
        }
        let letters = text.lines().nth(2).and_then(|line| line.split_whitespace().next()).unwrap_or_default();
        let mut letters = letters.bytes().map(|letter| letter.to_ascii_uppercase());
        if let [Some(b'R' | b'C' | b'I' | b'P'), Some(b'U' | b'S' | b'H' | b'Z' | b'R'), Some(b'A' | b'E'), None] =
            [letters.next(), letters.next(), letters.next(), letters.next()]
        {
            return Some(Self::HarwellBoeing);
        }
        let mut lines = text.lines().map(|line| line.split_once('#').map_or(line, |(words, _)| words));
        let first = lines.find(|line| !line.trim().is_empty())?;
        let mut words = first.split_whitespace();
        let [_, _, Some(last), None] = [words.next(), words.next(), words.next(), words.next()] else { return None };
        last.eq_ignore_ascii_case("m").then_some(Self::Sms)
    }
}

/// What the values of a matrix file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum MatrixKind {
    /// None: every entry is 1.
    Pattern,
    /// Integers.
    Integer,
    /// Real numbers.
    Real,
    /// Complex numbers.
    Complex,
}

/// The rule by which a file implies the entries above the diagonal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Symmetry {
    /// All entries are in the file.
    General,
    /// `A[j][i] = A[i][j]`.
    Symmetric,
    /// `A[j][i] = -A[i][j]`.
    SkewSymmetric,
    /// `A[j][i]` is the conjugate of `A[i][j]`.
    Hermitian,
}

impl Symmetry {
    /// The word for messages.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Symmetric => "symmetric",
            Self::SkewSymmetric => "skew-symmetric",
            Self::Hermitian => "Hermitian",
        }
    }
}

/// The head of a matrix file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MatrixHead {
    /// The format.
    pub format: MatrixFormat,
    /// The number of rows, below `2^32 - 1`.
    pub rows: usize,
    /// The number of columns, below `2^32 - 1`.
    pub columns: usize,
    /// Entries that the file has, without those that a symmetry implies, as it says; `None` for SMS, which does not say it.
    pub stored: Option<u64>,
    /// What the values are.
    pub kind: MatrixKind,
    /// The symmetry.
    pub symmetry: Symmetry,
    /// The line that names the kind, from 1.
    pub(super) line: usize,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formats_are_told_apart() {
        let cases = [
            ("%%MatrixMarket matrix", Some(MatrixFormat::MatrixMarket)),
            ("%% x", Some(MatrixFormat::MatrixMarket)),
            ("  \n\t %%MatrixMarket matrix", Some(MatrixFormat::MatrixMarket)),
            ("# c\n\n2 3 M # sizes\n", Some(MatrixFormat::Sms)),
            ("title\n1 1 1 1 0\nRSA   2 2 3 0\n", Some(MatrixFormat::HarwellBoeing)),
            ("1 2 M\n1 1 1\nrua 1 1 1 0", Some(MatrixFormat::HarwellBoeing)),
            ("1 2 3\n4 5 6\n7 8 9", None),
            ("1 2 M 4", None),
            ("x\ny\nRSAX 1", None),
            ("", None),
        ];
        for (text, format) in cases {
            assert_eq!(MatrixFormat::of(text), format, "{text}");
        }
    }
}
