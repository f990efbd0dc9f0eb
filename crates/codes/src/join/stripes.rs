//! A file put together stripe by stripe from parts of form 2: blocks of a stripe are read and checked on all threads while the
//! stripe before is written; lost blocks are computed from any others that are whole.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use manycore_device::{Device, Team};

use crate::code::{ErasureCode, Recovery};
use crate::error::{CodeError, LeftOut};
use crate::form::{CHECK_BYTES, Header, Layout, hexadecimal};
use crate::parts::{Attempt, Member, PartSource};
use crate::split::{FirstError, with_team, zeroed};

/// Writes the file; gives its checksum and what was damaged.
///
/// # Errors
/// [`CodeError::TooFew`]; [`CodeError::Output`]; [`CodeError::Device`].
pub(super) fn restore<S: PartSource>(
    device: &Device,
    header: &Header,
    members: &[&Member<S>],
    out: &mut (dyn Write + Send),
) -> Result<Attempt, CodeError> {
    let reader = Reader { header, layout: header.layout, members, damage: Mutex::default() };
    let mut solver = Solver {
        code: ErasureCode::new(device, header.layout.data, header.layout.parity)?,
        last: None,
        rows: Vec::new(),
    };
    let (mut blocks, mut next) = (reader.blocks()?, reader.blocks()?);
    let mut output = Output { hasher: blake3::Hasher::new(), out };
    let mut found = Attempt::default();
    reader.lengths();
    with_team(device, |team| -> Result<(), CodeError> {
        let stripes = header.layout.stripes(header.bytes);
        reader.step(team, 0, (stripes > 0).then_some(&mut blocks), None)?;
        for stripe in 0..stripes {
            let lost = solver.solve(&reader, stripe, &blocks)?;
            found.recovered.extend(&lost);
            let rows = reader.file_rows(stripe, &blocks, &solver, &lost);
            let following = (stripe + 1 < stripes).then_some(&mut next);
            reader.step(team, stripe + 1, following, Some((rows, &mut output)))?;
            std::mem::swap(&mut blocks, &mut next);
        }
        Ok(())
    })?;
    found.checksum = hexadecimal(output.hasher.finalize().as_bytes());
    found.damaged = reader.damaged();
    Ok(found)
}

/// Blocks of a stripe with their checksums, a row for each part that is there.
struct Blocks {
    rows: Vec<u8>,
    whole: Vec<bool>,
}

/// Where the file goes.
struct Output<'a> {
    hasher: blake3::Hasher,
    out: &'a mut (dyn Write + Send),
}

impl Output<'_> {
    fn write(&mut self, rows: &[&[u8]]) -> Result<(), CodeError> {
        for row in rows {
            self.hasher.update(row);
            self.out.write_all(row).map_err(|error| CodeError::Output(error.into()))?;
        }
        Ok(())
    }
}

/// Parts as they are read.
struct Reader<'m, S> {
    header: &'m Header,
    layout: Layout,
    /// In the order of their numbers, so that data parts come first.
    members: &'m [&'m Member<S>],
    /// Of each damaged copy of a part what is wrong first, and in how many blocks.
    damage: Mutex<BTreeMap<String, (String, u64)>>,
}

