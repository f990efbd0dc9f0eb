use super::super::plain::{divide, multiply, value};
use super::*;

const PRIMES: [u64; 7] = [2, 3, 7, 9001, 469_762_049, 4_611_686_009_971_671_041, 18_446_744_069_414_584_321];

/// The witness by the definition.
fn plain(modulus: Modulus, f: &[u64], points: &[u64]) -> Witness<u64> {
    let product = points.iter().fold(vec![1], |product, &u| multiply(modulus, &product, &[modulus.sub(0, u), 1]));
    let slope: Vec<u64> = (1..product.len()).map(|i| modulus.mul(modulus.reduce(i as u128), product[i])).collect();
    divide(modulus, &multiply(modulus, f, stripped(&slope)), &product)
}

/// The check with a change to the quotient and the remainder of a group.
fn outcome(
    p: u64,
    [f, points, values]: [&[u64]; 3],
    change: impl Fn(usize, &mut Witness<u64>),
) -> Result<Passed, CheckError> {
    let modulus = Modulus::new(p).unwrap();
    let mut groups = 0;
    let witness = |points: &[u64]| {
        let mut witness = plain(modulus, f, points);
        change(groups, &mut witness);
        groups += 1;
        Ok(witness)
    };
    check(p, f, points, values, witness, &mut SplitMix::new(11))
}

fn drawn(modulus: Modulus, len: usize, seed: u64) -> Vec<u64> {
    let mut random = SplitMix::new(seed);
    (0..len).map(|_| modulus.random(&mut random)).collect()
}

/// Long enough for the witness, in one group of points and in three; points of small fields are repeated.
#[test]
fn right_values_pass_and_each_wrong_one_fails() {
    for p in PRIMES {
        let modulus = Modulus::new(p).unwrap();
        for (len, count) in [(600, 500), (100, 2700), (40_000, 8)] {
            let (mut f, points) = (drawn(modulus, len, 1), drawn(modulus, count, 2));
            f[len - 1] = 1;
            let mut values: Vec<u64> = points.iter().map(|&x| value(modulus, &f, x)).collect();
            let right = outcome(p, [&f, &points, &values], |_, _| {}).unwrap();
            assert!(right.chance.log2().unwrap() <= -64.0, "{p}");
            for place in [0, 1, count / 2, count - 1] {
                let kept = values[place];
                values[place] = modulus.add(kept, 1);
                let error = outcome(p, [&f, &points, &values], |_, _| {}).unwrap_err();
                assert!(error.is_wrong(), "{p} {len} {count} {place}: {error}");
                values[place] = kept;
            }
            values.swap(0, count - 1);
            let is_right = values[0] == values[count - 1];
            assert_eq!(outcome(p, [&f, &points, &values], |_, _| {}).is_ok(), is_right, "{p}");
            values.swap(0, count - 1);
            assert!(outcome(p, [&f, &points, &values[1..]], |_, _| {}).unwrap_err().is_wrong());
            // Another polynomial with the same leading terms.
            let mut other = f.clone();
            other[0] = modulus.add(other[0], 1);
            assert!(outcome(p, [&other, &points, &values], |_, _| {}).unwrap_err().is_wrong(), "{p}");
        }
    }
}

/// No change to the witness makes wrong values pass, and none is taken with right ones.
#[test]
fn witnesses_are_checked() {
    let p = 469_762_049;
    let modulus = Modulus::new(p).unwrap();
    let (f, points) = (drawn(modulus, 300, 1), drawn(modulus, 1500, 2));
    let values: Vec<u64> = points.iter().map(|&x| value(modulus, &f, x)).collect();
    for group in 0..2 {
        for place in [0, 7, 200] {
            let quotient = |at, (quotient, _): &mut Witness<u64>| {
                if at == group {
                    quotient[place] = modulus.add(quotient[place], 1);
                }
            };
            assert!(outcome(p, [&f, &points, &values], quotient).unwrap_err().is_wrong());
            let remainder = |at, (_, remainder): &mut Witness<u64>| {
                if at == group {
                    remainder[place] = modulus.add(remainder[place], 1);
                }
            };
            assert!(outcome(p, [&f, &points, &values], remainder).unwrap_err().is_wrong());
        }
    }
    let longer = |_, (_, remainder): &mut Witness<u64>| remainder.push(0);
    assert!(outcome(p, [&f, &points[..1024], &values[..1024]], longer).unwrap_err().is_wrong());
    let past = |_, (quotient, _): &mut Witness<u64>| quotient[3] = p;
    assert!(outcome(p, [&f, &points, &values], past).unwrap_err().is_wrong());
}

#[test]
fn few_values_are_computed_again() {
    let never = |_: &[u64]| -> Result<Witness<u64>, CheckError> { unreachable!("few values") };
    let mut random = SplitMix::new(1);
    let mut of = |f: &[u64], points: &[u64], values: &[u64]| check(7, f, points, values, never, &mut random);
    assert_eq!(of(&[], &[1, 2], &[0, 0]).unwrap().chance, Chance::None);
    assert!(of(&[], &[1, 2], &[0, 1]).unwrap_err().is_wrong());
    assert!(of(&[3], &[1, 1], &[3, 3]).is_ok());
    assert!(of(&[3], &[], &[]).is_ok());
    assert!(of(&[1, 2, 3], &[0, 1, 2], &[1, 6, 3]).is_ok());
    assert_eq!(of(&[1, 2, 3], &[0, 1, 2], &[1, 5, 3]).unwrap_err().to_string(), "value 2 of run 1 is 5, not 6");
    assert!(of(&[1, 2, 3], &[0, 1, 2], &[1, 6, 10]).unwrap_err().is_wrong());
    assert!(!of(&[1, 2, 3], &[0, 1, 9], &[1, 6, 3]).unwrap_err().is_wrong());
    assert!(!of(&[7], &[0], &[0]).unwrap_err().is_wrong());
}
