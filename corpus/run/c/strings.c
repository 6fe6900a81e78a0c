// Strings, formats and numbers at their edges.
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void number(const char *text, int base) {
    char *end = (char *)text;
    errno = 0;
    long n = strtol(text, &end, base);
    int first = errno;
    errno = 0;
    unsigned long u = strtoul(text, 0, base);
    printf("%s in %d: %ld %d %lu %d at %d\n", text, base, n, first, u, errno, (int)(end - text));
}

static void floating(const char *text) {
    char *end;
    errno = 0;
    double d = strtod(text, &end);
    printf("%s: %a %d at %d\n", text, d, errno, (int)(end - text));
}

int main(void) {
    char b[80] = {'a', 'b', 'c', 0}, *rest = 0;
    printf("%d\n", memchr(b, 'b', SIZE_MAX) == b + 1);
    printf("[%.*s] [%.*f] [%.*d] [%*d]\n", -1, "abc", -1, 1.5, -1, 0, -4, 7);
    int n = 0;
    printf("%Lf %La %Lg%n\n", 2.5L, 2.5L, 1e-4000L, &n);
    printf("%d\n", n);
    printf("%a %A %.2a %a\n", 1.0, -0.1, 1.999, 4.9e-324);
    printf("%d %d\n", snprintf(b, 8, "%.70000f", 1.0), snprintf(b, 4, "%*d", 20000000, 1));
    printf("%g %#g %e %.0e %F %f\n", 1e6, 1.0, 0.0, 2.5, -__builtin_inf(), -__builtin_nan(""));
    printf("%#o %#.0o %+.3d % d %05d %-5d| %#x %p %.3s %.5s %s\n", 8, 0, 5, 5, -5, 5, 0, (void *)0, (char *)0, "abcdefgh", (char *)0);
    const char *texts[] = {"12", " \v-7x", "0x1f", "0x", "077", "99999999999999999999", "-9223372036854775809", "zz", ""};
    for (unsigned i = 0; i < sizeof texts / sizeof *texts; i++)
        for (int base = 0; base <= 36; base += 4) number(texts[i], base);
    number("1", 1);
    number("1", 37);
    const char *floats[] = {"1.5e3x", ".5", "0x1.8p1", "1e400", "1e-400", "inf", "nan(1)", "-", "1e+", "2.2250738585072011e-308"};
    for (unsigned i = 0; i < sizeof floats / sizeof *floats; i++) floating(floats[i]);
    strcpy(b, "a,b;;c");
    for (char *word = strtok_r(b, ",;", &rest); word; word = strtok_r(0, ",;", &rest)) puts(word);
    int sum = 0;
    for (int c = -1; c < 256; c++) sum += (isspace(c) ? c : 0) + (ispunct(c) ? 2 * c : 0) + toupper(c);
    printf("%d %s %s\n", sum, strerror(2), strerror(0));
    errno = 0;
    printf("%d", malloc(SIZE_MAX) == 0);
    printf(" %d\n", errno);
    return 0;
}
