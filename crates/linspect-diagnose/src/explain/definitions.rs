//! A recording in single-assignment form: which statement gave each operand its value.

use super::addresses;
use super::linear::{Atom, Linear, Sign, Var};
use linspect_core::execution::Location;
use linspect_core::schedule::ThreadId;
use linspect_core::statement::{Effect, Operand, Recording, Rule, Variable};
use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use std::collections::BTreeMap;

/// No piece of memory in a recording is longer.
const LONGEST: u32 = 64;

/// How far scopes are followed outwards.
const NESTED: usize = 64;

/// A variable that is read although nothing gave it a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the recording is incomplete: {0:?} is read but has no value")]
pub struct Orphan(pub Variable);

/// What an operand is, once the statement that defined it is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Source {
    /// A constant.
    Constant(i64),
    /// The value that this variable has for ever.
    Defined(Var),
}

impl Source {
    pub(crate) fn linear(self) -> Linear {
        match self {
            Self::Constant(c) => Linear::constant(c),
            Self::Defined(v) => Linear::variable(v),
        }
    }
}

/// What must hold for a statement to be linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proviso {
    /// Nothing.
    Nothing,
    /// This variable is not negative.
    NotNegative(Var),
}

impl Proviso {
    pub(crate) fn atom(self) -> Option<Atom> {
        match self {
            Self::Nothing => None,
            // -v ≤ 0
            Self::NotNegative(v) => Some(Atom {
                sign: Sign::AtMost,
                linear: Linear {
                    constant: 0,
                    terms: smallvec![(v, -1)],
                },
            }),
        }
    }
}

/// Statements in order, per thread.
type ByThread = BTreeMap<ThreadId, Vec<usize>>;

/// Variables are numbered so that later definitions have larger numbers: first the initial values, then one per statement.
pub(crate) struct Definitions<'a> {
    pub(crate) recording: &'a Recording,
    /// How many variables are initial values.
    initial: u32,
    /// The recorded value of every variable; 0 for a condition, which defines nothing.
    values: Vec<i64>,
    /// What each variable is a version of.
    variables: Vec<Option<Variable>>,
    /// The sources of each statement's operands.
    sources: Vec<SmallVec<[Source; 2]>>,
    /// The version of the same variable before each statement's definition.
    previous: Vec<Option<Var>>,
    /// The sources of the claim, alternative by alternative.
    pub(crate) claim: Vec<Vec<Source>>,
    /// Whether an operand's memory was last written piecewise, so that it is no plain copy of one write.
    mixed: Vec<bool>,
    /// Writes per piece of memory and thread, in order.
    writes: FxHashMap<u32, BTreeMap<(u32, u32), ByThread>>,
    /// The innermost condition around each statement that decided something.
    scopes: Vec<Option<usize>>,
    /// The first statement of each thread.
    begins: FxHashMap<ThreadId, usize>,
    /// Who accesses each allocation, if it is one thread only.
    owner: FxHashMap<u32, Option<ThreadId>>,
}

impl<'a> Definitions<'a> {
    pub(crate) fn of(recording: &'a Recording) -> Result<Self, Orphan> {
        let mut initial: Vec<(Variable, i64)> =
            recording.initial.iter().map(|(&v, &n)| (v, n)).collect();
        initial.sort_unstable();
        let mut resolver = Resolver::default();
        let mut values = Vec::new();
        let mut variables = Vec::new();
        for &(variable, value) in &initial {
            resolver.define(variable, to_var(values.len()));
            values.push(value);
            variables.push(Some(variable));
        }
        let count = to_var(values.len());
        let mut this = Self {
            recording,
            initial: count,
            values,
            variables,
            sources: Vec::with_capacity(recording.statements.len()),
            previous: Vec::with_capacity(recording.statements.len()),
            claim: Vec::new(),
            mixed: Vec::with_capacity(recording.statements.len()),
            writes: FxHashMap::default(),
            scopes: Vec::with_capacity(recording.statements.len()),
            begins: FxHashMap::default(),
            owner: owners(recording),
        };
        for (i, statement) in recording.statements.iter().enumerate() {
            this.begins.entry(statement.thread).or_insert(i);
        }
        this.resolve(&mut resolver)?;
        this.decide();
        Ok(this)
    }

