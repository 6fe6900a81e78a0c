//! The steps of an explanation as SMT-LIB, for certification by a solver that shares no code with us.

use super::definitions::{Definitions, Source};
use super::linear::{Atom, Linear, Sign, Var};
use super::{Explained, Role};
use linspect_core::statement::{Relation, Rule};
use std::collections::BTreeSet;
use std::fmt::Write;

impl Explained<'_> {
    /// A script of one query per step of the invariants, and how many there are. The explanation is certified iff every answer is `unsat`.
    ///
    /// Numbers are whole numbers, as in the invariants.
    pub fn smt_lib(&self) -> (String, usize) {
        let mut script = String::from("(set-logic ALL)\n");
        let steps = self.steps();
        for step in &steps {
            let fact = self.fact(step.statement);
            let mut vars: BTreeSet<Var> = step.then.linear.terms.iter().map(|t| t.0).collect();
            vars.extend(
                step.given
                    .iter()
                    .flat_map(|g| g.linear.terms.iter().map(|t| t.0)),
            );
            vars.extend(fact.vars);
            script.push_str("(push)");
            for v in vars {
                let _ = write!(script, "(declare-const x{v} Int)");
            }
            for given in &step.given {
                let _ = write!(script, "(assert {})", formula(given));
            }
            let _ = writeln!(
                script,
                "(assert {})(assert (not {}))(check-sat)(pop)",
                fact.formula,
                formula(step.then)
            );
        }
        (script, steps.len())
    }

    /// What `statement` does in the slice: nothing if it was sliced away, anything if it is only a hazard.
    fn fact(&self, statement: usize) -> Fact {
        let d = &self.definitions;
        let v = d.var(statement);
        let role = self.slice.kept.get(&statement);
        let (formula, others) = match (role, d.rule(statement), d.previous(v)) {
            (Some(Role::Value), Some(rule), _) => {
                let sources = d.sources(statement);
                let defined = sources.iter().filter_map(|s| match s {
                    Source::Defined(v) => Some(*v),
                    Source::Constant(_) => None,
                });
                (definition(d, v, rule, sources), defined.collect())
            }
            (None, _, Some(old)) => (format!("(= x{v} x{old})"), vec![old]),
            _ => ("true".to_string(), Vec::new()),
        };
        let vars = others.into_iter().chain([v]).collect();
        Fact { formula, vars }
    }
}

/// What a statement of a slice says, and about which variables.
struct Fact {
    formula: String,
    vars: Vec<Var>,
}

fn definition(
    d: &Definitions<'_>,
    v: Var,
    (rule, width): (Rule, u8),
    sources: &[Source],
) -> String {
    let value = d.value(v);
    let terms: Vec<String> = sources.iter().map(|s| term(&s.linear())).collect();
    let at_recorded: Vec<String> = sources
        .iter()
        .map(|s| match s {
            Source::Constant(_) => "true".to_string(),
            Source::Defined(x) => format!("(= x{x} {})", number(d.value(*x).into())),
        })
        .collect();
    // A wrapped or unknown function is only known at its recorded operands.
    let sampled = || {
        format!(
            "(=> (and true {}) (= x{v} {}))",
            at_recorded.join(" "),
            number(value.into())
        )
    };
    let recorded = |s: &Source| match s {
        Source::Constant(c) => *c,
        Source::Defined(x) => d.value(*x),
    };
    let values: Vec<i64> = sources.iter().map(recorded).collect();
    let exact = |mathematical: Option<i64>| mathematical == Some(value);
    match (rule, &terms[..], &values[..]) {
        (Rule::Copy, [a, ..], _) => format!("(= x{v} {a})"),
        (Rule::Truncate, [a], _) => format!("(= x{v} {})", cut(a, width)),
        (Rule::ZeroExtend(from), [a], _) if from < 64 => {
            let whole = 1_u64 << from;
            format!("(= x{v} (ite (< {a} 0) (+ {a} {whole}) {a}))")
        }
        (Rule::ZeroExtend(_) | Rule::SignExtend(_), [a], _) => format!("(= x{v} {a})"),
        (Rule::Add, [a, b], &[x, y]) if exact(x.checked_add(y)) => format!("(= x{v} (+ {a} {b}))"),
        (Rule::Sub, [a, b], &[x, y]) if exact(x.checked_sub(y)) => format!("(= x{v} (- {a} {b}))"),
        (Rule::Mul, [a, b], &[x, y]) if exact(x.checked_mul(y)) => format!("(= x{v} (* {a} {b}))"),
        (Rule::Compare(relation) | Rule::CompareAddresses(relation), [a, b], _) => {
            let truth = number(if value != 0 { value } else { 1 }.into());
            format!("(= x{v} (ite {} {truth} 0))", compared(relation, a, b))
        }
        (Rule::Select, [c, a, b], _) => format!("(= x{v} (ite (distinct {c} 0) {a} {b}))"),
        (Rule::And, [a, b], _) => {
            format!(
                "(and {} (=> (or (= {a} 0) (= {b} 0)) (= x{v} 0)))",
                sampled()
            )
        }
        (Rule::Xor, [a, _], &[x, y])
            if (x == 0 || y == x) && y != 0 && (value == 0 || value == y) =>
        {
            format!(
                "(=> (or (= {a} 0) (= {a} {n})) (= x{v} (- {n} {a})))",
                n = number(y.into())
            )
        }
        _ => sampled(),
    }
}

/// The low bits of a number, as recordings keep them: sign-extended, truth values as 0 and 1.
fn cut(a: &str, width: u8) -> String {
    match width {
        1 => format!("(mod {a} 2)"),
        2..64 => {
            let half = 1_u64 << (width - 1);
            format!("(- (mod (+ {a} {half}) {}) {half})", 2 * u128::from(half))
        }
        _ => a.to_string(),
    }
}

/// The relation between two numbers that are sign-extended from one width: among unsigned ones the negative come last.
fn compared(relation: Relation, a: &str, b: &str) -> String {
    let (sign, unsigned) = match relation {
        Relation::Eq => ("=", false),
        Relation::Ne => ("distinct", false),
        Relation::Lt => ("<", false),
        Relation::Le => ("<=", false),
        Relation::Gt => (">", false),
        Relation::Ge => (">=", false),
        Relation::Ult => ("<", true),
        Relation::Ule => ("<=", true),
        Relation::Ugt => (">", true),
        Relation::Uge => (">=", true),
    };
    let signed = format!("({sign} {a} {b})");
    if !unsigned {
        return signed;
    }
    format!("(ite (= (< {a} 0) (< {b} 0)) {signed} ({sign} {b} {a}))")
}

fn formula(atom: &Atom) -> String {
    let sign = match atom.sign {
        Sign::AtMost => "<=",
        Sign::Zero => "=",
        Sign::NotZero => "distinct",
    };
    format!("({sign} {} 0)", term(&atom.linear))
}

fn term(linear: &Linear) -> String {
    let mut sum = format!("(+ {}", number(linear.constant));
    for &(v, c) in &linear.terms {
        let _ = write!(sum, " (* {} x{v})", number(c));
    }
    sum.push_str(" 0)");
    sum
}

fn number(n: i128) -> String {
    if n < 0 {
        format!("(- {})", n.unsigned_abs())
    } else {
        n.to_string()
    }
}
