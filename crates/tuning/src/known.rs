//! Choices that were measured before: kept in the cache folder by device, driver and code, and shipped with the library.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use manycore_device::{CACHE_VARIABLE, Device, DeviceInfo, DeviceKind, cache_files};
use serde::{Deserialize, Serialize};

use crate::choose::Watch;
use crate::key::Key;

/// The kind of file in the cache folder; the number changes with the form of its content.
const KIND: &str = "wisdom-2";
/// A file of more choices is begun anew.
const MOST: usize = 1 << 14;

/// What was measured of one choice.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Entry {
    /// The revision of the code, in hexadecimal digits.
    pub(crate) revision: String,
    /// Candidates as text, with the seconds of one array, the least first.
    pub(crate) measured: Vec<(String, f64)>,
    /// Whether these are two candidates of a trial within a program's own work, and not all that may win.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_trial: bool,
    /// Candidates as text, with the factor by which their built kernels make them slower than estimated.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    built: Vec<(String, f64)>,
}

impl Entry {
    fn of(revision: u64) -> Self {
        Self { revision: format!("{revision:016x}"), measured: Vec::new(), is_trial: false, built: Vec::new() }
    }

    /// Whether it holds something, and numbers that can be.
    fn is_sound(&self) -> bool {
        let numbers = self.measured.iter().chain(&self.built);
        !(self.measured.is_empty() && self.built.is_empty())
            && numbers.into_iter().all(|(_, number)| number.is_finite() && *number > 0.0)
    }
}

/// What trials of two candidates are good for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Trials {
    /// They count as measurements do.
    Count,
    /// They are no measurement: all candidates are measured.
    AreMeasured,
}

type Entries = BTreeMap<String, Entry>;

/// What this process read or measured, by folder and device.
static ENTRIES: Mutex<BTreeMap<String, Arc<Entries>>> = Mutex::new(BTreeMap::new());

/// A device with its driver, beside the folder of what is kept.
pub(crate) fn place(info: &DeviceInfo) -> String {
    let folder = std::env::var_os(CACHE_VARIABLE).unwrap_or_default();
    let DeviceInfo { platform, name, driver, compute_units, .. } = info;
    format!("{}\0{platform}\0{name}\0{driver}\0{compute_units}", folder.to_string_lossy())
}

fn parse(text: &str) -> Entries {
    let mut entries: Entries = serde_json::from_str(text).unwrap_or_default();
    entries.retain(|_, entry| entry.is_sound());
    entries
}

fn read(info: &DeviceInfo) -> Entries {
    cache_files::read(KIND, info).map(|text| parse(&text)).unwrap_or_default()
}

fn entries(info: &DeviceInfo) -> Arc<Entries> {
    let mut all = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(all.entry(place(info)).or_insert_with(|| Arc::new(read(info))))
}

/// What was measured under `key` with this revision of the code, in this process or an earlier one.
pub(crate) fn kept(info: &DeviceInfo, key: &Key, revision: u64, trials: Trials) -> Option<Vec<(String, f64)>> {
    let entries = entries(info);
    let counts = |entry: &&Entry| !entry.measured.is_empty() && (trials == Trials::Count || !entry.is_trial);
    entries
        .get(&key.to_string())
        .filter(counts)
        .filter(|entry| entry.revision == format!("{revision:016x}"))
        .map(|entry| entry.measured.clone())
}

/// Keeps what was measured, for this process and, where the folder can be written, for later ones. Of two processes that keep
/// at the same time, one may be forgotten.
pub(crate) fn keep(info: &DeviceInfo, key: &Key, revision: u64, measured: Vec<(String, f64)>) {
    keep_entry(info, key, Entry { measured, ..Entry::of(revision) });
}

/// The factors by which candidates are slower than estimated, by their kernels as they were built with this revision of the code, in
/// this process or an earlier one.
pub(crate) fn built(info: &DeviceInfo, key: &Key, revision: u64) -> Vec<(String, f64)> {
    let entries = entries(info);
    let entry = entries.get(&key.to_string()).filter(|entry| entry.revision == format!("{revision:016x}"));
    entry.map(|entry| entry.built.clone()).unwrap_or_default()
}

/// Keeps such a factor of a candidate.
pub(crate) fn keep_built(info: &DeviceInfo, watch: &Watch, name: &str, factor: f64) {
    // Candidates without names are known to this process alone.
    if name.is_empty() {
        return;
    }
    let mut built = self::built(info, &watch.key, watch.revision);
    built.retain(|(known, _)| known != name);
    built.push((name.to_owned(), factor));
    keep_entry(info, &watch.key, Entry { built, ..Entry::of(watch.revision) });
}

