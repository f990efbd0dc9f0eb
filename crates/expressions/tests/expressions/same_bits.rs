//! Every operation on every type, near the corners: the host against a plain definition, and every OpenCL device against the host.

use std::fmt::Debug;

use manycore_device::{Buffer, Device, Word};
use manycore_expressions::{Elements, ExpressionError, Function, Map, MapInput, Scalar, Value, Words, WordsMut};
use manycore_testkit::devices;

/// Columns near corners: every pair of them occurs, and some third value beside each.
fn columns<T: Scalar>(corners: &[T]) -> [Vec<T>; 3] {
    let n = corners.len();
    let mut all = [Vec::new(), Vec::new(), Vec::new()];
    for i in 0..n * n {
        all[0].push(corners[i / n]);
        all[1].push(corners[i % n]);
        all[2].push(corners[(3 * i + i / n) % n]);
    }
    all
}

/// Bits, those of what is no number made the same.
fn bits<T: Scalar + PartialEq>(value: T) -> Option<u64> {
    #[allow(clippy::eq_op)] // of what is no number
    (value == value).then(|| value.to_bits())
}

fn run<T, R>(device: &Device, f: &Function<(T, T, T), R>, [a, b, c]: &[Vec<T>; 3]) -> Vec<R>
where
    T: Scalar + Word + Elements,
    R: Scalar + Word + Elements,
    for<'a> Words<'a>: From<&'a Buffer<T>>,
    for<'a> WordsMut<'a>: From<&'a mut Buffer<R>>,
{
    let map = Map::new(device, f);
    let [a, b, c] = [a, b, c].map(|column| device.upload(column).unwrap());
    let mut to = device.zeros::<R>(a.len()).unwrap();
    let inputs = [Words::from(&a).into(), Words::from(&b).into(), Words::from(&c).into()];
    map.run(&inputs, &[], &mut [(&mut to).into()]).unwrap();
    to.download().unwrap()
}

/// A function on all devices is what `expected` says.
fn holds<T, R>(
    what: &str,
    corners: &[T],
    f: impl FnOnce((Value<T>, Value<T>, Value<T>)) -> Value<R>,
    expected: impl Fn(T, T, T) -> R,
) where
    T: Scalar + Word + Elements<Values = Value<T>> + Debug,
    R: Scalar + Word + Elements<Values = Value<R>> + Debug,
    for<'a> Words<'a>: From<&'a Buffer<T>>,
    for<'a> WordsMut<'a>: From<&'a mut Buffer<R>>,
{
    let function = Function::<(T, T, T), R>::new(f).unwrap();
    let columns = columns(corners);
    for device in devices() {
        if function.program().needs_fp64() && !device.info().fp64 {
            continue;
        }
        for (i, result) in run(&device, &function, &columns).into_iter().enumerate() {
            let (a, b, c) = (columns[0][i], columns[1][i], columns[2][i]);
            let right = expected(a, b, c);
            assert_eq!(
                bits(result),
                bits(right),
                "{what} of {a:?}, {b:?}, {c:?} on {device:?}: {result:?}, not {right:?}"
            );
        }
    }
    let (a, b, c) = (columns[0][1], columns[1][1], columns[2][1]);
    assert_eq!(bits(function.call((a, b, c))), bits(expected(a, b, c)), "{what}");
}

