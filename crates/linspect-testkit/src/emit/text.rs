//! A module as one reads it.

use super::{Language, Writer, block};
use crate::client::name;
use crate::language::{Guard, Link, Module, Operand, Place, Statement, Test};

struct Text;

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Number(number) => number.to_string(),
        Operand::Local(local) => format!("i{local}"),
    }
}

fn place(place: Place) -> String {
    match place {
        Place::Variable(v) => format!("x{v}"),
        Place::Value(p) => format!("p{p}.value"),
    }
}

fn link(link: Link) -> String {
    match link {
        Link::Root(r) => format!("root{r}"),
        Link::Next(p) => format!("p{p}.next"),
    }
}

fn word(pointer: Option<u8>) -> String {
    pointer.map_or_else(|| "nothing".to_owned(), |p| format!("p{p}"))
}

fn test(test: Test) -> String {
    match test {
        Test::Equal(a, b) => format!("{} = {}", operand(a), operand(b)),
        Test::Differ(a, b) => format!("{} ≠ {}", operand(a), operand(b)),
        Test::Null(p) => format!("p{p} = nothing"),
        Test::Some(p) => format!("p{p} ≠ nothing"),
    }
}

impl Language for Text {
    fn simple(&self, statement: &Statement) -> String {
        match *statement {
            Statement::Set(i, a, b) => format!("i{i} := {} + {}", operand(a), operand(b)),
            Statement::Load(i, p) => format!("i{i} := {}", place(p)),
            Statement::Store(p, v) => format!("{} := {}", place(p), operand(v)),
            Statement::Add(i, p, v) => format!("i{i} := add({}, {})", place(p), operand(v)),
            Statement::Exchange(i, p, v) => {
                format!("i{i} := exchange({}, {})", place(p), operand(v))
            }
            Statement::Compare(i, p, old, new) => {
                let (old, new) = (operand(old), operand(new));
                format!("i{i} := compare({}, {old} → {new})", place(p))
            }
            Statement::Get(i, d) => format!("i{i} := plain d{d}"),
            Statement::Put(d, v) => format!("plain d{d} := {}", operand(v)),
            Statement::Follow(p, l) => format!("p{p} := {}", link(l)),
            Statement::Point(l, to) => format!("{} := {}", link(l), word(to)),
            Statement::Take(p, l, to) => format!("p{p} := exchange({}, {})", link(l), word(to)),
            Statement::Swing(i, l, old, new) => {
                format!("i{i} := compare({}, p{old} → {})", link(l), word(new))
            }
            Statement::New(p, v) => format!("p{p} := new({})", operand(v)),
            Statement::Free(p) => format!("free p{p}"),
            Statement::Tag(p, tag) => format!("tag p{p} with {tag}"),
            Statement::Break(t) => format!("leave if {}", test(t)),
            Statement::Spin(p, until) => format!("spin until {} = {until}", place(p)),
            Statement::Wait(c) => format!("wait for c{c}"),
            Statement::Notify(c, all) => {
                format!("wake {} of c{c}", if all { "all" } else { "one" })
            }
            Statement::Assert(t) => format!("assert {}", test(t)),
            Statement::Start(h, f, argument) => {
                format!("t{h} := start {}({})", name(f), operand(argument))
            }
            Statement::Join(h) => format!("join t{h}"),
            Statement::Exit => "exit".to_owned(),
            Statement::If(..) | Statement::Loop(_) | Statement::Region(..) => {
                unreachable!("blocks are written by whoever calls this")
            }
        }
    }

    fn choice(&self, condition: &Test) -> String {
        format!("if {} {{", test(*condition))
    }

    fn endless(&self) -> &'static str {
        "again and again {"
    }

    fn region(&self, guard: Guard) -> (String, Vec<String>) {
        let begin = match guard {
            Guard::Mutex(m) => format!("lock m{m} {{"),
            Guard::Try(m) => format!("lock m{m} if it is free {{"),
            Guard::Read(l) => format!("read l{l} {{"),
            Guard::Write(l) => format!("write l{l} {{"),
        };
        (begin, vec!["}".to_owned()])
    }
}

/// The text of `module`.
pub fn text(module: &Module) -> String {
    let mut w = Writer::new();
    w.line(&format!(
        "{:?}: variables {:?}, pointers {:?}, condition variables of mutexes {:?}",
        module.kind, module.variables, module.encoding, module.conditions
    ));
    for (f, function) in module.functions.iter().enumerate() {
        w.line(&format!("{}({:?}) {{", name(f as u8), function.arguments));
        w.function();
        w.depth = 1;
        block(&mut w, &Text, &function.body);
        w.line(&format!("return {}", operand(function.result)));
        w.depth = 0;
        w.line("}");
    }
    w.source.text
}
