// What C's library has beside strings, numbers and threads: calendars, an environment, options, attributes, parts of numbers, wide characters, and
// what runs at the end.
#define _GNU_SOURCE
#include <errno.h>
#include <getopt.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
#include <arpa/inet.h>

__attribute__((constructor)) static void begins(void) { puts("constructor"); }
__attribute__((destructor)) static void ends(void) { puts("destructor"); }
__attribute__((destructor(200))) static void ends_last(void) { puts("last destructor"); }
static void at_exit(void) { puts("at exit"); }

static void calendars(void) {
    char text[64];
    for (int i = 0; i < 5; i++) {
        const time_t times[] = {0, 951782399, 951868800, -1, 4102444800};
        struct tm tm;
        gmtime_r(&times[i], &tm);
        strftime(text, sizeof text, "%Y-%m-%d %H:%M:%S %j %a %b %u %I %p %F %T %%", &tm);
        printf("%s %ld\n", text, (long)(timegm(&tm) - times[i]));
    }
    struct tm tm = {.tm_year = 120, .tm_mon = 13, .tm_mday = 31, .tm_hour = 25};
    const long seconds = timegm(&tm);
    printf("%ld %s", seconds, asctime(&tm));
    printf("%.1f\n", difftime(5, 3));
}

static void environment(void) {
    setenv("LINSPECT_A", "one", 0);
    setenv("LINSPECT_A", "two", 0);
    printf("%s\n", getenv("LINSPECT_A"));
    setenv("LINSPECT_A", "three", 1);
    static char pair[] = "LINSPECT_B=four";
    putenv(pair);
    printf("%s %s\n", getenv("LINSPECT_A"), getenv("LINSPECT_B"));
    unsetenv("LINSPECT_A");
    printf("%d %s\n", getenv("LINSPECT_A") == NULL, getenv("LINSPECT_B"));
    const int refused = setenv("a=b", "c", 1);
    printf("%d %d\n", refused, errno == EINVAL);
}

static void options(void) {
    char *words[] = {"program", "-ab", "value", "-cjoined", "--long=x", "--other", "y", "--flag", "rest", NULL};
    const struct option all[] = {{"long", required_argument, 0, 'l'}, {"other", required_argument, 0, 'o'}, {"flag", no_argument, 0, 'f'}, {0}};
    int option;
    while ((option = getopt_long(9, words, "ab:c:", all, NULL)) != -1)
        printf("%c %s\n", option, optarg ? optarg : "-");
    printf("%s\n", words[optind]);
}

static void attributes(void) {
    pthread_attr_t thread;
    size_t size;
    int value;
    pthread_attr_init(&thread);
    pthread_attr_getdetachstate(&thread, &value);
    printf("%d\n", value == PTHREAD_CREATE_JOINABLE);
    pthread_attr_setstacksize(&thread, 1 << 20);
    pthread_attr_getstacksize(&thread, &size);
    pthread_attr_setdetachstate(&thread, PTHREAD_CREATE_DETACHED);
    pthread_attr_getdetachstate(&thread, &value);
    printf("%zu %d %d\n", size, value == PTHREAD_CREATE_DETACHED, pthread_attr_setstacksize(&thread, 1));
    pthread_attr_destroy(&thread);
    pthread_rwlockattr_t lock;
    pthread_rwlockattr_init(&lock);
    pthread_rwlockattr_setkind_np(&lock, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);
    pthread_rwlockattr_getkind_np(&lock, &value);
    printf("%d\n", value);
    sigset_t set;
    sigfillset(&set);
    sigdelset(&set, SIGINT);
    printf("%d %d\n", sigismember(&set, SIGINT), sigismember(&set, SIGTERM));
    cpu_set_t processors;
    printf("%d\n", pthread_getaffinity_np(pthread_self(), sizeof processors, &processors) == 0 && CPU_COUNT(&processors) > 0);
}

static void numbers(void) {
    int exponent;
    double whole;
    printf("%d %d %ld %ld %lld\n", div(-7, 2).quot, div(-7, 2).rem, ldiv(9, 4).quot, ldiv(9, 4).rem, lldiv(11, 3).rem);
    for (int i = 0; i < 6; i++) {
        const double of[] = {0.0, 8.0, -0.3, 5e-324, 1e300, INFINITY};
        double half = frexp(of[i], &exponent);
        printf("%.17g %d ", half, isinf(of[i]) ? 0 : exponent);
        half = modf(of[i], &whole);
        printf("%.17g %.17g %.17g\n", half, whole, ldexp(of[i], -3));
    }
    printf("%.17g %.17g %d %.17g %.17g\n", ldexp(1, -1074), ldexp(1, 1024), ilogb(0.3), logb(9), fdim(3, 1));
    printf("%.6f %.6f %.6f %.6f\n", sinf(1), powf(2, 0.5f), fmodf(5, 3), roundf(-1.5f));
    const long double of[] = {1.5L, -1.5L, 2.5L, -0.25L, 1e18L + 0.5L};
    for (int i = 0; i < 5; i++) {
        volatile long double x = of[i];
        printf("%Lf %Lf %Lf %Lf %Lf %Lf ", floorl(x), ceill(x), truncl(x), roundl(x), rintl(x), fabsl(x));
        printf("%Lf %Lf %Lf %ld\n", fmaxl(x, 1), fminl(x, 1), copysignl(x, -1), lroundl(x));
    }
    volatile long double a = 3, b = 4, c = 5;
    printf("%Lf\n", a * b + c);
    unsigned short state[3] = {1, 2, 3};
    printf("%f ", erand48(state));
    printf("%ld ", nrand48(state));
    printf("%ld\n", jrand48(state));
    printf("%x %x %d %d %d\n", htonl(1), ntohs(2), ffs(8), ffsl(1L << 40), ffs(0));
}

static void cancelling(void) {
    int old;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
    printf("%d ", old == PTHREAD_CANCEL_ENABLE);
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old);
    printf("%d ", old == PTHREAD_CANCEL_DISABLE);
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
    printf("%d %d\n", old == PTHREAD_CANCEL_DEFERRED, pthread_setcancelstate(7, &old));
}

static void texts(void) {
    char path[] = "/usr/lib/x/", same[] = "/usr/lib/x/", plain[] = "plain";
    printf("%s ", basename(path));
    printf("%s %s ", dirname(same), basename(plain));
    printf("%s\n", dirname(plain));
    wchar_t wide[16], other[16];
    wcscpy(wide, L"abc");
    wcscat(wide, L"de");
    wmemset(other, L'x', 3);
    printf("%zu %d %d %d\n", wcslen(wide), wcscmp(wide, L"abd") < 0, (int)(wcschr(wide, L'c') - wide), other[2] == L'x');
    char narrow[16];
    const size_t narrowed = wcstombs(narrow, wide, 16);
    printf("%zu %zu %s\n", mbstowcs(other, "xyz", 16), narrowed, narrow);
    printf("%s %s\n", setlocale(LC_ALL, NULL), localeconv()->decimal_point);
}

int main(void) {
    atexit(at_exit);
    calendars();
    environment();
    options();
    attributes();
    numbers();
    cancelling();
    texts();
    const int found = access("/no/such/file", F_OK);
    printf("%d %d\n", found, errno == ENOENT);
    char *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    page[7] = 'p';
    page = mremap(page, 4096, 8192, MREMAP_MAYMOVE);
    printf("%c\n", page[7]);
    flockfile(stdout);
    putchar_unlocked('l');
    puts("ocked");
    funlockfile(stdout);
    return 0;
}
