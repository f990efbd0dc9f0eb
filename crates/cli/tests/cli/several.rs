//! `--device` with several devices, and `--memory`.

use manycore::files::{NpyNumber, write_npy};

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
        format!("matrix det {lengths} --modulus 1000003"),
        format!("matrix rank {lengths} --modulus 7"),
        format!("matrix lu {lengths} --modulus 1000003"),
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
fn each_device_is_explained() {
    for line in
        ["explain walsh --n 2^12", "explain ntt --n 2^12", "explain matrix-mul --n 40", "explain characters 3^4"]
    {
        for set in sets().into_iter().filter(|set| set.contains(',')) {
            let line = format!("{line} --device {set}");
            let report = manycore(&format!("{line} --json")).json();
            let each = report["parameters"]["each"].as_array().unwrap();
            assert_eq!(each.len(), set.split(',').count(), "{report}");
            let text = manycore(&line).output();
            for own in each {
                let device = own["device"].as_str().unwrap();
                assert!(text.contains(&format!("{device}:\n")) && !own["candidates"].as_array().unwrap().is_empty());
            }
        }
    }
    let refused = manycore("explain poly-mul --n 8 --device host:1,host:1").error(2);
    assert!(refused.contains("one device"), "{refused}");
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
    for device in devices() {
        for line in [
            "explain sort-numbers --n 2^20 --type i32",
            "explain sort-numbers --n 2^18 --places --type f64",
            "explain semiring-product --n 700 --inner 300 --columns 500 --semiring min-plus",
            "explain semiring-product --n 700 --type f32 --semiring max-times",
            "explain matrix-mul --n 900 --modulus 1000003",
            "explain maxplus-star --n 600",
            "explain maxplus-star --n 600 --acyclic 4 --type f64",
        ] {
            let line = format!("{line} --device {device}");
            let whole = manycore(&line).output();
            assert!(!whole.is_empty() && !whole.contains("past the device's memory"), "{line}: {whole}");
            let told = manycore(&format!("{line} --memory 2MB")).output();
            assert!(told.contains("past the device's memory: in "), "{line}: {told}");
            assert!(manycore(&format!("{line} --json")).json()["parameters"]["blocks"].is_null());
            let report = manycore(&format!("{line} --memory 2MB --json")).json();
            assert!(report["parameters"]["blocks"].as_str().unwrap().starts_with("in "), "{report}");
            let shared = manycore(&format!("{line},{device}")).output();
            assert!(shared.contains("shared by the devices: in "), "{line}: {shared}");
            assert_eq!(manycore(&format!("{line},{device} --memory 100")).code, 1, "{line}");
        }
        for set in [device.clone(), format!("{device},{device}")] {
            let line = format!("explain matrix-det --n 900 --device {set}");
            assert!(!manycore(&line).output().contains("panels"));
            let told = manycore(&format!("{line} --memory 2MB")).output();
            assert!(told.contains(": in ") && told.contains(" panels of "), "{told}");
        }
        let line = format!("explain sparse-multiply --rows 20000 --device {device} --memory 1MB");
        assert_eq!(manycore(&line).output().contains("blocks of rows"), device.starts_with("opencl"), "{line}");
    }
    for (line, wrong) in [
        ("explain sort-numbers --n 0", "--n must be at least 1"),
        ("explain semiring-product --n 5 --inner 0", "--inner must be at least 1"),
        ("explain semiring-product --n 5 --type f32 --semiring or-and", "or-and is of integers"),
        ("explain maxplus-star --n 0", "--n must be at least 1"),
        ("explain maxplus-star --n 2^20 --acyclic 2^20", "more than 268435456 arcs"),
    ] {
        assert!(manycore(&format!("{line} --device host")).error(2).contains(wrong), "{line}");
    }
    for wrong in ["much", "5.5.5", "8Gig"] {
        let error = manycore(&format!("characters 2 --memory {wrong}")).error(2);
        assert!(error.contains("--memory"), "{error}");
    }
    assert_eq!(manycore("characters 2 --exponents --memory 1GiB --device host").output(), "0 0 # (0)\n0 1 # (1)\n");
}

/// Bytes of a vector of numbers in the format of `NumPy`.
fn npy<T: NpyNumber>(values: &[T]) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_npy(&mut bytes, values).unwrap();
    bytes
}

