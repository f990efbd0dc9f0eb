//! Arrays of `.npz` archives: ZIP files of `.npy` arrays, stored or deflated (`numpy.savez`, `numpy.savez_compressed`).

use std::io::{Cursor, Read, Seek};

use zip::ZipArchive;
use zip::result::ZipError;

use crate::error::FileError;
use crate::shown::shown;
use crate::text::read_all;

/// Names that an error lists, at most.
const MOST_NAMES: usize = 8;

/// The bytes of one array of an archive, which errors call `file`, and what errors call the array: of that with this name, or of
/// the only one.
pub(crate) fn array(
    archive: impl Read + Seek,
    file: &str,
    name: Option<&str>,
) -> Result<(Cursor<Vec<u8>>, String), FileError> {
    let wrong = |reason: String| FileError::Npy { file: file.to_owned(), reason };
    let broken = |error: &ZipError| wrong(format!("no .npz archive that is read here: {error}"));
    let mut archive = ZipArchive::new(archive).map_err(|error| broken(&error))?;
    let mut names: Vec<String> =
        archive.file_names().filter_map(|name| Some(name.ok()?.strip_suffix(".npy")?.to_owned())).collect();
    names.sort_unstable();
    let list = || {
        let shown: Vec<String> = names.iter().take(MOST_NAMES).map(|name| shown(name)).collect();
        let more = if names.len() > MOST_NAMES { ", ..." } else { "" };
        format!("{}{more}", shown.join(", "))
    };
    let name = match (name, &names[..]) {
        (_, []) => return Err(wrong("an archive without arrays".into())),
        (Some(name), names) if names.iter().any(|other| other == name) => name,
        (Some(name), _) => return Err(wrong(format!("no array `{}` in the archive: it has {}", shown(name), list()))),
        (None, [only]) => only,
        (None, names) => {
            return Err(wrong(format!(
                "an archive of {} arrays, {}: name one, as in {file}:NAME",
                names.len(),
                list()
            )));
        }
    };
    let file = format!("{file}:{}", shown(name));
    let entry = archive.by_name(&format!("{name}.npy")).map_err(|error| broken(&error))?;
    let bytes = read_all(entry, &file)?;
    Ok((Cursor::new(bytes), file))
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use zip::write::{SimpleFileOptions, ZipWriter};

    use super::*;
    use crate::{FileError, Source, write_npy, write_npy_matrix};

    fn archive(method: zip::CompressionMethod, arrays: &[(&str, &[i64])]) -> Vec<u8> {
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        for (name, values) in arrays {
            writer.start_file(format!("{name}.npy"), SimpleFileOptions::default().compression_method(method)).unwrap();
            let mut bytes = Vec::new();
            write_npy(&mut bytes, values).unwrap();
            writer.write_all(&bytes).unwrap();
        }
        writer.finish().unwrap().into_inner()
    }

    fn numbers(source: Result<Source<'_>, FileError>) -> Result<Vec<i128>, String> {
        let read = || {
            let Source::Array(array) = source? else { return Ok(Vec::new()) };
            let mut numbers = Vec::new();
            array.each(|_, number| {
                numbers.extend(number.integer());
                Ok::<(), FileError>(())
            })?;
            Ok(numbers)
        };
        read().map_err(|error: FileError| error.to_string())
    }

    #[test]
    fn the_named_array_is_read_or_the_only_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("both.npz");
        let named = |name: &str| format!("{}{name}", path.display());
        for method in [zip::CompressionMethod::Stored, zip::CompressionMethod::Deflated] {
            let values: Vec<i64> = (0..1000).collect();
            std::fs::write(&path, archive(method, &[("b", &[4, -5]), ("a", &values)])).unwrap();
            assert_eq!(numbers(Source::open(named(":b"))), Ok(vec![4, -5]));
            assert_eq!(numbers(Source::open(named(":a"))).unwrap().len(), 1000);
            let error = numbers(Source::open(&path)).unwrap_err();
            assert!(error.ends_with(&format!("an archive of 2 arrays, a, b: name one, as in {}:NAME", path.display())));
            let error = numbers(Source::open(named(":c"))).unwrap_err();
            assert!(error.ends_with("both.npz: no array `c` in the archive: it has a, b"), "{error}");
            // From a reader without a name, such as standard input.
            let one = archive(method, &[("arr_0", &[7])]);
            assert_eq!(numbers(Source::new("standard input", &one[..])), Ok(vec![7]));
        }
    }

    #[test]
    fn arrays_of_archives_are_checked_as_others() {
        let mut matrix = Vec::new();
        write_npy_matrix(&mut matrix, 2, 2, &[1i64, 2, 3, 4]).unwrap();
        let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
        writer.start_file("m.npy", SimpleFileOptions::default()).unwrap();
        writer.write_all(&matrix).unwrap();
        let bytes = writer.finish().unwrap().into_inner();
        assert_eq!(numbers(Source::matrix("x", &bytes[..])), Ok(vec![1, 2, 3, 4]));
        let error = numbers(Source::new("x", &bytes[..])).unwrap_err();
        assert_eq!(error, "x:m: an array of shape (2, 2), where a vector has one dimension");
        let empty = ZipWriter::new(Cursor::new(Vec::new())).finish().unwrap().into_inner();
        assert_eq!(numbers(Source::new("x", &empty[..])), Err("x: an archive without arrays".into()));
        // Cut anywhere, an archive is refused.
        for end in 4..bytes.len() {
            let error = numbers(Source::matrix("x", &bytes[..end])).unwrap_err();
            assert!(error.starts_with("x: no .npz archive that is read here: "), "{error}");
        }
        let mut spoiled = bytes.clone();
        let at = spoiled.windows(6).position(|window| window == b"\x93NUMPY").unwrap_or(60);
        spoiled[at + 20] ^= 0x40;
        assert!(numbers(Source::matrix("x", &spoiled[..])).is_err());
    }
}
