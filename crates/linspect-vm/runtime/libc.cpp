// Functions of the C library that are easier said in C. What they keep between two calls is as much a race here as it is there.
#include <errno.h>
#include <fenv.h>
#include <inttypes.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

extern "C" {

char *strtok(char *text, const char *delimiters) {
  static char *rest;
  return strtok_r(text, delimiters, &rest);
}

double drand48() { return static_cast<double>(lrand48()) / 2147483648.0; }

// Insertion, from the front: few elements are the rule here, and equal ones stay in order.
void qsort_r(void *base, size_t count, size_t size, int (*compare)(const void *, const void *, void *), void *context) {
  char *const first = static_cast<char *>(base);
  char *const held = static_cast<char *>(malloc(size ? size : 1));
  for (size_t i = 1; i < count; i++) {
    size_t to = i;
    memcpy(held, first + i * size, size);
    for (; to > 0 && compare(first + (to - 1) * size, held, context) > 0; to--)
      memcpy(first + to * size, first + (to - 1) * size, size);
    memcpy(first + to * size, held, size);
  }
  free(held);
}

void *lfind(const void *key, const void *base, size_t *count, size_t size, int (*compare)(const void *, const void *)) {
  const char *at = static_cast<const char *>(base);
  for (size_t i = 0; i < *count; i++, at += size)
    if (compare(key, at) == 0)
      return const_cast<char *>(at);
  return nullptr;
}

char *strerror_r(int number, char *room, size_t size) {
  snprintf(room, size, "%s", strerror(number));
  return room;
}

int __xpg_strerror_r(int number, char *room, size_t size) {
  strerror_r(number, room, size);
  return 0;
}

void swab(const void *from, void *to, ssize_t count) {
  for (ssize_t i = 0; i + 1 < count; i += 2) {
    const char first = static_cast<const char *>(from)[i], second = static_cast<const char *>(from)[i + 1];
    static_cast<char *>(to)[i] = second;
    static_cast<char *>(to)[i + 1] = first;
  }
}

void sincos(double angle, double *sine, double *cosine) {
  *sine = sin(angle);
  *cosine = cos(angle);
}

long mrand48() { return static_cast<int32_t>(static_cast<uint32_t>(lrand48()) << 1 | (lrand48() & 1)); }

// The generator of POSIX on the caller's own 48 bits.
static uint64_t next48(unsigned short *state) {
  uint64_t x = state[0] | static_cast<uint64_t>(state[1]) << 16 | static_cast<uint64_t>(state[2]) << 32;
  x = (x * 0x5deece66dULL + 11) & 0xffffffffffffULL;
  for (int i = 0; i < 3; i++)
    state[i] = static_cast<unsigned short>(x >> 16 * i);
  return x;
}
double erand48(unsigned short *state) { return static_cast<double>(next48(state)) / 281474976710656.0; }
long nrand48(unsigned short *state) { return static_cast<long>(next48(state) >> 17); }
long jrand48(unsigned short *state) { return static_cast<int32_t>(next48(state) >> 16); }

div_t div(int a, int b) { return {a / b, a % b}; }
ldiv_t ldiv(long a, long b) { return {a / b, a % b}; }
lldiv_t lldiv(long long a, long long b) { return {a / b, a % b}; }
imaxdiv_t imaxdiv(intmax_t a, intmax_t b) { return {a / b, a % b}; }

uint32_t htonl(uint32_t x) { return __builtin_bswap32(x); }
uint32_t ntohl(uint32_t x) { return __builtin_bswap32(x); }
uint16_t htons(uint16_t x) { return __builtin_bswap16(x); }
uint16_t ntohs(uint16_t x) { return __builtin_bswap16(x); }

int ffs(int x) { return x ? __builtin_ctz(static_cast<unsigned>(x)) + 1 : 0; }
int ffsl(long x) { return x ? __builtin_ctzl(static_cast<unsigned long>(x)) + 1 : 0; }
int ffsll(long long x) { return ffsl(x); }

size_t strxfrm(char *to, const char *from, size_t size) {
  const size_t length = strlen(from);
  if (length < size)
    memcpy(to, from, length + 1);
  return length;
}

// The last part of a path, without the slashes behind it, which are cut off.
char *__xpg_basename(char *path) {
  static char here[] = ".";
  if (!path || !*path)
    return here;
  char *end = path + strlen(path);
  while (end > path + 1 && end[-1] == '/')
    *--end = 0;
  char *slash = strrchr(path, '/');
  return slash && slash[1] ? slash + 1 : path;
}
char *dirname(char *path) {
  static char here[] = ".";
  char *slash = path ? strrchr(path, '/') : nullptr;
  for (; slash && slash > path && !slash[1]; slash = strrchr(path, '/'))
    *slash = 0;
  if (!slash)
    return here;
  while (slash > path && slash[-1] == '/')
    slash--;
  slash[slash == path] = 0;
  return path;
}

// The parts of numbers with a fraction, by their bits.
double frexp(double x, int *exponent) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  int power = static_cast<int>(bits >> 52 & 0x7ff);
  *exponent = 0;
  if (x == 0 || power == 0x7ff)
    return x;
  if (power == 0) {
    const double half = frexp(x * 0x1p54, exponent);
    *exponent -= 54;
    return half;
  }
  *exponent = power - 1022;
  bits = (bits & ~(0x7ffULL << 52)) | 1022ULL << 52;
  memcpy(&x, &bits, sizeof x);
  return x;
}
double ldexp(double x, int exponent) {
  for (; exponent > 1000 && isfinite(x) && x != 0; exponent -= 1000)
    x *= 0x1p1000;
  for (; exponent < -1000 && x != 0; exponent += 1000)
    x *= 0x1p-1000;
  return x == 0 || !isfinite(x) ? x : x * pow(2, exponent);
}
double scalbn(double x, int exponent) { return ldexp(x, exponent); }
double modf(double x, double *whole) {
  *whole = trunc(x);
  return isinf(x) ? copysign(0, x) : copysign(x - *whole, x);
}
double fdim(double x, double y) { return x > y ? x - y : isnan(x) || isnan(y) ? x + y : 0; }
double logb(double x) {
  int exponent;
  frexp(x, &exponent);
  return x == 0 ? -INFINITY : isfinite(x) ? exponent - 1 : x * x;
}
int ilogb(double x) { return x == 0 ? FP_ILOGB0 : isfinite(x) ? static_cast<int>(logb(x)) : INT32_MAX; }

