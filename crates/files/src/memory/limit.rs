//! The most memory that this process may ever have: the machine's, its container's (control groups of Linux, versions 1 and 2),
//! and what `ulimit` sets.

use std::path::{Component, Path, PathBuf};
use std::sync::OnceLock;

/// Bytes of memory that this process can have at most: the least of the machine's memory, the limits of the process's control
/// groups and of those around them (`memory.max` and `memory.high` in version 2, `memory.limit_in_bytes` in version 1), and the
/// limits of its address space and data (`ulimit -v` and `-d`). Where the system gives no number, half of the address space, so that
/// nothing is refused wrongly. Asked once for the process: reading the files takes longer than a short operation.
pub fn limit_bytes() -> u64 {
    static BYTES: OnceLock<u64> = OnceLock::new();
    *BYTES.get_or_init(|| {
        limit_with(&|path| std::fs::read_to_string(path).ok(), &[resource_limits().0, resource_limits().1])
    })
}

/// The least of the limits in files and of `others`.
fn limit_with(read: &dyn Fn(&Path) -> Option<String>, others: &[u64]) -> u64 {
    let machine = read(Path::new("/proc/meminfo")).and_then(|text| total(&text));
    let text = read(Path::new("/proc/self/cgroup")).unwrap_or_default();
    let groups = groups(&text);
    let groups = groups.iter().flat_map(Group::limits).filter_map(|path| group_limit(&read(path)?));
    let all = machine.into_iter().chain(groups).chain(others.iter().copied());
    all.min().map_or(isize::MAX as u64, |least| least.min(isize::MAX as u64))
}

/// The machine's bytes, from the text of `/proc/meminfo`.
fn total(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok()?.checked_mul(1024)
}

/// The limit in a control group's file; `None` where there is none. Version 1 writes one near 2^63 then, which is no less than
/// any machine's memory.
fn group_limit(text: &str) -> Option<u64> {
    text.trim().parse().ok()
}

/// The files of a control group that limits memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Group {
    limits: Vec<PathBuf>,
    used: PathBuf,
    statistics: PathBuf,
}

impl Group {
    fn of(folder: &Path, is_version_2: bool) -> Self {
        let (limits, used): (&[&str], _) = if is_version_2 {
            (&["memory.max", "memory.high"], "memory.current")
        } else {
            (&["memory.limit_in_bytes"], "memory.usage_in_bytes")
        };
        let limits = limits.iter().map(|name| folder.join(name)).collect();
        Self { limits, used: folder.join(used), statistics: folder.join("memory.stat") }
    }

    /// The files that limit its bytes.
    pub(super) fn limits(&self) -> &[PathBuf] {
        &self.limits
    }

    /// The file with the group's used bytes, pages of files included.
    pub(super) fn used(&self) -> &PathBuf {
        &self.used
    }

    /// The file with the kinds of the used bytes.
    pub(super) fn statistics(&self) -> &Path {
        &self.statistics
    }
}

/// The control groups that limit a process, from the text of its `/proc/PID/cgroup`: its own and each around it. Lines read
/// `NUMBER:CONTROLLERS:PATH`; version 2 has number 0 and no controllers. Within a container, a path may be the machine's, which is
/// not to be seen there: then the outermost folder is the container's.
pub(super) fn groups(text: &str) -> Vec<Group> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut fields = line.splitn(3, ':');
        let (Some(number), Some(controllers), Some(path)) = (fields.next(), fields.next(), fields.next()) else {
            continue;
        };
        let is_version_2 = number == "0" && controllers.is_empty();
        let folders: &[&str] = if is_version_2 {
            &["/sys/fs/cgroup", "/sys/fs/cgroup/unified"]
        } else if controllers.split(',').any(|name| name == "memory") {
            &["/sys/fs/cgroup/memory"]
        } else {
            continue;
        };
        // A path that leads out of what is mounted here says nothing of the folders within.
        let names = Path::new(path).components().filter_map(|part| match part {
            Component::Normal(name) => Some(Some(name)),
            Component::ParentDir => Some(None),
            _ => None,
        });
        let inner: PathBuf = names.collect::<Option<PathBuf>>().unwrap_or_default();
        for folder in folders {
            found.extend(inner.ancestors().map(|group| Group::of(&Path::new(folder).join(group), is_version_2)));
        }
    }
    found
}

