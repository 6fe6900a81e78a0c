//! A golden model with its order relaxed: what an object may do that is allowed to hand out elements out of order, where a program says what the order is.
//!
//! After Lu Zhang, Arijit Chattopadhyay and Chao Wang, *Round-Up: runtime checking quasi linearizability of concurrent data structures*, ASE 2013: the
//! golden model of a relaxed object is the same object with its relaxation turned off. Which elements stand before which is seen by emptying it: a call
//! without argument that returns as many other things as were put, and then what it returns when nothing was put, takes them.
//!
//! The criterion is that of `linspect_core::check` for the built-in containers: one that is taken overtakes at most k others, and nobody is
//! overtaken more than k times. An element that is taken out of order is as if it had never been put.

use crate::clients::invocations;
use crate::subject_spec::SubjectSpec;
use linspect_core::client::{Declared, Invocation};
use linspect_core::machine::Subject;
use linspect_core::spec::{Spec, Unfit};
use linspect_core::value::Value;
use smallvec::SmallVec;

/// How many elements are put to find out whether a model is a container.
const TRIED: usize = 2;

/// The sequential behaviour of a container, relaxed.
pub struct RelaxedModel<'a, S: Subject> {
    model: SubjectSpec<'a, S>,
    k: usize,
}

/// The elements that a relaxed object holds, in the order in which they were put.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Held(SmallVec<[Element; 4]>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Element {
    put: Invocation,
    overtaken: usize,
}

/// What a call does to a container.
enum Deed {
    /// It is refused, or looks only.
    Nothing(Value),
    /// It adds an element.
    Put(Value),
    /// It takes one; per element, first to last as the model hands them out: what it returns, and its place among those held.
    Take(Vec<(Value, usize)>),
}

impl<'a, S: Subject> RelaxedModel<'a, S> {
    /// `model` relaxed by `k`; nothing if its operations are not those of a container: some that put their argument, some that take what is
    /// due, some that look.
    pub fn new(model: &'a S, k: u32, name: &'static str) -> Option<Self> {
        let golden = Self {
            model: SubjectSpec::named(model, name),
            k: usize::try_from(k).unwrap_or(usize::MAX),
        };
        golden.is_container(model.operations()).then_some(golden)
    }

    /// Whether every call can be told in every state that a few puts lead to, and whatever is put can be taken.
    fn is_container(&self, declared: &[Declared]) -> bool {
        let calls = invocations(declared);
        let mut front = vec![Held::default()];
        for length in 0..=TRIED {
            let mut next = Vec::new();
            for held in &front {
                let mut takes = false;
                for call in &calls {
                    match self.deed(held, call) {
                        None => return false,
                        Some(Deed::Nothing(_)) => {}
                        Some(Deed::Put(_)) => next.push(held.with(call)),
                        Some(Deed::Take(_)) => takes = true,
                    }
                }
                if takes != (length > 0) {
                    return false;
                }
            }
            front = next;
        }
        !front.is_empty()
    }

    /// What `call` does; nothing if that is nothing that a container does.
    fn deed(&self, held: &Held, call: &Invocation) -> Option<Deed> {
        let nothing = self.step(self.model.initial(), call)?.0;
        let (result, after) = self.step(self.state(held)?, call)?;
        if call.argument != Value::Unit {
            // What a put returns when it is the first, it returns when there is room.
            return Some(match result == nothing {
                true => Deed::Put(result),
                false => Deed::Nothing(result),
            });
        }
        let Some(results) = self.emptied(held, call)? else {
            let again = self.step(after, call)?.0;
            return (again == result).then_some(Deed::Nothing(result));
        };
        if results.is_empty() {
            return Some(Deed::Nothing(result));
        }
        let mut places: Vec<(Value, usize)> = Vec::new();
        for (at, result) in results.iter().enumerate() {
            // The element without which the others come as they do.
            let mut others = results.clone();
            others.remove(at);
            let is_it = |place: &usize| {
                !places.iter().any(|(_, taken)| taken == place)
                    && self.emptied(&held.without(*place), call).flatten().as_ref() == Some(&others)
            };
            let place = (0..held.0.len()).find(is_it)?;
            places.push((result.clone(), place));
        }
        Some(Deed::Take(places))
    }

    /// What `call` returns before it returns what it does when nothing was put, if that is as much as is held.
    fn emptied(&self, held: &Held, call: &Invocation) -> Option<Option<Vec<Value>>> {
        let nothing = self.step(self.model.initial(), call)?.0;
        let mut state = self.state(held)?;
        let mut results = Vec::new();
        while results.len() <= held.0.len() {
            let (result, after) = self.step(state, call)?;
            if result == nothing {
                let all = results.len() == held.0.len();
                return Some(all.then_some(results));
            }
            results.push(result);
            state = after;
        }
        Some(None)
    }

    /// The model with these elements.
    fn state(&self, held: &Held) -> Option<u32> {
        let mut puts = held.0.iter();
        puts.try_fold(self.model.initial(), |state, element| {
            Some(self.step(state, &element.put)?.1)
        })
    }

    fn step(&self, state: u32, call: &Invocation) -> Option<(Value, u32)> {
        let mut step = None;
        self.model.outcomes(&state, call, &mut |result, next| {
            step = Some((result, next));
        });
        step
    }

