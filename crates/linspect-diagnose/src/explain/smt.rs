//! The steps of an explanation as SMT-LIB, for certification by a solver that shares no code with us.

use super::Explained;
use super::definitions::{Definitions, Source};
use super::linear::{Atom, Linear, Sign, Var};
use linspect_core::statement::{Relation, Rule};
use std::collections::BTreeSet;
use std::fmt::Write;

/// How many definitions behind a statement are given to the solver: a recurring invariant is carried over several statements at once.
const DEPTH: usize = 12;

impl Explained<'_> {
    /// A script of one query per step of the invariants, and how many there are. The explanation is certified iff every answer is `unsat`.
    ///
    /// Numbers are whole numbers, as in the invariants.
    pub fn smt_lib(&self) -> (String, usize) {
        let d = &self.definitions;
        let mut script = String::from("(set-logic ALL)\n");
        let steps = self.steps();
        for step in &steps {
            let facts = behind(d, d.var(step.statement));
            let mut vars: BTreeSet<Var> = step.then.linear.terms.iter().map(|t| t.0).collect();
            vars.extend(
                step.given
                    .iter()
                    .flat_map(|g| g.linear.terms.iter().map(|t| t.0)),
            );
            vars.extend(facts.iter().flat_map(|f| f.vars.iter().copied()));
            script.push_str("(push)");
            for v in vars {
                let _ = write!(script, "(declare-const x{v} Int)");
            }
            for given in &step.given {
                let _ = write!(script, "(assert {})", formula(given));
            }
            for fact in facts {
                let _ = write!(script, "(assert {})", fact.formula);
            }
            let _ = writeln!(
                script,
                "(assert (not {}))(check-sat)(pop)",
                formula(step.then)
            );
        }
        (script, steps.len())
    }
}

/// What a statement says, and about which variables.
struct Fact {
    formula: String,
    vars: Vec<Var>,
}

/// The definition of `v`, and of what is behind it, each once.
fn behind(d: &Definitions<'_>, v: Var) -> Vec<Fact> {
    let mut facts = Vec::new();
    let mut seen = BTreeSet::from([v]);
    let mut layer = vec![v];
    for _ in 0..=DEPTH {
        let mut next = Vec::new();
        for v in layer {
            let Some((statement, (rule, _))) = d.statement(v).and_then(|s| Some((s, d.rule(s)?)))
            else {
                continue;
            };
            let sources = d.sources(statement);
            let defined = sources.iter().filter_map(|s| match s {
                Source::Defined(v) => Some(*v),
                Source::Constant(_) => None,
            });
            next.extend(defined.clone().filter(|v| seen.insert(*v)));
            facts.push(Fact {
                formula: definition(d, v, rule, sources),
                vars: defined.chain([v]).collect(),
            });
        }
        layer = next;
    }
    facts
}

fn definition(d: &Definitions<'_>, v: Var, rule: Rule, sources: &[Source]) -> String {
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
        (Rule::Truncate | Rule::ZeroExtend(_) | Rule::SignExtend(_), [a], &[x])
            if exact(Some(x)) =>
        {
            format!("(= x{v} {a})")
        }
        (Rule::Add, [a, b], &[x, y]) if exact(x.checked_add(y)) => format!("(= x{v} (+ {a} {b}))"),
        (Rule::Sub, [a, b], &[x, y]) if exact(x.checked_sub(y)) => format!("(= x{v} (- {a} {b}))"),
        (Rule::Mul, [a, b], &[x, y]) if exact(x.checked_mul(y)) => format!("(= x{v} (* {a} {b}))"),
        (Rule::Compare(relation) | Rule::CompareAddresses(relation), [a, b], &[x, y]) => {
            let truth = if value != 0 { value } else { 1 };
            match signed(relation, x, y) {
                Some((sign, guard)) => {
                    let guard = if guard {
                        format!("(and (>= {a} 0) (>= {b} 0))")
                    } else {
                        "true".to_string()
                    };
                    format!(
                        "(and (or (= x{v} 0) (= x{v} 1) (= x{v} (- 1))) (=> {guard} (= x{v} (ite {} {} 0))))",
                        sign.replace('a', a).replace('b', b),
                        number(truth.into())
                    )
                }
                None => sampled(),
            }
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

/// The relation with placeholders `a` and `b`, and whether it needs both not to be negative.
fn signed(relation: Relation, x: i64, y: i64) -> Option<(&'static str, bool)> {
    let plain = match relation {
        Relation::Eq => "(= a b)",
        Relation::Ne => "(distinct a b)",
        Relation::Lt | Relation::Ult => "(< a b)",
        Relation::Le | Relation::Ule => "(<= a b)",
        Relation::Gt | Relation::Ugt => "(> a b)",
        Relation::Ge | Relation::Uge => "(>= a b)",
    };
    let unsigned = matches!(
        relation,
        Relation::Ult | Relation::Ule | Relation::Ugt | Relation::Uge
    );
    (!unsigned || x >= 0 && y >= 0).then_some((plain, unsigned))
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
