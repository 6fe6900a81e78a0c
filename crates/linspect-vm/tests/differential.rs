//! Random C programs: what the machine computes is what the processor computes.
//!
//! A program is one function of random arithmetic and control flow over all integer widths, floats, arrays, structs with bit-fields, pointers and calls.
//! Many of them share a file, so that compiling stays cheap. Undefined behaviour is avoided by construction: signed overflow
//! wraps (`-fwrapv`), shift amounts are masked, divisors are positive, indices are masked, floats are converted only when in range.

use linspect_core::client::Client;
use linspect_core::execution::End;
use linspect_vm::{Chooser, LoadedProgram, Settings, frontend, run};
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// Programs per file.
const PER_FILE: usize = 50;

/// Integer types, with the largest shift that is defined after promotion.
const TYPES: [(&str, u32); 12] = [
    ("unsigned char", 31),
    ("signed char", 31),
    ("unsigned short", 31),
    ("short", 31),
    ("unsigned", 31),
    ("int", 31),
    ("unsigned long", 63),
    ("long", 63),
    ("unsigned long long", 63),
    ("long long", 63),
    ("unsigned __int128", 127),
    ("__int128", 127),
];

/// What every file starts with.
const PREAMBLE: &str = "#include <stdio.h>\n#include <string.h>\n\
    typedef unsigned long long u64;\n\
    #define TO_INT(x) ((x) > -1e9 && (x) < 1e9 ? (int)(x) : 7)\n\
    struct s { int a : 5; unsigned b : 11; long c; signed char d[3]; double e; };\n\
    static u64 mix(u64 h, u64 x) { h ^= x + 0x9e3779b97f4a7c15ull + (h << 6) + (h >> 2); return h * 0xff51afd7ed558ccdull; }\n";

/// A generator of programs.
struct Writer {
    state: u64,
    text: String,
    /// Types of the variables `v0`, `v1`, … of the current function, as indices into [`TYPES`].
    variables: Vec<usize>,
    loops: u32,
}

impl Writer {
    fn new(seed: u64) -> Self {
        let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
        Self {
            state,
            text: PREAMBLE.to_owned(),
            variables: Vec::new(),
            loops: 0,
        }
    }

