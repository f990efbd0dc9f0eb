//! Faults in data: single bits, words, runs of words and swapped words, drawn from a seed.

/// Pseudo-random numbers by `SplitMix64` (Steele, Lea, Flood 2014).
pub(crate) struct Draws(u64);

impl Draws {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next number of 64 bits.
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub(crate) fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }
}

/// Changes at least one bit of `bytes`, as the seed chooses, and returns a description of the change. Does nothing without bytes.
pub(crate) fn change(bytes: &mut [u8], seed: u64) -> String {
    /// The longest run that is cleared, in words: the work-items of one small group.
    const RUN: usize = 16;
    if bytes.is_empty() {
        return "no bytes to change".to_owned();
    }
    let mut draws = Draws::new(seed);
    let width = [1, 2, 4, 8][draws.below(4)].min(1 << bytes.len().ilog2());
    let words = bytes.len() / width;
    let at = |word: usize| word * width..(word + 1) * width;
    let place = draws.below(words);
    let length = bytes.len();
    let manner = draws.below(4);
    if manner == 1 {
        for byte in &mut bytes[at(place)] {
            *byte ^= draws.below(255) as u8 + 1;
        }
        return format!("word {place} of {width} bytes of {length} replaced");
    }
    if manner == 2 {
        let run = (1 + draws.below(RUN)).min(words - place);
        let cleared = &mut bytes[place * width..(place + run) * width];
        if cleared.iter().any(|&byte| byte != 0) {
            cleared.fill(0);
            return format!("{run} words of {width} bytes of {length} cleared from word {place}");
        }
    }
    if manner == 3 {
        let other = draws.below(words);
        if bytes[at(place)] != bytes[at(other)] {
            for (a, b) in at(place).zip(at(other)) {
                bytes.swap(a, b);
            }
            return format!("words {place} and {other} of {width} bytes of {length} swapped");
        }
    }
    // Also where clearing or swapping would change nothing.
    let bit = draws.below(8 * length);
    bytes[bit / 8] ^= 1 << (bit % 8);
    format!("bit {} of byte {} of {length} inverted", bit % 8, bit / 8)
}

#[cfg(test)]
mod tests {
    use super::change;

    #[test]
    fn something_always_changes_and_every_manner_occurs() {
        let mut manners = [0; 4];
        for seed in 0..4000 {
            let length = 1 + seed as u8 % 70;
            for right in [vec![0; length.into()], (0..length).collect()] {
                let mut bytes = right.clone();
                let told = change(&mut bytes, seed);
                assert_ne!(bytes, right, "{told}");
                let differing = bytes.iter().zip(&right).filter(|(a, b)| a != b).count();
                let manner = ["inverted", "replaced", "cleared", "swapped"].map(|word| told.contains(word));
                let manner = manner.iter().position(|&is| is).unwrap();
                manners[manner] += 1;
                assert!(differing <= [1, 8, 128, 16][manner], "{told}: {differing} bytes differ");
                let mut again = right.clone();
                assert_eq!((change(&mut again, seed), again), (told, bytes));
            }
        }
        assert!(manners.iter().all(|&times| times > 500), "{manners:?}");
        assert_eq!(change(&mut [], 1), "no bytes to change");
    }
}
