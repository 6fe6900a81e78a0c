// What sscanf finds, and what printf says of the same numbers.
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
int main(void) {
    int a, b, n;
    unsigned u, x;
    long l;
    double d;
    float f;
    char w[20], c, set[20];
    short s;
    unsigned char uc;
    uint64_t q;
    void *p;
    printf("%d ", sscanf("12 -34 0x1f 077", "%d %d %x %o", &a, &b, &u, &x));
    printf("%d %d %u %u\n", a, b, u, x);
    printf("%d ", sscanf("key=value; 3.5e2", "%[^=]=%19[a-z];%lf%n", set, w, &d, &n));
    printf("%s %s %g %d\n", set, w, d, n);
    printf("%d ", sscanf("0x2a 010 9", "%i %i %i", &a, &b, (int *)&u));
    printf("%d %d %u\n", a, b, u);
    printf("%d ", sscanf("abcdef", "%3s%c%*c%hhu", w, &c, &uc));
    printf("%s %c\n", w, c);
    printf("%d ", sscanf("123456", "%2d%3ld%hd", &a, &l, &s));
    printf("%d %ld %d\n", a, l, s);
    printf("%d %d %d\n", sscanf("", "%d", &a), sscanf("x", "%d", &a), sscanf("5 x", "%d %d", &a, &b));
    printf("%d ", sscanf("18446744073709551615 1.25 %", "%" SCNu64 " %f %%%n", &q, &f, &n));
    printf("%" PRIu64 " %g %d\n", q, f, n);
    printf("%d ", sscanf("0xff", "%p", &p));
    printf("%p\n", p);
    printf("%d %d %d\n", snprintf(NULL, 0, "%d", 12345), snprintf(w, 4, "%s", "truncated"), (int)strlen(w));
    printf("%s %d|%-8.3s|% d|%05d|%+d|%#o|%#X|%e|%G|%a|%zu|%jd|%td|%hhx|%.0f|%.*f|%s\n", "two", 1, "abcdef", 5, -42, 7,
           8, 255, 0.0, 1e-10, 1.0, (size_t)9, (intmax_t)-1, (ptrdiff_t)3, 0x1ff, 2.5, 2, 3.14159, "end");
    return 0;
}
