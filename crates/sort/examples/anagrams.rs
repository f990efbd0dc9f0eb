//! Anagrams among words, by one sort of byte strings: the letters of each word in their order, the same for anagrams alone.
//!
//! ```text
//! cargo run --release -p manycore-sort --example anagrams -- /usr/share/dict/words
//! ```
//! The argument is a file of words; without it those of a few lines below.

use manycore_device::Device;
use manycore_sort::{SortOrder, SparseSorter};

const WORDS: &str = "algorithm logarithm integral triangle relating altering listen silent enlist tinsel least steal tales \
                     stale slate device kernel matrix graph host stone notes onset tones";

/// The letters of a word in their order.
fn letters(word: &str) -> Vec<u8> {
    let mut letters = word.to_ascii_lowercase().into_bytes();
    letters.sort_unstable();
    letters
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let text = match std::env::args().nth(1) {
        Some(file) => std::fs::read_to_string(file)?,
        None => WORDS.into(),
    };
    let words: Vec<&str> = text.split_whitespace().collect();
    let keys: Vec<Vec<u8>> = words.iter().map(|word| letters(word)).collect();
    let places = SparseSorter::new(&Device::from_env()?)?.argsort_bytes(&keys, SortOrder::Ascending)?;
    let mut classes: Vec<Vec<&str>> = Vec::new();
    for run in places.chunk_by(|&a, &b| keys[a as usize] == keys[b as usize]) {
        classes.push(run.iter().map(|&place| words[place as usize]).collect());
    }
    classes.retain(|class| class.len() > 1);
    classes.sort_by_key(|class| std::cmp::Reverse(class.len()));
    for class in classes.iter().take(10) {
        println!("{}", class.join(" "));
    }
    println!("{} classes among {} words", classes.len(), words.len());
    Ok(())
}
