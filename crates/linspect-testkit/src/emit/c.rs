//! A module as C: C11 atomics and POSIX threads.

use super::{Language, Source, Writer, block};
use crate::client::name;
use crate::language::{
    Encoding, Guard, HANDLES, INTEGERS, Kind, Link, Module, Operand, POINTERS, Place, Statement,
    Test,
};
use std::fmt::Write as _;

struct C {
    heap: bool,
}

fn operand(operand: Operand) -> String {
    match operand {
        Operand::Number(number) => number.to_string(),
        Operand::Local(local) => format!("i{local}"),
    }
}

fn place(place: Place) -> String {
    match place {
        Place::Variable(v) => format!("x{v}"),
        Place::Value(p) => format!("POINTER(p{p})->value"),
    }
}

fn link(link: Link) -> String {
    match link {
        Link::Root(r) => format!("root{r}"),
        Link::Next(p) => format!("POINTER(p{p})->next"),
    }
}

fn word(pointer: Option<u8>) -> String {
    pointer.map_or_else(|| "WORD(0, 0)".to_owned(), |p| format!("p{p}"))
}

fn test(test: Test) -> String {
    match test {
        Test::Equal(a, b) => format!("{} == {}", operand(a), operand(b)),
        Test::Differ(a, b) => format!("{} != {}", operand(a), operand(b)),
        Test::Null(p) => format!("POINTER(p{p}) == 0"),
        Test::Some(p) => format!("POINTER(p{p}) != 0"),
    }
}

impl Language for C {
    fn simple(&self, statement: &Statement) -> String {
        match *statement {
            Statement::Set(i, a, b) => format!("i{i} = {} + {};", operand(a), operand(b)),
            Statement::Load(i, p) => format!("i{i} = atomic_load(&{});", place(p)),
            Statement::Store(p, v) => format!("atomic_store(&{}, {});", place(p), operand(v)),
            Statement::Add(i, p, v) => {
                format!("i{i} = atomic_fetch_add(&{}, {});", place(p), operand(v))
            }
            Statement::Exchange(i, p, v) => {
                format!("i{i} = atomic_exchange(&{}, {});", place(p), operand(v))
            }
            Statement::Compare(i, p, old, new) => format!(
                "{{ long old = {}; i{i} = atomic_compare_exchange_strong(&{}, &old, {}); }}",
                operand(old),
                place(p),
                operand(new)
            ),
            Statement::Get(i, d) => format!("i{i} = d{d};"),
            Statement::Put(d, v) => format!("d{d} = {};", operand(v)),
            Statement::Follow(p, l) => format!("p{p} = atomic_load(&{});", link(l)),
            Statement::Point(l, to) => format!("atomic_store(&{}, {});", link(l), word(to)),
            Statement::Take(p, l, to) => {
                format!("p{p} = atomic_exchange(&{}, {});", link(l), word(to))
            }
            Statement::Swing(i, l, old, new) => format!(
                "{{ word old = p{old}; i{i} = atomic_compare_exchange_strong(&{}, &old, {}); }}",
                link(l),
                word(new)
            ),
            Statement::New(p, v) => {
                let value = operand(v);
                format!(
                    "p{p} = WORD(malloc(sizeof(cell)), 0); POINTER(p{p})->value = {value}; POINTER(p{p})->next = WORD(0, 0);"
                )
            }
            Statement::Free(p) => format!("free(POINTER(p{p}));"),
            Statement::Tag(p, tag) => format!("p{p} = WORD(POINTER(p{p}), {tag});"),
            Statement::Break(t) => format!("if ({}) break;", test(t)),
            Statement::Spin(p, until) => {
                format!("while (atomic_load(&{}) != {until}) {{}}", place(p))
            }
            Statement::Wait(c) => format!("pthread_cond_wait(&c{c}, &MUTEX_OF_c{c});"),
            Statement::Notify(c, false) => format!("pthread_cond_signal(&c{c});"),
            Statement::Notify(c, true) => format!("pthread_cond_broadcast(&c{c});"),
            Statement::Assert(t) => format!("assert({});", test(t)),
            Statement::Start(h, f, argument) => format!(
                "pthread_create(&t{h}, 0, run_{}, (void *){});",
                name(f),
                operand(argument)
            ),
            Statement::Join(h) => format!("pthread_join(t{h}, 0);"),
            Statement::Exit => "exit(0);".to_owned(),
            Statement::If(..) | Statement::Loop(_) | Statement::Region(..) => {
                unreachable!("blocks are written by whoever calls this")
            }
        }
    }

    fn choice(&self, condition: &Test) -> String {
        format!("if ({}) {{", test(*condition))
    }

    fn endless(&self) -> &'static str {
        "for (;;) {"
    }

    fn region(&self, guard: Guard) -> (String, Vec<String>) {
        match guard {
            Guard::Mutex(m) => (
                format!("pthread_mutex_lock(&m{m});"),
                vec![format!("pthread_mutex_unlock(&m{m});")],
            ),
            Guard::Try(m) => (
                format!("if (pthread_mutex_trylock(&m{m}) == 0) {{"),
                vec![format!("pthread_mutex_unlock(&m{m});"), "}".to_owned()],
            ),
            Guard::Read(l) => (
                format!("pthread_rwlock_rdlock(&l{l});"),
                vec![format!("pthread_rwlock_unlock(&l{l});")],
            ),
            Guard::Write(l) => (
                format!("pthread_rwlock_wrlock(&l{l});"),
                vec![format!("pthread_rwlock_unlock(&l{l});")],
            ),
        }
    }
}

