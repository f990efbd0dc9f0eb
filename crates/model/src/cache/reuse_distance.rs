//! Reuse distances.

use super::line_table::LineTable;
use super::{Geometry, Report};

/// Time of a line never accessed.
const NEVER: usize = usize::MAX;
/// Times in one word of the bit set.
const BITS: usize = u64::BITS as usize;

/// Histogram of reuse distances: the misses of the fully associative least-recently-used cache of every size.
///
/// The reuse distance of an access is the number of distinct other lines accessed since the last access to its line. A
/// cache of `k` lines with least-recently-used replacement hits if and only if that is less than `k` (Mattson, Gecsei,
/// Slutz and Traiger, *Evaluation techniques for storage hierarchies*, 1970).
///
/// One bit a line marks the time of its last access; a distance is a count of later marks, by a Fenwick tree over the
/// words of the bit set. Times are renumbered when they run out, so that memory is `O(distinct lines)`; time is
/// `O(log(distinct lines))` per access.
///
/// ```
/// use manycore_model::cache::{Geometry, ReuseDistances};
///
/// let mut distances = ReuseDistances::new(1)?; // lines of one word
/// distances.run([0, 1, 2, 0, 0, 1]);
/// assert_eq!(distances.histogram(), [1, 0, 2]);
/// assert_eq!([1, 2, 3].map(|lines| distances.misses(lines)), [5, 5, 3]);
/// # Ok::<(), manycore_model::cache::GeometryError>(())
/// ```
#[derive(Clone, Debug)]
pub struct ReuseDistances {
    geometry: Geometry,
    lines: LineTable<usize>,
    /// Bit `t`: time `t` is the last access of some line.
    marks: Vec<u64>,
    /// Fenwick tree over the words of `marks`: entry `i` counts the marks of words `i - lowbit(i) .. i`, from 1 on.
    tree: Vec<usize>,
    now: usize,
    accesses: u64,
    compulsory: usize,
    histogram: Vec<u64>,
}

impl ReuseDistances {
    /// No access yet; lines of `line_words` words.
    ///
    /// # Errors
    /// [`GeometryError::ZeroLine`](super::GeometryError::ZeroLine).
    pub fn new(line_words: u64) -> Result<Self, super::GeometryError> {
        Ok(Self {
            geometry: Geometry::with_lines(1, line_words)?,
            lines: LineTable::new(NEVER),
            marks: vec![0; 64],
            tree: vec![0; 65],
            now: 0,
            accesses: 0,
            compulsory: 0,
            histogram: Vec::new(),
        })
    }

    /// Accesses the word at `address`; returns the reuse distance in lines, `None` for the first access to a line.
    pub fn access(&mut self, address: u64) -> Option<usize> {
        self.accesses += 1;
        if self.now == self.marks.len() * BITS {
            self.renumber();
        }
        let slot = self.lines.slot(self.geometry.line_of(address));
        let last = self.lines.get(slot);
        self.lines.set(slot, self.now);
        let distance = if last == NEVER {
            self.compulsory += 1;
            None
        } else {
            let distance = self.compulsory - self.marks_up_to(last);
            self.marks[last / BITS] &= !(1 << (last % BITS));
            self.add(last / BITS, usize::MAX); // minus one
            if self.histogram.len() <= distance {
                self.histogram.resize(distance + 1, 0);
            }
            self.histogram[distance] += 1;
            Some(distance)
        };
        self.marks[self.now / BITS] |= 1 << (self.now % BITS);
        self.add(self.now / BITS, 1);
        self.now += 1;
        distance
    }

    /// Accesses all `addresses` in order.
    pub fn run(&mut self, addresses: impl IntoIterator<Item = u64>) {
        addresses.into_iter().for_each(|address| {
            self.access(address);
        });
    }

    /// Number of accesses at each distance, up to the largest one that occurred. First accesses are in none.
    pub fn histogram(&self) -> &[u64] {
        &self.histogram
    }

    /// Distinct lines, the misses of a cache of any size on first accesses.
    pub fn compulsory(&self) -> u64 {
        self.compulsory as u64
    }

    /// Misses of a cache of `lines` lines; all accesses for no lines.
    pub fn misses(&self, lines: u64) -> u64 {
        let skip = usize::try_from(lines).unwrap_or(usize::MAX);
        self.compulsory() + self.histogram.iter().skip(skip).sum::<u64>()
    }

    /// Counts of a cache of `lines` lines, as [`LeastRecentlyUsed`](super::LeastRecentlyUsed) would report them.
    pub fn report(&self, lines: u64) -> Report {
        Report { accesses: self.accesses, misses: self.misses(lines), compulsory: self.compulsory() }
    }

    /// Misses of the caches of `0, 1, 2, ...` lines, up to the first size with compulsory misses only.
    pub fn misses_by_lines(&self) -> Vec<u64> {
        let mut misses = vec![self.compulsory(); self.histogram.len() + 1];
        for lines in (0..self.histogram.len()).rev() {
            misses[lines] = misses[lines + 1] + self.histogram[lines];
        }
        misses
    }

    /// Marks at times `0 ..= time`.
    fn marks_up_to(&self, time: usize) -> usize {
        let mut word = time / BITS;
        let mut count = (self.marks[word] << (BITS - 1 - time % BITS)).count_ones() as usize;
        while word > 0 {
            count += self.tree[word];
            word &= word - 1;
        }
        count
    }

    /// Adds `difference`, modulo the word length, to the count of a word of marks.
    fn add(&mut self, word: usize, difference: usize) {
        let mut entry = word + 1;
        while entry < self.tree.len() {
            self.tree[entry] = self.tree[entry].wrapping_add(difference);
            entry += entry & entry.wrapping_neg();
        }
    }

    /// Gives the marks the times `0 .. distinct lines`, in order, and makes room for as many again.
    #[cold]
    fn renumber(&mut self) {
        // The tree is made anew below: until then entry `w` counts the marks before word `w`.
        let mut before = 0;
        for (entry, word) in self.tree.iter_mut().zip(&self.marks) {
            *entry = before;
            before += word.count_ones() as usize;
        }
        for time in self.lines.values_mut().iter_mut().filter(|time| **time != NEVER) {
            let word = *time / BITS;
            let within = self.marks[word] & ((1 << (*time % BITS)) - 1);
            *time = self.tree[word] + within.count_ones() as usize;
        }
        self.now = self.compulsory;
        let words = (2 * self.now).div_ceil(BITS).max(64);
        self.marks.clear();
        self.marks.resize(self.now / BITS, u64::MAX);
        self.marks.push((1 << (self.now % BITS)) - 1);
        self.marks.resize(words, 0);
        self.tree.clear();
        self.tree.resize(words + 1, 0);
        for entry in 1..=words {
            self.tree[entry] += self.marks[entry - 1].count_ones() as usize;
            let parent = entry + (entry & entry.wrapping_neg());
            if parent <= words {
                self.tree[parent] += self.tree[entry];
            }
        }
    }
}
