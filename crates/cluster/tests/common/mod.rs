//! Every operation over ranks against one device, for ranks of any kind.

use std::fmt::Debug;

use manycore_cluster::{
    ClusterError, Grid, Ranks, Slabs, Star, all_gather, determinant, ntt_forward, ntt_inverse, part, sort, walsh,
};
use manycore_device::Device;
use manycore_field::{Goldilocks, PrimeField};
use manycore_linalg::exact;
use manycore_maxplus::{Graph, MaxPlus};
use manycore_ntt::{Kind, Ntt, NttField};
use manycore_sort::{SortOrder, Sorter};
use manycore_spectral::{Spectral, Walsh};
use manycore_verify::SplitMix;

fn random(len: usize, seed: u64) -> Vec<u64> {
    let mut random = SplitMix::new(seed);
    (0..len).map(|_| random.next_word()).collect()
}

/// The words of all ranks, in their order.
fn whole<T: bytemuck::Pod>(ranks: &dyn Ranks, own: &[T]) -> Result<Vec<T>, ClusterError> {
    Ok(all_gather(ranks, own)?.concat())
}

fn same<T: PartialEq + Debug>(what: &str, ranks: &dyn Ranks, found: &[T], expected: &[T]) {
    assert!(found == expected, "{what} on {} ranks", ranks.size());
}

/// Compares every operation; a difference is a panic.
pub(crate) fn check(ranks: &dyn Ranks, device: &Device) -> Result<(), ClusterError> {
    transforms(ranks, device)?;
    sorts(ranks, device)?;
    stars(ranks, device)?;
    determinants(ranks, device)
}

fn transforms(ranks: &dyn Ranks, device: &Device) -> Result<(), ClusterError> {
    for log_len in [6, 7, 11] {
        let slabs = Slabs::new(log_len, ranks.size())?;
        let all: Vec<i64> = random(1 << log_len, 1).into_iter().map(|x| x as i64 >> 40).collect();
        let mut own = all[slabs.words(ranks.rank())].to_vec();
        walsh(ranks, device, &slabs, &mut own)?;
        let expected = Spectral::new(&Device::host()).walsh_of(&all, &Walsh::new())?;
        same("walsh", ranks, &whole(ranks, &own)?, &expected);
        let all: Vec<f32> = all.iter().map(|&x| x as f32 / 3.0).collect();
        let mut own = all[slabs.words(ranks.rank())].to_vec();
        walsh(ranks, device, &slabs, &mut own)?;
        let expected = Spectral::new(&Device::host()).walsh_of(&all, &Walsh::new())?;
        same("walsh of f32", ranks, &whole(ranks, &own)?, &expected);
        ntt(ranks, device, &slabs, log_len, &PrimeField::<u32>::new(469_762_049).unwrap())?;
        ntt(ranks, device, &slabs, log_len, &Goldilocks)?;
    }
    Ok(())
}

fn ntt<F: NttField>(
    ranks: &dyn Ranks,
    device: &Device,
    slabs: &Slabs,
    log_len: u32,
    field: &F,
) -> Result<(), ClusterError> {
    let all: Vec<F::Element> = random(1 << log_len, 2).into_iter().map(|x| field.natural(x)).collect();
    let mut expected = all.clone();
    Ntt::new(&Device::host(), field, 1 << log_len, Kind::Cyclic)?.forward(&mut expected)?;
    let mut own = all[slabs.words(ranks.rank())].to_vec();
    ntt_forward(ranks, device, field, slabs, &mut own)?;
    same("ntt", ranks, &whole(ranks, &own)?, &expected);
    ntt_inverse(ranks, device, field, slabs, &mut own)?;
    same("inverse ntt", ranks, &whole(ranks, &own)?, &all);
    Ok(())
}

fn sorts(ranks: &dyn Ranks, device: &Device) -> Result<(), ClusterError> {
    let size = ranks.size();
    // Random keys, few different ones, equal ones, and fewer than ranks.
    for (len, modulus) in [(50_000, u64::MAX), (20_000, 3), (10_000, 1), (3, 100), (0, 1)] {
        let all: Vec<f64> = random(len, 3).into_iter().map(|x| (x % modulus) as f64 - 1e18).collect();
        for order in [SortOrder::Ascending, SortOrder::Descending] {
            let own = all[part(len, size, ranks.rank())].to_vec();
            let found = sort(ranks, device, own, order)?;
            assert!(len < 1000 || found.len() <= 2 * len / size + size, "{} of {len} keys on one rank", found.len());
            let mut expected = all.clone();
            Sorter::new(&Device::host()).sort(&mut expected, order)?;
            same("sort", ranks, &whole(ranks, &found)?, &expected);
        }
        // All keys on the last rank.
        let own: Vec<u32> = if ranks.rank() + 1 == size { (0..len as u32).rev().collect() } else { Vec::new() };
        let found = sort(ranks, device, own, SortOrder::Ascending)?;
        same("sort of one rank's", ranks, &whole(ranks, &found)?, &(0..len as u32).collect::<Vec<_>>());
    }
    Ok(())
}

fn stars(ranks: &dyn Ranks, device: &Device) -> Result<(), ClusterError> {
    for (n, block) in [(1, 4), (5, 2), (40, 16), (61, 1024)] {
        // Weights of arcs, of which circuits have none above 0: differences of heights, less a number.
        let random = random(n * n, 5);
        let all: Vec<i64> = (0..n * n)
            .map(|i| {
                let (to, from, word) = (i / n, i % n, random[i]);
                let height = |node: usize| (node as i64 * 37) % 101;
                if word % 3 == 0 { i64::MIN } else { height(to) - height(from) - (word >> 8) as i64 % 20 - 1 }
            })
            .collect();
        let (rows, columns) = Grid::new(ranks.size()).block(n, ranks.rank());
        let part = |all: &[i64]| -> Vec<i64> {
            rows.clone().flat_map(|to| columns.clone().map(move |from| all[to * n + from])).collect()
        };
        let found = Star::new(device).nodes_at_a_time(block).star(ranks, n, part(&all))?;
        let graph = Graph::from_dense(n, &all, i64::MIN)?;
        let expected = MaxPlus::<i64>::new(&Device::host()).star(&graph)?.into_entries();
        same("star", ranks, &found, &part(&expected));
    }
    Ok(())
}

fn determinants(ranks: &dyn Ranks, device: &Device) -> Result<(), ClusterError> {
    for order in [0, 1, 2, 12] {
        let words: Vec<i64> = random(order * order, 6).into_iter().map(|x| x as i64).collect();
        let expected = exact::determinant(&Device::host(), order, &words, exact::Certainty::Proved)?;
        assert_eq!(determinant(ranks, device, order, &words)?, expected, "{} ranks", ranks.size());
    }
    Ok(())
}