// Numbers are rounded to the nearest, and nobody takes exceptions down.
int fesetround(int way) { return way == FE_TONEAREST ? 0 : 1; }
int fegetround() { return FE_TONEAREST; }
int feclearexcept(int) { return 0; }
int fetestexcept(int) { return 0; }

// The input has ended.
char *fgets(char *, int, FILE *) { return nullptr; }
ssize_t getdelim(char **, size_t *, int, FILE *) { return -1; }
ssize_t getline(char **, size_t *, FILE *) { return -1; }
int getchar() { return EOF; }
int getc(FILE *) { return EOF; }
int fgetc(FILE *) { return EOF; }
size_t fread(void *, size_t, size_t, FILE *) { return 0; }
int feof(FILE *stream) { return stream == stdin; }
int ferror(FILE *) { return 0; }
void clearerr(FILE *) {}
int fclose(FILE *) { return 0; }

// Headers give these other symbols, so the symbols are said.
#define LINSPECT_NO_INPUT(SYMBOL)                                                                  \
  int linspect_##SYMBOL() __asm__(#SYMBOL);                                                        \
  int linspect_##SYMBOL() { return EOF; }
LINSPECT_NO_INPUT(scanf)
LINSPECT_NO_INPUT(fscanf)
LINSPECT_NO_INPUT(__isoc99_scanf)
LINSPECT_NO_INPUT(__isoc99_fscanf)
LINSPECT_NO_INPUT(__isoc23_scanf)
LINSPECT_NO_INPUT(__isoc23_fscanf)

// Nobody is cancelled, but who may be is asked.
static thread_local int may_not_be_cancelled, cancelled_at_once;
static int exchange(int &kept, int value, int *old) {
  if (value != 0 && value != 1)
    return EINVAL;
  if (old)
    *old = kept;
  kept = value;
  return 0;
}
int pthread_setcancelstate(int value, int *old) { return exchange(may_not_be_cancelled, value, old); }
int pthread_setcanceltype(int value, int *old) { return exchange(cancelled_at_once, value, old); }

// One lock for all streams.
static pthread_mutex_t streams = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
void flockfile(FILE *) { pthread_mutex_lock(&streams); }
int ftrylockfile(FILE *) { return pthread_mutex_trylock(&streams); }
void funlockfile(FILE *) { pthread_mutex_unlock(&streams); }
int putchar_unlocked(int letter) { return putchar(letter); }
int putc_unlocked(int letter, FILE *stream) { return fputc(letter, stream); }
int fputc_unlocked(int letter, FILE *stream) { return fputc(letter, stream); }
int fputs_unlocked(const char *text, FILE *stream) { return fputs(text, stream); }
size_t fwrite_unlocked(const void *from, size_t size, size_t count, FILE *stream) { return fwrite(from, size, count, stream); }
int fflush_unlocked(FILE *stream) { return fflush(stream); }
}
