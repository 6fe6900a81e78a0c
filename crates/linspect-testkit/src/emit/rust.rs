//! A module as Rust: `std::sync` and raw pointers.

use super::{Language, Source, Writer, block};
use crate::client::name;
use crate::language::{
    Encoding, Guard, HANDLES, INTEGERS, Kind, Link, Module, Operand, POINTERS, Place, Statement,
    Test,
};

struct Rust<'a> {
    module: &'a Module,
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Number(number) => number.to_string(),
        Operand::Local(local) => format!("i{local}"),
    }
}

fn place(place: Place) -> String {
    match place {
        Place::Variable(v) => format!("SHARED.x{v}"),
        Place::Value(p) => format!("cell(p{p}).value"),
    }
}

fn link(link: Link) -> String {
    match link {
        Link::Root(r) => format!("SHARED.root{r}"),
        Link::Next(p) => format!("cell(p{p}).next"),
    }
}

fn word(pointer: Option<u8>) -> String {
    pointer.map_or_else(|| "word(null_mut(), 0)".to_owned(), |p| format!("p{p}"))
}

fn test(test: Test) -> String {
    match test {
        Test::Equal(a, b) => format!("{} == {}", operand(a), operand(b)),
        Test::Differ(a, b) => format!("{} != {}", operand(a), operand(b)),
        Test::Null(p) => format!("pointer(p{p}).is_null()"),
        Test::Some(p) => format!("!pointer(p{p}).is_null()"),
    }
}

impl Rust<'_> {
    /// Objects keep their state in themselves, programs in a static.
    fn shared(&self, text: &str) -> String {
        match self.module.kind {
            Kind::Object => text.replace("SHARED", "self"),
            Kind::Program => text.to_owned(),
        }
    }
}

impl Language for Rust<'_> {
    fn simple(&self, statement: &Statement) -> String {
        let text = match *statement {
            Statement::Set(i, a, b) => format!("i{i} = {} + {};", operand(a), operand(b)),
            Statement::Load(i, p) => format!("i{i} = {}.load(SeqCst);", place(p)),
            Statement::Store(p, v) => format!("{}.store({}, SeqCst);", place(p), operand(v)),
            Statement::Add(i, p, v) => {
                format!("i{i} = {}.fetch_add({}, SeqCst);", place(p), operand(v))
            }
            Statement::Exchange(i, p, v) => {
                format!("i{i} = {}.swap({}, SeqCst);", place(p), operand(v))
            }
            Statement::Compare(i, p, old, new) => format!(
                "i{i} = {}.compare_exchange({}, {}, SeqCst, SeqCst).is_ok() as i64;",
                place(p),
                operand(old),
                operand(new)
            ),
            Statement::Get(i, d) => format!("i{i} = unsafe {{ *SHARED.d{d}.0.get() }};"),
            Statement::Put(d, v) => {
                format!("unsafe {{ *SHARED.d{d}.0.get() = {} }};", operand(v))
            }
            Statement::Follow(p, l) => format!("p{p} = {}.load(SeqCst);", link(l)),
            Statement::Point(l, to) => format!("{}.store({}, SeqCst);", link(l), word(to)),
            Statement::Take(p, l, to) => format!("p{p} = {}.swap({}, SeqCst);", link(l), word(to)),
            Statement::Swing(i, l, old, new) => format!(
                "i{i} = {}.compare_exchange(p{old}, {}, SeqCst, SeqCst).is_ok() as i64;",
                link(l),
                word(new)
            ),
            Statement::New(p, v) => format!("p{p} = word(new_cell({}), 0);", operand(v)),
            Statement::Free(p) => format!("free_cell(pointer(p{p}));"),
            Statement::Tag(p, tag) => format!("p{p} = word(pointer(p{p}), {tag});"),
            Statement::Break(t) => format!("if {} {{ break; }}", test(t)),
            Statement::Spin(p, until) => {
                format!("while {}.load(SeqCst) != {until} {{}}", place(p))
            }
            Statement::Wait(c) => {
                let m = self.module.conditions[usize::from(c)];
                format!("g{m} = SHARED.c{c}.wait(g{m}).unwrap();")
            }
            Statement::Notify(c, false) => format!("SHARED.c{c}.notify_one();"),
            Statement::Notify(c, true) => format!("SHARED.c{c}.notify_all();"),
            Statement::Assert(t) => format!("assert!({});", test(t)),
            Statement::Start(h, f, argument) => {
                let argument = operand(argument);
                let name = name(f);
                format!("let a = {argument}; t{h} = Some(std::thread::spawn(move || {name}(a)));")
            }
            Statement::Join(h) => format!("t{h}.take().unwrap().join().unwrap();"),
            Statement::Exit => "std::process::exit(0);".to_owned(),
            Statement::If(..) | Statement::Loop(_) | Statement::Region(..) => {
                unreachable!("blocks are written by whoever calls this")
            }
        };
        self.shared(&text)
    }

    fn choice(&self, condition: &Test) -> String {
        format!("if {} {{", test(*condition))
    }

    fn endless(&self) -> &'static str {
        "loop {"
    }

    fn region(&self, guard: Guard) -> (String, Vec<String>) {
        let (begin, end) = match guard {
            Guard::Mutex(m) => (
                format!("{{ let mut g{m} = SHARED.m{m}.lock().unwrap();"),
                format!("drop(g{m}); }}"),
            ),
            Guard::Try(m) => (
                format!("if let Ok(mut g{m}) = SHARED.m{m}.try_lock() {{"),
                format!("drop(g{m}); }}"),
            ),
            Guard::Read(l) => (
                format!("{{ let r{l} = SHARED.l{l}.read().unwrap();"),
                format!("drop(r{l}); }}"),
            ),
            Guard::Write(l) => (
                format!("{{ let w{l} = SHARED.l{l}.write().unwrap();"),
                format!("drop(w{l}); }}"),
            ),
        };
        (self.shared(&begin), vec![end])
    }
}

