//! Files split in a stream: stripes of blocks are read, coded, checked and written one after the other, and read ahead.

use std::io::{self, Read};
use std::sync::{Mutex, PoisonError};

use manycore_device::{Device, DeviceError, Executor, Team};

use crate::code::ErasureCode;
use crate::error::CodeError;
use crate::form::{CHECK_BYTES, HEADER_BYTES, Header, Layout};

/// Where parts are written, from several threads at a time.
pub trait PartSink: Sync {
    /// Writes bytes at an offset of a part. Bytes of a part come in their order, but for its header, which is written last.
    ///
    /// # Errors
    /// What the system says.
    fn write_at(&self, part: usize, offset: u64, bytes: &[u8]) -> io::Result<()>;
}

impl PartSink for Vec<Mutex<Vec<u8>>> {
    fn write_at(&self, part: usize, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut content = self[part].lock().unwrap_or_else(PoisonError::into_inner);
        let end = offset as usize + bytes.len();
        if content.len() < end {
            content.resize(end, 0);
        }
        content[offset as usize..end].copy_from_slice(bytes);
        Ok(())
    }
}

/// The threads that a device's host work is shared by: its own, or those of the host beside an OpenCL device.
pub(crate) fn with_team<R>(device: &Device, work: impl FnOnce(Team<'_>) -> R) -> R {
    let host;
    let device = match device.executor() {
        Executor::Host(_) => device,
        Executor::OpenCl(_) => {
            host = Device::host();
            &host
        }
    };
    match device.executor() {
        Executor::Host(pool) => work(pool.team()),
        Executor::OpenCl(_) => work(Team::ALONE),
    }
}

/// The first error of tasks that run at the same time.
#[derive(Default)]
pub(crate) struct FirstError(Mutex<Option<CodeError>>);

impl FirstError {
    pub(crate) fn note(&self, outcome: Result<(), CodeError>) {
        if let Err(error) = outcome {
            self.0.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }

    pub(crate) fn end(self) -> Result<(), CodeError> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).map_or(Ok(()), Err)
    }
}

/// Memory that grows with nothing but the numbers of parts, asked for before it is used.
pub(crate) fn zeroed(bytes: usize) -> Result<Vec<u8>, CodeError> {
    let mut buffer = Vec::new();
    if buffer.try_reserve_exact(bytes).is_err() {
        let (wanted_bytes, reason) = (bytes as u64, "memory of the process");
        return Err(
            DeviceError::OutOfMemory { device: "host".into(), wanted_bytes, free_or_limit_bytes: 0, reason }.into()
        );
    }
    buffer.resize(bytes, 0);
    Ok(buffer)
}

/// Blocks of a stripe, each with room for its checksum.
struct Stripe {
    rows: Vec<u8>,
    row_bytes: usize,
    /// Bytes of the file.
    bytes: usize,
}

impl Stripe {
    fn new(layout: &Layout) -> Result<Self, CodeError> {
        let row_bytes = layout.block_bytes + CHECK_BYTES;
        Ok(Self { rows: zeroed(row_bytes * layout.parts())?, row_bytes, bytes: 0 })
    }

    /// Fills the data blocks from the input; those of the last stripe are shorter, and come one behind the other in memory first.
    fn read(&mut self, layout: &Layout, input: &mut dyn Read) -> io::Result<()> {
        self.bytes = 0;
        for row in self.rows.chunks_mut(self.row_bytes).take(layout.data) {
            let read = read_full(input, &mut row[..layout.block_bytes])?;
            self.bytes += read;
            if read < layout.block_bytes {
                break;
            }
        }
        let block = layout.block_of(self.bytes);
        if self.bytes < layout.stripe_bytes() && self.bytes > 0 {
            self.spread(layout, block);
        }
        Ok(())
    }

    /// Moves the bytes of whole blocks to blocks of the last stripe, from the end, and fills up with zeros.
    fn spread(&mut self, layout: &Layout, block: usize) {
        for index in (0..layout.data).rev() {
            let (begin, end) = ((index * block).min(self.bytes), ((index + 1) * block).min(self.bytes));
            // Blocks become shorter, so that a byte never moves to an earlier place than one that is still to be moved.
            let to = index * self.row_bytes;
            let mut at = end;
            while at > begin {
                let row = (at - 1) / layout.block_bytes;
                let from = begin.max(row * layout.block_bytes);
                let source = row * self.row_bytes + from % layout.block_bytes;
                self.rows.copy_within(source..source + (at - from), to + (from - begin));
                at = from;
            }
            self.rows[to + (end - begin)..to + block].fill(0);
        }
    }
}

