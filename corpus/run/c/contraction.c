// a * b + c in one expression: compilers write one intrinsic for it, processors without a fused instruction round twice.
#include <stdio.h>
#include <string.h>

static unsigned long long bits(double x) {
  unsigned long long n;
  memcpy(&n, &x, sizeof n);
  return n;
}

int main(void) {
  double a = 1.0 + 1.0 / 3, b = 3.0 - 1e-9, c = -4.0;
  float x = 1.1f, y = 1.3f, z = -1.43f;
  for (int i = 0; i < 8; i++) {
    printf("%llx %llx\n", bits(a * b + c), bits(x * y + z));
    a += 0.1;
    x += 0.01f;
  }
  return 0;
}
