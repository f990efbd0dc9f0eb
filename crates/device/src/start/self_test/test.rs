//! One known-answer test: a kernel, its operands, and rows of the results that the host expects.

use crate::error::DeviceError;
use crate::failure::{Failure, NeededBy};
use crate::opencl::defines::Defines;
use crate::opencl::executor::OpenCl;
use crate::opencl::objects::Memory;
use crate::opencl::spec::KernelSpec;
use crate::word::WordType;

/// Items of a group: few, so that devices whose groups are small take them.
const MOST_ITEMS: usize = 64;

/// One test.
pub(super) struct Test {
    pub(super) kernel: &'static KernelSpec,
    pub(super) defines: Defines,
    /// What cannot be used where it fails.
    pub(super) needed_by: NeededBy,
    /// Words of each item, one item after the other.
    pub(super) operands: Vec<u64>,
    /// The words of an item.
    pub(super) width: usize,
    pub(super) rows: Vec<Row>,
    /// Runs the kernel.
    pub(super) run: Run,
}

/// The results of a test's kernel, whose row of this number is made wrong.
type Run = fn(&OpenCl, &Test, Option<u32>) -> Result<Vec<u64>, DeviceError>;

/// The results of one primitive.
pub(super) struct Row {
    pub(super) name: String,
    /// The row's number among those that the define `SELF_TEST_BREAK` makes wrong.
    pub(super) number: u32,
    /// The place of the first result.
    pub(super) start: usize,
    pub(super) expected: Vec<u64>,
    /// Which words of an item it depends on.
    pub(super) uses: &'static [usize],
    /// Whether the results come in any order.
    pub(super) unordered: bool,
}

impl Test {
    /// The number of items.
    pub(super) fn count(&self) -> usize {
        self.operands.len() / self.width.max(1)
    }

    /// Appends a row with one result for each item, the function of the item's words.
    pub(super) fn row(
        &mut self,
        name: impl Into<String>,
        number: u32,
        uses: &'static [usize],
        result: impl Fn(&[u64]) -> u64,
    ) {
        let expected = self.operands.chunks_exact(self.width).map(result).collect();
        let start = number as usize * self.count();
        self.rows.push(Row { name: name.into(), number, start, expected, uses, unordered: false });
    }

    /// The number of this primitive in the test, which makes the kernel compute it wrongly; `None` where the test lacks it.
    pub(super) fn break_number(&self, primitive: &str) -> Option<u32> {
        self.rows.iter().find(|row| row.name == primitive).map(|row| row.number)
    }

    /// One failure for each row that has a wrong result, or lacks one: the first of the row.
    pub(super) fn compare(&self, found: &[u64]) -> Vec<Failure> {
        let wrong = |row: &Row| {
            let mut here = found.get(row.start..).unwrap_or_default().to_vec();
            here.truncate(row.expected.len());
            if row.unordered {
                here.sort_unstable();
            }
            let place = (0..row.expected.len()).find(|&place| here.get(place) != row.expected.get(place))?;
            Some(Failure {
                primitive: row.name.clone(),
                input: self.input(row, place),
                expected: format!("{:#x}", row.expected[place]),
                found: here.get(place).map_or_else(|| "nothing".to_owned(), |word| format!("{word:#x}")),
                needed_by: self.needed_by,
            })
        };
        self.rows.iter().filter_map(wrong).collect()
    }

    fn input(&self, row: &Row, place: usize) -> String {
        if row.uses.is_empty() {
            return format!("item {place}");
        }
        let item = &self.operands[place % self.count() * self.width..][..self.width];
        row.uses.iter().map(|&word| format!("{:#x}", item[word])).collect::<Vec<_>>().join(", ")
    }

    /// The failure of a test that did not run.
    pub(super) fn did_not_run(&self, error: &DeviceError) -> Failure {
        let text: String = error.to_string().lines().next().unwrap_or_default().chars().take(200).collect();
        Failure {
            primitive: self.rows.first().map(|row| row.name.clone()).unwrap_or_default(),
            input: "any input".into(),
            expected: "a result".into(),
            found: text,
            needed_by: self.needed_by,
        }
    }

    /// What a device without faults gives.
    #[cfg(test)]
    pub(super) fn right(&self) -> Vec<u64> {
        let len = self.rows.iter().map(|row| row.start + row.expected.len()).max().unwrap_or(0);
        let mut words = vec![0; len];
        for row in &self.rows {
            words[row.start..][..row.expected.len()].copy_from_slice(&row.expected);
        }
        words
    }

    /// The defines with one row made wrong.
    pub(super) fn defines_with(&self, broken: Option<u32>) -> Defines {
        match broken {
            Some(number) => self.defines.clone().set("SELF_TEST_BREAK", format!("{number}u")),
            None => self.defines.clone(),
        }
    }
}

/// Runs a kernel of independent items, whose arguments are the operands, the results and the number of items.
pub(super) fn run_items(cl: &OpenCl, test: &Test, broken: Option<u32>) -> Result<Vec<u64>, DeviceError> {
    let kernel = cl.kernel(test.kernel, &test.defines_with(broken))?;
    let count = test.count();
    let rows = test.rows.iter().map(|row| row.number as usize + 1).max().unwrap_or(0);
    let mut results = vec![0u64; rows * count];
    with_memory(cl, size_of_val(&test.operands[..]), |operands| {
        cl.write(operands, 0, bytemuck::cast_slice(&test.operands))?;
        with_memory(cl, size_of_val(&results[..]), |memory| {
            let launch = cl.launch(&kernel).memory(operands, WordType::U64).memory(memory, WordType::U64);
            launch.value(count as u32).items(count, kernel.group_limit().min(MOST_ITEMS)).run()?;
            cl.read(memory, 0, bytemuck::cast_slice_mut(&mut results))
        })
    })?;
    Ok(results)
}

/// Runs `work` on a block of the device's memory.
pub(super) fn with_memory(
    cl: &OpenCl,
    bytes: usize,
    work: impl FnOnce(&Memory) -> Result<(), DeviceError>,
) -> Result<(), DeviceError> {
    let (memory, size) = cl.allocate(bytes)?;
    let outcome = work(&memory);
    cl.release(memory, size);
    outcome
}

/// Pseudo-random words, by `SplitMix64` (Steele, Lea, Flood 2014).
pub(super) struct Random(pub(super) u64);

impl Random {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
