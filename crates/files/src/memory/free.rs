//! Free memory of the process: of the machine, of its control groups, and within `ulimit`.
//!
//! The allocator asks here, so nothing is allocated: files are read into an array, and the paths of groups are found once.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use super::limit::{self, Group};

/// The bytes that are never granted, at most, for stacks, small blocks and tables of pages; an eighth of what there is, where that is
/// less.
const SPARE_BYTES: u64 = 32 << 20;

/// Room for the files that are read; the lines that count are among the first.
const FILE_BYTES: usize = 8192;

/// What the process has now, in bytes.
#[derive(Debug, Clone, Copy, Default)]
struct Own {
    /// Addresses (`ulimit -v`).
    addresses: u64,
    /// Memory of its own that can be written (`ulimit -d`).
    data: u64,
    /// What is in memory.
    resident: u64,
    /// What is in memory and stands in no file.
    anonymous: u64,
}

/// Bytes that are free: of addresses, each granted block has its own; of memory, what is written has.
#[derive(Debug, Clone, Copy)]
struct Free {
    addresses: u64,
    memory: u64,
}

impl Free {
    /// Room beside `taken` bytes that were granted, of which `written` are in memory.
    fn room(self, taken: u64, written: u64) -> u64 {
        let memory = self.memory.saturating_sub(taken.saturating_sub(written));
        let room = self.addresses.min(memory);
        room - SPARE_BYTES.min(room / 8)
    }
}

/// What the process had in memory, and in no file, when it was asked first.
static FIRST: OnceLock<u64> = OnceLock::new();

/// The room beside `taken` bytes that were granted, where the process may have `most` in memory.
pub(super) fn room(taken: u64, most: u64) -> u64 {
    // Before what is free: what is written in between then counts twice, and not never.
    let own = own();
    let first = *FIRST.get_or_init(|| own.anonymous);
    let mut free = free(&|path, buffer| read(path, buffer), &own);
    free.memory = free.memory.min(most.saturating_sub(own.resident));
    free.room(taken, own.anonymous.saturating_sub(first))
}

/// Reads a file that the system makes; the first bytes of it.
fn read(path: &Path, buffer: &mut [u8; FILE_BYTES]) -> Option<usize> {
    let mut file = File::open(path).ok()?;
    let mut len = 0;
    while len < buffer.len() {
        match file.read(&mut buffer[len..]).ok()? {
            0 => break,
            more => len += more,
        }
    }
    Some(len)
}

type Reader<'a> = &'a dyn Fn(&Path, &mut [u8; FILE_BYTES]) -> Option<usize>;

/// Calls `of` with the text of a file.
fn with_text<T>(read: Reader<'_>, path: &Path, of: impl FnOnce(&str) -> Option<T>) -> Option<T> {
    let mut buffer = [0; FILE_BYTES];
    let len = read(path, &mut buffer)?;
    let text = match std::str::from_utf8(&buffer[..len]) {
        Ok(text) => text,
        // Cut within a character.
        Err(error) => std::str::from_utf8(&buffer[..error.valid_up_to()]).ok()?,
    };
    of(text)
}

/// The number behind a name at the beginning of a line.
fn number(text: &str, name: &str) -> Option<u64> {
    let rest = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix([':', ' ', '\t']))?;
    rest.split_whitespace().next()?.parse().ok()
}

fn own() -> Own {
    with_text(&|path, buffer| read(path, buffer), Path::new("/proc/self/status"), |text| {
        let bytes = |name| number(text, name).unwrap_or(0).saturating_mul(1024);
        let resident = bytes("VmRSS");
        // Before Linux 4.5 all counts.
        let anonymous = number(text, "RssAnon").map_or(resident, |kibibytes| kibibytes.saturating_mul(1024));
        Some(Own { addresses: bytes("VmSize"), data: bytes("VmData"), resident, anonymous })
    })
    .unwrap_or_default()
}

fn free(read: Reader<'_>, own: &Own) -> Free {
    let available = with_text(read, Path::new("/proc/meminfo"), available);
    let available = available.map_or(u64::MAX, |kibibytes| kibibytes.saturating_mul(1024));
    let groups = groups().iter().filter_map(|group| left_of_group(read, group));
    let memory = groups.fold(available, u64::min).min(isize::MAX as u64);
    let (addresses, data) = limit::resource_limits();
    let addresses = addresses.saturating_sub(own.addresses).min(data.saturating_sub(own.data));
    Free { addresses: addresses.min(isize::MAX as u64), memory }
}

/// Kibibytes that the machine has available: what it can give at once, and what it can swap out.
fn available(text: &str) -> Option<u64> {
    Some(number(text, "MemAvailable")?.saturating_add(number(text, "SwapFree").unwrap_or(0)))
}

/// The groups of this process, from the inner ones outwards.
fn groups() -> &'static [Group] {
    static GROUPS: OnceLock<Vec<Group>> = OnceLock::new();
    GROUPS.get_or_init(|| {
        let text = std::fs::read_to_string("/proc/self/cgroup").unwrap_or_default();
        // Groups without limit files cannot limit memory.
        let limited = |group: &Group| group.limits().iter().any(|path| path.exists());
        limit::groups(&text).into_iter().filter(limited).collect()
    })
}