/// Cells, and how pointers to them are kept.
fn heap(encoding: Encoding) -> String {
    let (word, link, pack, unpack) = match encoding {
        Encoding::Plain => ("*mut Cell", "AtomicPtr<Cell>", "p", "w"),
        Encoding::Shifted => (
            "usize",
            "AtomicUsize",
            "(p as usize) << 16 | tag",
            "(w >> 16) as *mut Cell",
        ),
        Encoding::Marked => (
            "usize",
            "AtomicUsize",
            "p as usize | tag",
            "(w & !1) as *mut Cell",
        ),
        Encoding::Flipped => ("usize", "AtomicUsize", "!(p as usize)", "!w as *mut Cell"),
    };
    format!(
        "type Word = {word};
type Link = {link};
pub struct Cell {{ value: AtomicI64, next: Link }}
#[inline(always)]
fn word(p: *mut Cell, tag: usize) -> Word {{ {pack} }}
#[inline(always)]
fn pointer(w: Word) -> *mut Cell {{ {unpack} }}
#[inline(always)]
fn cell<'a>(w: Word) -> &'a Cell {{ unsafe {{ &*pointer(w) }} }}
#[inline(always)]
fn new_cell(value: i64) -> *mut Cell {{ Box::into_raw(Box::new(Cell {{ value: AtomicI64::new(value), next: Link::new(word(null_mut(), 0)) }})) }}
#[inline(always)]
fn free_cell(p: *mut Cell) {{ if !p.is_null() {{ drop(unsafe {{ Box::from_raw(p) }}); }} }}"
    )
}

