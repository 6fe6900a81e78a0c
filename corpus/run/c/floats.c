// Floating point, conversions, comparisons with NaN, math.h.
#include <math.h>
#include <stdio.h>

static volatile double x = 1.1, y = -2.7, big = 1e300, zero = 0.0;
static volatile float f = 3.14159f, g = 1e-40f;

int main(void) {
    printf("%.17g %.17g %.17g %.17g\n", x + y, x - y, x * y, x / y);
    printf("%.9g %.9g %.9g\n", f * f, f / 3, g * 2);
    printf("%g %g %g\n", big * big, -big * big, zero / zero < 1 ? 1.0 : 2.0);
    printf("%d %d %d\n", (int)y, (int)f, (unsigned char)x);
    printf("%ld %lu\n", (long)1e15, (unsigned long)1.5e19);
    printf("%f %f\n", (float)16777217, (double)123456789123456789L);
    double nan = zero / zero;
    printf("%d %d %d %d %d\n", nan == nan, nan != nan, nan < 1, nan > 1, !(nan >= 1));
    printf("%g %g %g %g\n", sqrt(2), floor(y), ceil(y), fabs(y));
    printf("%g %g %g\n", fmod(7.5, 2), pow(2, 10), fmax(x, y));
    printf("%e %E\n", 12345.678, 0.00012);
    printf("%8.3f|%-8.2f|%+.1f|%08.2f\n", x, y, x, y);
    return (int)(f * 10);
}
