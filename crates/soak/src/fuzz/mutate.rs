//! Mutations of an input: bits flipped, parts removed, repeated, exchanged with another input's, words inserted.

use crate::random::Random;

/// The most bytes of a long token.
const LONG: u64 = 1 << 12;
/// The length to which inputs are cut, in bytes.
const MOST: usize = 1 << 16;

/// An input made of one of `corpus` by one to six mutations, `words` among what is inserted.
pub fn mutated(random: &mut Random, corpus: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let any = |random: &mut Random| {
        if corpus.is_empty() { &[] } else { &corpus[random.below(corpus.len() as u64) as usize][..] }
    };
    let mut input = any(random).to_vec();
    for _ in 0..random.within(1, 6) {
        let part = range(random, input.len());
        match random.below(10) {
            0 if !input.is_empty() => {
                let place = random.below(input.len() as u64) as usize;
                input[place] ^= 1 << random.below(8);
            }
            1 if !input.is_empty() => {
                let place = random.below(input.len() as u64) as usize;
                input[place] = random.word() as u8;
            }
            2 => input.truncate(part.start),
            3 => drop(input.drain(part)),
            4 if random.once_in(64) => {
                // So long that what takes the square of its length takes seconds.
                let repeated = input[part.clone()].to_vec();
                let times = MOST / repeated.len().max(1);
                insert(&mut input, part.end, &repeated.repeat(times));
            }
            4 => {
                let repeated = input[part.clone()].to_vec();
                let times = random.within(1, 4) as usize;
                insert(&mut input, part.end, &repeated.repeat(times));
            }
            5 => {
                let other = any(random);
                let from = range(random, other.len());
                input.splice(part, other[from].iter().copied());
            }
            6 => {
                let byte = random.pick(b"0123456789abcdefx,.-+ \n\"\x00\xff");
                insert(&mut input, part.start, &vec![byte; random.within(1, 8) as usize]);
            }
            7 => {
                let number = number(random);
                input.splice(part, number.bytes());
            }
            8 if random.once_in(8) => {
                let byte = random.pick(b"0919ax(\xc3");
                insert(&mut input, part.start, &vec![byte; random.below(LONG) as usize]);
            }
            _ if !words.is_empty() => {
                let word = random.pick(words);
                insert(&mut input, part.start, word.as_bytes());
            }
            _ => {}
        }
    }
    input.truncate(MOST);
    input
}

/// A range within `len`, short most of the time.
fn range(random: &mut Random, len: usize) -> std::ops::Range<usize> {
    let start = random.below(len as u64 + 1) as usize;
    let most = (len - start) as u64;
    let most = if random.once_in(4) { most } else { most.min(8) };
    start..start + random.below(most + 1) as usize
}

fn insert(input: &mut Vec<u8>, place: usize, bytes: &[u8]) {
    input.splice(place..place, bytes.iter().copied());
}

/// A number near the end of a range.
fn number(random: &mut Random) -> String {
    let bits = random.pick(&[0, 1, 3, 7, 8, 15, 16, 31, 32, 53, 63, 64, 127]);
    let end = (1_u128 << bits).wrapping_add(u128::from(random.below(3))).wrapping_sub(1);
    match random.below(6) {
        0 => format!("-{end}"),
        1 => format!("{end:#x}"),
        2 => format!("{end}.5"),
        3 => format!("{end}e{}", random.below(700) as i64 - 350),
        _ => end.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mutations_reproduce_differ_and_stay_short() {
        let corpus = vec![b"1 2 3".to_vec(), b"0x10, 4".to_vec()];
        let all = |seed| {
            let mut random = Random::new(seed);
            (0..2000).map(|_| mutated(&mut random, &corpus, &["nan"])).collect::<Vec<_>>()
        };
        let inputs = all(1);
        assert!(inputs == all(1) && inputs != all(2));
        assert!(inputs.iter().all(|input| input.len() <= MOST));
        assert!(inputs.iter().any(|input| input.windows(3).any(|part| part == b"nan")));
        assert!(inputs.iter().any(Vec::is_empty) && inputs.iter().any(|input| input.len() > 100));
    }

    #[test]
    fn nothing_is_needed() {
        let mut random = Random::new(3);
        assert!((0..500).any(|_| !mutated(&mut random, &[], &[]).is_empty()));
    }
}
