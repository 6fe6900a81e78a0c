//! A program as C and as Rust: it fails its assertion if it comes to a given outcome.

use super::{Operand, Order, Outcome, Program, REGISTERS, Statement};
use std::fmt::Write;

/// How a language spells statements.
struct Spelling {
    statement: fn(&Statement) -> String,
    /// What stands before and after the body of a block that holds a mutex.
    region: fn(u8) -> (String, String),
    choice: fn(u8, i64) -> String,
}

fn block(text: &mut String, statements: &[Statement], depth: usize, spelling: &Spelling) {
    let indent = "    ".repeat(depth);
    for statement in statements {
        let (begin, body, end) = match statement {
            Statement::If(register, value, body) => {
                ((spelling.choice)(*register, *value), body, "}".to_owned())
            }
            Statement::Lock(mutex, body) => {
                let (begin, end) = (spelling.region)(*mutex);
                (begin, body, end)
            }
            simple => {
                let _ = writeln!(text, "{indent}{}", (spelling.statement)(simple));
                continue;
            }
        };
        let _ = writeln!(text, "{indent}{begin}");
        block(text, body, depth + 1, spelling);
        let _ = writeln!(text, "{indent}{end}");
    }
}

/// C.
const C: Spelling = Spelling {
    statement: c_statement,
    region: |m| {
        let begin = format!("pthread_mutex_lock(&m{m});");
        (begin, format!("pthread_mutex_unlock(&m{m});"))
    },
    choice: |register, value| format!("if (r{register} == {value}) {{"),
};

/// The program as C.
pub fn c(program: &Program, outcome: &Outcome) -> String {
    let mut text =
        "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n\n".to_owned();
    for x in 0..program.atomics {
        let _ = writeln!(text, "static atomic_int x{x};");
    }
    for p in 0..program.plains {
        let _ = writeln!(text, "static int p{p};");
    }
    for p in 0..program.pointers {
        let _ = writeln!(text, "static _Atomic(int *) pointer{p};");
    }
    for m in 0..program.mutexes {
        let _ = writeln!(
            text,
            "static pthread_mutex_t m{m} = PTHREAD_MUTEX_INITIALIZER;"
        );
    }
    let threads = program.threads.len();
    let _ = writeln!(text, "static int seen[{threads}][{REGISTERS}];");
    for (t, thread) in program.threads.iter().enumerate() {
        let _ = writeln!(text, "\nstatic void *thread{t}(void *unused) {{");
        for r in 0..REGISTERS {
            let _ = writeln!(text, "    int r{r} = 0;");
        }
        block(&mut text, thread, 1, &C);
        for r in used(thread) {
            let _ = writeln!(text, "    seen[{t}][{r}] = r{r};");
        }
        text.push_str("    return 0;\n}\n");
    }
    text.push_str("\nint main(void) {\n");
    let _ = writeln!(text, "    pthread_t t[{threads}];");
    for t in 0..threads {
        let _ = writeln!(text, "    pthread_create(&t[{t}], 0, thread{t}, 0);");
    }
    for t in 0..threads {
        let _ = writeln!(text, "    pthread_join(t[{t}], 0);");
    }
    let atomic = |x| format!("atomic_load_explicit(&x{x}, memory_order_relaxed)");
    let is = is_outcome(program, outcome, "seen", &atomic, &|p| format!("p{p}"));
    let _ = writeln!(text, "    assert(!({is}));\n    return 0;\n}}");
    text
}

/// An object as a harness in C: thread `i` of the program is the operation `fi`, which returns what it read, as digits to the base of a hundred.
pub fn c_object(object: &Program) -> String {
    let mut text =
        "#include <linspect.h>\n#include <pthread.h>\n#include <stdatomic.h>\n\n".to_owned();
    for x in 0..object.atomics {
        let _ = writeln!(text, "static atomic_int x{x};");
    }
    for m in 0..object.mutexes {
        let _ = writeln!(
            text,
            "static pthread_mutex_t m{m} = PTHREAD_MUTEX_INITIALIZER;"
        );
    }
    for (f, operation) in object.threads.iter().enumerate() {
        let _ = writeln!(text, "\nstatic int run_f{f}(void) {{");
        for r in 0..REGISTERS {
            let _ = writeln!(text, "    int r{r} = 0;");
        }
        block(&mut text, operation, 1, &C);
        let digits = (1..REGISTERS).fold("r0".to_owned(), |all, r| format!("100 * ({all}) + r{r}"));
        let _ = writeln!(text, "    return {digits};\n}}");
        let _ = writeln!(text, "LINSPECT_OP_RET(int, f{f}, run_f{f}())");
    }
    text
}

