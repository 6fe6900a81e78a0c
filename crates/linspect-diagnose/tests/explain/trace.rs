//! A small language for recordings: assignments and conditions over named variables, one label per source statement.

use linspect_core::execution::Location;
use linspect_core::statement::{
    Claim, Effect, Operand, Recording, Relation, Rule, Statement, Variable,
};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

/// An expression over variables and constants.
#[derive(Clone, Debug)]
pub(crate) enum E {
    C(i64),
    V(&'static str),
    Apply(Rule, Vec<E>),
}

pub(crate) fn v(name: &'static str) -> E {
    E::V(name)
}
pub(crate) fn c(n: i64) -> E {
    E::C(n)
}
impl std::ops::Add for E {
    type Output = E;
    fn add(self, other: E) -> E {
        E::Apply(Rule::Add, vec![self, other])
    }
}
impl std::ops::Sub for E {
    type Output = E;
    fn sub(self, other: E) -> E {
        E::Apply(Rule::Sub, vec![self, other])
    }
}
impl std::ops::Mul for E {
    type Output = E;
    fn mul(self, other: E) -> E {
        E::Apply(Rule::Mul, vec![self, other])
    }
}

/// The value of an expression. Some other function is division; what nothing explains is 7.
pub(crate) fn compute(rule: Rule, of: &[i64]) -> i64 {
    match (rule, of) {
        (Rule::Copy, &[a] | &[a, _]) => a,
        (Rule::Add, &[a, b]) => a + b,
        (Rule::Sub, &[a, b]) => a - b,
        (Rule::Mul, &[a, b]) => a * b,
        (Rule::And, &[a, b]) => a & b,
        (Rule::Or, &[a, b]) => a | b,
        (Rule::Xor, &[a, b]) => a ^ b,
        (Rule::Compare(r), &[a, b]) => i64::from(r.holds(a, b)),
        (Rule::Select, &[condition, yes, no]) => [no, yes][usize::from(condition != 0)],
        (Rule::Truncate, &[a]) => a << 56 >> 56,
        (Rule::ZeroExtend(8), &[a]) => a & 0xff,
        (Rule::SignExtend(8), &[a]) => a,
        (Rule::Function, &[a, b]) => a.checked_div(b).unwrap_or(0),
        (Rule::Input, []) => 7,
        other => panic!("{other:?}"),
    }
}

/// The bits of its result.
fn width(rule: Rule) -> u8 {
    if rule == Rule::Truncate { 8 } else { 64 }
}

/// A recording under construction. Variables whose name starts with a capital or is declared `global` live in memory.
#[derive(Default)]
pub(crate) struct Trace {
    pub(crate) recording: Recording,
    pub(crate) labels: Vec<String>,
    globals: Vec<&'static str>,
    variables: HashMap<&'static str, Variable>,
    values: HashMap<Variable, i64>,
    scopes: HashMap<u16, Vec<u32>>,
    temporaries: u32,
    /// Whether what follows is code of a library.
    pub(crate) library: bool,
}

impl Trace {
    pub(crate) fn new(globals: &[&'static str]) -> Self {
        Self {
            globals: globals.to_vec(),
            ..Self::default()
        }
    }

    fn variable(&mut self, name: &'static str) -> Variable {
        let next = u32::try_from(self.variables.len()).expect("few");
        let global = self.globals.contains(&name);
        let variable = *self.variables.entry(name).or_insert(if global {
            Variable::Cell(Location {
                allocation: next,
                offset: 0,
                size: 8,
            })
        } else {
            Variable::Register {
                frame: 0,
                slot: next,
            }
        });
        self.recording.names.insert(variable, Arc::from(name));
        variable
    }

    fn read(&mut self, operand: Operand) -> i64 {
        match operand {
            Operand::Constant(n) => n,
            Operand::Variable(x) => *self.values.entry(x).or_insert_with(|| {
                self.recording.initial.insert(x, 0);
                0
            }),
        }
    }

    fn assign(
        &mut self,
        thread: u16,
        label: &str,
        target: Variable,
        rule: Rule,
        operands: &[Operand],
    ) {
        let values: Vec<i64> = operands.iter().map(|o| self.read(*o)).collect();
        let value = compute(rule, &values);
        self.values.insert(target, value);
        let effect = Effect::Assign {
            target,
            rule,
            operands: operands.into(),
            width: width(rule),
            value,
        };
        self.push(thread, label, effect);
    }

    fn push(&mut self, thread: u16, label: &str, effect: Effect) {
        let scope = self.scopes.entry(thread).or_default().last().copied();
        let site = self
            .labels
            .iter()
            .position(|l| l == label)
            .unwrap_or_else(|| {
                self.labels.push(label.to_string());
                self.labels.len() - 1
            });
        let step = u32::try_from(self.recording.statements.len()).expect("few");
        let site = u32::try_from(site).expect("few");
        self.recording.statements.push(Statement {
            thread,
            step,
            site,
            library: self.library,
            scope,
            effect,
        });
    }

    fn temporary(&mut self) -> Variable {
        self.temporaries += 1;
        Variable::Register {
            frame: 1,
            slot: self.temporaries,
        }
    }

    /// An operand for `e`; memory is loaded into a register first, as in compiled code.
    fn operand(&mut self, thread: u16, label: &str, e: &E) -> Operand {
        match e {
            E::C(n) => Operand::Constant(*n),
            E::V(name) => {
                let x = self.variable(name);
                if matches!(x, Variable::Register { .. }) {
                    self.read(Operand::Variable(x));
                    return Operand::Variable(x);
                }
                let register = self.temporary();
                self.assign(thread, label, register, Rule::Copy, &[Operand::Variable(x)]);
                Operand::Variable(register)
            }
            E::Apply(rule, of) => {
                let operands: Vec<Operand> =
                    of.iter().map(|e| self.operand(thread, label, e)).collect();
                let register = self.temporary();
                self.assign(thread, label, register, *rule, &operands);
                Operand::Variable(register)
            }
        }
    }

    /// `x := e`
    pub(crate) fn set(&mut self, thread: u16, label: &str, x: &'static str, e: &E) -> &mut Self {
        let operand = self.operand(thread, label, e);
        let x = self.variable(x);
        self.assign(thread, label, x, Rule::Copy, &[operand]);
        self
    }

    /// `x := cell`, read through `pointer`.
    pub(crate) fn set_through(
        &mut self,
        thread: u16,
        label: &str,
        (x, cell, pointer): (&'static str, &'static str, &'static str),
    ) -> &mut Self {
        let pointer = self.operand(thread, label, &v(pointer));
        let cell = Operand::Variable(self.variable(cell));
        let x = self.variable(x);
        self.assign(thread, label, x, Rule::Copy, &[cell, pointer]);
        self
    }

    /// `[a ∘ b]`, true in the run; opens a scope.
    pub(crate) fn when(
        &mut self,
        thread: u16,
        label: &str,
        a: &E,
        relation: Relation,
        b: &E,
    ) -> &mut Self {
        self.branch(thread, label, (a, relation, b), true)
    }

    /// `[a ∘ b]`, false in the run; opens a scope.
    pub(crate) fn unless(
        &mut self,
        thread: u16,
        label: &str,
        a: &E,
        relation: Relation,
        b: &E,
    ) -> &mut Self {
        self.branch(thread, label, (a, relation, b), false)
    }

    fn branch(
        &mut self,
        thread: u16,
        label: &str,
        (a, relation, b): (&E, Relation, &E),
        holds: bool,
    ) -> &mut Self {
        let operands = [
            self.operand(thread, label, a),
            self.operand(thread, label, b),
        ];
        let truth = self.temporary();
        self.assign(thread, label, truth, Rule::Compare(relation), &operands);
        assert_eq!(self.values[&truth] != 0, holds, "the condition {label}");
        self.push(
            thread,
            label,
            Effect::Condition {
                operand: Operand::Variable(truth),
                holds,
            },
        );
        let at = u32::try_from(self.recording.statements.len() - 1).expect("few");
        self.scopes.entry(thread).or_default().push(at);
        self
    }

    /// Ends the innermost scope of `thread`.
    pub(crate) fn end(&mut self, thread: u16) -> &mut Self {
        self.scopes.entry(thread).or_default().pop();
        self
    }

    /// The claim `a ∘ b`, false in the run, evaluated by `thread`.
    pub(crate) fn claim(&mut self, thread: u16, a: &E, relation: Relation, b: &E) -> &Recording {
        let operands = [
            self.operand(thread, "assert", a),
            self.operand(thread, "assert", b),
        ];
        let truth = self.temporary();
        self.assign(thread, "assert", truth, Rule::Compare(relation), &operands);
        assert_eq!(self.values[&truth], 0, "the claim must fail");
        let claim = (Operand::Variable(truth), Relation::Ne, 0);
        self.recording.claim = Claim {
            any_of: vec![vec![claim]],
        };
        &self.recording
    }

    /// The labels of the statements at these indices.
    pub(crate) fn labels(&self, statements: impl Iterator<Item = usize>) -> BTreeSet<&str> {
        statements
            .map(|i| self.labels[self.recording.statements[i].site as usize].as_str())
            .filter(|l| *l != "assert")
            .collect()
    }
}