    fn next(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 11) % bound as u64) as usize
    }

    fn variable(&mut self) -> (String, usize) {
        let at = self.next(self.variables.len());
        (format!("v{at}"), self.variables[at])
    }

    /// An expression of some integer type.
    fn integer(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.next(4) {
                0 => format!("({})", self.next(256) as i64 - 128),
                1 => format!("{:#x}ull", self.state),
                2 => "arr[i & 7]".to_owned(),
                _ => self.variable().0,
            };
        }
        let d = depth - 1;
        match self.next(20) {
            0..=6 => {
                let op = ["+", "-", "*", "&", "|", "^"][self.next(6)];
                format!("({} {op} {})", self.integer(d), self.integer(d))
            }
            7 => {
                let (v, ty) = self.variable();
                let op = ["<<", ">>"][self.next(2)];
                format!("({v} {op} ({} & {}))", self.integer(d), TYPES[ty].1)
            }
            8 => {
                let op = ["/", "%"][self.next(2)];
                format!(
                    "({} {op} (({} & 15) + 1))",
                    self.integer(d),
                    self.integer(d)
                )
            }
            9 => {
                let op = ["<", "<=", ">", ">=", "==", "!="][self.next(6)];
                format!("({} {op} {})", self.integer(d), self.integer(d))
            }
            10 => {
                let op = ["&&", "||"][self.next(2)];
                format!("({} {op} {})", self.integer(d), self.integer(d))
            }
            11 => format!(
                "({} ? {} : {})",
                self.integer(d),
                self.integer(d),
                self.integer(d)
            ),
            12 => {
                let ty = TYPES[self.next(TYPES.len())].0;
                format!("(({ty}){})", self.integer(d))
            }
            13 => {
                let op = ["-", "~", "!"][self.next(3)];
                format!("({op}{})", self.integer(d))
            }
            14 => format!("arr[{} & 7]", self.integer(d)),
            15 => ["s.a", "s.b", "s.c", "s.d[v0 & 1]", "p->c", "*q"][self.next(6)].to_owned(),
            16 => {
                let call = ["popcountll", "bswap64", "ffsll", "parityll"][self.next(4)];
                format!("__builtin_{call}({})", self.integer(d))
            }
            17 => {
                let call = ["clzll", "ctzll"][self.next(2)];
                format!("__builtin_{call}((u64)({}) | 1)", self.integer(d))
            }
            18 => format!("TO_INT({})", self.float(d)),
            _ => {
                let op = ["<", ">=", "==", "!="][self.next(4)];
                format!("({} {op} {})", self.float(d), self.float(d))
            }
        }
    }

    /// An expression of type float or double.
    fn float(&mut self, depth: u32) -> String {
        if depth == 0 {
            return match self.next(3) {
                0 => format!("{}.{}", self.next(100), self.next(100)),
                1 => "f".to_owned(),
                _ => "s.e".to_owned(),
            };
        }
        let d = depth - 1;
        match self.next(5) {
            0 => format!("(double)(short)({})", self.integer(d)),
            1 => format!("(float)({})", self.float(d)),
            2 => format!("(-{})", self.float(d)),
            _ => {
                let op = ["+", "-", "*"][self.next(3)];
                format!("({} {op} {})", self.float(d), self.float(d))
            }
        }
    }

    fn statement(&mut self, depth: u32) {
        let kind = if depth == 0 {
            self.next(7)
        } else {
            self.next(13)
        };
        match kind {
            0..=2 => {
                let (v, _) = self.variable();
                let op = ["=", "+=", "-=", "^=", "*=", "|="][self.next(6)];
                let e = self.integer(3);
                self.line(&format!("{v} {op} {e};"));
            }
            3 => {
                let (at, e) = (self.integer(1), self.integer(2));
                self.line(&format!("arr[{at} & 7] = {e};"));
            }
            4 => {
                let field = ["s.a", "s.b", "p->c", "s.d[v0 & 1]", "*q"][self.next(5)];
                let e = self.integer(2);
                self.line(&format!("{field} = {e};"));
            }
            5 => {
                let e = self.float(2);
                let to = ["f", "s.e"][self.next(2)];
                self.line(&format!("{to} = {e};"));
            }
            6 => {
                let line = [
                    "q = &arr[v0 & 7];",
                    "memcpy(copy, arr, sizeof arr); arr[0] = copy[3];",
                    "memset(&s.d, (int)v0, 2);",
                    "s = twin; twin.c ^= v0;",
                    "if (__builtin_add_overflow((int)v0, (int)v1, &overflow)) v0 ^= overflow;",
                    "if (__builtin_mul_overflow((long)v0, (long)v1, &wide)) v1 ^= wide;",
                    "v0 ^= call(v1, &s);",
                ][self.next(7)];
                self.line(line);
            }
            7 | 8 => {
                let e = self.integer(2);
                self.line(&format!("if ({e}) {{"));
                self.block(depth - 1);
                self.line("} else {");
                self.block(depth - 1);
                self.line("}");
            }
            9 | 10 => {
                let (n, count) = (self.loops, 1 + self.next(6));
                self.loops += 1;
                self.line(&format!(
                    "for (int l{n} = 0; l{n} < {count}; l{n}++) {{ i += l{n};"
                ));
                self.block(depth - 1);
                let e = self.integer(1);
                let exit = ["break", "continue"][self.next(2)];
                self.line(&format!("if (({e} & 7) == 3) {exit};"));
                self.line("}");
            }
            11 => {
                let e = self.integer(2);
                self.line(&format!("switch ((int)({e}) & 7) {{"));
                for case in [0, 1, 3, 6] {
                    self.line(&format!("case {case}: "));
                    self.statement(depth - 1);
                    if self.next(3) > 0 {
                        self.line("break;");
                    }
                }
                self.line("default:");
                self.statement(depth - 1);
                self.line("}");
            }
            _ => {
                let e = self.integer(2);
                self.line(&format!("if (({e} & 31) == 5) return mix(h, v0);"));
            }
        }
    }

    fn block(&mut self, depth: u32) {
        for _ in 0..=self.next(3) {
            self.statement(depth);
        }
    }

    fn line(&mut self, line: &str) {
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// One program: the function `program<number>`.
    fn program(&mut self, number: usize) {
        self.variables = (0..5).map(|_| self.next(TYPES.len())).collect();
        self.loops = 0;
        self.line(&format!("static u64 program{number}(u64 x, u64 y) {{"));
        self.line("u64 h = 1; unsigned i = 0; int overflow = 0; long wide = 0; float f = (float)(x & 1023); (void)wide; (void)overflow;");
        let element = TYPES[self.next(TYPES.len())].0;
        self.line(&format!(
            "{element} arr[8], copy[8], *q = &arr[2]; (void)copy;"
        ));
        self.line("for (int k = 0; k < 8; k++) arr[k] = x * (k + 1) ^ y >> k;");
        self.line("struct s s = { .a = -3, .b = 99, .c = (long)y, .d = { 1, -2, 3 }, .e = 0.5 }, twin = s, *p = &s;");
        for (at, ty) in self.variables.clone().into_iter().enumerate() {
            self.line(&format!(
                "{} v{at} = x * {} + (y >> {at});",
                TYPES[ty].0,
                2 * at + 1
            ));
        }
        for _ in 0..4 + self.next(5) {
            self.statement(3);
        }
        for at in 0..self.variables.len() {
            self.line(&format!(
                "h = mix(h, v{at}); h = mix(h, (u64)((unsigned __int128)v{at} >> 64));"
            ));
        }
        self.line("for (int k = 0; k < 8; k++) h = mix(h, arr[k]);");
        self.line("h = mix(h, s.a); h = mix(h, s.b); h = mix(h, s.c); h = mix(h, s.d[0]); h = mix(h, twin.c);");
        self.line("u64 bits; memcpy(&bits, &s.e, 8); if (s.e == s.e) h = mix(h, bits);");
        self.line("unsigned low; memcpy(&low, &f, 4); if (f == f) h = mix(h, low);");
        self.line("return mix(h, i); }");
    }

    /// A file of [`PER_FILE`] programs with a `main` that prints the result of each.
    fn file(seed: u64) -> String {
        let mut writer = Self::new(seed);
        writer.line("static long call(u64 n, struct s *s) { s->c += n; return n % 7 ? (long)n ^ s->a : s->b; }");
        for number in 0..PER_FILE {
            writer.program(number);
        }
        writer.line("int main(void) {");
        for number in 0..PER_FILE {
            let (x, y) = (writer.next(usize::MAX), writer.next(1 << 20));
            let mut line = String::new();
            let _ = write!(
                line,
                "printf(\"{number} %llx\\n\", program{number}({x}ull, {y}ull));"
            );
            writer.line(&line);
        }
        writer.line("return 0; }");
        writer.text
    }
}

