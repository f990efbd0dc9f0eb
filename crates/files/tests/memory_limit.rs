//! The limit of a process's memory. A test program of its own: the limit is that of the whole process.

use manycore_files::memory::{limit_memory, probe, push, reserve};

#[test]
fn what_passes_the_limit_is_refused() {
    const LEN: usize = 1 << 24;
    let mut values = vec![7u8; 10];
    limit_memory(LEN as u64 / 4);
    let error = reserve(&mut values, LEN, || "the test".into()).unwrap_err();
    let (bytes, free) = (LEN + 10, error.free_bytes);
    assert_eq!(error.to_string(), format!("out of memory: {free} bytes are free, not the {bytes} bytes for the test"));
    assert!(free <= LEN as u64 / 4);
    assert!(probe(LEN as u64, String::new).is_err());
    assert_eq!(values, [7; 10]);
    // What is small is left to the system.
    reserve(&mut values, 1000, String::new).unwrap();
    limit_memory(1 << 40);
    reserve(&mut values, LEN, String::new).unwrap();
    probe(LEN as u64, String::new).unwrap();
    // A full list that may grow neither to twice its length nor by an eighth stays as it is.
    let mut values = vec![7u8; LEN];
    limit_memory(1 << 21);
    assert!(push(&mut values, 1, String::new).is_err() && values.len() == LEN);
    limit_memory(u64::MAX);
    push(&mut values, 1, String::new).unwrap();
    assert_eq!((values.len(), values.last()), (LEN + 1, Some(&1)));
}
