//! Kernels one after another.

use super::PaperError;
use crate::many_core::{Cost, DoesNotFit, Kernel, ManyCore, Program};

/// A sequence of launches in which each waits for the one before, as groups of equal ones: what a loop on the host that
/// launches a kernel makes.
///
/// A loop of `2^30` equal launches takes the room of one. [`Launches::cost`] composes; [`Launches::program`] writes the
/// launches out.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Launches {
    groups: Vec<(Kernel, u64)>,
}

impl Launches {
    /// The most launches that [`Launches::program`] writes out, and the most groups of equal ones.
    pub const LISTED: u64 = 1 << 20;

    /// Adds `count` launches of `kernel`; nothing for 0.
    pub(super) fn push(&mut self, kernel: Kernel, count: u64) {
        if count > 0 {
            self.groups.push((kernel, count));
        }
    }

    /// `count` launches, of which number `i` has `blocks(i)` blocks, a number that never grows with `i`.
    ///
    /// # Errors
    /// [`PaperError::TooMany`] past [`Launches::LISTED`] different numbers of blocks.
    pub(super) fn shrinking(
        count: u64,
        blocks: impl Fn(u64) -> u64,
        kernel: impl Fn(u64) -> Kernel,
    ) -> Result<Self, PaperError> {
        let mut launches = Self::default();
        let mut at = 0;
        while at < count {
            if launches.groups.len() as u64 == Self::LISTED {
                return Err(PaperError::TooMany { launches: Self::LISTED + 1, limit: Self::LISTED });
            }
            let size = blocks(at);
            // The first launch with fewer blocks, by halving.
            let (mut same, mut fewer) = (at, count);
            while fewer - same > 1 {
                let middle = same + (fewer - same) / 2;
                if blocks(middle) == size {
                    same = middle;
                } else {
                    fewer = middle;
                }
            }
            launches.push(kernel(size), fewer - at);
            at = fewer;
        }
        Ok(launches)
    }

    /// Each kernel, and how many times in a row it is launched.
    pub fn groups(&self) -> &[(Kernel, u64)] {
        &self.groups
    }

    /// The number of launches.
    pub fn count(&self) -> u64 {
        self.groups.iter().map(|(_, count)| count).sum()
    }

    /// Work, span, overhead and the counts of the bounds on `machine`, in time linear in the groups.
    ///
    /// # Errors
    /// [`DoesNotFit`] where a kernel needs more threads or local memory than a processor has, or a count passes 2^128.
    pub fn cost(&self, machine: &ManyCore) -> Result<Cost, DoesNotFit> {
        self.groups
            .iter()
            .try_fold(Cost::ZERO, |sum, (kernel, count)| sum.then(Cost::of(kernel, machine)?.times(*count)?))
    }

    /// The launches as a program: a chain.
    ///
    /// # Errors
    /// [`PaperError::TooMany`] for more than [`Launches::LISTED`].
    pub fn program(&self) -> Result<Program, PaperError> {
        let (launches, limit) = (self.count(), Self::LISTED);
        if launches > limit {
            return Err(PaperError::TooMany { launches, limit });
        }
        let mut program = Program::new();
        let mut last = None;
        for (kernel, count) in &self.groups {
            for _ in 0..*count {
                last = Some(program.push(kernel.clone(), last.as_slice())?);
            }
        }
        Ok(program)
    }
}
