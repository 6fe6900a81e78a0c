//! The self-check of an explanation: every step of the invariants by linear rules, the slice by execution.

use super::definitions::{Definitions, Proviso, Source};
use super::linear::{Atom, Linear, Sign, Var};
use super::{Explained, Goal, Role};
use linspect_core::statement::{Effect, Operand, Relation, Rule, Variable};
use rustc_hash::FxHashMap;

/// What is wrong with an explanation: a defect of this program, never of the user's.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Flaw {
    /// An invariant does not hold in the run itself.
    #[error("an invariant is false in the recorded run: {0}")]
    False(String),
    /// An invariant does not follow from the one before and the statement between.
    #[error("after statement {statement} the invariant {atom} does not follow")]
    Gap {
        /// The statement.
        statement: usize,
        /// What does not follow.
        atom: String,
    },
    /// A condition of the slice is false when only the slice is executed.
    #[error("the slice blocks at the condition of statement {0}")]
    Blocks(usize),
    /// The slice alone does not violate the claim.
    #[error("the slice does not violate the claim")]
    Harmless,
}

/// `given` before `statement` implies `then` after it.
pub(super) struct Inference<'a> {
    pub(super) statement: usize,
    pub(super) given: Vec<&'a Atom>,
    pub(super) then: &'a Atom,
}

impl Explained<'_> {
    /// Checks every step of the invariants, and executes the slice.
    pub fn certify(&self) -> Result<(), Flaw> {
        self.check_steps()?;
        // What is not in the slice may have had any value: try several.
        (0..4).try_for_each(|seed| self.execute(seed))
    }

    fn check_steps(&self) -> Result<(), Flaw> {
        let d = &self.definitions;
        if let Some(goal) = self
            .slice
            .goals
            .iter()
            .find(|g| !g.atom.holds(|v| d.value(v)))
        {
            return Err(Flaw::False(self.show(&goal.atom)));
        }
        for step in self.steps() {
            if !self.follows(&step) {
                let atom = self.show(step.then);
                return Err(Flaw::Gap {
                    statement: step.statement,
                    atom,
                });
            }
        }
        Ok(())
    }

    /// Whether a step follows. A statement that was sliced away left everything as it was, so the old version stands for the new one; one that is
    /// only a hazard wrote anything.
    fn follows(&self, step: &Inference<'_>) -> bool {
        let d = &self.definitions;
        let premises = Premises::of(&step.given);
        match self.slice.kept.get(&step.statement) {
            Some(Role::Value) => follows(d, step.statement, step.then, &premises),
            Some(Role::Guard | Role::Hazard) => false,
            None => {
                let var = d.var(step.statement);
                d.previous(var)
                    .is_some_and(|old| premises.entail_with(step.then, var, &Linear::variable(old)))
            }
        }
    }

    /// One step per conjunct that some statement establishes, with the conjuncts before it that have a variable in common.
    pub(super) fn steps(&self) -> Vec<Inference<'_>> {
        let d = &self.definitions;
        let mut about: FxHashMap<Var, Vec<&Goal>> = FxHashMap::default();
        for goal in &self.slice.goals {
            for &(v, _) in &goal.atom.linear.terms {
                about.entry(v).or_default().push(goal);
            }
        }
        let step = |goal: &'_ Goal| {
            let statement = goal.from?;
            let vars = goal.atom.linear.terms.iter().map(|t| t.0);
            let sources = d.sources(statement).iter().filter_map(|s| match s {
                Source::Defined(v) => Some(*v),
                Source::Constant(_) => None,
            });
            let related = vars.chain(sources).chain(d.previous(d.var(statement)));
            let alive =
                |g: &&&Goal| g.from.is_none_or(|from| from < statement) && statement <= g.to;
            let given = related
                .filter_map(|v| about.get(&v))
                .flatten()
                .filter(alive)
                .map(|g| &g.atom)
                .collect();
            Some((statement, given))
        };
        let goals = self.slice.goals.iter();
        goals
            .filter_map(|goal| {
                let (statement, given) = step(goal)?;
                Some(Inference {
                    statement,
                    given,
                    then: &goal.atom,
                })
            })
            .collect()
    }

    /// Runs the kept statements alone; everything else has an arbitrary value. The claim must fail.
    fn execute(&self, seed: i64) -> Result<(), Flaw> {
        let recording = self.definitions.recording;
        let mut state: FxHashMap<Variable, i64> = recording.initial.clone();
        let read = |state: &FxHashMap<Variable, i64>, operand: &Operand| match operand {
            Operand::Constant(c) => *c,
            Operand::Variable(v) => state.get(v).copied().unwrap_or(arbitrary(*v, seed)),
        };
        for (&i, &role) in &self.slice.kept {
            match &recording.statements[i].effect {
                Effect::Assign {
                    target, operands, ..
                } => {
                    let values: Vec<i64> = operands.iter().map(|o| read(&state, o)).collect();
                    // A hazard writes something at its place; what it writes must not matter.
                    let value = match role {
                        Role::Hazard => arbitrary(*target, seed ^ 0x55),
                        _ => apply(&self.definitions, i, &values),
                    };
                    state.insert(*target, value);
                }
                Effect::Condition { operand, holds } => {
                    if role == Role::Guard && (read(&state, operand) != 0) != *holds {
                        return Err(Flaw::Blocks(i));
                    }
                }
            }
        }
        let holds = recording.claim.any_of.iter().any(|all| {
            all.iter()
                .all(|(operand, relation, c)| relation.holds(read(&state, operand), *c))
        });
        if holds { Err(Flaw::Harmless) } else { Ok(()) }
    }
}

