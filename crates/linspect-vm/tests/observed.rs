//! Plain programs whose functions are observed as operations: which calls are seen, with which values, in which order.

use linspect_core::client::Client;
use linspect_core::execution::End;
use linspect_core::machine::Subject;
use linspect_core::project::project;
use linspect_vm::{Chooser, CodeError, LoadedProgram, Ran, Settings, frontend, run};

/// Loads `source` from a file called `name`.
fn code(name: &str, source: &str, functions: &[&str]) -> Result<LoadedProgram, CodeError> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, source).expect("a source");
    let program = frontend::load(&frontend::Source::file(path)).unwrap_or_else(|e| panic!("{e}"));
    let functions: Vec<String> = functions.iter().map(ToString::to_string).collect();
    LoadedProgram::observing(program, Settings::default(), &functions)
}

fn ran(code: &LoadedProgram, seed: u64) -> Ran {
    run(code, &Client::default(), &Chooser::Random(seed), 10_000).expect("it starts")
}

/// The operations of one run, as histories show them, each with its process.
fn operations(code: &LoadedProgram, seed: u64) -> Vec<String> {
    let ran = ran(code, seed);
    assert_eq!(ran.execution.end, End::Complete);
    let history = project(&ran.execution, &Client::default(), code.operations()).history;
    let show = |id: u32| {
        let process = history.operations[id as usize].process;
        format!("{process} {}", history.show(id))
    };
    (0..history.operations.len() as u32).map(show).collect()
}

#[test]
fn values_of_c_are_read_as_they_are_meant() {
    let source = "
        #include <stdbool.h>
        static int object, other;
        typedef unsigned int count;
        static unsigned char all(int *o, count a, signed char b, bool c, long d) { return a + b + c + d; }
        static bool take(int *o, int *v) { *v = -3; return true; }
        static bool fail(int *o, int *v) { return false; }
        static int *find(int *o, int *p) { return p; }
        static void nothing(void) { }
        static int inner(int *o, int v) { return v; }
        static int outer(int *o, int v) { return inner(o, v) + 1; }
        int main(void) {
            int v;
            all(&object, 4294967295u, -1, true, -5);
            take(&object, &v);
            fail(&object, &v);
            find(&object, &other);
            find(&object, 0);
            nothing();
            outer(&object, 7);
            inner(&object, 8);
        }";
    let names = ["all", "take", "fail", "find", "nothing", "inner", "outer"];
    let code = code("values.c", source, &names).expect("all are there");
    assert_eq!(
        operations(&code, 0),
        [
            "0 all(4294967295, -1, true, -5) → 250",
            "0 take() → -3",
            "0 fail() → nil",
            "0 find(\"other\") → \"other\"",
            "0 find(nil) → nil",
            "0 nothing()",
            "0 outer(7) → 8",
            "0 inner(8) → 8",
        ]
    );
}

#[test]
fn methods_of_cxx_are_found_by_their_last_names() {
    let source = "
        namespace n {
        template <class T> struct Box {
            T value;
            void put(T v) { value = v; }
            T get() { return value; }
        };
        }
        static int get(int x) { return x; }
        int main() { n::Box<unsigned short> box{}; box.put(65535); get(3); return box.get() != 65535; }";
    let code = code("box.cpp", source, &["Box::put", "Box::get"]).expect("both are there");
    assert_eq!(operations(&code, 0), ["0 put(65535)", "0 get() → 65535"]);
}

#[test]
fn methods_of_rust_give_options() {
    let source = "
        struct Cell(Option<u8>);
        impl Cell {
            fn swap(&mut self, value: u8) -> Option<u8> { self.0.replace(value) }
            fn wide(&self) -> Option<i64> { self.0.map(|v| -i64::from(v)) }
        }
        fn main() {
            let mut cell = Cell(None);
            cell.swap(200);
            cell.swap(7);
            cell.wide();
        }";
    let code = code("cell.rs", source, &["swap", "wide"]).expect("both are there");
    let seen = ["0 swap(200) → nil", "0 swap(7) → 200", "0 wide() → -7"];
    assert_eq!(operations(&code, 0), seen);
}

/// Calls come with the first access, returns at once: whoever was alone in time is ordered, whoever overlapped is not.
#[test]
fn threads_are_processes() {
    let source = "
        #include <pthread.h>
        #include <stdatomic.h>
        static atomic_int x;
        static int add(atomic_int *o, int v) { return atomic_fetch_add(o, v); }
        static void *work(void *v) { add(&x, 2); return v; }
        int main(void) {
            pthread_t t;
            add(&x, 1);
            pthread_create(&t, 0, work, 0);
            add(&x, 4);
            pthread_join(t, 0);
            add(&x, 8);
        }";
    let code = code("add.c", source, &["add"]).expect("it is there");
    let mut orders: Vec<Vec<String>> = (0..40).map(|seed| operations(&code, seed)).collect();
    orders.sort();
    orders.dedup();
    let whole = |second: &str, third: &str| {
        let all = ["0 add(1) → 0", second, third, "0 add(8) → 7"];
        all.map(str::to_owned).to_vec()
    };
    assert_eq!(
        orders,
        [
            whole("0 add(4) → 1", "1 add(2) → 5"),
            whole("1 add(2) → 1", "0 add(4) → 3"),
        ]
    );
    for seed in 0..40 {
        for step in ran(&code, seed).execution.steps {
            let called = step.called.is_some();
            assert_eq!(called, step.invocation.is_some());
            assert!(step.accesses.len() <= 1, "{step:?}");
        }
    }
}

#[test]
fn what_is_not_there_is_said() {
    let source = "static int f(void) { return 1; } int main(void) { return f(); }";
    let error = code("f.c", source, &["g"]).err().expect("no g");
    assert_eq!(
        error.to_string(),
        "the program has no function `g`; it has f, main"
    );
}
