//! Truncated number-theoretic transforms of any length.

use manycore::DeviceKind;
use manycore::ntt::truncated::reference;
use manycore::ntt::{NttField, TruncatedNtt};
use serde::Serialize;

use super::ntt::arithmetic;
use crate::compare::Found;
use crate::failure::Failure;
use crate::fields::{Field, Residues, residues, reversed, transformed};
use crate::random::Random;
use crate::site::Site;
use crate::with_field;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Route {
    Padded,
    Definition,
    Inverse,
}

/// What is drawn.
#[derive(Debug, Serialize)]
pub(crate) struct Case {
    field: Field,
    len: usize,
    count: usize,
    arithmetic: Option<u64>,
    residues: Residues,
    route: Route,
}

impl super::case::Case for Case {
    fn draw(random: &mut Random, site: &Site) -> Self {
        let field = Field::with_roots(random);
        let most = site.most_values(random, field.bytes()).min(1 << field.two_adicity().min(40));
        // Each block has a transform of its own, whose kernels a CPU compiles.
        let most = if site.device.info().kind == DeviceKind::Cpu { most.min(1 << 8) } else { most };
        let len = random.length(most).max(1);
        let count = if random.once_in(4) { random.length((most / len).min(8)) } else { 1 };
        let route = match random.below(4) {
            _ if len * count > 1 << 19 => Route::Inverse,
            0 if len <= 1 << 8 => Route::Definition,
            1 => Route::Inverse,
            _ => Route::Padded,
        };
        let arithmetic = random.once_in(2).then(|| random.below(8));
        Self { field, len, count, arithmetic, residues: Residues::draw(random), route }
    }

    fn check(&self, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        with_field!(self.field, field => self.of(&field, random, site))
    }
}

impl Case {
    fn of<F: NttField>(&self, field: &F, random: &mut Random, site: &Site) -> Result<Found, Failure> {
        let arithmetic = arithmetic(field, self.arithmetic, site);
        let ntt = site.context(format!("{} {} {arithmetic:?}", self.field, self.len), || {
            let ntt = TruncatedNtt::new(&site.device, field, self.len)?;
            Ok::<_, Failure>(match arithmetic {
                Some(arithmetic) => ntt.with_arithmetic(arithmetic)?,
                None => ntt,
            })
        })?;
        let x = residues(field, random, self.len * self.count, self.residues);
        let spectrum = ntt.forward(&site.device.upload(&x)?)?;
        if self.route == Route::Inverse {
            return Ok(Found::equal("inverse", &site.taken(&ntt.inverse(spectrum)?)?, &x));
        }
        let found = site.result(spectrum.download()?);
        let of = |x: &[F::Element]| {
            if self.route == Route::Definition {
                return reference::truncated_ntt(field, x, ntt.root());
            }
            let mut padded = x.to_vec();
            padded.resize(x.len().next_power_of_two(), field.zero());
            let all = transformed(field, &padded, ntt.root());
            (0..x.len()).map(|i| all[reversed(i, padded.len().ilog2())]).collect()
        };
        let expected: Vec<F::Element> = x.chunks_exact(self.len).flat_map(of).collect();
        let name = if self.route == Route::Definition { "definition" } else { "steps of the padded array" };
        Ok(Found::equal(name, &found, &expected))
    }
}
