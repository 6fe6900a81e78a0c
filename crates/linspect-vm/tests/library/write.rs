//! Writes the programs.

/// What every file starts with. `which` is the number of the program to run.
const PREAMBLE: &str = r#"#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <threads.h>
#define SIGN(x) (((x) > 0) - ((x) < 0))
#define INT(x) printf("%s %lld\n", #x, (long long)(x))
#define YES(x) printf("%s %d\n", #x, !!(x))
#define AT(p, from) printf("%s %lld\n", #p, (p) ? (long long)((char *)(p) - (char *)(from)) : -99LL)
static void show(const void *p, size_t n) {
    const unsigned char *c = p;
    for (size_t i = 0; i < n; i++) { putchar("0123456789abcdef"[c[i] >> 4]); putchar("0123456789abcdef"[c[i] & 15]); }
    putchar('\n');
}
static int compare(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }
static void listed(char *to, size_t n, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int written = vsnprintf(to, n, format, list);
    va_end(list);
    INT(written);
}
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static sem_t semaphore;
static int total, turns, inits;
static void init(void) { inits++; }
static void destroyed(void *value) { __atomic_fetch_add(&total, (int)(intptr_t)value, __ATOMIC_SEQ_CST); }
static void *adder(void *n) {
    for (int i = 0; i < 3; i++) { pthread_mutex_lock(&mutex); total += (int)(intptr_t)n; pthread_mutex_unlock(&mutex); }
    return (void *)((intptr_t)n * 2);
}
static void *waiter(void *n) {
    pthread_mutex_lock(&mutex);
    while (turns < (int)(intptr_t)n) pthread_cond_wait(&condition, &mutex);
    total++;
    pthread_mutex_unlock(&mutex);
    return 0;
}
static void *poster(void *n) { for (intptr_t i = 0; i < (intptr_t)n; i++) sem_post(&semaphore); return n; }
static void *keeper(void *n) { pthread_once(&once, init); pthread_setspecific(key, n); return pthread_getspecific(key); }
static int c11(void *n) { return (int)(intptr_t)n - 7; }
"#;

/// What every file ends with.
const MAIN: &str = r#"
#ifdef IN_THE_MACHINE
int linspect_choose(int ways);
#define WHICH linspect_choose(sizeof programs / sizeof *programs)
#else
#define WHICH atoi(argv[1])
#endif
int main(int argc, char **argv) { programs[WHICH](); return 0; }
"#;

/// Texts worth trying, as C spells them.
const TEXTS: [&str; 16] = [
    r#""""#,
    r#""a""#,
    r#""abc""#,
    r#""ABC""#,
    r#""abd""#,
    r#""abcabcabd""#,
    r#""a,b;;c""#,
    r#"",;,""#,
    r#""  lead""#,
    r#""\x80\xff\x7f""#,
    r#""\xe9" "clair""#,
    r#""hello world""#,
    r#""0123456789abcdef""#,
    r#""zzzzzzzzzzzzzzzzzzzz""#,
    r#""%d%s""#,
    r#""\t\n\v\f\r ""#,
];

const NUMBERS: [&str; 28] = [
    "",
    "-",
    "+",
    "0",
    "-0",
    "42",
    " \\v\\t12z",
    "+7",
    "--7",
    "0x",
    "0x1f",
    "0XFFg",
    "-0x10",
    "08",
    "0777",
    "9223372036854775807",
    "9223372036854775808",
    "-9223372036854775808",
    "-9223372036854775809",
    "18446744073709551615",
    "18446744073709551616",
    "-1",
    "99999999999999999999999",
    "zz",
    "Zz9",
    "1 2",
    "1011012",
    "2147483648",
];

const FLOATS: [&str; 34] = [
    "",
    ".",
    "-.",
    "1",
    "-1.5",
    ".5",
    "5.",
    "1e5",
    "1e",
    "1e+",
    "1E-3x",
    "  2.5",
    "0x1p3",
    "0x1.8",
    "0x.8p-1",
    "0x",
    "0xg",
    "inf",
    "-Infinity",
    "infinit",
    "nan",
    "NAN(12)",
    "nan(",
    "1e308",
    "1e309",
    "-1e400",
    "1e-308",
    "4.9e-324",
    "1e-400",
    "0.1",
    "123456789012345678901234567890",
    "2.2250738585072011e-308",
    "3.4028236e38",
    "0x1.fffffffffffff8p0",
];

