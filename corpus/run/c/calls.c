// Structs by value, function pointers, recursion, varargs, setups of globals, static locals.
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct small { char c; int i; };
struct pair { long a, b; };
struct large { long v[6]; char tag[10]; };

static struct small make_small(int i) { return (struct small){'s', i}; }
static struct pair make_pair(long a) { return (struct pair){a, -a}; }
static struct large make_large(long a) {
    struct large l = {{a, a + 1, a + 2, a + 3, a + 4, a + 5}, "tag"};
    return l;
}
static long sum(struct large l) {
    long s = 0;
    for (int i = 0; i < 6; i++)
        s += l.v[i];
    l.v[0] = 1000;
    return s + l.tag[0];
}
static int add(int n, ...) {
    va_list list;
    va_start(list, n);
    int s = 0;
    for (int i = 0; i < n; i++)
        s += va_arg(list, int);
    s += (int)va_arg(list, double);
    s += va_arg(list, char *)[0];
    va_end(list);
    return s;
}
static void say(const char *format, ...) {
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
}
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
static int twice(int x) { return 2 * x; }
static int square(int x) { return x * x; }
static int (*table[])(int) = {twice, square, fib};
static const char *names[] = {"twice", "square", "fib"};
static int counter(void) { static int n = 40; return ++n; }
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

int main(int argc, char **argv) {
    struct small s = make_small(7);
    struct pair p = make_pair(12);
    struct large l = make_large(100);
    printf("%c %d %ld %ld %ld\n", s.c, s.i, p.a, p.b, l.v[5]);
    printf("%ld %ld\n", sum(l), l.v[0]);
    printf("%d\n", add(3, 1, 2, 3, 4.5, "A"));
    say("%s %d %.1f %ld\n", "variadic", -5, 2.5, 1L << 40);
    for (int i = 0; i < 3; i++)
        printf("%s(10) = %d\n", names[i], table[i](10));
    counter();
    printf("%d %d\n", counter(), argc);
    int numbers[] = {5, 3, 9, 1, 7};
    qsort(numbers, 5, sizeof *numbers, compare);
    for (int i = 0; i < 5; i++)
        printf("%d ", numbers[i]);
    char buffer[32];
    strcpy(buffer, "hello");
    strcat(buffer, " world");
    printf("\n%s %zu %d %s\n", buffer, strlen(buffer), strcmp(buffer, "hello"), strchr(buffer, 'w'));
    printf("%d %ld\n", atoi(" -42x"), strtol("0x1f", NULL, 16));
    char *grown = malloc(4);
    memcpy(grown, "abc", 4);
    grown = realloc(grown, 100);
    memset(grown + 3, 'z', 3);
    grown[6] = 0;
    puts(grown);
    free(grown);
    int *zeros = calloc(4, sizeof *zeros);
    printf("%d %d\n", zeros[0], zeros[3]);
    free(zeros);
    exit(3);
}
