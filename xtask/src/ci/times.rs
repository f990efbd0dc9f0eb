//! The times of a run by step and by package, and the recorded ones: a package that takes half as much again as its record fails.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::scope::short;
use crate::costs::Cost;
use crate::shell;

/// The times of the last run of everything, from the root.
pub(crate) const KEPT: &str = ".ci/times.json";

/// By how much a package may take more than was kept, and seconds that are never too many more.
const GROWTH: f64 = 1.5;
const SLACK_SECONDS: f64 = 15.0;

/// Seconds of a run.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Times {
    /// Of the clock, of each step.
    pub(crate) steps: BTreeMap<String, f64>,
    /// Of processors, of each package: all of its tests, or none are counted.
    pub(crate) packages: BTreeMap<String, Cost>,
}

impl Times {
    /// The kept times; `None` where there are none.
    pub(crate) fn kept() -> Result<Option<Self>> {
        let path = shell::root().join(KEPT);
        if !path.is_file() {
            return Ok(None);
        }
        let text = std::fs::read_to_string(&path).with_context(|| format!("cannot read {KEPT}"))?;
        Ok(Some(serde_json::from_str(&text).with_context(|| format!("{KEPT} is damaged"))?))
    }

    /// Writes the times to a file.
    pub(super) fn write(&self, path: &Path) -> Result<PathBuf> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        std::fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
        Ok(path.to_path_buf())
    }

    /// The tables of steps and of packages, the slowest first.
    pub(crate) fn tables(&self) -> String {
        let mut text = String::from("| step | seconds |\n|---|---|\n");
        let mut steps: Vec<_> = self.steps.iter().collect();
        steps.sort_by(|a, b| b.1.total_cmp(a.1));
        for (name, seconds) in steps {
            let _ = writeln!(text, "| {name} | {seconds:.0} |");
        }
        text.push_str("\n| package | build, seconds of a processor | tests, seconds of a processor |\n|---|---|---|\n");
        let mut packages: Vec<_> = self.packages.iter().collect();
        packages.sort_by(|a, b| (b.1.build + b.1.test).total_cmp(&(a.1.build + a.1.test)));
        for (name, cost) in packages {
            let test = if cost.test > 0.0 { format!("{:.0}", cost.test) } else { String::new() };
            let _ = writeln!(text, "| {} | {:.0} | {test} |", short(name), cost.build);
        }
        text
    }

    /// What takes half as much again as it did in `kept`, on a machine as fast as that of these times.
    ///
    /// The median of all packages' ratios, of builds and of tests each, measures the speed of the machine. A median below that of the kept
    /// times allows no less than they do: it may be a cache's, and not of all packages alike.
    pub(super) fn grown(&self, kept: &Self) -> Vec<String> {
        let mut grown = self.grown_part(kept, "build", |cost| cost.build);
        grown.extend(self.grown_part(kept, "tests", |cost| cost.test));
        grown
    }

    fn grown_part(&self, kept: &Self, what: &str, seconds: fn(&Cost) -> f64) -> Vec<String> {
        let pairs: Vec<(&String, f64, f64)> = self
            .packages
            .iter()
            .filter_map(|(name, now)| Some((name, seconds(now), seconds(kept.packages.get(name)?))))
            .filter(|&(_, now, before)| now > 0.0 && before > 0.0)
            .collect();
        let mut ratios: Vec<f64> = pairs.iter().map(|(_, now, before)| now / before).collect();
        ratios.sort_by(f64::total_cmp);
        let speed = ratios.get(ratios.len() / 2).map_or(1.0, |&median| median.max(1.0));
        pairs
            .into_iter()
            .map(|(name, now, before)| (name, now, before * speed))
            .filter(|&(_, now, expected)| now > GROWTH * expected && now > expected + SLACK_SECONDS)
            .map(|(name, now, expected)| {
                format!("{what} of {}: {now:.0} s of a processor, {expected:.0} would be as before", short(name))
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::Times;
    use crate::costs::Cost;

    fn times(builds: [f64; 3], tests: [f64; 3]) -> Times {
        let costs = builds.into_iter().zip(tests).map(|(build, test)| Cost { build, test });
        let packages = ["manycore-a", "manycore-b", "manycore-c"].map(str::to_owned).into_iter();
        Times { steps: BTreeMap::from([("test".into(), 7.0)]), packages: packages.zip(costs).collect() }
    }

    #[test]
    fn growth_is_told_and_a_slow_machine_is_not() {
        let kept = times([100.0, 60.0, 20.0], [40.0; 3]);
        assert!(times([200.0, 120.0, 40.0], [80.0; 3]).grown(&kept).is_empty());
        let grown = times([100.0, 95.0, 20.0], [40.0; 3]).grown(&kept);
        assert!(grown.len() == 1 && grown[0].starts_with("build of b: 95 s"), "{grown:?}");
        let grown = times([100.0, 60.0, 20.0], [40.0, 40.0, 65.0]).grown(&kept);
        assert!(grown.len() == 1 && grown[0].starts_with("tests of c: 65 s"), "{grown:?}");
        // Builds sooner than before do not make tests late.
        assert!(times([50.0, 30.0, 10.0], [40.0, 40.0, 55.0]).grown(&kept).is_empty());
        // So few seconds more are noise, and tests that did not run are no growth.
        assert!(times([100.0, 60.0, 34.0], [0.0; 3]).grown(&kept).is_empty());
    }

    #[test]
    fn the_slowest_stand_first() {
        let tables = times([1.0, 3.0, 2.0], [0.0; 3]).tables();
        assert!(
            tables.contains("| test | 7 |") && tables.find("| b | 3 |  |") < tables.find("| c | 2 |  |"),
            "{tables}"
        );
    }
}
