//! Memory that grows with an input: asked for before it is used, and refused where the process cannot have it.
//!
//! | file | what |
//! |---|---|
//! | `limit` | the most that the process may ever have: machine, control groups, `ulimit` |
//! | `free` | what is left of that now |
//! | `account` | memory in use, counted: the one place that grants more |
//!
//! Linux promises more memory than there is, and ends a process that uses it. So a large block is granted only if all that was
//! granted before can be written too: [`reserve`], [`push`] and [`probe`] ask for lists, the buffers of crate `device` ask by
//! [`take`], and so does the allocator of the program `manycore`, for every block of it and of the crates that it uses.

mod account;
mod free;
mod limit;

pub use account::{fits, free_bytes, give, is_refusable, limit_memory, refusable, take};
pub use limit::limit_bytes;

/// Memory that is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("out of memory: {free_bytes} bytes are free, not the {bytes} bytes for {what}")]
pub struct OutOfMemory {
    /// The bytes that were asked for, at least.
    pub bytes: u64,
    /// What they were for.
    pub what: String,
    /// The bytes that the process could have had.
    pub free_bytes: u64,
}

impl OutOfMemory {
    /// A list that does not fit, with the bytes that are free now.
    fn new(bytes: u64, what: String) -> Self {
        Self { bytes, what, free_bytes: free_bytes() }
    }
}

/// The elements that an empty list gets room for.
const FIRST_ELEMENTS: usize = 64;

/// Makes room for `additional` more elements, and for no more than that.
///
/// # Errors
/// [`OutOfMemory`] with the bytes of the whole list; it is then as it was.
pub fn reserve<T>(values: &mut Vec<T>, additional: usize, what: impl FnOnce() -> String) -> Result<(), OutOfMemory> {
    if values.capacity() - values.len() >= additional {
        return Ok(());
    }
    let bytes = (values.len() as u128 + additional as u128) * size_of::<T>() as u128;
    let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
    let grown = bytes.saturating_sub((values.capacity() * size_of::<T>()) as u64);
    if fits(grown) && refusable(|| values.try_reserve_exact(additional)).is_ok() {
        return Ok(());
    }
    Err(OutOfMemory::new(bytes, what()))
}

/// Appends an element; the list doubles where it is full, or grows by an eighth where that is too much. Takes constant time in
/// the mean.
///
/// # Errors
/// [`OutOfMemory`] with the bytes of the longer list; it is then as it was.
pub fn push<T>(values: &mut Vec<T>, value: T, what: impl FnOnce() -> String) -> Result<(), OutOfMemory> {
    if values.len() == values.capacity() {
        grow(values, what)?;
    }
    values.push(value);
    Ok(())
}

/// Makes room for `additional` more elements, and for more than that, as [`push`] does.
///
/// # Errors
/// [`OutOfMemory`] with the bytes of the longer list; it is then as it was.
pub(crate) fn room<T>(
    values: &mut Vec<T>,
    additional: usize,
    what: impl FnOnce() -> String,
) -> Result<(), OutOfMemory> {
    let len = values.len();
    if values.capacity() - len >= additional || reserve(values, len.max(additional), String::new).is_ok() {
        return Ok(());
    }
    reserve(values, (len / 8).max(additional), what)
}

/// Makes room in a full list.
#[cold]
pub(crate) fn grow<T>(values: &mut Vec<T>, what: impl FnOnce() -> String) -> Result<(), OutOfMemory> {
    let len = values.len();
    if reserve(values, len.max(FIRST_ELEMENTS), String::new).is_ok() {
        return Ok(());
    }
    reserve(values, (len / 8).max(FIRST_ELEMENTS), what)
}

/// Asks for memory that code which cannot be refused any is about to take, and gives it back.
///
/// # Errors
/// [`OutOfMemory`].
pub fn probe(bytes: u64, what: impl FnOnce() -> String) -> Result<(), OutOfMemory> {
    match usize::try_from(bytes) {
        Ok(bytes) => reserve(&mut Vec::<u8>::new(), bytes, what),
        Err(_) => Err(OutOfMemory::new(bytes, what())),
    }
}

/// A list of `len` times the same value.
///
/// # Errors
/// [`OutOfMemory`] with its bytes.
pub fn filled<T: Clone>(value: T, len: usize, what: impl FnOnce() -> String) -> Result<Vec<T>, OutOfMemory> {
    let mut values = Vec::new();
    reserve(&mut values, len, what)?;
    values.resize(len, value);
    Ok(values)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused() {
        let mut values = vec![1u64];
        let error = reserve(&mut values, usize::MAX, || "the test".into()).unwrap_err();
        let free = error.free_bytes;
        assert_eq!(
            error.to_string(),
            format!("out of memory: {free} bytes are free, not the {} bytes for the test", u64::MAX)
        );
        assert_eq!(
            reserve(&mut values, usize::MAX / 16, || "the test".into()).unwrap_err().bytes,
            usize::MAX as u64 / 2 + 1
        );
        assert_eq!(probe(u64::MAX, || "the test".into()).unwrap_err().bytes, u64::MAX);
        assert_eq!(values, [1]);
    }

    #[test]
    fn lists_grow() {
        let mut values = Vec::new();
        for value in 0..1000 {
            push(&mut values, value, String::new).unwrap();
        }
        assert!(values.iter().copied().eq(0..1000) && values.capacity() < 2048);
        let mut empty = Vec::<u8>::new();
        reserve(&mut empty, 10, String::new).unwrap();
        assert_eq!(empty.capacity(), 10);
        probe(1 << 20, String::new).unwrap();
    }

    #[test]
    fn lists_are_filled() {
        assert_eq!(filled(7u8, 3, String::new).unwrap(), [7; 3]);
        assert!(filled(7u64, usize::MAX / 8, String::new).is_err());
    }
}
