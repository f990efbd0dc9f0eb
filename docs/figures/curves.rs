//! Two curves over a field of 31 elements, and the points that they share.

use manycore::{Bivariate, BivariateRing, Device, PrimeField};

use crate::svg::{Anchor, BLUE, INK, ORANGE, Svg};

/// The field's elements.
const P: u32 = 31;
/// Pixels of a point's cell, and of its square.
const CELL: i32 = 11;
const SQUARE: i32 = 7;
/// Pixels of a panel.
const SIDE: i32 = P as i32 * CELL;

/// The upper left corner of the cell of a point in a panel; `y` grows upwards.
fn cell((left, top): (i32, i32), [x, y]: [u32; 2]) -> (i32, i32) {
    (left + x as i32 * CELL, top + (P - 1 - y) as i32 * CELL)
}

/// One panel; nothing where the system is not solved.
fn panel(svg: &mut Svg, at: (i32, i32), curves: [&str; 2]) -> Option<()> {
    let field = PrimeField::<u32>::new(P).ok()?;
    let [f, g] = curves.map(|text| Bivariate::parse(&field, text).ok());
    let (f, g) = (f?, g?);
    let points = BivariateRing::new(&Device::host(), field).ok()?.solve(&f, &g).ok()?.points;
    svg.rectangle((at.0 - 3, at.1 - 3), (SIDE + 5, SIDE + 5), INK, 0);
    let inner = (CELL - SQUARE) / 2;
    for (curve, colour) in [(&f, BLUE), (&g, ORANGE)] {
        for point in (0..P).flat_map(|x| (0..P).map(move |y| [x, y])) {
            if !points.contains(&point) && curve.evaluate(point[0], point[1]) == 0 {
                let corner = cell(at, point);
                svg.rectangle((corner.0 + inner, corner.1 + inner), (SQUARE, SQUARE), colour, 90);
            }
        }
    }
    for &point in &points {
        let corner = cell(at, point);
        svg.rectangle((corner.0 + 1, corner.1 + 1), (CELL - 2, CELL - 2), INK, 100);
    }
    for tick in [0, 10, 20, 30] {
        let (x, _) = cell(at, [tick, 0]);
        svg.text((x + CELL / 2, at.1 + SIDE + 18), Anchor::Middle, &tick.to_string());
        let (_, y) = cell(at, [0, tick]);
        svg.text((at.0 - 8, y + CELL - 1), Anchor::End, &tick.to_string());
    }
    let label = |text: &str| text.replace("^2", "²").replace("^3", "³").replace('*', "").replace('-', "−");
    for (index, (text, colour)) in curves.into_iter().zip([BLUE, ORANGE]).enumerate() {
        let left = at.0 + 4 + index as i32 * SIDE / 2;
        svg.rectangle((left, at.1 - 21), (SQUARE, SQUARE), colour, 90);
        svg.text((left + 14, at.1 - 13), Anchor::Start, &label(text));
    }
    let found = format!("{} common points", points.len());
    svg.text((at.0 + SIDE / 2, at.1 + SIDE + 38), Anchor::Middle, &found);
    Some(())
}

pub(crate) fn draw() -> String {
    let title = "Points of a circle and a hyperbola, and of a cubic and a circle, over the field of 31 elements; the points that \
                 two curves share are larger";
    let mut svg = Svg::new(776, 420, title);
    for (left, curves) in [(34, ["x^2 + y^2 - 5", "x*y - 2"]), (426, ["y^2 - x^3 + x - 1", "x^2 + y^2 - 11"])] {
        let _ = panel(&mut svg, (left, 32), curves);
    }
    svg.finish()
}
