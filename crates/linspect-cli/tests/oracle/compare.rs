//! One module, judged twice.

use crate::oracle::{Expected, Oracle};
use crate::recount::{is_decided, repaired, same_count, same_races};
use crate::tool::{self, Finding};
use linspect_testkit::client::{self, Client};
use linspect_testkit::code::Code;
use linspect_testkit::emit::{self, Source};
use linspect_testkit::generate::{self, Manners, Theme};
use linspect_testkit::judge::Wrong;
use linspect_testkit::language::{Kind, Module, Statement};
use linspect_testkit::machine::Fault;
use linspect_testkit::random::Random;
use linspect_testkit::shrink::shrink;
use std::collections::BTreeSet;
use std::fs;
use std::sync::atomic::{AtomicU64, Ordering};

/// A client of the search begins with at most so many calls of a prefix.
const PREFIX: usize = 2;

/// The language a module is written in for Linspect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    C,
    Rust,
}

impl Language {
    fn emit(self, module: &Module) -> (Source, &'static str) {
        match self {
            Self::C => (emit::c::emit(module), "module.c"),
            Self::Rust => (emit::rust::emit(module), "module.rs"),
        }
    }
}

/// What is asked about a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Question {
    /// All clients of this many operations at once.
    Search(usize),
    /// This client.
    Client(Client),
    /// The program.
    Program,
}

impl Question {
    fn arguments(&self) -> Vec<String> {
        match self {
            Self::Search(n) => {
                let n = n.to_string();
                vec!["--operations".into(), n.clone(), "--threads".into(), n]
            }
            Self::Client(client) => vec!["--client".into(), client.to_string()],
            Self::Program => Vec::new(),
        }
    }
}

/// Asks both, and says where they disagree. Nothing if brute force cannot say.
fn ask(module: &Module, language: Language, question: &Question) -> Option<Result<(), String>> {
    let (source, file) = language.emit(module);
    let code = Code::new(module, &source.lines);
    let mut oracle = Oracle::new(&code);
    if module.kind == Kind::Object && !oracle.is_built() {
        return None;
    }
    let mut wrong = BTreeSet::new();
    let clients = match question {
        Question::Search(n) => client::all(module, &vec![1; *n]),
        Question::Client(client) => vec![client.clone()],
        Question::Program => vec![Client::default()],
    };
    for client in clients {
        wrong.extend(oracle.expect(&client)?.must);
    }
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(file);
    fs::write(&path, &source.text).expect("the file is written");
    let arguments = question.arguments();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let compared = tool::test(&path, &arguments).and_then(|finding| match finding {
        Some(finding) => judge(&mut oracle, &source, language, question, &wrong, &finding),
        None => {
            UNDECIDED.fetch_add(1, Ordering::Relaxed);
            Ok(())
        }
    });
    Some(compared)
}

/// Brute force has no spurious wake-ups. What only they allow is looked for last, so it finds nothing wrong; and they do no harm to who looks again.
fn judge_spurious(module: &Module, said: Wrong, wrong: &BTreeSet<Wrong>) -> Result<(), String> {
    let waits_once = |statement: &Statement| {
        let waits = |s: &Statement| matches!(s, Statement::Wait(_));
        matches!(statement, Statement::If(_, then, _) if then.iter().any(waits))
    };
    match (wrong.is_empty(), module.any(&waits_once)) {
        (true, true) => Ok(()),
        (true, false) => Err(format!(
            "false alarm: {said:?} though all who wait look again"
        )),
        (false, _) => Err(format!("missed without spurious wake-ups: it is {wrong:?}")),
    }
}

/// How many modules Linspect had no time to decide.
pub(crate) static UNDECIDED: AtomicU64 = AtomicU64::new(0);

/// Whether what Linspect says is so; `wrong` is what is wrong without doubt.
fn judge(
    oracle: &mut Oracle<'_>,
    source: &Source,
    language: Language,
    question: &Question,
    wrong: &BTreeSet<Wrong>,
    finding: &Finding,
) -> Result<(), String> {
    let Some(said) = finding.wrong else {
        return match wrong.is_empty() {
            true => same_count(oracle, language, question, finding),
            false => Err(format!(
                "missed: Linspect says that it holds, it is {wrong:?}"
            )),
        };
    };
    if finding.is_spurious {
        return judge_spurious(oracle.code.module, said, wrong);
    }
    let (client, certified) = match (question, &finding.smallest) {
        (Question::Program, _) => (Client::default(), None),
        (_, Some((client, certified))) => (client.clone(), Some(*certified)),
        (Question::Client(client), None) => (client.clone(), None),
        (_, None) => return Err(format!("{said:?} without a test")),
    };
    let Some(smallest) = oracle.expect(&client) else {
        return Ok(());
    };
    // In Rust a failed assertion ends its thread only; brute force does not say what the others do then.
    let panics = smallest.may.contains(&Wrong::Fault(Fault::Assertion));
    if language == Language::Rust && *question == Question::Program && panics {
        return Ok(());
    }
    if !smallest.may.contains(&said) {
        let may = smallest.may;
        return Err(format!("false alarm: {said:?} of {client}, it is {may:?}"));
    }
    // Calls of a prefix are shown as calls of the thread where there is only one.
    let prefix = if client.threads.len() < 2 { PREFIX } else { 0 };
    if let Question::Search(n) = question
        && !wrong.is_empty()
        && client.concurrent() > *n + prefix
    {
        return Err(format!(
            "{client} is not the smallest: {n} operations are enough"
        ));
    }
    if certified == Some(true) {
        for smaller in client.smaller() {
            let fails = oracle
                .expect(&smaller)
                .is_some_and(|e| e.must.contains(&said));
            if fails {
                return Err(format!(
                    "{client} is not minimal: {smaller} is {said:?}, too"
                ));
            }
        }
    }
    same_races(oracle, language, &client, finding)?;
    repaired(oracle, source, &client, finding)
}

