//! What proofs of plans found: kept in the cache folder by device, driver and code, and for the process.

use std::collections::{BTreeMap, HashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use manycore_device::{DeviceInfo, SelfTestMode, cache_files};
use serde::{Deserialize, Serialize};

use crate::known::place;
use crate::proof::Proof;

/// The kind of file in the cache folder; the number changes with the form of its content.
const KIND: &str = "proofs-1";
/// A file of more plans is begun anew.
const MOST: usize = 1 << 14;

/// What a proof found that is kept.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Entry {
    /// The revision of the code, in hexadecimal digits.
    revision: String,
    /// Where the results are wrong; they are right without.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    differs: Option<String>,
    /// The plan and its program's constants without the sizes: the driver has built that once, and has it in its cache.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    program: String,
}

type Entries = BTreeMap<String, Entry>;

/// What is known of the plans of one device.
#[derive(Debug, Default)]
struct Known {
    /// By earlier processes, and by this one what is kept.
    kept: Entries,
    /// By this process, with the revision.
    here: BTreeMap<String, (u64, Proof)>,
    /// The programs that were built for proofs, with the revision.
    programs: HashSet<(u64, String)>,
}

fn programs(entries: &Entries) -> HashSet<(u64, String)> {
    let program = |entry: &Entry| Some((u64::from_str_radix(&entry.revision, 16).ok()?, entry.program.clone()));
    entries.values().filter(|entry| !entry.program.is_empty()).filter_map(program).collect()
}

/// By folder and device.
static KNOWN: Mutex<BTreeMap<String, Known>> = Mutex::new(BTreeMap::new());

fn all() -> MutexGuard<'static, BTreeMap<String, Known>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

fn read(info: &DeviceInfo) -> Entries {
    cache_files::read(KIND, info).and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default()
}

fn with<R>(info: &DeviceInfo, work: impl FnOnce(&mut Known) -> R) -> R {
    let mut all = all();
    let new = || {
        let kept = read(info);
        Known { programs: programs(&kept), kept, here: BTreeMap::new() }
    };
    work(all.entry(place(info)).or_insert_with(new))
}

/// What was found of the plan with this key and this revision of the code: in mode `always` by this process alone.
pub(crate) fn find(info: &DeviceInfo, mode: SelfTestMode, key: &str, revision: u64) -> Option<Proof> {
    with(info, |known| {
        if let Some((_, proof)) = known.here.get(key).filter(|(of, _)| *of == revision) {
            return Some(proof.clone());
        }
        let is_of = |entry: &&Entry| entry.revision == format!("{revision:016x}");
        let entry = known.kept.get(key).filter(|_| mode == SelfTestMode::Auto).filter(is_of)?;
        Some(entry.differs.clone().map_or(Proof::Holds, Proof::Differs))
    })
}

/// The programs of plans by name: the operation and its words, the programs' constants and the plan, of all sizes.
pub(crate) fn program(family: &str, constants: &str, plan: &str) -> String {
    format!("{family}; {constants}; {plan}")
}

/// Whether a plan of the device is known as wrong, of any revision.
pub(crate) fn has_wrong(info: &DeviceInfo, mode: SelfTestMode) -> bool {
    with(info, |known| {
        let is_wrong = |(_, proof): &(u64, Proof)| matches!(proof, Proof::Differs(_));
        let kept = mode == SelfTestMode::Auto && known.kept.values().any(|entry| entry.differs.is_some());
        kept || known.here.values().any(is_wrong)
    })
}

/// Whether a program was built for a proof with this revision of the code, by this process or an earlier one.
pub(crate) fn is_built(info: &DeviceInfo, program: &str, revision: u64) -> bool {
    with(info, |known| known.programs.contains(&(revision, program.to_owned())))
}

/// Notes what a proof by a program found, for this process and, where it `is_kept` and the folder can be written, for later ones.
pub(crate) fn note(info: &DeviceInfo, (key, program): (&str, &str), revision: u64, proof: Proof, is_kept: bool) {
    with(info, |known| {
        if proof != Proof::TooLarge {
            known.programs.insert((revision, program.to_owned()));
        }
        if is_kept {
            // What other processes kept meanwhile stays.
            let mut kept = read(info);
            for (key, entry) in &known.kept {
                kept.entry(key.clone()).or_insert_with(|| entry.clone());
            }
            if kept.len() >= MOST {
                kept.clear();
            }
            let differs = match &proof {
                Proof::Differs(difference) => Some(difference.clone()),
                Proof::Holds | Proof::TooLarge => None,
            };
            let (revision, program) = (format!("{revision:016x}"), program.to_owned());
            kept.insert(key.to_owned(), Entry { revision, differs, program });
            if let Ok(text) = serde_json::to_string_pretty(&kept) {
                // Where it cannot be kept, the next process proves again.
                let _ = cache_files::write(KIND, info, &format!("{text}\n"));
            }
            known.kept = kept;
        }
        known.here.insert(key.to_owned(), (revision, proof));
    });
}

#[cfg(test)]
mod tests {
    use manycore_device::Device;

    use super::*;

    /// A device of a test's own.
    fn device(name: &str, driver: &str) -> DeviceInfo {
        let mut info = Device::host().info().clone();
        (info.name, info.driver) = (name.to_owned(), driver.to_owned());
        info
    }

    #[test]
    fn verdicts_are_of_a_device_a_driver_and_a_revision() {
        let (info, auto) = (device("verdicts", "1"), SelfTestMode::Auto);
        assert!(!has_wrong(&info, auto));
        note(&info, ("a", "program a"), 7, Proof::Holds, false);
        note(&info, ("b", "program b"), 7, Proof::Differs("word 0".into()), false);
        note(&info, ("c", "program c"), 7, Proof::TooLarge, false);
        assert_eq!(find(&info, auto, "a", 7), Some(Proof::Holds));
        assert_eq!(find(&info, SelfTestMode::Always, "b", 7), Some(Proof::Differs("word 0".into())));
        assert_eq!(find(&info, auto, "c", 7), Some(Proof::TooLarge));
        assert!(has_wrong(&info, auto));
        assert!(is_built(&info, "program a", 7) && !is_built(&info, "program a", 8) && !is_built(&info, "a", 7));
        assert!(!is_built(&info, "program c", 7), "nothing was built");
        for (info, key, revision) in [
            (info.clone(), "d", 7),
            (info.clone(), "a", 8),
            (device("verdicts", "2"), "a", 7),
            (device("another", "1"), "a", 7),
        ] {
            assert_eq!(find(&info, auto, key, revision), None, "{key} {revision}");
        }
    }

    #[test]
    fn entries_are_read_back() {
        let entry = |differs: Option<&str>, program: &str| Entry {
            revision: "0b".into(),
            differs: differs.map(str::to_owned),
            program: program.to_owned(),
        };
        let entries = Entries::from([("a".to_owned(), entry(None, "p")), ("b".to_owned(), entry(Some("word 1"), ""))]);
        assert_eq!(programs(&entries), HashSet::from([(11, "p".to_owned())]));
        let text = serde_json::to_string(&entries).unwrap();
        assert_eq!(serde_json::from_str::<Entries>(&text).unwrap(), entries);
        for damaged in ["", "[]", "{\"a\": 1}", "{\"a\": {}}"] {
            assert!(serde_json::from_str::<Entries>(damaged).is_err(), "{damaged}");
        }
    }
}
