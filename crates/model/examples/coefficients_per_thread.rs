//! How many coefficients a thread should take in plain multiplication on an NVIDIA Tesla C2050, by the machine model alone: the
//! parameter `x` of paper 002, chapter 8, of the least bound on the time.
//!
//! ```text
//! cargo run --release -p manycore-model --example coefficients_per_thread -- 4096 100
//! ```
//! The arguments are the number of coefficients and the cycles that a word takes to or from global memory.

use manycore_model::paper::{intermediate_words, plain_multiplication, tesla_c2050};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let n: u64 = arguments.next().map_or(Ok(4096), |text| text.parse())?;
    let transfer_cycles: f64 = arguments.next().map_or(Ok(100.0), |text| text.parse())?;
    let machine = tesla_c2050(transfer_cycles)?;
    let mut best = None;
    println!("{:>5} {:>16} {:>10} {:>16} {:>14}", "x", "work", "span", "bound in cycles", "words between");
    for x in (0..).map(|log| 1u64 << log).take_while(|&x| x <= n.min(512)) {
        let cost = match plain_multiplication(n, n, x, 256)?.cost(&machine) {
            Ok(cost) => cost,
            Err(reason) => {
                println!("{x:>5} {reason}");
                continue;
            }
        };
        // Theorem 1 of paper 002, chapter 3: no greedy schedule takes longer.
        let cycles = cost.bound_cycles(14);
        println!("{x:>5} {:>16} {:>10} {cycles:>16.0} {:>14}", cost.work, cost.span, intermediate_words(n, n, x)?);
        if best.is_none_or(|(least, _)| cycles < least) {
            best = Some((cycles, x));
        }
    }
    let (_, x) = best.ok_or("nothing fits local memory")?;
    println!("{x} coefficients a thread have the least bound on 14 processors");
    Ok(())
}
