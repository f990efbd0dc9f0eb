//! A file of this thread, for parsers that read files, and the checks of their errors.

use std::cell::RefCell;
use std::io::Write as _;
use std::path::PathBuf;

/// What files are called.
pub(super) const NAME: &str = "manycore-fuzz";

/// Removed when the thread ends, with the table beside it.
struct File(PathBuf);

impl Drop for File {
    fn drop(&mut self) {
        // A file that is left in a folder of temporary files does no harm.
        let _ = std::fs::remove_file(&self.0);
        let _ = std::fs::remove_file(self.0.with_extension("csv"));
    }
}

thread_local! {
    static FILE: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// The path of a file with these bytes.
pub(super) fn file(data: &[u8]) -> PathBuf {
    FILE.with(|kept| {
        let mut kept = kept.borrow_mut();
        let file = kept.get_or_insert_with(|| {
            let memory = std::path::Path::new("/dev/shm");
            let folder = if memory.is_dir() { memory.to_path_buf() } else { std::env::temp_dir() };
            let thread = format!("{:?}", std::thread::current().id());
            let number: String = thread.chars().filter(char::is_ascii_digit).collect();
            File(folder.join(format!("{NAME}-{}-{number}", std::process::id())))
        });
        let written = std::fs::File::create(&file.0).and_then(|mut out| out.write_all(data));
        written.unwrap_or_else(|error| panic!("cannot write {}: {error}", file.0.display()));
        file.0.clone()
    })
}

/// The path of a file with these bytes whose name says that it is a table.
pub(super) fn table(data: &[u8]) -> PathBuf {
    let path = file(&[]).with_extension("csv");
    std::fs::write(&path, data).unwrap_or_else(|error| panic!("cannot write {}: {error}", path.display()));
    path
}

/// The bytes as text, where they are text.
pub(super) fn text(data: &[u8]) -> Option<&str> {
    std::str::from_utf8(data).ok()
}

/// Checks that an error has a message.
///
/// # Panics
/// Where it does not.
pub(super) fn told(error: impl std::fmt::Display) -> bool {
    assert!(!error.to_string().trim().is_empty(), "an error without words");
    false
}

/// Checks that an error names its file.
///
/// # Panics
/// Where it does not.
pub(super) fn placed(error: impl std::fmt::Display, file: &str) -> bool {
    let message = error.to_string();
    assert!(message.contains(file), "the error does not name {file}: {message}");
    false
}
