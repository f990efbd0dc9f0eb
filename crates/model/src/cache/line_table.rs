//! From line numbers to dense slots, each with a value.

use rustc_hash::FxHashMap;

/// Lines that share one entry of the index: neighbours are mostly accessed together.
const PAGE_LINES: u64 = 16;
/// Index entry of a page that is in the map, or nowhere.
const ELSEWHERE: u32 = u32::MAX;

/// A map from line numbers to values that starts as `vacant` everywhere.
///
/// Lines are grouped in pages of 16. A page once looked up costs nothing while the trace stays on it. Pages are found
/// by an array indexed by page number as long as that has at most four entries a page in use, which holds for traces
/// over arrays from address 0 on; pages with larger numbers are in a hash table.
///
/// Memory: `O(distinct lines)`. At best about one value a line; at worst, every line alone on its page, 16 values and
/// one hash entry a line.
#[derive(Clone, Debug)]
pub(super) struct LineTable<T> {
    vacant: T,
    values: Vec<T>,
    /// Where the page of each number is in `values`, counted in pages.
    index: Vec<u32>,
    /// The numbers of the pages that lie too far out for `index`.
    map: FxHashMap<u64, usize>,
    /// The page of the last look-up and its first slot. `u64::MAX` is the number of no page.
    last: (u64, usize),
}

impl<T: Copy> LineTable<T> {
    pub(super) fn new(vacant: T) -> Self {
        Self { vacant, values: Vec::new(), index: Vec::new(), map: FxHashMap::default(), last: (u64::MAX, 0) }
    }

    /// Slot of `line`, the same at every call.
    #[inline]
    pub(super) fn slot(&mut self, line: u64) -> usize {
        let page = line / PAGE_LINES;
        if page != self.last.0 {
            let place = match self.index.get(usize::try_from(page).unwrap_or(usize::MAX)) {
                Some(&place) if place != ELSEWHERE => place as usize,
                _ => self.look_up(page),
            };
            self.last = (page, place * PAGE_LINES as usize);
        }
        self.last.1 + (line % PAGE_LINES) as usize
    }

    /// Place of a page that is not in the index; it is made if new, and entered into the index if near enough.
    fn look_up(&mut self, page: u64) -> usize {
        let pages = self.values.len() / PAGE_LINES as usize;
        let known = self.map.get(&page).copied();
        let place = known.unwrap_or(pages);
        if known.is_none() {
            self.values.resize(self.values.len() + PAGE_LINES as usize, self.vacant);
        }
        let near = usize::try_from(page).ok().filter(|&page| page < 4 * pages + 1024);
        match (near, u32::try_from(place)) {
            (Some(page), Ok(entry)) if entry != ELSEWHERE => {
                if page >= self.index.len() {
                    self.index.resize(page + 1, ELSEWHERE);
                }
                self.index[page] = entry;
            }
            _ if known.is_none() => {
                self.map.insert(page, place);
            }
            _ => {}
        }
        place
    }

    #[inline]
    pub(super) fn get(&self, slot: usize) -> T {
        self.values[slot]
    }

    #[inline]
    pub(super) fn set(&mut self, slot: usize, value: T) {
        self.values[slot] = value;
    }

    #[inline]
    pub(super) fn get_mut(&mut self, slot: usize) -> &mut T {
        &mut self.values[slot]
    }

    /// All values by slot, vacant ones included.
    pub(super) fn values_mut(&mut self) -> &mut [T] {
        &mut self.values
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_distinct_and_stay() {
        // Far pages come first, so that they move from the map to the index when it has grown to reach them.
        let mut lines: Vec<u64> = (0..70_000).rev().chain([u64::MAX, u64::MAX - 16, 1 << 60]).collect();
        let mut table = LineTable::new(None);
        for &line in &lines {
            let slot = table.slot(line);
            assert_eq!(table.get(slot), None, "line {line} shares a slot");
            table.set(slot, Some(line));
        }
        lines.reverse();
        for line in lines {
            let slot = table.slot(line);
            assert_eq!(table.get(slot), Some(line));
        }
        assert!(table.index.len() > 4000 && table.index.len() <= 4 * 4400 + 1024);
    }
}
