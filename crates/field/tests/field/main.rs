//! The tests of finite fields, in one program; those that change its whole process stand beside it.

#[cfg(feature = "bigint")]
mod crt;
mod laws;
mod multiplications;
#[cfg(feature = "bigint")]
mod prime_field;
mod primes;
