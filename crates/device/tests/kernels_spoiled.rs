//! Kernels whose indices, counts or lengths from memory are spoiled, on every OpenCL device: none reads or writes out of its
//! buffers, or goes on without end. oclgrind tells of each wrong access; a processor's driver ends the test by a signal.

use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::{Buffer, Defines, Device, Executor, Kernel, KernelSpec, OpenCl, Word};
use manycore_testkit::opencl_devices;

// SAFETY: each is launched on buffers of the lengths that its arguments tell; what the buffers hold is spoiled, which no kernel may
// trust.
manycore_device::kernel! {
    unsafe ROWS in manycore_kernels::sparse::ROWS: sparse_multiply_rows
    unsafe DENSE in manycore_kernels::sparse::ROWS: sparse_multiply_dense
    unsafe MERGE in manycore_kernels::sparse::MERGE: sparse_multiply_merge
    unsafe CARRIES in manycore_kernels::sparse::MERGE: sparse_merge_carries
    unsafe PIVOT in manycore_kernels::linalg::ELIMINATE: eliminate_pivot
    unsafe EXCHANGE in manycore_kernels::linalg::ELIMINATE: eliminate_exchange
    unsafe UPDATE in manycore_kernels::linalg::ELIMINATE: eliminate_update
    unsafe PERMUTE in manycore_kernels::linalg::ELIMINATE: eliminate_permute
    unsafe BITS_SWAP in manycore_kernels::linalg::BITS_ROWS: bits_swap
    unsafe PICK in manycore_kernels::linalg::ENTRIES: entries_pick
    unsafe HESSENBERG_EXCHANGE in manycore_kernels::linalg::HESSENBERG: hessenberg_exchange
    unsafe HESSENBERG_COLUMNS in manycore_kernels::linalg::HESSENBERG: hessenberg_columns
    unsafe CONDENSE in manycore_kernels::linalg::CONDENSE: condense_step
    unsafe REAL_FACTORS in manycore_kernels::linalg::REAL: real_factors
    unsafe BLOCK_MULTIPLIERS in manycore_kernels::linalg::REAL_BLOCKS: block_multipliers
    unsafe REAL_ELIMINATE in manycore_kernels::linalg::REAL_WHOLE: real_eliminate
    unsafe GCD_STEPS in manycore_kernels::poly::GCD_STEPS: gcd_steps
    unsafe GCD_PERSISTENT in manycore_kernels::poly::GCD_STEPS: gcd_steps_persistent
    unsafe TILE in manycore_kernels::fourier::TILE: fourier_tile
    unsafe PREIMAGES in manycore_kernels::boolean::MASKS: boolean_preimages
    unsafe DIRECT in manycore_kernels::characters::DIRECT: characters_direct
    unsafe KEYS in manycore_kernels::sort::REFINE: refine_keys
    unsafe STRINGS in manycore_kernels::sort::REFINE: refine_bytes
    unsafe MARK in manycore_kernels::sort::REFINE: refine_mark
    unsafe KEEP in manycore_kernels::sort::REFINE: refine_keep
    unsafe COMPACT in manycore_kernels::sort::REFINE: refine_compact
    unsafe RADIX_PLACE in manycore_kernels::sort::RADIX: radix_place
}

/// Words that are no index of a small buffer: the first two lie far out of it, the others close behind it.
const SPOILED: [u32; 4] = [u32::MAX, 1 << 31, 12, 9];

/// The prime of residues, and what kernels need of it.
const P: (u32, u64) = (7, u64::MAX / 7);

/// A simulator runs one kernel at a time, so the tests run one after the other.
fn turn() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A device with the kernels' definitions.
struct Site<'a> {
    device: &'a Device,
    cl: &'a OpenCl,
    defines: Defines,
}

impl Site<'_> {
    fn kernel(&self, spec: &'static KernelSpec) -> Kernel {
        self.cl.kernel(spec, &self.defines).unwrap()
    }

    fn words<T: Word>(&self, words: &[T]) -> Buffer<T> {
        self.device.upload(words).unwrap()
    }
}

