// Bit-fields, unions, flexible arrays, varargs, computed goto, 128 bits, builtins.
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct Flags {
    unsigned ready : 1;
    unsigned state : 3;
    int delta : 5;
    uint64_t big : 40;
    unsigned : 0;
    unsigned last : 7;
};
union Word {
    uint64_t all;
    struct {
        uint32_t low, high;
    };
    uint8_t bytes[8];
    double real;
};
struct Line {
    size_t len;
    struct {
        int x, y;
    } at[];
};
struct __attribute__((packed)) Wire {
    uint8_t kind;
    uint32_t len;
    uint16_t crc;
};
static int sum(int n, ...) {
    va_list a, b;
    va_start(a, n);
    va_copy(b, a);
    int s = 0;
    for (int i = 0; i < n; i++) s += va_arg(a, int);
    long double ld = 0;
    for (int i = 0; i < n; i++) s += 100 * va_arg(b, int);
    va_end(a);
    va_end(b);
    (void)ld;
    return s;
}
static const char *mixed(const char *f, ...) {
    static char buf[200];
    va_list a;
    va_start(a, f);
    vsnprintf(buf, sizeof buf, f, a);
    va_end(a);
    return buf;
}
static int run(const unsigned char *code) {
    static void *ops[] = {&&push, &&add, &&mul, &&dup, &&halt};
    int stack[16], *sp = stack;
#define NEXT goto *ops[*code++]
    NEXT;
push:
    *sp++ = *code++;
    NEXT;
add:
    sp--;
    sp[-1] += *sp;
    NEXT;
mul:
    sp--;
    sp[-1] *= *sp;
    NEXT;
dup:
    *sp = sp[-1];
    sp++;
    NEXT;
halt:
    return sp[-1];
}
static _Thread_local int tls = 5;
static int cmp(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static inline unsigned __int128 mul(uint64_t a, uint64_t b) { return (unsigned __int128)a * b; }
#define kind(x) _Generic((x), int: "int", double: "double", char *: "text", default: "other")
_Static_assert(sizeof(struct Wire) == 7, "packed");
int main(int argc, char **argv) {
    struct Flags f = {.ready = 1, .state = 9, .delta = -3, .big = 1ull << 39, .last = 100};
    f.state += 7;
    f.delta -= 20;
    printf("%u %u %d %" PRIu64 " %u %zu\n", f.ready, f.state, f.delta, (uint64_t)f.big, f.last, sizeof f);
    union Word w = {.real = 1.5};
    w.bytes[0] = 7;
    w.high ^= 0x80000000u;
    printf("%" PRIx64 " %g %x\n", w.all, w.real, w.low);
    struct Line *l = malloc(sizeof *l + 3 * sizeof l->at[0]);
    l->len = 3;
    for (size_t i = 0; i < l->len; i++) {
        l->at[i].x = (int)i;
        l->at[i].y = -(int)i;
    }
    struct Line *m = realloc(l, sizeof *l + 9 * sizeof l->at[0]);
    printf("%d %d\n", m->at[2].x, m->at[1].y);
    free(m);
    struct Wire wire = {1, 0xdeadbeef, 0x1234};
    unsigned char raw[7];
    memcpy(raw, &wire, 7);
    for (int i = 0; i < 7; i++) printf("%02x", raw[i]);
    puts("");
    printf("%d %s %d\n", sum(3, 1, 2, 3),
           mixed("%-6s|%+.3e|%#x|%c|%5.1f|%ld|%hhd|%%|%*d|%p", "ab", 12345.678, 255, 'z', 2.25, LONG_MIN, 300, 4, 7,
                 (void *)0),
           run((unsigned char[]){0, 6, 3, 2, 0, 6, 1, 4}));
    unsigned __int128 p = mul(UINT64_MAX, UINT64_MAX - 5);
    __int128 neg = -(__int128)p / 7;
    printf("%016" PRIx64 "%016" PRIx64 " %" PRId64 "\n", (uint64_t)(p >> 64), (uint64_t)p, (int64_t)(neg >> 64));
    printf("%d %llu\n", (int)(p % 1000), (unsigned long long)(p / UINT64_MAX));
    int r;
    bool o = __builtin_add_overflow(INT_MAX, 1, &r);
    size_t z;
    bool q = __builtin_mul_overflow(SIZE_MAX, 2ul, &z);
    printf("%d %d %d %d %d %d %d %d %x\n", o, r, q, __builtin_clz(1), __builtin_ctzll(8), __builtin_popcountl(255),
           __builtin_ffs(16), __builtin_parity(7), __builtin_bswap32(0x01020304));
    printf("%s %s %s %zu %d\n", kind(1), kind(1.0), kind("x"), _Alignof(max_align_t), __builtin_expect(argc > 100, 0));
    int v[argc + 4];
    for (int i = 0; i < argc + 4; i++) v[i] = (i * 7) % 5;
    qsort(v, (size_t)argc + 4, sizeof *v, cmp);
    for (int i = 0; i < 5; i++) printf("%d", v[i]);
    printf(" %d %c\n", tls, ({
               char c = "stmt"[1];
               c;
           }));
    char *s = strdup("a,b;c"), *save, *tok;
    for (tok = strtok_r(s, ",;", &save); tok; tok = strtok_r(0, ",;", &save)) printf("<%s>", tok);
    free(s);
    printf(" %d %s %ld %g\n", strcmp("abc", "abd") < 0, strstr("haystack", "st"), strtol("-0x1f", 0, 0),
           strtod("1e3x", 0));
    int d = (int)(sizeof argv != 8);
    switch (d) {
    case 0 ... 3:
        puts("range");
        break;
    default:
        puts("no");
    }
    return 3;
}
