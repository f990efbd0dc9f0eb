//! The slow definitions of orders: by the Gray code, step by step as in paper 002, corrected; reverse Cuthill-McKee.

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

/// New rows and columns, each as old indices, by the reverse Cuthill-McKee order of the pattern's graph where the pattern is
/// symmetric, else of the bipartite graph of its rows and columns. Components come by their vertex of least degree; each is
/// searched breadth first, neighbours by degree and number, at most eight times: from that vertex, then from the vertex of least
/// degree, first met, on the last level of the search before, until there are no more levels than before. `O(v^2)` a search for
/// `v` vertices.
pub fn reverse_cuthill_mckee(pattern: &Pattern) -> (Vec<usize>, Vec<usize>) {
    let (m, n) = (pattern.rows(), pattern.columns());
    let has = |row: usize, column: usize| pattern.row(row).contains(&(column as u32));
    let is_symmetric = m == n && (0..m).all(|i| (0..n).all(|j| has(i, j) == has(j, i)));
    let vertices = if is_symmetric { m } else { m + n };
    let adjacent = |a: usize, b: usize| match () {
        () if is_symmetric => has(a, b),
        () if a < m => b >= m && has(a, b - m),
        () => b < m && has(b, a - m),
    };
    let degree = |vertex: usize| (0..vertices).filter(|&other| adjacent(vertex, other)).count();
    let mut by_degree: Vec<usize> = (0..vertices).collect();
    by_degree.sort_by_key(|&vertex| degree(vertex));
    let search = |root: usize| {
        let mut levels = vec![vec![root]];
        loop {
            let met = levels.concat();
            let mut next: Vec<usize> = Vec::new();
            for &vertex in levels.last().into_iter().flatten() {
                let new = |&other: &usize| adjacent(vertex, other) && !met.contains(&other);
                let new: Vec<usize> =
                    by_degree.iter().copied().filter(|other| new(other) && !next.contains(other)).collect();
                next.extend(new);
            }
            if next.is_empty() {
                return levels;
            }
            levels.push(next);
        }
    };
    let mut order: Vec<usize> = Vec::new();
    for &start in &by_degree {
        if order.contains(&start) {
            continue;
        }
        let (mut root, mut before) = (start, 0);
        let mut found = Vec::new();
        for _ in 0..8 {
            found = search(root);
            if found.len() <= before {
                break;
            }
            before = found.len();
            let last = found.last().into_iter().flatten().copied();
            root = last.min_by_key(|&vertex| degree(vertex)).unwrap_or(root);
        }
        order.extend(found.concat());
    }
    order.reverse();
    if is_symmetric {
        return (order.clone(), order);
    }
    let (rows, columns): (Vec<usize>, Vec<usize>) = order.into_iter().partition(|&vertex| vertex < m);
    (rows, columns.into_iter().map(|vertex| vertex - m).collect())
}