/// The source of `module`.
pub fn emit(module: &Module) -> Source {
    let mut w = Writer::new();
    w.lines(
        "#![allow(warnings)]
use std::cell::UnsafeCell;
use std::ptr::null_mut;
use std::sync::atomic::{AtomicI64, AtomicPtr, AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex, RwLock};
use std::thread::JoinHandle;
pub struct Plain(UnsafeCell<i64>);
unsafe impl Sync for Plain {}",
    );
    if module.roots > 0 {
        w.lines(&heap(module.encoding));
    }
    let (types, values) = fields(module);
    w.line(&format!("pub struct Shared {{ {types} }}"));
    let language = Rust { module };
    match module.kind {
        Kind::Object => {
            w.line("impl Shared {");
            for f in 0..module.functions.len() {
                function(&mut w, &language, f);
            }
            w.line("}");
            w.line("linspect::harness! {");
            w.line(&format!("    shared: Shared = Shared {{ {values} }};"));
            for (f, function) in module.functions.iter().enumerate() {
                let values: Vec<String> = function.arguments.iter().map(i64::to_string).collect();
                let name = name(f as u8);
                w.line(&match values.is_empty() {
                    true => format!("    fn {name}(&self) -> i64 => shared.{name}(0);"),
                    false => format!(
                        "    fn {name}(&self, v: i64 in [{}]) -> i64;",
                        values.join(", ")
                    ),
                });
            }
            w.line("}");
        }
        Kind::Program => {
            if module.roots > 0 && module.encoding == Encoding::Flipped {
                // `word` is no constant function where it casts a pointer; its value for nothing is known.
                w.line(&format!(
                    "static SHARED: Shared = Shared {{ {} }};",
                    values.replace("word(null_mut(), 0)", "!0")
                ));
            } else {
                let nothing = if module.encoding == Encoding::Plain {
                    "null_mut()"
                } else {
                    "0"
                };
                w.line(&format!(
                    "static SHARED: Shared = Shared {{ {} }};",
                    values.replace("word(null_mut(), 0)", nothing)
                ));
            }
            for f in 0..module.functions.len() {
                function(&mut w, &language, f);
            }
        }
    }
    w.source
}

/// The shared fields: their types, and what they begin with.
fn fields(module: &Module) -> (String, String) {
    let mut fields: Vec<(String, &str, String)> = Vec::new();
    for (v, initial) in module.variables.iter().enumerate() {
        fields.push((
            format!("x{v}"),
            "AtomicI64",
            format!("AtomicI64::new({initial})"),
        ));
    }
    for d in 0..module.plains {
        fields.push((
            format!("d{d}"),
            "Plain",
            "Plain(UnsafeCell::new(0))".to_owned(),
        ));
    }
    for r in 0..module.roots {
        let value = "Link::new(word(null_mut(), 0))".to_owned();
        fields.push((format!("root{r}"), "Link", value));
    }
    for m in 0..module.mutexes {
        fields.push((format!("m{m}"), "Mutex<()>", "Mutex::new(())".to_owned()));
    }
    for l in 0..module.rwlocks {
        fields.push((format!("l{l}"), "RwLock<()>", "RwLock::new(())".to_owned()));
    }
    for c in 0..module.conditions.len() {
        fields.push((format!("c{c}"), "Condvar", "Condvar::new()".to_owned()));
    }
    let types: Vec<String> = fields.iter().map(|(n, t, _)| format!("{n}: {t}")).collect();
    let values: Vec<String> = fields.iter().map(|(n, _, v)| format!("{n}: {v}")).collect();
    (types.join(", "), values.join(", "))
}

fn function(w: &mut Writer, language: &Rust<'_>, index: usize) {
    let module = language.module;
    let function = &module.functions[index];
    let name = name(index as u8);
    let is_object = module.kind == Kind::Object;
    let is_main = !is_object && index == 0;
    w.line(&match (is_object, is_main) {
        (true, _) => format!("pub fn {name}(&self, mut i0: i64) -> i64 {{"),
        (_, true) => "fn main() { let mut i0: i64 = 0;".to_owned(),
        _ => format!("fn {name}(mut i0: i64) {{"),
    });
    w.depth = 1;
    let mut locals: Vec<String> = (1..INTEGERS)
        .map(|i| format!("let mut i{i}: i64 = 0;"))
        .collect();
    if module.roots > 0 {
        locals.extend((0..POINTERS).map(|p| format!("let mut p{p} = word(null_mut(), 0);")));
    }
    if !is_object {
        locals
            .extend((0..HANDLES).map(|h| format!("let mut t{h}: Option<JoinHandle<()>> = None;")));
    }
    w.line(&locals.join(" "));
    w.function();
    block(w, language, &function.body);
    if is_object {
        w.line(&operand(function.result));
    }
    w.depth = 0;
    w.line("}");
}
