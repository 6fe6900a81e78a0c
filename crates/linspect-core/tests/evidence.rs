//! Evidence on random violations: what it claims is checked by other means.

use linspect_core::check::sample::{Shape, sample};
use linspect_core::check::{Alone, Question, Unlimited, brute};
use linspect_core::history::{History, OpId, Operation, Outcome};
use linspect_core::random::Random;
use linspect_core::spec::{Builtin, Spec, Visitor};
use linspect_core::value::Value;
use linspect_core::verdict::{Criterion, Evidence, Verdict};
use std::cell::Cell;

/// How many histories of each type: all of them on request, else a tenth.
fn count() -> usize {
    match std::env::var_os("LINSPECT_LONG") {
        Some(_) => 20_000,
        None => 2_000,
    }
}

/// How many sets of allowed results, and how many sentences, were compared.
type Compared = Cell<(usize, usize)>;

struct Inspect<'a>(&'a History, &'a Builtin, &'a Compared);

impl Visitor for Inspect<'_> {
    type Output = bool;

    fn visit<S: Spec>(self, spec: &S) -> bool {
        let Self(history, builtin, compared) = self;
        let question = Question::of_builtin(history, spec, builtin, Criterion::Linearizable)
            .expect("samples have known calls");
        let answer = question.check(&Alone, &Unlimited);
        match answer.verdict {
            Verdict::Holds(order) => {
                if let Some(order) = order {
                    let order: Vec<OpId> = order.iter().map(|placed| placed.operation).collect();
                    for (id, op) in (0..).zip(&history.operations) {
                        assert!(op.is_pending() || order.contains(&id), "all take effect");
                    }
                    assert_legal(spec, history, &order);
                }
                false
            }
            Verdict::Violated(evidence) => {
                assert_sound(spec, history, &evidence);
                let (sets, sentences) = compared.get();
                compared.set((
                    sets + usize::from(evidence.instead.is_some()),
                    sentences + usize::from(evidence.headline.is_some()),
                ));
                true
            }
            Verdict::Unknown(limit) => panic!("no limit was set: {limit}"),
        }
    }
}

fn assert_sound<S: Spec>(spec: &S, history: &History, evidence: &Evidence) {
    let core = history.restrict(&evidence.core);
    let holds = brute::is_linearizable(spec, &core).expect("known calls");
    assert!(
        !holds,
        "the core fails by itself: {evidence:?}\n{history:?}"
    );
    assert!(evidence.core.is_sorted());
    assert!(evidence.core.contains(&evidence.refused));
    if evidence.core_is_minimal {
        for &left_out in &evidence.core {
            let others: Vec<OpId> = (evidence.core.iter().copied())
                .filter(|&id| id != left_out)
                .collect();
            let others = history.restrict(&others);
            let holds = brute::is_linearizable(spec, &others).expect("known calls");
            assert!(holds, "without {left_out}: {evidence:?}\n{history:?}");
        }
    }
    if let Some(headline) = &evidence.headline {
        let said = &headline.operations;
        assert!(said.iter().all(|id| evidence.core.contains(id)));
        assert!(
            !is_possible(spec, history, said),
            "can be explained: {evidence:?}\n{history:?}"
        );
        assert!(
            is_true(&headline.text, said, history, &evidence.part),
            "{headline:?}\n{history:?}"
        );
    }
    if let Some(instead) = &evidence.instead {
        // Other parts may fail as well.
        let of_part = |id: &OpId| {
            let op = &history.operations[*id as usize];
            let call = spec.call(history.name(op), &op.argument).expect("known");
            evidence.part.is_none() || spec.part(&call) == evidence.part
        };
        let part: Vec<OpId> = (0..)
            .take(history.operations.len())
            .filter(of_part)
            .collect();
        let refused = part.iter().position(|&id| id == evidence.refused);
        let refused = OpId::try_from(refused.expect("it is in the part")).expect("small");
        assert_instead(spec, &history.restrict(&part), refused, instead);
    }
    assert!(!evidence.because.is_empty());
    let order: Vec<OpId> = evidence
        .partial
        .iter()
        .map(|placed| placed.operation)
        .collect();
    assert!(!order.contains(&evidence.refused), "it is refused");
    assert!(order.iter().all(|id| evidence.core.contains(id)));
    assert_legal(spec, history, &order);
    // Only its own result is impossible for the refused operation.
    let refused = &history.operations[evidence.refused as usize];
    let call = spec
        .call(history.name(refused), &refused.argument)
        .expect("a known call");
    if let Ok(Outcome::Returned(result)) = spec.outcome(&call, &refused.outcome) {
        for allowed in &evidence.allowed {
            assert!(
                !allowed.results.contains(&result),
                "{evidence:?}\n{history:?}"
            );
        }
    }
}

