//! Choices of operations on products of groups and matrices: character tables, Kronecker and Fourier transforms.

use anyhow::Result;
use manycore_characters::{AbelianGroup, Characters, Tile, Values};
use manycore_field::PrimeField;
use manycore_fourier::{Direction, Fourier, Numbers};
use manycore_kronecker::{Kronecker, parse};

use super::bench::Bench;
use crate::lines::Line;
use crate::walsh::Profile;

pub(super) fn sweep(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    tables(bench, emit)?;
    kronecker(bench, emit)?;
    fourier(bench, emit)
}

/// A group as names of sweeps have it.
fn named(factors: &[u64]) -> String {
    let text: Vec<String> = factors.chunk_by(|a, b| a == b).map(|run| power(run[0], run.len())).collect();
    text.join("x")
}

fn power(factor: u64, times: usize) -> String {
    if times == 1 { factor.to_string() } else { format!("{factor}^{times}") }
}

fn tables(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    let context = Characters::new(bench.device);
    let groups: &[&[u64]] = match (bench.gpu(), bench.profile) {
        (true, _) => &[&[3; 6], &[3; 8], &[2; 14]],
        (_, Profile::Quick) => &[&[3; 6]],
        _ => &[&[3; 5], &[3; 7], &[2; 11], &[12, 10, 9]],
    };
    for factors in groups {
        table(bench, &context, "complex f32", &manycore_characters::Complexes::<f32>::new(), factors, emit)?;
        if bench.profile == Profile::Quick {
            continue;
        }
        table(bench, &context, "exponents u8", &manycore_characters::Exponents::<u8>::new(), factors, emit)?;
    }
    Ok(())
}

fn table<V: Values>(
    bench: &Bench<'_>,
    context: &Characters,
    kind: &str,
    values: &V,
    factors: &[u64],
    emit: &mut impl FnMut(Line),
) -> Result<()> {
    let name = format!("choice/characters/{kind}/{}", named(factors));
    if !bench.wants(&name) {
        return Ok(());
    }
    let group = AbelianGroup::new(factors)?;
    let choice = context.explain_table(&group, values, &Tile::whole())?;
    let mut table = context.table(&group, values, &Tile::whole())?.into_buffer();
    let seconds = |plan: &manycore_characters::Plan| {
        let tile = Tile::whole().by(plan.construction);
        bench.seconds(|| Ok(context.table_into(&group, values, &tile, &mut table).map(|_| ())?))
    };
    bench.candidates("characters", name, &choice, seconds)?.into_iter().for_each(emit);
    Ok(())
}

fn kronecker(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    use manycore_kronecker::{Complexes, Integers, Reals};
    let context = Kronecker::new(bench.device);
    let (integers, complex): (&[&str], &[&str]) = match (bench.gpu(), bench.profile) {
        (true, _) => (&["walsh^16", "walsh^24", "h12 x walsh^20"], &["dft3^11", "dft3^15"]),
        (_, Profile::Quick) => (&["h12 x walsh^12"], &["dft3^9"]),
        _ => (&["walsh^12", "walsh^18", "h12 x walsh^16", "h28 x walsh^14"], &["dft3^11", "dft5^6 x dft2^3"]),
    };
    products(bench, &context, ("i32", &Integers::<i32>::new()), integers, emit)?;
    if bench.profile == Profile::Quick {
        return Ok(());
    }
    products(bench, &context, ("f32", &Reals::<f32>::new()), &integers[..1], emit)?;
    products(bench, &context, ("complex f32", &Complexes::<f32>::new()), complex, emit)?;
    let field = PrimeField::<u32>::new(469_762_049)?;
    products(bench, &context, ("residues u32", &field), &integers[..1], emit)
}

fn products<V: manycore_kronecker::Values>(
    bench: &Bench<'_>,
    context: &Kronecker,
    (ring, values): (&str, &V),
    texts: &[&str],
    emit: &mut impl FnMut(Line),
) -> Result<()> {
    for text in texts {
        let name = format!("choice/kronecker/{ring}/{text}");
        if !bench.wants(&name) {
            continue;
        }
        let product = parse(values, text)?.wrapping();
        let choice = context.explain(&product, 1)?;
        let mut data = bench.device.zeros::<V::Word>(product.order() * V::WORDS)?;
        let seconds = |plan: &manycore_kronecker::Plan| {
            let transform = context.transform_by(&product, 1, plan.clone())?;
            bench.seconds(|| Ok(transform.run(&mut data)?))
        };
        bench.candidates("kronecker", name, &choice, seconds)?.into_iter().for_each(&mut *emit);
    }
    Ok(())
}

fn fourier(bench: &Bench<'_>, emit: &mut impl FnMut(Line)) -> Result<()> {
    use manycore_fourier::{Complexes, Residues};
    let context = Fourier::new(bench.device);
    let groups: &[&[u64]] = match (bench.gpu(), bench.profile) {
        (true, _) => &[&[1 << 12], &[1 << 16], &[1 << 20], &[1 << 24], &[4096, 4096], &[3; 14], &[1_000_003]],
        (_, Profile::Quick) => &[&[1 << 12]],
        _ => &[&[1 << 12], &[1 << 16], &[1 << 20], &[1000, 1000], &[3; 12], &[10_007], &[720_720]],
    };
    for factors in groups {
        functions(bench, &context, ("complex f32", &Complexes::<f32>::new()), factors, emit)?;
    }
    if bench.profile == Profile::Quick {
        return Ok(());
    }
    if bench.device.info().fp64 {
        functions(bench, &context, ("complex f64", &Complexes::<f64>::new()), groups[0], emit)?;
    }
    let field = Residues::new(PrimeField::<u32>::new(469_762_049)?);
    functions(bench, &context, ("residues u32", &field), groups[0], emit)
}

fn functions<N: Numbers>(
    bench: &Bench<'_>,
    context: &Fourier,
    (kind, numbers): (&str, &N),
    factors: &[u64],
    emit: &mut impl FnMut(Line),
) -> Result<()> {
    let name = format!("choice/fourier/{kind}/{}", named(factors));
    if !bench.wants(&name) {
        return Ok(());
    }
    let group = AbelianGroup::new(factors)?;
    let choice = context.explain_transform(&group, numbers, 1)?;
    let mut data = bench.device.zeros::<N::Word>(group.order() as usize * N::WORDS)?;
    let seconds = |plan: &manycore_fourier::Plan| {
        bench.seconds(|| {
            let done = context.transform(&group, numbers, Direction::Forward, &mut data, Some(plan));
            Ok(done.map(|_| ())?)
        })
    };
    bench.candidates("fourier", name, &choice, seconds)?.into_iter().for_each(emit);
    Ok(())
}
