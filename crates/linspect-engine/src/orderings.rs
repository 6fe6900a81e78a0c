//! Orderings as repairs: which atomics must be stronger, so that a test that only weaker orderings break is right.
//!
//! Each set is explored under C20 before it is shown, with the test that failed and with others; one that breaks it is taken in, and the search begins again.

use super::investigate::{Investigation, Oracle, TRIAL_EXECUTIONS};
use crate::finding::annotate::Annotator;
use linspect_core::check::Budget;
use linspect_core::client::{Client, Declared};
use linspect_core::defect::Defect;
use linspect_core::execution::{Execution, MemoryModel, Ordering};
use linspect_core::machine::Subject;
use linspect_core::orderings::{Kind, Orderings, Place};
use linspect_core::property::Property;
use linspect_core::spec::Unfit;
use linspect_diagnose::repair::orderings::{places, strengthen, strongest};
use linspect_explore::clients::is_allowed;
use linspect_explore::search::{Coverage, DefectiveRun, Plan, explore};
use linspect_vm::{LoadedProgram, Settings};

/// How often a test that a set does not repair is taken in.
const ROUNDS: usize = 12;

/// Executions after which it is looked whether something is wrong in them, before the others are explored.
const FEW_EXECUTIONS: u64 = 30;

/// Executions of each test beside the one that failed.
const OTHER_EXECUTIONS: u64 = 200;

/// How many sets are named.
const MOST: usize = 3;

/// What the exploration of some clients came to.
pub(super) enum Tried {
    /// Every execution is right.
    Right,
    /// Something is wrong in these.
    Wrong(Vec<Execution>),
    /// There was too much of it.
    Unknown,
}