/// Some value that depends on the variable and the seed only.
fn arbitrary(variable: Variable, seed: i64) -> i64 {
    let (a, b) = match variable {
        Variable::Register { frame, slot } => (frame, slot),
        Variable::Cell(l) => (l.allocation, l.offset),
    };
    let mixed = (i64::from(a) << 20 ^ i64::from(b) ^ seed << 40)
        .wrapping_mul(0x9E37_79B9_7F4A_7C15_u64.cast_signed());
    mixed >> 40
}

/// The value of statement `i` for these operands; the recorded one where its rule is not known. What did not wrap in the run is assumed not to.
fn apply(d: &Definitions<'_>, i: usize, operands: &[i64]) -> i64 {
    let recorded = d.value(d.var(i));
    let Some((rule, width)) = d.rule(i) else {
        return recorded;
    };
    let unused = 64 - u32::from(width.clamp(1, 64));
    let cut = |n: i64| n << unused >> unused;
    let wrap = |n: i64| if d.linear(i).is_some() { n } else { cut(n) };
    match (rule, operands) {
        (Rule::Copy, &[a, ..]) => a,
        (Rule::Add, &[a, b]) => wrap(a.wrapping_add(b)),
        (Rule::Sub, &[a, b]) => wrap(a.wrapping_sub(b)),
        (Rule::Mul, &[a, b]) => wrap(a.wrapping_mul(b)),
        (Rule::And, &[a, b]) => a & b,
        (Rule::Or, &[a, b]) => a | b,
        (Rule::Xor, &[a, b]) => a ^ b,
        // A comparison's truth is recorded as 1 or, sign-extended from one bit, as -1.
        (Rule::Compare(relation) | Rule::CompareAddresses(relation), &[a, b]) => {
            let truth = if recorded != 0 { recorded } else { 1 };
            if relation.holds(a, b) { truth } else { 0 }
        }
        (Rule::Select, &[c, a, b]) => {
            if c != 0 {
                a
            } else {
                b
            }
        }
        (Rule::Truncate, &[a]) if width == 1 => a & 1,
        (Rule::Truncate, &[a]) => cut(a),
        (Rule::SignExtend(_), &[a]) => a,
        (Rule::ZeroExtend(from), &[a]) if from < 63 && a < 0 => a + (1 << from),
        (Rule::ZeroExtend(_), &[a]) => a,
        _ => recorded,
    }
}

