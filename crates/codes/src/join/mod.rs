//! Files put together from any parts that are given: parts are grouped by file, damaged blocks found by their checksums, and parts
//! that lie found by leaving them out.

mod stripes;
mod told;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use manycore_device::{Device, Executor};

use crate::error::{CodeError, LeftOut};
use crate::first;
use crate::form::hexadecimal;
use crate::parts::{Attempt, Copy, Member, PartSource};
use told::Told;

/// Attempts at most to find the parts that lie.
const MOST_ATTEMPTS: usize = 256;

/// What was done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Restored {
    /// Bytes of the file.
    pub bytes: u64,
    /// Data parts.
    pub data: usize,
    /// Parity parts.
    pub parity: usize,
    /// The data parts that were computed from others, at least in some block.
    pub recovered: Vec<usize>,
    /// Parts that were left out, wholly or in damaged blocks, in the order of their names.
    pub left_out: Vec<LeftOut>,
}

/// Parts of one file, enough of them to restore it by their headers.
///
/// ```
/// use manycore_codes::{Join, split};
/// use manycore_device::Device;
///
/// let device = Device::from_env()?;
/// let parts = split(&device, b"any bytes", 2, 1)?;
/// let given = [2, 0].map(|i| (format!("part {i}"), Ok(parts[i].clone())));
/// let mut join = Join::open(&device, given)?;
/// let mut file = Vec::new();
/// let restored = join.write(&mut file)?;
/// assert_eq!(file, b"any bytes");
/// assert_eq!(restored.recovered, [1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Join<S> {
    device: Device,
    told: Told,
    members: Vec<Member<S>>,
    /// Numbers of parts that lie.
    suspects: BTreeSet<usize>,
    left_out: Vec<LeftOut>,
}

impl<S: PartSource> Join<S> {
    /// Looks at parts, each with a name for messages, or with the error of opening it; in any order, of any files. Those of one
    /// file are taken, of which enough are there; the others are left out, each with its reason.
    ///
    /// # Errors
    /// [`CodeError::NoPart`]; [`CodeError::TooFew`] where no file has enough parts; [`CodeError::Mixed`] where several have.
    pub fn open(device: &Device, parts: impl IntoIterator<Item = (String, io::Result<S>)>) -> Result<Self, CodeError> {
        let mut left_out = Vec::new();
        // In the order in which their files were given.
        let mut files: Vec<(Told, BTreeMap<usize, Member<S>>)> = Vec::new();
        for (name, source) in parts {
            let told = source.map_err(|error| error.to_string()).and_then(|source| Ok((Told::read(&source)?, source)));
            match told {
                Err(reason) => left_out.push(LeftOut { part: name, reason }),
                Ok((told, source)) => {
                    let (index, of_file) = (told.index(), told.of_file());
                    let at = files.iter().position(|(other, _)| *other == of_file).unwrap_or_else(|| {
                        files.push((of_file, BTreeMap::new()));
                        files.len() - 1
                    });
                    let member = files[at].1.entry(index).or_insert_with(|| Member { index, copies: Vec::new() });
                    member.copies.push(Copy { name, source });
                }
            }
        }
        let name = |members: &BTreeMap<usize, Member<S>>| {
            members.values().flat_map(|member| &member.copies).map(|copy| copy.name.clone()).next().unwrap_or_default()
        };
        let mut enough = files.iter().filter(|(told, members)| members.len() >= told.data());
        if let (Some((_, first)), Some((_, second))) = (enough.next(), enough.next()) {
            return Err(CodeError::Mixed { first: name(first), second: name(second) });
        }
        let missing = |(told, members): &(Told, BTreeMap<usize, Member<S>>)| told.data().saturating_sub(members.len());
        let chosen = (0..files.len()).min_by_key(|&at| missing(&files[at]));
        let Some((told, members)) = chosen.map(|at| files.remove(at)) else {
            return Err(CodeError::NoPart { left_out });
        };
        for (other, members) in files {
            let reason = format!("a part of another file, or of another split of it: {}", other.file());
            let copies = members.into_values().flat_map(|member| member.copies);
            left_out.extend(copies.map(|copy| LeftOut { part: copy.name, reason: reason.clone() }));
        }
        if members.len() < told.data() {
            left_out.extend(members.values().flat_map(Member::repeated));
            return Err(CodeError::TooFew { needed: told.data(), present: members.len(), left_out });
        }
        let members = members.into_values().collect();
        Ok(Self { device: device.clone(), told, members, suspects: BTreeSet::new(), left_out })
    }

