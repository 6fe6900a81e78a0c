//! The backward pass: from the violated claim to the statements that made it fail, with an invariant between any two of them.
//!
//! Error invariants (Holzer, Schwartz-Narbonne, Tabaei Befrouei, Weissenbacher and Wies, *Error Invariants for Concurrent Traces*, FM 2015)
//! are interpolants of a failing trace. No interpolating prover is needed for a *recorded* trace: every value is known, so any `I` with
//! `V ⇒ I ⇒ wp(A, I')` will do, where `V` is the recorded state; `V ⇒ I` is plain evaluation. The choice made here keeps invariants short and
//! lets them recur:
//!
//! * conjunctions are split into goals, of a true disjunction one disjunct is kept;
//! * *recurrence*: at `x := x₀ + c` a goal `F(x)` that held for `x₀` and is implied by `F(x₀)` is kept for `x₀`, and the statement is sliced away if that is so
//!   for every goal about `x`;
//! * a goal that grows too large is cut into `x = value` and the rest.
//!
//! Numbers are whole numbers: a sum, difference or product that wrapped around in the run is treated as an unknown function of its operands, and the others
//! are assumed not to wrap. Conversions between widths are exact.

use super::addresses;
use super::definitions::{Definitions, Source};
use super::linear::{Atom, Linear, Sign, Terms, Var};
use super::{Hazards, Level, Role};
use linspect_core::statement::{Effect, Relation, Rule, Variable};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// More terms than this in one goal, and it is cut.
const MAX_TERMS: usize = 6;

/// How far a value is followed through registers to find that it is an update of its own variable.
const MAX_EXPANSIONS: usize = 12;

/// A conjunct of the invariants: it holds from the statement that establishes it up to the one that needs it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// What holds.
    pub atom: Atom,
    /// From after this statement (`None`: from the beginning).
    pub from: Option<usize>,
    /// Up to before this statement (the number of statements: up to the claim).
    pub to: usize,
}

/// What the pass found.
pub(crate) struct Pass {
    /// Why each kept statement is kept.
    pub(crate) kept: BTreeMap<usize, Role>,
    /// The invariants' conjuncts, latest need first.
    pub(crate) goals: Vec<Goal>,
}

/// The atoms of a substitution: what must hold before, instead of the goal after.
type Atoms = SmallVec<[Atom; 2]>;

pub(crate) struct Backward<'a> {
    definitions: &'a Definitions<'a>,
    level: Level,
    /// Open goals by the latest variable in them, with the statement that needs each.
    open: BTreeMap<Var, FxHashMap<Atom, usize>>,
    kept: BTreeMap<usize, Role>,
    goals: Vec<Goal>,
}

impl<'a> Backward<'a> {
    pub(crate) fn run(definitions: &'a Definitions<'a>, level: Level) -> Pass {
        let mut this = Self {
            definitions,
            level,
            open: BTreeMap::new(),
            kept: BTreeMap::new(),
            goals: Vec::new(),
        };
        let end = definitions.recording.statements.len();
        for atom in this.negated_claim() {
            this.want(atom, end);
        }
        while let Some((var, goals)) = this.open.pop_last() {
            let mut goals: Vec<(Atom, usize)> = goals.into_iter().collect();
            goals.sort_unstable();
            let goals = strongest(goals);
            match definitions.statement(var) {
                Some(statement) => this.resolve(statement, var, goals),
                None => this.close(None, goals),
            }
        }
        Pass {
            kept: this.kept,
            goals: this.goals,
        }
    }

    /// One false conjunct per alternative of the claim, negated; conjuncts that serve several alternatives first.
    fn negated_claim(&self) -> Vec<Atom> {
        let d = self.definitions;
        let claim = &d.recording.claim.any_of;
        let mut candidates: Vec<(usize, Atoms)> = Vec::new();
        for (alternative, conjuncts) in claim.iter().enumerate() {
            for (i, &(_, relation, constant)) in conjuncts.iter().enumerate() {
                let source = d.claim[alternative][i];
                if let Some(atoms) = self.falsified(source, relation, constant) {
                    candidates.push((alternative, atoms));
                }
            }
        }
        let mut unserved: Vec<usize> = (0..claim.len()).collect();
        let mut chosen = Vec::new();
        while let Some(&first) = unserved.first() {
            let serves = |atoms: &Atoms, alternative: usize| {
                candidates
                    .iter()
                    .any(|(a, other)| *a == alternative && implied_by(other, atoms))
            };
            let best = candidates
                .iter()
                .filter(|(a, _)| *a == first)
                .map(|(_, atoms)| atoms)
                .max_by_key(|atoms| unserved.iter().filter(|&&u| serves(atoms, u)).count());
            let Some(best) = best else { break };
            unserved.retain(|&u| u != first && !serves(best, u));
            chosen.extend(best.iter().cloned());
        }
        chosen
    }

    /// The negation of one conjunct of the claim, if it is false in the run.
    fn falsified(&self, source: Source, relation: Relation, constant: i64) -> Option<Atoms> {
        let value = self.definitions.value_of(source);
        if relation.holds(value, constant) {
            return None;
        }
        self.relate(relation.negated(), source, Source::Constant(constant))
    }

