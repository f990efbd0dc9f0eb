//! Stages over memory, and the steps within their tiles.

use crate::numbers::Chirp;

/// One radix of a tile: rows `stride` apart are transformed together, in place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Step {
    /// The number of rows that are transformed together.
    pub(crate) radix: usize,
    /// Rows between them.
    pub(crate) stride: usize,
    /// The product of the cyclic factors of the tile behind this one; the index of the twiddles is the row within `stride`
    /// divided by it.
    pub(crate) inner: usize,
    /// Rows between the results in the tile's final order.
    pub(crate) place: usize,
}

impl Step {
    /// The twiddles' indices go up to this; 1 for none.
    pub(crate) fn twiddles(&self) -> usize {
        self.stride / self.inner
    }

    /// The order of the roots that are its twiddles.
    pub(crate) fn order(&self) -> usize {
        self.radix * self.twiddles()
    }
}

/// How rows are transformed.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Method {
    /// In steps of small radices.
    Steps(Vec<Step>),
    /// By the definition: every row from all rows.
    Dense,
}

/// A stage that transforms rows; see the module.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct TilePass {
    pub(crate) outer: usize,
    pub(crate) rows: usize,
    pub(crate) cofactor: usize,
    pub(crate) inner: usize,
    pub(crate) method: Method,
    /// Units (places of the cofactor, or of `outer` where there is none) of a tile; 1 unless a tile has whole runs.
    pub(crate) units_each: usize,
    /// Neighbouring values of a unit in a tile, at most `inner`.
    pub(crate) run_each: usize,
}

/// Distances in memory between neighbours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Strides {
    pub(crate) outer: usize,
    pub(crate) unit: usize,
    pub(crate) row: usize,
}

/// A stage's memory as tiles see it: `outers` times `units` times `rows` times `inner` values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Geometry {
    pub(crate) outers: usize,
    pub(crate) units: usize,
    pub(crate) unit_tiles: usize,
    pub(crate) run_tiles: usize,
    pub(crate) from: Strides,
    pub(crate) to: Strides,
}

impl Geometry {
    pub(crate) fn tiles(&self) -> usize {
        self.outers * self.unit_tiles * self.run_tiles
    }
}

impl TilePass {
    /// Whether it leaves values where it found them, so that it may work in place.
    pub(crate) fn stays(&self) -> bool {
        self.cofactor == 1 && self.method != Method::Dense
    }

    /// Values in all.
    pub(crate) fn values(&self) -> usize {
        self.outer * self.rows * self.cofactor * self.inner
    }

    /// Columns of a tile.
    pub(crate) fn columns(&self) -> usize {
        self.units_each * self.run_each
    }

    pub(crate) fn geometry(&self) -> Geometry {
        let Self { outer, rows, cofactor, inner, .. } = *self;
        let run_tiles = inner.div_ceil(self.run_each.max(1));
        let to = Strides { outer: rows * cofactor * inner, unit: rows * inner, row: inner };
        if cofactor == 1 {
            // Without a cofactor the outer places take the units' part.
            let unit_tiles = outer.div_ceil(self.units_each.max(1));
            return Geometry { outers: 1, units: outer, unit_tiles, run_tiles, from: Strides { outer: 0, ..to }, to };
        }
        let from = Strides { outer: to.outer, unit: inner, row: cofactor * inner };
        let unit_tiles = cofactor.div_ceil(self.units_each.max(1));
        Geometry { outers: outer, units: cofactor, unit_tiles, run_tiles, from, to }
    }

    /// The order of the roots that its results are multiplied by, where there is a cofactor.
    pub(crate) fn order(&self) -> u64 {
        self.rows as u64 * self.cofactor as u64
    }

    /// Neighbouring values in memory that a tile reads, and that it writes.
    pub(crate) fn runs(&self) -> [usize; 2] {
        if self.run_each < self.inner {
            return [self.run_each; 2];
        }
        // With all neighbours, a tile's results follow each other without a gap, and without a cofactor what it reads does.
        let (columns, all) = (self.columns(), self.rows * self.columns());
        [if self.cofactor == 1 { all } else { columns }, all]
    }

    /// For each row of the result, the row of the tile that it stands in after the steps.
    pub(crate) fn places(&self) -> Vec<u32> {
        let Method::Steps(steps) = &self.method else { return (0..self.rows as u32).collect() };
        let mut places = vec![0u32; self.rows];
        for position in 0..self.rows {
            let digit = |step: &Step| position / step.stride % step.radix * step.place;
            places[steps.iter().map(digit).sum::<usize>()] = position as u32;
        }
        places
    }

    /// Rows between the results of its first step in the final order.
    pub(crate) fn first_place(&self) -> usize {
        let Method::Steps(steps) = &self.method else { return 1 };
        steps.first().map_or(1, |step| step.place)
    }

    /// The pass in few words, such as `16*16`.
    pub(crate) fn name(&self) -> String {
        match &self.method {
            Method::Steps(steps) => {
                let radices: Vec<String> = steps.iter().map(|step| step.radix.to_string()).collect();
                radices.join("*")
            }
            Method::Dense => format!("dense {}", self.rows),
        }
    }
}

/// What values along an axis are multiplied by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Weights {
    /// Nothing.
    Ones,
    /// A chirp of this length.
    Chirp(Chirp, u64),
    /// The transform of the filter for chirps of a length, for convolutions of another one.
    Filter(u64, u64),
}

/// A stage that multiplies along an axis of `[outer][axis][inner]`, cuts it off or extends it with zeros.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct MultiplyPass {
    pub(crate) outer: usize,
    /// The axis' length before.
    pub(crate) from: usize,
    /// And after.
    pub(crate) to: usize,
    pub(crate) inner: usize,
    pub(crate) weights: Weights,
    /// Whether place `k` comes from place `-k` modulo the length before.
    pub(crate) reversed: bool,
}

impl MultiplyPass {
    /// Values before and after.
    pub(crate) fn values(&self) -> [usize; 2] {
        [self.from, self.to].map(|length| self.outer * length * self.inner)
    }
}

/// A stage.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Stage {
    Tile(TilePass),
    Multiply(MultiplyPass),
}

impl Stage {
    /// Values read and written.
    pub(crate) fn values(&self) -> [usize; 2] {
        match self {
            Self::Tile(pass) => [pass.values(); 2],
            Self::Multiply(pass) => pass.values(),
        }
    }

    /// Whether it may work in place.
    pub(crate) fn stays(&self) -> bool {
        match self {
            Self::Tile(pass) => pass.stays(),
            Self::Multiply(pass) => pass.from == pass.to && !pass.reversed,
        }
    }
}
