//! A program: kernels and which waits for which.

use std::collections::BTreeSet;

use super::ManyCore;
use super::cost::Cost;
use super::kernel::Kernel;
use crate::error::{DoesNotFit, ProgramError};

/// A kernel's place in its program. It names a kernel of the program that gave it, and of those that [`Program::then`] and
/// [`Program::beside`] make of that one and others behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct KernelId(usize);

/// A directed acyclic graph of kernels.
///
/// ```
/// use manycore_model::{Blocks, Kernel, ManyCore, Program};
/// let mut program = Program::new();
/// let first = program.push(Kernel::new("first", 8).blocks(Blocks::even(3, 8, 5, 2, 1)), &[])?;
/// program.push(Kernel::new("second", 4).blocks(Blocks::even(2, 4, 5, 1, 1)), &[first])?;
/// let cost = program.cost(&ManyCore::new(2, 1024, 4.0)?)?;
/// assert_eq!((cost.work, cost.span, cost.blocks, cost.chain), (160, 10, 5, 2));
/// assert_eq!(cost.bound_cycles(2), (2.5 + 2.0) * 17.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Program {
    kernels: Vec<Kernel>,
    /// For each kernel, those that it waits for.
    after: Vec<Vec<usize>>,
    /// The kernels in an order in which each follows those that it waits for.
    order: Vec<usize>,
    /// The kernels that no other kernel waits for.
    sinks: BTreeSet<usize>,
}

/// The numbers of paper 002, Table 3.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Shape {
    /// Kernels, `n`.
    pub kernels: usize,
    /// Words of local memory of a block, at most: `z`.
    pub local_words: u64,
    /// Threads of a block, at most: `q`.
    pub threads: u32,
    /// Blocks of one parallel step, at most: `d`.
    pub parallel_blocks: u128,
    /// Parallel steps: `pi`, the kernels of a longest path.
    pub parallel_steps: u64,
}

impl Program {
    /// A program without kernels, whose cost is zero.
    pub fn new() -> Self {
        Self::default()
    }

    /// Kernels and pairs `(before, after)` of their indices.
    ///
    /// # Errors
    /// [`ProgramError`] for a kernel that [`Program::push`] refuses, an index that names no kernel, or a cycle.
    pub fn from_graph(kernels: Vec<Kernel>, edges: &[(usize, usize)]) -> Result<Self, ProgramError> {
        kernels.iter().try_for_each(Kernel::check)?;
        let mut after = vec![Vec::new(); kernels.len()];
        let mut before = vec![Vec::new(); kernels.len()];
        for &(from, to) in edges {
            for index in [from, to] {
                if index >= kernels.len() {
                    return Err(ProgramError::Unknown { index, kernels: kernels.len() });
                }
            }
            after[to].push(from);
            before[from].push(to);
        }
        let mut waiting: Vec<usize> = after.iter().map(Vec::len).collect();
        let mut order: Vec<usize> = (0..kernels.len()).filter(|&k| waiting[k] == 0).collect();
        let mut next = 0;
        while let Some(&k) = order.get(next) {
            next += 1;
            for &later in &before[k] {
                waiting[later] -= 1;
                if waiting[later] == 0 {
                    order.push(later);
                }
            }
        }
        if let Some(k) = on_a_cycle(&after, &waiting) {
            return Err(ProgramError::Cycle { kernel: kernels[k].name.clone() });
        }
        let sinks = (0..kernels.len()).filter(|&k| before[k].is_empty()).collect();
        Ok(Self { kernels, after, order, sinks })
    }

    /// Adds a kernel that starts when those of `after` have ended.
    ///
    /// # Errors
    /// [`ProgramError`] for a kernel without blocks or threads, work that its threads cannot have done, parameters of zero, or
    /// a dependency on a kernel that this program does not have.
    pub fn push(&mut self, kernel: Kernel, after: &[KernelId]) -> Result<KernelId, ProgramError> {
        kernel.check()?;
        let id = self.kernels.len();
        if let Some(&KernelId(index)) = after.iter().find(|other| other.0 >= id) {
            return Err(ProgramError::Unknown { index, kernels: id });
        }
        for KernelId(before) in after {
            self.sinks.remove(before);
        }
        self.sinks.insert(id);
        self.kernels.push(kernel);
        self.after.push(after.iter().map(|other| other.0).collect());
        self.order.push(id);
        Ok(KernelId(id))
    }