/// Runs a check on every OpenCL device, for each spoiled word.
fn spoiled(defines: &Defines, check: impl Fn(&Site<'_>, u32)) {
    let _turn = turn();
    for device in opencl_devices() {
        let Executor::OpenCl(cl) = device.executor() else { panic!("{device:?} is no OpenCL device") };
        for word in SPOILED {
            check(&Site { device: &device, cl, defines: defines.clone() }, word);
            device.finish().unwrap();
        }
    }
}

fn group(size: usize) -> Defines {
    Defines::new().set("GROUP", format!("{size}u"))
}

/// A matrix of three rows of two non-zeros in four columns, one of its words spoiled.
#[test]
fn sparse_products_stay_in_their_buffers() {
    let numbers = Defines::new().element(f32::TYPE);
    spoiled(&numbers.clone().set("GROUP", 4).set("LANES", 2), |site, word| {
        for place in 0..10 {
            let mut parts = ([0u32, 2, 4, 6], [0u32, 3, 1, 2, 0, 3]);
            *parts.0.iter_mut().chain(&mut parts.1).nth(place).unwrap() = word;
            let (offsets, columns) = (site.words(&parts.0), site.words(&parts.1));
            let (values, x) = (site.words(&[1f32; 6]), site.words(&[1f32; 4]));
            let mut y = site.words(&[0f32; 3]);
            let kernel = site.kernel(&ROWS);
            let launch = site.cl.launch(&kernel).input(&offsets).input(&columns).input(&values).input(&x);
            let launch = launch.buffer(&mut y).value(3u32).value(6u32).value(3u32).value(0u64).value(0f32).value(0u64);
            launch.items(6, 4).run().unwrap();
            let found = y.download().unwrap();
            assert!(found.iter().all(|&sum| (0.0..=6.0).contains(&sum)), "{found:?}: row {place} is {word}");
            let (x, mut y) = (site.words(&[1f32; 8]), site.words(&[0f32; 6]));
            let kernel = site.kernel(&DENSE);
            let launch = site.cl.launch(&kernel).input(&offsets).input(&columns).input(&values).input(&x);
            let launch = launch.buffer(&mut y).value(3u32).value(6u32).value(3u32).value(2u64);
            launch.value(0u64).value(0f32).value(0u64).items(12, 4).run().unwrap();
            let found = y.download().unwrap();
            assert!(found.iter().all(|&sum| (0.0..=6.0).contains(&sum)), "{found:?}: row {place} is {word}");
        }
    });
    spoiled(&numbers.set("GROUP", 2).set("ITEMS", 2), |site, word| {
        for place in 0..14 {
            // The path has nine steps: three groups of four.
            let mut parts = ([0u32, 2, 4, 6], [0u32, 3, 1, 2, 0, 3], [0u32, 1, 2, 3]);
            *parts.0.iter_mut().chain(&mut parts.1).chain(&mut parts.2).nth(place).unwrap() = word;
            let (offsets, columns, starts) = (site.words(&parts.0), site.words(&parts.1), site.words(&parts.2));
            let (values, x) = (site.words(&[1f32; 6]), site.words(&[1f32; 4]));
            let (mut y, mut carries) = (site.words(&[0f32; 3]), site.words(&[0f32; 3]));
            let kernel = site.kernel(&MERGE);
            let launch = site.cl.launch(&kernel).input(&offsets).input(&columns).input(&values).input(&x);
            let launch = launch.buffer(&mut y).input(&starts).buffer(&mut carries).value(3u32).value(6u32).value(3u32);
            launch.value(1u64).value(0u64).value(0f32).value(0u64).groups(3, 2).run().unwrap();
            let kernel = site.kernel(&CARRIES);
            let launch = site.cl.launch(&kernel).input(&starts).input(&carries).buffer(&mut y);
            let launch = launch.value(3u32).value(3u32).value(1u64).value(0u64).value(0f32).value(0u64);
            launch.items(3, 2).run().unwrap();
            y.download().unwrap();
        }
    });
}

/// Rows that the state names, of a matrix of three rows and four columns.
#[test]
fn eliminations_stay_in_their_buffers() {
    spoiled(&group(4).element(u32::TYPE).set("BAND", "2u"), |site, word| {
        for place in 0..3 {
            let mut parts = [1u32, 1, 2];
            parts[place] = word;
            let entries = [1u32, 2, 3, 4, 5, 6, 0, 1, 2, 3, 4, 6];
            let (mut a, mut state) = (site.words(&entries), site.words(&parts));
            let (mut columns, mut swaps) = (site.words(&[0u32; 3]), site.words(&[0u32; 3]));
            let (mut values, mut multipliers) = (site.words(&[1u32; 4]), site.words(&[0u32; 3]));
            let kernel = site.kernel(&EXCHANGE);
            let launch = site.cl.launch(&kernel).buffer(&mut a).value(4u64).value(3u32).value(4u32);
            let launch = launch.value(1u32).value(3u32).input(&state).input(&values).buffer(&mut multipliers);
            launch.value(P.0).value(P.1).items(3, 4).run().unwrap();
            for below in [0u32, 1] {
                let kernel = site.kernel(&UPDATE);
                let launch = site.cl.launch(&kernel).buffer(&mut a).value(4u64).value(3u32).value(4u32);
                let launch = launch.value(1u32).value(below).input(&state).input(&multipliers).value(P.0).value(P.1);
                launch.groups(2, 4).run().unwrap();
            }
            if place != 1 {
                assert_eq!(a.download().unwrap(), entries, "state {parts:?}");
            }
            let kernel = site.kernel(&PIVOT);
            let launch = site.cl.launch(&kernel).input(&a).value(4u64).value(3u32).value(1u32).value(3u32);
            let launch = launch.buffer(&mut state).buffer(&mut columns).buffer(&mut swaps).buffer(&mut values);
            launch.value(P.0).value(P.1).groups(1, 4).run().unwrap();
            let found = state.download().unwrap();
            assert!(found[0] <= 3 && found[1] <= 1 && found[2] <= 3, "{found:?} from {parts:?}");
        }
        let (mut a, swaps) = (site.words(&[1u32; 12]), site.words(&[word; 2]));
        let kernel = site.kernel(&PERMUTE);
        let launch = site.cl.launch(&kernel).buffer(&mut a).value(4u64).value(4u32).value(1u32).value(2u32);
        launch.input(&swaps).value(2u32).items(4, 4).run().unwrap();
        let mut out = site.words(&[0u32; 6]);
        let kernel = site.kernel(&PICK);
        let launch = site.cl.launch(&kernel).input(&a).value(0u64).value(4u64).value(4u32).input(&swaps);
        launch.value(2u32).buffer(&mut out).value(3u32).items(6, 4).run().unwrap();
        assert_eq!(out.download().unwrap(), [1; 6]);
    });
    spoiled(&group(4), |site, word| {
        let (mut a, swaps) = (site.words(&[1u64; 6]), site.words(&[word; 2]));
        let kernel = site.kernel(&BITS_SWAP);
        let launch = site.cl.launch(&kernel).buffer(&mut a).value(2u32).value(1u32).value(2u32);
        launch.input(&swaps).value(2u32).items(2, 4).run().unwrap();
        assert_eq!(a.download().unwrap(), [1; 6]);
    });
}

#[test]
fn hessenberg_forms_and_condensation_stay_in_their_buffers() {
    spoiled(&group(4).element(u32::TYPE).set("BAND", "2u"), |site, word| {
        let entries = [1u32, 2, 3, 4, 5, 6, 0, 1, 2];
        let (mut a, state, inverse) = (site.words(&entries), site.words(&[1u32, word]), site.words(&[1u32]));
        let mut multipliers = site.words(&[0u32; 3]);
        let kernel = site.kernel(&HESSENBERG_EXCHANGE);
        let launch = site.cl.launch(&kernel).buffer(&mut a).value(3u32).value(0u32);
        let launch = launch.input(&state).input(&inverse).buffer(&mut multipliers).value(P.0).value(P.1);
        launch.items(3, 4).run().unwrap();
        let kernel = site.kernel(&HESSENBERG_COLUMNS);
        let launch = site.cl.launch(&kernel).buffer(&mut a).value(3u32).value(0u32);
        launch.input(&state).items(3, 4).run().unwrap();
        assert_eq!(a.download().unwrap(), entries, "row {word}");
        let (mut out, columns) = (site.words(&[0u32; 4]), site.words(&[word]));
        let kernel = site.kernel(&CONDENSE);
        let launch = site.cl.launch(&kernel).input(&a).buffer(&mut out).value(3u32).value(0u32);
        launch.input(&columns).value(P.0).value(P.1).groups(1, 4).run().unwrap();
        assert_eq!(out.download().unwrap(), [0; 4]);
    });
}

#[test]
fn eliminations_of_numbers_stay_in_their_buffers() {
    spoiled(&group(4).element(f32::TYPE), |site, word| {
        for places in [[word, 1], [1, word]] {
            let (a, values) = (site.words(&[2f32; 9]), site.words(&[2f32; 3]));
            let (rows, columns) = (site.words(&places[..1]), site.words(&places[1..]));
            let (mut heads, mut tails) = (site.words(&[0f32; 3]), site.words(&[0f32; 3]));
            let kernel = site.kernel(&REAL_FACTORS);
            let launch = site.cl.launch(&kernel).input(&a).value(3u32).value(0u32).value(3u64);
            let launch = launch.input(&rows).input(&columns).input(&values).buffer(&mut heads).buffer(&mut tails);
            launch.items(3, 4).run().unwrap();
            assert_eq!([heads.download().unwrap(), tails.download().unwrap()], [[0.0; 3]; 2]);
        }
    });
    // Blocks of rows, and places before a block's own.
    let tiles = |block: u32| {
        let sizes = [("BLOCK", block), ("GROUP", 16), ("LINE", 4), ("SIDE", 4), ("REGS", 1)];
        sizes.iter().fold(Defines::new().element(f32::TYPE), |all, (name, size)| all.set(name, format!("{size}u")))
    };
    spoiled(&tiles(4), |site, word| {
        for word in [word, 0, 3] {
            let (mut a, swaps) = (site.words(&[1f32; 144]), site.words(&[word; 12]));
            let kernel = site.kernel(&BLOCK_MULTIPLIERS);
            let launch = site.cl.launch(&kernel).buffer(&mut a).value(12u32).value(4u32);
            launch.value(4u32).input(&swaps).groups(1, 16).run().unwrap();
        }
    });
}

/// A group that waits for others in vain goes on, and tells it.
#[test]
fn groups_do_not_wait_without_end() {
    let order = 12u32;
    let entries: Vec<f32> = (0..order * order).map(|e| f32::from((e * e % 23) as u8)).collect();
    let tiles = [("BLOCK", 8), ("GROUP", 64), ("LINE", 8), ("SIDE", 8), ("REGS", 2), ("KEPT", 4), ("PANELS", 1)];
    let defines =
        tiles.iter().fold(Defines::new().element(f32::TYPE), |all, (name, size)| all.set(name, format!("{size}u")));
    spoiled(&defines.set("WAIT_TURNS", "100u"), |site, word| {
        let numbers: Vec<u32> = (0..order).collect();
        // Arrivals that pass 2^32 never come; others let all through.
        for signal in [u32::MAX, word, 0] {
            let mut moves = site.words(&[word; 16]);
            let (mut a, mut columns, mut swaps) = (site.words(&entries), site.words(&numbers), site.words(&[0u32; 12]));
            let (mut pivots, mut signals) = (site.words(&[0f32; 12]), site.words(&[signal; 10]));
            let mut records = site.words(&[u64::MAX; 40]);
            let kernel = site.kernel(&REAL_ELIMINATE);
            let launch = site.cl.launch(&kernel).buffer(&mut a).value(order).buffer(&mut columns);
            let launch = launch.buffer(&mut swaps).buffer(&mut pivots).buffer(&mut moves).buffer(&mut records);
            launch.buffer(&mut signals).groups(1, 64).run().unwrap();
            let found = swaps.download().unwrap();
            assert_eq!(found[0] > order, signal == u32::MAX, "{found:?}, signals {signal}");
        }
    });
    let steps = [("STEPS", "4u"), ("WIDTH", "8u"), ("GROUP", "4"), ("RULE", "0"), ("WAIT_TURNS", "100u")];
    let defines = steps.iter().fold(Defines::new().element(u32::TYPE), |all, (name, value)| all.set(name, *value));
    spoiled(&defines, |site, word| {
        for arrival in [u32::MAX, word] {
            let (mut p, mut q) = (site.words(&[1u32; 16]), site.words(&[2u32; 14]));
            let (mut state, mut arrivals) = (site.words(&[8i32, 7, 0, 0, 0, 0, 0, 0, 0, 0]), site.words(&[arrival; 4]));
            let kernel = site.kernel(&GCD_PERSISTENT);
            let launch = site.cl.launch(&kernel).buffer(&mut p).value(8u32).buffer(&mut q);
            let launch = launch.value(7u32).buffer(&mut state).buffer(&mut arrivals).value(14u32);
            launch.value(P.0).value(P.1).value(0u64).groups(1, 4).run().unwrap();
            let found = state.download().unwrap();
            assert_eq!(found[9] != 0, arrival == u32::MAX, "{found:?}, arrivals {arrival}");
        }
    });
}

#[test]
fn steps_of_common_divisors_stay_in_their_buffers() {
    let steps = [("STEPS", "4u"), ("WIDTH", "8u"), ("GROUP", "4")];
    let defines = steps.iter().fold(Defines::new().element(u32::TYPE), |all, (name, value)| all.set(name, *value));
    for rule in [0, 1] {
        spoiled(&defines.clone().set("RULE", rule), |site, word| {
            for place in 0..4 {
                let mut words = [8i32, 7, 0, 0, 0, 0, 0, 0, 0, 0];
                words[place] = word as i32;
                let (p, q) = (site.words(&[1u32; 8]), site.words(&[2u32; 7]));
                let (mut to_p, mut to_q, mut state) =
                    (site.words(&[0u32; 8]), site.words(&[0u32; 7]), site.words(&words));
                let kernel = site.kernel(&GCD_STEPS);
                let launch = site.cl.launch(&kernel).input(&p).input(&q).buffer(&mut to_p);
                let launch =
                    launch.buffer(&mut to_q).value(8u32).value(7u32).buffer(&mut state).value(0u32).value(4u32);
                launch.value(P.0).value(P.1).value(0u64).groups(3, 4).run().unwrap();
                let found = state.download().unwrap();
                assert!(found[4] <= 8 && found[5] <= 7, "{found:?} from {words:?}");
            }
        });
    }
}

#[test]
fn tables_of_places_and_outputs_stay_in_their_buffers() {
    let steps = [("STEPS", 2), ("ROWS", 4), ("UNITS", 1), ("RUN", 4), ("STRIDE0", 2), ("OFFSET1", 16), ("GROUP", 4)];
    let defines = steps.iter().fold(Defines::new().element(f32::TYPE), |all, (name, size)| all.set(name, *size));
    spoiled(&defines, |site, word| {
        // Four rows of four complex numbers.
        let (from, mut to) = (site.words(&[1f32; 32]), site.words(&[0f32; 32]));
        let (constants, places, one) = (site.words(&[1f32; 64]), site.words(&[word; 4]), site.words(&[1f32; 2]));
        let kernel = site.kernel(&TILE);
        let launch = site.cl.launch(&kernel).input(&from).buffer(&mut to).input(&constants).input(&places);
        let launch = launch.input(&one).input(&one).value(1u64).value(4u64).value(1u32).value(1u32);
        let launch = launch.value(16u64).value(16u64).value(4u64).value(16u64).value(16u64).value(4u64);
        launch.value(0u32).value(0f32).value(0u64).groups(1, 4).run().unwrap();
        to.download().unwrap();
    });
    spoiled(&Defines::new().set("GROUP", 4), |site, word| {
        let (sbox, mut out) = (site.words(&[word as u16; 8]), site.words(&[0i32; 8]));
        let kernel = site.kernel(&PREIMAGES);
        let launch = site.cl.launch(&kernel).input(&sbox).buffer(&mut out).value(3u32).value(2u32);
        launch.value(0u32).value(16u64).items(16, 4).run().unwrap();
        // Row 0 has the signs of all eight inputs.
        assert_eq!(out.download().unwrap()[..4].iter().sum::<i32>(), 8);
    });
    spoiled(&Defines::new().element(u32::TYPE).set("GROUP", 64).set("VALUE_WORDS", 1), |site, word| {
        // The group of order 6 with the factors 2 and 3; lows are the factor of 3.
        for radix in [0, u64::from(word)] {
            let (mut out, roots) = (site.words(&[0u32; 36]), site.words(&[0u32; 6]));
            let (terms, radices) = (site.words(&[word; 10]), site.words(&[radix; 4]));
            let kernel = site.kernel(&DIRECT);
            let launch = site.cl.launch(&kernel).buffer(&mut out).input(&roots).input(&terms);
            let launch = launch.input(&radices).value(2u32).value(6u32).value(0u64).value(6u64).value(6u32).value(1u32);
            let launch = launch.value(6u64).value(0u64).value(6u32).value(3u32).value(3u32).value(2u32).value(0u32);
            launch.groups(1, 64).run().unwrap();
            assert!(out.download().unwrap().iter().all(|&exponent| exponent < 6));
        }
    });
}

/// Keys of two tiles by their lowest digit, with sums that are spoiled.
#[test]
fn passes_of_a_sort_stay_in_their_buffers() {
    // Spoiled places are written by several items, which is what is looked for there.
    if manycore_testkit::opencl_devices().iter().any(manycore_testkit::simulated) {
        return;
    }
    let defines = Defines::new().set("KEY", "uint").set("GROUP", 64).set("PER", 2);
    spoiled(&defines, |site, word| {
        for (count, total) in [(word, 0), (0, word), (word, word)] {
            let keys: Vec<u32> = (0..200).map(|key| key * 7 % 256).collect();
            let (mut from, mut to) = (site.words(&keys), site.words(&[0u32; 200]));
            let (mut values, mut moved) = (site.words(&[0u32]), site.words(&[0u32]));
            let differing = site.words(&[0xffu32, 0, 1]);
            let (counts, totals) = (site.words(&[count; 512]), site.words(&[total; 256]));
            let kernel = site.kernel(&RADIX_PLACE);
            let launch = site.cl.launch(&kernel).buffer(&mut from).buffer(&mut to).buffer(&mut values);
            let launch = launch.buffer(&mut moved).value(200u64).value(0u32).value(0u32).value(0u32);
            launch.input(&differing).input(&counts).input(&totals).items(128, 64).run().unwrap();
            assert!(to.download().unwrap().iter().all(|key| *key == 0 || keys.contains(key)));
        }
    });
}

/// Four members of two classes, of words with two ones each.
#[test]
fn refinements_of_classes_stay_in_their_buffers() {
    spoiled(&Defines::new().set("GROUP", 4), |site, word| {
        let wide = [u64::from(word), u64::from(word) << 32 | u64::from(word)];
        let (items, classes, positions) = (site.words(&[word; 4]), site.words(&[word; 4]), site.words(&[1u32; 8]));
        for end in wide {
            for place in 0..5 {
                let mut ends = [0u64, 2, 4, 6, 8];
                ends[place] = end;
                let offsets = site.words(&ends);
                let mut keys = site.words(&[0u64; 4]);
                let kernel = site.kernel(&KEYS);
                let launch =
                    site.cl.launch(&kernel).input(&items).input(&classes).value(4u64).input(&offsets).value(4u64);
                let launch = launch.input(&positions).value(8u64).value(1u64).value(100u32).value(0u32);
                launch.buffer(&mut keys).items(4, 4).run().unwrap();
                assert!(keys.download().unwrap().iter().all(|&key| key >> 32 == u64::from(word)));
                let (bytes, mut keys) = (site.words(&[1u8; 8]), site.words(&[0u64; 4]));
                let kernel = site.kernel(&STRINGS);
                let launch =
                    site.cl.launch(&kernel).input(&items).input(&classes).value(4u64).input(&offsets).value(4u64);
                let launch = launch.input(&bytes).value(8u64).value(1u64).value(0u32);
                launch.buffer(&mut keys).items(4, 4).run().unwrap();
                assert!(keys.download().unwrap().iter().all(|&key| key >> 32 == u64::from(word) && key & 0xff <= 3));
                let (heads, before) = (site.words(&[1u32, word, 1, word]), site.words(&[word; 4]));
                let (mut order, mut alive) = (site.words(&[0u32; 4]), site.words(&[0u32; 4]));
                let kernel = site.kernel(&MARK);
                let launch = site.cl.launch(&kernel).input(&items).input(&classes).input(&heads).input(&before);
                let launch = launch.value(4u64).input(&offsets).value(4u64).value(8u64).value(0u64);
                launch.buffer(&mut order).buffer(&mut alive).items(4, 4).run().unwrap();
                assert!(alive.download().unwrap().iter().all(|&flag| flag <= 1));
                let mut marks = site.words(&[0u64; 4]);
                let kernel = site.kernel(&KEEP);
                let launch = site.cl.launch(&kernel).input(&heads).input(&before).value(4u64).input(&alive);
                launch.buffer(&mut marks).items(4, 4).run().unwrap();
                assert!(marks.download().unwrap().iter().all(|&mark| mark == 0 || mark & 0xffff_ffff == 1));
            }
            let (marks, before) = (site.words(&[end | 1; 4]), site.words(&[end; 4]));
            let mut kept = [(); 3].map(|()| site.words(&[0u32; 2]));
            let [first, second, third] = &mut kept;
            let kernel = site.kernel(&COMPACT);
            let launch = site.cl.launch(&kernel).input(&items).input(&classes).input(&marks).input(&before);
            let launch = launch.value(4u64).value(2u64).buffer(first).buffer(second).buffer(third);
            launch.items(4, 4).run().unwrap();
            assert!(kept[0].download().unwrap().iter().all(|&item| item == 0 || item == word));
        }
    });
}
