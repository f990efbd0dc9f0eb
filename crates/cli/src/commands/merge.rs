//! The command line of `manycore merge`.

use std::path::PathBuf;

use clap::Args;

/// What `--help` says first.
pub const LONG_ABOUT: &str = "\
Merge the shards of a command into its result

Writes what the command without --shard writes: text, JSON with --json, an array with -o NAME.npy. The files of the command need not be \
there. A shard that is given twice changes nothing; those that are missing are named, and so are shards of different commands, \
inputs, seeds or numbers of shards, and lines that were damaged.";

/// What `--help` says last.
pub const AFTER_HELP: &str = "\
With --json, times are sums over the shards, and the device is each device of theirs.

--verify wants every shard computed with --verify, which checks its part; of `matrix det --exact`, `bivariate resultant --exact` and \
`spectrum polarities` it reads the command's file and checks the whole, as the command does.

Examples:
  for i in 1 2 3; do manycore sbox compare all.txt --shard $i/3 -o $i.jsonl; done; manycore merge 1.jsonl 2.jsonl 3.jsonl
  cat *.jsonl | manycore merge - --json";

/// The arguments of `merge`.
#[derive(Debug, Args)]
pub struct Arguments {
    /// Files of shards, a line each; - is standard input
    #[arg(required = true)]
    pub files: Vec<PathBuf>,
}