    /// Adds a kernel that starts when everything before has ended: the launches of one queue. Takes time linear in the kernels
    /// that nothing waits for, one in a queue.
    ///
    /// # Errors
    /// As [`Program::push`].
    pub fn queue(&mut self, kernel: Kernel) -> Result<KernelId, ProgramError> {
        let sinks: Vec<KernelId> = self.sinks.iter().copied().map(KernelId).collect();
        self.push(kernel, &sinks)
    }

    /// The kernels, in the order in which they were added.
    pub fn kernels(&self) -> &[Kernel] {
        &self.kernels
    }

    /// This program, then the other one: each of its first kernels waits for each of the last ones here.
    #[must_use]
    pub fn then(mut self, next: Self) -> Self {
        if next.kernels.is_empty() {
            return self;
        }
        let sinks: Vec<usize> = std::mem::take(&mut self.sinks).into_iter().collect();
        let sources: Vec<usize> = (0..next.kernels.len()).filter(|&k| next.after[k].is_empty()).collect();
        let shift = self.kernels.len();
        self = self.beside(next);
        for source in sources {
            self.after[source + shift].clone_from(&sinks);
        }
        self
    }

    /// This program and, independently, another one.
    #[must_use]
    pub fn beside(mut self, other: Self) -> Self {
        let shift = self.kernels.len();
        self.kernels.extend(other.kernels);
        self.after.extend(other.after.into_iter().map(|ids| ids.into_iter().map(|id| id + shift).collect()));
        self.order.extend(other.order.into_iter().map(|id| id + shift));
        self.sinks.extend(other.sinks.into_iter().map(|id| id + shift));
        self
    }

    /// For each kernel, the parallel step that it belongs to: 1, or one more than the latest of those that it waits for.
    pub fn levels(&self) -> Vec<u64> {
        let mut levels = vec![1; self.kernels.len()];
        for &k in &self.order {
            levels[k] = self.after[k].iter().map(|&before| levels[before] + 1).max().unwrap_or(1);
        }
        levels
    }

    /// The numbers of Table 3.1.
    pub fn shape(&self) -> Shape {
        let levels = self.levels();
        let steps = levels.iter().copied().max().unwrap_or(0);
        let mut blocks = vec![0u128; steps as usize];
        for (kernel, level) in self.kernels.iter().zip(&levels) {
            blocks[*level as usize - 1] += kernel.block_count();
        }
        Shape {
            kernels: self.kernels.len(),
            local_words: self.kernels.iter().map(|kernel| kernel.local_words).max().unwrap_or(0),
            threads: self.kernels.iter().map(|kernel| kernel.threads).max().unwrap_or(0),
            parallel_blocks: blocks.into_iter().max().unwrap_or(0),
            parallel_steps: steps,
        }
    }

    /// Work, span, overhead and the counts of the bounds on `machine`. Takes time linear in kernels and dependencies.
    ///
    /// # Errors
    /// [`DoesNotFit`] when a kernel needs more threads or local memory than a processor has, or a count passes 2^128.
    pub fn cost(&self, machine: &ManyCore) -> Result<Cost, DoesNotFit> {
        let mut cost = Cost::ZERO;
        let mut spans = vec![0u128; self.kernels.len()];
        for &k in &self.order {
            let own = Cost::of(&self.kernels[k], machine)?;
            let before = self.after[k].iter().map(|&before| spans[before]).max().unwrap_or(0);
            spans[k] = before.checked_add(own.span).ok_or(DoesNotFit::Overflow { quantity: "operations" })?;
            // Spans and chains are paths of the graph, not of the order in which kernels are added up here.
            cost = cost.beside(own)?;
        }
        cost.span = spans.into_iter().max().unwrap_or(0);
        cost.chain = u128::from(self.levels().into_iter().max().unwrap_or(0));
        Ok(cost)
    }
}

/// A kernel on a cycle, where some are still `waiting` for others when all that could start have; each of those waits for
/// another one of them.
fn on_a_cycle(after: &[Vec<usize>], waiting: &[usize]) -> Option<usize> {
    let mut k = waiting.iter().position(|&left| left > 0)?;
    // Whoever goes back as many steps as there are kernels is on a cycle.
    for _ in 0..waiting.len() {
        k = after[k].iter().copied().find(|&before| waiting[before] > 0)?;
    }
    Some(k)
}
