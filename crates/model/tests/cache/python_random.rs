//! Python's generator of random integers, so that counts found with it can be had again.

/// The Mersenne Twister MT19937 (Matsumoto and Nishimura, 1998), seeded and read as Python's `random` does.
pub(crate) struct PythonRandom {
    state: [u32; 624],
    next: usize,
}

impl PythonRandom {
    /// `random.seed(seed)` for a seed below 2^32.
    pub(crate) fn new(seed: u32) -> Self {
        let mut state = [0_u32; 624];
        state[0] = 19_650_218;
        for i in 1..624 {
            let last = state[i - 1];
            state[i] = (last ^ (last >> 30)).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        // The seed is an array of one word, mixed in by two rounds over the state.
        let mut i = 1;
        for round in 0..624 + 623 {
            let (factor, first_round) = if round < 624 { (1_664_525, true) } else { (1_566_083_941, false) };
            let last = state[i - 1];
            let mixed = state[i] ^ (last ^ (last >> 30)).wrapping_mul(factor);
            state[i] = if first_round { mixed.wrapping_add(seed) } else { mixed.wrapping_sub(i as u32) };
            i += 1;
            if i == 624 {
                state[0] = state[623];
                i = 1;
            }
        }
        state[0] = 0x8000_0000;
        Self { state, next: 624 }
    }

    fn word(&mut self) -> u32 {
        if self.next == 624 {
            for i in 0..624 {
                let y = (self.state[i] & 0x8000_0000) | (self.state[(i + 1) % 624] & 0x7fff_ffff);
                let twist = if y & 1 == 1 { 0x9908_b0df } else { 0 };
                self.state[i] = self.state[(i + 397) % 624] ^ (y >> 1) ^ twist;
            }
            self.next = 0;
        }
        let mut y = self.state[self.next];
        self.next += 1;
        y ^= y >> 11;
        y ^= (y << 7) & 0x9d2c_5680;
        y ^= (y << 15) & 0xefc6_0000;
        y ^ (y >> 18)
    }

    /// `random.randrange(below)`: as many bits as `below` has, until they are less.
    pub(crate) fn below(&mut self, below: usize) -> usize {
        let bits = usize::BITS - below.leading_zeros();
        loop {
            let drawn = (self.word() >> (32 - bits)) as usize;
            if drawn < below {
                return drawn;
            }
        }
    }

    /// `n` calls of `random.randrange(below)` whose results do not matter.
    pub(crate) fn skip(&mut self, n: usize, below: usize) {
        for _ in 0..n {
            self.below(below);
        }
    }

    /// `random.randint(low, high)`.
    pub(crate) fn between(&mut self, low: usize, high: usize) -> usize {
        low + self.below(high - low + 1)
    }
}

#[test]
fn agrees_with_python() {
    let mut random = PythonRandom::new(2);
    let drawn: Vec<usize> = (0..8).map(|_| random.below(1000)).collect();
    assert_eq!(drawn, PYTHON);
}

/// random.seed(2); [random.randrange(1000) for _ in range(8)]
const PYTHON: [usize; 8] = [978, 883, 970, 869, 57, 93, 86, 369];