/// Whether `premises` before and the statement between, executed, imply `atom` after, by substitution and one linear step.
fn follows(d: &Definitions<'_>, statement: usize, atom: &Atom, premises: &Premises<'_>) -> bool {
    let var = d.var(statement);
    let (Some((rule, _)), sources) = (d.rule(statement), d.sources(statement)) else {
        return false;
    };
    let entailed = |wanted: &Atom| premises.entail(wanted);
    let via = |value: &Linear| premises.entail_with(atom, var, value);
    let linear = d.linear(statement).filter(|_| {
        let proviso = d.proviso(statement).map(Proviso::atom);
        proviso.is_some_and(|p| p.is_none_or(|atom| entailed(&atom)))
    });
    if linear.is_some_and(|value| via(&value)) {
        return true;
    }
    let recorded = Linear::constant(d.value(var));
    let determined = match (rule, sources) {
        (Rule::Input, _) => true,
        (Rule::Compare(relation) | Rule::CompareAddresses(relation), [a, b]) => {
            let one_of = [0, 1, -1].map(|n| via(&Linear::constant(n)));
            if one_of == [true; 3] {
                return true;
            }
            let relation = if d.value(var) != 0 {
                relation
            } else {
                relation.negated()
            };
            let related = Atom::compare(signed(relation), &a.linear(), &b.linear());
            let smaller = if matches!(signed(relation), Relation::Lt | Relation::Le) {
                a
            } else {
                b
            };
            let not_negative = Atom::compare(Relation::Ge, &smaller.linear(), &Linear::constant(0));
            let same_order =
                signed(relation) == relation || not_negative.is_some_and(|n| entailed(&n));
            related.is_some_and(|r| entailed(&r) && same_order) || all_fixed(d, sources, &entailed)
        }
        (Rule::Select, [c, a, b]) => {
            let taken = Atom {
                sign: Sign::NotZero,
                linear: c.linear(),
            };
            let not_taken = Atom {
                sign: Sign::Zero,
                linear: c.linear(),
            };
            let fixed = |s: &Source| entailed(&equals(s, d.value(var)));
            (entailed(&taken) && fixed(a)) || (entailed(&not_taken) && fixed(b))
        }
        (Rule::Mul | Rule::And, sources) if d.value(var) == 0 => {
            sources.iter().any(|s| entailed(&equals(s, 0))) || all_fixed(d, sources, &entailed)
        }
        (_, sources) => all_fixed(d, sources, &entailed),
    };
    determined && via(&recorded)
}

/// What is known before a statement.
struct Premises<'a> {
    given: &'a [&'a Atom],
    /// Those that say which value a variable has.
    constants: Vec<(Var, i128)>,
}

impl<'a> Premises<'a> {
    fn of(given: &'a [&'a Atom]) -> Self {
        let constants = given.iter().filter_map(|g| constant(g)).collect();
        Self { given, constants }
    }

    fn entail(&self, wanted: &Atom) -> bool {
        if wanted.is_trivial() || self.given.iter().any(|g| g.implies(wanted)) {
            return true;
        }
        self.reduce(wanted).is_some_and(|w| {
            let reduced = |g: &&Atom| self.reduce(g).is_some_and(|g| g.implies(&w));
            w.is_trivial() || self.given.iter().any(reduced)
        })
    }

    /// Whether they imply `atom` with `value` for `var`.
    fn entail_with(&self, atom: &Atom, var: Var, value: &Linear) -> bool {
        let before = atom.substitute(var, value);
        before.is_some_and(|before| self.entail(&before))
    }

    /// An atom with all known values in their places.
    fn reduce(&self, atom: &Atom) -> Option<Atom> {
        let known = self.constants.iter();
        known.copied().try_fold(atom.clone(), |atom, (v, c)| {
            atom.substitute(v, &Linear::constant(c))
        })
    }
}

fn all_fixed(d: &Definitions<'_>, sources: &[Source], entailed: &impl Fn(&Atom) -> bool) -> bool {
    sources.iter().all(|s| match s {
        Source::Constant(_) => true,
        Source::Defined(v) => entailed(&Atom::fixed(*v, d.value(*v))),
    })
}

fn equals(source: &Source, value: i64) -> Atom {
    let linear = source.linear();
    Atom {
        sign: Sign::Zero,
        linear: Linear {
            constant: linear.constant - i128::from(value),
            ..linear
        },
    }
}

/// The signed counterpart: the same where the smaller side is not negative.
fn signed(relation: Relation) -> Relation {
    match relation {
        Relation::Ult => Relation::Lt,
        Relation::Ule => Relation::Le,
        Relation::Ugt => Relation::Gt,
        Relation::Uge => Relation::Ge,
        same => same,
    }
}

/// `v = c`, if that is what the atom says.
fn constant(atom: &Atom) -> Option<(Var, i128)> {
    match (atom.sign, &atom.linear.terms[..]) {
        (Sign::Zero, &[(v, 1)]) => Some((v, -atom.linear.constant)),
        (Sign::Zero, &[(v, -1)]) => Some((v, atom.linear.constant)),
        _ => None,
    }
}
