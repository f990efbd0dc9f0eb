//! Projects in files.

use std::path::Path;

use manycore_files::{FileError, MatrixEntry, MatrixText, RepeatedEntries, read_all, shown_path};

use super::model::{Link, LinkKind, Project, Task};
use super::{csv, patterson, psplib};
use crate::error::MaxPlusError;
use crate::error::ProjectTextError;

/// The form of a project's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ProjectFormat {
    /// PSPLIB: `.sm` of one mode a job, and `.mm`, of whose modes the first of each job counts.
    SingleMode,
    /// `ProGen/max`, with time lags: `.sch`.
    TimeLags,
    /// Patterson: `.rcp`.
    Patterson,
    /// A table: `.csv`. Commas, semicolons or tabs separate fields, which may stand in quotes.
    Csv,
    /// A square matrix of least times between starts, in the Matrix Market or SMS format: `.mtx`, `.sms`. Entry `(i, j)` is the time
    /// from the start of task `j` to that of task `i`; tasks take no time themselves.
    Matrix,
}

impl ProjectFormat {
    /// The form that a file's name says.
    pub fn of(path: impl AsRef<Path>) -> Option<Self> {
        let extension = path.as_ref().extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "sm" | "mm" => Some(Self::SingleMode),
            "sch" => Some(Self::TimeLags),
            "rcp" => Some(Self::Patterson),
            "csv" => Some(Self::Csv),
            "mtx" | "sms" => Some(Self::Matrix),
            _ => None,
        }
    }
}

impl Project {
    /// The project of a text of this form; `file` is its name in messages.
    ///
    /// # Errors
    /// [`MaxPlusError::Text`] with the line that is wrong; those of [`Project::new`].
    pub fn parse(file: &str, text: &str, format: ProjectFormat) -> Result<Self, MaxPlusError> {
        let (tasks, links) = match format {
            ProjectFormat::SingleMode => psplib::single_mode(file, text)?,
            ProjectFormat::TimeLags => psplib::time_lags(file, text)?,
            ProjectFormat::Patterson => patterson::read(file, text)?,
            ProjectFormat::Csv => csv::read(file, text)?,
            ProjectFormat::Matrix => matrix(file, text)?,
        };
        Self::new(tasks, links)
    }

    /// The project of a file whose name says its form.
    ///
    /// # Errors
    /// As [`Project::parse`]; [`MaxPlusError::File`] for a file that cannot be read; [`MaxPlusError::Text`] for a name that says no
    /// form.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, MaxPlusError> {
        let path = path.as_ref();
        let file = shown_path(path);
        let Some(format) = ProjectFormat::of(path) else {
            let what = "the name ends in none of .sm, .mm, .sch, .rcp, .csv, .mtx and .sms".to_owned();
            return Err(ProjectTextError { file, line: 1, what }.into());
        };
        let opened = std::fs::File::open(path).map_err(|error| FileError::Read { file: file.clone(), error })?;
        let bytes = read_all(opened, &file)?;
        let text = manycore_files::decode(&bytes, &file)?;
        Self::parse(&file, &text, format)
    }
}

/// Tasks without durations, and links between their starts.
fn matrix(file: &str, text: &str) -> Result<(Vec<Task>, Vec<Link>), MaxPlusError> {
    let matrix = MatrixText::new(text.as_bytes(), file).map_err(MaxPlusError::Matrix)?;
    let (rows, columns) = (matrix.head().rows, matrix.head().columns);
    if rows != columns {
        return Err(MaxPlusError::Length { what: "columns of a square matrix", given: columns, expected: rows });
    }
    let mut links = Vec::new();
    let read = matrix.entries(RepeatedEntries::Keep, |entry: MatrixEntry<i64>| {
        links.push(Link { from: entry.column, to: entry.row, kind: LinkKind::StartStart, lag: entry.value });
        Ok(())
    });
    read.map_err(MaxPlusError::Matrix)?;
    if rows > crate::graph::MOST_NODES {
        return Err(MaxPlusError::TooManyNodes { nodes: rows });
    }
    Ok(((0..rows).map(|task| Task::new(task.to_string(), 0)).collect(), links))
}