/// The program as Rust.
pub fn rust(program: &Program, outcome: &Outcome) -> String {
    let spelling = Spelling {
        statement: rust_statement,
        region: |m| {
            let begin = format!("{{ let _held = M{m}.lock().unwrap();");
            (begin, "}".to_owned())
        },
        choice: |register, value| format!("if r[{register}] == {value} {{"),
    };
    let mut text = "\
#![allow(dead_code, unused_imports)]
use std::cell::UnsafeCell;
use std::sync::Mutex;
use std::sync::atomic::Ordering::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use std::sync::atomic::{AtomicI32, AtomicPtr, fence};
use std::thread;

struct Plain(UnsafeCell<i32>);

unsafe impl Sync for Plain {}

impl Plain {
    fn get(&self) -> i32 {
        unsafe { *self.0.get() }
    }

    fn put(&self, value: i32) {
        unsafe { *self.0.get() = value };
    }
}

"
    .to_owned();
    for x in 0..program.atomics {
        let _ = writeln!(text, "static X{x}: AtomicI32 = AtomicI32::new(0);");
    }
    for p in 0..program.plains {
        let _ = writeln!(text, "static P{p}: Plain = Plain(UnsafeCell::new(0));");
    }
    for p in 0..program.pointers {
        let null = "AtomicPtr::new(std::ptr::null_mut())";
        let _ = writeln!(text, "static POINTER{p}: AtomicPtr<i32> = {null};");
    }
    for m in 0..program.mutexes {
        let _ = writeln!(text, "static M{m}: Mutex<()> = Mutex::new(());");
    }
    text.push_str("\nfn main() {\n");
    for (t, thread) in program.threads.iter().enumerate() {
        let _ = writeln!(text, "    let t{t} = thread::spawn(|| {{");
        let _ = writeln!(text, "        let mut r = [0i32; {REGISTERS}];");
        block(&mut text, thread, 2, &spelling);
        text.push_str("        r[0] += 0;\n        r\n    });\n");
    }
    let ends: Vec<String> = (0..program.threads.len())
        .map(|t| format!("t{t}.join().unwrap()"))
        .collect();
    let _ = writeln!(text, "    let seen = [{}];", ends.join(", "));
    let atomic = |x| format!("X{x}.load(Relaxed)");
    let is = is_outcome(program, outcome, "seen", &atomic, &|p| {
        format!("P{p}.get()")
    });
    let _ = writeln!(text, "    assert!(!({is}));\n}}");
    text
}

/// Whether the program has come to an outcome, in an expression that both languages have.
fn is_outcome(
    program: &Program,
    outcome: &Outcome,
    seen: &str,
    atomic: &dyn Fn(usize) -> String,
    plain: &dyn Fn(usize) -> String,
) -> String {
    let mut all = Vec::new();
    for (t, thread) in program.threads.iter().enumerate() {
        for r in used(thread) {
            all.push(format!("{seen}[{t}][{r}] == {}", outcome.registers[t][r]));
        }
    }
    for (v, value) in outcome.finally.iter().enumerate() {
        let variable = match v.checked_sub(program.atomics) {
            None => atomic(v),
            Some(p) => plain(p),
        };
        all.push(format!("{variable} == {value}"));
    }
    all.join(" && ")
}

/// The registers that some statement writes.
fn used(thread: &[Statement]) -> Vec<usize> {
    let mut used = Vec::new();
    for statement in thread {
        match statement {
            Statement::Load(r, ..)
            | Statement::Add(r, ..)
            | Statement::Exchange(r, ..)
            | Statement::Compare(r, ..)
            | Statement::CompareWeak(r, ..)
            | Statement::Swing(r, ..)
            | Statement::Follow(r, ..)
            | Statement::Get(r, ..) => used.push(usize::from(*r)),
            Statement::If(_, _, body) | Statement::Lock(_, body) => {
                used.extend(self::used(body));
            }
            Statement::Store(..)
            | Statement::Publish(..)
            | Statement::Overwrite(..)
            | Statement::Fence(..)
            | Statement::Put(..)
            | Statement::Await(..) => {}
        }
    }
    used.sort_unstable();
    used.dedup();
    used
}

fn c_order(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "memory_order_relaxed",
        Order::Acquire => "memory_order_acquire",
        Order::Release => "memory_order_release",
        Order::AcqRel => "memory_order_acq_rel",
        Order::SeqCst => "memory_order_seq_cst",
    }
}

fn rust_order(order: Order) -> &'static str {
    match order {
        Order::Relaxed => "Relaxed",
        Order::Acquire => "Acquire",
        Order::Release => "Release",
        Order::AcqRel => "AcqRel",
        Order::SeqCst => "SeqCst",
    }
}

fn operand(operand: Operand, register: fn(u8) -> String) -> String {
    match operand {
        Operand::Number(number) => number.to_string(),
        Operand::Register(r) => register(r),
    }
}