/// Keeps the outcome of a trial: the seconds of candidates that were timed, where these are several.
pub(crate) fn keep_trial(info: &DeviceInfo, watch: &Watch, timed: Vec<(String, f64)>) {
    let arrays = watch.key.arrays();
    let mut measured: Vec<(String, f64)> = timed.into_iter().map(|(name, seconds)| (name, seconds / arrays)).collect();
    measured.sort_by(|a, b| a.1.total_cmp(&b.1));
    let entry = Entry { measured, is_trial: true, ..Entry::of(watch.revision) };
    if entry.measured.len() > 1 && entry.is_sound() && entry.measured.iter().all(|(name, _)| !name.is_empty()) {
        keep_entry(info, &watch.key, entry);
    }
}

fn keep_entry(info: &DeviceInfo, key: &Key, entry: Entry) {
    let mut all = ENTRIES.lock().unwrap_or_else(PoisonError::into_inner);
    // What other processes kept meanwhile stays.
    let mut entries = read(info);
    if let Some(own) = all.get(&place(info)) {
        for (key, entry) in own.iter() {
            entries.entry(key.clone()).or_insert_with(|| entry.clone());
        }
    }
    if entries.len() >= MOST {
        entries.clear();
    }
    entries.insert(key.to_string(), entry);
    if let Ok(text) = serde_json::to_string_pretty(&entries) {
        // Where it cannot be kept, the next process measures again.
        let _ = cache_files::write(KIND, info, &format!("{text}\n"));
    }
    all.insert(place(info), Arc::new(entries));
}

/// Choices of one device, as a file of `data/` holds them.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Shipped {
    /// The device that was measured.
    device: String,
    /// Its architecture, as [`DeviceInfo::architecture`].
    architecture: String,
    /// Its vendor.
    vendor: String,
    /// Its kind: `host`, `cpu`, `gpu` or `accelerator`.
    kind: String,
    /// Its compute units.
    compute_units: u32,
    /// The best candidate by key, with its seconds of one array.
    choices: BTreeMap<String, (String, f64)>,
}

/// A file of `data/`, its choices by family.
#[derive(Debug)]
struct ShippedFile {
    shipped: Shipped,
    families: HashMap<String, Vec<Measured>>,
}

/// A shape that was measured: its key, the best candidate's name and its seconds of one array.
#[derive(Debug)]
struct Measured {
    key: Key,
    candidate: String,
    seconds: f64,
}

/// The files of hosts and those of other devices: a process reads those of the devices that it uses.
static HOSTS: LazyLock<Vec<ShippedFile>> = LazyLock::new(|| {
    read_shipped(&[include_str!("../data/host_avx512_1.json"), include_str!("../data/host_avx512_2.json")])
});
static GPUS: LazyLock<Vec<ShippedFile>> = LazyLock::new(|| {
    read_shipped(&[include_str!("../data/nvidia_h100.json"), include_str!("../data/nvidia_h200.json")])
});

fn read_shipped(texts: &[&str]) -> Vec<ShippedFile> {
    texts.iter().filter_map(|text| serde_json::from_str(text).ok()).map(ShippedFile::of).collect()
}

impl ShippedFile {
    fn of(shipped: Shipped) -> Self {
        let mut families: HashMap<String, Vec<Measured>> = HashMap::new();
        for (text, (candidate, seconds)) in &shipped.choices {
            let Ok(key) = text.parse::<Key>() else { continue };
            let measured = Measured { key, candidate: candidate.clone(), seconds: *seconds };
            families.entry(measured.key.family.clone()).or_default().push(measured);
        }
        Self { shipped, families }
    }
}

fn kind_name(kind: DeviceKind) -> &'static str {
    match kind {
        DeviceKind::Host => "host",
        DeviceKind::Cpu => "cpu",
        DeviceKind::Gpu => "gpu",
        _ => "accelerator",
    }
}

/// A choice that ships with the library.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct ShippedChoice {
    pub(crate) device: String,
    pub(crate) level: &'static str,
    /// The sizes that were measured, where they are others than those asked for.
    pub(crate) at: Option<String>,
    pub(crate) candidate: String,
    /// Of one array, on the device that was measured.
    pub(crate) seconds: f64,
}

/// The choices that ship for `key` and near shapes, the nearest device first: one of the same name, of the same architecture, of
/// the same vendor, of the same kind; then the nearest shape; of several alike, the device whose number of compute units is
/// nearest.
pub(crate) fn shipped(info: &DeviceInfo, key: &Key) -> Vec<ShippedChoice> {
    let mut found: Vec<(usize, f64, u32, ShippedChoice)> = Vec::new();
    let files = if info.kind == DeviceKind::Host { &HOSTS } else { &GPUS };
    for ShippedFile { shipped: of, families } in files.iter() {
        if of.kind != kind_name(info.kind) {
            continue;
        }
        let levels = [
            ("device", of.device == info.name && of.compute_units == info.compute_units),
            ("architecture", !of.architecture.is_empty() && of.architecture == info.architecture),
            ("vendor", !of.vendor.is_empty() && of.vendor == info.vendor),
            ("kind", true),
        ];
        let Some(at) = levels.iter().position(|(_, is_same)| *is_same) else { continue };
        for measured in families.get(&key.family).into_iter().flatten() {
            let Some(distance) = key.distance(&measured.key) else { continue };
            let choice = ShippedChoice {
                device: of.device.clone(),
                level: levels[at].0,
                at: (distance > 0.0).then(|| measured.key.sizes()),
                candidate: measured.candidate.clone(),
                seconds: measured.seconds,
            };
            found.push((at, distance, of.compute_units.abs_diff(info.compute_units), choice));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2)));
    found.into_iter().map(|(.., choice)| choice).collect()
}

