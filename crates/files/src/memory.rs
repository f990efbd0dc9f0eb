//! Memory that grows with an input: asked for before it is used, and refused past a limit.

use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// Memory that is not there.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("out of memory: {bytes} bytes for {what}")]
pub struct OutOfMemory {
    /// The bytes that were asked for, at least.
    pub bytes: u64,
    /// What they were for.
    pub what: String,
}

/// The most bytes that the process may use.
static LIMIT_BYTES: AtomicU64 = AtomicU64::new(u64::MAX);

/// Fewer bytes than this are asked of the system alone.
const SMALL_BYTES: u64 = 1 << 20;

/// The elements that an empty list gets room for.
const FIRST_ELEMENTS: usize = 64;

/// Sets how many bytes of memory the process may use: [`reserve`] and [`push`] refuse what would pass them together with what
/// the process has in memory already. Systems that promise more memory than they have end a process that uses it.
pub fn limit_memory(bytes: u64) {
    LIMIT_BYTES.store(bytes, Ordering::Relaxed);
}

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
    if fits(grown) && values.try_reserve_exact(additional).is_ok() {
        return Ok(());
    }
    Err(OutOfMemory { bytes, what: what() })
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
        Err(_) => Err(OutOfMemory { bytes, what: what() }),
    }
}

/// Whether so many more bytes stay within the limit.
fn fits(bytes: u64) -> bool {
    let limit = LIMIT_BYTES.load(Ordering::Relaxed);
    bytes < SMALL_BYTES || limit == u64::MAX || resident_bytes().saturating_add(bytes) <= limit
}

/// The bytes that the process has in memory; 0 where the system does not tell.
fn resident_bytes() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    let kibibytes = line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok());
    kibibytes.unwrap_or(0).saturating_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_no_machine_has_is_refused() {
        let mut values = vec![1u64];
        let error = reserve(&mut values, usize::MAX, || "the test".into()).unwrap_err();
        assert_eq!(error.to_string(), format!("out of memory: {} bytes for the test", u64::MAX));
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

    #[cfg(target_os = "linux")]
    #[test]
    fn resident_memory_is_told() {
        let list = vec![1u8; 8 << 20];
        assert!(resident_bytes() >= list.len() as u64);
    }
}
