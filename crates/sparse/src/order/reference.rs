//! The slow definition of the order by the Gray code, step by step as paper 002 has it, corrected.

use crate::pattern::Pattern;

/// New rows and columns, each as old indices, of Algorithm 7 with `b` rows merged, ended by `t`; every round sorts all
/// columns by class and key. `O(rounds n log n)` and `O(m n)` for the winners.
pub fn gray_order(pattern: &Pattern, b: usize, t: f64) -> (Vec<usize>, Vec<usize>) {
    let (m, n) = (pattern.rows(), pattern.columns());
    let lists: Vec<Vec<usize>> =
        (0..n).map(|column| (0..m).filter(|&row| pattern.row(row).contains(&(column as u32))).collect()).collect();
    // Step 1: columns by first row; the row names the list.
    let first = |rows: &[usize]| rows.first().copied().unwrap_or(m);
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by_key(|&column| first(&lists[column]));
    // Step 2: rows that are first in a column; the others by the list with most of their non-zeros; empty rows.
    let participates = |row: usize| lists.iter().any(|rows| rows.first() == Some(&row));
    let winner = |row: usize| {
        let owned =
            |list: &usize| pattern.row(row).iter().filter(|&&column| first(&lists[column as usize]) == *list).count();
        (0..m).rev().max_by_key(owned)
    };
    let mut gamma: Vec<usize> = (0..m).collect();
    gamma.sort_by_key(|&row| match () {
        () if participates(row) => (0, row),
        () if pattern.row(row).is_empty() => (2, 0),
        () => (1, winner(row).unwrap_or(0)),
    });
    // Step 3: new rows.
    let lists: Vec<Vec<usize>> =
        lists.iter().map(|rows| (0..m).filter(|&new| rows.contains(&gamma[new])).collect()).collect();
    // Step 4: merged lists, and what follows them.
    let merged = |column: usize| first(&lists[column]) / b;
    let tails: Vec<Vec<usize>> =
        (0..n).map(|column| lists[column].iter().copied().filter(|&row| row / b > merged(column)).collect()).collect();
    let mut classes: Vec<Vec<usize>> = Vec::new();
    order.sort_by_key(|&column| merged(column));
    for column in order {
        match classes.last_mut() {
            Some(class) if merged(class[0]) == merged(column) => class.push(column),
            _ => classes.push(vec![column]),
        }
    }
    // Step 5: rounds.
    let mut round = 0;
    while classes.len() as f64 <= t * n as f64
        && classes.iter().any(|class| class.len() > 1 && class.iter().any(|&column| tails[column].len() > round))
    {
        let key = |column: usize| tails[column].get(round).copied().unwrap_or(m);
        classes = classes
            .into_iter()
            .flat_map(|mut class| {
                class.sort_by_key(|&column| if round % 2 == 0 { m - key(column) } else { key(column) });
                class.chunk_by(|&a, &b| key(a) == key(b)).map(<[usize]>::to_vec).collect::<Vec<_>>()
            })
            .collect();
        round += 1;
    }
    (gamma, classes.concat())
}