    /// What is held when the element at `at` in the order of `line` is taken, if it may be.
    fn take(&self, held: &Held, line: &[(Value, usize)], at: usize) -> Option<Held> {
        let mut next = held.clone();
        if at > self.k {
            return None;
        }
        for (_, place) in &line[..at] {
            let first = &mut next.0[*place];
            if first.overtaken >= self.k {
                return None;
            }
            first.overtaken += 1;
        }
        next.0.remove(line[at].1);
        Some(next)
    }
}

impl Held {
    fn with(&self, put: &Invocation) -> Self {
        let mut next = self.clone();
        next.0.push(Element {
            put: put.clone(),
            overtaken: 0,
        });
        next
    }

    fn without(&self, place: usize) -> Self {
        let mut next = self.clone();
        next.0.remove(place);
        next
    }
}

impl<S: Subject> Spec for RelaxedModel<'_, S> {
    type State = Held;
    type Call = Invocation;

    fn name(&self) -> &str {
        self.model.name()
    }

    fn call(&self, method: &str, argument: &Value) -> Result<Invocation, Unfit> {
        self.model.call(method, argument)
    }

    fn initial(&self) -> Held {
        Held::default()
    }

    fn outcomes(&self, held: &Held, call: &Invocation, each: &mut dyn FnMut(Value, Held)) {
        match self.deed(held, call) {
            None => {}
            Some(Deed::Nothing(result)) => each(result, held.clone()),
            Some(Deed::Put(result)) => each(result, held.with(call)),
            Some(Deed::Take(line)) => {
                for (at, (result, _)) in line.iter().enumerate() {
                    if let Some(next) = self.take(held, &line, at) {
                        each(result.clone(), next);
                    }
                }
            }
        }
    }

    fn show(&self, held: &Held) -> String {
        let show = |element: &Element| match element.overtaken {
            0 => element.put.argument.to_string(),
            n => format!("{} (overtaken {n}×)", element.put.argument),
        };
        let shown: Vec<String> = held.0.iter().map(show).collect();
        format!("[{}] as they came", shown.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linspect_core::check::visit_relaxed;
    use linspect_core::spec::{Builtin, Visitor};
    use linspect_toy::{Program, objects};
    use std::collections::BTreeSet;

    /// All results of sequences of `calls`, in words.
    fn words<S: Spec>(spec: &S, calls: &[(&str, Value)], length: usize) -> BTreeSet<String> {
        let mut all = BTreeSet::new();
        let mut front = vec![(String::new(), spec.initial())];
        for _ in 0..length {
            let mut next = Vec::new();
            for (word, state) in &front {
                for (method, argument) in calls {
                    let call = spec.call(method, argument).expect("it has it");
                    spec.outcomes(state, &call, &mut |result, state| {
                        let word = format!("{word}{method}({argument})={result} ");
                        all.insert(word.clone());
                        next.push((word, state));
                    });
                }
            }
            front = next;
        }
        all
    }

    struct Words<'a>(&'a [(&'a str, Value)], usize);

    impl Visitor for Words<'_> {
        type Output = BTreeSet<String>;

        fn visit<S: Spec>(self, spec: &S) -> Self::Output {
            words(spec, self.0, self.1)
        }
    }

    /// A golden model relaxes to what the built-in specification of the same object relaxes to, repeated values included.
    #[test]
    fn a_golden_stack_relaxes_like_a_stack() {
        let stack = objects::treiber();
        let calls = [("push", 1.into()), ("push", 2.into()), ("pop", Value::Unit)];
        for k in 0..3 {
            let golden = RelaxedModel::new(&stack, k, "golden model").expect("a container");
            let builtin = Builtin::named("stack").expect("there is one");
            let expected = visit_relaxed(&builtin, k, Words(&calls, 6)).expect("it has an order");
            assert_eq!(words(&golden, &calls, 6), expected, "k = {k}");
            assert!(expected.len() > 500);
        }
    }

    /// One that can be looked at is a container still: without slack it does what the specification says, looks included.
    #[test]
    fn a_golden_stack_may_be_looked_at() {
        let stack = Program::parse(
            "object looked_at
             global size = 0
             global cells = 0
             global second = 0
             global third = 0
             op push 1 2
               n = read size
               write cells+n arg
               write size n+1
               return
             op pop
               n = read size
               if n==0 goto empty
               r = read cells+n-1
               write size n-1
               return r
             empty:
               return nil
             op peek
               n = read size
               if n==0 goto empty
               r = read cells+n-1
               return r
             empty:
               return nil",
        )
        .expect("a program");
        let nothing = Value::Unit;
        let calls = [
            ("push", 1.into()),
            ("push", 2.into()),
            ("pop", nothing.clone()),
            ("peek", nothing),
        ];
        let golden = RelaxedModel::new(&stack, 0, "golden model").expect("a container");
        let builtin = Builtin::named("stack").expect("there is one");
        let expected = builtin.visit(Words(&calls, 3));
        assert_eq!(words(&golden, &calls, 3), expected);
        assert!(
            expected.iter().any(|word| word.ends_with("peek(())=2 ")),
            "{expected:?}"
        );
    }

    #[test]
    fn a_counter_is_no_container() {
        assert!(RelaxedModel::new(&objects::early_unlock(), 1, "golden model").is_none());
    }
}
