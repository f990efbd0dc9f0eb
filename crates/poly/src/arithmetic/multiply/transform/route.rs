//! A route to a product by transforms.

use std::fmt;

use super::shape::{Cut, Length, Shape, Trimmed};

/// Primes of a reconstruction, at most.
pub(super) const MOST_PRIMES: usize = 5;

/// Modulo what the transforms are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Residues {
    /// The field's prime.
    Direct,
    /// The largest primes below `2^bits` with the roots of unity that the length takes.
    Primes {
        /// 29, 30, 31, 50 or 62.
        bits: u32,
        /// The number of primes: their product is above every coefficient of the product of integers.
        count: usize,
    },
}

/// A route to a product.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Route {
    /// Modulo what the transforms are taken.
    pub residues: Residues,
    /// How the operands are cut to rows.
    pub cut: Cut,
    /// Whether all that is done modulo one prime is one launch: on OpenCL devices, for rows that fit a tile.
    pub tiled: bool,
}

impl fmt::Display for Residues {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Direct => write!(f, "transforms modulo p"),
            Self::Primes { bits, count: 1 } => write!(f, "transforms modulo a prime of {bits} bits"),
            Self::Primes { bits, count } => write!(f, "transforms modulo {count} primes of {bits} bits"),
        }
    }
}

impl fmt::Display for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {} values", self.residues, self.cut.length)?;
        if self.cut.blocks > 1 {
            write!(f, ", {} blocks of {}", self.cut.blocks, self.cut.block)?;
        }
        if self.tiled {
            write!(f, ", in one launch")?;
        }
        Ok(())
    }
}

impl Route {
    /// The name in files of choices: lengths as powers of two beside that which holds all coefficients of the product.
    pub(in crate::arithmetic::multiply) fn kept_name(&self, shape: &Shape) -> String {
        let log = |values: usize| values.checked_next_power_of_two().map_or(64, |power| i64::from(power.ilog2()));
        let beside = log(self.cut.length.values()) - log(shape.n.saturating_add(shape.m).saturating_sub(1).max(1));
        let part = match self.cut.length {
            Length::Power(_) => "",
            Length::ThreeQuarters(_) => "three quarters of ",
        };
        let blocks = if self.cut.blocks > 1 { format!(", {} blocks", self.cut.blocks) } else { String::new() };
        let launches = if self.tiled { ", in one launch" } else { "" };
        format!("{}, {part}2^{beside} lengths{blocks}{launches}", self.residues)
    }

    /// Whether the launch that multiplies writes the result too.
    pub(super) fn stores_in_tile(&self, shape: &Shape) -> bool {
        self.tiled && self.stores_in_place(shape)
    }

    /// Whether the last pass of inverse transforms, where they take several, writes the result too.
    pub(super) fn stores_in_columns(&self, shape: &Shape) -> bool {
        !self.tiled && matches!(self.cut.length, Length::Power(_)) && self.stores_in_place(shape)
    }

    /// Whether the coefficients wanted are a part of each product's only row, none of them folded.
    fn stores_in_place(&self, shape: &Shape) -> bool {
        let Some((trimmed, _)) = shape.trimmed().map(Trimmed::longer_first) else { return false };
        let end = trimmed.low.checked_add(shape.len);
        self.residues == Residues::Direct
            && self.cut.blocks == 1
            && self.cut.wrapped(&trimmed) == 0
            && end.is_some_and(|end| end <= self.cut.length.values())
    }
}
