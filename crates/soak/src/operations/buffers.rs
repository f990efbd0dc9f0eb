//! Buffers: a sequence of writes, fills, copies, views, transfers beside others, and words seen as others, against plain memory.

use manycore::device::Word;
use manycore::{Buffer, Device};
use serde::Serialize;

use crate::compare::Found;
use crate::failure::Failure;
use crate::random::Random;
use crate::site::Site;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    U8,
    U16,
    I32,
    U64,
    F32,
    F64,
}

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    word: Kind,
    len: usize,
    steps: u64,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let word = random.pick(&[Kind::U8, Kind::U16, Kind::I32, Kind::U64, Kind::F32, Kind::F64]);
        let most = site.most_values(random, 8);
        let len = random.length(most);
        Self { word, len, steps: random.within(1, if len > 1 << 20 { 3 } else { 12 }) }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        match self.word {
            Kind::U8 => self.of(random, site, |word| word as u8),
            Kind::U16 => self.of(random, site, |word| word as u16),
            Kind::I32 => self.of(random, site, |word| word as i32),
            Kind::U64 => self.of(random, site, |word| word),
            Kind::F32 => self.of(random, site, |word| word as i32 as f32),
            Kind::F64 => self.of(random, site, |word| word as i64 as f64),
        }
    }
}

/// A range within `len`.
fn range(random: &mut Random, len: usize) -> std::ops::Range<usize> {
    let start = random.below(len as u64 + 1) as usize;
    start..start + random.below((len - start) as u64 + 1) as usize
}

impl Case {
    fn of<T: Word>(&self, random: &mut Random, site: &Site, word: fn(u64) -> T) -> Result<Found, Failure> {
        let device = &site.device;
        let mut some = || (0..self.len).map(|_| word(random.word())).collect::<Vec<T>>();
        let (mut model, other) = (some(), some());
        let mut buffer = device.upload(&model)?;
        let source = device.upload(&other)?;
        let mut read = Found::holds("memory", true, String::new);
        let mut done = Vec::new();
        for _ in 0..self.steps {
            let part = range(random, self.len);
            let value = word(random.word());
            let step = random.below(7);
            done.push(format!("{} {}..{}", NAMES[step as usize], part.start, part.end));
            site.note("done", done.join(", "));
            match step {
                0 => {
                    let data = vec![value; part.len()];
                    buffer.view_mut(part.clone())?.write(&data)?;
                    model[part].copy_from_slice(&data);
                }
                1 => {
                    buffer.view_mut(part.clone())?.fill(value)?;
                    model[part].fill(value);
                }
                2 => {
                    let from = random.below((self.len - part.len()) as u64 + 1) as usize;
                    let from = from..from + part.len();
                    buffer.view_mut(part.clone())?.copy_from(source.view(from.clone())?)?;
                    model[part].copy_from_slice(&other[from]);
                }
                3 => {
                    let found = site.result(buffer.view(part.clone())?.download()?);
                    read = read.and(Found::equal("memory", &found, &model[part]));
                }
                4 => read = read.and(transfers(device, &mut buffer, &mut model, &part, (&source, &other), site)?),
                5 => {
                    // One byte of the words.
                    let bytes = buffer.len() * size_of::<T>();
                    if bytes > 0 {
                        let place = random.below(bytes as u64) as usize;
                        let byte = if self.word == Kind::F32 || self.word == Kind::F64 { 0 } else { value_byte(value) };
                        buffer.seen_as::<u8, _>(|seen| seen.view_mut(place..=place)?.fill(byte))??;
                        bytemuck::cast_slice_mut::<T, u8>(&mut model)[place] = byte;
                    }
                }
                _ => {
                    let middle = random.below(part.len() as u64 + 1) as usize;
                    let (mut left, mut right) = buffer.view_mut(part.clone())?.split_at(middle)?;
                    left.fill(value)?;
                    right.fill(T::zeroed())?;
                    model[part.start..part.start + middle].fill(value);
                    model[part.start + middle..part.end].fill(T::zeroed());
                }
            }
        }
        let found = site.taken(&buffer)?;
        Ok(read.and(Found::equal("memory", &found, &model)))
    }
}

/// The steps, for the notes.
const NAMES: [&str; 7] = ["write", "fill", "copy", "read", "transfers", "byte at", "split"];

fn value_byte<T: Word>(value: T) -> u8 {
    bytemuck::bytes_of(&value)[0]
}

/// Uploads a part and downloads another buffer's at the same time, from and to pinned memory.
fn transfers<T: Word>(
    device: &Device,
    buffer: &mut Buffer<T>,
    model: &mut [T],
    part: &std::ops::Range<usize>,
    (source, other): (&Buffer<T>, &[T]),
    site: &Site,
) -> Result<Found, Failure> {
    let mut pinned = device.pinned::<T>(part.len())?;
    pinned.copy_from_slice(&other[part.clone()]);
    let mut out = vec![T::zeroed(); part.len()];
    device.overlap(|transfers| {
        let upload = transfers.upload(&pinned, buffer.view_mut(part.clone())?)?;
        let download = transfers.download(source.view(part.clone())?, &mut out)?;
        upload.wait()?;
        download.wait()?;
        Ok::<(), manycore::DeviceError>(())
    })??;
    model[part.clone()].copy_from_slice(&other[part.clone()]);
    Ok(Found::equal("memory", &site.result(out), &other[part.clone()]))
}
