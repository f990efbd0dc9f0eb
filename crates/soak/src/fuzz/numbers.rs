//! Vectors, arrays and polynomials.

use std::cell::RefCell;
use std::io::Write as _;
use std::path::PathBuf;

use manycore::field::ModularField;
use manycore::files::{FileError, Number, Source, decode, write_npy, write_text};
use manycore::{Goldilocks, PrimeField, poly};
use manycore_cli::input;
use manycore_cli::vector::{NumberType, Vector};

use super::placed;

/// What files are called.
const NAME: &str = "manycore-fuzz";

/// A file of this thread, for parsers that read files; removed when the thread ends.
struct File(PathBuf);

impl Drop for File {
    fn drop(&mut self) {
        // A file that is left in a folder of temporary files does no harm.
        let _ = std::fs::remove_file(&self.0);
    }
}

thread_local! {
    static FILE: RefCell<Option<File>> = const { RefCell::new(None) };
}

/// The path of a file with these bytes.
fn file(data: &[u8]) -> PathBuf {
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

/// Vectors of each number type and of the type that the text tells; arrays too.
pub(super) fn text_vector(data: &[u8]) -> bool {
    let path = file(data);
    let types = [NumberType::I32, NumberType::I64, NumberType::F32, NumberType::F64].map(Some);
    let mut taken = false;
    for wanted in types.into_iter().chain([None]) {
        match input::vector(&path, wanted) {
            Ok(vector) => {
                taken = true;
                assert!(!vector.is_empty() && wanted.is_none_or(|wanted| wanted == vector.number_type()));
                comes_back(&vector);
            }
            Err(error) => {
                placed(error, NAME);
            }
        }
    }
    taken
}

/// What is written as a text and as an array is read as the same vector.
fn comes_back(vector: &Vector) {
    let number_type = vector.number_type();
    for npy in [false, true] {
        let mut bytes = Vec::new();
        let written = match (vector, npy) {
            (Vector::I32(x), false) => write_text(&mut bytes, x),
            (Vector::I64(x), false) => write_text(&mut bytes, x),
            (Vector::F32(x), false) => write_text(&mut bytes, x),
            (Vector::F64(x), false) => write_text(&mut bytes, x),
            (Vector::I32(x), true) => write_npy(&mut bytes, x),
            (Vector::I64(x), true) => write_npy(&mut bytes, x),
            (Vector::F32(x), true) => write_npy(&mut bytes, x),
            (Vector::F64(x), true) => write_npy(&mut bytes, x),
        };
        written.unwrap_or_else(|error| panic!("not written: {error}"));
        let again = input::vector(&file(&bytes), Some(number_type));
        let again = again.unwrap_or_else(|error| panic!("not read again: {error}"));
        // NaN is another number than itself.
        assert_eq!(format!("{again:?}"), format!("{vector:?}"), "another vector comes back (array: {npy})");
    }
}

/// Arrays: every number of them.
pub(super) fn npy(data: &[u8]) -> bool {
    let source = match Source::new(NAME, data) {
        Ok(source) => source,
        Err(error) => return placed(error, NAME),
    };
    let mut numbers = Vec::new();
    let read = match source {
        Source::Text(text) => text.words(|line, word| {
            assert!(line >= 1 && !word.is_empty());
            Ok::<(), FileError>(())
        }),
        Source::Array(array) => array.each(|index, number| {
            assert_eq!(index, numbers.len());
            numbers.push(match number {
                Number::Integer(value) => value,
                Number::Real(value) => value as i128,
            });
            Ok::<(), FileError>(())
        }),
    };
    match read {
        Ok(()) => true,
        Err(error) => placed(error, NAME),
    }
}

/// Values 0 and 1.
pub(super) fn bits(data: &[u8]) -> bool {
    match input::bits(&file(data)) {
        Ok(bits) => {
            assert!(!bits.is_empty() && bits.iter().all(|&bit| bit <= 1));
            let text: Vec<String> = bits.iter().map(ToString::to_string).collect();
            assert_eq!(input::bits(&file(text.join(" ").as_bytes())).ok(), Some(bits));
            true
        }
        Err(error) => placed(error, NAME),
    }
}

/// Words of 64 values.
pub(super) fn words(data: &[u8]) -> bool {
    match input::words(&file(data)) {
        Ok(words) => {
            let text: Vec<String> = words.iter().map(|word| format!("{word:#x}")).collect();
            assert_eq!(input::words(&file(text.join("\n").as_bytes())).ok(), Some(words));
            true
        }
        Err(error) => placed(error, NAME),
    }
}

/// Coefficients over a small field, one of long words, and the one of 64 bits.
pub(super) fn polynomial(data: &[u8]) -> bool {
    let short = PrimeField::<u32>::new(7).map(|field| coefficients(&field, data));
    let long = PrimeField::<u64>::new(9_223_372_036_854_775_783).map(|field| coefficients(&field, data));
    let all = [short == Ok(true), long == Ok(true), coefficients(&Goldilocks, data)];
    assert!(!all[0] || all[1], "residues of a small field are residues of a large one");
    all[2]
}

fn coefficients<F: ModularField>(field: &F, data: &[u8]) -> bool
where
    F::Element: manycore::files::NpyNumber,
{
    let read = |data: &[u8]| poly::file::coefficients(field, Source::new(NAME, data)?);
    match read(data) {
        Ok(words) => {
            assert!(field.check(&words).is_ok(), "a coefficient that is no residue");
            for npy in [false, true] {
                let mut bytes = Vec::new();
                let written = if npy { write_npy(&mut bytes, &words) } else { write_text(&mut bytes, &words) };
                written.unwrap_or_else(|error| panic!("not written: {error}"));
                let again = read(&bytes).unwrap_or_else(|error| panic!("not read again: {error}"));
                assert_eq!(again, words, "other coefficients come back (array: {npy})");
            }
            true
        }
        Err(error) => placed(error, NAME),
    }
}

/// Texts without their comments.
pub(super) fn plain_text(data: &[u8]) -> bool {
    match input::plain_text(&file(data)) {
        Ok(plain) => {
            let given = decode(data, NAME).unwrap_or_else(|_| panic!("bytes that are no text were taken"));
            assert!(!plain.contains('#') && plain.chars().count() <= given.chars().count());
            assert_eq!(plain, plain.trim_end());
            let again = input::plain_text(&file(plain.as_bytes()));
            assert_eq!(again.ok(), Some(plain));
            true
        }
        Err(error) => placed(error, NAME),
    }
}
