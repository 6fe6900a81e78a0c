//! Step 10: why a run fails, as a slice of its statements annotated with invariants. After Holzer, Schwartz-Narbonne, Tabaei Befrouei, Weissenbacher and
//! Wies, *Error Invariants for Concurrent Traces*.

mod addresses;
mod backward;
mod certify;
mod definitions;
mod hazards;
mod interference;
mod linear;
mod lines_not_run;
mod outcomes;
mod smt;
mod view;

pub use backward::Goal;
pub use certify::Flaw;
pub use definitions::Orphan;
pub use hazards::{Dependency, DependencyEdge};
pub use linear::{Atom, Linear, Sign, Terms, Var};
pub use lines_not_run::{Absent, diverted_schedule, explain_turn, lines_not_run, negated_branch};
pub use outcomes::claim;
pub use view::{Line, Link, View};

use backward::Backward;
use definitions::Definitions;
use linspect_core::statement::{Recording, Variable};
use std::collections::BTreeMap;

/// What an explanation takes into account; the paper's lattice of encodings. Data dependence always counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Level {
    /// cs: why a statement was reached at all, and why it accessed what it accessed.
    pub control: bool,
    /// hs: writes that came, or came not, between a write and its read.
    pub hazards: Hazards,
}

/// Which hazards count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Hazards {
    /// None.
    #[default]
    Ignored,
    /// The nearest write of each other thread before and after (the paper's footnote 6).
    Nearest,
    /// All writes of the location (the paper's equation 7).
    All,
}

impl Level {
    /// ds: data dependence only.
    pub const DATA: Self = Self {
        control: false,
        hazards: Hazards::Ignored,
    };
    /// ds+cs.
    pub const CONTROL: Self = Self {
        control: true,
        ..Self::DATA
    };
    /// ds+hs.
    pub const HAZARD: Self = Self {
        hazards: Hazards::Nearest,
        ..Self::DATA
    };
    /// ds+cs+hs.
    pub const FULL: Self = Self {
        control: true,
        hazards: Hazards::Nearest,
    };
}

impl Level {
    /// The four encodings of the paper's table, smallest slices first.
    pub const ALL: [Self; 4] = [Self::DATA, Self::HAZARD, Self::CONTROL, Self::FULL];

    /// As the paper writes it.
    pub fn name(self) -> &'static str {
        match (self.control, self.hazards) {
            (false, Hazards::Ignored) => "ds",
            (true, Hazards::Ignored) => "ds+cs",
            (false, _) => "ds+hs",
            (true, _) => "ds+cs+hs",
        }
    }
}

/// Why a statement is in the slice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Its value matters.
    Value,
    /// A condition whose outcome matters.
    Guard,
    /// Only that it happened where it happened matters.
    Hazard,
}

/// A slice of a failing run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    /// What was taken into account.
    pub level: Level,
    /// The statements that matter, by index, and why.
    pub kept: BTreeMap<usize, Role>,
    /// The invariants, as conjuncts with the stretch where each holds.
    pub goals: Vec<Goal>,
    /// Dependencies between kept statements.
    pub edges: Vec<DependencyEdge>,
    /// Statements right after which the switch to another thread matters.
    pub switches: Vec<usize>,
}

impl Slice {
    /// The conjuncts of the invariant that holds just before statement `at`.
    pub fn invariant(&self, at: usize) -> impl Iterator<Item = &Atom> {
        self.goals
            .iter()
            .filter(move |g| g.from.is_none_or(|from| from < at) && at <= g.to)
            .map(|g| &g.atom)
    }
}

/// An explained recording: a slice, and how to name what its invariants speak of.
pub struct Explained<'a> {
    definitions: Definitions<'a>,
    /// The slice.
    pub slice: Slice,
}

/// Explains why `recording` violates its claim.
pub fn explain(recording: &Recording, level: Level) -> Result<Explained<'_>, Orphan> {
    let definitions = Definitions::of(recording)?;
    let pass = Backward::run(&definitions, level);
    let mut kept = pass.kept;
    let mut edges = hazards::edges(&definitions, level.hazards, &mut kept);
    if level.control {
        edges.extend(hazards::control(&definitions, &kept));
        edges.sort_unstable();
    }
    let switches = hazards::relevant_switches(&definitions, &edges);
    let slice = Slice {
        level,
        kept,
        goals: pass.goals,
        edges,
        switches,
    };
    Ok(Explained { definitions, slice })
}

/// Climbs the lattice of encodings to the smallest slice that shows the bug, and says whether one does; if none, the largest.
pub fn smallest_level<'a>(
    recording: &'a Recording,
    reflects: impl Fn(&Explained<'_>) -> bool,
) -> Result<(Explained<'a>, bool), Orphan> {
    let mut last = explain(recording, Level::DATA)?;
    for level in &Level::ALL[1..] {
        if reflects(&last) {
            return Ok((last, true));
        }
        last = explain(recording, *level)?;
    }
    let reflected = reflects(&last);
    Ok((last, reflected))
}

impl<'a> Explained<'a> {
    /// What was explained.
    pub fn recording(&self) -> &'a Recording {
        self.definitions.recording
    }

    /// What `var` is a version of.
    pub fn variable(&self, var: Var) -> Option<Variable> {
        self.definitions.variable(var)
    }

    /// The recorded value of `var`.
    pub fn value(&self, var: Var) -> i64 {
        self.definitions.value(var)
    }

    /// An atom in the source's names; what has no name is called by its number.
    pub fn show(&self, atom: &Atom) -> String {
        atom.show(|v| {
            let variable = self.definitions.variable(v);
            let name = variable.and_then(|x| self.definitions.recording.names.get(&x));
            name.map_or_else(|| format!("t{v}"), ToString::to_string)
        })
    }
}
