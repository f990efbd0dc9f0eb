//! Counts of products, and the candidates.
//!
//! | file | what |
//! |---|---|
//! | `host` | the definition and Karatsuba's on the host |
//! | `device` | the definition on OpenCL devices, in one launch and in two phases |

mod device;
mod host;
#[cfg(test)]
mod tests;

use manycore_model::{DoesNotFit, Machine, Program};
use manycore_tuning::Costed;

pub use device::OnDevice;
pub(crate) use host::LEAST_CUT;
pub use host::OnHost;

use super::transform::TransformProduct;
use super::{Plan, Shape};
use crate::poly::PolyField;

/// Coefficients of the shorter factor up to which the host takes the definition at once: Karatsuba's algorithm cuts none
/// that are shorter, and looking a choice up takes as long as such a product.
pub(crate) const ALWAYS_PLAIN: usize = LEAST_CUT - 1;

/// Every algorithm for products on a device: those by the definition and those by transforms.
#[derive(Debug)]
pub(crate) struct EveryAlgorithm<'a, D, F: PolyField> {
    pub(crate) definition: D,
    pub(crate) transform: &'a TransformProduct<F>,
}

impl<D: Costed<Size = Shape, Parameters = Plan>, F: PolyField> Costed for EveryAlgorithm<'_, D, F> {
    type Size = Shape;
    type Parameters = Plan;

    fn name(&self) -> &'static str {
        self.definition.name()
    }

    fn candidates(&self, shape: &Shape, machine: &Machine) -> Vec<Plan> {
        let routes = self.transform.candidates(shape, machine).into_iter().map(Plan::Transform);
        self.definition.candidates(shape, machine).into_iter().chain(routes).collect()
    }

    /// The terms of a tile at a time follow from the sizes.
    fn kept_name(&self, shape: &Shape, plan: &Plan) -> String {
        match plan {
            Plan::Transform(route) => route.kept_name(shape),
            Plan::PlainTile(tile) => format!("plain, {}", tile.form()),
            plan => plan.to_string(),
        }
    }

    fn program(&self, shape: &Shape, plan: &Plan, machine: &Machine) -> Result<Program, DoesNotFit> {
        match plan {
            Plan::Transform(route) => self.transform.program(shape, route, machine),
            plan => self.definition.program(shape, plan, machine),
        }
    }
}