#[test]
fn arrays_past_memory_stay_in_their_files() {
    let folder = Folder::new();
    let integers: Vec<i64> = (0..1i64 << 14).map(|i| i * i % 65_537 - 30_000).collect();
    folder.file("i64.npy", npy(&integers));
    folder.file("i32.npy", npy(&integers.iter().map(|&x| x as i32).collect::<Vec<i32>>()));
    folder.file("f64.npy", npy(&integers.iter().map(|&x| x as f64 / 8.0).collect::<Vec<f64>>()));
    folder.file("f32.npy", npy(&integers.iter().map(|&x| x as f32 / 8.0).collect::<Vec<f32>>()));
    folder.file("multiples.npy", npy(&integers.iter().map(|&x| x << 14).collect::<Vec<i64>>()));
    folder.file("residues.npy", npy(&integers.iter().map(|&x| (x + 40_000) as u64).collect::<Vec<u64>>()));
    folder.file("unsigned.npy", npy(&integers.iter().map(|&x| (x as u64) << 1).collect::<Vec<u64>>()));
    folder.file("infinite.npy", npy(&[vec![1.5; (1 << 14) - 1], vec![f64::INFINITY]].concat()));
    for device in devices() {
        for line in [
            "spectrum walsh i64.npy",
            "spectrum walsh i64.npy --batch 256 --order sequency",
            "spectrum walsh i32.npy --type i32 --wrap",
            "spectrum walsh f64.npy",
            "spectrum walsh f32.npy --inverse",
            "spectrum walsh multiples.npy --inverse",
            "spectrum arithmetic i64.npy --polarity 5",
            "spectrum walsh f64.npy --order dyadic",
            "spectrum arithmetic i64.npy --order reversed --polarity 9",
            "spectrum arithmetic f32.npy --order reversed",
            "spectrum ntt residues.npy --modulus 18446744069414584321",
            "spectrum ntt residues.npy --modulus 18446744069414584321 --inverse --negacyclic --batch 1024",
            "spectrum ntt residues.npy --modulus 4611686018326724609 --order bit-reversed",
            // Of 32 bits, and of integers that are reduced: in memory.
            "spectrum ntt residues.npy --modulus 469762049",
            "spectrum ntt i64.npy --modulus 4611686018326724609",
            "sort numbers i64.npy",
            "sort numbers i32.npy --type i32 --descending",
            "sort numbers f64.npy --first 100",
            "sort numbers f32.npy --descending",
            "sort numbers unsigned.npy",
            "sort numbers unsigned.npy --type u64 --descending",
            "sort numbers infinite.npy",
        ] {
            let of = |more: &str, to: &str| {
                folder.manycore(&format!("{line} --device {device} {more} -o {to}")).output();
                std::fs::read(folder.path(to)).unwrap()
            };
            let (whole, small) = (of("", "y.npy"), of("--memory 100kB --verify", "z.npy"));
            assert!(whole == small, "{line} on {device}");
            assert!(of("", "y.txt") == of("--memory 100kB", "z.txt"), "{line} on {device} as text");
            // No file stays beside.
            assert_eq!(folder.names().len(), 12, "{:?}", folder.names());
        }
    }
    let error = |line: &str| folder.manycore(&format!("{line} --device host --memory 100kB -o y.npy")).error(2);
    for line in ["spectrum walsh infinite.npy", "spectrum arithmetic infinite.npy"] {
        assert_eq!(error(line), "infinite.npy: value 16384: inf is not finite");
    }
    let modulus = "--modulus 18446744069414584321";
    assert!(error(&format!("spectrum ntt residues.npy {modulus} --batch 3")).contains("no whole number of transforms"));
    assert!(error("spectrum walsh i64.npy --batch 3").contains("power of two"));
    assert!(error("spectrum walsh i64.npy --inverse").contains("no spectrum of integers: value"));
    assert!(error("spectrum walsh i32.npy --type i32 --wrap --batch 2^20").contains("--batch"));
    let bytes = std::fs::read(folder.path("i64.npy")).unwrap();
    folder.file("short.npy", &bytes[..bytes.len() - 8]);
    assert_eq!(error("sort numbers short.npy"), "short.npy: ends after 16383 of 16384 values");
}
