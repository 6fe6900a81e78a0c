//! A slice as a person reads it: source lines in the order in which they ran, and what held between them.

use super::definitions::Definitions;
use super::hazards::Dependency;
use super::linear::{Atom, Sign, Var};
use super::{Explained, Role};
use linspect_core::execution::SiteId;
use linspect_core::schedule::ThreadId;
use linspect_core::statement::{Effect, Operand, Variable};
use rustc_hash::FxHashMap;
use std::collections::{BTreeMap, BTreeSet};

/// How often an unnamed value is replaced by what it was computed from.
const EXPANSIONS: usize = 16;

/// A slice by source lines.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct View {
    /// The lines that matter, in the order in which they ran.
    pub lines: Vec<Line>,
    /// Dependencies between them.
    pub links: Vec<Link>,
    /// How many lines ran, each as often as it did.
    pub executed: usize,
    /// How many statements were recorded.
    pub statements: usize,
    /// How many of these are in the slice.
    pub kept: usize,
    /// How many variables were accessed.
    pub variables: usize,
    /// How many of these are accessed in the slice.
    pub kept_variables: usize,
}

/// One execution of one source line, as far as it is in the slice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Who ran it.
    pub thread: ThreadId,
    /// Where it stands.
    pub site: SiteId,
    /// Why it is here: the strongest reason of its statements.
    pub role: Role,
    /// What it did to memory, or which way it decided.
    pub deed: Option<String>,
    /// Whether it matters that the thread before it was interrupted here.
    pub switch: bool,
    /// What holds after it, up to the next line, and is needed for the failure. Empty if that is the same as before.
    pub invariant: Vec<String>,
}

/// A dependency between two lines of a view.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Link {
    /// The earlier line.
    pub from: usize,
    /// The later one.
    pub to: usize,
    /// How the later depends on the earlier.
    pub dependency: Dependency,
    /// Through what, if through memory.
    pub variable: Option<String>,
}

