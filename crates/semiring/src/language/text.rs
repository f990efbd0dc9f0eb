//! Programs as text: a statement a line, each of what stands before it.

use manycore_operation::files::shown;

use super::error::ProgramTextError;
use super::expression::Expression;
use crate::operations::kind::Kind;

/// A statement: a name, and what it is.
#[derive(Debug, Clone)]
pub struct Statement {
    pub(crate) name: String,
    pub(crate) what: What,
    pub(crate) line: usize,
}

impl Statement {
    /// Whether the statement makes the program's integers have infinities.
    pub(crate) fn has_infinities(&self) -> bool {
        match &self.what {
            What::Product(kind, ..) => kind.has_infinities(),
            What::Function(_, expression) | What::Map(_, expression) => expression.has_infinity(),
            What::Reduce(fold, ..) => *fold != Fold::Sum,
            What::Matrix(_) | What::Transpose(_) | What::Output(_) => false,
        }
    }
}

/// What a statement makes; operands by their statements, from 0.
#[derive(Debug, Clone)]
pub(crate) enum What {
    Matrix(String),
    Function([u64; 2], Expression),
    Product(Kind, usize, usize),
    Map(Vec<usize>, Expression),
    Transpose(usize),
    Reduce(Fold, Lines, usize),
    Output(usize),
}

impl What {
    /// The statements that it reads.
    pub(crate) fn operands(&self) -> Vec<usize> {
        match self {
            Self::Matrix(_) | Self::Function(..) => Vec::new(),
            Self::Product(_, a, b) => vec![*a, *b],
            Self::Map(operands, _) => operands.clone(),
            Self::Transpose(a) | Self::Reduce(_, _, a) | Self::Output(a) => vec![*a],
        }
    }
}

/// A sum of lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fold {
    Sum,
    Max,
    Min,
}

/// What is summed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Lines {
    Rows,
    Columns,
}

/// The statements of a text; `file` names it in errors.
pub(crate) fn parse(text: &str, file: &str) -> Result<Vec<Statement>, ProgramTextError> {
    let mut statements: Vec<Statement> = Vec::new();
    for (line, whole) in (1..).zip(text.lines()) {
        let content = whole.split('#').next().unwrap_or_default();
        if content.trim().is_empty() {
            continue;
        }
        let statement = statement(content, &statements)
            .map(|(name, what)| Statement { name, what, line })
            .map_err(|what| ProgramTextError::Statement { file: file.to_owned(), line, what })?;
        statements.push(statement);
    }
    if !statements.iter().any(|statement| matches!(statement.what, What::Output(_))) {
        return Err(ProgramTextError::NoOutput { file: file.to_owned() });
    }
    Ok(statements)
}

/// A statement without its line, or what is wrong with it, from the column on.
fn statement(content: &str, before: &[Statement]) -> Result<(String, What), String> {
    let known = |name: &str| {
        let found = before.iter().position(|made| made.name == name && !matches!(made.what, What::Output(_)));
        found.ok_or_else(|| format!(" \"{}\" is no matrix that stands before", shown(name)))
    };
    let mut words = content.split_whitespace();
    let first = words.next().unwrap_or_default();
    if first == "output" {
        let of = words.next().ok_or(" output of what?")?;
        return match words.next() {
            None => Ok((of.to_owned(), What::Output(known(of)?))),
            Some(more) => Err(format!(" \"{}\" behind an output", shown(more))),
        };
    }
    let form = " a statement is \"NAME = ...\" or \"output NAME\"".to_owned();
    let (name, rest) = content.split_once('=').ok_or_else(|| form.clone())?;
    let name = name.trim();
    let is_name = name.chars().all(|c| c.is_alphanumeric() || c == '_') && !name.is_empty();
    if !is_name {
        return Err(form);
    }
    if before.iter().any(|made| made.name == name && !matches!(made.what, What::Output(_))) {
        return Err(format!(" \"{}\" is made twice", shown(name)));
    }
    // Functions stand behind a colon.
    let (head, function) = rest.split_once(':').map_or((rest, None), |(head, function)| (head, Some(function)));
    let column = content.len() - function.map_or(0, str::len);
    let parse = |variables: &str| {
        let text = function.ok_or_else(|| " a function is expected behind a colon".to_owned())?;
        Expression::parse(text, variables).map_err(|mut wrong| {
            wrong.column += content[..column].chars().count();
            wrong.to_string()
        })
    };
    let words: Vec<&str> = head.split_whitespace().collect();
    let what = match words[..] {
        ["matrix", _, ..] if function.is_none() => {
            What::Matrix(head.trim_start().trim_start_matches("matrix").trim().to_owned())
        }
        ["function", rows, columns] => {
            let size =
                |word: &str| word.parse().map_err(|_| format!(" \"{}\" is no number of rows or columns", shown(word)));
            What::Function([size(rows)?, size(columns)?], parse("xy")?)
        }
        ["product", semiring, a, b] if function.is_none() => {
            let kind = Kind::of_name(semiring).ok_or_else(|| {
                format!(" \"{}\" is no semiring: {}", shown(semiring), Kind::ALL.map(Kind::name).join(", "))
            })?;
            What::Product(kind, known(a)?, known(b)?)
        }
        ["map", a] => What::Map(vec![known(a)?], parse("axy")?),
        ["map", a, b] => What::Map(vec![known(a)?, known(b)?], parse("abxy")?),
        ["transpose", a] if function.is_none() => What::Transpose(known(a)?),
        [fold @ ("sum" | "max" | "min"), lines @ ("rows" | "columns"), a] if function.is_none() => {
            let fold = match fold {
                "sum" => Fold::Sum,
                "max" => Fold::Max,
                _ => Fold::Min,
            };
            What::Reduce(fold, if lines == "rows" { Lines::Rows } else { Lines::Columns }, known(a)?)
        }
        _ => {
            return Err(format!(
                " \"{}\" is none of: matrix FILE, function ROWS COLUMNS: F, product SEMIRING A B, map A: F, map A B: F, \
                 transpose A, sum|max|min rows|columns A",
                shown(rest.trim())
            ));
        }
    };
    Ok((name.to_owned(), what))
}
