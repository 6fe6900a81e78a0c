//! Linear terms and the atoms that invariants are made of.

use linspect_core::statement::{NIL, Relation};
use smallvec::SmallVec;
use std::fmt::Write;

/// A variable in single-assignment form: later definitions have larger numbers.
pub type Var = u32;

/// Variables with their coefficients.
pub type Terms = SmallVec<[(Var, i128); 3]>;

/// `constant + Σ coefficient · variable`, terms sorted by variable, no zero coefficients.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Linear {
    /// The constant.
    pub constant: i128,
    /// The terms.
    pub terms: Terms,
}

impl Linear {
    /// The constant `c`.
    pub fn constant(c: impl Into<i128>) -> Self {
        Self {
            constant: c.into(),
            terms: SmallVec::new(),
        }
    }

    /// The variable `v`.
    pub fn variable(v: Var) -> Self {
        Self {
            constant: 0,
            terms: SmallVec::from_slice(&[(v, 1)]),
        }
    }

    /// `self + k · other`; `None` if a coefficient leaves 128 bits.
    pub fn plus(&self, k: i128, other: &Self) -> Option<Self> {
        let constant = self.constant.checked_add(k.checked_mul(other.constant)?)?;
        let mut terms = SmallVec::with_capacity(self.terms.len() + other.terms.len());
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        loop {
            let (v, c) = match (a.peek(), b.peek()) {
                (None, None) => break,
                (Some(&&(x, c)), other) if other.is_none_or(|&&(y, _)| x < y) => {
                    a.next();
                    (x, c)
                }
                (mine, Some(&&(y, d))) => {
                    b.next();
                    let own = match mine {
                        Some(&&(x, c)) if x == y => {
                            a.next();
                            c
                        }
                        _ => 0,
                    };
                    (y, own.checked_add(k.checked_mul(d)?)?)
                }
                (Some(_), None) => unreachable!("covered by the first arm"),
            };
            if c != 0 {
                terms.push((v, c));
            }
        }
        Some(Self { constant, terms })
    }

    /// The coefficient of `v`.
    pub fn coefficient(&self, v: Var) -> i128 {
        self.terms.iter().find(|t| t.0 == v).map_or(0, |&(_, c)| c)
    }

    /// `self` with `v` replaced by `by`; `None` if a coefficient leaves 128 bits.
    pub fn substitute(&self, v: Var, by: &Self) -> Option<Self> {
        let c = self.coefficient(v);
        if c == 0 {
            return Some(self.clone());
        }
        let mut rest = self.clone();
        rest.terms.retain(|t| t.0 != v);
        rest.plus(c, by)
    }

    /// Its value where variable `v` is `value(v)`.
    pub fn evaluate(&self, value: impl Fn(Var) -> i64) -> i128 {
        self.terms.iter().fold(self.constant, |sum, &(v, c)| {
            sum.saturating_add(c.saturating_mul(value(v).into()))
        })
    }
}

/// How a linear term compares with 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Sign {
    /// `≤ 0`.
    AtMost,
    /// `= 0`.
    Zero,
    /// `≠ 0`.
    NotZero,
}

/// An atomic formula: a linear term compared with 0, over the whole numbers.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Atom {
    /// How.
    pub sign: Sign,
    /// What.
    pub linear: Linear,
}

impl Atom {
    /// `v = value`.
    pub fn fixed(v: Var, value: i64) -> Self {
        Self {
            sign: Sign::Zero,
            linear: Linear {
                constant: -i128::from(value),
                ..Linear::variable(v)
            },
        }
    }

    /// `a ∘ b` for a signed relation or (in)equality; `None` for unsigned ones, and if a coefficient leaves 128 bits.
    pub fn compare(relation: Relation, a: &Linear, b: &Linear) -> Option<Self> {
        let (sign, first, second, strict) = match relation {
            Relation::Eq => (Sign::Zero, a, b, 0),
            Relation::Ne => (Sign::NotZero, a, b, 0),
            Relation::Lt => (Sign::AtMost, a, b, 1),
            Relation::Le => (Sign::AtMost, a, b, 0),
            Relation::Gt => (Sign::AtMost, b, a, 1),
            Relation::Ge => (Sign::AtMost, b, a, 0),
            Relation::Ult | Relation::Ule | Relation::Ugt | Relation::Uge => return None,
        };
        let difference = first.plus(-1, second)?;
        let linear = difference.plus(1, &Linear::constant(strict))?;
        Some(Self { sign, linear })
    }

    /// Whether it holds where variable `v` is `value(v)`.
    pub fn holds(&self, value: impl Fn(Var) -> i64) -> bool {
        let n = self.linear.evaluate(value);
        match self.sign {
            Sign::AtMost => n <= 0,
            Sign::Zero => n == 0,
            Sign::NotZero => n != 0,
        }
    }

    /// Whether it has no variables and is true.
    pub fn is_trivial(&self) -> bool {
        self.linear.terms.is_empty() && self.holds(|_| 0)
    }

    /// The latest variable in it.
    pub fn latest(&self) -> Option<Var> {
        self.linear.terms.last().map(|t| t.0)
    }

    /// `self` with `v` replaced by `by`.
    pub fn substitute(&self, v: Var, by: &Linear) -> Option<Self> {
        Some(Self {
            sign: self.sign,
            linear: self.linear.substitute(v, by)?,
        })
    }

