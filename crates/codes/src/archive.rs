//! Files in memory as parts in memory, and back.

use std::io;
use std::sync::{Mutex, PoisonError};

use manycore_device::Device;

use crate::error::CodeError;
use crate::join::{Join, Restored};
use crate::split::split_to;

/// The bytes of `data + parity` parts of a file, any `data` of which restore it ([`join`]); as [`split_to`] writes them.
///
/// # Errors
/// [`CodeError::Counts`]; [`CodeError::Device`].
pub fn split(device: &Device, file: &[u8], data: usize, parity: usize) -> Result<Vec<Vec<u8>>, CodeError> {
    crate::code::check_counts(data, parity)?;
    let parts: Vec<Mutex<Vec<u8>>> = (0..data + parity).map(|_| Mutex::default()).collect();
    split_to(device, &mut &file[..], data, parity, &parts)?;
    Ok(parts.into_iter().map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner)).collect())
}

/// A file put together from parts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Joined {
    /// Its bytes.
    pub file: Vec<u8>,
    /// What was computed and left out.
    pub restored: Restored,
}

/// The file of these parts, each with a name for messages, in any order; as [`Join`] does.
///
/// # Errors
/// As [`Join::open`], [`Join::check`] and [`Join::write`].
pub fn join(device: &Device, parts: &[(String, Vec<u8>)]) -> Result<Joined, CodeError> {
    let given = parts.iter().map(|(name, bytes)| (name.clone(), Ok::<_, io::Error>(bytes.as_slice())));
    let mut join = Join::open(device, given)?;
    let mut file = Vec::new();
    let restored = match join.write(&mut file) {
        Err(CodeError::Wrong { .. }) => {
            join.check()?;
            file.clear();
            join.write(&mut file)?
        }
        other => other?,
    };
    Ok(Joined { file, restored })
}
