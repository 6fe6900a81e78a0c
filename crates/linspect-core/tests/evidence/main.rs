//! Evidence on random violations: what it claims is checked by other means.

mod possible;

use linspect_core::check::sample::{SampleShape, sample};
use linspect_core::check::{Alone, Question, Unlimited, brute};
use linspect_core::history::{History, OpId, Operation, Outcome};
use linspect_core::random::Random;
use linspect_core::spec::{Builtin, Spec, Visitor};
use linspect_core::value::Value;
use linspect_core::verdict::{Because, Criterion, Evidence, Verdict};
use possible::is_possible;
use std::cell::Cell;

/// How many violations of each type: all of them on request, else a tenth.
fn count() -> usize {
    match std::env::var_os("LINSPECT_LONG") {
        Some(_) => 5_000,
        None => 500,
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
                if let Some(order) = order.filter(|_| spec.most_together() == 1) {
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
    let is_alone = |line: &Because| line.text.contains("cannot explain this");
    if evidence.because.iter().any(is_alone) {
        assert!(
            !is_possible(spec, history, &evidence.core),
            "the others explain it: {evidence:?}\n{history:?}"
        );
    }
    if let Some(headline) = &evidence.headline {
        let said = &headline.operations;
        assert!(said.iter().all(|id| evidence.core.contains(id)));
        assert!(
            !is_possible(spec, history, said),
            "can be explained: {evidence:?}\n{history:?}"
        );
        assert!(
            is_true(spec, &headline.text, said, history, &evidence.part),
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
    if spec.most_together() == 1 {
        assert_legal(spec, history, &order);
    }
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

/// Whether an operation that can fail did.
fn said_no(op: &Operation) -> bool {
    matches!(
        op.outcome,
        Outcome::Returned(Value::Bool(false) | Value::Int(0))
    )
}

/// Whether a sentence says what the operations that it names did.
fn is_true<S: Spec>(
    spec: &S,
    text: &str,
    said: &[OpId],
    history: &History,
    part: &Option<Value>,
) -> bool {
    // A cell of a snapshot is a register.
    let (text, part) = match text.split_once(" in cell ") {
        Some((saw, rest)) => {
            let (cell, rest) = rest.split_once(',').expect("more follows");
            let cell = Value::Int(cell.parse().expect("a number"));
            (format!("{saw},{rest}"), &Some(cell))
        }
        None => (text.to_owned(), part),
    };
    let cell = match part {
        Some(Value::Int(cell)) if spec.name() == "pair-snapshot" => Some(*cell),
        _ => None,
    };
    let op = |i: usize| &history.operations[said[i] as usize];
    let before = |i: usize, j: usize| op(i).ret < op(j).call;
    // The value that an operation gives or got, the last of its arguments or its result.
    let gave = |i: usize, v: &str| {
        let argument = op(i).argument.items();
        let here = cell.is_none_or(|cell| argument.first() == Some(&Value::Int(cell)));
        here && argument.last().is_some_and(|x| x.to_string() == v)
    };
    let got = |i: usize, v: &str| match op(i).outcome.value() {
        Some(Value::List(items)) if cell.is_some() => {
            let at = usize::try_from(cell.unwrap_or_default()).expect("small");
            items[at].to_string() == v
        }
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
        return p[0] == history.show_call(said[0]).to_string()
            && gave(1, &p[1])
            && before(1, 0)
            && (said.len() < 3 || (got(2, &p[1]) && before(0, 2)));
    }
    if let Some(p) = parts(&[" was popped while ", ", pushed after it"]) {
        return gave(0, &p[0]) && gave(1, &p[1]) && got(2, &p[0]) && before(0, 1) && before(1, 2);
    }
    if let Some(p) = parts(&[" was popped at the ", " while ", " stood "]) {
        // The two pushes in every order that time allows, and then the pop: it never gets the value.
        let (x, y, is_front) = (&p[0], &p[2], p[1] == "front");
        let place = if is_front { "before it" } else { "behind it" };
        let at_front = |i: usize| history.name(op(i)).ends_with("front");
        let stands = |first: usize, second: usize| {
            let mut row = vec![first];
            row.insert(if at_front(second) { 0 } else { 1 }, second);
            *(if is_front { row.first() } else { row.last() }).expect("two stand there")
        };
        let orders = [(0, 1), (1, 0)];
        let mut possible = orders
            .iter()
            .filter(|&&(first, second)| !before(second, first));
        return p[3] == place
            && gave(0, x)
            && gave(1, y)
            && got(2, x)
            && at_front(2) == is_front
            && before(1, 2)
            && (said.len() < 4 || (got(3, y) && before(2, 3)))
            && possible.all(|&(first, second)| stands(first, second) == 1);
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
            ["write", "update", "put", "set", "cas", "swap"].contains(&name)
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
        " was added, but ",
        " did not find it, and nobody removed it",
    ]) {
        let removes = |o: &Operation| {
            history.name(o) == "remove" && o.argument.to_string() == p[0] && !said_no(o)
        };
        return gave(0, &p[0])
            && before(0, 1)
            && p[1] == history.show_call(said[1]).to_string()
            && !history.operations.iter().any(removes);
    }
    if ["counter", "semaphore"].contains(&spec.name()) {
        return is_true_of_count(spec, &text, said, history);
    }
    if ["rendezvous", "exchanger", "barrier"].contains(&spec.name()) {
        // Whether the one that it names may have met somebody was asked by other means; the text says what it did.
        let (own, names) = (op(0), history.show_call(said[0]).to_string());
        let is_named = text.starts_with(&names) || text.contains(" received");
        let got = own.outcome.value().map(ToString::to_string);
        let brings = |o: &&Operation| !said_no(o) && Some(o.argument.to_string()) == got;
        let is_brought = history
            .operations
            .iter()
            .filter(|o| *o != own)
            .any(|o| brings(&o));
        return said.len() == 1 && is_named && !(text.contains(" never sent") && is_brought);
    }
    if text.contains(" gave the lock back, which ") {
        let last = said.len() - 1;
        let gives = |o: &Operation| ["unlock", "release"].contains(&history.name(o));
        let is_own = |o: &Operation| o.argument == op(last).argument;
        let takes = |o: &&Operation| {
            let may = !gives(o) && history.name(o) != "is_locked" && !said_no(o);
            may && is_own(o) && o.call <= op(last).ret
        };
        let earlier = |i: usize| before(i, last) && gives(op(i)) && is_own(op(i));
        let taken = history.operations.iter().filter(takes).count();
        return gives(op(last)) && (0..last).all(earlier) && taken <= last;
    }
    if text.contains(" was refused the lock, which ") {
        let last = said.len() - 1;
        let gives = |o: &Operation| ["unlock", "release"].contains(&history.name(o));
        let may_hold = |o: &&Operation| {
            let may_take = !gives(o) && history.name(o) != "is_locked" && !said_no(o);
            may_take && o.call <= op(last).ret && (last == 0 || o.ret >= op(0).call)
        };
        let is_free = history.operations.iter().filter(may_hold).count() == 0;
        return said_no(op(last)) && is_free && (last == 0 || (gives(op(0)) && before(0, 1)));
    }
    text.contains(" took the lock") && (0..said.len() - 1).all(|i| before(i, said.len() - 1))
}

/// Whether a sentence about a count is true: another count in its place, beyond what it says, is wrong as well.
fn is_true_of_count<S: Spec>(spec: &S, text: &str, said: &[OpId], history: &History) -> bool {
    let last = *said.last().expect("it speaks of something") as usize;
    let rest = match text.strip_prefix("After ") {
        Some(rest) => {
            let shown = |id: &OpId| format!("{}, ", history.show(*id));
            let earlier = said.iter().find(|id| rest.starts_with(&shown(id)));
            let earlier = earlier.expect("it speaks of this one, too");
            let early = &history.operations[*earlier as usize];
            assert!(early.ret < history.operations[last].call, "it came before");
            &rest[shown(earlier).len()..]
        }
        None => text,
    };
    let call = history.show_call(said[said.len() - 1]).to_string();
    let rest = rest.strip_prefix(&call).expect("it names the operation");
    // The operation in its place that says how much there is.
    let counts = |outcome: i64| {
        let mut other = history.clone();
        let op = &mut other.operations[last];
        op.outcome = Outcome::Returned(Value::Int(outcome));
        if spec.name() == "semaphore" && !history.name(&history.operations[last]).contains("avail")
        {
            let at = other.methods.len() as u16;
            other.methods.push("available".into());
            let op = &mut other.operations[last];
            (op.method, op.argument) = (at, Value::Unit);
        }
        brute::is_linearizable(spec, &other).expect("known calls")
    };
    let number = |text: &str| -> i64 {
        let word = text.trim_matches('.').split(' ').next().expect("a word");
        if word == "no" {
            0
        } else {
            word.parse().expect("a number")
        }
    };
    let returned = history.operations[last].outcome.value();
    if let Some((said, least)) = rest.split_once(", but had to return at least ") {
        let least = number(least);
        let said = number(said.strip_prefix(" returned ").expect("what it returned"));
        return returned == Some(&Value::Int(said))
            && said < least
            && (least - 4..least).all(|fewer| !counts(fewer));
    }
    if let Some((said, most)) = rest.split_once(", but had to return at most ") {
        let most = number(most);
        let said = number(said.strip_prefix(" returned ").expect("what it returned"));
        return returned == Some(&Value::Int(said))
            && said > most
            && (most + 1..most + 5).all(|more| !counts(more));
    }
    if let Some(free) = rest.strip_prefix(" failed while ") {
        let free = number(free);
        return said_no(&history.operations[last]) && (free - 4..free).all(|fewer| !counts(fewer));
    }
    let (_, free) = rest.split_once(" while ").expect("how many were free");
    let free = number(free);
    !said_no(&history.operations[last]) && (free + 1..free + 5).all(|more| !counts(more))
}

/// Whether `order` respects real time and the specification allows it.
fn assert_legal<S: Spec>(spec: &S, history: &History, order: &[OpId]) {
    for (i, &later) in order.iter().enumerate() {
        for &earlier in &order[..i] {
            let (a, b) = (earlier as usize, later as usize);
            assert!(
                !brute::comes_first(history, b, a),
                "real time is not respected: {order:?} in\n{history:?}"
            );
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

/// What is never guessed.
const OTHERS: [&str; 5] = [
    "owned-mutex",
    "recursive-mutex",
    "rendezvous",
    "exchanger",
    "barrier",
];

#[test]
#[expect(clippy::disallowed_macros, reason = "it says how much it compared")]
fn evidence_is_sound() {
    for name in (Builtin::NAMES.into_iter()).chain(OTHERS) {
        let spec = Builtin::named(name).expect("a built-in specification");
        let mut random = Random::new(3);
        let plain = SampleShape {
            spoilt: 100,
            ..SampleShape::default()
        };
        let vague = SampleShape {
            pending: 15,
            unknown: 10,
            repeated: 40,
            further: 30,
            ..plain.clone()
        };
        let compared = Compared::default();
        let (mut violations, mut histories) = (0, 0);
        while violations < count() {
            assert!(histories < 40 * count(), "{name}: {violations} violations");
            let shape = [&plain, &vague][histories % 2];
            let history = sample(&spec, shape, &mut random);
            violations += usize::from(spec.visit(Inspect(&history, &spec, &compared)));
            histories += 1;
        }
        let (sets, sentences) = compared.get();
        let said = format!(
            "{name}: {sets} sets and {sentences} sentences of {violations} violations in {histories} histories"
        );
        println!("{said}");
        assert!(sets > count() / 4, "{said}");
        assert!(sentences > count() / 20, "{said}");
    }
}