/// What a group has left; `None` where it has no limit.
fn left_of_group(read: Reader<'_>, group: &Group) -> Option<u64> {
    let of = |path: &PathBuf| with_text(read, path, |text| text.trim().parse::<u64>().ok());
    let most = group.limits().iter().filter_map(of).min()?;
    let used = of(group.used())?;
    let files = with_text(read, group.statistics(), |text| {
        let bytes = |name: &str| number(text, name);
        let own = bytes("inactive_file").zip(bytes("active_file"));
        // In version 1 the sums over inner groups have names of their own.
        let (inactive, active) = bytes("total_inactive_file").zip(bytes("total_active_file")).or(own)?;
        Some(inactive.saturating_add(active))
    });
    Some(most.saturating_sub(used.saturating_sub(files.unwrap_or(0))))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::super::account;
    use super::*;

    const MIB: u64 = 1 << 20;

    fn left(files: &[(&str, &str)]) -> Option<u64> {
        let files: BTreeMap<PathBuf, &str> = files.iter().map(|&(path, text)| (PathBuf::from(path), text)).collect();
        let read = |path: &Path, buffer: &mut [u8; FILE_BYTES]| {
            let text = files.get(path)?.as_bytes();
            buffer[..text.len()].copy_from_slice(text);
            Some(text.len())
        };
        let text = files.get(Path::new("/proc/self/cgroup")).copied().unwrap_or_default();
        limit::groups(text).iter().filter_map(|group| left_of_group(&read, group)).min()
    }

    #[test]
    fn groups_of_version_2_have_left_what_is_not_used() {
        let group = |high: &str, inner: &str, outer: &str| {
            left(&[
                ("/proc/self/cgroup", "0::/a/b\n"),
                ("/sys/fs/cgroup/a/b/memory.max", inner),
                ("/sys/fs/cgroup/a/b/memory.high", high),
                ("/sys/fs/cgroup/a/b/memory.current", "3000\n"),
                ("/sys/fs/cgroup/a/b/memory.stat", "anon 2000\nfile 900\ninactive_file 300\nactive_file 600\n"),
                ("/sys/fs/cgroup/a/memory.max", outer),
                ("/sys/fs/cgroup/a/memory.current", "9000\n"),
            ])
        };
        assert_eq!(group("max\n", "10000\n", "max\n"), Some(10_000 - 3000 + 900));
        assert_eq!(group("8000\n", "10000\n", "max\n"), Some(8000 - 3000 + 900));
        assert_eq!(group("max\n", "10000\n", "9500\n"), Some(500), "the group around it");
        assert_eq!(group("max\n", "1000\n", "max\n"), Some(0), "more than it may have");
        assert_eq!(group("max\n", "max\n", "max\n"), None);
    }

    #[test]
    fn groups_of_version_1_have_left_what_is_not_used() {
        let folder = "/sys/fs/cgroup/memory/a";
        let files = [
            ("/proc/self/cgroup".to_owned(), "4:memory:/a\n"),
            (format!("{folder}/memory.limit_in_bytes"), "10000\n"),
            (format!("{folder}/memory.usage_in_bytes"), "7000\n"),
            (
                format!("{folder}/memory.stat"),
                "cache 9\ninactive_file 1\nactive_file 1\ntotal_inactive_file 500\ntotal_active_file 20\n",
            ),
        ];
        let files: Vec<(&str, &str)> = files.iter().map(|(path, text)| (path.as_str(), *text)).collect();
        assert_eq!(left(&files), Some(10_000 - 7000 + 520));
    }

    #[test]
    fn what_was_granted_and_not_written_is_not_free() {
        let free = Free { addresses: 1000 * MIB, memory: 600 * MIB };
        assert_eq!(free.room(0, 0), (600 - 32) * MIB);
        // The system's number already excludes written blocks.
        assert_eq!(free.room(200 * MIB, 200 * MIB), (600 - 32) * MIB);
        assert_eq!(free.room(200 * MIB, 50 * MIB), (450 - 32) * MIB);
        assert_eq!(free.room(700 * MIB, 0), 0);
        assert_eq!(Free { addresses: 80 * MIB, ..free }.room(0, 0), 70 * MIB);
    }

    #[test]
    fn damaged_files_say_nothing() {
        assert_eq!(number("MemAvailable:    3000 kB\n", "MemAvailable"), Some(3000));
        assert_eq!(number("VmRSS:\t  12 kB", "VmRSS"), Some(12));
        assert_eq!(available("MemTotal: 9 kB\nMemAvailable:  30 kB\nSwapTotal: 8 kB\nSwapFree:  5 kB\n"), Some(35));
        assert_eq!((available("MemAvailable: 30 kB\n"), available("SwapFree: 5 kB\n")), (Some(30), None));
        for damaged in ["", "MemAvailable", "MemAvailable:", "MemAvailable: many kB", "MemAvailable2: 1"] {
            assert_eq!(number(damaged, "MemAvailable"), None, "{damaged:?}");
        }
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_process_has_some_and_some_left() {
        let _counting = account::COUNTING.lock();
        let list = vec![1u8; 8 << 20];
        let own = own();
        assert!(own.anonymous >= list.len() as u64 && own.addresses >= own.resident, "{own:?}");
        assert!(account::free_bytes() > MIB && account::free_bytes() < 1 << 60);
    }
}
