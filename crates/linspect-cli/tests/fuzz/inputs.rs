//! Good inputs to begin with, and words that readers know.

use crate::repository;
use linspect_core::client::{Client, Invocation};
use linspect_core::schedule::{Choice, Schedule};
use linspect_core::value::Value;
use linspect_engine::Token;
use std::path::Path;
use std::process::Command;

pub(crate) const HISTORY: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "\n",
    "null",
    "true",
    "1e9",
    "-1",
    "18446744073709551616",
    "{\"process\":0,\"type\":\"invoke\",\"f\":\"read\"}\n",
    "{:process 0, :type :invoke, :f :read}\n",
    ":info",
    ":fail",
    ":nemesis",
    "#inst \"2020\"",
    "#{1 2}",
    "\\newline",
    "\u{feff}",
    "é",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
];
/// What must not be found in a page as it is.
pub(crate) const HOSTILE: &str = "<img onerror=hostile>";
pub(crate) const JSON: &[&str] = &[
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "null",
    "true",
    "0",
    "-1",
    "1e400",
    "4294967295",
    "\\u0000",
    "\\ud800",
    "\u{1b}[31m",
    "\"</script><img onerror=hostile>\"",
    "\"]]><!--\"",
    "\"\\u202e\\u001b]0;title\\u0007\"",
    "[]",
    "{}",
];
pub(crate) const TOKEN: &[&str] = &["L1:", "L2:", "L3:", "0", "z", "é", " ", ":"];
pub(crate) const LLVM: &[&str] = &[
    "i1",
    "i128",
    "ptr null",
    "undef",
    "poison",
    "!dbg",
    "store",
    "br label %0",
    "%0",
    "@main",
    "volatile",
    "seq_cst",
    "<4 x i32>",
    "{ i32, i64 }",
    "call void @abort()",
    "unreachable\n",
];
pub(crate) const CLIENT: &[&str] = &[
    "[",
    "]",
    "|",
    "(",
    ")",
    ";",
    ",",
    "push(1)",
    "pop",
    "push",
    "99999999999999999999",
    "\"",
    " ",
];
pub(crate) const SETTINGS: &[&str] = &[
    ".empty = -1",
    ".capacity = 0",
    ".initial = ",
    ".add = ",
    "=",
    ",",
    "stack",
    "queue",
    "\\00",
    "i64 -9223372036854775808",
    "linspect_declare_push",
    "linspect_op_pop",
    "linspect_object",
];

/// The histories of the corpus with this extension.
pub(crate) fn files(extension: &str) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for folder in ["pass", "fail"] {
        let folder = repository().join("corpus/histories").join(folder);
        for entry in std::fs::read_dir(folder).expect("the corpus").flatten() {
            let name = entry.file_name();
            if Path::new(&name).extension() == Some(extension.as_ref()) {
                files.push((name, std::fs::read(entry.path()).expect("a history")));
            }
        }
    }
    files.sort();
    files.into_iter().map(|(_, bytes)| bytes).collect()
}

/// What the command says in JSON of a history and of an object.
pub(crate) fn findings() -> Vec<Vec<u8>> {
    let of = |arguments: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_linspect"))
            .args(arguments)
            .current_dir(repository())
            .output();
        done.expect("the command starts").stdout
    };
    vec![
        of(&["check", "corpus/histories/fail/queue.jsonl", "--json"]),
        of(&["check", "corpus/histories/pass/kv.jsonl", "--json"]),
        of(&["test", "corpus/harness/rust/cache.rs", "--json"]),
        of(&["explain", "zoo/c/programs/account.c", "--json"]),
        of(&["test", "corpus/harness/c/philosophers.c", "--json"]),
    ]
}

/// Tokens of clients with calls everywhere.
pub(crate) fn tokens() -> Vec<String> {
    let call = |operation, argument| Invocation {
        operation,
        argument,
    };
    let client = Client {
        before: vec![call(0, Value::Int(-7))],
        threads: vec![
            vec![call(0, Value::text("é")), call(3, Value::Unit)],
            vec![call(1, Value::list([Value::Nil, Value::Bool(true)]))],
        ],
        after: vec![call(2, Value::Unit)],
        ..Client::default()
    };
    let schedule = Schedule([0, 0, 1, 0, 1].into_iter().map(Choice::of).collect());
    let token = |client, schedule, settings| Token {
        fingerprint: 0x1234_5678_9abc_def0,
        client,
        schedule,
        settings,
    };
    [
        token(Client::default(), Schedule::default(), Vec::new()),
        token(client, schedule, vec!["--spec=queue".into()]),
    ]
    .map(|token| token.to_string())
    .to_vec()
}

pub(crate) fn clients() -> Vec<Vec<u8>> {
    [
        "push(1) | pop",
        "[push(1); push(2)] pop pop | pop [pop]",
        "[] push(1) push(2) | pop | is_empty []",
    ]
    .map(|client| client.as_bytes().to_vec())
    .to_vec()
}

/// Small programs as bitcode (`bc`) or as text (`ll`).
pub(crate) fn modules(kind: &str) -> Vec<Vec<u8>> {
    ["fail/c/deadlock.c", "run/c/threads.c"]
        .map(|file| compile(&format!("corpus/{file}"), kind))
        .to_vec()
}

/// A harness as text, so that its declarations can be damaged.
pub(crate) fn harness() -> Vec<u8> {
    compile("corpus/fuzz/stack.c", "ll")
}

fn compile(file: &str, kind: &str) -> Vec<u8> {
    let versions = (14..=22).rev().map(|v| format!("clang-{v}"));
    let form = if kind == "bc" { "-c" } else { "-S" };
    for clang in std::iter::once("clang".to_owned()).chain(versions) {
        let done = Command::new(clang)
            .args([
                "-O1",
                "-g",
                "-emit-llvm",
                form,
                "-o",
                "-",
                "-Icrates/linspect-vm/include",
            ])
            .arg(file)
            .current_dir(repository())
            .output();
        if let Ok(done) = done
            && done.status.success()
        {
            return done.stdout;
        }
    }
    panic!("no clang compiles {file}: install clang");
}