/// Every value of the history, and a few others, put in the place of the result of `refused`: those that mend it are `instead`.
fn assert_instead<S: Spec>(spec: &S, history: &History, refused: OpId, instead: &[Value]) {
    let mut candidates = vec![
        Value::Unit,
        Value::Nil,
        Value::Bool(true),
        Value::Bool(false),
    ];
    candidates.extend((-3..12).map(Value::Int));
    for op in &history.operations {
        candidates.extend(op.argument.items().iter().cloned());
        candidates.extend(op.outcome.value().cloned());
    }
    candidates.extend(instead.iter().cloned());
    let op = &history.operations[refused as usize];
    let call = spec.call(history.name(op), &op.argument).expect("known");
    for candidate in candidates {
        let said = Outcome::Returned(candidate.clone());
        // Only results as the specification itself spells them.
        if !matches!(spec.outcome(&call, &said), Ok(same) if same == said) {
            continue;
        }
        let mut other = history.clone();
        other.operations[refused as usize].outcome = said;
        let holds = brute::is_linearizable(spec, &other).expect("known calls");
        assert_eq!(
            holds,
            instead.contains(&candidate),
            "{refused} → {candidate}, not {instead:?}:\n{history:?}"
        );
    }
}

/// Whether the operations `core` can be explained if each of the others may have taken effect with its result, or not.
fn is_possible<S: Spec>(spec: &S, history: &History, core: &[OpId]) -> bool {
    fn go<S: Spec>(
        spec: &S,
        history: &History,
        core: &[OpId],
        state: &S::State,
        order: &mut Vec<usize>,
    ) -> bool {
        let is_core = |i: usize| core.iter().any(|&id| id as usize == i);
        let open = |order: &[usize], i: usize| is_core(i) && !order.contains(&i);
        let count = history.operations.len();
        if (0..count).all(|i| !open(order, i) || history.operations[i].is_pending()) {
            return true;
        }
        for i in (0..count)
            .filter(|i| !order.contains(i))
            .collect::<Vec<_>>()
        {
            let waits = |j| open(order, j) && brute::comes_first(history, j, i);
            let is_late = order.iter().any(|&j| brute::comes_first(history, i, j));
            if is_late || (0..count).any(waits) {
                continue;
            }
            let op = &history.operations[i];
            let call = spec.call(history.name(op), &op.argument).expect("known");
            let outcome = spec.outcome(&call, &op.outcome).expect("known");
            let mut nexts = Vec::new();
            spec.successors(state, &call, &outcome, &mut |next| nexts.push(next));
            order.push(i);
            if nexts
                .iter()
                .any(|next| go(spec, history, core, next, order))
            {
                return true;
            }
            order.pop();
        }
        false
    }
    go(spec, history, core, &spec.initial(), &mut Vec::new())
}

/// Whether an operation that can fail did.
fn said_no(op: &Operation) -> bool {
    matches!(
        op.outcome,
        Outcome::Returned(Value::Bool(false) | Value::Int(0))
    )
}