    /// Whether it implies `other`, judged by one linear step: the same terms up to sign, a constant that is at least as strong.
    pub fn implies(&self, other: &Self) -> bool {
        if self == other || other.is_trivial() {
            return true;
        }
        let (a, b) = (&self.linear, &other.linear);
        let same = a.terms == b.terms;
        let opposite = a.terms.len() == b.terms.len()
            && a.terms
                .iter()
                .zip(&b.terms)
                .all(|(x, y)| x.0 == y.0 && x.1 == -y.1);
        match (self.sign, other.sign) {
            (Sign::AtMost, Sign::AtMost) => same && b.constant <= a.constant,
            // terms = -a.constant
            (Sign::Zero, Sign::AtMost) => {
                (same && b.constant <= a.constant) || (opposite && b.constant <= -a.constant)
            }
            (Sign::Zero, Sign::Zero) => opposite && b.constant == -a.constant,
            (Sign::Zero, Sign::NotZero) => {
                (same && b.constant != a.constant) || (opposite && b.constant != -a.constant)
            }
            // terms ≤ -a.constant, so they differ from anything larger
            (Sign::AtMost, Sign::NotZero) => {
                (same && -b.constant > -a.constant) || (opposite && b.constant > -a.constant)
            }
            (Sign::NotZero, Sign::NotZero) => opposite && b.constant == -a.constant,
            _ => false,
        }
    }

    /// The atom as a person writes it: positive terms left, negative ones right, `<` instead of `+ 1 ≤`.
    pub fn show(&self, name: impl Fn(Var) -> String) -> String {
        if let (&[(v, c @ (1 | -1))], Sign::Zero | Sign::NotZero) =
            (self.linear.terms.as_slice(), self.sign)
        {
            let sign = if self.sign == Sign::Zero { "=" } else { "≠" };
            let value = -c * self.linear.constant;
            return match i64::try_from(value) {
                Ok(NIL) => format!("{} {sign} nil", name(v)),
                _ => format!("{} {sign} {value}", name(v)),
            };
        }
        let mut sides = [String::new(), String::new()];
        for &(v, c) in &self.linear.terms {
            let side = &mut sides[usize::from(c < 0)];
            if !side.is_empty() {
                side.push_str(" + ");
            }
            if c.unsigned_abs() != 1 {
                let _ = write!(side, "{}·", c.unsigned_abs());
            }
            side.push_str(&name(v));
        }
        let mut constant = self.linear.constant;
        let strict = self.sign == Sign::AtMost && constant == 1;
        if strict {
            constant = 0;
        }
        let [mut left, mut right] = sides;
        let side = if constant < 0 { &mut right } else { &mut left };
        if constant != 0 {
            let join = if side.is_empty() { "" } else { " + " };
            let _ = write!(side, "{join}{}", constant.unsigned_abs());
        }
        let sign = match (self.sign, strict) {
            (Sign::AtMost, false) => "≤",
            (Sign::AtMost, true) => "<",
            (Sign::Zero, _) => "=",
            (Sign::NotZero, _) => "≠",
        };
        let or_zero = |s: String| if s.is_empty() { "0".to_string() } else { s };
        // "0 < x" reads better as "x > 0".
        if left.is_empty() || self.linear.terms.iter().all(|t| t.1 < 0) {
            let turned = match sign {
                "≤" => "≥",
                "<" => ">",
                same => same,
            };
            return format!("{} {turned} {}", or_zero(right), or_zero(left));
        }
        format!("{} {sign} {}", or_zero(left), or_zero(right))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn show(relation: Relation, a: &Linear, b: &Linear) -> String {
        Atom::compare(relation, a, b)
            .expect("small")
            .show(|v| format!("x{v}"))
    }

    #[test]
    fn atoms_read_like_source() {
        let (x, y) = (Linear::variable(1), Linear::variable(2));
        let sum = x.plus(1, &y).expect("small");
        assert_eq!(show(Relation::Lt, &x, &y), "x1 < x2");
        assert_eq!(
            show(Relation::Le, &sum, &Linear::constant(5)),
            "x1 + x2 ≤ 5"
        );
        assert_eq!(show(Relation::Gt, &x, &Linear::constant(0)), "x1 > 0");
        assert_eq!(show(Relation::Ge, &x, &Linear::constant(3)), "x1 ≥ 3");
        assert_eq!(show(Relation::Ne, &x, &Linear::constant(3)), "x1 ≠ 3");
        assert_eq!(show(Relation::Eq, &x, &Linear::constant(-3)), "x1 = -3");
        let nil = Linear::constant(NIL);
        assert_eq!(show(Relation::Ne, &x, &nil), "x1 ≠ nil");
    }

    /// Implication is sound: checked on every small valuation.
    #[test]
    fn implication_is_sound() {
        let mut atoms = Vec::new();
        for sign in [Sign::AtMost, Sign::Zero, Sign::NotZero] {
            for constant in -2..=2 {
                for (a, b) in [(1, 0), (-1, 0), (1, -1), (-1, 1), (1, 1)] {
                    let first = Linear::constant(constant);
                    let linear = first.plus(a, &Linear::variable(0)).expect("small");
                    let linear = linear.plus(b, &Linear::variable(1)).expect("small");
                    atoms.push(Atom { sign, linear });
                }
            }
        }
        let mut implied = 0;
        for p in &atoms {
            for q in atoms.iter().filter(|q| p.implies(q)) {
                implied += 1;
                for x in -4..=4 {
                    for y in -4..=4 {
                        let value = |v| if v == 0 { x } else { y };
                        assert!(!p.holds(value) || q.holds(value), "{p:?} {q:?} {x} {y}");
                    }
                }
            }
        }
        assert!(implied > 2 * atoms.len(), "vacuous: {implied}");
    }
}