/// The limits that `ulimit` sets on the address space and on data; the largest numbers where there are none.
pub(super) fn resource_limits() -> (u64, u64) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit};
        let limit = |which| getrlimit(which).current.unwrap_or(u64::MAX);
        (limit(Resource::As), limit(Resource::Data))
    }
    #[cfg(not(unix))]
    (u64::MAX, u64::MAX)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    const MEMINFO: &str = "MemTotal:       16384 kB\nMemFree:          100 kB\nMemAvailable:    3000 kB\n";

    fn limit(files: &[(&str, &str)], others: &[u64]) -> u64 {
        let files: BTreeMap<PathBuf, String> =
            files.iter().map(|(path, text)| (PathBuf::from(path), (*text).to_owned())).collect();
        limit_with(&|path| files.get(path).cloned(), others)
    }

    #[test]
    fn the_machine_s_memory_counts_where_nothing_else_does() {
        assert_eq!(limit(&[("/proc/meminfo", MEMINFO)], &[]), 16 << 20);
        assert_eq!(limit(&[("/proc/meminfo", MEMINFO)], &[1 << 40, 5000]), 5000);
        assert_eq!(limit(&[], &[]), isize::MAX as u64);
        for damaged in ["", "MemTotal:", "MemTotal: many kB", "MemTotal: 18446744073709551615 kB", "\0"] {
            assert_eq!(limit(&[("/proc/meminfo", damaged)], &[]), isize::MAX as u64, "{damaged:?}");
        }
    }

    #[test]
    fn the_least_limit_of_nested_groups_counts() {
        let nested = |inner: &str, middle: &str, outer: &str| {
            let files = [
                ("/proc/meminfo", MEMINFO),
                ("/proc/self/cgroup", "0::/user.slice/app.scope\n"),
                ("/sys/fs/cgroup/user.slice/app.scope/memory.max", inner),
                ("/sys/fs/cgroup/user.slice/memory.max", middle),
                ("/sys/fs/cgroup/memory.max", outer),
            ];
            limit(&files, &[])
        };
        assert_eq!(nested("max\n", "max\n", "max\n"), 16 << 20);
        assert_eq!(nested("1048576\n", "max\n", "max\n"), 1 << 20);
        assert_eq!(nested("max\n", "2097152\n", "max\n"), 2 << 20);
        assert_eq!(nested("2097152\n", "1048576\n", "4194304\n"), 1 << 20);
        assert_eq!(nested("max", "max", "524288"), 1 << 19);
        assert_eq!(nested("", "-1", "none"), 16 << 20, "files that say nothing");
        assert_eq!(nested("0\n", "max", "max"), 0);
        let high = [
            ("/proc/meminfo", MEMINFO),
            ("/proc/self/cgroup", "0::/\n"),
            ("/sys/fs/cgroup/memory.max", "8192\n"),
            ("/sys/fs/cgroup/memory.high", "4096\n"),
        ];
        assert_eq!(limit(&high, &[]), 4096);
    }

    #[test]
    fn groups_of_version_1_count() {
        let groups = "9:name=systemd:/\n4:cpu,memory:/docker/abc\n2:cpuacct:/x\n0::/\n";
        let of = |path: &str, bytes: &str| {
            limit(&[("/proc/meminfo", MEMINFO), ("/proc/self/cgroup", groups), (path, bytes)], &[])
        };
        let within = "/sys/fs/cgroup/memory/docker/abc/memory.limit_in_bytes";
        assert_eq!(of(within, "4096\n"), 4096);
        assert_eq!(of(within, "9223372036854771712\n"), 16 << 20, "no limit");
        // Within the container its own folder is the outermost.
        assert_eq!(of("/sys/fs/cgroup/memory/memory.limit_in_bytes", "8192\n"), 8192);
        assert_eq!(of("/sys/fs/cgroup/cpuacct/x/memory.limit_in_bytes", "1\n"), 16 << 20, "no memory controller");
        assert_eq!(of("/sys/fs/cgroup/unified/memory.max", "512\n"), 512);
    }

    #[test]
    fn paths_that_lead_outside_are_those_of_what_is_mounted() {
        assert_eq!(
            groups("0::/../../x\n"),
            ["/sys/fs/cgroup", "/sys/fs/cgroup/unified"].map(|folder| Group::of(Path::new(folder), true))
        );
        // A colon may stand in a path; lines with less say nothing.
        assert_eq!(groups("1:memory:/a:b\n").len(), 2);
        for damaged in ["", "0:", "0:\n::\n", "memory", "\n\n"] {
            assert_eq!(groups(damaged), [], "{damaged:?}");
        }
    }

    #[test]
    fn this_process_has_some() {
        assert!(limit_bytes() > 1 << 20 && isize::try_from(limit_bytes()).is_ok());
    }
}