/// Reads until a buffer is full or the input ends.
pub(crate) fn read_full(input: &mut dyn Read, out: &mut [u8]) -> io::Result<usize> {
    let mut filled = 0;
    while filled < out.len() {
        match input.read(&mut out[filled..]) {
            Ok(0) => break,
            Ok(count) => filled += count,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(filled)
}

enum Task<'a> {
    /// The checksum of the file.
    Hash(&'a mut blake3::Hasher, Vec<&'a [u8]>),
    /// The parity blocks.
    Encode(Vec<&'a [u8]>, Vec<&'a mut [u8]>),
    /// The next stripe.
    Read(&'a mut Stripe, &'a mut (dyn Read + Send)),
    /// The checksum of a block, and its way to the part.
    Write(usize, &'a mut [u8]),
}

/// Splits an input of any length into `data + parity` parts, any `data` of which restore it ([`Join`](crate::Join)), and gives the
/// header of the first. The parts are the same bytes on every device. Takes some 24 MiB of memory however long the input is, and as
/// many products and sums for each word as there are parity parts.
///
/// # Errors
/// [`CodeError::Counts`]; [`CodeError::Input`] and [`CodeError::Output`] where reading or writing fails; [`CodeError::Device`].
pub fn split_to(
    device: &Device,
    input: &mut (dyn Read + Send),
    data: usize,
    parity: usize,
    sink: &impl PartSink,
) -> Result<Header, CodeError> {
    let layout = Layout::new(data, parity)?;
    let code = ErasureCode::new(device, data, parity)?;
    let (mut stripe, mut next) = (Stripe::new(&layout)?, Stripe::new(&layout)?);
    let mut hasher = blake3::Hasher::new();
    stripe.read(&layout, input).map_err(|error| CodeError::Input(error.into()))?;
    let (mut bytes, mut number) = (0, 0);
    with_team(device, |team| -> Result<(), CodeError> {
        while stripe.bytes > 0 {
            let block = layout.block_of(stripe.bytes);
            let row_bytes = stripe.row_bytes;
            bytes += stripe.bytes as u64;
            let (data_rows, parity_rows) = stripe.rows.split_at_mut(layout.data * row_bytes);
            let rows: Vec<&[u8]> = data_rows.chunks(row_bytes).map(|row| &row[..block]).collect();
            let parity: Vec<&mut [u8]> = parity_rows.chunks_mut(row_bytes).map(|row| &mut row[..block]).collect();
            let content = (0..data).map(|i| &rows[i][..stripe.bytes.saturating_sub(i * block).min(block)]).collect();
            let first = [Task::Hash(&mut hasher, content), Task::Encode(rows.clone(), parity)];
            run(team, &code, &layout, number, sink, first)?;
            let is_last = stripe.bytes < layout.stripe_bytes();
            let read = (!is_last).then_some(Task::Read(&mut next, input));
            let writes = stripe.rows.chunks_mut(row_bytes).enumerate();
            let writes = writes.map(|(index, row)| Task::Write(index, &mut row[..block + CHECK_BYTES]));
            run(team, &code, &layout, number, sink, read.into_iter().chain(writes))?;
            number += 1;
            if is_last {
                break;
            }
            std::mem::swap(&mut stripe, &mut next);
        }
        Ok(())
    })?;
    let header = Header { file: *hasher.finalize().as_bytes(), bytes, layout, index: 0 };
    for index in 0..layout.parts() {
        let bytes: [u8; HEADER_BYTES] = Header { index, ..header.clone() }.to_bytes();
        sink.write_at(index, 0, &bytes).map_err(|error| CodeError::Output(error.into()))?;
    }
    Ok(header)
}

/// Runs tasks of a stripe on all threads.
fn run<'a>(
    team: Team<'_>,
    code: &ErasureCode,
    layout: &Layout,
    number: u64,
    sink: &impl PartSink,
    tasks: impl IntoIterator<Item = Task<'a>>,
) -> Result<(), CodeError> {
    let first = FirstError::default();
    team.each(tasks, |task| {
        first.note(match task {
            Task::Hash(hasher, rows) => {
                for row in rows {
                    hasher.update(row);
                }
                Ok(())
            }
            Task::Encode(rows, mut parity) => code.encode_rows(&rows, &mut parity),
            Task::Read(stripe, input) => stripe.read(layout, input).map_err(|error| CodeError::Input(error.into())),
            Task::Write(index, row) => {
                let (block, check) = row.split_at_mut(row.len() - CHECK_BYTES);
                check.copy_from_slice(&layout.check_of(index, number, block));
                let written = sink.write_at(index, layout.offset(number), row);
                written.map_err(|error| CodeError::Output(error.into()))
            }
        });
    });
    first.end()
}
