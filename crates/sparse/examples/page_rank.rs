//! Page ranks (Brin and Page 1998) of the members of a karate club by their 78 friendships (Zachary 1977): products of one sparse matrix,
//! which is on the device, with a vector, until the ranks stay.
//!
//! ```text
//! cargo run --release -p manycore-sparse --example page_rank
//! ```

use manycore_device::Device;
use manycore_field::Reals;
use manycore_sparse::sprs::TriMat;
use manycore_sparse::{ProductOptions, SparseProduct};

const MEMBERS: usize = 34;
/// Friends of each member with larger numbers.
const FRIENDS: [&[usize]; MEMBERS] = [
    &[1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31],
    &[2, 3, 7, 13, 17, 19, 21, 30],
    &[3, 7, 8, 9, 13, 27, 28, 32],
    &[7, 12, 13],
    &[6, 10],
    &[6, 10, 16],
    &[16],
    &[],
    &[30, 32, 33],
    &[33],
    &[],
    &[],
    &[],
    &[33],
    &[32, 33],
    &[32, 33],
    &[],
    &[],
    &[32, 33],
    &[33],
    &[32, 33],
    &[],
    &[32, 33],
    &[25, 27, 29, 32, 33],
    &[25, 27, 31],
    &[31],
    &[29, 33],
    &[33],
    &[31, 33],
    &[32, 33],
    &[32, 33],
    &[32, 33],
    &[33],
    &[],
];
/// The share of rank that goes along friendships; the rest goes to everybody.
const DAMPING: f64 = 0.85;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let pairs: Vec<(usize, usize)> =
        FRIENDS.iter().enumerate().flat_map(|(a, others)| others.iter().map(move |&b| (a, b))).collect();
    let mut degrees = [0.0; MEMBERS];
    for member in pairs.iter().flat_map(|&(a, b)| [a, b]) {
        degrees[member] += 1.0;
    }
    let mut steps = TriMat::new((MEMBERS, MEMBERS));
    for &(a, b) in &pairs {
        steps.add_triplet(a, b, 1.0 / degrees[b]);
        steps.add_triplet(b, a, 1.0 / degrees[a]);
    }
    let steps = steps.to_csr::<usize>();
    let device = Device::from_env()?;
    let product = SparseProduct::new(&device, Reals::<f64>::new(), steps.view(), ProductOptions::default())?;
    let mut ranks = vec![1.0 / MEMBERS as f64; MEMBERS];
    for step in 1.. {
        let mut next = product.multiply(&ranks)?;
        for rank in &mut next {
            *rank = DAMPING * *rank + (1.0 - DAMPING) / MEMBERS as f64;
        }
        let change: f64 = next.iter().zip(&ranks).map(|(a, b)| (a - b).abs()).sum();
        ranks = next;
        if change < 1e-12 {
            println!("{step} products");
            break;
        }
    }
    let mut order: Vec<usize> = (0..MEMBERS).collect();
    order.sort_by(|&a, &b| ranks[b].total_cmp(&ranks[a]));
    for &member in &order[..5] {
        println!("member {:>2}: rank {:.4}, {} friends", member + 1, ranks[member], degrees[member]);
    }
    Ok(())
}