enum Task<'a, 'b, 'm, S> {
    Read(&'m Member<S>, &'a mut [u8], &'a mut bool),
    Write(Vec<&'a [u8]>, &'a mut Output<'b>),
}

impl<S: PartSource> Reader<'_, S> {
    fn row_bytes(&self) -> usize {
        self.layout.block_bytes + CHECK_BYTES
    }

    /// Bytes of the blocks of a stripe.
    fn block(&self, stripe: u64) -> usize {
        self.layout.block_of(self.layout.bytes_of(self.header.bytes, stripe))
    }

    fn blocks(&self) -> Result<Blocks, CodeError> {
        Ok(Blocks { rows: zeroed(self.row_bytes() * self.members.len())?, whole: vec![false; self.members.len()] })
    }

    /// Reads the blocks of a stripe while that before it is written.
    fn step<'a, 'b: 'a>(
        &self,
        team: Team<'_>,
        stripe: u64,
        read: Option<&'a mut Blocks>,
        write: Option<(Vec<&'a [u8]>, &'a mut Output<'b>)>,
    ) -> Result<(), CodeError> {
        let (first, bytes) = (FirstError::default(), self.block(stripe) + CHECK_BYTES);
        let reads = read.into_iter().flat_map(|blocks| {
            let rows = blocks.rows.chunks_mut(self.row_bytes()).map(move |row| &mut row[..bytes]);
            rows.zip(&mut blocks.whole).zip(self.members).map(|((row, whole), member)| Task::Read(member, row, whole))
        });
        let tasks = write.into_iter().map(|(rows, output)| Task::Write(rows, output)).chain(reads);
        team.each(tasks, |task| match task {
            Task::Read(member, row, whole) => *whole = self.read(member, stripe, row),
            Task::Write(rows, output) => first.note(output.write(&rows)),
        });
        first.end()
    }

    /// Reads a block from the first copy of a part in which it is whole.
    fn read(&self, member: &Member<S>, stripe: u64, row: &mut [u8]) -> bool {
        member.copies.iter().any(|copy| {
            let reason = match copy.source.read_at(self.layout.offset(stripe), row) {
                Ok(count) if count < row.len() => "it ends before its last block".to_owned(),
                Err(error) => error.to_string(),
                Ok(_) => {
                    let (block, check) = row.split_at(row.len() - CHECK_BYTES);
                    if self.layout.check_of(member.index, stripe, block) == check {
                        return true;
                    }
                    "its checksum is not that of its content".to_owned()
                }
            };
            self.note(&copy.name, reason, 1);
            false
        })
    }

    fn note(&self, name: &str, reason: String, blocks: u64) {
        let mut damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        damage.entry(name.to_owned()).or_insert((reason, 0)).1 += blocks;
    }

    /// Notes parts with bytes behind their last block.
    fn lengths(&self) {
        let expected = self.layout.part_bytes(self.header.bytes);
        for copy in self.members.iter().flat_map(|member| &member.copies) {
            if let Ok(found) = copy.source.length()
                && found > expected
            {
                self.note(&copy.name, format!("{} bytes follow its last block", found - expected), 0);
            }
        }
    }

    /// The damaged copies of parts, and what is wrong with each.
    fn damaged(&self) -> BTreeMap<String, String> {
        let total = self.layout.stripes(self.header.bytes);
        let damage = self.damage.lock().unwrap_or_else(PoisonError::into_inner);
        let words = |reason: &String, blocks| match blocks {
            0 => reason.clone(),
            _ => format!("{reason} ({blocks} of {total} blocks)"),
        };
        damage.iter().map(|(name, (reason, blocks))| (name.clone(), words(reason, *blocks))).collect()
    }

    /// The first rows that are whole, as many as are needed.
    fn present<'b>(&self, blocks: &'b Blocks) -> impl Iterator<Item = usize> + use<'b, S> {
        blocks.whole.iter().enumerate().filter(|&(_, &whole)| whole).map(|(at, _)| at).take(self.layout.data)
    }

    fn row<'b>(&self, blocks: &'b Blocks, at: usize, block: usize) -> &'b [u8] {
        &blocks.rows[at * self.row_bytes()..][..block]
    }

    /// The bytes of the file in a stripe.
    fn file_rows<'b>(&self, stripe: u64, blocks: &'b Blocks, solver: &'b Solver, lost: &[usize]) -> Vec<&'b [u8]> {
        let (block, bytes) = (self.block(stripe), self.layout.bytes_of(self.header.bytes, stripe));
        let mut rows: Vec<&[u8]> = vec![&[]; self.layout.data];
        for at in self.present(blocks) {
            if let Some(row) = rows.get_mut(self.members[at].index) {
                *row = self.row(blocks, at, block);
            }
        }
        for (&index, row) in lost.iter().zip(solver.rows.chunks(block)) {
            rows[index] = row;
        }
        for (index, row) in rows.iter_mut().enumerate() {
            *row = &row[..bytes.saturating_sub(index * block).min(row.len())];
        }
        rows
    }
}

/// Lost blocks, computed.
struct Solver {
    code: ErasureCode,
    /// The numbers of the rows that are there, and the factors for them: mostly the same for all stripes.
    last: Option<(Vec<usize>, Recovery)>,
    /// The lost rows, one behind the other.
    rows: Vec<u8>,
}

impl Solver {
    /// Computes the lost data blocks of a stripe, and gives their numbers.
    fn solve<S: PartSource>(
        &mut self,
        reader: &Reader<'_, S>,
        stripe: u64,
        blocks: &Blocks,
    ) -> Result<Vec<usize>, CodeError> {
        let (data, block) = (reader.layout.data, reader.block(stripe));
        let present: Vec<usize> = reader.present(blocks).collect();
        let indices: Vec<usize> = present.iter().map(|&at| reader.members[at].index).collect();
        if present.len() < data {
            let left_out = reader.damaged().into_iter().map(|(part, reason)| LeftOut { part, reason }).collect();
            return Err(CodeError::TooFew { needed: data, present: present.len(), left_out });
        }
        let lost: Vec<usize> = (0..data).filter(|index| indices.binary_search(index).is_err()).collect();
        if lost.is_empty() {
            return Ok(lost);
        }
        if self.rows.len() < lost.len() * reader.layout.block_bytes {
            self.rows = zeroed(lost.len() * reader.layout.block_bytes)?;
        }
        if self.last.as_ref().is_none_or(|(from, _)| *from != indices) {
            self.last = Some((indices.clone(), self.code.recovery(&indices, &lost)?));
        }
        if let Some((_, recovery)) = &self.last {
            let from: Vec<&[u8]> = present.iter().map(|&at| reader.row(blocks, at, block)).collect();
            let mut to: Vec<&mut [u8]> = self.rows.chunks_mut(block).take(lost.len()).collect();
            self.code.recover_rows(recovery, &from, &mut to)?;
        }
        Ok(lost)
    }
}