fn clang() -> &'static str {
    let names = [
        "clang", "clang-22", "clang-19", "clang-16", "clang-15", "clang-14",
    ];
    let installed = |name: &&&str| Command::new(**name).arg("--version").output().is_ok();
    names.iter().find(installed).expect("clang is installed")
}

fn natively(file: &Path) -> String {
    let program = file.with_extension("");
    let compiled = Command::new(clang())
        .args(["-O0", "-fwrapv", "-w", "-o"])
        .args([&program, file])
        .output()
        .expect("clang starts");
    assert!(
        compiled.status.success(),
        "{}",
        String::from_utf8_lossy(&compiled.stderr)
    );
    let ran = Command::new(&program).output().expect("the program starts");
    assert!(ran.status.success(), "{:?}", ran.status);
    String::from_utf8_lossy(&ran.stdout).into_owned()
}

fn in_the_machine(file: &Path) -> String {
    let source = frontend::Source {
        files: vec![file.to_owned()],
        c_flags: vec!["-fwrapv".to_owned(), "-w".to_owned()],
        ..frontend::Source::default()
    };
    let program = frontend::load(&source).unwrap_or_else(|e| panic!("{e}"));
    let code = LoadedProgram::new(program, Settings::default()).unwrap_or_else(|e| panic!("{e}"));
    let ran = run(&code, &Client::default(), &Chooser::Random(0), 10_000_000)
        .unwrap_or_else(|e| panic!("{e}"));
    let fault = ran.execution.steps.last().and_then(|s| s.fault.clone());
    assert_eq!(ran.execution.end, End::Complete, "{fault:?}");
    String::from_utf8_lossy(ran.machine.output()).into_owned()
}

/// The text of one program.
fn body<'t>(text: &'t str, number: &str) -> &'t str {
    let start = text
        .find(&format!("static u64 program{number}("))
        .unwrap_or(0);
    let length = text[start..].find("return mix(h, i); }").unwrap_or(0);
    &text[start..start + length]
}

#[test]
fn random_programs_compute_what_the_processor_computes() {
    let programs = if std::env::var_os("LINSPECT_LONG").is_some() {
        2000
    } else {
        200
    };
    let folder = tempfile::tempdir().expect("a temporary directory");
    for seed in 0..(programs / PER_FILE) as u64 {
        let text = Writer::file(seed);
        let file = folder.path().join(format!("programs{seed}.c"));
        std::fs::write(&file, &text).expect("a scratch file");
        let (expected, found) = (natively(&file), in_the_machine(&file));
        assert_eq!(expected.lines().count(), PER_FILE);
        for (expected, found) in expected.lines().zip(found.lines()) {
            let number = expected.split(' ').next().unwrap_or_default();
            assert_eq!(found, expected, "seed {seed}: {}", body(&text, number));
        }
        assert_eq!(found.lines().count(), PER_FILE);
    }
}