const DOUBLES: [&str; 24] = [
    "0.0",
    "-0.0",
    "1.0",
    "-1.5",
    "0.1",
    "2.5",
    "3.5",
    "0.5",
    "999999.5",
    "1e15",
    "123456789.125",
    "1e100",
    "1.7976931348623157e308",
    "4.9e-324",
    "2.2e-310",
    "1e-5",
    "0.00012345",
    "-9.9999995",
    "1.0 / 3",
    "100.0",
    "INFINITY_",
    "-INFINITY_",
    "NAN_",
    "65504.0625",
];

const INTS: [&str; 14] = [
    "0",
    "1",
    "-1",
    "7",
    "42",
    "-128",
    "255",
    "65535",
    "INT_MAX",
    "INT_MIN",
    "LONG_MAX",
    "LONG_MIN",
    "ULONG_MAX",
    "0x80000000ull",
];

/// A writer of programs.
struct Writer {
    state: u64,
    text: String,
}

/// A file of `count` programs.
pub(crate) fn file(seed: u64, count: usize) -> String {
    let mut writer = Writer {
        state: (seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
        text: format!(
            "{PREAMBLE}#define INFINITY_ __builtin_inf()\n#define NAN_ __builtin_nan(\"\")\n"
        ),
    };
    for number in 0..count {
        writer.program(number);
    }
    writer.text.push_str("static void (*programs[])(void) = {");
    for number in 0..count {
        writer.text.push_str(&format!("program{number}, "));
    }
    writer.text.push_str("};");
    writer.text.push_str(MAIN);
    writer.text
}

/// The text of one program.
pub(crate) fn body(text: &str, number: usize) -> &str {
    let start = text
        .find(&format!("static void program{number}("))
        .unwrap_or(0);
    let length = text[start..].find("\n}\n").map_or(0, |at| at + 3);
    &text[start..start + length]
}

impl Writer {
    fn next(&mut self, bound: usize) -> usize {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        ((self.state >> 11) % bound as u64) as usize
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.next(of.len())]
    }

    fn program(&mut self, number: usize) {
        self.text.push_str(&format!(
            "static void program{number}(void) {{\n\
             char b[64] = {{0}}, c[64] = {{0}}, *p = 0, *q = 0; size_t n = 0; int i = 0; long l = 0; errno = 0;\n"
        ));
        for _ in 0..4 + self.next(6) {
            let statement = match self.next(12) {
                0..=2 => self.strings(),
                3 => self.bytes(),
                4..=6 => self.print(),
                7 | 8 => self.parse(),
                9 => self.memory(),
                10 => self.characters(),
                _ => self.threads(),
            };
            self.text.push_str(&format!("{{ {statement} }}\n"));
        }
        self.text
            .push_str("show(b, 64); show(c, 64); INT(errno);\n}\n");
    }

    fn strings(&mut self) -> String {
        let (s, t) = (self.one(&TEXTS), self.one(&TEXTS));
        let count = self.one(&["0", "1", "2", "3", "5", "17", "60", "SIZE_MAX", "LONG_MAX"]);
        let small = self.next(30);
        let c = self.one(&["'a'", "'c'", "0", "'z'", "'\\xff'", "',' + 256", "-128"]);
        match self.next(24) {
            0 => format!("INT(strlen({s})); INT(strnlen({t}, {count}));"),
            1 => format!("INT(SIGN(strcmp({s}, {t}))); INT(SIGN(strncmp({s}, {t}, {count})));"),
            2 => format!(
                "INT(SIGN(strcasecmp({s}, {t}))); INT(SIGN(strncasecmp({s}, {t}, {count})));"
            ),
            3 => format!("p = strcpy(b, {s}); AT(p, b); q = stpcpy(c, {t}); AT(q, c);"),
            4 => format!("memset(b, 'x', 40); p = strncpy(b, {s}, {small}); AT(p, b);"),
            5 => format!("memset(c, 'y', 40); p = stpncpy(c, {s}, {small}); AT(p, c);"),
            6 => format!("b[20] = 0; c[20] = 0; strcat(b + 1, {s}); strncat(c, {t}, {count});"),
            7 => format!(
                "const char *s = {s}; AT(strchr(s, {c}), s); AT(strrchr(s, {c}), s); AT(strchrnul(s, {c}), s);"
            ),
            8 => format!("const char *s = {s}; AT(strstr(s, {t}), s); AT(strcasestr(s, {t}), s);"),
            9 => format!("INT(strspn({s}, {t})); INT(strcspn({s}, {t}));"),
            10 => format!("const char *s = {s}; AT(strpbrk(s, {t}), s);"),
            11 => format!(
                "p = strdup({s}); puts(p); q = strndup({t}, {count}); puts(q); free(p); free(q);"
            ),
            12 => format!(
                "strcpy(b, {s}); for (p = strtok_r(b, \",; \", &q); p; p = strtok_r(0, \",; \", &q)) puts(p); YES(q);"
            ),
            13 => format!(
                "strcpy(b, {s}); for (q = b; (p = strsep(&q, {t}));) printf(\"[%s]\\n\", p);"
            ),
            14 => "char u[3] = {'a', 'b', 'c'}; INT(SIGN(strcmp(u, \"abd\"))); INT(strnlen(u, 3));"
                .to_owned(),
            15 => format!(
                "char u[4] = {{'a', 'b', 'c', 'd'}}; printf(\"%.4s|%.*s\\n\", u, {}, u);",
                self.next(5)
            ),
            16 => format!(
                "i = fputs({s}, stdout); INT(i); i = puts({t}); INT(i); fputs({t}, stderr);"
            ),
            17 => format!(
                "INT(SIGN(strcoll({s}, {t}))); YES(index({s}, 'a')); YES(rindex({t}, 'a'));"
            ),
            18 => format!(
                "puts(strerror({}));",
                self.one(&["0", "1", "2", "12", "22", "34", "75", "110"])
            ),
            19 => format!(
                "errno = {}; printf(\"%m|%20m|%.3m\\n\"); perror({s}); errno = 0;",
                self.one(&["0", "2", "12", "22"])
            ),
            20 => format!("i = sprintf(b, \"%s-%c-%s\", {s}, {c}, \"end\"); INT(i);"),
            21 => format!("strcpy(b, {s}); p = memccpy(c, b, 'c', 64); AT(p, c);"),
            22 => format!(
                "INT(fwrite({s}, 1, strlen({s}), stdout)); INT(fwrite(b, 0, 5, stdout)); putchar('\\n');"
            ),
            _ => format!(
                "p = 0; i = asprintf(&p, \"<%s|%*d>\", {s}, {small}, -5); INT(i); puts(p); free(p);"
            ),
        }
    }

    fn bytes(&mut self) -> String {
        let (at, len) = (self.next(20), self.next(20));
        let to = self.next(20);
        let byte = self.one(&["0", "'a'", "'c'", "255", "256 + 'b'", "-1"]);
        let s = self.one(&TEXTS);
        match self.next(10) {
            0 => format!(
                "for (i = 0; i < 64; i++) b[i] = i * 7; memmove(b + {to}, b + {at}, {len});"
            ),
            1 => format!("p = memset(b + {at}, {byte}, {len}); AT(p, b);"),
            2 => format!(
                "p = memcpy(b + {at}, {s}, sizeof {s}); AT(p, b); q = mempcpy(c, {s}, {}); AT(q, c);",
                1
            ),
            3 => format!(
                "strcpy(b, \"0abcabc\"); AT(memchr(b, 'b', SIZE_MAX), b); AT(memchr(b, {byte}, {at}), b); AT(memrchr(b, {byte}, {len}), b);"
            ),
            4 => format!("INT(SIGN(memcmp(b, c, {len}))); INT(!bcmp(b, {s}, sizeof {s}));"),
            5 => format!(
                "strcpy(b, {s}); AT(memmem(b, 64, \"bc\", 2), b); AT(memmem(b, {len}, \"\", 0), b);"
            ),
            6 => format!(
                "bzero(b + {at}, {len}); explicit_bzero(c + {to}, {len}); bcopy(b, c, {at});"
            ),
            7 => format!("strcpy(b, {s}); AT(rawmemchr(b, 0), b);"),
            8 => format!(
                "int a[] = {{{at}, 3, -7, {len}, 3, INT_MIN, {to}, INT_MAX}}; qsort(a, {}, sizeof *a, compare); show(a, sizeof a);",
                self.next(9)
            ),
            _ => format!(
                "memcpy(b, {s}, 0); memmove(0, 0, 0); INT(memcmp(b, c, 0)); AT(memchr(b, 'x', 0), b);"
            ),
        }
    }

    /// A directive with its arguments.
    fn directive(&mut self) -> (String, Vec<String>) {
        let mut flags = String::new();
        for flag in ["-", "0", "+", " ", "#", "'"] {
            if self.next(5) == 0 {
                flags.push_str(flag);
            }
        }
        let mut arguments = Vec::new();
        let width = match self.next(8) {
            0 => {
                arguments.push(self.one(&["0", "3", "-3", "12", "-20", "40"]).to_owned());
                "*".to_owned()
            }
            1 | 2 => self.next(25).to_string(),
            3 => self.one(&["1", "70", "100"]).to_owned(),
            _ => String::new(),
        };
        let width = width.trim_start_matches('0').to_owned();
        let precision = match self.next(8) {
            0 => {
                arguments.push(self.one(&["0", "1", "-1", "-7", "5", "30"]).to_owned());
                ".*".to_owned()
            }
            1 | 2 => format!(".{}", self.next(12)),
            3 => self.one(&[".", ".0", ".40", ".70000", ".19"]).to_owned(),
            _ => String::new(),
        };
        let (conversion, argument) = match self.next(16) {
            0..=5 => {
                let (length, cast) = [
                    ("", "int"),
                    ("hh", "int"),
                    ("h", "int"),
                    ("l", "long"),
                    ("ll", "long long"),
                    ("z", "size_t"),
                    ("j", "intmax_t"),
                    ("t", "ptrdiff_t"),
                ][self.next(8)];
                let conversion = self.one(&["d", "i", "u", "x", "X", "o"]);
                (
                    format!("{length}{conversion}"),
                    format!("({cast}){}", self.one(&INTS)),
                )
            }
            6..=10 => {
                let conversion = self.one(&["f", "F", "e", "E", "g", "G", "a", "A"]);
                let number = self.one(&DOUBLES);
                // glibc drops the zeros that C keeps where rounding makes the number longer: 1.e+06, not 1.00000e+06.
                if matches!(conversion, "g" | "G") && number == "999999.5" {
                    flags.retain(|flag| flag != '#');
                }
                (conversion.to_owned(), format!("(double)({number})"))
            }
            11 => {
                let constants = [
                    "0.0L",
                    "1.0L",
                    "2.5L",
                    "-0.1L",
                    "1e4000L",
                    "3.6e-4951L",
                    "123456789.987654321L",
                    "1.5e-10L",
                ];
                let conversion = self.one(&["Lf", "Le", "Lg", "La", "LG"]);
                (conversion.to_owned(), self.one(&constants).to_owned())
            }
            12 | 13 => {
                flags.retain(|f| f == '-');
                ("s".to_owned(), self.one(&TEXTS).to_owned())
            }
            14 => {
                flags.retain(|f| f == '-');
                (
                    "c".to_owned(),
                    self.one(&["'x'", "0", "255", "321"]).to_owned(),
                )
            }
            _ => {
                flags.retain(|f| f == '-');
                ("s".to_owned(), "(char *)0".to_owned())
            }
        };
        arguments.push(argument);
        (format!("%{flags}{width}{precision}{conversion}"), arguments)
    }

    fn print(&mut self) -> String {
        let (mut format, mut arguments) = (String::new(), Vec::new());
        for _ in 0..=self.next(3) {
            let (directive, more) = self.directive();
            format.push_str(self.one(&["", "a ", "%%", "|"]));
            format.push_str(&directive);
            arguments.extend(more);
        }
        let arguments: String = arguments.iter().map(|a| format!(", {a}")).collect();
        let size = self.next(65);
        match self.next(8) {
            0 | 1 => format!("i = printf(\"{format}\\n\"{arguments}); INT(i);"),
            2 | 3 => format!("i = snprintf(b, {size}, \"{format}\"{arguments}); INT(i);"),
            4 => format!("listed(c, {size}, \"{format}\"{arguments});"),
            5 => format!(
                "i = fprintf(stdout, \"{format}\\n\"{arguments}); INT(i); fprintf(stderr, \"{format}\"{arguments});"
            ),
            6 => format!(
                "long long w = -1; i = snprintf(b, {size}, \"{format}%{}n\"{arguments}, &w); INT(i); INT(w);",
                self.one(&["", "hh", "h", "l", "ll"])
            ),
            _ => format!(
                "i = snprintf(0, 0, \"{format}%*d\"{arguments}, {}, 7); INT(i);",
                self.one(&["100000", "-100000", "3000000", "5"])
            ),
        }
    }

    fn parse(&mut self) -> String {
        match self.next(8) {
            0..=3 => {
                let text = self.one(&NUMBERS);
                let base = self.one(&["0", "2", "8", "10", "16", "36", "1", "37", "-1", "7"]);
                let (function, show) = [
                    ("strtol", "%ld"),
                    ("strtoul", "%lu"),
                    ("strtoll", "%lld"),
                    ("strtoull", "%llu"),
                ][self.next(4)];
                let end = self.one(&["&q", "&q", "0"]);
                format!(
                    "const char *s = \"{text}\"; q = (char *)s; errno = 0; printf(\"{show}\\n\", {function}(s, {end}, {base})); INT(errno); AT(q, s);"
                )
            }
            4 => {
                let text = self.one(&["", "12", "-7x", " 99", "2147483647", "abc", "+5"]);
                format!("INT(atoi(\"{text}\")); INT(atol(\"{text}\")); INT(atoll(\"{text}\"));")
            }
            5 => format!(
                "char u[4] = {{'1', '2', '{}', 'q'}}; l = strtol(u, &q, 10); INT(l); AT(q, u);",
                self.one(&["a", " ", "-", "."])
            ),
            _ => {
                let text = self.one(&FLOATS);
                let function = self.one(&["strtod", "strtof"]);
                format!(
                    "const char *s = \"{text}\"; errno = 0; printf(\"%a\\n\", (double){function}(s, &q)); INT(errno); AT(q, s); printf(\"%g\\n\", atof(s));"
                )
            }
        }
    }

    fn memory(&mut self) -> String {
        let size = self.one(&["0", "1", "7", "8", "63", "4096", "100000"]);
        let huge = self.one(&["SIZE_MAX", "PTRDIFF_MAX", "SIZE_MAX / 2", "(size_t)1 << 62"]);
        match self.next(9) {
            0 => format!("p = malloc({size}); YES(p); if (p) memset(p, 1, {size}); free(p);"),
            1 => format!("errno = 0; YES(malloc({huge})); INT(errno);"),
            2 => format!("errno = 0; YES(calloc({huge}, {})); INT(errno);", self.one(&["2", "16", "SIZE_MAX"])),
            3 => format!("p = calloc(3, {size}); for (n = 0; n < 3 * {size}; n += 97) i |= p[n]; INT(i); free(p);"),
            4 => "p = malloc(8); memcpy(p, \"1234567\", 8); p = realloc(p, 400); puts(p); p = realloc(p, 3); show(p, 3); free(p);".to_owned(),
            5 => format!("p = malloc(4); strcpy(p, \"abc\"); errno = 0; q = realloc(p, {huge}); YES(q); INT(errno); puts(p); free(p);"),
            6 => "p = malloc(4); q = realloc(p, 0); YES(q); p = realloc(0, 5); YES(p); free(p); free(0);".to_owned(),
            7 => format!("void *v = 0; i = posix_memalign(&v, {}, 10); INT(i); if (!i) YES((uintptr_t)v % 64 == 0 || 1); free(v);", self.one(&["8", "64", "4096", "3", "0", "4", "24"])),
            _ => format!("p = aligned_alloc(64, 128); YES((uintptr_t)p % 64 == 0); free(p); p = reallocarray(0, {}, 2); YES(p); free(p);", self.one(&["1", "9", "SIZE_MAX"])),
        }
    }

    fn characters(&mut self) -> String {
        let tests = [
            "isdigit", "isalpha", "isalnum", "isspace", "isupper", "islower", "isprint", "isgraph",
            "ispunct", "iscntrl", "isblank", "isxdigit",
        ];
        let test = self.one(&tests);
        match self.next(3) {
            0 => format!("for (i = -1; i < 256; i++) l += {test}(i) ? i : 0; INT(l);"),
            1 => format!("for (i = -1; i < 256; i++) l += ({test})(i) ? i * 3 : 0; INT(l);"),
            _ => "for (i = -1; i < 256; i++) l += 3 * toupper(i) + tolower(i) * i; INT(l); INT(abs(-5)); INT(labs(LONG_MIN + 1)); INT(toascii(200)); INT(isascii(128));".to_owned(),
        }
    }

    fn threads(&mut self) -> String {
        let n = 1 + self.next(4);
        match self.next(12) {
            0 => format!(
                "pthread_t t[2]; void *r; total = 0; INT(pthread_create(&t[0], 0, adder, (void *){n})); INT(pthread_create(&t[1], 0, adder, (void *)5)); \
                 INT(pthread_join(t[0], &r)); INT((intptr_t)r); pthread_join(t[1], 0); INT(total);"
            ),
            1 => format!(
                "pthread_t t; total = turns = 0; pthread_create(&t, 0, waiter, (void *){n}); for (i = 0; i < {n}; i++) {{ pthread_mutex_lock(&mutex); turns++; \
                 pthread_cond_broadcast(&condition); pthread_mutex_unlock(&mutex); }} pthread_join(t, 0); INT(total);"
            ),
            2 => format!("sem_init(&semaphore, 0, {n}); errno = 0; for (i = 0; i < 5; i++) INT(sem_trywait(&semaphore)); INT(errno); sem_post(&semaphore); sem_getvalue(&semaphore, &i); INT(i);"),
            3 => format!("pthread_t t; sem_init(&semaphore, 0, 0); pthread_create(&t, 0, poster, (void *){n}); for (i = 0; i < {n}; i++) INT(sem_wait(&semaphore)); pthread_join(t, 0); sem_getvalue(&semaphore, &i); INT(i);"),
            4 => "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; INT(pthread_mutex_trylock(&m)); INT(pthread_mutex_trylock(&m)); INT(pthread_mutex_unlock(&m)); INT(pthread_mutex_destroy(&m));".to_owned(),
            5 => format!(
                "pthread_mutexattr_t a; pthread_mutex_t m; pthread_mutexattr_init(&a); INT(pthread_mutexattr_settype(&a, {})); pthread_mutex_init(&m, &a); INT(pthread_mutex_lock(&m)); \
                 INT(pthread_mutex_trylock(&m)); INT(pthread_mutex_unlock(&m)); pthread_mutex_unlock(&m);",
                "PTHREAD_MUTEX_RECURSIVE"
            ),
            6 => "pthread_mutexattr_t a; pthread_mutex_t m; pthread_mutexattr_init(&a); pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK); pthread_mutex_init(&m, &a); \
                  INT(pthread_mutex_unlock(&m)); INT(pthread_mutex_lock(&m)); INT(pthread_mutex_lock(&m)); INT(pthread_mutex_unlock(&m));".to_owned(),
            7 => "pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER; INT(pthread_rwlock_rdlock(&r)); INT(pthread_rwlock_tryrdlock(&r)); INT(pthread_rwlock_trywrlock(&r)); \
                  pthread_rwlock_unlock(&r); pthread_rwlock_unlock(&r); INT(pthread_rwlock_trywrlock(&r)); INT(pthread_rwlock_tryrdlock(&r)); INT(pthread_rwlock_unlock(&r));".to_owned(),
            8 => format!(
                "pthread_t t; void *r; total = 0; pthread_key_create(&key, destroyed); pthread_create(&t, 0, keeper, (void *){n}); pthread_join(t, &r); INT((intptr_t)r); INT(total); \
                 YES(pthread_getspecific(key)); INT(inits); INT(pthread_key_delete(key)); INT(pthread_setspecific(1000, b));"
            ),
            9 => "pthread_barrier_t w; INT(pthread_barrier_init(&w, 0, 0)); INT(pthread_barrier_init(&w, 0, 1)); INT(pthread_barrier_wait(&w)); INT(pthread_barrier_destroy(&w)); \
                  pthread_spinlock_t s; pthread_spin_init(&s, 0); INT(pthread_spin_lock(&s)); INT(pthread_spin_trylock(&s)); INT(pthread_spin_unlock(&s));".to_owned(),
            10 => format!(
                "thrd_t t; mtx_t m; INT(thrd_create(&t, c11, (void *){n})); INT(thrd_join(t, &i)); INT(i); INT(mtx_init(&m, mtx_plain)); INT(mtx_lock(&m)); INT(mtx_trylock(&m)); INT(mtx_unlock(&m)); \
                 tss_t k; INT(tss_create(&k, 0)); INT(tss_set(k, b)); YES(tss_get(k) == b); tss_delete(k);"
            ),
            _ => "YES(pthread_equal(pthread_self(), pthread_self())); sched_yield(); INT(pthread_mutex_destroy(&mutex)); pthread_mutex_init(&mutex, 0);".to_owned(),
        }
    }
}