/// The sort of a disagreement: shrinking must not lead to another one.
fn sort(text: &str) -> String {
    let is_word = |c: &char| !c.is_ascii_digit() && *c != ':' && *c != '[';
    text.chars().take_while(is_word).collect()
}

/// How many smaller modules are tried before a disagreement is shown.
const TRIES: usize = 40;

/// Shows a disagreement, made small: what each says, the module, its source, the command.
fn show(module: &Module, language: Language, question: &Question, seed: u64, text: &str) -> String {
    let question_of = |client: &Client| match question {
        Question::Client(_) => Question::Client(client.clone()),
        other => other.clone(),
    };
    let client = match question {
        Question::Client(client) => client.clone(),
        _ => Client::default(),
    };
    let mut why = text.to_owned();
    let (module, client) = shrink(
        module.clone(),
        client,
        TRIES,
        &mut |module, client| match ask(module, language, &question_of(client)) {
            Some(Err(t)) if sort(&t) == sort(text) => {
                why = t;
                true
            }
            _ => false,
        },
    );
    let (source, file) = language.emit(&module);
    let arguments = question_of(&client).arguments().into_iter();
    let arguments: Vec<String> = arguments.map(|a| format!("'{a}'")).collect();
    format!(
        "──── seed {seed}, {language:?}\n{why}\n\n{}\n{}\nlinspect test {file} {}\n",
        emit::text::text(&module),
        source.text,
        arguments.join(" ")
    )
}

/// Compares the answers to a question about a module. Nothing if brute force cannot give one.
fn compare(
    module: &Module,
    language: Language,
    question: &Question,
    seed: u64,
) -> Option<Result<(), String>> {
    let compared = ask(module, language, question)?;
    Some(compared.map_err(|text| show(module, language, question, seed, &text)))
}

/// An object: all its clients of two operations, or one larger client. The first that brute force can judge is taken.
pub(crate) fn compare_object(theme: Theme, language: Language, seed: u64) -> Result<(), String> {
    let random = &mut Random::new(seed);
    loop {
        // In Rust a failed assertion is a panic, and that is an outcome of an operation.
        let asserts = language == Language::C && random.chance(30);
        let module = generate::object(random, theme, asserts);
        let lengths = random.pick(&[&[1, 1][..], &[2, 1], &[1, 1, 1], &[2, 2]]);
        let (before, after) = (random.below(2), random.below(2));
        let client = generate::client(random, &module, before, lengths, after);
        let question = match seed % 2 {
            0 => Question::Search(2),
            _ => Question::Client(client),
        };
        if let Some(compared) = compare(&module, language, &question, seed) {
            return compared;
        }
    }
}

/// A client of an object that has runs of both kinds, so that something decides; the first that brute force can judge is taken.
pub(crate) fn compare_decided(theme: Theme, language: Language, seed: u64) -> Result<(), String> {
    let random = &mut Random::new(seed);
    loop {
        let module = generate::object(random, theme, language == Language::C);
        let lengths = random.pick(&[&[1, 1][..], &[2, 1], &[1, 1, 1]]);
        let before = random.below(2);
        let client = generate::client(random, &module, before, lengths, 0);
        let (source, _) = language.emit(&module);
        let code = Code::new(&module, &source.lines);
        let mut oracle = Oracle::new(&code);
        // A data race is told by itself, whoever goes first.
        let races = |wrong: &Expected| wrong.may.contains(&Wrong::Fault(Fault::Race));
        if !is_decided(&mut oracle, language, &client)
            || oracle.expect(&client).is_none_or(|w| races(&w))
        {
            continue;
        }
        if let Some(compared) = compare(&module, language, &Question::Client(client), seed) {
            return compared;
        }
    }
}

/// A program; the first that brute force can judge is taken.
pub(crate) fn compare_program(
    theme: Theme,
    manners: Manners,
    language: Language,
    seed: u64,
) -> Result<(), String> {
    let random = &mut Random::new(seed);
    loop {
        let module = generate::program(random, theme, manners);
        if let Some(compared) = compare(&module, language, &Question::Program, seed) {
            return compared;
        }
    }
}