    /// Finds the conditions that decided something: all but those of libraries that could not have gone the other way.
    fn decide(&mut self) {
        let statements = &self.recording.statements;
        let mut forced = vec![false; statements.len()];
        for (i, statement) in statements.iter().enumerate() {
            let around = statement.scope.map(|c| c as usize);
            let scope = around.and_then(|c| if forced[c] { self.scopes[c] } else { Some(c) });
            self.scopes.push(scope);
            let condition = matches!(statement.effect, Effect::Condition { .. });
            forced[i] = condition && statement.library && addresses::is_forced(self, i);
        }
    }

    /// The innermost condition that decided that `statement` was executed at all.
    pub(crate) fn scope(&self, statement: usize) -> Option<usize> {
        self.scopes[statement]
    }

    fn resolve(&mut self, resolver: &mut Resolver) -> Result<(), Orphan> {
        for (i, statement) in self.recording.statements.iter().enumerate() {
            let mut mixed = false;
            match &statement.effect {
                Effect::Assign {
                    target,
                    operands,
                    value,
                    ..
                } => {
                    let mut sources = SmallVec::new();
                    for operand in operands {
                        mixed |= resolver.sources(*operand, &mut sources)?;
                    }
                    self.sources.push(sources);
                    self.previous.push(resolver.exact(*target));
                    let var = to_var(self.values.len());
                    resolver.define(*target, var);
                    self.values.push(*value);
                    self.variables.push(Some(*target));
                    if let Variable::Cell(location) = target {
                        self.writes
                            .entry(location.allocation)
                            .or_default()
                            .entry((location.offset, location.size))
                            .or_default()
                            .entry(statement.thread)
                            .or_default()
                            .push(i);
                    }
                }
                Effect::Condition { operand, .. } => {
                    let mut sources = SmallVec::new();
                    mixed = resolver.sources(*operand, &mut sources)?;
                    self.sources.push(sources);
                    self.previous.push(None);
                    self.values.push(0);
                    self.variables.push(None);
                }
            }
            self.mixed.push(mixed);
        }
        self.claim = self
            .recording
            .claim
            .any_of
            .iter()
            .map(|all| {
                let mut sources = SmallVec::new();
                for (operand, _, _) in all {
                    resolver.sources(*operand, &mut sources)?;
                }
                Ok(sources.into_vec())
            })
            .collect::<Result<_, _>>()?;
        Ok(())
    }

    /// The variable that statement `i` defines.
    pub(crate) fn var(&self, statement: usize) -> Var {
        self.initial + to_var(statement)
    }

    /// The statement that defines `v`; `None` for an initial value.
    pub(crate) fn statement(&self, v: Var) -> Option<usize> {
        v.checked_sub(self.initial).map(|i| i as usize)
    }

    pub(crate) fn value(&self, v: Var) -> i64 {
        self.values[v as usize]
    }

    pub(crate) fn variable(&self, v: Var) -> Option<Variable> {
        self.variables[v as usize]
    }

    pub(crate) fn sources(&self, statement: usize) -> &[Source] {
        &self.sources[statement]
    }

    /// The value of `v` before its definition.
    pub(crate) fn previous(&self, v: Var) -> Option<Var> {
        self.statement(v).and_then(|i| self.previous[i])
    }

    pub(crate) fn thread(&self, statement: usize) -> ThreadId {
        self.recording.statements[statement].thread
    }

    /// The rule of an assignment; memory written in pieces makes a copy some other function.
    pub(crate) fn rule(&self, statement: usize) -> Option<(Rule, u8)> {
        match self.recording.statements[statement].effect {
            Effect::Assign { rule, width, .. } if self.mixed[statement] => Some((
                if rule == Rule::Input {
                    Rule::Input
                } else {
                    Rule::Function
                },
                width,
            )),
            Effect::Assign { rule, width, .. } => Some((rule, width)),
            Effect::Condition { .. } => None,
        }
    }

    /// Statements that write memory overlapping `location`: in order per piece and thread.
    pub(crate) fn writes(&self, location: Location) -> impl Iterator<Item = (ThreadId, &[usize])> {
        self.writes
            .get(&location.allocation)
            .into_iter()
            .flat_map(move |pieces| overlapping(pieces, location))
            .flat_map(|(_, by_thread)| by_thread)
            .map(|(&thread, statements)| (thread, &statements[..]))
    }