/// How pointers are kept.
fn encoding(encoding: Encoding) -> &'static str {
    match encoding {
        Encoding::Plain => {
            "typedef cell *word;\n#define WORD(p, tag) ((cell *)(p))\n#define POINTER(w) (w)"
        }
        Encoding::Shifted => {
            "typedef unsigned long word;\n#define WORD(p, tag) ((unsigned long)(p) << 16 | (tag))\n#define POINTER(w) ((cell *)((w) >> 16))"
        }
        Encoding::Marked => {
            "typedef unsigned long word;\n#define WORD(p, tag) ((unsigned long)(p) | (tag))\n#define POINTER(w) ((cell *)((w) & ~1ul))"
        }
        Encoding::Flipped => {
            "typedef unsigned long word;\n#define WORD(p, tag) (~(unsigned long)(p))\n#define POINTER(w) ((cell *)~(w))"
        }
    }
}

/// The source of `module`.
pub fn emit(module: &Module) -> Source {
    let mut w = Writer::new();
    let language = C {
        heap: module.roots > 0,
    };
    if module.kind == Kind::Object {
        w.line("#include <linspect.h>");
    }
    w.lines(
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>",
    );
    if language.heap {
        w.line("typedef struct cell cell;");
        w.lines(encoding(module.encoding));
        w.line("struct cell { _Atomic long value; _Atomic word next; };");
    }
    let mut setup = Vec::new();
    for (v, initial) in module.variables.iter().enumerate() {
        w.line(&format!("static _Atomic long x{v} = {initial};"));
        setup.push(format!("x{v} = {initial};"));
    }
    for d in 0..module.plains {
        w.line(&format!("static long d{d};"));
        setup.push(format!("d{d} = 0;"));
    }
    for r in 0..module.roots {
        w.line(&format!("static _Atomic word root{r};"));
        setup.push(format!("root{r} = WORD(0, 0);"));
    }
    for m in 0..module.mutexes {
        w.line(&format!(
            "static pthread_mutex_t m{m} = PTHREAD_MUTEX_INITIALIZER;"
        ));
    }
    for l in 0..module.rwlocks {
        w.line(&format!(
            "static pthread_rwlock_t l{l} = PTHREAD_RWLOCK_INITIALIZER;"
        ));
    }
    for (c, m) in module.conditions.iter().enumerate() {
        w.line(&format!(
            "static pthread_cond_t c{c} = PTHREAD_COND_INITIALIZER;"
        ));
        w.line(&format!("#define MUTEX_OF_c{c} m{m}"));
    }
    if module.kind == Kind::Object {
        w.line(&format!("LINSPECT_SETUP {{ {} }}", setup.join(" ")));
    } else {
        for f in 1..module.functions.len() {
            w.line(&format!("static void *run_{}(void *);", name(f as u8)));
        }
    }
    for f in 0..module.functions.len() {
        function(&mut w, &language, module, f);
    }
    w.source
}

fn function(w: &mut Writer, language: &C, module: &Module, index: usize) {
    let function = &module.functions[index];
    let name = name(index as u8);
    let is_object = module.kind == Kind::Object;
    let is_main = !is_object && index == 0;
    w.line(&match (is_object, is_main) {
        (true, _) => format!("static long {name}(long i0) {{"),
        (_, true) => "int main(void) {".to_owned(),
        _ => format!("static void *run_{name}(void *argument) {{"),
    });
    w.depth = 1;
    let first = usize::from(is_object);
    let mut locals = String::new();
    for i in first..INTEGERS {
        let value = match (is_object || is_main, i) {
            (false, 0) => "(long)argument",
            _ => "0",
        };
        let _ = write!(locals, "long i{i} = {value}; ");
    }
    if language.heap {
        for p in 0..POINTERS {
            let _ = write!(locals, "word p{p} = WORD(0, 0); ");
        }
    }
    if !is_object {
        for h in 0..HANDLES {
            let _ = write!(locals, "pthread_t t{h}; ");
        }
        if is_main && language.heap {
            for r in 0..module.roots {
                let _ = write!(locals, "root{r} = WORD(0, 0); ");
            }
        }
    }
    w.line(locals.trim_end());
    w.function();
    block(w, language, &function.body);
    let result = operand(function.result);
    w.line(&match is_object {
        true => format!("return {result};"),
        false => "return 0;".to_owned(),
    });
    w.depth = 0;
    w.line("}");
    if is_object {
        let values: Vec<String> = function.arguments.iter().map(i64::to_string).collect();
        w.line(&match values.is_empty() {
            true => format!("LINSPECT_OP_RET(long, {name}, {name}(0))"),
            false => format!(
                "LINSPECT_OP_RET(long, {name}, {name}(v), long v, {})",
                values.join(", ")
            ),
        });
    }
}
