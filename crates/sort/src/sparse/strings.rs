//! Byte strings in their order on an OpenCL device, by class refinement, three bytes a round (after paper 002, section 5.1); strings that
//! agree in more bytes than some rounds look at are sorted by comparisons on the host (Propositions 15 and 16).

use manycore_device::OpenCl;

use super::SparseSorter;
use super::device::{Refined, Words};
use crate::SortOrder;
use crate::error::SortError;
use crate::strings::BYTES;

/// Rounds of a device, at most: each costs some twenty launches, however few strings are left.
const ROUNDS: usize = 16;

impl SparseSorter {
    pub(super) fn strings<S: AsRef<[u8]>>(
        &self,
        cl: &OpenCl,
        strings: &[S],
        order: SortOrder,
    ) -> Result<Vec<u32>, SortError> {
        if strings.len() <= 1 {
            return Ok((0..strings.len() as u32).collect());
        }
        let words = Words::of_strings(self.device(), strings)?;
        let Refined { order: places, rounds, members, .. } = self.rounds(cl, &words, ROUNDS, |_| order)?;
        let mut places = places.download()?;
        // Places from a device are bounded before they are used for reads.
        let last = strings.len() as u32 - 1;
        for place in &mut places {
            *place = last.min(*place);
        }
        if members.class_count == 0 {
            return Ok(places);
        }
        let rest = |place: u32| {
            let string = strings.get(place as usize).map(AsRef::as_ref).unwrap_or_default();
            string.get(rounds * BYTES..).unwrap_or_default()
        };
        let (slots, classes) = (members.slots.download()?, members.classes.download()?);
        let all: Vec<(u32, u32)> = slots.into_iter().zip(classes).collect();
        for class in all.chunk_by(|a, b| a.1 == b.1) {
            // Members of a class stand side by side in the order.
            let Some(&(first, _)) = class.first() else { continue };
            let Some(part) = places.get_mut(first as usize..).and_then(|part| part.get_mut(..class.len())) else {
                continue;
            };
            part.sort_by(|&a, &b| match order {
                SortOrder::Ascending => rest(a).cmp(rest(b)),
                SortOrder::Descending => rest(b).cmp(rest(a)),
            });
        }
        Ok(places)
    }
}