    /// Whether no other thread could have made what `reader` read there another: it was written by itself or before its thread began, and every other
    /// write comes before or after that in the order of these threads themselves.
    pub(crate) fn is_settled(
        &self,
        location: Location,
        writer: Option<usize>,
        reader: usize,
    ) -> bool {
        let own = self.thread(reader);
        let writing = writer.map_or(own, |w| self.thread(w));
        let in_time = writer.is_none_or(|w| writing == own || w < self.begin(own));
        let ordered = |(thread, all): (ThreadId, &[usize])| match (all.first(), all.last()) {
            _ if thread == own && thread == writing => true,
            (_, Some(last)) if thread == writing => Some(*last) <= writer,
            (Some(first), _) if thread == own => *first > reader,
            _ => false,
        };
        !self.is_shared(location) || in_time && self.writes(location).all(ordered)
    }

    /// The first statement of a thread.
    pub(crate) fn begin(&self, thread: ThreadId) -> usize {
        self.begins.get(&thread).copied().unwrap_or(0)
    }

    /// Whether every condition that decided that `outer` was executed decided the same of `inner`, seen over a few levels: the rounds of a loop lie in each
    /// other.
    pub(crate) fn is_within(&self, inner: usize, outer: usize) -> bool {
        let Some(wanted) = self.scope(outer) else {
            return true;
        };
        let mut scope = self.scope(inner);
        for _ in 0..NESTED {
            match scope {
                Some(condition) if condition == wanted => return true,
                Some(condition) if condition > wanted => {
                    scope = self.scope(condition);
                }
                _ => return false,
            }
        }
        false
    }

    /// The statement's value as a linear term, if it is one as long as nothing wraps or is cut, as in the run.
    pub(crate) fn linear(&self, statement: usize) -> Option<Linear> {
        let (rule, width) = self.rule(statement)?;
        let recorded = self.value(self.var(statement));
        let linear = match (rule, self.sources(statement)) {
            (Rule::Copy, [a, ..])
            | (Rule::Truncate | Rule::ZeroExtend(_) | Rule::SignExtend(_), [a]) => a.linear(),
            (Rule::Add, [a, b]) => a.linear().plus(1, &b.linear())?,
            (Rule::Sub, [a, b]) => a.linear().plus(-1, &b.linear())?,
            (Rule::Mul, [a, Source::Constant(c)] | [Source::Constant(c), a]) => {
                Linear::constant(0).plus((*c).into(), &a.linear())?
            }
            // not
            (Rule::Xor, [a, Source::Constant(-1 | 1)]) if width == 1 => {
                let one = Linear::constant(self.value_of(*a) + recorded);
                one.plus(-1, &a.linear())?
            }
            _ => return None,
        };
        (linear.evaluate(|v| self.value(v)) == recorded.into()).then_some(linear)
    }

    /// What must hold, besides that sums do not wrap, for [`Self::linear`] to be the statement's value; `None` if it is not for sure.
    pub(crate) fn proviso(&self, statement: usize) -> Option<Proviso> {
        match (self.rule(statement)?.0, self.sources(statement)) {
            (Rule::Truncate, _) => None,
            (Rule::ZeroExtend(from), &[Source::Defined(v)]) if from > 1 => {
                Some(Proviso::NotNegative(v))
            }
            _ => Some(Proviso::Nothing),
        }
    }

    /// The pointer that an access to memory goes through.
    pub(crate) fn address(&self, statement: usize) -> Option<Var> {
        match (self.rule(statement)?.0, self.sources(statement)) {
            (Rule::Copy, &[_, Source::Defined(pointer)]) => Some(pointer),
            _ => None,
        }
    }

    /// The recorded value of a source.
    pub(crate) fn value_of(&self, source: Source) -> i64 {
        match source {
            Source::Constant(c) => c,
            Source::Defined(v) => self.value(v),
        }
    }

    /// Whether more than one thread accesses this memory's allocation.
    pub(crate) fn is_shared(&self, location: Location) -> bool {
        self.owner.get(&location.allocation) == Some(&None)
    }