impl Explained<'_> {
    /// The slice by source lines. `line` tells lines apart, `thread` names threads.
    pub fn view<L: Ord>(
        &self,
        line: impl Fn(SiteId) -> L,
        thread: impl Fn(ThreadId) -> String,
    ) -> View {
        let statements = &self.definitions.recording.statements;
        let mut keys: FxHashMap<SiteId, usize> = FxHashMap::default();
        let mut lines: BTreeMap<L, usize> = BTreeMap::new();
        let mut key = |site: SiteId| {
            *keys.entry(site).or_insert_with(|| {
                let next = lines.len();
                *lines.entry(line(site)).or_insert(next)
            })
        };
        // One run of a line: consecutive statements of one thread.
        let mut runs: Vec<(usize, usize)> = Vec::new();
        let mut last = None;
        for (i, statement) in statements.iter().enumerate() {
            let here = (statement.thread, key(statement.site));
            match runs.last_mut() {
                Some(run) if last == Some(here) => run.1 = i,
                _ => runs.push((i, i)),
            }
            last = Some(here);
        }
        let reader = Reader::new(self, &thread);
        let mut view = View {
            executed: runs.len(),
            statements: statements.len(),
            kept: self.slice.kept.len(),
            ..View::default()
        };
        (view.kept_variables, view.variables) = self.variables();
        let mut parts: Vec<Part> = Vec::new();
        for &(first, last) in &runs {
            let kept = self.slice.kept.range(first..=last);
            let kept: Vec<(usize, Role)> = kept.map(|(&i, &role)| (i, role)).collect();
            if let Some(role) = kept.iter().map(|k| k.1).min() {
                parts.push(Part {
                    thread: statements[first].thread,
                    line: key(statements[first].site),
                    role,
                    deed: kept.iter().rev().find_map(|k| reader.deed(k.0)),
                    kept: kept.iter().map(|k| k.0).collect(),
                });
            }
        }
        let mut line_of: BTreeMap<usize, usize> = BTreeMap::new();
        let mut firsts = Vec::new();
        for part in join_beginnings(parts) {
            line_of.extend(part.kept.iter().map(|&i| (i, view.lines.len())));
            firsts.push(part.kept[0]);
            view.lines.push(Line {
                thread: part.thread,
                site: statements[part.kept[0]].site,
                role: part.role,
                deed: part.deed,
                switch: false,
                invariant: Vec::new(),
            });
        }
        self.add_switches(&mut view, &line_of);
        self.add_invariants(&mut view, &firsts, &reader);
        self.add_links(&mut view, &line_of);
        view
    }

    /// A line is where a relevant switch leads to if it is the first kept one after it.
    fn add_switches(&self, view: &mut View, line_of: &BTreeMap<usize, usize>) {
        for &switch in &self.slice.switches {
            if let Some((_, &line)) = line_of.range(switch + 1..).next()
                && line > 0
                && view.lines[line - 1].thread != view.lines[line].thread
            {
                view.lines[line].switch = true;
            }
        }
    }

    /// What holds between lines, given the first statement of each.
    fn add_invariants(&self, view: &mut View, firsts: &[usize], reader: &Reader<'_, '_>) {
        let end = self.definitions.recording.statements.len();
        // Conjuncts that hold before a statement, by sweeping once over all.
        let mut begin: Vec<usize> = (0..self.slice.goals.len()).collect();
        begin.sort_by_key(|&g| self.slice.goals[g].from.map_or(0, |f| f + 1));
        let mut next = begin.into_iter().peekable();
        let mut alive: Vec<usize> = Vec::new();
        let mut before: BTreeSet<String> = BTreeSet::new();
        for line in 0..view.lines.len() {
            let at = firsts.get(line + 1).copied().unwrap_or(end);
            while let Some(g) = next.next_if(|&g| {
                let from = self.slice.goals[g].from;
                from.is_none_or(|f| f < at)
            }) {
                alive.push(g);
            }
            alive.retain(|&g| self.slice.goals[g].to >= at);
            let atoms: BTreeSet<Atom> = alive
                .iter()
                .filter_map(|&g| reader.readable(&self.slice.goals[g].atom, at))
                .collect();
            let said_by_another = |a: &Atom| atoms.iter().any(|b| b != a && b.implies(a));
            let shown: BTreeSet<String> = atoms
                .iter()
                .filter(|a| !said_by_another(a))
                .map(|a| reader.show(a, at))
                .collect();
            if shown != before {
                view.lines[line].invariant = shown.iter().cloned().collect();
                before = shown;
            }
        }
    }

    fn add_links(&self, view: &mut View, line_of: &BTreeMap<usize, usize>) {
        let mut links = BTreeSet::new();
        for edge in &self.slice.edges {
            let (Some(&from), Some(&to)) = (line_of.get(&edge.from), line_of.get(&edge.to)) else {
                continue;
            };
            if from == to {
                continue;
            }
            let variable = match edge.dependency {
                Dependency::Control => None,
                Dependency::WriteAfterRead => self.target(edge.to),
                Dependency::ReadAfterWrite | Dependency::WriteAfterWrite => self.target(edge.from),
            };
            links.insert(Link {
                from,
                to,
                dependency: edge.dependency,
                variable,
            });
        }
        view.links = links.into_iter().collect();
    }

    /// The name of the memory that a statement writes.
    fn target(&self, statement: usize) -> Option<String> {
        let recording = self.definitions.recording;
        match &recording.statements[statement].effect {
            Effect::Assign { target, .. } => recording.names.get(target).map(ToString::to_string),
            Effect::Condition { .. } => None,
        }
    }

    /// How many variables the slice accesses, and the whole recording.
    pub fn variables(&self) -> (usize, usize) {
        let mut all: BTreeSet<Variable> = BTreeSet::new();
        let mut kept: BTreeSet<Variable> = BTreeSet::new();
        for (i, statement) in self.definitions.recording.statements.iter().enumerate() {
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
            let role = self.slice.kept.get(&i);
            for v in read.filter(|_| role != Some(&Role::Hazard)) {
                all.insert(v);
                if role.is_some() {
                    kept.insert(v);
                }
            }
            if let Some(v) = target {
                all.insert(v);
                if role.is_some() {
                    kept.insert(v);
                }
            }
        }
        (kept.len(), all.len())
    }
}

/// What is kept of one uninterrupted run of a line.
struct Part {
    thread: ThreadId,
    line: usize,
    role: Role,
    deed: Option<String>,
    /// The statements; never empty, and the first of them is the first of the run.
    kept: Vec<usize>,
}

/// A line that was interrupted before it did anything to memory is shown where it does.
fn join_beginnings(parts: Vec<Part>) -> Vec<Part> {
    let mut later: BTreeMap<ThreadId, usize> = BTreeMap::new();
    let mut joined: Vec<Part> = Vec::new();
    for part in parts.into_iter().rev() {
        let next = later.get(&part.thread).copied();
        let beginning = part.deed.is_none() && part.role == Role::Value;
        match next.map(|at| &mut joined[at]) {
            Some(next) if beginning && next.line == part.line => next.kept.extend(part.kept),
            _ => {
                later.insert(part.thread, joined.len());
                joined.push(part);
            }
        }
    }
    joined.reverse();
    joined
}

