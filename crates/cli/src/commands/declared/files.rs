//! The files of a call, as an operation reads them.

use std::ops::Range;
use std::path::{Path, PathBuf};

use manycore::FileError;
use manycore::files::Source;
use manycore::operation::vector::NumberType;
use manycore::operation::{Files, left};

use super::called::Called;
use super::mapped;
use crate::global::Global;
use crate::input;
use crate::progress;
use crate::shard;

/// The files of a command.
pub(super) struct Opened<'a> {
    called: &'a Called,
    global: &'a Global,
    /// Whether the shard has no item of the work.
    pub(super) is_without_part: bool,
}

impl<'a> Opened<'a> {
    pub(super) fn new(called: &'a Called, global: &'a Global) -> Self {
        Self { called, global, is_without_part: false }
    }

    /// The path of an input; what is read and was not named stands for nothing.
    fn path(&self, input: usize) -> &'a Path {
        self.called.files.get(input).and_then(Option::as_deref).unwrap_or(Path::new(""))
    }

    /// The path of an input that is read now.
    fn reading(&self, input: usize) -> &'a Path {
        let path = self.path(input);
        progress::step(format!("reading {}", input::name(path)));
        path
    }
}

impl Files for Opened<'_> {
    fn numbers(&mut self, input: usize) -> Result<Source<'static>, FileError> {
        input::open(self.reading(input))
    }

    fn parts(&mut self, input: usize) -> Result<(Source<'static>, bool), FileError> {
        input::open_parts(self.reading(input))
    }

    fn left(&mut self, input: usize, types: &[(&str, NumberType)]) -> Result<Option<left::Numbers>, FileError> {
        mapped::of_types(self.reading(input), types, self.global)
    }

    fn matrix(&mut self, input: usize) -> Result<Source<'static>, FileError> {
        input::open_matrix(self.reading(input))
    }

    fn named_matrix(&mut self, input: usize, name: &str) -> Result<Source<'static>, FileError> {
        let folder = self.path(input).parent().unwrap_or(Path::new(""));
        let path = if name == "-" { PathBuf::from(name) } else { folder.join(name) };
        progress::step(format!("reading {}", input::name(&path)));
        input::open_matrix(&path)
    }

    fn name(&self, input: usize) -> String {
        input::name(self.path(input))
    }

    fn path(&self, input: usize) -> Option<PathBuf> {
        let path = Self::path(self, input);
        (path != Path::new("-")).then(|| path.to_owned())
    }

    fn count(&self) -> usize {
        self.called.files.len()
    }

    fn text(&mut self, input: usize) -> Result<String, FileError> {
        input::lines_of_text(self.reading(input))
    }

    fn bytes(&mut self, input: usize) -> Result<Vec<u8>, FileError> {
        input::bytes(self.reading(input))
    }

    fn earlier(&self, input: usize) -> Option<usize> {
        let path = self.path(input);
        self.called.files[..input].iter().position(|earlier| earlier.as_deref() == Some(path))
    }

    fn is_kept(&self) -> bool {
        self.global.verify || shard::is_on(self.global)
    }

    fn part(&mut self, items: usize) -> Range<usize> {
        let part = shard::range(self.global, items);
        self.is_without_part |= part.is_none();
        part.unwrap_or(0..0)
    }

    fn is_part(&self) -> bool {
        shard::is_on(self.global)
    }
}
