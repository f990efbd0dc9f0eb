//! The inputs of the program's commands: the one list that the book's page of inputs is made of, and whose examples a test runs.

/// What commands of the program take as numbers, and in what files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Input {
    /// The commands, with a brace for several of a group: `spectrum {walsh, haar}`.
    pub commands: &'static str,
    /// What is read.
    pub reads: &'static str,
    /// The range of the numbers.
    pub range: &'static str,
    /// Infinities and NaN.
    pub not_finite: &'static str,
    /// The forms of files.
    pub formats: &'static str,
    /// The fuzz targets of what is read (`crates/soak`).
    pub targets: &'static [&'static str],
    /// Runs of the program: a line in which `x`, or a name that begins with `x.`, is the file, the file's text, and the answer.
    pub examples: &'static [Example],
}

/// A run of the program.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The command line, without the program's name.
    pub line: &'static str,
    /// The text of the file.
    pub text: &'static str,
    /// What comes of it.
    pub answer: Answer,
}

/// What comes of an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Answer {
    /// The output, lines separated by ` / `.
    Gives(&'static str),
    /// The error, without its file.
    Refuses(&'static str),
}

use Answer::{Gives, Refuses};

/// An example.
const fn run(line: &'static str, text: &'static str, answer: Answer) -> Example {
    Example { line, text, answer }
}

const VECTOR: &str = "text, table, brackets, Matrix Market of one row or column, array";
const MATRIX: &str = "text, table, brackets, Matrix Market, SMS, Harwell-Boeing, array";
const REFUSED: &str = "refused";

/// All inputs, by the groups of commands.
pub const INPUTS: &[Input] = &[
    Input {
        commands: "spectrum {walsh, arithmetic, haar}",
        reads: "integers; with a point or an exponent somewhere, or with `--type`, doubles or singles",
        range: "i64, or that of `--type`; beside fractions integers that a double holds",
        not_finite: REFUSED,
        formats: VECTOR,
        targets: &["text_vector", "npy", "numeral"],
        examples: &[
            run("spectrum walsh x", "1 2 # two", Gives("3 / -1")),
            run("spectrum walsh x --type i64", "2e3 1.0", Gives("2001 / 1999")),
            run("spectrum walsh x", "1.5D+1 1", Gives("16.0 / 14.0")),
            run("spectrum walsh x", "0.5 nan", Refuses("1: nan is not finite")),
            run("spectrum haar x --type f64", "1\n1e400", Refuses("2: 1e400 is past the largest f64")),
            run(
                "spectrum arithmetic x",
                "1 9223372036854775808",
                Refuses("1: 9223372036854775808 is out of the range of i64"),
            ),
        ],
    },
    Input {
        commands: "spectrum {fourier, kronecker}",
        reads: "real or complex numbers, of two numbers each in texts",
        range: "doubles, singles with `--single` or `--type`, or integers modulo `--modulus`",
        not_finite: REFUSED,
        formats: "as `spectrum walsh`; arrays and Matrix Market of complex numbers",
        targets: &["complex_vector", "text_vector", "npy", "kronecker"],
        examples: &[
            run("spectrum fourier x --real", "1 -inf", Refuses("1: -inf is not finite")),
            run("spectrum kronecker x --product walsh", "2.0 1", Gives("3.0 / 1.0")),
        ],
    },
    Input {
        commands: "spectrum ntt",
        reads: "integers, taken modulo `--modulus`",
        range: "any",
        not_finite: REFUSED,
        formats: VECTOR,
        targets: &["polynomial"],
        examples: &[
            run("spectrum ntt x --modulus 5", "-1 1e30", Gives("4 / 4")),
            run("spectrum ntt x --modulus 5", "1 0.5", Refuses("1: `0.5` is no integer")),
        ],
    },
    Input {
        commands: "spectrum {reed-muller, polarities}",
        reads: "values 0 and 1; with `--packed` words of 64 values, decimal or hexadecimal",
        range: "0 and 1, or below 2^64",
        not_finite: REFUSED,
        formats: VECTOR,
        targets: &["bits", "words"],
        examples: &[
            run("spectrum reed-muller x", "1 0.0", Gives("1 / 1")),
            run(
                "spectrum reed-muller x",
                "0 2",
                Refuses("1: value 2 is 2: a Boolean function has the values 0 and 1 only"),
            ),
        ],
    },
    Input {
        commands: "boolean {info, spectrum, anf, autocorrelation, report}, sbox {info, lat, ddt, boomerang, report, \
                   compare}",
        reads: "truth tables, normal forms and minterms; lists of outputs",
        range: "minterms below 2^64; outputs below 65536, decimal, or hexadecimal with `--hex`",
        not_finite: REFUSED,
        formats: "text",
        targets: &["anf", "minterms", "truth_table_binary", "truth_table_hex", "s_box", "plain_text"],
        examples: &[
            run("boolean anf x --format minterms", "1 3.0", Gives("x1")),
            run("sbox info x", "0 1 x 2", Refuses("1: S(2) is \"x\": expected a number below 65536")),
        ],
    },
    Input {
        commands: "poly {mul, div, gcd, xgcd, resultant, discriminant, inverse, pow, compose, shift, series, eval, interpolate, \
                   roots, factor}",
        reads: "integers, taken modulo `--modulus`: coefficients from the constant one on, points and values; or a polynomial, as \
                `x^2 - 3*x + 1`",
        range: "any",
        not_finite: REFUSED,
        formats: "as `spectrum ntt`; polynomials of Sage and PARI/GP",
        targets: &["polynomial", "polynomial_text"],
        examples: &[
            run("poly shift x --modulus 7 --by 0", "3.0 2e1", Gives("6*x + 3")),
            run("poly shift x --modulus 7 --by 0", "2.0*x + 1e1", Gives("2*x + 3")),
            run("poly shift x --modulus 7 --by 0", "1 1.5", Refuses("1: `1.5` is no integer")),
            run(
                "poly shift x --modulus 7 --by 0",
                "1 1e20000",
                Refuses("1: `1e20000` has more than the 10000 digits that an exponent may make: write them out"),
            ),
        ],
    },
    Input {
        commands: "bivariate {resultant, solve, report}",
        reads: "two polynomials, one a line; with `--exact` coefficients are integers, decimal numbers and fractions, else integers \
                modulo `--modulus`",
        range: "any",
        not_finite: REFUSED,
        formats: "text, as Sage and PARI/GP write polynomials",
        targets: &["bivariate", "plain_text"],
        examples: &[
            run("bivariate solve x --exact", "x - 2\ny - 0.5", Gives("chain x - 2 ; 2*y - 1 / point 2 1/2")),
            run("bivariate solve x --modulus 7", "x - 2.0\ny - 0.5", Refuses("2: column 5: `0.5` is no integer")),
        ],
    },
    Input {
        commands: "matrix {det, rank, inverse, nullspace, charpoly, minpoly, lu, pluq, rref, image, solve, mul}",
        reads: "integers, taken modulo `--modulus`; over the rationals (`--exact`) integers, decimal numbers and \
                fractions, of which `det` takes integers; doubles with `--real`",
        range: "any; of `--real` doubles",
        not_finite: REFUSED,
        formats: MATRIX,
        targets: &["matrix"],
        examples: &[
            run("matrix det x --modulus 7", "[1, 2; 3.0, 1e1]", Gives("4")),
            run("matrix inverse x --exact", "1.5", Gives("2/3")),
            run("matrix det x.csv --exact", "a;b\r\n\"1\";2\r\n3;4\r\n", Gives("-2")),
            run("matrix det x --exact", "1.5", Refuses("1: `1.5` is no integer")),
            run("matrix rank x --modulus 7", "1 inf", Refuses("1: `inf` is no integer")),
            run("matrix det x --real", "1 2\n3 nan", Refuses("2: `NaN` is no finite double")),
        ],
    },
    Input {
        commands: "matrix {hermite, smith}",
        reads: "integers",
        range: "any",
        not_finite: REFUSED,
        formats: MATRIX,
        targets: &["matrix"],
        examples: &[
            run("matrix smith x", "2.0 0\n0 4e0", Gives("2 / 4")),
            run("matrix hermite x", "0.5", Refuses("1: `0.5` is no integer")),
        ],
    },
    Input {
        commands: "semiring {product, plan}",
        reads: "integers, or singles and doubles by `--type`",
        range: "that of `--type`; the greatest and the least integer stand for `inf` and `-inf` in max-plus, min-plus, max-min and min-max without `--wrap`",
        not_finite: "`inf` and `-inf` are read but by plus-times and or-and, of integers in max-plus, min-plus, max-min and min-max; NaN is refused",
        formats: MATRIX,
        targets: &["semiring_matrix", "program"],
        examples: &[
            run("semiring product x x --semiring min-plus", "0 3.0\ninf 0", Gives("0 3 / inf 0")),
            run("semiring product x x --semiring max-min", "4 -inf\ninf 1", Gives("4 -inf / 4 1")),
            run("semiring product x x --semiring max-min --type f64", "0.5 -inf\ninf 1", Gives("0.5 -inf / 1 1")),
            run("semiring product x x --semiring min-plus --type f64", "1 2\n3 nan", Refuses("2: nan is not finite")),
            run(
                "semiring product x x --semiring plus-times --type f64",
                "1e400",
                Refuses("1: 1e400 is past the largest f64"),
            ),
            run("semiring product x x --semiring plus-times --type f64", "inf", Refuses("1: inf is not finite")),
            run(
                "semiring product x x --semiring min-plus",
                "9223372036854775807",
                Refuses(
                    "1: 9223372036854775807 stands for inf in type i64: take a weight nearer to 0, or a wider type",
                ),
            ),
        ],
    },
    Input {
        commands: "maxplus {star, cycle-mean, simulate}",
        reads: "integers, or singles and doubles by `--type`",
        range: "that of `--type`, but the greatest and the least integer, which stand for `inf` and `-inf`",
        not_finite: "`-inf` is no arc, with `--algebra min-plus` `inf`; NaN and the other infinity are refused",
        formats: MATRIX,
        targets: &["graph"],
        examples: &[
            run("maxplus star x", "-inf 2\n-inf -inf", Gives("0 2 / -inf 0")),
            run(
                "maxplus star x --algebra min-plus --type f64",
                "%%MatrixMarket matrix coordinate real general\n2 2 1\n2 1 inf\n",
                Gives("0 inf / inf 0"),
            ),
            run("maxplus simulate x --steps 1", "inf", Refuses("1: inf is no weight: where no arc is, write -inf")),
        ],
    },
    Input {
        commands: "maxplus {schedule, variants, report}",
        reads: "whole numbers: durations, lags, releases and deadlines",
        range: "i64; durations from 0 on",
        not_finite: REFUSED,
        formats: "table, `.sm`, `.mm` (the first mode of each job), `.sch`, `.rcp`, `.mtx`, `.sms`",
        targets: &["project", "table"],
        examples: &[
            run(
                "maxplus schedule x.csv",
                "task\tdays\n\"dig, deep\"\t2e0\n",
                Gives(
                    "task  name       duration  earliest    latest     slack      free / \
                     \u{20}  0  dig, deep         2         0         0         0         0 * / \
                     critical path dig, deep / length 2",
                ),
            ),
            run(
                "maxplus schedule x.csv",
                "a,3.5",
                Refuses("1: `3.5` is no whole duration: write all times in a smaller unit"),
            ),
        ],
    },
    Input {
        commands: "sort numbers",
        reads: "integers; with a point, an exponent, `nan` or `inf` somewhere, or with `--type`, doubles or singles",
        range: "i64, u64 where i64 does not hold them, or that of `--type`; beside fractions integers that a double holds",
        not_finite: "sorted: -NaN, -inf, ..., inf, NaN",
        formats: VECTOR,
        targets: &["keys", "npy"],
        examples: &[
            run("sort numbers x", "1 nan -inf inf", Gives("-inf / 1.0 / inf / NaN")),
            run("sort numbers x", "18446744073709551615 3", Gives("3 / 18446744073709551615")),
            run("sort numbers x.csv", "value\n2\n1\n", Gives("1 / 2")),
            run("sort numbers x", "1e400 1", Refuses("1: 1e400 is past the largest f64")),
            run(
                "sort numbers x",
                "9007199254740993 0.5",
                Refuses(
                    "1: 9007199254740993 is an integer that double precision does not hold exactly, beside fractions: write it \
                     with a point, and it is rounded",
                ),
            ),
        ],
    },
    Input {
        commands: "sort sparse",
        reads: "positions of ones, a word a line",
        range: "below 2^32 - 1",
        not_finite: REFUSED,
        formats: "text",
        targets: &["positions"],
        examples: &[
            run("sort sparse x", "2e0\n1.0 3", Gives("0 / 1")),
            run("sort sparse x", "1 -1", Refuses("1: -1 is out of the range of u32")),
        ],
    },
    Input {
        commands: "sort text",
        reads: "bytes, which are written as they are read",
        range: "any",
        not_finite: "no numbers",
        formats: "text of any encoding",
        targets: &["plain_text"],
        examples: &[run("sort text x", "nan\n10\n9", Gives("10 / 9 / nan"))],
    },
    Input {
        commands: "sparse {reorder, multiply, misses, info, report}",
        reads: "real and complex numbers, integers, or places alone; integers modulo `--modulus`; a vector as `spectrum walsh`",
        range: "doubles; integers that a double holds",
        not_finite: "kept in matrices; refused in vectors",
        formats: "Matrix Market, SMS, Harwell-Boeing; of the vector as `spectrum walsh`",
        targets: &["sparse_matrix", "permutations", "text_vector"],
        examples: &[run(
            "sparse info x",
            "%%MatrixMarket matrix coordinate integer general\n1 1 1\n1 1 0.5\n",
            Refuses("3: `0.5` is no integer"),
        )],
    },
    Input {
        commands: "code {split, join}, merge",
        reads: "bytes",
        range: "any",
        not_finite: "no numbers",
        formats: "any file; parts and shards that the program wrote",
        targets: &["part", "shard_line"],
        examples: &[],
    },
];

impl Input {
    /// The commands one by one: `spectrum walsh`, `spectrum haar`.
    pub fn commands(&self) -> impl Iterator<Item = String> + use<> {
        // Groups, and commands without one, stand with commas between them, and so do the commands of a group.
        let mut all = Vec::new();
        let mut rest = self.commands;
        while !rest.is_empty() {
            let end = rest.find(',').unwrap_or(rest.len());
            let behind = if let Some(open) = rest.find('{').filter(|&open| open < end) {
                let close = rest.find('}').unwrap_or(rest.len());
                let names = rest[open + 1..close].split(',');
                all.extend(names.map(|name| format!("{}{}", &rest[..open], name.trim())));
                &rest[(close + 1).min(rest.len())..]
            } else {
                all.push(rest[..end].to_owned());
                &rest[end..]
            };
            rest = behind.trim_start_matches([',', ' ']);
        }
        all.into_iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn braces_are_several_commands() {
        let of = |commands| {
            let input =
                Input { commands, reads: "", range: "", not_finite: "", formats: "", targets: &[], examples: &[] };
            input.commands().collect::<Vec<_>>()
        };
        assert_eq!(of("sort text"), ["sort text"]);
        assert_eq!(of("code {split, join}, merge"), ["code split", "code join", "merge"]);
        assert_eq!(of("a {b}, c {d, e}"), ["a b", "c d", "c e"]);
    }

    #[test]
    fn examples_are_of_their_commands() {
        for input in INPUTS {
            let commands: Vec<String> = input.commands().collect();
            for example in input.examples {
                let is_own = commands.iter().any(|command| example.line.starts_with(&format!("{command} ")));
                assert!(is_own, "{} in the row of {}", example.line, input.commands);
            }
        }
    }
}