/// Puts atoms into the source's names.
struct Reader<'a, 'r> {
    definitions: &'a Definitions<'r>,
    /// Where each variable is given its next value.
    overwritten: FxHashMap<Var, usize>,
    /// Local names that more than one thread uses.
    ambiguous: BTreeSet<String>,
    thread: &'a dyn Fn(ThreadId) -> String,
}

impl<'a, 'r> Reader<'a, 'r> {
    fn new(explained: &'a Explained<'r>, thread: &'a dyn Fn(ThreadId) -> String) -> Self {
        let d = &explained.definitions;
        let recording = d.recording;
        let mut overwritten = FxHashMap::default();
        let mut users: BTreeMap<&str, BTreeSet<ThreadId>> = BTreeMap::new();
        for (i, statement) in recording.statements.iter().enumerate() {
            if let Some(old) = d.previous(d.var(i)) {
                overwritten.insert(old, i);
            }
            if let Effect::Assign { target, .. } = &statement.effect
                && matches!(target, Variable::Register { .. })
                && let Some(name) = recording.names.get(target)
            {
                users.entry(name).or_default().insert(statement.thread);
            }
        }
        let ambiguous = users
            .into_iter()
            .filter(|(_, threads)| threads.len() > 1)
            .map(|(name, _)| name.to_string())
            .collect();
        Self {
            definitions: d,
            overwritten,
            ambiguous,
            thread,
        }
    }

    /// An atom that holds before statement `at`, about what has a name; `None` if that cannot be.
    fn readable(&self, atom: &Atom, at: usize) -> Option<Atom> {
        let d = self.definitions;
        let mut atom = atom.clone();
        for _ in 0..EXPANSIONS {
            let unnamed = atom.linear.terms.iter().rev().map(|t| t.0);
            let Some(v) = unnamed.into_iter().find(|&v| self.name(v, at).is_none()) else {
                break;
            };
            let by = d.linear(d.statement(v)?)?;
            atom = atom.substitute(v, &by)?;
        }
        if is_address(&atom)
            || atom.linear.terms.is_empty()
            || atom
                .linear
                .terms
                .iter()
                .any(|t| self.name(t.0, at).is_none())
        {
            return None;
        }
        Some(atom)
    }

    fn show(&self, atom: &Atom, at: usize) -> String {
        atom.show(|v| self.name(v, at).unwrap_or_default())
    }

    /// The name of a variable before statement `at`: of a value that was overwritten meanwhile, `old x`.
    fn name(&self, v: Var, at: usize) -> Option<String> {
        let d = self.definitions;
        let variable = d.variable(v)?;
        let name = d.recording.names.get(&variable)?;
        let local = matches!(variable, Variable::Register { .. });
        let owner = d.statement(v).map(|s| d.thread(s));
        let mut shown = match owner {
            Some(owner) if local && self.ambiguous.contains(&**name) => {
                format!("{}.{name}", (self.thread)(owner))
            }
            _ => name.to_string(),
        };
        if self.overwritten.get(&v).is_some_and(|&i| i < at) {
            shown.insert_str(0, "old ");
        }
        Some(shown)
    }

    /// What a statement did to memory.
    fn deed(&self, statement: usize) -> Option<String> {
        let recording = self.definitions.recording;
        let Effect::Assign {
            target,
            operands,
            value,
            ..
        } = &recording.statements[statement].effect
        else {
            return None;
        };
        if let Variable::Cell(_) = target {
            let name = recording.names.get(target)?;
            return Some(format!("{name} := {}", shown(*value)));
        }
        let sources = self.definitions.sources(statement);
        operands
            .iter()
            .zip(sources)
            .find_map(|(o, source)| match o {
                Operand::Variable(cell @ Variable::Cell(_)) => {
                    let name = recording.names.get(cell)?;
                    let value = self.definitions.value_of(*source);
                    Some(format!("{name} → {}", shown(value)))
                }
                _ => None,
            })
    }
}

/// A value; the number of an address says nothing to a reader.
fn shown(value: i64) -> String {
    if value > 1 << 38 {
        "an address".into()
    } else {
        value.to_string()
    }
}

/// Whether an atom fixes a value that is so large that it is an address, which says nothing to a reader.
fn is_address(atom: &Atom) -> bool {
    atom.sign == Sign::Zero
        && atom.linear.terms.len() == 1
        && atom.linear.constant.unsigned_abs() > 1 << 38
}
