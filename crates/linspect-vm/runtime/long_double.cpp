// Functions of `long double` that C++'s headers call, as accurate as those of `double`.
#include <cmath>
#include <cstdlib>

#define LINSPECT_OF_ONE(NAME)                                                                      \
  extern "C" long double NAME##l(long double x) { return std::NAME(static_cast<double>(x)); }
#define LINSPECT_OF_TWO(NAME)                                                                      \
  extern "C" long double NAME##l(long double x, long double y) {                                   \
    return std::NAME(static_cast<double>(x), static_cast<double>(y));                              \
  }
LINSPECT_OF_ONE(log)
LINSPECT_OF_ONE(log2)
LINSPECT_OF_ONE(log10)
LINSPECT_OF_ONE(exp)
LINSPECT_OF_ONE(sqrt)
LINSPECT_OF_ONE(exp2)
LINSPECT_OF_ONE(expm1)
LINSPECT_OF_ONE(log1p)
LINSPECT_OF_ONE(cbrt)
LINSPECT_OF_ONE(sin)
LINSPECT_OF_ONE(cos)
LINSPECT_OF_ONE(tan)
LINSPECT_OF_ONE(asin)
LINSPECT_OF_ONE(acos)
LINSPECT_OF_ONE(atan)
LINSPECT_OF_ONE(sinh)
LINSPECT_OF_ONE(cosh)
LINSPECT_OF_ONE(tanh)
LINSPECT_OF_TWO(pow)
LINSPECT_OF_TWO(fmod)
LINSPECT_OF_TWO(atan2)
LINSPECT_OF_TWO(hypot)
extern "C" long double floorl(long double x) { return __builtin_floorl(x); }
extern "C" long double ceill(long double x) { return __builtin_ceill(x); }
extern "C" long lroundl(long double x) { return static_cast<long>(__builtin_roundl(x)); }
extern "C" long long llroundl(long double x) { return static_cast<long long>(__builtin_roundl(x)); }
extern "C" long lrintl(long double x) { return static_cast<long>(__builtin_rintl(x)); }
extern "C" long long llrintl(long double x) { return static_cast<long long>(__builtin_rintl(x)); }
extern "C" long double strtold(const char *text, char **end) { return strtod(text, end); }
