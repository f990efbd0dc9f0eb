//! Every plan of every declared choice beside the host's results, for sizes at the edges of tiles and past them, on every device.

#![cfg(feature = "bigint")]

use std::collections::BTreeSet;

use manycore::device::{Device, DeviceKind};
use manycore::operation::{Arguments, ChoiceDeclaration, DeclaredOption, Explain, OptionKind, Setting};
use manycore::operations;
use manycore::tuning::{Proof, Proved};
use manycore_testkit::{devices, limited_devices, opencl_devices, simulated};

/// Numbers and texts of a way's options.
struct Edges {
    /// Sizes that have to be given: the least ones, and past the tiles and panels of most plans.
    sizes: &'static [u64],
    /// Sizes that differ, in the order of the options: past words and tiles, at their edges, and a power of two first.
    uneven: &'static [[u64; 3]],
    /// Bits of a table.
    bits: &'static [u64],
    /// Texts by the option: one and several passes, primes by chirps, entries that divide.
    texts: [(&'static str, &'static [&'static str]); 2],
}

/// Those of the first way of a choice.
const FIRST: Edges = Edges {
    sizes: &[1, 2, 3, 12, 64, 130, 256],
    uneven: &[[70, 33, 130], [5, 129, 3], [128, 3, 65]],
    bits: &[1, 2, 3, 4, 5, 6, 7, 8],
    texts: [
        ("group", &["1", "2", "512", "3,3,3,3", "17", "4,97,3"]),
        ("product", &["walsh^8", "dft3^4", "h12 x rm^4 x id3 x walsh^6", "h28 x id5"]),
    ],
};

/// Those of the other ways.
const OTHER: Edges = Edges {
    sizes: &[37, 64],
    uneven: &[[70, 33, 130]],
    bits: &[3],
    texts: [("group", &["64", "2,3,7"]), ("product", &["h12 x walsh^3"])],
};

/// Those of the first way on a device that compiles for a second each, which takes no others.
const FEW: Edges = Edges {
    sizes: &[128],
    uneven: &[[70, 33, 130]],
    bits: &[6],
    texts: [("group", &["4,3", "17"]), ("product", &["h12 x rm^4 x id3 x walsh^6"])],
};

/// Moduli beside those of ways: without roots of unity of use, and of 50, 62 and 63 bits with many.
const MODULI: [u64; 4] = [9001, 1_125_897_625_141_249, 4_611_686_009_971_671_041, 9_223_372_035_915_251_713];

/// Bytes that a proof moves at most: square matrices of some 200 rows.
const MOST_BYTES: u64 = 1 << 20;

/// The options of a choice that are sizes.
fn sizes(declaration: &'static ChoiceDeclaration) -> impl Iterator<Item = &'static str> {
    let options = declaration.options.iter();
    options.filter(|option| matches!(option.value, OptionKind::Size { .. })).map(|option| option.name)
}

/// A way with other sizes, bits and texts of the options that have to be given, and with several sizes that differ.
fn edges(declaration: &'static ChoiceDeclaration, way: &Arguments, edges: &Edges) -> Vec<Arguments> {
    let with = |name: &'static str, setting: Setting| way.clone().with(name, setting);
    let with_all = |name: &'static str, numbers: &[u64]| -> Vec<Arguments> {
        numbers.iter().map(|&number| with(name, Setting::Number(number))).collect()
    };
    let of = |option: &DeclaredOption| match (option.name, option.value) {
        (name, OptionKind::Size { is_required: true, .. }) => with_all(name, edges.sizes),
        (name, OptionKind::Count { is_required: true, .. }) => with_all(name, edges.bits),
        (name, OptionKind::Text { is_required: true, .. }) => {
            let texts = edges.texts.iter().filter(|(known, _)| *known == name).flat_map(|(_, texts)| *texts);
            texts.map(|&text| with(name, Setting::Text(text.to_owned()))).collect()
        }
        _ => Vec::new(),
    };
    let mut ways: Vec<Arguments> = declaration.options.iter().flat_map(of).collect();
    if sizes(declaration).count() > 1 {
        ways.extend(edges.uneven.iter().map(|uneven| {
            let all = sizes(declaration).zip(*uneven);
            all.fold(way.clone(), |way, (name, size)| way.with(name, Setting::Number(size)))
        }));
    }
    ways
}

/// The ways of calling a choice whose plans are proved: those of the declaration, and the first one, and each that differs from it in
/// no size, at edges.
fn ways(choice: &dyn Explain, is_sparing: bool) -> Vec<Arguments> {
    let declaration = choice.declaration();
    let mut ways = declaration.ways();
    let Some(first) = ways.first().cloned() else { return ways };
    if is_sparing {
        return edges(declaration, &first, &FEW);
    }
    let is_modulus = |kind| matches!(kind, OptionKind::Modulus { .. } | OptionKind::ModulusOr { .. });
    let moduli = |option: &'static DeclaredOption| MODULI.map(|p| first.clone().with(option.name, Setting::Number(p)));
    ways.extend(declaration.options.iter().filter(|option| is_modulus(option.value)).flat_map(moduli));
    let is_other = |way: &&Arguments| sizes(declaration).all(|size| way.number(size) == first.number(size));
    let others = ways.iter().skip(1).filter(is_other).flat_map(|way| edges(declaration, way, &OTHER));
    let more: Vec<Arguments> = edges(declaration, &first, &FIRST).into_iter().chain(others).collect();
    // Each plan computes a proof of its own.
    ways.into_iter().chain(more).filter(|way| choice.bytes(way) <= MOST_BYTES).collect()
}

/// Proves the plans of a way on a device, and adds what is wrong to the failures.
fn prove(choice: &dyn Explain, way: &Arguments, device: &Device, failures: &mut Vec<String>) -> Vec<Proved> {
    let at = format!("{} {way} on {device:?}", choice.declaration().name);
    let proved = match choice.proofs(way, device) {
        Ok(proved) => proved,
        // Lengths that are no power of two, fields without the roots of a transform, and devices with little memory.
        Err(error) => {
            assert!(error.is_refusal(), "{at}: {error}");
            return Vec::new();
        }
    };
    let wrong = proved.iter().filter(|proved| proved.proof != Ok(Proof::Holds));
    failures.extend(wrong.map(|Proved { operation, plan, proof }| format!("{at}: {operation} by {plan}: {proof:?}")));
    proved
}

#[test]
fn every_plan_gives_the_results_of_the_host() {
    let is_cpu = |device: &Device| device.info().kind == DeviceKind::Cpu;
    let limited = limited_devices().into_iter().filter(|device| !is_cpu(device));
    let whole: Vec<Device> = devices().into_iter().filter(|device| !simulated(device)).collect();
    let limited: Vec<Device> = limited.collect();
    let mut failures = Vec::new();
    for choice in operations::choices() {
        let name = choice.declaration().name;
        let mut plans = BTreeSet::new();
        for device in whole.iter().chain(&limited) {
            let ways = ways(choice, is_cpu(device));
            let proved: Vec<Proved> = ways.iter().flat_map(|way| prove(choice, way, device, &mut failures)).collect();
            // Some choices have no planned plan on the host, and none within little memory.
            let may_be_none = device.info().kind == DeviceKind::Host || limited.contains(device);
            assert!(may_be_none || !proved.is_empty(), "{name} on {device:?}");
            plans.extend(proved.into_iter().map(|proved| (proved.operation, proved.plan)));
        }
        // Some choices have one plan on the host.
        assert!(plans.len() > 1 || opencl_devices().iter().all(simulated), "{name}: {plans:?}");
    }
    assert!(failures.is_empty(), "{} wrong plans:\n{}", failures.len(), failures.join("\n"));
}
