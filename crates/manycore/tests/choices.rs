//! Declared choices: every one in every way that its options give, on every device, and the tasks of operations among them.

#![cfg(feature = "bigint")]

use std::collections::BTreeSet;

use manycore::device::TuningMode;
use manycore::operation::json::Json;
use manycore::operation::{Explain, OptionKind};
use manycore::operations;
use manycore::verify::SplitMix;
use manycore_testkit::devices;

/// Sizes of input: the first operations refuse some.
const SIZES: [usize; 3] = [4, 6, 1];

#[test]
fn every_choice_is_explained_on_every_device() {
    for choice in operations::choices() {
        let declaration = choice.declaration();
        let mut explained = 0;
        for way in declaration.ways() {
            for device in devices() {
                // Nothing is measured, and what was measured before does not matter.
                let device = device.with_tuning(TuningMode::Estimate);
                let at = format!("{} {way} on {}", declaration.name, device.info().name);
                let told = match choice.explain(&way, &device) {
                    Ok(told) => told,
                    // Fields without the roots of a transform, and sizes of 1 that an operation does not take.
                    Err(error) => {
                        assert!(error.is_refusal(), "{at}: {error}");
                        continue;
                    }
                };
                explained += 1;
                assert!(!told.text.is_empty(), "{at}");
                for option in declaration.options {
                    // What is told of sizes has their values; flags and words are told in more than one way.
                    let told_size = told.parameters.get(option.name).and_then(Json::as_u64);
                    if let (OptionKind::Size { .. }, Some(size)) = (option.value, way.number(option.name)) {
                        assert_eq!(told_size, Some(size), "{at}: {}", option.name);
                    }
                }
                if let Some(chosen) = told.rows.first() {
                    assert!(chosen.chosen_by.is_some() && chosen.estimate_seconds >= 0.0, "{at}");
                }
                let blocks = choice.blocks(&way, &device.clone().into());
                assert!(blocks.is_ok_and(|blocks| blocks.is_none()), "{at}: there is room for all");
            }
            // Tables stay on the device, and a few bits are no whole byte.
            let is_table = declaration.name.starts_with("sbox-");
            let is_of_bits = way.is_given("packed") || way.number("modulus") == Some(2);
            assert!(is_table || is_of_bits || choice.bytes(&way) > 0, "{} {way}", declaration.name);
        }
        assert!(explained > 0, "{}", declaration.name);
    }
}

#[test]
fn declarations_of_choices_are_whole() {
    let mut names = BTreeSet::new();
    for choice in operations::choices() {
        let declaration = choice.declaration();
        assert!(names.insert(declaration.name), "{}", declaration.name);
        assert!(!declaration.title.is_empty() && !declaration.options.is_empty(), "{}", declaration.name);
        let is_same = |found: &dyn Explain| std::ptr::eq(found.declaration(), declaration);
        assert!(operations::choice(declaration.name).is_some_and(is_same), "{}", declaration.name);
    }
    assert!(operations::choice("none").is_none());
}

#[test]
fn tasks_of_operations_are_choices() {
    let mut named = BTreeSet::new();
    for operation in operations::all() {
        let declaration = operation.declaration();
        for (index, way) in declaration.ways().iter().enumerate() {
            for size in SIZES {
                let mut given = declaration.input(way, size, &mut SplitMix::new((index * 16 + size) as u64));
                let job = operation.read(way, &mut given);
                let Some(task) = job.ok().and_then(|job| job.task()) else { continue };
                let at = format!("{} {way:?}: {task:?}", declaration.name);
                let choice = operations::choice(task.choice).unwrap_or_else(|| panic!("{at}: no such choice"));
                let arguments =
                    choice.declaration().arguments_of(&task).unwrap_or_else(|error| panic!("{at}: {error}"));
                assert!(choice.bytes(&arguments) > 0, "{at}");
                named.insert(task.choice);
            }
        }
    }
    for choice in ["walsh", "reed-muller", "ntt", "fourier", "kronecker", "poly-gcd", "matrix-det", "sort-numbers"] {
        assert!(named.contains(choice), "{choice}: {named:?}");
    }
}
