//! The factors of a short product: their order, and the part of one that some coefficients need.

/// The shorter of two factors first.
pub(super) fn ordered<'a, T>(a: &'a [T], b: &'a [T]) -> (&'a [T], &'a [T]) {
    if a.len() <= b.len() { (a, b) } else { (b, a) }
}

/// The part of `b` that the coefficients `low..low + len` of its product with `n` others need, between `width` zeros on
/// either side, and the index in `b` where it begins: so that tiles of `width` coefficients never ask where `b` ends. The
/// range begins within the product.
pub(super) fn padded<T: Copy, U: Copy>(
    b: &[T],
    n: usize,
    low: usize,
    len: usize,
    width: usize,
    zero: U,
    word: impl Fn(T) -> U,
) -> (Vec<U>, usize) {
    let start = (low + 1).saturating_sub(n);
    let end = b.len().min(low.saturating_add(len));
    let mut window = vec![zero; end - start + 2 * width];
    window[width..].iter_mut().zip(&b[start..end]).for_each(|(to, &from)| *to = word(from));
    (window, start)
}
