// Integer arithmetic of all widths, shifts, division, conversions, 128 bits, bit builtins.
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>

typedef unsigned __int128 u128;
typedef __int128 i128;

static void wide(u128 x) {
    printf("%016" PRIx64 "%016" PRIx64 "\n", (uint64_t)(x >> 64), (uint64_t)x);
}

static volatile int8_t a8 = -100;
static volatile uint8_t b8 = 200;
static volatile int16_t a16 = -30000;
static volatile uint16_t b16 = 60000;
static volatile int32_t a32 = -2000000000;
static volatile uint32_t b32 = 4000000000u;
static volatile int64_t a64 = -9000000000000000000ll;
static volatile uint64_t b64 = 18000000000000000000ull;

int main(void) {
    printf("%d %d %d %d\n", a8 + b8, (int8_t)(a8 + b8), a8 * b8, a8 >> 2);
    printf("%d %u %d\n", a16 / 7, b16 % 7u, (int16_t)(a16 * 3));
    printf("%d %u %d %d\n", a32 / 7, b32 / 7, a32 % 7, a32 >> 5);
    printf("%" PRId64 " %" PRIu64 " %" PRId64 "\n", a64 / 7, b64 / 7, a64 % 1000);
    printf("%u %u %u\n", b32 << 3, b32 >> 3, (uint32_t)a32 >> 3);
    printf("%d %d %d\n", a8 < b8, (uint8_t)a8 < b8, a64 < (int64_t)b64);
    u128 x = (u128)b64 * b64;
    wide(x);
    wide(x / 12345);
    wide(x % 1000000007);
    wide(x << 5);
    wide(x >> 70);
    i128 y = (i128)a64 * a64 * -1;
    wide((u128)y);
    wide((u128)(y / 1234567));
    wide((u128)(y >> 64));
    printf("%d %d %d\n", y < 0, (u128)y > x, (int)(x >> 120));
    printf("%d %d %d %d\n", __builtin_clz(b32), __builtin_ctz(b32), __builtin_popcountll(b64), __builtin_parity(b32));
    printf("%x %" PRIx64 "\n", __builtin_bswap32(b32), __builtin_bswap64(b64));
    int result;
    printf("%d ", __builtin_add_overflow(a32, a32, &result));
    printf("%d ", result);
    printf("%d ", __builtin_mul_overflow(a32, 1, &result));
    printf("%d\n", result);
    uint64_t rotated = b64 << 13 | b64 >> 51;
    printf("%" PRIx64 "\n", rotated);
    struct { unsigned a : 3, b : 7; int c : 5; } bits = {5, 100, -7};
    bits.b += 30;
    bits.c -= 10;
    printf("%u %u %d %zu\n", bits.a, bits.b, bits.c, sizeof bits);
    _Bool truth = b32;
    printf("%d %d\n", truth, !truth);
    switch (a32 & 7) {
    case 0: puts("zero"); break;
    case 1 ... 3: puts("few"); break;
    default: puts("many");
    }
    return (int)(b64 % 256);
}