    /// The file's checksum in hexadecimal digits, and what computes it.
    pub fn checksum(&self) -> (&'static str, String) {
        match &self.told {
            Told::Blocks(header) => ("BLAKE3", header.checksum()),
            Told::First(header) => ("SHA-256", header.file.clone()),
        }
    }

    /// Puts the file together without writing it. Where the checksum of the result is wrong although every part is whole, some
    /// part lies; then parts are left out, one or two at a time and 256 times at most, until the checksum holds, and stay left
    /// out.
    ///
    /// # Errors
    /// As [`Join::write`]; [`CodeError::WrongOnDevice`] where the host has no such trouble.
    pub fn check(&mut self) -> Result<(), CodeError> {
        let device = self.device.clone();
        let wrong = match self.attempt(&device, &self.suspects, &mut io::sink()) {
            Err(wrong @ CodeError::Wrong { .. }) => wrong,
            other => return other.map(drop),
        };
        let host = Device::host();
        if matches!(device.executor(), Executor::OpenCl(_))
            && self.attempt(&host, &self.suspects, &mut io::sink()).is_ok()
        {
            let reason = format!("{wrong}; the host's is right");
            return Err(CodeError::WrongOnDevice { device: device.info().label(), reason });
        }
        let indices: Vec<usize> = self.members.iter().map(|member| member.index).collect();
        let ones = indices.iter().map(|&one| BTreeSet::from([one]));
        let pairs = indices
            .iter()
            .enumerate()
            .flat_map(|(i, &one)| indices[i + 1..].iter().map(move |&other| BTreeSet::from([one, other])));
        let spare = indices.len() - self.told.data().min(indices.len());
        let sets = ones.chain(pairs).filter(|set| set.len() <= spare).take(MOST_ATTEMPTS);
        for suspects in sets {
            if self.attempt(&host, &suspects, &mut io::sink()).is_ok() {
                self.suspects = suspects;
                return Ok(());
            }
        }
        Err(wrong)
    }

    /// Puts the file together and writes it. Takes some 40 MiB of memory at most, however long the file is.
    ///
    /// # Errors
    /// [`CodeError::TooFew`] where too few blocks of a stripe are whole; [`CodeError::Wrong`] where the file's own checksum is not
    /// that of what was written, which then is worth nothing: [`Join::check`] finds out before; [`CodeError::Output`];
    /// [`CodeError::Device`].
    pub fn write(&mut self, out: &mut (dyn Write + Send)) -> Result<Restored, CodeError> {
        let found = self.attempt(&self.device, &self.suspects, out)?;
        Ok(self.restored(found))
    }

    fn attempt(
        &self,
        device: &Device,
        suspects: &BTreeSet<usize>,
        out: &mut (dyn Write + Send),
    ) -> Result<Attempt, CodeError> {
        let members: Vec<&Member<S>> = self.members.iter().filter(|member| !suspects.contains(&member.index)).collect();
        let (found, expected) = match &self.told {
            Told::Blocks(header) => (stripes::restore(device, header, &members, out), hexadecimal(&header.file)),
            Told::First(header) => (first::restore(header, &members, out), header.file.clone()),
        };
        let found = found.map_err(|error| self.with_left_out(error))?;
        if found.checksum == expected { Ok(found) } else { Err(CodeError::Wrong { expected, found: found.checksum }) }
    }

    /// An error of too few parts with those that were left out from the beginning, too.
    fn with_left_out(&self, error: CodeError) -> CodeError {
        match error {
            CodeError::TooFew { needed, present, left_out } => {
                let left_out = self.left_out.iter().cloned().chain(left_out).collect();
                CodeError::TooFew { needed, present, left_out }
            }
            other => other,
        }
    }

    fn restored(&self, found: Attempt) -> Restored {
        let mut left_out = self.left_out.clone();
        for member in &self.members {
            for (at, copy) in member.copies.iter().enumerate() {
                let reason = if self.suspects.contains(&member.index) {
                    "every checksum of it holds, and with it the file's does not".to_owned()
                } else if let Some(reason) = found.damaged.get(&copy.name) {
                    reason.clone()
                } else if at > 0 && !found.damaged.contains_key(&member.copies[0].name) {
                    format!("the same part as {}", member.copies[0].name)
                } else {
                    continue;
                };
                left_out.push(LeftOut { part: copy.name.clone(), reason });
            }
        }
        left_out.sort_by(|a, b| a.part.cmp(&b.part));
        let (bytes, data, parity) = match &self.told {
            Told::Blocks(header) => (header.bytes, header.layout.data, header.layout.parity),
            Told::First(header) => (header.bytes, header.data, header.parity),
        };
        Restored { bytes, data, parity, recovered: found.recovered.into_iter().collect(), left_out }
    }
}
