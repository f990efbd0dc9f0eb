//! Files by their names: arrays of `.npz` archives, `.csv` files, and all others as they are.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use crate::error::FileError;
use crate::shown::shown_path;

/// Bytes that are read at once.
const BUFFER_BYTES: usize = 1 << 16;

/// The first bytes of a ZIP file, with files in it and without.
#[cfg(feature = "npy")]
const ARCHIVES: [&[u8]; 2] = [b"PK\x03\x04", b"PK\x05\x06"];

/// Opens a file for reading, and gives what errors call it. `FOLDER/FILE.npz:NAME` is an array of an archive, `FILE.npz` its only one;
/// of a file whose name ends in `.csv` the rows are read as text, a row a line, without a header.
///
/// # Errors
/// [`FileError`] where it cannot be read, or is no archive or CSV file that its name says.
pub fn opened(path: impl AsRef<Path>) -> Result<(Box<dyn BufRead>, String), FileError> {
    let path = path.as_ref();
    let file = shown_path(path);
    let open = |path: &Path, file: &str| {
        File::open(path)
            .map(|opened| BufReader::with_capacity(BUFFER_BYTES, opened))
            .map_err(|error| FileError::Read { file: file.to_owned(), error })
    };
    #[cfg(feature = "npy")]
    if let Some((archive, name)) = array_of_archive(path) {
        let file = shown_path(archive);
        let (array, file) = crate::npz::array(open(archive, &file)?, &file, Some(name))?;
        return Ok((Box::new(array), file));
    }
    let reader = open(path, &file)?;
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("csv")) {
        let bytes = crate::text::read_all(reader, &file)?;
        let text = crate::csv::text(&crate::decode::decode(&bytes, &file)?, &file)?;
        return Ok((Box::new(std::io::Cursor::new(text.into_bytes())), file));
    }
    unpacked(reader, file)
}

/// A reader of the only array of an archive, where `reader` is one of an archive; others as they are.
///
/// # Errors
/// As [`opened`].
#[cfg_attr(not(feature = "npy"), expect(clippy::unnecessary_wraps, reason = "as with archives"))]
pub(crate) fn unpacked<'a>(
    #[cfg_attr(not(feature = "npy"), expect(unused_mut, reason = "only archives are looked for"))] mut reader: impl BufRead
    + 'a,
    file: String,
) -> Result<(Box<dyn BufRead + 'a>, String), FileError> {
    #[cfg(feature = "npy")]
    {
        let is_archive = match reader.fill_buf() {
            Ok(bytes) => ARCHIVES.iter().any(|magic| bytes.starts_with(magic)),
            Err(error) => return Err(FileError::Read { file, error }),
        };
        if is_archive {
            let archive = std::io::Cursor::new(crate::text::read_all(reader, &file)?);
            let (array, file) = crate::npz::array(archive, &file, None)?;
            return Ok((Box::new(array), file));
        }
    }
    Ok((Box::new(reader), file))
}

/// The archive and the array's name of a path such as `FILE.npz:NAME`, unless there is a file of that name.
#[cfg(feature = "npy")]
fn array_of_archive(path: &Path) -> Option<(&Path, &str)> {
    const END: &str = ".npz:";
    let text = path.to_str()?;
    let at = text.to_ascii_lowercase().find(END)?;
    let (archive, name) = (&text[..at + END.len() - 1], &text[at + END.len()..]);
    (!name.is_empty() && !path.exists()).then_some((Path::new(archive), name))
}

#[cfg(test)]
mod tests {
    use std::io::Read as _;

    use super::*;
    use crate::Source;

    fn content(path: &Path) -> Result<String, String> {
        let (mut reader, _) = opened(path).map_err(|error| error.to_string())?;
        let mut text = String::new();
        reader.read_to_string(&mut text).map_err(|error| error.to_string())?;
        Ok(text)
    }

    #[test]
    fn names_tell_forms() {
        let folder = tempfile::tempdir().unwrap();
        let (csv, text) = (folder.path().join("a.CSV"), folder.path().join("a.txt"));
        for path in [&csv, &text] {
            std::fs::write(path, "x,y\n1,2\n").unwrap();
        }
        assert_eq!(content(&csv), Ok("\n1, 2".into()));
        assert_eq!(content(&text), Ok("x,y\n1,2\n".into()));
        let Source::Text(read) = Source::open_matrix(&csv).unwrap() else { panic!("a text") };
        let mut words = Vec::new();
        read.words(|line, word| {
            words.push((line, word.to_owned()));
            Ok::<(), FileError>(())
        })
        .unwrap();
        assert_eq!(words, [(2, "1".to_owned()), (2, "2".to_owned())]);
    }

    #[test]
    #[cfg(feature = "npy")]
    fn names_of_arrays_stand_behind_archives() {
        let parts =
            |path: &'static str| array_of_archive(Path::new(path)).map(|(file, name)| (file.to_str().unwrap(), name));
        assert_eq!(parts("no/such/a.npz:x"), Some(("no/such/a.npz", "x")));
        assert_eq!(parts("A.NPZ:x:y"), Some(("A.NPZ", "x:y")));
        assert_eq!((parts("a.npz"), parts("a.npz:"), parts("a.npy:x")), (None, None, None));
        let error = content(Path::new("no/such/a.npz:x")).unwrap_err();
        assert!(error.starts_with("no/such/a.npz: "), "{error}");
    }
}
