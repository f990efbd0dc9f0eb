//! Where two curves meet: an ellipse and a hyperbola over the rationals, and the same curves over a finite field.
//!
//! ```text
//! cargo run --release -p manycore-bivariate --example conics -- "x^2 + 4*y^2 - 40" "x*y - 6"
//! ```

use manycore_bivariate::{Bivariate, BivariateRing, RationalBivariate, RationalRing};
use manycore_device::Device;
use manycore_field::PrimeField;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut curve = |default: &str| arguments.next().unwrap_or_else(|| default.into());
    let (f, g) = (curve("x^2 + 4*y^2 - 40"), curve("x*y - 6"));
    let device = Device::from_env()?;
    let solutions = RationalRing::new(&device).solve(&RationalBivariate::parse(&f)?, &RationalBivariate::parse(&g)?)?;
    let points: Vec<String> = solutions.points.iter().map(|[x, y]| format!("({x}, {y})")).collect();
    println!("{f} = {g} = 0 has the rational points {}", points.join(" "));
    let field = PrimeField::<u32>::new(101)?;
    let ring = BivariateRing::new(&device, field)?;
    let (f, g) = (Bivariate::parse(&field, &f)?, Bivariate::parse(&field, &g)?);
    let found = ring.solve(&f, &g)?;
    println!("modulo 101 the points {:?}", found.points);
    if ring.verify_solutions(&f, &g, &found)? { Ok(()) } else { Err("no zeros".into()) }
}