/// What is kept for `device`, in the form of the files that ship with the library (`crates/tuning/data/*.json`): the best
/// candidate of each choice. `None` where nothing is kept.
pub fn export(device: &Device) -> Option<String> {
    let info = device.info();
    let entries = entries(info);
    if entries.is_empty() {
        return None;
    }
    let best = |entry: &Entry| entry.measured.iter().min_by(|a, b| a.1.total_cmp(&b.1)).cloned();
    let shipped = Shipped {
        device: info.name.clone(),
        architecture: info.architecture.clone(),
        vendor: info.vendor.clone(),
        kind: kind_name(info.kind).to_owned(),
        compute_units: info.compute_units,
        choices: entries
            .iter()
            .filter(|(_, entry)| !entry.is_trial)
            .filter_map(|(key, entry)| Some((key.clone(), best(entry)?)))
            .collect(),
    };
    serde_json::to_string_pretty(&shipped).ok().map(|text| text + "\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shipped_files_are_sound() {
        assert_eq!((HOSTS.len(), GPUS.len()), (2, 2), "each file parses");
        for ShippedFile { shipped: of, families } in HOSTS.iter().chain(GPUS.iter()) {
            assert!(["host", "gpu"].contains(&of.kind.as_str()) && !of.architecture.is_empty(), "{}", of.device);
            for (key, (candidate, seconds)) in &of.choices {
                assert!(!key.is_empty() && !candidate.is_empty(), "{}: {key}", of.device);
                assert!(seconds.is_finite() && *seconds > 0.0, "{}: {key}", of.device);
                assert_eq!(key.parse::<Key>().map(|key| key.to_string()), Ok(key.clone()), "{}", of.device);
            }
            assert_eq!(families.values().map(Vec::len).sum::<usize>(), of.choices.len(), "{}", of.device);
        }
    }

    #[test]
    fn damaged_files_hold_nothing() {
        for damaged in [
            "",
            "[]",
            "{\"a\": 1}",
            "{\"a\": {\"revision\": \"0\"}}",
            "{\"a\": {\"revision\": \"0\", \"measured\": []}}",
            "{\"a\": {\"revision\": \"0\", \"measured\": [[\"x\", -1.0]]}}",
        ] {
            assert!(parse(damaged).is_empty(), "{damaged}");
        }
        let sound = "{\"a\": {\"revision\": \"0\", \"measured\": [[\"x\", 1.5]]}}";
        assert_eq!(parse(sound)["a"].measured, [("x".to_owned(), 1.5)]);
        let built = "{\"a\": {\"revision\": \"0\", \"measured\": [], \"built\": [[\"x\", 1.5]]}}";
        assert_eq!(parse(built)["a"].built, [("x".to_owned(), 1.5)]);
    }

    #[test]
    fn the_nearest_device_comes_first() {
        let mut info = Device::host().info().clone();
        info.name = "none that is known".into();
        info.architecture = "none".into();
        info.vendor = "nobody".into();
        for ShippedFile { shipped: of, .. } in HOSTS.iter().chain(GPUS.iter()) {
            let Some(key) = of.choices.keys().next().and_then(|key| key.parse::<Key>().ok()) else { continue };
            let level = |info: &DeviceInfo| shipped(info, &key).first().map(|choice| choice.level);
            info.kind = if of.kind == "gpu" { DeviceKind::Gpu } else { DeviceKind::Host };
            info.compute_units = of.compute_units;
            assert_eq!(level(&info), Some("kind"));
            let with = |change: fn(&mut DeviceInfo, &Shipped)| {
                let mut changed = info.clone();
                change(&mut changed, of);
                level(&changed)
            };
            assert_eq!(with(|info, of| info.architecture.clone_from(&of.architecture)), Some("architecture"));
            assert_eq!(with(|info, of| info.name.clone_from(&of.device)), Some("device"));
            assert_eq!(with(|info, _| info.kind = DeviceKind::Cpu), None);
        }
        assert_eq!("no such key".parse().map(|key| shipped(&info, &key)), Ok(Vec::new()));
    }
}