macro_rules! integers {
    ($($test:ident $word:ident $double:ident $other:ident;)*) => {$(
        #[test]
        fn $test() {
            type T = $word;
            let top = T::MAX / 2 + 1;
            let corners = [0, 1, 2, 3, 7, T::MAX, T::MAX - 1, T::MIN, T::MIN + 1, top, top - 1, T::MAX / 3, 0x55, 100];
            let n = stringify!($word);
            holds(&format!("{n} sum"), &corners, |(a, b, c)| a + b + c, |a, b, c| a.wrapping_add(b).wrapping_add(c));
            holds(&format!("{n} difference"), &corners, |(a, b, _)| a - b, |a: T, b, _| a.wrapping_sub(b));
            holds(&format!("{n} product"), &corners, |(a, b, c)| a * b * c, |a, b, c| a.wrapping_mul(b).wrapping_mul(c));
            let quotient = |a: T, b: T| if b == 0 { 0 } else { a.wrapping_div(b) };
            let remainder = |a: T, b: T| if b == 0 { a } else { a.wrapping_rem(b) };
            holds(&format!("{n} quotient"), &corners, |(a, b, _)| a / b, |a, b, _| quotient(a, b));
            holds(&format!("{n} remainder"), &corners, |(a, b, _)| a % b, |a, b, _| remainder(a, b));
            holds(&format!("{n} minimum"), &corners, |(a, b, _)| a.min(b), |a, b, _| Ord::min(a, b));
            holds(&format!("{n} maximum"), &corners, |(a, b, c)| a.max(b).max(c), |a, b, c| Ord::max(a, Ord::max(b, c)));
            holds(&format!("{n} saturated sum"), &corners, |(a, b, _)| a.saturating_add(b), |a, b, _| a.saturating_add(b));
            holds(&format!("{n} saturated difference"), &corners, |(a, b, _)| a.saturating_sub(b), |a, b, _| a.saturating_sub(b));
            let high = |a: T, b: T| (($double::from(a) * $double::from(b)) >> T::BITS) as T;
            holds(&format!("{n} upper half"), &corners, |(a, b, _)| a.mul_high(b), |a, b, _| high(a, b));
            holds(&format!("{n} bits"), &corners, |(a, b, c)| (a & b) | (!a ^ c), |a, b, c| (a & b) | (!a ^ c));
            holds(&format!("{n} left"), &corners, |(a, b, _)| a << b, |a, b, _| a.wrapping_shl(b as u32));
            holds(&format!("{n} right"), &corners, |(a, b, _)| a >> b, |a, b, _| a.wrapping_shr(b as u32));
            holds(&format!("{n} negative"), &corners, |(a, _, _)| -a, |a, _, _| a.wrapping_neg());
            let ones = |a: T, b: T| (a.count_ones() + 100 * (b.leading_zeros() % 2)) as T;
            let two = 2 as T;
            holds(&format!("{n} ones"), &corners, |(a, b, _)| a.count_ones() + b.leading_zeros() % two * (100 as T), |a, b, _| ones(a, b));
            holds(&format!("{n} zeros"), &corners, |(a, _, _)| a.trailing_zeros(), |a, _, _| a.trailing_zeros() as T);
            holds(&format!("{n} to another"), &corners, |(a, _, _)| a.to::<$other>(), |a, _, _| a as $other);
            holds(&format!("{n} to f32"), &corners, |(a, _, _)| a.to::<f32>(), |a, _, _| a as f32);
            holds(&format!("{n} to f64"), &corners, |(a, _, _)| a.to::<f64>(), |a, _, _| a as f64);
            holds(&format!("{n} choice"), &corners, |(a, b, c)| (a.le(b) & !b.equals(c)).select(a, c), |a, b, c| {
                if a <= b && b != c { a } else { c }
            });
            holds(&format!("{n} truth"), &corners, |(a, b, c)| (a.lt(b) ^ b.ge(c) | a.differs(c)).number::<u8>(), |a, b, c| {
                u8::from((a < b) ^ (b >= c) | (a != c))
            });
        }
    )*};
}

integers! {
    bytes u8 u16 i32;
    signed_bytes i8 i16 u64;
    shorts u16 u32 i8;
    signed_shorts i16 i32 u32;
    words u32 u64 i16;
    signed_words i32 i64 u8;
    longs u64 u128 i32;
    signed_longs i64 i128 u16;
}

#[test]
fn absolute_values_of_integers() {
    holds("i8", &[0i8, 5, -5, i8::MIN, i8::MAX], |(a, _, _)| a.abs(), |a, _, _| a.wrapping_abs());
    holds("i64", &[0i64, 5, -5, i64::MIN, i64::MAX], |(a, _, _)| a.abs(), |a, _, _| a.wrapping_abs());
    holds("u32", &[0u32, 5, u32::MAX], |(a, _, _)| a.abs(), |a, _, _| a);
}