    /// The memory that statement `i` reads, with the statement that wrote what it read.
    pub(crate) fn reads(
        &self,
        statement: usize,
    ) -> impl Iterator<Item = (Location, Option<usize>)> {
        let operands: &[Operand] = match &self.recording.statements[statement].effect {
            Effect::Assign { operands, .. } => operands,
            Effect::Condition { operand, .. } => std::slice::from_ref(operand),
        };
        operands
            .iter()
            .zip(&self.sources[statement])
            .filter_map(|(operand, source)| match (operand, source) {
                (Operand::Variable(Variable::Cell(l)), Source::Defined(v)) => {
                    Some((*l, self.statement(*v)))
                }
                _ => None,
            })
    }
}

fn owners(recording: &Recording) -> FxHashMap<u32, Option<ThreadId>> {
    let mut owner: FxHashMap<u32, Option<ThreadId>> = FxHashMap::default();
    for statement in &recording.statements {
        let (target, operands) = match &statement.effect {
            Effect::Assign {
                target, operands, ..
            } => (Some(*target), &operands[..]),
            Effect::Condition { operand, .. } => (None, std::slice::from_ref(operand)),
        };
        let read = operands.iter().filter_map(|o| match o {
            Operand::Variable(v) => Some(*v),
            Operand::Constant(_) => None,
        });
        for variable in read.chain(target) {
            if let Variable::Cell(location) = variable {
                let owner = owner
                    .entry(location.allocation)
                    .or_insert(Some(statement.thread));
                if *owner != Some(statement.thread) {
                    *owner = None;
                }
            }
        }
    }
    owner
}

fn to_var(n: usize) -> Var {
    Var::try_from(n).expect("fewer than 2^32 statements")
}

/// What is kept for the pieces of an allocation that overlap `location`, by offset.
fn overlapping<T>(
    pieces: &BTreeMap<(u32, u32), T>,
    location: Location,
) -> impl Iterator<Item = (&(u32, u32), &T)> {
    let first = location.offset.saturating_sub(LONGEST);
    let end = location.offset.saturating_add(location.size);
    pieces
        .range((first, 0)..(end, 0))
        .filter(move |((offset, size), _)| offset + size > location.offset)
}

/// The current version of every variable while walking forwards.
#[derive(Default)]
struct Resolver {
    registers: FxHashMap<(u32, u32), Var>,
    memory: FxHashMap<u32, BTreeMap<(u32, u32), Var>>,
}

impl Resolver {
    fn define(&mut self, variable: Variable, var: Var) {
        match variable {
            Variable::Register { frame, slot } => {
                self.registers.insert((frame, slot), var);
            }
            Variable::Cell(location) => {
                let pieces = self.memory.entry(location.allocation).or_default();
                pieces.insert((location.offset, location.size), var);
            }
        }
    }

    /// The version that `variable` has; `None` for memory that was last written in other pieces.
    fn exact(&self, variable: Variable) -> Option<Var> {
        match variable {
            Variable::Register { frame, slot } => self.registers.get(&(frame, slot)).copied(),
            Variable::Cell(location) => {
                let pieces = self.memory.get(&location.allocation)?;
                let newest = overlapping(pieces, location).max_by_key(|(_, var)| **var)?;
                (*newest.0 == (location.offset, location.size)).then_some(*newest.1)
            }
        }
    }

    /// Adds the sources of `operand`; says whether they are pieces of other sizes.
    fn sources(
        &self,
        operand: Operand,
        sources: &mut SmallVec<[Source; 2]>,
    ) -> Result<bool, Orphan> {
        match operand {
            Operand::Constant(c) => sources.push(Source::Constant(c)),
            Operand::Variable(variable @ Variable::Register { .. }) => {
                sources.push(Source::Defined(
                    self.exact(variable).ok_or(Orphan(variable))?,
                ));
            }
            Operand::Variable(Variable::Cell(location)) => {
                let pieces = self.memory.get(&location.allocation).into_iter();
                let mut pieces: SmallVec<[((u32, u32), Var); 2]> = pieces
                    .flat_map(|pieces| overlapping(pieces, location))
                    .map(|(&piece, &var)| (piece, var))
                    .collect();
                pieces.sort_unstable_by_key(|p| std::cmp::Reverse(p.1));
                match pieces.first() {
                    None => return Err(Orphan(Variable::Cell(location))),
                    Some(&(newest, var)) if newest == (location.offset, location.size) => {
                        sources.push(Source::Defined(var));
                    }
                    Some(_) => {
                        sources.extend(pieces.iter().map(|p| Source::Defined(p.1)));
                        return Ok(true);
                    }
                }
            }
        }
        Ok(false)
    }
}