    /// Atoms, true in the run, that imply `a ∘ b`.
    fn relate(&self, relation: Relation, a: Source, b: Source) -> Option<Atoms> {
        let (x, y) = (self.definitions.value_of(a), self.definitions.value_of(b));
        debug_assert!(relation.holds(x, y));
        let signed = match relation {
            Relation::Ult => Relation::Lt,
            Relation::Ule => Relation::Le,
            Relation::Ugt => Relation::Gt,
            Relation::Uge => Relation::Ge,
            same => return Some(smallvec![Atom::compare(same, &a.linear(), &b.linear())?]),
        };
        if x < 0 || y < 0 {
            return Some(self.fix(&[a, b]));
        }
        // 0 ≤ smaller ≤ larger implies the unsigned relation.
        let smaller = if matches!(signed, Relation::Lt | Relation::Le) {
            a
        } else {
            b
        };
        let zero = Linear::constant(0);
        Some(smallvec![
            Atom::compare(signed, &a.linear(), &b.linear())?,
            Atom::compare(Relation::Ge, &smaller.linear(), &zero)?,
        ])
    }

    /// Every source has its recorded value.
    fn fix(&self, sources: &[Source]) -> Atoms {
        let defined = sources.iter().filter_map(|s| match s {
            Source::Defined(v) => Some(Atom::fixed(*v, self.definitions.value(*v))),
            Source::Constant(_) => None,
        });
        defined.collect()
    }

    /// Adds a goal that is needed at `at`.
    fn want(&mut self, atom: Atom, at: usize) {
        debug_assert!(atom.holds(|v| self.definitions.value(v)), "{atom:?}");
        let Some(latest) = atom.latest() else { return };
        let needed = self
            .open
            .entry(latest)
            .or_default()
            .entry(atom)
            .or_insert(at);
        *needed = (*needed).max(at);
    }

    /// Records goals as established after `from`.
    fn close(&mut self, from: Option<usize>, goals: Vec<(Atom, usize)>) {
        let closed = goals.into_iter().map(|(atom, to)| Goal { atom, from, to });
        self.goals.extend(closed);
    }

    /// Replaces the goals about the variable that `statement` defines by goals about what was before it.
    fn resolve(&mut self, statement: usize, var: Var, goals: Vec<(Atom, usize)>) {
        let recurring: Option<Vec<Atom>> = goals.iter().map(|(a, _)| self.recur(var, a)).collect();
        match recurring {
            // Without the statement the old version has to do, so it has to do for every goal: one that keeps the statement needs it executed for all.
            Some(earlier) => {
                for goal in earlier {
                    self.want(goal, statement);
                }
            }
            None => self.keep(statement, var, &goals),
        }
        self.close(Some(statement), goals);
    }

    /// The statement is in the slice: what it needs for these goals about its variable is wanted before it.
    fn keep(&mut self, statement: usize, var: Var, goals: &[(Atom, usize)]) {
        for (atom, _) in goals {
            for goal in self.before(statement, var, atom) {
                self.want(goal, statement);
            }
        }
        self.kept.insert(statement, Role::Value);
        if self.level.control {
            self.want_guards(statement);
            // Where an access goes is decided like whether it happens.
            for decision in addresses::decisions(self.definitions, statement) {
                let value = self.definitions.value(decision);
                self.want(Atom::fixed(decision, value), statement);
            }
        }
    }

    /// The statement is only executed because of the conditions around it: they become goals.
    fn want_guards(&mut self, statement: usize) {
        let statements = &self.definitions.recording.statements;
        let mut scope = self.definitions.scope(statement);
        while let Some(condition) = scope {
            if self.kept.insert(condition, Role::Guard).is_some() {
                break;
            }
            if let Effect::Condition { holds, .. } = statements[condition].effect {
                let relation = if holds { Relation::Ne } else { Relation::Eq };
                let source = self.definitions.sources(condition)[0];
                if let Some(atoms) = self.relate(relation, source, Source::Constant(0)) {
                    for atom in atoms {
                        self.want(atom, condition);
                    }
                }
            }
            scope = self.definitions.scope(condition);
        }
    }

    /// `F(x₀)` where `x₀` is the variable's version before: if it held, and implies `F(x)`.
    fn recur(&self, var: Var, atom: &Atom) -> Option<Atom> {
        let d = self.definitions;
        // Where hazards count, who wrote shared memory last matters in itself.
        if self.level.hazards != Hazards::Ignored
            && matches!(d.variable(var), Some(Variable::Cell(l)) if d.is_shared(l))
        {
            return None;
        }
        let old = d.previous(var)?;
        let new = self.expand(var, old)?;
        let change = new.plus(-1, &Linear::variable(old))?;
        if new.coefficient(old) == 0 || !change.terms.is_empty() {
            return None;
        }
        let earlier = atom.substitute(var, &Linear::variable(old))?;
        let effect = atom.linear.coefficient(var).checked_mul(change.constant)?;
        let implied = match atom.sign {
            Sign::AtMost => effect <= 0,
            Sign::Zero | Sign::NotZero => effect == 0,
        };
        (implied && earlier.holds(|v| d.value(v))).then_some(earlier)
    }