fn c_statement(statement: &Statement) -> String {
    let value = |v: &Operand| operand(*v, |r| format!("r{r}"));
    match statement {
        Statement::Load(r, x, o) => {
            format!("r{r} = atomic_load_explicit(&x{x}, {});", c_order(*o))
        }
        Statement::Store(x, v, o) => {
            format!(
                "atomic_store_explicit(&x{x}, {}, {});",
                value(v),
                c_order(*o)
            )
        }
        Statement::Add(r, x, n, o) => {
            format!(
                "r{r} = atomic_fetch_add_explicit(&x{x}, {n}, {});",
                c_order(*o)
            )
        }
        Statement::Exchange(r, x, n, o) => {
            format!(
                "r{r} = atomic_exchange_explicit(&x{x}, {n}, {});",
                c_order(*o)
            )
        }
        Statement::Compare(r, x, expected, new, o, failure) => format!(
            "r{r} = {expected}; atomic_compare_exchange_strong_explicit(&x{x}, &r{r}, {new}, {}, {});",
            c_order(*o),
            c_order(*failure)
        ),
        Statement::CompareWeak(r, x, expected, new, o, failure) => format!(
            "r{r} = {expected}; atomic_compare_exchange_weak_explicit(&x{x}, &r{r}, {new}, {}, {});",
            c_order(*o),
            c_order(*failure)
        ),
        Statement::Swing(r, x, n, o) => format!(
            "r{r} = atomic_load_explicit(&x{x}, {relaxed}); while (!atomic_compare_exchange_weak_explicit(&x{x}, &r{r}, r{r} + {n}, {}, {relaxed})) {{}}",
            c_order(*o),
            relaxed = c_order(Order::Relaxed)
        ),
        Statement::Publish(p, _, value, o) => format!(
            "{{ int *cell = malloc(sizeof *cell); *cell = {value}; atomic_store_explicit(&pointer{p}, cell, {}); }}",
            c_order(*o)
        ),
        Statement::Follow(r, p, o) => format!(
            "{{ int *cell = atomic_load_explicit(&pointer{p}, {}); if (cell) r{r} = *cell; }}",
            c_order(*o)
        ),
        Statement::Overwrite(p, value, o) => format!(
            "{{ int *cell = atomic_load_explicit(&pointer{p}, {}); if (cell) *cell = {value}; }}",
            c_order(*o)
        ),
        Statement::Fence(o) => format!("atomic_thread_fence({});", c_order(*o)),
        Statement::Get(r, p) => format!("r{r} = p{p};"),
        Statement::Put(p, v) => format!("p{p} = {};", value(v)),
        Statement::Await(x, v, o) => {
            format!(
                "while (atomic_load_explicit(&x{x}, {}) != {v}) {{}}",
                c_order(*o)
            )
        }
        Statement::If(..) | Statement::Lock(..) => unreachable!("they have blocks"),
    }
}

fn rust_statement(statement: &Statement) -> String {
    let value = |v: &Operand| operand(*v, |r| format!("r[{r}]"));
    match statement {
        Statement::Load(r, x, o) => format!("r[{r}] = X{x}.load({});", rust_order(*o)),
        Statement::Store(x, v, o) => format!("X{x}.store({}, {});", value(v), rust_order(*o)),
        Statement::Add(r, x, n, o) => format!("r[{r}] = X{x}.fetch_add({n}, {});", rust_order(*o)),
        Statement::Exchange(r, x, n, o) => format!("r[{r}] = X{x}.swap({n}, {});", rust_order(*o)),
        Statement::Compare(r, x, expected, new, o, failure) => format!(
            "r[{r}] = X{x}.compare_exchange({expected}, {new}, {}, {}).unwrap_or_else(|read| read);",
            rust_order(*o),
            rust_order(*failure)
        ),
        Statement::CompareWeak(r, x, expected, new, o, failure) => format!(
            "r[{r}] = X{x}.compare_exchange_weak({expected}, {new}, {}, {}).unwrap_or_else(|read| read);",
            rust_order(*o),
            rust_order(*failure)
        ),
        Statement::Swing(r, x, n, o) => format!(
            "r[{r}] = X{x}.fetch_update({}, Relaxed, |old| Some(old + {n})).unwrap();",
            rust_order(*o)
        ),
        Statement::Publish(p, _, value, o) => format!(
            "POINTER{p}.store(Box::into_raw(Box::new({value})), {});",
            rust_order(*o)
        ),
        Statement::Follow(r, p, o) => format!(
            "if let Some(cell) = unsafe {{ POINTER{p}.load({}).as_ref() }} {{ r[{r}] = *cell; }}",
            rust_order(*o)
        ),
        Statement::Overwrite(p, value, o) => format!(
            "if let Some(cell) = unsafe {{ POINTER{p}.load({}).as_mut() }} {{ *cell = {value}; }}",
            rust_order(*o)
        ),
        Statement::Fence(o) => format!("fence({});", rust_order(*o)),
        Statement::Get(r, p) => format!("r[{r}] = P{p}.get();"),
        Statement::Put(p, v) => format!("P{p}.put({});", value(v)),
        Statement::Await(x, v, o) => {
            format!(
                "while X{x}.load({}) != {v} {{ std::hint::spin_loop(); }}",
                rust_order(*o)
            )
        }
        Statement::If(..) | Statement::Lock(..) => unreachable!("they have blocks"),
    }
}
