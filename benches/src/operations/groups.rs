//! Character tables, Kronecker products and Fourier transforms on finite Abelian groups.

use manycore_characters::{AbelianGroup, Characters, Tile};
use manycore_fourier::{Complexes, Fourier};
use manycore_kronecker::{Integers, Kronecker, parse};

use super::case::{Case, Extent, work};
use crate::data;

pub(super) fn cases(extent: Extent) -> Vec<Case> {
    let mut cases = Vec::new();
    for power in extent.of(&[5], &[5, 7], &[7, 9]) {
        cases.push(table(power));
    }
    for factors in
        extent.of(&["h12 x walsh^8"], &["h12 x walsh^8", "h12 x walsh^16"], &["h12 x walsh^16", "h28 x walsh^20"])
    {
        cases.push(kronecker(factors));
    }
    for len in extent.of(&[1000], &[1000, 1 << 16, 1_000_000], &[1 << 16, 1_000_000, 1 << 24]) {
        cases.push(fourier(len));
    }
    cases
}

/// The table of the elementary group of order `3^power`, as exponents of the third root of unity.
fn table(power: usize) -> Case {
    let order = 3usize.pow(power as u32);
    Case::new(
        ("characters", "u8 exponents"),
        (order * order, format!("C_3^{power}, {order} characters")),
        (order * order / 2, (order * order / 4) as f64),
        "4096 entries equal to the sum of products of digits",
        move |device| {
            let context = Characters::new(device);
            let group = AbelianGroup::power(3, power)?;
            let values = manycore_characters::Exponents::<u8>::new();
            let table = device.scratch::<u8>(order * order)?;
            Ok(work(
                (context, group, values, table),
                |(context, group, values, table)| {
                    context.table_into(group, values, &Tile::whole(), table)?;
                    Ok(())
                },
                move |(.., table)| {
                    let entries = table.download()?;
                    let places = data::residues(4096, (order * order) as u64, 4);
                    Ok(places.into_iter().all(|place| {
                        let (mut i, mut j) = (place as usize / order, place as usize % order);
                        let mut exponent = 0;
                        while i > 0 && j > 0 {
                            exponent += (i % 3) * (j % 3);
                            (i, j) = (i / 3, j / 3);
                        }
                        usize::from(entries[place as usize]) == exponent % 3
                    }))
                },
            ))
        },
    )
}

/// A product of Hadamard matrices: orthogonal, up to its order.
fn kronecker(factors: &'static str) -> Case {
    let (first, walsh) = factors.split_once(" x walsh^").unwrap_or(("h12", "0"));
    let (first, walsh) = (first[1..].parse::<usize>().unwrap_or(12), walsh.parse::<u32>().unwrap_or(0));
    let order = first << walsh;
    Case::new(
        ("kronecker", "i32"),
        (order, format!("{factors}, order {order}")),
        (4 * order, order as f64 * f64::from(walsh + first as u32)),
        "the squares' sum is the order times that of the input, and back again gives the input times the order",
        move |device| {
            let context = Kronecker::new(device);
            let product = parse(&Integers::<i32>::new(), factors)?;
            // Sums of the inputs' sizes must stay below 2^31 after the way back: few values are not 0.
            let mut input = vec![0i32; order];
            for (k, place) in data::residues(16, order as u64, 3).into_iter().enumerate() {
                input[place as usize] = i32::from(data::value(k as u64));
            }
            let data = device.upload(&input)?;
            let source = device.upload(&input)?;
            Ok(work(
                (context, product, source, data),
                |(context, product, source, data)| {
                    data.copy_from(source)?;
                    Ok(context.forward(product, &mut *data)?)
                },
                move |(context, product, _, data)| {
                    let squares = |values: &[i32]| values.iter().map(|&x| i128::from(x) * i128::from(x)).sum::<i128>();
                    let order = order as i128;
                    let is_orthogonal = squares(&data.download()?) == order * squares(&input);
                    context.forward(&product.transposed(), &mut *data)?;
                    let returned = data.download()?;
                    let scaled = |(&x, &y): (&i32, &i32)| i128::from(x) * order == i128::from(y);
                    Ok(is_orthogonal && input.iter().zip(&returned).all(scaled))
                },
            ))
        },
    )
}

/// The transform of a function on a cyclic group, in single precision.
fn fourier(len: usize) -> Case {
    let name = if len.is_power_of_two() { format!("2^{}", len.ilog2()) } else { len.to_string() };
    let case = Case::new(
        ("fourier", "complex f32"),
        (len, format!("{name} values")),
        (8 * len, 5.0 * len as f64 * (len as f64).log2()),
        "8 values within 1e-4 of the definition, relative to the largest",
        move |device| {
            let (context, numbers) = (Fourier::new(device), Complexes::<f32>::new());
            let group = AbelianGroup::new(&[len as u64])?;
            let input: Vec<f32> = input(len);
            let source = device.upload(&input)?;
            let data = device.scratch::<f32>(input.len())?;
            Ok(work(
                (context, numbers, group, source, data),
                |(context, numbers, group, source, data)| {
                    data.copy_from(source)?;
                    context.forward(group, numbers, &mut *data)?;
                    Ok(())
                },
                move |(.., data)| {
                    let found = data.download()?;
                    Ok(is_spectrum(&input, &found))
                },
            ))
        },
    );
    beside_rustfft(case, len)
}

/// Real and imaginary parts in turn.
fn input(len: usize) -> Vec<f32> {
    data::values(2 * len)
}

/// Whether some values of a spectrum are those of the definition.
fn is_spectrum(input: &[f32], found: &[f32]) -> bool {
    let len = input.len() / 2;
    let largest = found.iter().fold(0f64, |most, &x| most.max(f64::from(x).abs()));
    found.len() == input.len()
        && data::residues(8, len as u64, 11).into_iter().all(|k| {
            let k = k as usize;
            let mut sum = (0f64, 0f64);
            for (j, value) in input.chunks_exact(2).enumerate() {
                let turn = (j as u128 * k as u128 % len as u128) as f64 / len as f64;
                let (sine, cosine) = (-std::f64::consts::TAU * turn).sin_cos();
                let (re, im) = (f64::from(value[0]), f64::from(value[1]));
                sum.0 += re * cosine - im * sine;
                sum.1 += re * sine + im * cosine;
            }
            let is_near = |a: f64, b: f32| (a - f64::from(b)).abs() <= 1e-4 * largest;
            is_near(sum.0, found[2 * k]) && is_near(sum.1, found[2 * k + 1])
        })
}

#[cfg(feature = "rustfft")]
fn beside_rustfft(case: Case, len: usize) -> Case {
    use rustfft::num_complex::Complex;

    case.beside("rustfft 6.4", false, move || {
        let values = input(len);
        let source: Vec<Complex<f32>> = values.chunks_exact(2).map(|pair| Complex::new(pair[0], pair[1])).collect();
        let transform = rustfft::FftPlanner::new().plan_fft_forward(len);
        let scratch = vec![Complex::default(); transform.get_inplace_scratch_len()];
        Ok(work(
            (transform, source.clone(), source, scratch),
            |(transform, source, data, scratch)| {
                data.copy_from_slice(source);
                transform.process_with_scratch(data, scratch);
                Ok(())
            },
            move |(_, _, data, _)| {
                let found: Vec<f32> = data.iter().flat_map(|value| [value.re, value.im]).collect();
                Ok(is_spectrum(&values, &found))
            },
        ))
    })
}

#[cfg(not(feature = "rustfft"))]
fn beside_rustfft(case: Case, _len: usize) -> Case {
    case
}
