//! The buffers that stages read and write.

use super::stages::{MultiplyPass, Stage, TilePass, Weights};

/// A buffer of a transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Slot {
    /// The buffer of the function.
    Data,
    /// The first of two scratch buffers.
    First,
    /// The other one.
    Second,
}

/// A stage with its buffers.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Placed {
    pub(crate) stage: Stage,
    pub(crate) from: Slot,
    pub(crate) to: Slot,
}

/// All stages of a transform; the last one leaves its result in the data.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct Stages {
    pub(crate) list: Vec<Placed>,
    /// Values of the scratch buffers.
    pub(crate) first: usize,
    pub(crate) second: usize,
}

impl Stages {
    /// Places stages on functions of `values` values in all, of which those of another size have scratch to themselves.
    ///
    /// Stages that stay work in place, but for one that returns to the data where the others end outside of it.
    pub(super) fn place(mut stages: Vec<Stage>, values: usize) -> Self {
        let whole = |stage: &Stage| stage.values() == [values; 2];
        // The last stretch of stages of the data's size decides where the result is.
        let begin = stages.iter().rposition(|stage| !whole(stage)).map_or(0, |last| last + 1);
        let moving = |stages: &[Stage]| stages[begin..].iter().filter(|stage| !stage.stays()).count();
        let mut moved = None;
        if moving(&stages) % 2 == 1 {
            moved = stages[begin..].iter().rposition(|stage| matches!(stage, Stage::Tile(pass) if pass.stays()));
            if moved.is_none() {
                let copy = MultiplyPass {
                    outer: 1,
                    from: values,
                    to: values,
                    inner: 1,
                    weights: Weights::Ones,
                    reversed: false,
                };
                stages.push(Stage::Multiply(copy));
                moved = Some(stages.len() - 1 - begin);
            }
        }
        let moved = moved.map(|index| index + begin);
        let mut placed = Self::default();
        let mut at = Slot::Data;
        for (index, stage) in stages.into_iter().enumerate() {
            let [before, after] = stage.values();
            let to = if stage.stays() && moved != Some(index) {
                at
            } else if before != after && after == values {
                Slot::Data
            } else if before == values && after == values {
                // Between the data and the first scratch buffer.
                if at == Slot::Data { Slot::First } else { Slot::Data }
            } else if at == Slot::First {
                Slot::Second
            } else {
                Slot::First
            };
            match to {
                Slot::Data => {}
                Slot::First => placed.first = placed.first.max(after),
                Slot::Second => placed.second = placed.second.max(after),
            }
            placed.list.push(Placed { stage, from: at, to });
            at = to;
        }
        placed
    }

    /// The passes in few words.
    pub(crate) fn names(&self) -> Vec<String> {
        let tile = |pass: &TilePass| pass.name();
        let name = |placed: &Placed| match &placed.stage {
            Stage::Tile(pass) => tile(pass),
            Stage::Multiply(MultiplyPass { weights, .. }) => match weights {
                Weights::Ones => "copy".to_owned(),
                Weights::Chirp(..) => "chirp".to_owned(),
                Weights::Filter(..) => "filter".to_owned(),
            },
        };
        self.list.iter().map(name).collect()
    }
}