impl Investigation<'_> {
    /// What stronger orderings repair `client`, in words; nothing if none do, or if that could not be found out.
    pub(super) fn stronger_orderings<P: Property>(
        &self,
        client: &Client,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        oracle: &Oracle<'_>,
        budget: &dyn Budget,
    ) -> Option<String> {
        let mut clients = vec![client.clone()];
        let others = (oracle.unseen)(client);
        for _ in 0..ROUNDS {
            let written = self.to_strengthen(&clients, property, budget)?;
            let mut is_enough = |orderings: &Orderings| match self.try_all(
                &clients,
                orderings,
                TRIAL_EXECUTIONS,
                property,
                budget,
            ) {
                Tried::Right => Some(true),
                Tried::Wrong(_) => Some(false),
                Tried::Unknown => None,
            };
            let found = strengthen(&written, &mut is_enough);
            let best = found.first()?;
            let (mut right, mut wrong) = (0, 0);
            let breaks = others.iter().find_map(|other| {
                let one = std::slice::from_ref(other);
                match self.try_all(one, best, OTHER_EXECUTIONS, property, budget) {
                    Tried::Right => right += 1,
                    Tried::Wrong(_) => {
                        let declared = oracle.declared;
                        let one = [self.smallest_wrong(other, best, property, declared, budget)];
                        if self.to_strengthen(&one, property, budget).is_some() {
                            return Some(one);
                        }
                        // No ordering helps there.
                        wrong += 1;
                    }
                    Tried::Unknown => {}
                }
                None
            });
            match breaks {
                Some([other]) if clients.contains(&other) => return None,
                Some([other]) => clients.push(other),
                None => return Some(self.tell_orderings(&found, &written, right, wrong)),
            }
        }
        None
    }

    /// `client`, which these orderings do not repair, without the operations that this does not need.
    fn smallest_wrong<P: Property>(
        &self,
        client: &Client,
        orderings: &Orderings,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        declared: &[Declared],
        budget: &dyn Budget,
    ) -> Client {
        let mut smallest = client.clone();
        let is_wrong = |client: &Client| {
            let client = std::slice::from_ref(client);
            let tried = self.try_all(client, orderings, OTHER_EXECUTIONS, property, budget);
            matches!(tried, Tried::Wrong(_))
        };
        loop {
            let mut smaller = without_one(&smallest).into_iter();
            let allowed = smaller.find(|client| is_allowed(client, declared) && is_wrong(client));
            match allowed {
                Some(client) => smallest = client,
                None => return smallest,
            }
        }
    }

    /// The atomics of `clients` that take part in what is wrong, as the source orders them, if the strongest orderings repair all of it.
    fn to_strengthen<P: Property>(
        &self,
        clients: &[Client],
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Option<Orderings> {
        let mut written = Orderings::new();
        loop {
            let all = strongest(&written);
            match self.try_all(clients, &all, TRIAL_EXECUTIONS, property, budget) {
                Tried::Right => return (!written.is_empty()).then_some(written),
                Tried::Unknown => return None,
                Tried::Wrong(executions) => {
                    let before = written.len();
                    for (place, ordering) in places(&executions) {
                        written.entry(place).or_insert(ordering);
                    }
                    if written.len() == before {
                        return None;
                    }
                }
            }
        }
    }

    pub(super) fn try_all<P: Property>(
        &self,
        clients: &[Client],
        orderings: &Orderings,
        executions: u64,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Tried {
        let code = self.code.with_settings(Settings {
            memory_model: MemoryModel::C20,
            orderings: orderings.clone(),
            ..self.code.settings().clone()
        });
        for client in clients {
            // What is wrong shows early, and a race ends no exploration.
            let few = self.try_one(&code, client, FEW_EXECUTIONS, property, budget);
            let tried = match few {
                Tried::Unknown => self.try_one(&code, client, executions, property, budget),
                known => known,
            };
            if !matches!(tried, Tried::Right) {
                return tried;
            }
        }
        Tried::Right
    }

    fn try_one<P: Property>(
        &self,
        code: &LoadedProgram,
        client: &Client,
        executions: u64,
        property: &impl Fn(&Client) -> Result<P, Unfit>,
        budget: &dyn Budget,
    ) -> Tried {
        let Ok(property) = property(client) else {
            return Tried::Unknown;
        };
        let plan = Plan {
            executions: Some(executions),
            ..Plan::exhaustive()
        };
        let explored = explore(code, client.clone(), property, &plan, budget, &|_, _| {});
        let Ok(explored) = explored else {
            return Tried::Unknown;
        };
        let wrong = explored.found.iter();
        let wrong = wrong.filter(|found| self.is_bad(code, client, found));
        let wrong: Vec<Execution> = wrong.map(|found| found.execution.clone()).collect();
        match explored.coverage {
            _ if !wrong.is_empty() => Tried::Wrong(wrong),
            Coverage::Exhausted { .. } => Tried::Right,
            _ => Tried::Unknown,
        }
    }

    fn is_bad(&self, code: &LoadedProgram, client: &Client, found: &DefectiveRun) -> bool {
        match &found.kind {
            Defect::DataRace(race) if self.races.fail => {
                let annotator = Annotator::new(code);
                let annotated = annotator.annotate(client, &found.schedule).ok();
                let race = annotated.and_then(|annotated| {
                    self.tell_race(&annotator, client, &found.schedule, &annotated, race)
                });
                race.is_some()
            }
            Defect::DataRace(_) => false,
            kind => kind.is_error(),
        }
    }

    fn tell_orderings(
        &self,
        found: &[Orderings],
        written: &Orderings,
        right: usize,
        wrong: usize,
    ) -> String {
        let tell = |set: &Orderings| {
            let mut changes: Vec<(&Place, &Ordering)> = set.iter().collect();
            changes.sort_by_key(|(place, _)| {
                let site = self.code.site(place.site);
                (site.file, site.line, place.kind)
            });
            let told = |(p, o): &(&Place, &Ordering)| self.tell_change(**p, written[*p], **o);
            let texts: Vec<String> = changes.iter().map(told).collect();
            // Of several in one line, which.
            let which = |(text, (place, _)): (&String, &(&Place, &Ordering))| {
                let is_only = texts.iter().filter(|other| *other == text).count() == 1;
                let object = self.object_of(**place).filter(|_| !is_only);
                object.map_or_else(
                    || text.clone(),
                    |object| text.replacen(" `", &format!(" of {object} `"), 1),
                )
            };
            let texts: Vec<String> = texts.iter().zip(&changes).map(which).collect();
            texts.join("; ")
        };
        let sets: Vec<String> = found.iter().take(MOST).map(tell).collect();
        let mut and = match right {
            0 => String::new(),
            1 => ", and so is one other test".to_owned(),
            right => format!(", and so are {right} other tests"),
        };
        if wrong > 0 {
            let tests = if wrong == 1 {
                "test stays"
            } else {
                "tests stay"
            };
            and += &format!("; {wrong} other {tests} wrong, for another reason");
        }
        format!(
            "stronger orderings: {}. Checked: then every execution of this test is right under C20{and}",
            sets.join("; or: ")
        )
    }

    /// What an atomic access is about, in the words of its line.
    fn object_of(&self, place: Place) -> Option<String> {
        let site = self.code.site(place.site);
        let text = std::fs::read_to_string(&site.file).ok()?;
        let line = text.lines().nth((site.line as usize).checked_sub(1)?)?;
        object_at(line, site.column as usize)
    }

    /// `push:12 compare_exchange Relaxed → Release`.
    pub(super) fn tell_change(&self, place: Place, from: Ordering, to: Ordering) -> String {
        let site = self.code.site(place.site);
        let is_rust = site.file.ends_with(".rs");
        let name = |ordering: Ordering| {
            let (rust, c) = match ordering {
                Ordering::Plain => ("plain", "plain"),
                Ordering::Relaxed => ("Relaxed", "memory_order_relaxed"),
                Ordering::Acquire => ("Acquire", "memory_order_acquire"),
                Ordering::Release => ("Release", "memory_order_release"),
                Ordering::AcqRel => ("AcqRel", "memory_order_acq_rel"),
                Ordering::SeqCst => ("SeqCst", "memory_order_seq_cst"),
            };
            if is_rust { rust } else { c }
        };
        let what = match place.kind {
            Kind::Load => "the load",
            Kind::Store => "the store",
            Kind::Update => "the read-modify-write",
            Kind::Failure => "where the exchange fails",
        };
        let file = site.file.rsplit('/').next().unwrap_or(&site.file);
        format!(
            "{file}:{} {what} `{}` → `{}`",
            site.line,
            name(from),
            name(to)
        )
    }
}

/// What is accessed by the call at this column of a line, from 1: `self.a` of `self.a.load(Relaxed)`, `s->a` of `atomic_load_explicit(&s->a, …)`.
fn object_at(line: &str, column: usize) -> Option<String> {
    let (before, after) = line.split_at_checked(column.checked_sub(1)?)?;
    let is_name = |c: char| c.is_alphanumeric() || "_.[]->".contains(c);
    let receiver = match before.strip_suffix('.') {
        Some(before) => before.rsplit(|c| !is_name(c)).next()?,
        None => {
            let called = after.split(|c| !is_name(c)).next()?;
            match called.rsplit_once('.') {
                Some((receiver, _)) => receiver,
                None => {
                    let arguments = after[called.len()..].strip_prefix('(')?;
                    let first = arguments.trim_start_matches('&');
                    first.split(|c| !is_name(c)).next()?
                }
            }
        }
    };
    (!receiver.is_empty()).then(|| receiver.to_owned())
}

/// `client` without one of its operations, whichever.
fn without_one(client: &Client) -> Vec<Client> {
    let mut smaller = Vec::new();
    for thread in 0..client.threads.len() {
        for at in 0..client.threads[thread].len() {
            let mut one = client.clone();
            one.threads[thread].remove(at);
            if one.threads[thread].is_empty() {
                one.threads.remove(thread);
                one.forget_thread(thread);
            }
            smaller.push(one);
        }
    }
    for at in 0..client.before.len() {
        let mut one = client.clone();
        one.remove_before(at);
        smaller.push(one);
    }
    for at in 0..client.after.len() {
        let mut one = client.clone();
        one.after.remove(at);
        smaller.push(one);
    }
    smaller
}

#[cfg(test)]
mod tests {
    use super::object_at;

    #[test]
    fn what_a_call_is_about_is_read_off_its_line() {
        let rust = "let pair = (self.a.load(Relaxed), self.b.load(Relaxed));";
        let c = "return atomic_load_explicit(&s->a, memory_order_relaxed);";
        for (line, at, object) in [
            (rust, "self.a.load", Some("self.a")),
            (rust, "load(Relaxed), ", Some("self.a")),
            (rust, "load(Relaxed));", Some("self.b")),
            (c, "atomic_load", Some("s->a")),
            ("let x = y;", "= y", None),
        ] {
            let column = line.find(at).expect("in the line") + 1;
            assert_eq!(object_at(line, column).as_deref(), object, "{at}");
        }
        assert_eq!(object_at("short", 40), None);
        assert_eq!(object_at("short", 0), None);
    }
}