    /// The value of `var` in terms of `old`, through the registers between. A detour through other memory is no update: it stays in the slice.
    fn expand(&self, var: Var, old: Var) -> Option<Linear> {
        let d = self.definitions;
        let mut linear = Linear::variable(var);
        for _ in 0..MAX_EXPANSIONS {
            let latest = linear.terms.last().map(|t| t.0).filter(|&v| v > old);
            let Some(latest) = latest else { break };
            if latest != var && matches!(d.variable(latest), Some(Variable::Cell(_))) {
                return None;
            }
            let statement = d.statement(latest)?;
            let by = d.linear(statement)?;
            linear = linear.substitute(latest, &by)?;
        }
        Some(linear)
    }

    /// What must hold before `statement` so that `atom`, about its variable, holds after.
    fn before(&self, statement: usize, var: Var, atom: &Atom) -> Atoms {
        let d = self.definitions;
        if let Some(linear) = d.linear(statement)
            && let Some(proviso) = d.proviso(statement)
            && let Some(before) = atom.substitute(var, &linear)
            && before.linear.terms.len() <= MAX_TERMS
        {
            return proviso.atom().into_iter().chain([before]).collect();
        }
        let mut before = self.causes(statement, var, atom);
        // The goal's other variables stay, with this one at its recorded value.
        match atom.substitute(var, &Linear::constant(d.value(var))) {
            Some(rest) if rest.is_trivial() => {}
            Some(rest) => before.push(rest),
            None => {
                let others = atom.linear.terms.iter().map(|t| t.0).filter(|v| *v != var);
                before.extend(others.map(|v| Atom::fixed(v, d.value(v))));
            }
        }
        before
    }

    /// Why the statement's variable has its recorded value, or a value that does as well for a goal about it alone.
    fn causes(&self, statement: usize, var: Var, atom: &Atom) -> Atoms {
        let d = self.definitions;
        let sources = d.sources(statement);
        let Some((rule, width)) = d.rule(statement) else {
            return self.fix(sources);
        };
        let value = d.value(var);
        let alone = atom.linear.terms.len() == 1;
        let causes = match (rule, sources) {
            (Rule::Compare(relation) | Rule::CompareAddresses(relation), &[a, b]) => {
                let either = |n: i64| atom.holds(|v| if v == var { n } else { d.value(v) });
                if alone && either(0) && either(1) && either(-1) {
                    return SmallVec::new();
                }
                let mut relation = if value != 0 {
                    relation
                } else {
                    relation.negated()
                };
                // The side on which the recorded values differ says more, and can recur.
                if relation == Relation::Ne && matches!(rule, Rule::Compare(_)) && width > 1 {
                    relation = if d.value_of(a) < d.value_of(b) {
                        Relation::Lt
                    } else {
                        Relation::Gt
                    };
                }
                self.relate(relation, a, b)
            }
            (Rule::Select, &[condition, yes, no]) => {
                let taken = d.value_of(condition) != 0;
                let relation = if taken { Relation::Ne } else { Relation::Eq };
                let decided = self.relate(relation, condition, Source::Constant(0));
                decided.map(|mut causes| {
                    causes.extend(self.fix(&[if taken { yes } else { no }]));
                    causes
                })
            }
            // One zero is enough.
            (Rule::Mul | Rule::And, sources) if value == 0 => {
                let zero = sources.iter().find(|s| d.value_of(**s) == 0);
                zero.map(|zero| self.fix(&[*zero]))
            }
            (Rule::Input, _) => return SmallVec::new(),
            _ => None,
        };
        causes.unwrap_or_else(|| self.fix(sources))
    }
}

/// Goals about one variable without those that others imply; what remains is needed as long as what it implies was.
///
/// Without this the rounds of a loop, each with a bound of its own for the counter, would make the pass quadratic.
fn strongest(goals: Vec<(Atom, usize)>) -> Vec<(Atom, usize)> {
    let mut kept: Vec<(Atom, usize)> = Vec::new();
    let mut bounds: FxHashMap<Terms, usize> = FxHashMap::default();
    for (atom, to) in goals {
        if atom.sign != Sign::AtMost {
            kept.push((atom, to));
            continue;
        }
        match bounds.get(&atom.linear.terms) {
            Some(&at) => {
                let (bound, needed) = &mut kept[at];
                *needed = to.max(*needed);
                // terms + constant ≤ 0
                bound.linear.constant = bound.linear.constant.max(atom.linear.constant);
            }
            None => {
                bounds.insert(atom.linear.terms.clone(), kept.len());
                kept.push((atom, to));
            }
        }
    }
    kept
}

fn implied_by(wanted: &Atoms, given: &Atoms) -> bool {
    wanted.iter().all(|w| given.iter().any(|g| g.implies(w)))
}
