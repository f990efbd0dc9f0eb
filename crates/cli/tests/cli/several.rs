//! `--device` with several devices, and `--memory`.

use crate::common::{Folder, devices, manycore};

/// Every device alone, and sets of them.
fn sets() -> Vec<String> {
    let all = devices();
    let mut sets = all.clone();
    sets.extend([all.join(","), format!("{0},{0}", all[all.len() - 1]), "host:1,host:2,host:1".to_owned()]);
    sets
}

#[test]
fn results_do_not_depend_on_the_devices() {
    let folder = Folder::new();
    let matrix: String = (0..30i64)
        .map(|row| {
            let entry = |column: i64| ((row * 7919 + column * column * 104_729) % 1_000_003 - 500_000).to_string();
            (0..30).map(entry).collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect();
    let matrix = folder.file("a.txt", &matrix).display().to_string();
    // Of several blocks of nodes.
    let lengths: String = (0..100i64)
        .map(|row| {
            let entry = |column: i64| ((row * 7919 + column * column * 104_729) % 1_000_003).to_string();
            (0..100).map(entry).collect::<Vec<_>>().join(" ") + "\n"
        })
        .collect();
    let lengths = folder.file("lengths.txt", &lengths).display().to_string();
    let boxes: String = (0..600)
        .map(|k| (0..16).map(|x| ((x * (2 * k + 1) + k / 7) % 16).to_string()).collect::<Vec<_>>().join(" ") + "\n")
        .collect();
    let boxes = folder.file("boxes.txt", &boxes).display().to_string();
    let of = |modulus: u32| (0..4096u32).map(|i| (i * i % 1009 % modulus).to_string() + "\n").collect::<String>();
    let values = folder.file("values.txt", of(1009)).display().to_string();
    let bits = folder.file("bits.txt", of(2)).display().to_string();
    for line in [
        format!("matrix det {matrix} --exact"),
        format!("matrix det {matrix} --exact --probable 40 --seed 5"),
        format!("matrix mul {lengths} {lengths} --modulus 1000003"),
        format!("semiring product {matrix} {matrix} --semiring max-plus"),
        format!("maxplus star {lengths} --algebra min-plus --type i32"),
        format!("maxplus star {lengths} --algebra min-plus --type f64"),
        format!("sort numbers {matrix}"),
        format!("sort numbers {matrix} --places --descending"),
        format!("sort numbers {matrix} --first 7"),
        format!("sbox compare {boxes}"),
        format!("sbox compare {boxes} --best 10"),
        "characters 5,2,3 --exponents".to_owned(),
        "characters 3^4 --modulus 7 --rows 2..75 --columns 5..60".to_owned(),
        "characters 6,4 --type f32 --algorithm direct".to_owned(),
        format!("spectrum walsh {values} --order sequency"),
        format!("spectrum walsh {values} --batch 64 --wrap --inverse"),
        format!("spectrum walsh {values} --type f32"),
        format!("spectrum arithmetic {values} --polarity 0x35 --order reversed"),
        format!("spectrum reed-muller {bits} --polarity 7"),
        format!("spectrum ntt {values} --modulus 469762049 --negacyclic"),
        format!("spectrum ntt {values} --modulus 18446744069414584321 --inverse --order bit-reversed"),
        format!("spectrum ntt {values} --modulus 469762049 --batch 256"),
    ] {
        let one = manycore(&format!("{line} --device host")).output();
        for set in sets() {
            let run = |more: &str| manycore(&format!("{line} --device {set} {more}"));
            assert_eq!(run("").output(), one, "{line} on {set}");
            assert_eq!(run("--verify").output(), one, "{line} on {set}");
            let report = run("--json").json();
            let named = report["device"].as_str().unwrap().matches(" (").count();
            assert!(named >= set.split(',').count(), "{report}");
        }
    }
}

#[test]
fn commands_on_one_device_say_so() {
    for line in ["poly mul a b --modulus 7", "sparse info a.mtx", "boolean info -"] {
        let error = manycore(&format!("{line} --device host:1,host:1")).error(2);
        assert!(error.contains("one device") && error.contains("host:1,host:1"), "{line}: {error}");
    }
    let error = manycore("characters 2 --device host,nothing").error(2);
    assert!(error.contains("\"nothing\""), "{error}");
}

#[test]
fn memory_is_limited() {
    for device in devices() {
        let line = format!("characters 2^9 --exponents --device {device}");
        let all = manycore(&line).output();
        assert_eq!(manycore(&format!("{line} --memory 100kB")).output(), all, "in blocks");
        let refused = manycore(&format!("characters 2^9 --exponents --device {device} --memory 100")).error(1);
        assert!(refused.contains("bytes possible (the limit of memory that was set)"), "{refused}");
    }
    let folder = Folder::new();
    let numbers: String = (0..40_000i64).map(|i| (i * i % 65_537 - 30_000).to_string()).collect::<Vec<_>>().join("\n");
    let numbers = folder.file("numbers.txt", &numbers).display().to_string();
    for device in devices() {
        let line = |more: &str| manycore(&format!("sort numbers {numbers} --device {device}{more}"));
        assert_eq!(line(" --memory 400kB").output(), line("").output(), "{device}");
        let refused = line(&format!(",{device} --memory 1kB")).error(1);
        assert!(refused.contains("a block of 256 keys takes"), "{refused}");
    }
    let values: String = (0..4096u32).map(|i| (i * i % 2).to_string() + "\n").collect();
    let values = folder.file("values.txt", &values).display().to_string();
    for line in [
        format!("spectrum walsh {values}"),
        format!("spectrum arithmetic {values} --polarity 5"),
        format!("spectrum reed-muller {values}"),
        format!("spectrum ntt {values} --modulus 469762049"),
    ] {
        let all = manycore(&format!("{line} --device host")).output();
        for device in devices() {
            let run = |more: &str| manycore(&format!("{line} --device {device} {more}"));
            assert_eq!(run("--memory 16kB --verify").output(), all, "{line} on {device}");
            // Two buffers of 64 values of 8 bytes.
            if device.starts_with("opencl") && line.contains("walsh") {
                let refused = run("--memory 1023").error(1);
                assert!(refused.contains("1024 bytes") && refused.contains("smallest blocks"), "{refused}");
                assert_eq!(run("--memory 1024").output(), all);
            }
        }
    }
    for device in devices().into_iter().filter(|device| device.starts_with("opencl")) {
        for line in ["explain walsh --n 2^16 --type i32", "explain ntt --n 2^16 --modulus 469762049"] {
            let line = format!("{line} --device {device}");
            assert!(!manycore(&line).output().contains("past the device's memory"));
            let told = manycore(&format!("{line} --memory 256KiB")).output();
            assert!(!told.contains("past the device's memory"), "it fits: {told}");
            let told = manycore(&format!("{line} --memory 255KiB")).output();
            assert!(told.contains("past the device's memory: in blocks of 2^"), "{told}");
            assert!(told.contains("each word crosses the bus twice each way"), "{told}");
        }
    }
    for wrong in ["much", "5.5.5", "8Gig"] {
        let error = manycore(&format!("characters 2 --memory {wrong}")).error(2);
        assert!(error.contains("--memory"), "{error}");
    }
    assert_eq!(manycore("characters 2 --exponents --memory 1GiB --device host").output(), "0 0 # (0)\n0 1 # (1)\n");
}
