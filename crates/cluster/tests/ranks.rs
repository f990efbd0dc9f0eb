//! Operations over ranks as threads, against one rank alone.

mod common;

use manycore_cluster::{ClusterError, Grid, Slabs, Star, all_to_all, broadcast, part, sort, threads, walsh};
use manycore_device::{Control, Device};
use manycore_sort::SortOrder;

const SIZES: [usize; 5] = [1, 2, 3, 4, 7];

#[test]
fn every_operation_gives_what_one_rank_gives() {
    for device in manycore_testkit::devices() {
        for size in SIZES {
            threads(size, |ranks| common::check(ranks, &device)).unwrap();
        }
    }
}

#[test]
fn parts_follow_each_other() {
    for (len, size) in [(0, 1), (1, 3), (10, 3), (7, 7), (1000, 7), (usize::MAX, 5)] {
        let mut at = 0;
        for rank in 0..size {
            let part = part(len, size, rank);
            assert!(part.start == at && part.len() <= len / size + 1);
            at = part.end;
        }
        assert_eq!(at, len);
    }
}

#[test]
fn messages_of_any_length_arrive() {
    for size in SIZES {
        let found = threads(size, |ranks| {
            let len = |from: usize, to: usize| (from * 7919 + to * 104_729) % 100_000 * (from + to) % 70_001;
            let rank = ranks.rank();
            let out: Vec<Vec<u32>> = (0..size).map(|to| vec![(rank * size + to) as u32; len(rank, to)]).collect();
            let found = all_to_all(ranks, &out)?;
            for (from, message) in found.iter().enumerate() {
                assert!(*message == vec![(from * size + rank) as u32; len(from, rank)], "{size}: {from} to {rank}");
            }
            let all: Vec<usize> = (0..size).rev().collect();
            for root in 0..size {
                let mut data = if rank == root { vec![root as u64; 20_000 * root + 1] } else { vec![7] };
                broadcast(ranks, &all, root, &mut data)?;
                assert_eq!(data, vec![root as u64; 20_000 * root + 1]);
            }
            Ok(rank)
        });
        assert_eq!(found.unwrap(), (0..size).collect::<Vec<_>>());
    }
}

#[test]
fn what_a_rank_has_beside_its_part_is_named() {
    let slabs = Slabs::new(6, 2).unwrap();
    let error = threads(2, |ranks| walsh(ranks, &Device::host(), &slabs, &mut [0i32; 31])).unwrap_err();
    assert!(matches!(error, ClusterError::Length { rank: 0, expected: 32, given: 31, .. }), "{error}");
    let error = threads(3, |ranks| walsh(ranks, &Device::host(), &slabs, &mut [0i32; 32])).unwrap_err();
    assert!(matches!(error, ClusterError::Ranks { ranks: 3, parts: 2, .. }), "{error}");
    assert!(matches!(Slabs::new(4, 5), Err(ClusterError::Ranks { ranks: 5, parts: 4, .. })));
    assert!(matches!(Slabs::new(4, 0), Err(ClusterError::Ranks { .. })));
    assert!(matches!(Slabs::new(200, 1), Err(ClusterError::Ranks { .. })));
    assert!(matches!(threads(0, |_| Ok(())), Err(ClusterError::Ranks { .. })));
    let star = |own: Vec<i32>| threads(1, |ranks| Star::new(&Device::host()).star(ranks, 2, own.clone()));
    assert!(matches!(star(vec![0; 3]), Err(ClusterError::Length { expected: 4, given: 3, .. })));
    assert!(matches!(star(vec![1 << 29; 4]), Err(ClusterError::Overflow { nodes: 2, .. })));
    assert!(matches!(star(vec![1; 4]), Err(ClusterError::MaxPlus(_))), "a circuit of positive weight");
}

#[test]
fn the_rank_that_failed_is_told() {
    let outcome = threads(3, |ranks| {
        if ranks.rank() == 1 {
            return Err(ClusterError::Mpi("on purpose".to_owned()));
        }
        sort(ranks, &Device::host(), vec![3u32; 100], SortOrder::Ascending)
    });
    assert!(matches!(outcome, Err(ClusterError::Mpi(_))), "{outcome:?}");
    // One that leaves early is named by those that wait for it.
    let outcome = threads(3, |ranks| {
        if ranks.rank() == 1 {
            return Ok(Vec::new());
        }
        sort(ranks, &Device::host(), vec![3u32; 100], SortOrder::Ascending)
    });
    assert!(matches!(outcome, Err(ClusterError::Lost { rank: 1, .. })), "{outcome:?}");
    let control = Control::new();
    control.cancel();
    assert!(control.run(|| threads(2, |ranks| common::check(ranks, &Device::host()))).is_err());
}

#[test]
fn ranks_stand_in_rectangles() {
    for size in [1, 2, 3, 4, 6, 7, 12] {
        let grid = Grid::new(size);
        let mut seen = vec![0; 11 * 11];
        for rank in 0..size {
            let (rows, columns) = grid.block(11, rank);
            for (i, j) in rows.flat_map(|i| columns.clone().map(move |j| (i, j))) {
                seen[i * 11 + j] += 1;
            }
        }
        assert!(seen.iter().all(|&count| count == 1), "{size}");
    }
}