macro_rules! reals {
    ($($test:ident $word:ident $other:ident;)*) => {$(
        #[test]
        #[allow(clippy::float_cmp)] // the operation compares
        fn $test() {
            type T = $word;
            let corners = [
                0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, -2.5, 3.0, 10.0, 1.0 / 3.0, T::MAX, T::MIN, T::MIN_POSITIVE,
                T::MIN_POSITIVE / 8.0, T::EPSILON, T::INFINITY, T::NEG_INFINITY, T::NAN, 1e9, 4_294_967_296.0, -3e19, 255.7,
            ];
            let n = stringify!($word);
            holds(&format!("{n} sum"), &corners, |(a, b, c)| a * b + c, |a, b, c| a * b + c);
            holds(&format!("{n} difference"), &corners, |(a, b, c)| a - b - c, |a, b, c| a - b - c);
            holds(&format!("{n} quotient"), &corners, |(a, b, _)| a / b, |a, b, _| a / b);
            holds(&format!("{n} remainder"), &corners, |(a, b, _)| a % b, |a, b, _| a % b);
            holds(&format!("{n} minimum"), &corners, |(a, b, _)| a.min(b), |a, b, _| if b < a { b } else { a });
            holds(&format!("{n} maximum"), &corners, |(a, b, _)| a.max(b), |a, b, _| if b > a { b } else { a });
            holds(&format!("{n} negative"), &corners, |(a, _, _)| -a, |a, _, _| -a);
            holds(&format!("{n} size"), &corners, |(a, _, _)| a.abs(), |a, _, _| a.abs());
            holds(&format!("{n} floor"), &corners, |(a, _, _)| a.floor(), |a, _, _| a.floor());
            holds(&format!("{n} ceiling"), &corners, |(a, _, _)| a.ceil(), |a, _, _| a.ceil());
            holds(&format!("{n} truncated"), &corners, |(a, _, _)| a.trunc(), |a, _, _| a.trunc());
            holds(&format!("{n} rounded"), &corners, |(a, _, _)| a.round_ties_even(), |a, _, _| a.round_ties_even());
            holds(&format!("{n} root"), &corners, |(a, _, _)| a.sqrt(), |a, _, _| a.sqrt());
            holds(&format!("{n} rounded once"), &corners, |(a, b, c)| a.mul_add(b, c), |a, b, c| a.mul_add(b, c));
            holds(&format!("{n} to the other"), &corners, |(a, _, _)| a.to::<$other>(), |a, _, _| a as $other);
            holds(&format!("{n} to u8"), &corners, |(a, _, _)| a.to::<u8>(), |a, _, _| a as u8);
            holds(&format!("{n} to i32"), &corners, |(a, _, _)| a.to::<i32>(), |a, _, _| a as i32);
            holds(&format!("{n} to u64"), &corners, |(a, _, _)| a.to::<u64>(), |a, _, _| a as u64);
            holds(&format!("{n} to i64"), &corners, |(a, _, _)| a.to::<i64>(), |a, _, _| a as i64);
            holds(&format!("{n} choice"), &corners, |(a, b, c)| (a.lt(b) | b.equals(c)).select(a, c), |a, b, c| {
                if a < b || b == c { a } else { c }
            });
        }
    )*};
}

reals! { singles f32 f64; doubles f64 f32; }

#[test]
fn bits_of_numbers() {
    let corners = [0.0f32, -0.0, 1.5, f32::INFINITY, f32::MIN_POSITIVE / 4.0];
    holds(
        "bits",
        &corners,
        |(a, b, _)| (a.bits() ^ b.bits()).as_f32(),
        |a, b, _| f32::from_bits(a.to_bits() ^ b.to_bits()),
    );
    let corners = [0.0f64, -2.5, 1e300];
    holds("bits", &corners, |(a, _, _)| a.bits() >> 52, |a, _, _| a.to_bits() >> 52);
}

#[test]
fn tables_are_read_within_their_bounds() {
    let f = Function::<u32, i64>::new(|i: Value<u32>| i.read::<i64>(0) + i.read::<i64>(1)).unwrap();
    for device in devices() {
        let index = device.upload(&[0u32, 1, 2, 3, u32::MAX]).unwrap();
        let table = device.upload(&[10i64, 20, 30]).unwrap();
        let one = device.upload(&[-1i64]).unwrap();
        let mut to = device.zeros::<i64>(5).unwrap();
        let map = Map::new(&device, &f);
        map.run(&[(&index).into()], &[(&table).into(), (&one).into()], &mut [(&mut to).into()]).unwrap();
        assert_eq!(to.download().unwrap(), [9, 19, 29, 29, 29], "{device:?}");
    }
    assert_eq!(f.call(7), 0);
}

