//! Files that are written beside a result.

use std::path::{Path, PathBuf};

use manycore::files::{Target, shown_path};
use manycore::operation::OptionKind;

use super::called::Called;
use crate::destination;
use crate::error::Error;
use crate::global::Global;
use crate::output;

/// The files that were asked for, looked at before the work begins: each with its option; `None` for standard output.
pub(super) struct Beside(Vec<(&'static str, Option<Target>)>);

impl Beside {
    /// Looks at the files of a call.
    ///
    /// # Errors
    /// [`Error::Usage`] where the result goes to the same place or a name has another end; [`Error::Output`].
    pub(super) fn of(called: &Called, global: &Global) -> Result<Self, Error> {
        let declaration = called.declaration();
        let target = |(name, path): &(&'static str, PathBuf)| {
            let ends = match declaration.option(name).map(|option| option.value) {
                Some(OptionKind::Written { ends, .. }) => ends,
                _ => &[],
            };
            if let Some(what) = declaration.standard_output {
                if path == Path::new("-") {
                    return Err(Error::Usage(format!("--{name} -: standard output is for {what}: name a file")));
                }
                if destination::file(global) == Some(path) {
                    return Err(Error::Usage(format!("{}: --{name} and -o name one file", shown_path(path))));
                }
            }
            if ends.contains(&"html") {
                return Ok((*name, destination::page(Some(path), global)?));
            }
            Ok((*name, destination::beside(&format!("--{name}"), (path, ends), global)?))
        };
        called.written.iter().map(target).collect::<Result<_, Error>>().map(Self)
    }

    /// Writes them.
    ///
    /// # Errors
    /// [`Error::Output`].
    pub(super) fn write(self, files: &[(&'static str, Vec<u8>)], global: &Global) -> Result<(), Error> {
        for (name, target) in self.0 {
            let Some((_, bytes)) = files.iter().find(|(known, _)| *known == name) else { continue };
            if let Some(target) = target {
                target.write(|out| out.write_all(bytes)).map_err(destination::output_error)?;
            } else {
                let alone = Global { output: None, target: None, ..global.clone() };
                output::write(&alone, |out| out.write_all(bytes))?;
            }
        }
        Ok(())
    }
}