/// Whether a sentence says what the operations that it names did.
fn is_true(text: &str, said: &[OpId], history: &History, part: &Option<Value>) -> bool {
    let op = |i: usize| &history.operations[said[i] as usize];
    let before = |i: usize, j: usize| op(i).ret < op(j).call;
    // The value that an operation gives or got, the last of its arguments or its result.
    let gave =
        |i: usize, v: &str| (op(i).argument.items().last()).is_some_and(|x| x.to_string() == v);
    let got = |i: usize, v: &str| match op(i).outcome.value() {
        Some(Value::List(items)) => items.iter().any(|x| x.to_string() == v) || gave(i, v),
        Some(x) => x.to_string() == v || gave(i, v),
        None => gave(i, v),
    };
    let parts = |marks: &[&str]| -> Option<Vec<String>> {
        let mut rest = text.strip_suffix('.')?;
        let mut found = Vec::new();
        for mark in marks {
            let (one, other) = rest.split_once(mark)?;
            found.push(one.to_owned());
            rest = other;
        }
        found.push(rest.to_owned());
        Some(found)
    };
    if let Some(p) = parts(&[" was enqueued before ", ", but dequeued after it"]) {
        let (x, y) = (&p[0], &p[1]);
        return gave(0, x) && gave(1, y) && got(2, y) && got(3, x) && before(0, 1) && before(2, 3);
    }
    if let Some(p) = parts(&[" was enqueued before ", ", but only "]) {
        let dequeued = history.operations.iter().any(|o| {
            o.outcome
                .value()
                .is_some_and(|v| v.to_string() == p[0] && history.name(o) == "dequeue")
        });
        return gave(0, &p[0]) && gave(1, &p[1]) && got(2, &p[1]) && before(0, 1) && !dequeued;
    }
    if let Some(p) = parts(&[" twice, but "]) {
        let v = p[0].split(' ').next().unwrap_or_default();
        return said.len() == 3 && gave(0, v) && got(1, v) && got(2, v);
    }
    if let Some(p) = parts(&[", but never "]) {
        let v = p[0].split(" was ").next().unwrap_or_default();
        let given = |o: &&Operation| {
            let name = history.name(o);
            [
                "enqueue",
                "push",
                "push_front",
                "push_back",
                "insert",
                "add",
            ]
            .contains(&name)
                && o.argument.to_string() == v
                && !said_no(o)
        };
        return got(0, v) && history.operations.iter().find(given).is_none();
    }
    if let Some(p) = parts(&[" before it was "]) {
        let v = p[0].split(" was ").next().unwrap_or_default();
        return got(0, v) && gave(1, v) && before(0, 1);
    }
    if let Some(p) = parts(&[" said empty while ", " was in it"]) {
        return gave(1, &p[1])
            && before(1, 0)
            && (said.len() < 3 || (got(2, &p[1]) && before(0, 2)));
    }
    if let Some(p) = parts(&[" was popped while ", ", pushed after it"]) {
        return gave(0, &p[0]) && gave(1, &p[1]) && got(2, &p[0]) && before(0, 1) && before(1, 2);
    }
    if let Some(p) = parts(&[" was taken while ", ", which comes before it"]) {
        return gave(0, &p[0]) && gave(1, &p[1]) && got(2, &p[0]) && before(1, 2);
    }
    if let Some(p) = parts(&[" saw ", ", but ", " had been written over it"]) {
        let last = said.len() - 1;
        let is_overwritten = last < 2 || before(0, last - 1);
        return gave(last - 1, &p[2]) && before(last - 1, last) && is_overwritten;
    }
    if let Some(p) = parts(&[" saw ", ", but ", " had seen another value in its place"]) {
        let last = said.len() - 1;
        return p[2] == history.show(said[last - 1]).to_string()
            && !got(last - 1, &p[1])
            && before(last - 1, last)
            && (last < 2 || before(0, last - 1));
    }
    if let Some(p) = parts(&[
        " saw ",
        ", but ",
        " had changed it, which was there only once",
    ]) {
        let last = said.len() - 1;
        return p[2] == history.show(said[last - 1]).to_string() && before(last - 1, last);
    }
    if let Some(p) = parts(&[" saw ", ", which was written only later"]) {
        return gave(1, &p[1]) && before(0, 1);
    }
    if let Some(p) = parts(&[" saw ", ", which nobody wrote"]) {
        let writes = |o: &Operation| {
            let name = history.name(o);
            ["write", "put", "cas", "swap"].contains(&name)
                && (part.is_none() || o.argument.items().first() == part.as_ref())
                && o.argument
                    .items()
                    .last()
                    .is_some_and(|x| x.to_string() == p[1])
                && !said_no(o)
        };
        return !history.operations.iter().any(|o| writes(o) && o != op(0));
    }
    if let Some(p) = parts(&[" and ", " both found ", ", which was there only once"]) {
        let last = said.len() - 1;
        return p[0] == history.show(said[last - 1]).to_string()
            && p[1] == history.show(said[last]).to_string();
    }
    if let Some(p) = parts(&[
        " was done, but ",
        " did not find ",
        ", and nobody removed it",
    ]) {
        let removes = |o: &Operation| {
            history.name(o) == "remove" && o.argument.to_string() == p[2] && !said_no(o)
        };
        return gave(0, &p[2]) && before(0, 1) && !history.operations.iter().any(removes);
    }
    text.contains(" took the lock") && (0..said.len() - 1).all(|i| before(i, said.len() - 1))
}

/// Whether `order` respects real time and the specification allows it.
fn assert_legal<S: Spec>(spec: &S, history: &History, order: &[OpId]) {
    for (i, &later) in order.iter().enumerate() {
        for &earlier in &order[..i] {
            let (a, b) = (earlier as usize, later as usize);
            assert!(!brute::comes_first(history, b, a), "real time is respected");
        }
    }
    let mut states = vec![spec.initial()];
    for &id in order {
        let op = &history.operations[id as usize];
        let call = spec
            .call(history.name(op), &op.argument)
            .expect("a known call");
        let outcome = spec.outcome(&call, &op.outcome).expect("a known result");
        let mut nexts = Vec::new();
        for state in &states {
            spec.successors(state, &call, &outcome, &mut |next| nexts.push(next));
        }
        assert!(!nexts.is_empty(), "{} is possible here", history.show(id));
        states = nexts;
    }
}

#[test]
fn evidence_is_sound() {
    for name in Builtin::NAMES {
        let spec = Builtin::named(name).expect("a built-in specification");
        let mut random = Random::new(3);
        let plain = Shape {
            spoilt: 100,
            ..Shape::default()
        };
        let vague = Shape {
            pending: 15,
            unknown: 10,
            repeated: 40,
            further: 30,
            ..plain.clone()
        };
        let compared = Compared::default();
        let violations = (0..count())
            .filter(|i| {
                let shape = [&plain, &vague][i % 2];
                spec.visit(Inspect(
                    &sample(&spec, shape, &mut random),
                    &spec,
                    &compared,
                ))
            })
            .count();
        assert!(violations > count() / 20, "{name}: {violations} violations");
        let (sets, sentences) = compared.get();
        let said = format!("{name}: {sets} sets and {sentences} sentences of {violations}");
        assert!(sets > count() / 40, "{said}");
        // The search finds no pattern in these.
        let unsaid = ["counter", "pair-snapshot", "semaphore"].contains(&name);
        assert!(unsaid || sentences > count() / 80, "{said}");
    }
}