#[test]
fn shares_of_threads_and_blocks_are_the_same_as_one() {
    let f = Function::<(u32, u32), (u32, bool)>::new(|(x, y): (Value<u32>, Value<u32>)| (x * x + y, x.lt(y))).unwrap();
    for len in [0usize, 1, 511, 512, 513, 1 << 15, (1 << 15) + 1, 100_003] {
        let x: Vec<u32> = (0..len as u32).map(|i| i.wrapping_mul(0x9e37_79b9)).collect();
        for device in devices() {
            let words = device.upload(&x).unwrap();
            let (mut to, mut truth) = (device.zeros::<u32>(len).unwrap(), device.zeros::<u8>(len).unwrap());
            let same = MapInput::same(77u32);
            let map = Map::new(&device, &f);
            map.run(&[(&words).into(), same], &[], &mut [(&mut to).into(), (&mut truth).into()]).unwrap();
            let right: Vec<u32> = x.iter().map(|x| x.wrapping_mul(*x).wrapping_add(77)).collect();
            assert_eq!(to.download().unwrap(), right, "{len} on {device:?}");
            assert!(truth.download().unwrap().iter().zip(&x).all(|(&truth, &x)| truth == u8::from(x < 77)));
        }
    }
}

#[test]
fn what_does_not_fit_is_named() {
    let f = Function::<(u32, f32), f32>::new(|(i, x): (Value<u32>, Value<f32>)| i.to::<f32>() + x).unwrap();
    let device = Device::host();
    let map = Map::new(&device, &f);
    let (words, reals) = (device.zeros::<u32>(3).unwrap(), device.zeros::<f32>(4).unwrap());
    let mut to = device.zeros::<f32>(3).unwrap();
    let error = map.run(&[(&words).into()], &[], &mut [(&mut to).into()]).unwrap_err();
    assert_eq!(error.to_string(), "the function has 2 inputs, 1 were given");
    let error = map.run(&[(&reals).into(), (&reals).into()], &[], &mut [(&mut to).into()]).unwrap_err();
    assert_eq!(error.to_string(), "input 0 of the function is of u32, f32 was given");
    let error = map.run(&[(&words).into(), (&reals).into()], &[], &mut [(&mut to).into()]).unwrap_err();
    assert_eq!(error.to_string(), "input 1 has 4 elements, output 0 has 3");
    let mut kept = None;
    Function::<u32, u32>::new(|x: Value<u32>| {
        kept = Some(x);
        x
    })
    .unwrap();
    let foreign = Function::<u32, u32>::new(|x: Value<u32>| x + kept.unwrap()).unwrap_err();
    assert!(matches!(foreign, ExpressionError::Foreign), "{foreign}");
    let foreign = Function::<u32, u32>::new(|_: Value<u32>| kept.unwrap()).unwrap_err();
    assert!(matches!(foreign, ExpressionError::Foreign), "{foreign}");
    let error = Function::<u32, f32>::new(|i: Value<u32>| i.read::<i16>(1).to::<f32>() + i.read::<f32>(1)).unwrap_err();
    assert_eq!(error.to_string(), "table 1 is read as i16 and as f32");
}

#[test]
fn expressions_of_a_device_s_own_are_told_from_what_is_none() {
    type V = Value<u32>;
    let corners = [0u32, 1, 2, 7, u32::MAX / 2, u32::MAX - 1, u32::MAX];
    holds(
        "averages",
        &corners,
        |(a, b, c): (V, V, V)| {
            let on_host = (a & b) + ((a ^ b) >> 1);
            // SAFETY: functions of values.
            unsafe {
                on_host.in_opencl("hadd({0}, {1})", (a, b)).max(c).in_opencl("max(hadd({0}, {1}), {2})", (b, a, c))
            }
        },
        |a, b, c| a.midpoint(b).max(c),
    );
    // SAFETY: it is never compiled.
    let wrong = Function::<u32, u32>::new(|a: V| unsafe { a.in_opencl("{0}; {1}", a) });
    assert_eq!(wrong.unwrap_err(), ExpressionError::Snippet { text: "{0}; {1}" });
}
