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
LINSPECT_OF_ONE(sin)
LINSPECT_OF_ONE(cos)
LINSPECT_OF_ONE(floor)
LINSPECT_OF_ONE(ceil)
LINSPECT_OF_TWO(pow)
LINSPECT_OF_TWO(fmod)
extern "C" long double strtold(const char *text, char **end) { return strtod(text, end); }
